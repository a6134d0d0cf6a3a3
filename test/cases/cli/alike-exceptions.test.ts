import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scenarioOf, startService } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { runRecon } from '../../support/run-recon.ts';

// An equation that does not hold: nearly all settlements of the month are out of balance.
const month = ['--sandbox', '--identity', 'gross'];
const columns = 120;

/** The lines of a report from one title to the next empty line. */
function block(text: string, title: string): readonly string[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(title));
  return lines.slice(start, lines.indexOf('', start));
}

const ids = (text: string) => new Set(text.match(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g));

describe('many exceptions on a terminal', () => {
  test('share a block if findings, cause and currency are the same, the largest difference first', async () => {
    const { stdout } = await runRecon(['settlements', ...month, '--color', 'never'], { columns });
    const lines = block(stdout, 'Out of balance: 36 settlements');
    const rows = lines.flatMap((line) => {
      const [, count, currency, net, absolute] =
        /^ +(\d+) +([A-Z]{3}) +([-+\d,.]+) +([\d,.]+)$/.exec(line) ?? [];
      return count === undefined ? [] : [[Number(count), currency, net, absolute] as const];
    });
    expect(rows.slice(0, 3)).toEqual([
      [7, 'JPY', '-40,162', '40,162'],
      [1, 'JPY', '-3,940', '3,940'],
      // What holds in all settlements is said of each account.
      [16, 'EUR', '-2,148.47', '2,148.47'],
    ]);
    expect(rows.reduce((sum, [count]) => sum + count, 0)).toBe(36);
    expect(lines.filter((line) => line.includes('largest: ')).slice(0, 3)).toEqual([
      '  > largest: 2026-03-23 41d78a3d-bf57-56a9-9a96-a8d3ddd0a8c9, Japan, -7,634 JPY',
      '  > largest: 2026-03-16 aaec682c-1e81-5a13-8528-ea6e0f0c173c, Japan, -6,289 JPY',
      '  > largest: 2026-03-19 5f458b55-ae19-5ef6-a135-b046e3e6df1a, Japan, -5,943 JPY',
    ]);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      '  > recon settlements --sandbox --identity gross --color never --all',
    );
  });

  test('are all listed by --all, and in a file', async () => {
    const { stdout: all } = await runRecon(['settlements', ...month, '--all'], { columns });
    const path = join(await temporaryFolder(), 'report.txt');
    await runRecon(['settlements', ...month, '--output', path], { columns });
    for (const text of [all, await readFile(path, 'utf8')]) {
      expect(ids(text).size).toBeGreaterThanOrEqual(40);
      expect(text).not.toContain('--all');
    }
  });

  test('leave out what is balanced, which is listed on request', async () => {
    const args = ['settlements', '--sandbox', '--only', 'balanced', '--color', 'never'];
    const { stdout } = await runRecon(args, { columns });
    expect(ids(stdout).size).toBeGreaterThanOrEqual(30);
    expect(stdout).not.toContain('blocks');
  });

  test('are at most 25 blocks', async () => {
    // Each has a currency of its own, so no two of them are alike.
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const service = await startService(
      scenarioOf(
        letters.map((letter, at) => ({
          account: letter,
          date: '2026-03-05',
          rows: [['purchase', 10_000, 140, 28] as const],
          header: { amountGross: 10_001 + at, amountPayIn: 9_833 + at },
        })),
        {
          accounts: Object.fromEntries(
            letters.map((one) => [one, { accountingToken: one, currencyCode: `X${one}X` }]),
          ),
        },
      ),
    );
    const { stdout } = await service.settlements(['--color', 'never'], { columns });
    expect(stdout).toContain('Showing 25 of 26 blocks; --all lists each settlement.');
    const lines = block(stdout, 'Out of balance: 26 settlements');
    expect(lines.filter((line) => /^ +1 +X.X /.test(line))).toHaveLength(25);
    expect(lines.find((line) => /^ +1 +X.X /.test(line))).toMatch(/XZX +\+0\.26/);
  });
});
