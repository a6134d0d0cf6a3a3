import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type RunOptions, runRecon } from '../support/run-recon.ts';
import { readRecords } from './read-report.ts';
import { temporaryFolder } from './temporary.ts';

/** A progress line would mix with the questions. */
const env = { CI: '1' };

async function desk() {
  const folder = await temporaryFolder();
  const [list, accepted] = [join(folder, 'decisions.csv'), join(folder, 'accepted.csv')];
  const words = ['review', '--sandbox', '--accepted', accepted, '--decisions', list];
  return {
    list,
    accepted,
    review: (answers: readonly string[], more: readonly string[] = [], options: RunOptions = {}) =>
      runRecon([...words, ...more], { env, answers, ...options }),
    decided: async () => {
      const lines = readRecords(await readFile(list, 'utf8'));
      return lines.filter(({ decision }) => decision !== '');
    },
  };
}

test('two differences are decided, kept in a list and applied', async () => {
  const { review, decided, accepted } = await desk();
  // Nine points, the largest first: paid twice (JPY), missing (EUR).
  const run = await review(
    ['a', 'paid twice, will be deducted\r', 'Anna\r', 'w', 'never comes\r', 'q', 'y'],
    [],
    { columns: 120, env: { ...env, NO_COLOR: '1' } },
  );
  expect(run.exitCode).toBe(0);
  expect(await decided()).toMatchObject([
    { kind: 'bank', currency: 'JPY', decision: 'accept', by: 'Anna' },
    { kind: 'bank', currency: 'EUR', decision: 'written off', reason: 'never comes', by: 'Anna' },
  ]);
  expect(run.stdout).toMatch(/ACCEPTED\n19 lines: 2 accepted and 17 undecided\./);
  expect(readRecords(await readFile(accepted, 'utf8'))).toHaveLength(2);
});
