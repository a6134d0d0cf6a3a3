import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dayOf, off, settlement, since, startNights } from './nights.ts';
import { settlementOn } from './shop.ts';

/** One day is read again every night, and all others are seen again within four days. */
const env = { RECON_RESTATED_DAYS: '1', RECON_SWEPT_DAYS: '4' };
// What is made of the first ones does not depend on those that follow.
const days = [9, 8, 7, 6, 5, 4, 3, 2].map((day) => settlement(day));
const withoutFirst = days.slice(0, -1);

/** What is told from one night to another, each with the night. */
async function tell({ night }: Awaited<ReturnType<typeof startNights>>, from: number, to: number) {
  const told: string[] = [];
  for (let day = from; day <= to; day += 1) {
    told.push(...(await night(day)).kinds.map((kind) => `${day}: ${kind}`));
  }
  return told;
}

describe('older days are seen again within swept_days', () => {
  test('report a settlement that is listed late, or changes late', async () => {
    const nights = await startNights(days, env);
    await nights.night(20, ...since);
    const late = settlement(5, { header: { settlementId: settlementOn(5, 'late') } });
    const now = days.map((one, index) => (index === 6 ? settlement(3, off) : one));
    await nights.becomes([...now, late]);
    const told = await tell(nights, 21, 24);
    expect(told.map((one) => one.slice(4)).sort()).toEqual(['out_of_balance 03', 'restated 05']);
    expect(await nights.daysOn(settlementOn(5, 'late'))).toEqual([dayOf(5)]);
    expect(await tell(nights, 25, 28)).toEqual([]);
  });
});

describe('an older day that is empty now', () => {
  test('is reported once, stays as it is stored, and is no longer swept', async () => {
    const nights = await startNights(
      [...days, settlement(2, { header: { settlementId: settlementOn(2, 'two') }, ...off })],
      { ...env, RECON_SWEPT_DAYS: '1' },
    );
    await nights.night(20, ...since);
    const csv = join(nights.out, dayOf(2), 'settlements.csv');
    const before = await readFile(csv, 'utf8');
    await nights.becomes(withoutFirst);
    const first = await nights.night(21);
    expect(first.kinds).toEqual(['no_longer_listed 02']);
    expect(first.report.profiles[0]?.days.map(({ day }) => day)).not.toContain(dayOf(2));
    expect(await readFile(csv, 'utf8')).toBe(before);
    const second = await nights.night(22);
    expect(second.kinds).toEqual([]);
    // What was out of balance there is so still.
    expect(second.report.profiles[0]?.known.settlements).toBe(1);
    const { stdout } = await nights.run(23, ['--dry-run', '--format', 'json']);
    expect(JSON.parse(stdout).swept).toMatchObject([{ from: dayOf(3) }]);
  });
});

describe('damaged files of older days', () => {
  /** Nights that read nothing of the older days, unless something is wrong with them. */
  const start = async () => {
    const nights = await startNights(days, { ...env, RECON_SWEPT_DAYS: '0' });
    await nights.night(20, ...since);
    return { ...nights, path: (day: number, file: string) => join(nights.out, dayOf(day), file) };
  };

  test('are found the next night, and read again', async () => {
    const { path, night } = await start();
    await appendFile(path(4, 'settlements.csv'), 'x');
    expect((await night(21)).kinds).toEqual(['repaired 04']);
    expect((await night(22)).kinds).toEqual([]);
  });

  test('are kept if the service no longer lists the day', async () => {
    const { path, becomes, night } = await start();
    await appendFile(path(2, 'settlements.csv'), 'x');
    await becomes(withoutFirst);
    const { exitCode, kinds, report } = await night(21);
    expect([exitCode, kinds]).toEqual([4, ['unread_day 02']]);
    expect(report.news[0]?.details.join()).toContain('Restore the files from a backup');
    const csv = await readFile(path(2, 'settlements.csv'), 'utf8');
    expect(csv).toContain(settlementOn(2));
    expect(await night(22)).toMatchObject({ exitCode: 4, kinds: [] });
    // Somebody has restored it: it is not asked for again.
    await writeFile(path(2, 'settlements.csv'), csv.slice(0, -1));
    expect(await night(23)).toMatchObject({ exitCode: 0, kinds: ['repaired 02'] });
    expect(await night(24)).toMatchObject({ exitCode: 0, kinds: [] });
    expect(await readFile(path(2, 'settlements.csv'), 'utf8')).toContain(settlementOn(2));
  });
});
