import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceName } from '../../src/export/layout.ts';
import { Archive } from '../../src/nightly/archive.ts';
import { explainDays } from '../../src/nightly/explanations.ts';
import { dayOf, settlement, since, startNights } from '../cli/nights.ts';
import { purchases } from '../cli/service.ts';
import { settlementOn } from '../cli/shop.ts';

const days = [2, 3, 4, 5];

/** The days of a night in which all settlements have the same fee too many. */
async function archiveOfNight(): Promise<Archive> {
  const off = { fees: 25, amountPayIn: -25 };
  const all = days.map((day) => settlement(day, { rows: purchases(day), off }));
  const { out, night } = await startNights(all);
  await night(6, ...since);
  return Archive.of(out, new Map(days.map((day) => [dayOf(day), join(out, dayOf(day))])));
}

test('a day is explained beside the days before it', async () => {
  const archive = await archiveOfNight();
  const { explained, patterns } = await explainDays(archive, new Set([dayOf(5)]));
  expect([...explained.keys()]).toEqual(days.map((day) => settlementOn(day)));
  expect(explained.get(settlementOn(5))?.best?.codes).toEqual(['pattern']);
  expect(patterns).toMatchObject([{ since: '2026-02-03', day: '2026-03-05' }]);
});

test('days before it are left out if too many of their settlements are out of balance', async () => {
  const archive = await archiveOfNight();
  archive.days = new Map(
    [...archive.days].map(([day, one]) => {
      const { manifest } = one;
      if (day !== dayOf(4) || !manifest) return [day, one];
      const settlements = { ...manifest.counts.settlements, out_of_balance: 1000 };
      const counts = { ...manifest.counts, settlements };
      return [day, { ...one, manifest: { ...manifest, counts } }];
    }),
  );
  const { explained, patterns } = await explainDays(archive, new Set([dayOf(5)]));
  expect([...explained.keys()]).toEqual([settlementOn(5)]);
  expect(patterns).toEqual([]);
});

test('a file that is damaged meanwhile leaves the night without explanations', async () => {
  const archive = await archiveOfNight();
  await rm(join(archive.days.get(dayOf(3))?.folder ?? '', sourceName));
  expect(await explainDays(archive, new Set([dayOf(5)]))).toEqual({
    explained: new Map(),
    patterns: [],
  });
});
