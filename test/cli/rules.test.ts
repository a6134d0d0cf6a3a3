import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { type RunOptions, runRecon } from '../support/run-recon.ts';
import { readLines, readRecords, readReport } from './read-report.ts';
import { purchases, scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const scenario = ['--sandbox', '--scenario', 'declined-rows'];
const screen: RunOptions = { columns: 400, env: { NO_COLOR: '1' } };
const first = '96991c17-9ee8-5b45-b558-3b2078f28053';
const threeDeclined =
  'transactions in state "declined" are not counted (3 transactions, computed gross -57.00, net pay-out -57.00 EUR)';

/** A configuration file with these lines in it. */
async function configured(...lines: readonly string[]): Promise<readonly string[]> {
  const path = join(await temporaryFolder(), 'config.toml');
  await writeFile(path, ['[profiles.NAME]', ...lines].join('\n'), { mode: 0o600 });
  return ['--config', path];
}

const declined = ['[profiles.NAME.rules]', 'not_counted = [{ state = "declined" }]'];

describe('a cause that returns again and again', () => {
  it('is proposed as a rule, whose lines make the settlements balance', async () => {
    const before = await runRecon(['settlements', ...scenario], screen);
    expect(before.exitCode).toBe(1);
    const [, proposal = ''] = /\nProposed rules\n([\s\S]*?)\n\n/.exec(before.stdout) ?? [];
    expect(proposal).toContain(
      'If transactions in state "declined" are not counted, 4 more settlements balance. Of 5 settlements tested, none contradicts this.',
    );
    const [, lines = ''] = proposal.split('Add to the configuration file:\n');
    const after = await runRecon(
      ['settlements', ...scenario, ...(await configured(lines))],
      screen,
    );
    expect([after.exitCode, after.stdout.split('\n')[0]]).toEqual([0, 'BALANCED']);
    expect(after.stdout).toMatch(/^Rules +transactions in state "declined" are not counted$/m);
    expect(after.stdout).toMatch(
      /^Web shop +EUR +Transactions in state "declined" are not counted +3 +6 +-92\.50 .* -92\.50$/m,
    );
    expect(after.stdout).toMatch(/^Japan +JPY +Transactions in state .* +1 +2 +-2,000 .* -2,000$/m);
    expect(after.stdout).toMatch(/^Everything read +yes: 5 settlements, 15 transactions$/m);
    expect(after.stdout).not.toContain('Proposed');
  });

  it('is proposed on standard error and in JSON', async () => {
    const csv = await runRecon(['settlements', ...scenario]);
    expect(csv.stderr).toContain(
      'Add to the configuration file: [profiles.NAME.rules] not_counted = [{ state = "declined" }]',
    );
    const json = JSON.parse(
      (await runRecon(['settlements', ...scenario, '--format', 'json'])).stdout,
    );
    const rule = { rule: 'not_counted', state: 'declined', count: 'follows' };
    expect(json.proposedRules).toMatchObject([{ rule, settlements: 4 }]);
    const unexplained = await runRecon(['settlements', ...scenario, '--no-explain'], screen);
    expect(unexplained.stdout).not.toContain('Proposed');
  });
});

describe('recon doctor', () => {
  const rulesCheck = async (...args: readonly string[]) => {
    const run = await runRecon(['doctor', '--sandbox', ...args, '--format', 'json']);
    const { checks } = JSON.parse(run.stdout) as { checks: readonly { readonly check: string }[] };
    return checks.find(({ check }) => check === 'rules');
  };

  it('proposes a rule from the rows of a few settlements', async () => {
    expect(await rulesCheck(...scenario.slice(1))).toMatchObject({
      level: 'warning',
      found: 'Sums agree in 1 of 5 settlements; in 4 more with a proposed rule.',
      whatToDo:
        'If transactions in state "declined" are not counted, 4 more settlements balance. Of 5 settlements ' +
        'tested, none contradicts this. Add to the configuration file: [profiles.NAME.rules] ' +
        'not_counted = [{ state = "declined" }]',
    });
  });

  it('accepts the rule, and compares only settlements that it has in full', async () => {
    const config = await configured(...declined);
    expect(await rulesCheck(...scenario.slice(1), ...config)).toMatchObject({
      level: 'ok',
      found:
        'Sums agree in 5 of 5 settlements; rules in use: transactions in state "declined" are not counted.',
    });
    expect(await rulesCheck('--scenario', 'missing-row')).toMatchObject({
      level: 'not_checked',
      found: 'Skipped: no settled settlement with all transactions on one page found.',
    });
  });
});

describe('the effect of a rule is shown', () => {
  it('by settlement and by group, in CSV, JSON and NDJSON', async () => {
    const config = await configured(...declined);
    const run = (...args: string[]) => runRecon(['settlements', ...scenario, ...config, ...args]);
    const { stdout, stderr } = await run();
    expect(readRecords(stdout).map((row) => row['by_rule'])[0]).toBe(threeDeclined);
    expect(stderr).toContain(
      'By rule: transactions in state "declined" are not counted (6 transactions in 3 settlements, computed gross -92.50, net pay-out -92.50 EUR).',
    );
    const groups = readRecords((await run('--by', 'group')).stdout);
    expect(groups.map((row) => row['by_rule'])).toEqual([
      'transactions in state "declined" are not counted (6 transactions in 3 settlements, computed gross -92.50, net pay-out -92.50 EUR)',
      'transactions in state "declined" are not counted (2 transactions in 1 settlement, computed gross -2,000, net pay-out -2,000 JPY)',
    ]);
    const report = readReport((await run('--format', 'json')).stdout);
    const rule = { rule: 'not_counted', state: 'declined', count: 'follows' };
    const change = { transactions: -3, gross: { amount: '-57.00' }, payIn: { minor: '-5700' } };
    expect(report).toMatchObject({
      settings: { rules: { not_counted: [{ state: 'declined', count: 'follows' }] } },
      settlements: [
        { byRule: [{ rule, rows: 3, change, message: threeDeclined }] },
        {},
        {},
        {},
        {},
      ],
      groups: [{ byRule: [{ settlements: 3, rows: 6 }] }, {}],
    });
    const [line] = readLines((await run('--format', 'ndjson')).stdout);
    expect(line).toMatchObject({ byRule: [{ rows: 3 }] });
  });

  it('by explain, and in the case for the provider', async () => {
    const config = await configured(...declined);
    const args = ['explain', first, ...scenario, ...config];
    const { stdout, exitCode } = await runRecon(args, screen);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`By rule\n  - ${threeDeclined}`);
    const { stdout: ticket } = await runRecon([...args, '--format', 'markdown']);
    expect(ticket).toContain('### By our rules');
  });

  it('by config show, with its source', async () => {
    const config = await configured(...declined, 'tax_in_fees = "moved"');
    const { stdout } = await runRecon(['config', 'show', ...config]);
    const rows = readRecords(stdout).filter(({ setting }) => setting?.startsWith('rules'));
    expect(rows.map(({ setting, value }) => [setting, value])).toEqual([
      ['rules.not_counted', '[{ state = "declined" }]'],
      ['rules.tax_in_fees', '"moved"'],
    ]);
    expect(rows[0]?.['source']).toContain('profile NAME in');
  });
});

describe('a rule is exact', () => {
  it('and differs by one minor unit if the amount does', async () => {
    const { settlements, ...rest } = await loadScenario('declined-rows');
    const [one, ...others] = settlements;
    const header = { ...one?.header, amountGross: 15001, amountPayIn: 14551 };
    const service = await startService({
      ...rest,
      settlements: [{ rows: [], ...one, header }, ...others],
    });
    const config = await configured(...declined);
    const { exitCode, stdout } = await service.settlements(config);
    expect(exitCode).toBe(1);
    const off = readRecords(stdout).filter(({ verdict }) => verdict === 'out_of_balance');
    expect(off.map((row) => [row['settlement_id'], row['gross_difference']])).toEqual([
      [first, '0.01'],
    ]);
  });

  it('and shows both counts if the count is wrong', async () => {
    const rows = [...purchases(2), ['purchase', 500, 0, 0, { state: 'declined' }]] as const;
    const off = { amountGross: -500, amountPayIn: -500 };
    const service = await startService(scenarioOf([{ date: '2026-03-04', off, rows }]));
    const config = await configured(...declined);
    const { stdout } = await service.settlements([...config, '--format', 'table']);
    expect(stdout).toContain('transactions: reported 3, computed 2 of 3 listed (difference +1)');
    const stays = await configured(
      declined[0] ?? '',
      'not_counted = [{ state = "declined", count = "stays" }]',
    );
    expect((await service.settlements(stays)).exitCode).toBe(0);
  });

  it('and does not apply to a rounding that the rows do not show, which is named', async () => {
    const rounding = 'rounding = [{ amount = "fees", of = "total", round = "half_up" }]';
    const config = await configured('[profiles.NAME.rules]', rounding);
    const rows = [
      ['purchase', 1000, 25, 5],
      ['purchase', 2000, 99, 5],
    ] as const;
    const service = await startService(scenarioOf([{ date: '2026-03-04', rows }]));
    const { stdout, exitCode } = await service.settlements([...config, '--format', 'table']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'Not applied in 1 settlement whose transactions do not follow a single rate',
    );
    const byType = await service.settlements([...config, '--by', 'type', '--format', 'table']);
    expect(byType.stdout).toMatch(/Rounding\s+rules are not applied/);
  });
});

describe('an export', () => {
  const day = '2026-03-04';
  const exporting = (out: string, ...flags: readonly string[]) =>
    runRecon(['export', '--on', day, '--out', out, ...scenario, ...flags, '--format', 'json']);
  const manifestOf = (out: string) =>
    JSON.parse(readFileSync(join(out, day, 'manifest.json'), 'utf8'));

  it('keeps the rules of a day, is verified by them, and is judged again if they change', async () => {
    const out = join(await temporaryFolder(), 'out');
    const config = await configured(...declined);
    expect((await exporting(out)).exitCode).toBe(1);
    expect(manifestOf(out)).toMatchObject({ verdict: 'out_of_balance', settings: { rules: {} } });
    const again = await exporting(out, ...config, '--rebind');
    expect(again.exitCode).toBe(0);
    expect(JSON.parse(again.stdout).days).toMatchObject([{ state: 'recomputed' }]);
    expect(manifestOf(out)).toMatchObject({
      verdict: 'balanced',
      counts: { transactions: 5 },
      settings: { rules: { not_counted: [{ state: 'declined', count: 'follows' }] } },
    });
    const csv = readFileSync(join(out, day, 'settlements.csv'), 'utf8');
    expect(readRecords(csv).map((row) => row['by_rule'])).toEqual([threeDeclined]);
    const verified = await runRecon(['export', '--verify', '--out', out]);
    expect(verified.exitCode).toBe(0);
    const read = await runRecon(['settlements', '--from-export', out], screen);
    expect(read.exitCode).toBe(0);
    expect(read.stdout).toContain(
      'Rules            transactions in state "declined" are not counted',
    );
    const unchanged = await exporting(out, ...config);
    expect(JSON.parse(unchanged.stdout).days).toMatchObject([{ state: 'unchanged' }]);
  });
});

describe('an invalid rule', () => {
  it.each([
    ['not_counted = [{}]', 'not_counted[0] must name a state, a type or both'],
    [
      'not_counted = [{ type = "a" }, { type = "a", count = "stays" }]',
      'not_counted[1] covers the same transactions as an earlier entry',
    ],
    [
      'signs = [{ amount = "fees_and_tax" }, { amount = "tax" }]',
      'signs[1] changes the sign of the same amounts as an earlier entry',
    ],
    ['signs = [{ type = "" }]', 'signs[0].type must not be empty'],
    [
      'signs = [{ amount = "net" }]',
      'signs[0].amount must be "fees", "tax", "fees_and_tax" or "gross"',
    ],
    ['rounding = [{ amount = "fees", of = "row" }]', 'rounding[0].round must be "half_up" or'],
    ['tax_in_fees = "part"', 'tax_in_fees must be "moved", "also_in_header" or "also_in_rows"'],
  ])('is refused: %s', async (line, message) => {
    const config = await configured('[profiles.NAME.rules]', line);
    const { exitCode, stderr } = await runRecon(['settlements', ...scenario, ...config]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`profiles.NAME.rules.${message}`);
    expect(stderr).toContain(config[1] ?? '');
  });

  it.each([
    ['roundings = []', 'roundings', 'rounding'],
    ['not_counted = [{ status = "x" }]', 'not_counted[0].status', 'state'],
    ['signs = [{ amounts = "fees" }]', 'signs[0].amounts', 'amount'],
  ])('is refused with the right name: %s', async (line, key, right) => {
    const config = await configured('[profiles.NAME.rules]', line);
    const { stderr } = await runRecon(['settlements', ...scenario, ...config]);
    expect(stderr).toContain(`Unknown setting profiles.NAME.rules.${key}.`);
    expect(stderr).toContain(`Did you mean ${right}?`);
  });
});
