import { describe, expect, it } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { readReport } from './read-report.ts';

const sandbox = (scenario: string, ...args: string[]) =>
  runRecon(['settlements', '--sandbox', '--scenario', scenario, ...args]);

describe('the exit code', () => {
  it.each([
    { code: 0, about: 'balanced', run: () => sandbox('balanced') },
    { code: 0, about: 'pending', run: () => sandbox('pending') },
    { code: 0, about: 'nothing there', run: () => sandbox('empty') },
    { code: 0, about: 'a notice', run: () => sandbox('duplicate-row') },
    { code: 1, about: 'out of balance', run: () => sandbox('fee-off-by-one') },
    { code: 1, about: 'out of balance in surplus', run: () => sandbox('service-says-settled') },
    { code: 1, about: 'a finding across settlements', run: () => sandbox('shared-transaction') },
    { code: 2, about: 'wrong usage', run: () => sandbox('balanced', '--format', 'pdf') },
    { code: 2, about: 'no configuration', run: () => runRecon(['settlements', '--on', 'today']) },
    {
      code: 3,
      about: 'refused credentials',
      run: () => sandbox('balanced', '--fault', 'http-401@token'),
    },
    { code: 3, about: 'denied access', run: () => sandbox('balanced', '--fault', 'wrapper-1001') },
    { code: 4, about: 'unreadable data', run: () => sandbox('malformed') },
    {
      code: 4,
      about: 'a failing service',
      run: () => sandbox('balanced', '--fault', 'wrapper-1010'),
    },
    {
      code: 5,
      about: 'an unwritable output',
      run: () => sandbox('balanced', '--output', '/dev/full'),
    },
  ])('is $code for $about', async ({ code, run }) => {
    expect((await run()).exitCode).toBe(code);
  });

  it.each([
    { scenario: 'fee-off-by-one', failOn: 'out-of-balance', code: 1 },
    { scenario: 'fee-off-by-one', failOn: 'pending', code: 0 },
    { scenario: 'fee-off-by-one', failOn: 'empty', code: 0 },
    { scenario: 'fee-off-by-one', failOn: 'none', code: 0 },
    { scenario: 'pending', failOn: 'pending', code: 1 },
    { scenario: 'pending', failOn: 'out-of-balance', code: 0 },
    { scenario: 'pending', failOn: 'pending,empty', code: 1 },
    { scenario: 'month', failOn: 'pending', code: 1 },
    { scenario: 'month', failOn: 'pending,out-of-balance', code: 1 },
    { scenario: 'month', failOn: 'none', code: 0 },
    { scenario: 'empty', failOn: 'empty', code: 1 },
    { scenario: 'empty', failOn: 'out-of-balance,pending', code: 0 },
    { scenario: 'balanced', failOn: 'out-of-balance,pending,empty', code: 0 },
    { scenario: 'shared-transaction', failOn: 'out-of-balance', code: 1 },
    { scenario: 'shared-transaction', failOn: 'none', code: 0 },
    { scenario: 'malformed', failOn: 'none', code: 4 },
    { scenario: 'malformed', failOn: 'out-of-balance', code: 4 },
  ])('is $code for $scenario with --fail-on $failOn', async ({ scenario, failOn, code }) => {
    expect((await sandbox(scenario, '--fail-on', failOn)).exitCode).toBe(code);
  });

  it('depends on --fail-on as a list or repeated', async () => {
    const flags = ['--fail-on', 'empty', '--fail-on', 'pending'];
    expect((await sandbox('pending', ...flags)).exitCode).toBe(1);
    expect((await sandbox('empty', ...flags)).exitCode).toBe(1);
    expect((await sandbox('offsetting', ...flags)).exitCode).toBe(0);
  });

  it('does not depend on what is shown, nor on the format', async () => {
    for (const flags of [
      ['--only', 'balanced'],
      ['--by', 'group'],
      ['--format', 'json'],
      ['--format', 'ndjson'],
      ['--format', 'table'],
      ['--quiet'],
    ]) {
      expect((await sandbox('offsetting', ...flags)).exitCode).toBe(1);
    }
  });

  it('is 1 if differences cancel out in their group', async () => {
    const { exitCode, stdout } = await sandbox('offsetting', '--format', 'json');
    const [group] = readReport(stdout).groups;
    expect([exitCode, group?.outOfBalance?.net.minor]).toEqual([1, '0']);
    expect(group?.outOfBalance?.absolute.minor).toBe('1000');
  });

  it.each([['--version'], ['--help'], ['settlements', '--help'], ['sandbox', '--help'], []])(
    'is 0 for help and version, on standard output: %s',
    async (...args) => {
      const { exitCode, stdout, stderr } = await runRecon(args);
      expect([exitCode, stderr]).toEqual([0, '']);
      expect(stdout).not.toBe('');
    },
  );

  it('is in the help with its meaning', async () => {
    const { stdout } = await runRecon(['help', 'exit-codes']);
    for (const code of ['0', '1', '2', '3', '4', '5', '129, 130, 143']) {
      expect(stdout).toMatch(new RegExp(`^  ${code} +\\w`, 'm'));
    }
  });
});
