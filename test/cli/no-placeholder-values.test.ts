import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scenarioNames } from '../../src/sandbox/scenarios.ts';
import { partsOf } from '../render/xlsx/read-workbook.ts';
import { runRecon } from '../support/run-recon.ts';
import { temporaryFolder } from './temporary.ts';

const lists = ['table', 'csv', 'json', 'ndjson'];
const handedOn = [...lists, 'html', 'xlsx'];

/** Each report, and the formats in which it can be written. */
const reports: readonly (readonly [words: string, flag: string, formats: readonly string[]])[] = [
  ['settlements', '--format', handedOn],
  ['settlements --bank', '--format', ['table', 'html', 'xlsx']],
  ['explain', '--format', [...handedOn, 'markdown']],
  ['transactions', '--format', lists],
  ['bank', '--format', [...handedOn, 'markdown']],
  ['journal', '--for', ['hledger', 'ledger', 'beancount', 'datev', 'csv']],
];

/** What stands in a report where its program had no value. */
const placeholder = /\bNaN\b|\bundefined\b|\[object |\bInvalid Date\b|\bInfinity\b/;

test.each(scenarioNames)('%s is told without a placeholder, in all formats', async (scenario) => {
  const folder = await temporaryFolder();
  for (const [words, flag, formats] of reports) {
    for (const format of formats) {
      const path = join(folder, `${words}.${format}`);
      const output = format === 'xlsx' ? ['--output', path] : [];
      // Of the month, the search for causes is told of its oddest day alone: the others take long.
      const range = scenario === 'month' && words === 'explain' ? ['--on', '2026-03-12'] : [];
      const args = [...words.split(' '), '--sandbox', '--scenario', scenario, flag, format];
      const { stdout, stderr, exitCode } = await runRecon([...args, ...range, ...output]);
      // A journal can be refused for what its format cannot hold.
      expect(words === 'journal' ? [0, 1, 2, 4] : [0, 1, 4], stderr).toContain(exitCode);
      const parts = format === 'xlsx' ? [...partsOf(await readFile(path)).values()] : [stdout];
      const page = parts.join('\n').replace(/<script[\s\S]*?<\/script>/g, '');
      expect(placeholder.exec(page + stderr), args.join(' ')).toBeNull();
    }
  }
});
