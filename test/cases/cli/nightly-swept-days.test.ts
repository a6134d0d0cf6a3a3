import { readFileSync } from 'node:fs';
import { appendFile, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dayOf, moved, off, settlement, since, startNights } from '../../cli/nights.ts';
import { purchases } from '../../cli/service.ts';
import { settlementOn } from '../../cli/shop.ts';
import { runRecon } from '../../support/run-recon.ts';

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
  test('are in the plan with the reason, and --dry-run names the days whose headers are listed', async () => {
    const nights = await startNights(days, { ...env, RECON_SWEPT_DAYS: '1' });
    await nights.night(20, ...since);
    await nights.becomes([...withoutFirst, settlement(2, { rows: purchases(4) })]);
    const dry = await nights.run(21, ['--dry-run', '--format', 'json']);
    expect(JSON.parse(dry.stdout)).toMatchObject({
      swept: [{ profile: null, from: dayOf(2), to: dayOf(18) }],
    });
    expect((await nights.run(21, ['--dry-run'])).stdout).toContain(
      'Older days  settlements of 2026-03-02 to 2026-03-18',
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
  test('is not reported if that is not certain', async () => {
    const nights = await startNights(days, { ...env, RECON_SWEPT_DAYS: '1' });
    await nights.night(20, ...since);
    await nights.becomes(withoutFirst, { faults: ['http-500@headers'] });
    const { exitCode, kinds } = await nights.night(21);
    expect([exitCode, kinds]).toEqual([4, ['failed']]);
  });
});

describe('damaged files of older days', () => {
  /** Nights that read nothing of the older days, unless something is wrong with them. */
  const start = async (sweptDays: string) => {
    const nights = await startNights(days, { ...env, RECON_SWEPT_DAYS: sweptDays });
    await nights.night(20, ...since);
    const path = (day: number, file: string) => join(nights.out, dayOf(day), file);
    const verify = () => runRecon(['export', '--verify', '--out', nights.out]);
    return { ...nights, path, verify };
  };

  test.each<[string, (path: (day: number, file: string) => string) => Promise<void>]>([
    ['changed', (path) => appendFile(path(4, 'settlements.csv'), 'x')],
    ['deleted', (path) => rm(path(4, 'source.ndjson.gz'))],
    ['with another manifest', (path) => appendFile(path(4, 'manifest.json'), ' ')],
  ])('are found the next night, read again and reported: %s', async (_, damage) => {
    const { path, verify, run, night } = await start('0');
    await damage(path);
    const dry = await run(21, ['--dry-run', '--format', 'csv']);
    expect(dry.stdout).toContain(`,${dayOf(4)},damaged,`);
    const { kinds, report } = await night(21);
    expect(kinds).toEqual(['repaired 04']);
    expect(report.news[0]?.details.join()).toContain('Its files were altered');
    expect(report.profiles[0]?.days).toContainEqual(
      expect.objectContaining({ day: dayOf(4), reason: 'damaged', state: 'repaired' }),
    );
    expect((await verify()).exitCode).toBe(0);
    expect((await night(22)).kinds).toEqual([]);
  });

  test('are not found if only the time of a file is different', async () => {
    const { path, night } = await start('0');
    await utimes(path(4, 'settlements.csv'), new Date(), new Date());
    const { kinds, report } = await night(21);
    expect(kinds).toEqual([]);
    expect(report.profiles[0]?.days.map(({ day }) => day)).not.toContain(dayOf(4));
  });

  /** Another byte, with the size and the time of the file as they were. */
  const rot = async (path: string) => {
    const bytes = readFileSync(path);
    bytes[bytes.length - 9] = (bytes.at(-9) ?? 0) ^ 1;
    const { mtime, atime } = await import('node:fs').then((fs) => fs.statSync(path));
    await writeFile(path, bytes);
    await utimes(path, atime, mtime);
  };

  test('that look unchanged are found within swept_days', async () => {
    const nights = await start('4');
    await rot(nights.path(8, 'transactions.csv'));
    const told = await tell(nights, 21, 24);
    expect(told.map((one) => one.slice(4))).toEqual(['repaired 08']);
    expect((await nights.verify()).exitCode).toBe(0);
  });

  test('are reported as repaired also on one of the last days', async () => {
    const nights = await startNights(days, { RECON_SWEPT_DAYS: '0' });
    await nights.night(10, ...since);
    await rot(join(nights.out, dayOf(8), 'transactions.csv'));
    expect((await nights.night(11)).kinds).toEqual(['repaired 08']);
    expect((await nights.night(12)).kinds).toEqual([]);
  });

  /** A day that is damaged and that the service no longer lists. */
  const startDamaged = async () => {
    const nights = await start('0');
    const [csv, path] = [nights.path(2, 'settlements.csv'), join(nights.out, 'nightly.json')];
    const intact = await readFile(csv);
    await appendFile(csv, 'x');
    await nights.becomes(withoutFirst);
    expect((await nights.night(21)).kinds).toEqual(['unread_day 02']);
    const { sha256: _, ...state } = JSON.parse(await readFile(path, 'utf8'));
    /** Restores the file. What is then told of the damage. */
    const restored = async (day: number) => {
      await writeFile(csv, intact);
      const { kinds, report } = await nights.night(day);
      expect(kinds).toEqual(['repaired 02']);
      expect((await nights.night(day + 1)).kinds).toEqual([]);
      return report.news[0]?.details.join();
    };
    return { ...nights, statePath: path, state, restored, bytes: intact.length };
  };

  test('are stored as codes, without words', async () => {
    const { state, restored, bytes } = await startDamaged();
    expect(state.damaged).toEqual({
      [dayOf(2)]: [{ path: 'settlements.csv', code: 'other_size', values: [bytes + 1, bytes] }],
    });
    expect(JSON.stringify(state)).not.toMatch(/[a-z]+ [a-z]+/i);
    expect(await restored(22)).toContain(
      `Found: settlements.csv: It has ${bytes + 1} bytes; it was written with ${bytes}.`,
    );
  });

  test('are reported by the next night if this one ends before its output', async () => {
    const { path, run, night } = await start('0');
    await appendFile(path(4, 'settlements.csv'), 'x');
    const full = () => Promise.reject(new Error('write ENOSPC'));
    expect((await run(21, [], { onOutput: full })).exitCode).toBe(5);
    expect((await night(21)).kinds).toEqual(['repaired 04']);
  });
});
