import { describe, expect, test } from 'vitest';
import { runRecon } from '../../support/run-recon.ts';

const columns = 100;
const plain = ['--sandbox', '--color', 'never'];

/** The lines of a report on a terminal of so many rows. */
async function linesOn(rows: number, ...args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await runRecon([...args, ...plain], { columns, rows });
  return stdout.trimEnd().split('\n');
}

describe('a report that is longer than the terminal', () => {
  test.each([
    ['settlements', ['settlements']],
    ['bank', ['bank']],
    ['explain', ['explain', '--month', '2026-03']],
  ])('of %s repeats its result at the end', async (_, args) => {
    const long = await linesOn(24, ...args);
    expect(long.slice(-2)).toEqual(['', long[0]]);
    expect(long[0]).toMatch(/^[A-Z ]+$/);
  });

  test('has its result once if it fits, or if the height of the terminal is unknown', async () => {
    for (const rows of [1_000, 0]) {
      const lines = await linesOn(rows, 'settlements');
      expect(lines.filter((line) => line === 'OUT OF BALANCE')).toHaveLength(1);
    }
  });

  test('of several settlements has a result for each, and none for all', async () => {
    const ids = ['be678572-cc4e-5b84-ae52-bdd95f9ee0dd', 'a020802c-de25-57ff-ba57-ea9fb8b9d1af'];
    const lines = await linesOn(24, 'explain', ...ids);
    expect(lines.filter((line) => line === 'OUT OF BALANCE')).toHaveLength(2);
  });

  test('in a file has its result once', async () => {
    const { stdout } = await runRecon(['settlements', ...plain, '--format', 'table']);
    expect(stdout.match(/^OUT OF BALANCE$/gm)).toHaveLength(1);
  });
});
