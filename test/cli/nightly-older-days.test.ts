import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dayOf, moved, off, settlement, since, startNights } from './nights.ts';
import { purchases } from './service.ts';
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

  test('are in the plan with the reason, and --dry-run names the days whose headers are listed', async () => {
    const nights = await startNights(days, { ...env, RECON_SWEPT_DAYS: '1' });
    await nights.night(20, ...since);
    await nights.becomes([...withoutFirst, settlement(2, { rows: purchases(4) })]);
    const dry = await nights.run(21, ['--dry-run', '--format', 'json']);
    expect(JSON.parse(dry.stdout)).toMatchObject({
      swept: [{ profile: null, from: dayOf(2), to: dayOf(18) }],
    });
    expect((await nights.run(21, ['--dry-run'])).stdout).toContain(
      'Older days  headers of 2026-03-02 to 2026-03-18',
    );
    const { report } = await nights.night(21);
    expect(report.profiles[0]?.days).toContainEqual(
      expect.objectContaining({ day: dayOf(2), reason: 'changed', state: 'restated' }),
    );
  });

  test('need one request for many days, and 0 switches them off', async () => {
    const nights = await startNights(days, { ...env, RECON_SWEPT_DAYS: '1' });
    await nights.night(20, ...since);
    const requests = async (...more: readonly [Record<string, string>?]) => {
      const { stderr } = await nights.run(21, ['--verbose'], { env: more[0] ?? {} });
      return stderr.split('\n').filter((line) => line.includes('(2026-03-02 to 2026-03-18)'));
    };
    expect(await requests({ RECON_SWEPT_DAYS: '0' })).toHaveLength(0);
    // Two walks of one page and an empty one, where pages are long enough.
    expect((await requests()).length).toBeLessThanOrEqual(4);
  });

  test('are caught up after missed nights', async () => {
    const nights = await startNights(days, env);
    await nights.night(20, ...since);
    await nights.becomes(days.map((one, index) => (index === 0 ? settlement(9, off) : one)));
    expect((await nights.night(24)).kinds).toEqual(['out_of_balance 09']);
  });

  test('report a settlement that has moved between them as moved, on one day only', async () => {
    const nights = await startNights(days, { ...env, RECON_SWEPT_DAYS: '1' });
    await nights.night(20, ...since);
    await nights.becomes([...withoutFirst, moved(2, 6)]);
    expect((await nights.night(21)).kinds).toEqual(['moved 06']);
    expect(await nights.daysOn(settlementOn(2))).toEqual([dayOf(6)]);
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

  test('is not reported if that is not certain', async () => {
    const nights = await startNights(days, { ...env, RECON_SWEPT_DAYS: '1' });
    await nights.night(20, ...since);
    await nights.becomes(withoutFirst, { faults: ['http-500@headers'] });
    const { exitCode, kinds } = await nights.night(21);
    expect([exitCode, kinds]).toEqual([4, ['failed']]);
  });
});
