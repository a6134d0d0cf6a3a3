import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { purchases, scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const [one, other, third] = [
  'aaaaaaaa-0000-4000-8000-000000000001',
  'aaaaaaaa-0000-4000-8000-000000000002',
  'bbbbbbbb-0000-4000-8000-000000000003',
];

const settlementOf = (settlementId: string, date: string) => ({
  date,
  header: { settlementId },
  rows: purchases(3),
  off: { amountGross: 500, amountPayIn: 500 },
});

/** Two settlements that begin alike, and one of another month. */
const threeOf = () =>
  startService(
    scenarioOf([
      settlementOf(one, '2026-03-03'),
      settlementOf(other, '2026-03-04'),
      settlementOf(third, '2026-04-02'),
    ]),
  );

describe('the first characters of a settlement', () => {
  it('name it in explain, transactions and accept, and are looked for in the last days', async () => {
    const { env } = await threeOf();
    const accepted = ['--accepted', join(await temporaryFolder(), 'accepted.csv')];
    const difference = ['--difference', '5.00', '--reason', 'known'];
    for (const words of [
      ['explain', 'BBBBBBBB'],
      ['transactions', '--settlement', 'bbbbbbbb-0000'],
      ['accept', 'bbbbbbbb', ...difference, ...accepted],
      ['accept', 'bbbbbbbb', '--remove', ...accepted],
    ]) {
      const { exitCode, stdout, stderr } = await runRecon(words, { env });
      expect([words[0], exitCode]).toEqual([words[0], words[0] === 'explain' ? 1 : 0]);
      expect(stdout).toContain(third);
      if (words.includes('--remove')) continue;
      expect(stderr).toContain('in the settlements from 2026-01-04 to 2026-04-05 (inclusive)\n');
    }
  });

  it('are listed if several begin alike', async () => {
    const { env } = await threeOf();
    const { exitCode, stderr } = await runRecon(['explain', 'aaaaaaaa'], { env });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${one} and ${other}`);
    const more = await runRecon(['explain', other.slice(0, -1)], { env });
    expect(more.exitCode).toBe(2);
    expect((await runRecon(['explain', other], { env })).exitCode).toBe(1);
  });

  it('are looked for in the range that is given', async () => {
    const { env } = await threeOf();
    const asked = (month: string) => runRecon(['explain', 'bbbbbbbb', '--month', month], { env });
    expect((await asked('2026-04')).stdout).toContain(third);
    const { exitCode, stderr } = await asked('2026-03');
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('Write the whole id')]);
    expect((await runRecon(['explain', 'bbbbbb'], { env })).exitCode).toBe(2);
  });
});

describe('the newest settlement', () => {
  it('is named by every report that finds nothing, and by doctor', async () => {
    const { env } = await threeOf();
    const range = ['--month', '2025-06'];
    const folder = await temporaryFolder();
    for (const words of [
      ['settlements', ...range],
      ['transactions', ...range],
      ['explain', ...range],
      ['export', ...range, '--out', join(folder, 'days')],
    ]) {
      const { stderr } = await runRecon(words, { env });
      expect([words[0], stderr]).toEqual([
        words[0],
        expect.stringContaining('The newest settlement is of 2026-04-02.\n'),
      ]);
    }
    const verbose = await runRecon(['settlements', ...range, '--verbose'], { env });
    expect(verbose.stderr.match(/oauth\/token/g)).toHaveLength(1);
    const quiet = await runRecon(['settlements', ...range, '--quiet'], { env });
    expect(quiet.stderr).not.toContain('newest');
    const found = await runRecon(['settlements', '--month', '2026-03'], { env });
    expect(found.stderr).not.toContain('newest');
    const doctor = await runRecon(['doctor', '--days', '1', '--format', 'json'], { env });
    expect(doctor.stdout).toContain('The newest settlement is of 2026-04-02.');
  });
});
