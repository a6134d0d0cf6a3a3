import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { layout } from '../../src/export/layout.ts';
import { verifyExport } from '../../src/export/verify-export.ts';
import {
  type Contents,
  contentsOf,
  expectNothingLeft,
  filesIn,
  isFoundByVerify,
  withFlipped,
} from '../cli/exports.ts';
import { days } from './random-scenario.ts';
import type { Ended, Trial } from './trial.ts';

/** `recon export`: the days that it writes with the faults, against those without. */
export async function tryOutExport(trial: Trial): Promise<Ended> {
  const { blind, connection } = trial;
  const range = ['--from', days[0], '--to', days.at(-1) ?? ''];
  // What can't be read whole is published too, or not.
  const even = trial.random.chance(50) ? ['--publish-incomplete', days.join()] : [];
  const to = (name: string) => ['export', ...range, ...even, '--out', join(trial.folder, name)];
  const calm = await trial.undisturbed(to('export-calm'));
  const wild = await trial.disturbed([...to('export-wild'), ...connection]);
  const expected = contentsOf(join(trial.folder, 'export-calm'));
  const folder = join(trial.folder, 'export-wild');
  const mayHide = blind.settlements || blind.repeats || trial.ids.some(blind.rowsOf);

  if (wild.exitCode > 1) expect(wild.stderr).not.toBe('');
  expectNothingLeft(folder);
  const left = contentsOf(folder);
  if (layout.scope in left) await expectVerified(folder, trial);
  if (mayHide) return wild;
  // Each day that is there is there whole, or says that it isn't; what is missing is told.
  const there = daysIn(left);
  const partial = there.filter((day) =>
    left[`${day}/manifest.json`]?.includes('"complete": false'),
  );
  if (even.length === 0) expect(partial).toEqual([]);
  if (partial.length > 0) expect(wild.exitCode).toBe(4);
  for (const day of there) {
    const [written, whole] = [dayIn(left, day), dayIn(expected, day)];
    if (hasGaps(written, day)) expectRowsOf(whole, written, day);
    else expect(written).toEqual(whole);
  }
  const missing = daysIn(expected).filter((day) => !there.includes(day));
  if (missing.length > 0) expect(wild.exitCode).toBeGreaterThan(1);
  // The next night, all is well again.
  const next = await trial.undisturbed(to('export-wild'));
  expect(next.exitCode).toBe(calm.exitCode);
  const after = contentsOf(folder);
  for (const day of daysIn(expected)) {
    const [written, whole] = [dayIn(after, day), dayIn(expected, day)];
    // What came later is told there as a change.
    if (`${day}/changes.csv` in written) expectRowsOf(written, whole, day);
    else expect(written).toEqual(whole);
  }
  return wild;
}

function daysIn(contents: Contents): readonly string[] {
  return Object.keys(contents).flatMap((path) => /^(\d{4}-\d\d-\d\d)\/$/.exec(path)?.[1] ?? []);
}

/** What isn't settled yet may be written without its rows, as an incomplete day may: its discrepancies say so. */
function hasGaps(contents: Contents, day: string): boolean {
  return contents[`${day}/discrepancies.csv`]?.includes(',incomplete,') ?? false;
}

function expectRowsOf(whole: Contents, written: Contents, day: string): void {
  const rows = (contents: Contents) => contents[`${day}/transactions.csv`]?.split('\r\n') ?? [];
  const known = new Set(rows(whole));
  expect(rows(written).filter((row) => !known.has(row))).toEqual([]);
}

function dayIn(contents: Contents, day: string): Contents {
  return Object.fromEntries(Object.entries(contents).filter(([path]) => path.startsWith(day)));
}

/** What lies there is as written and follows from its sources, and one bit that changes is found. */
async function expectVerified(folder: string, { random }: Trial): Promise<void> {
  expect((await verifyExport(folder)).problems).toEqual([]);
  const path = random.pick(filesIn(folder));
  const bytes = readFileSync(join(folder, path));
  writeFileSync(join(folder, path), withFlipped(bytes, random.int(0, 8 * bytes.length - 1)));
  expect(await isFoundByVerify(folder, path)).toBe(true);
  writeFileSync(join(folder, path), bytes);
}
