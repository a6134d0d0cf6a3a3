import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { readRecords } from './read-report.ts';
import { march, purchases, scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const long = scenarioOf([
  { date: '2026-03-03', rows: purchases(2) },
  { date: '2026-03-04', rows: purchases(230) },
]);
const id = String(long.settlements[1]?.header['settlementId']);
const readAgain =
  'Next: recon settlements --from 2026-03-01 --to 2026-03-31 # try again to read the rest';
const report = 'Next: Report the record and the field to the provider';

const ofSettlements = [
  {
    reason: 'not_read',
    scenario: long,
    fault: `wrapper-1010@${id}`,
    why: /its transactions were not read: The service reports that .*1010.*\)\./,
    next: readAgain,
  },
  {
    reason: 'unsteady_read',
    scenario: long,
    fault: 'hole=always@rows',
    why: /some of its transactions may not have been read: reading it again returned different records\./,
    next: readAgain,
  },
  {
    reason: 'unreadable_record',
    scenario: 'malformed',
    fault: 'page-max=50',
    why: /1 transaction cannot be read: \S+ \(decimalPlaces: found "", expected .*\)\./,
    next: report,
  },
];

describe('the reason of an incomplete settlement', () => {
  it.each(ofSettlements)(
    'is in its row, and with --quiet also on standard error: $reason',
    async ({ scenario, fault, why, next }) => {
      const { settlements } = await startService(scenario, fault);
      const { exitCode, stdout, stderr } = await settlements(['--quiet']);
      expect(exitCode).toBe(4);
      const [row] = readRecords(stdout).filter(({ verdict }) => verdict === 'incomplete');
      const { explanation = '', settlement_id: named } = row ?? {};
      const said = `${explanation.charAt(0).toLowerCase()}${explanation.slice(1)}`;
      expect(said).toMatch(why);
      expect(stderr.split('\n')).toContain(`Settlement ${named} (2026-03-04): ${said}`);
      expect(stderr).toContain(`\n${next}`);
    },
  );

  it.each([
    { fault: 'ignore-offset@headers', why: 'Some settlements may not have been listed' },
    {
      fault: 'page-max=50',
      scenario: 'malformed',
      why: '1 settlement of the list cannot be read: ',
    },
  ])('is given for the list of settlements too: $why', async ({ scenario = long, fault, why }) => {
    const { settlements } = await startService(scenario, fault);
    const { exitCode, stderr } = await settlements(['--quiet']);
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`\n${why}`);
    expect(stderr).toContain('\nNext: ');
  });

  it('is given once if the report goes to a file, whatever its format', async () => {
    const { settlements } = await startService(long, `wrapper-1010@${id}`);
    for (const name of ['report.csv', 'report.json', 'report.txt']) {
      const path = join(await temporaryFolder(), name);
      const { stderr } = await settlements(['--quiet', '--output', path]);
      expect(stderr.match(new RegExp(`Settlement ${id}`, 'g')), name).toHaveLength(1);
      expect(stderr).toContain(readAgain);
    }
  });

  it('is only in the data if they are for a program or on the screen', async () => {
    const { settlements } = await startService(long, `wrapper-1010@${id}`);
    for (const format of ['json', 'ndjson', 'table']) {
      const { stdout, stderr } = await settlements(['--quiet', '--format', format]);
      expect(stdout).toContain('1010');
      expect(stderr).toBe('');
    }
  });
});

describe('many incomplete settlements', () => {
  const days = Array.from({ length: 40 }, (_, at) => `2026-03-${String((at % 9) + 10)}`);
  const many = scenarioOf(days.map((date) => ({ date, rows: purchases(1) })));

  it.each(['settlements', 'transactions'])('are reported in short: %s', async (command) => {
    const { env } = await startService(many, 'http-400@rows');
    const { exitCode, stderr } = await runRecon([command, ...march, '--quiet'], { env });
    expect(exitCode).toBe(4);
    expect(stderr.match(/^Settlement /gm)).toHaveLength(3);
    expect(stderr).toContain('\n37 more settlements not fully read (not_read).\n');
  });

  it('are reported in short by an export, which says what to do', async () => {
    const sameDay = scenarioOf(days.map(() => ({ date: '2026-03-10', rows: purchases(1) })));
    const { env } = await startService(sameDay, 'http-400@rows');
    const out = join(await temporaryFolder(), 'days');
    const day = ['--on', '2026-03-10', '--out', out];
    const { exitCode, stderr } = await runRecon(['export', ...day, '--quiet'], { env });
    expect(exitCode).toBe(4);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.slice(0, 3).join('\n')).toMatch(/^(2026-03-10 not written: settlement .*\n?){3}$/);
    expect(lines.slice(3)).toEqual([
      '2026-03-10 not written: 37 more settlements not fully read (not_read)',
      'Next: run recon export again for 2026-03-10. If it still fails, contact the provider.',
    ]);
  });
});

it('an explanation that is not possible names the reason and what to do', async () => {
  const { env } = await startService(long, `wrapper-1010@${id}`);
  const args = ['explain', id, '--format', 'csv', '--quiet'];
  const { exitCode, stderr } = await runRecon(args, { env });
  expect(exitCode).toBe(4);
  expect(stderr).toMatch(
    /\nIts transactions were not read: The service reports that .*1010.*\)\.\n/,
  );
  expect(stderr).toContain(`\nNext: recon explain ${id} # try again to read the rest\n`);
});
