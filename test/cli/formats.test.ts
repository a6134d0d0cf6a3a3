import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/sandbox/scenario.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { hostile } from '../render/hostile.ts';
import { parseCsv } from '../render/parse-csv.ts';
import { type RunOptions, type RunResult, runRecon } from '../support/run-recon.ts';
import { readLines, readRecords, readReport } from './read-report.ts';
import { afterToken, startServer } from './server.ts';
import { startService } from './service.ts';

const settlementHeader =
  'settlement_date,settlement_timestamp,settlement_id,accounting_token,accounting_name,' +
  'merchant_id,payment_service,currency,decimal_places,settlement_status,service_says,sums_say,' +
  'verdict,transactions_reported,transactions_computed,transactions_difference,' +
  'gross_reported,gross_computed,gross_difference,fees_reported,fees_computed,fees_difference,' +
  'tax_reported,tax_computed,tax_difference,pay_in_reported,pay_in_computed,pay_in_difference,' +
  'discrepancies,notices,payment_references,payment_end_to_end_ids,explanation,verdict_reason,by_rule';

const groupHeader =
  'accounting_token,accounting_name,currency,decimal_places,settlements_balanced,' +
  'settlements_out_of_balance,settlements_pending,settlements_incomplete,' +
  'gross_reported,gross_computed,gross_difference,gross_difference_absolute,' +
  'fees_reported,fees_computed,fees_difference,fees_difference_absolute,' +
  'tax_reported,tax_computed,tax_difference,tax_difference_absolute,' +
  'pay_in_reported,pay_in_computed,pay_in_difference,pay_in_difference_absolute,' +
  'out_of_balance_net,out_of_balance_absolute,pending_pay_in,mixed_decimal_places,' +
  'settlements_unknown_status,unknown_status_pay_in,by_rule';

/** What runs said, by their words: of one output several questions are asked. */
const said = new Map<string, Promise<RunResult>>();

/** A run over the sandbox; one that was made is not made again. */
function settlements(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const key = JSON.stringify([args, options]);
  const run = said.get(key) ?? runRecon(['settlements', '--sandbox', ...args], options);
  said.set(key, run);
  return run;
}

const sandbox = (scenario: string, ...args: string[]) =>
  settlements(['--scenario', scenario, ...args]);

const amount = (text: string) => ({ amount: text, minor: String(Math.round(Number(text) * 100)) });
const figures = (gross: string, fees: string, tax: string, payIn: string) => ({
  gross: amount(gross),
  fees: amount(fees),
  tax: amount(tax),
  payIn: amount(payIn),
});

describe('csv', () => {
  it('is the format of a pipe, with a row per settlement and these bytes', async () => {
    const { stdout } = await sandbox('fee-off-by-one', '--no-explain');
    const token = '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601';
    expect(stdout).toBe(
      `${settlementHeader}\r\n` +
        `2026-03-04,2026-03-04T04:30:00Z,08e05ba2-b922-594e-a736-ec551db3e3c5,${token},,M-1001,` +
        'cards,EUR,2,settled,balanced,out_of_balance,out_of_balance,3,3,0,300.00,300.00,0.00,' +
        '7.51,7.50,0.01,1.50,1.50,0.00,290.99,291.00,-0.01,fees,,PMT-20260304-01,E2E-20260304-01,,,\r\n',
    );
  });

  it('has its header row if no settlements exist', async () => {
    expect((await sandbox('empty')).stdout).toBe(`${settlementHeader}\r\n`);
    expect((await sandbox('empty', '--by', 'group')).stdout).toBe(`${groupHeader}\r\n`);
  });

  it('has a row per group with --by group, with these bytes', async () => {
    const { stdout } = await sandbox('offsetting', '--by', 'group');
    expect(stdout).toBe(
      `${groupHeader}\r\n` +
        '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601,,EUR,2,0,2,0,0,200.00,200.00,0.00,10.00,' +
        '5.00,5.00,0.00,0.00,1.00,1.00,0.00,0.00,194.00,194.00,0.00,10.00,0.00,10.00,0.00,,0,0.00,\r\n',
    );
  });

  it('has empty cells for what an incomplete settlement lacks, and never a zero', async () => {
    const { stdout } = await sandbox('malformed');
    const incomplete = readRecords(stdout).filter((row) => row['verdict'] === 'incomplete');
    expect(incomplete).toHaveLength(2);
    for (const row of incomplete) {
      for (const [key, value] of Object.entries(row)) {
        if (/_(computed|difference)$/.test(key)) expect([key, value]).toEqual([key, '']);
        if (/_reported$/.test(key)) expect(value).not.toBe('');
      }
    }
  });

  it('writes amounts with the decimal places of the settlement (trap 20)', async () => {
    const rows = readRecords((await sandbox('balanced')).stdout);
    const shown = rows.map((row) => [
      row['currency'],
      row['decimal_places'],
      row['gross_reported'],
    ]);
    expect(shown).toContainEqual(['JPY', '0', '12500']);
    expect(shown).toContainEqual(['KWD', '3', '50.250']);
    expect(shown).toContainEqual(['EUR', '2', '300.00']);
  });

  it('joins several codes and references in one cell', async () => {
    const rows = readRecords((await sandbox('missing-row')).stdout);
    expect(rows.map((row) => row['discrepancies'])).toEqual(['gross | fees | tax | count']);
  });

  it.each([
    { dialect: 'excel', delimiter: ',', decimal: '.' },
    { dialect: 'excel-eu', delimiter: ';', decimal: ',' },
  ])('opens in a spreadsheet with --dialect $dialect', async (expected) => {
    const { stdout } = await sandbox('fee-off-by-one', '--dialect', expected.dialect);
    expect(stdout.startsWith('\ufeffsettlement_date')).toBe(true);
    const [, row = []] = parseCsv(stdout.slice(1), expected.delimiter);
    expect(row).toHaveLength(35);
    expect(row).toContain(`-0${expected.decimal}01`);
    expect(row[0]).toBe('2026-03-04');
  });
});

const feeOffByOne = {
  id: '08e05ba2-b922-594e-a736-ec551db3e3c5',
  date: '2026-03-04',
  accountingToken: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601',
  accountingName: null,
  merchantId: 'M-1001',
  paymentService: 'cards',
  currency: 'EUR',
  decimalPlaces: 2,
  status: 'settled',
  serviceSays: 'balanced',
  sumsSay: 'out_of_balance',
  verdict: 'out_of_balance',
  verdictReason: null,
  complete: true,
  reported: { transactions: 3, ...figures('300.00', '7.51', '1.50', '290.99') },
  computed: { transactions: 3, ...figures('300.00', '7.50', '1.50', '291.00') },
  difference: { transactions: 0, ...figures('0.00', '0.01', '0.00', '-0.01') },
  discrepancies: [
    {
      code: 'fees',
      weight: 'discrepancy',
      message: 'MESSAGE',
      count: 1,
      facts: {
        reported: { ...amount('7.51'), currency: 'EUR' },
        computed: { ...amount('7.50'), currency: 'EUR' },
        difference: { ...amount('0.01'), currency: 'EUR' },
      },
    },
  ],
  notices: [],
  paymentReferences: ['PMT-20260304-01'],
  paymentEndToEndIds: ['E2E-20260304-01'],
  explanation: 'WHY',
  accepted: null,
  byRule: [],
};

const group = {
  accountingToken: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601',
  accountingName: null,
  currency: 'EUR',
  decimalPlaces: 2,
  settlements: { balanced: 0, out_of_balance: 1, pending: 0, incomplete: 0 },
  reported: figures('300.00', '7.51', '1.50', '290.99'),
  computed: figures('300.00', '7.50', '1.50', '291.00'),
  difference: figures('0.00', '0.01', '0.00', '-0.01'),
  differenceAbsolute: figures('0.00', '0.01', '0.00', '0.01'),
  outOfBalance: { net: amount('-0.01'), absolute: amount('0.01') },
  pendingPayIn: amount('0.00'),
  unknownStatus: { settlements: 0, payIn: amount('0.00') },
  overdue: { settlements: 0, payIn: amount('0.00') },
  mixedDecimalPlaces: [],
  accepted: { settlements: 0, net: amount('0.00'), absolute: amount('0.00') },
  byRule: [],
};

const aboutTheRun = {
  range: { from: '2026-03-01', to: '2026-03-31' },
  settings: {
    profile: null,
    identity: 'gross-fees-tax',
    tolerance: '0',
    ignored: [],
    expectedScales: {},
    rules: {},
    filters: {},
  },
  verdict: 'out_of_balance',
  completeness: { complete: true, settlements: 1, transactions: 3, unread: [] },
};

/** Takes the wording out: it may change, unlike keys and their order. */
function withoutWords(text: string): string {
  return text
    .replace(/("message": ?)"(?:[^"\\]|\\.)+"/g, '$1"MESSAGE"')
    .replace(/("explanation": ?)"(?:[^"\\]|\\.)+"/g, '$1"WHY"')
    .replace(/("notes": ?)\[[^\]]+\]/, '$1["NOTES"]');
}

describe('json', () => {
  it('has the keys of the contract in order', async () => {
    const { stdout } = await sandbox('fee-off-by-one', '--format', 'json');
    const expected = {
      schema: 1,
      ...aboutTheRun,
      ignored: [],
      proposedRules: [],
      notes: ['NOTES'],
      patterns: [],
      settlements: [feeOffByOne],
      findings: [],
      groups: [group],
      feeRates: [],
    };
    const shown = withoutWords(stdout);
    expect(JSON.parse(shown)).toEqual(expected);
    expect(JSON.stringify(JSON.parse(shown))).toBe(JSON.stringify(expected));
    expect(stdout).toBe(`${JSON.stringify(JSON.parse(stdout), null, 2)}\n`);
  });

  it('has null for what an incomplete settlement lacks', async () => {
    const report = readReport((await sandbox('malformed', '--format', 'json')).stdout);
    const incomplete = report.settlements.filter(({ verdict }) => verdict === 'incomplete');
    expect(incomplete).toHaveLength(2);
    for (const { computed, difference, complete, discrepancies } of incomplete) {
      expect([computed, difference, complete]).toEqual([null, null, false]);
      expect(discrepancies.map(({ weight }) => weight)).toEqual(['incomplete']);
    }
  });

  it('says how the run was made: range, filters, identity, tolerance, ignored checks', async () => {
    const filters = ['--mid', '1d0f5b3e-7a44-4c19-8e60-2b9f3c8d5a01', '--cid', '7', '--chid', '71'];
    const judged = ['--identity', 'gross-fees', '--tolerance', '5', '--ignore', 'tax,fees'];
    const { stdout } = await sandbox('filters', '--format', 'json', ...filters, ...judged);
    expect(readReport(stdout).settings).toEqual({
      profile: null,
      identity: 'gross-fees',
      tolerance: '5',
      ignored: ['fees', 'tax'],
      expectedScales: {},
      rules: {},
      filters: { mid: '1d0f5b3e-7a44-4c19-8e60-2b9f3c8d5a01', cid: 7, chid: 71 },
    });
  });
});

describe('ndjson', () => {
  it('has a typed line for each settlement, finding and group, and the summary last', async () => {
    const { stdout } = await sandbox('shared-transaction', '--format', 'ndjson');
    expect(readLines(stdout).map(({ type, schema }) => [type, schema])).toEqual([
      ['settlement', 1],
      ['settlement', 1],
      ['finding', 1],
      ['group', 1],
      ['summary', 1],
    ]);
  });

  it('has the same data as json', async () => {
    const { stdout } = await sandbox('fee-off-by-one', '--format', 'ndjson');
    const [settlement, ofGroup, summary] = withoutWords(stdout).trimEnd().split('\n');
    expect(settlement).toBe(JSON.stringify({ type: 'settlement', schema: 1, ...feeOffByOne }));
    expect(ofGroup).toBe(JSON.stringify({ type: 'group', schema: 1, ...group }));
    expect(summary).toBe(
      JSON.stringify({
        type: 'summary',
        schema: 1,
        ...aboutTheRun,
        ignored: [],
        proposedRules: [],
        notes: ['NOTES'],
        patterns: [],
      }),
    );
  });

  it('has its summary if no settlements exist, and no settlements by group', async () => {
    const types = async (scenario: string, ...args: string[]) => {
      const { stdout } = await sandbox(scenario, '--format', 'ndjson', ...args);
      return readLines(stdout).map(({ type }) => type);
    };
    expect(await types('empty')).toEqual(['summary']);
    expect(await types('offsetting', '--by', 'group')).toEqual(['group', 'summary']);
  });
});

describe('the table', () => {
  const atTerminal = (columns: number, ...args: string[]) => settlements(args, { columns });
  const colour = '\u001b[';

  it('is the format of a terminal, and begins with the result', async () => {
    const { stdout } = await atTerminal(120, '--color', 'never');
    const [verdict, answer] = stdout.split('\n');
    expect(verdict).toBe('OUT OF BALANCE');
    expect(answer).toBe(
      '40 settlements: 30 balanced, 6 out of balance, 4 pending. Net pay-out difference: +82.78 EUR net, 92.80 EUR absolute.',
    );
  });

  it.each([60, 80, 120, 200])('fits a terminal of %i columns', async (columns) => {
    const { stdout } = await atTerminal(columns, '--color', 'never');
    const [, , ...rest] = stdout.split('\n');
    // Commands to copy and links are not broken.
    const long = rest.filter((line) => line.length > columns && !line.includes('recon '));
    expect(long).toEqual([]);
  });

  it('is coloured on a terminal only, unless colours are switched off', async () => {
    const small = ['--scenario', 'fee-off-by-one'];
    const coloured = async (flags: readonly string[], options?: RunOptions) =>
      (await settlements([...small, ...flags], options)).stdout.includes(colour);
    const terminal = { columns: 120 };
    expect(await coloured([], terminal)).toBe(true);
    expect(await coloured(['--color', 'never'], terminal)).toBe(false);
    expect(await coloured([], { ...terminal, env: { NO_COLOR: '1' } })).toBe(false);
    expect(await coloured([], { ...terminal, env: { TERM: 'dumb' } })).toBe(false);
    expect(await coloured(['--format', 'table'])).toBe(false);
    expect(await coloured(['--format', 'table', '--color', 'always'])).toBe(true);
  });

  it('is replaced by the format that is asked for', async () => {
    expect((await atTerminal(120, '--format', 'csv')).stdout).toContain('\r\n');
    expect((await atTerminal(120, '--format', 'json')).stdout).not.toContain(colour);
  });

  it('names the settlements that are off, and leaves out those that are not', async () => {
    const { stdout } = await atTerminal(160, '--color', 'never');
    const report = readReport((await sandbox('month', '--format', 'json')).stdout);
    const notes = stdout.indexOf('\nNotes\n');
    for (const { verdict, id, notices } of report.settlements) {
      if (verdict === 'out_of_balance') expect(stdout).toContain(id);
      if (verdict !== 'balanced') continue;
      expect(stdout.slice(0, notes)).not.toContain(id);
      expect(stdout.includes(id)).toBe(notices.length > 0);
    }
  });

  it('shows only totals with --by group', async () => {
    const { stdout } = await atTerminal(160, '--color', 'never', '--by', 'group');
    expect(stdout).toContain('Web shop');
    expect(stdout).not.toContain('2026-03-04 ');
  });
});

describe('every format', () => {
  const formats = ['csv', 'json', 'ndjson', 'table'];

  it.each([
    'month',
    'conflicting-row',
    'conflicting-header',
    'duplicate-row',
    'shared-transaction',
    'foreign-currency-row',
    'other-scale',
    'malformed',
  ])('does not depend on the order of listing: %s', async (scenario) => {
    const usual = await startService(scenario);
    const reversed = await startService(backwards(await loadScenario(scenario)));
    const one = await usual.settlements(['--format', 'json']);
    const other = await reversed.settlements(['--format', 'json']);
    expect(other.stdout).toBe(one.stdout);
  });

  it('lists settlements by date, then id', async () => {
    const rows = readRecords((await sandbox('month')).stdout);
    const places = rows.map((row) => `${row['settlement_date']} ${row['settlement_id']}`);
    expect(places).toHaveLength(40);
    expect(places).toEqual([...places].sort());
    const report = readReport((await sandbox('month', '--format', 'json')).stdout);
    expect(report.settlements.map((one) => `${one.date} ${one.id}`)).toEqual(places);
    const lines = readLines((await sandbox('month', '--format', 'ndjson')).stdout)
      .filter(({ type }) => type === 'settlement')
      .map(({ date, id }) => `${date} ${id}`);
    expect(lines).toEqual(places);
  });

  it.each(formats)('shows some verdicts with --only, and the totals of all: %s', async (format) => {
    const all = await sandbox('month', '--format', format);
    const some = await sandbox('month', '--format', format, '--only', 'pending');
    expect(some.exitCode).toBe(all.exitCode);
    if (format === 'csv') {
      expect(readRecords(some.stdout).map((row) => row['verdict'])).toEqual(
        Array.from({ length: 4 }, () => 'pending'),
      );
    }
    if (format === 'json') {
      const [whole, part] = [readReport(all.stdout), readReport(some.stdout)];
      expect(part.settlements.map(({ verdict }) => verdict)).toEqual(
        Array.from({ length: 4 }, () => 'pending'),
      );
      expect(part.groups).toEqual(whole.groups);
      expect(part.completeness).toEqual(whole.completeness);
    }
    if (format === 'ndjson') {
      expect(readLines(some.stdout).filter(({ type }) => type === 'settlement')).toHaveLength(4);
      const summary = { ...readLines(all.stdout).at(-1), notes: expect.any(Array) };
      expect(readLines(some.stdout).at(-1)).toEqual(summary);
    }
  });

  it.each(formats)('is inert whatever the service sends: %s (trap 33)', async (format) => {
    const { stdout, stderr } = await sandbox('hostile-text', '--format', format);
    const isCsv = format === 'csv';
    // Line breaks inside of quotes are data in a CSV.
    const active = isCsv
      ? /(?![\r\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
      : /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
    expect(stdout).not.toMatch(active);
    expect(stderr).not.toMatch(/(?![\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(stdout).not.toBe('');
  });

  it('has only its own colours on a terminal (trap 33)', async () => {
    const { stdout } = await runRecon(
      ['settlements', '--sandbox', '--scenario', 'hostile-text', '--only', 'balanced'],
      { columns: 160 },
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of colours
    const uncoloured = stdout.replace(/\u001b\[\d+m/g, '');
    expect(uncoloured).not.toMatch(/(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  it('runs no formula in a spreadsheet, and keeps amounts as numbers (trap 33)', async () => {
    const rows = readRecords((await sandbox('hostile-text')).stdout);
    for (const row of rows) {
      for (const value of Object.values(row)) {
        if (!/^-?\d+(\.\d+)?$/.test(value)) expect(value).not.toMatch(/^[\s]*[=+\-@]/);
      }
    }
    const refunds = readRecords((await sandbox('refund')).stdout);
    expect(refunds.map((row) => row['gross_reported'])).toContain('-20.00');
  });

  it.each(hostile)('keeps the message of a failure inert: %j', async (text) => {
    const status = { code: '1010', response: 'Fail', message: text };
    const server = await startServer(afterToken(() => ({ body: { status } })));
    for (const flags of [[], ['--format', 'json'], ['--verbose']]) {
      const words = ['settlements', '--month', '2026-03', ...flags];
      const { stderr, exitCode } = await runRecon(words, { env: server.env });
      expect(exitCode).toBe(4);
      expect(stderr).not.toMatch(/(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }
  });
});

/** The same data, listed the other way round. */
function backwards(scenario: Scenario): Scenario {
  return {
    ...scenario,
    settlements: [...scenario.settlements]
      .reverse()
      .map((settlement) => ({ ...settlement, rows: [...settlement.rows].reverse() })),
  };
}
