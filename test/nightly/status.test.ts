import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ProfileNight } from '../../src/app/night-result.ts';
import { writeStatus } from '../../src/nightly/status.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { buildNews, buildNight } from '../report/nightly/build-night.ts';

const firstNight = Date.UTC(2026, 3, 1, 6);
const [first, second] = ['2026-04-01T06:00:00.000Z', '2026-04-02T06:00:00.000Z'];

/** Ends nights one after the other, a day apart, each with an exit code; gives what stands there then. */
async function statusAfter(
  nights: readonly (readonly [exitCode: number, ...profiles: readonly ProfileNight[]])[],
  given?: string,
) {
  const folder = given ?? join(await temporaryFolder(), 'out');
  for (const [at, [exitCode, ...profiles]] of nights.entries()) {
    await writeStatus(folder, { profiles, exitCode, now: firstNight + at * 86_400_000 });
  }
  return JSON.parse(await readFile(join(folder, 'status.json'), 'utf8'));
}

test('a status has the end of the last run and the last day of each profile', async () => {
  const absolute = [{ minor: 8780n, scale: 2, currency: 'EUR' }];
  const known = { settlements: 3, absolute, from: '2026-03-01', to: '2026-03-02' };
  const spain = buildNight({
    ...{ profile: 'spain', verdict: 'out_of_balance', exitCode: 1, known },
    ...{ news: [buildNews()], pending: 4, overdue: 1, lagDays: 2 },
  });
  expect(await statusAfter([[1, spain]])).toEqual({
    schema: 1,
    finishedAt: first,
    exitCode: 1,
    lastSuccess: first,
    profiles: [
      {
        profile: 'spain',
        verdict: 'out_of_balance',
        exitCode: 1,
        lastSuccess: first,
        publishedTo: '2026-03-31',
        lagDays: 2,
        news: 1,
        known: 3,
        pending: 4,
        overdue: 1,
        failure: null,
      },
    ],
  });
});

describe('the last success', () => {
  const failure = { cause: 'network', message: 'No connection.', where: null, hint: null } as const;
  const [spain, france] = [buildNight({ profile: 'spain' }), buildNight({ profile: 'france' })];
  const failed = { ...france, exitCode: 4, failure };

  test('stays when a run fails, for the profile that failed', async () => {
    const status = await statusAfter([
      [0, spain, france],
      [4, spain, failed],
    ]);
    expect(status).toMatchObject({
      finishedAt: second,
      lastSuccess: first,
      profiles: [
        { profile: 'spain', lastSuccess: second, failure: null },
        { profile: 'france', lastSuccess: first, failure: 'network' },
      ],
    });
  });

  test.each([2, 3, 4, 5, 70, 75])(
    'is unknown if all runs so far ended with exit code %i',
    async (exitCode) => {
      const status = await statusAfter([[exitCode, { ...spain, exitCode }]]);
      expect(status).toMatchObject({ lastSuccess: null, profiles: [{ lastSuccess: null }] });
    },
  );

  test('stays, with all other fields, if another run holds the profile', async () => {
    const held = buildNight({ profile: 'spain', exitCode: 75, publishedTo: undefined });
    const status = await statusAfter([
      [0, spain],
      [75, held],
    ]);
    expect(status.profiles).toMatchObject([
      { profile: 'spain', exitCode: 0, lastSuccess: first, publishedTo: '2026-03-31' },
    ]);
  });

  test.each(['', '{', '[]', 'null', '{"profiles": 7, "lastSuccess": {}}', '{"profiles": [null]}'])(
    'is unknown if the file contains %j, and the file is replaced',
    async (text) => {
      const folder = await temporaryFolder();
      await writeFile(join(folder, 'status.json'), text);
      const status = await statusAfter([[4, failed]], folder);
      expect(status).toMatchObject({ lastSuccess: null, profiles: [{ lastSuccess: null }] });
    },
  );
});
