import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { exampleMappings } from '../../../src/books/example-mapping.ts';
import { main } from '../../../src/cli/main.ts';
import { startServer } from '../../cli/server.ts';
import { scenarioOf, startService } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { partsOf } from '../../render/xlsx/read-workbook.ts';
import { root } from '../../support/built-program.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { noon, runRecon } from '../../support/run-recon.ts';

type Listed = Parameters<typeof scenarioOf>[0][number];

/** A text that somebody reads, and where it comes from. */
interface Said {
  readonly from: string;
  readonly text: string;
}

const tokens = {
  web: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601',
  japan: 'c27e9b14-08d3-4f6a-8e52-94b1f7603d03',
  kuwait: 'd0a5c1b2-7c1e-4a58-8b6f-2f4e6c9d1004',
};

/** Large amounts in currencies of no, two and three decimal places, wherever a report can name one. */
const large: readonly Listed[] = [
  // Balanced.
  { date: '2026-03-02', rows: [['purchase', 123_456_789, 2_345_678, 469_136]] },
  // Every amount of the header is off.
  {
    date: '2026-03-03',
    off: { amountGross: 1_234_567, fees: 123_456, tax: 112_233, amountPayIn: 998_878 },
    rows: [['purchase', 98_765_432, 1_234_567, 246_913]],
  },
  // A row is missing, and the service says so too.
  {
    date: '2026-03-04',
    status: 'settled_out_of_balance',
    header: {
      ...{ amountGross: 3_000_000, fees: 75_000, tax: 15_000, amountPayIn: 2_910_000 },
      totalTransactions: 2,
    },
    rows: [['purchase', 1_500_000, 37_500, 7_500]],
  },
  // The header contradicts itself, and only the service says that another does not balance.
  { date: '2026-03-05', off: { amountPayIn: -5_432_109 }, rows: [['purchase', 9_000_000, 0, 0]] },
  { date: '2026-03-06', status: 'settled_out_of_balance', rows: [['purchase', 250_000, 0, 0]] },
  // Rows in another currency, and a row that is listed twice.
  {
    date: '2026-03-09',
    header: {
      ...{ amountGross: 1_000_000, fees: 0, tax: 0, amountPayIn: 1_000_000 },
      totalTransactions: 2,
    },
    rows: [
      ['purchase', 1_000_000, 0, 0],
      ['purchase', 12_900_000, 205_000, 41_000, { currencyCode: 'USD' }],
    ],
  },
  {
    date: '2026-03-10',
    header: {
      ...{ amountGross: 1_200_000, fees: 0, tax: 0, amountPayIn: 1_200_000 },
      totalTransactions: 1,
    },
    rows: [
      ['purchase', 1_200_000, 0, 0, { label: 'twice' }],
      ['purchase', 1_200_000, 0, 0, { label: 'twice' }],
    ],
  },
  // Declined purchases are left out.
  {
    date: '2026-03-11',
    off: { amountGross: -3_300_000, amountPayIn: -3_300_000, totalTransactions: -2 },
    rows: [
      ['purchase', 4_000_000, 100_000, 20_000],
      ['purchase', 1_800_000, 0, 0, { state: 'declined' }],
      ['purchase', 1_500_000, 0, 0, { state: 'declined' }],
    ],
  },
  // Opposite differences.
  {
    date: '2026-03-12',
    off: { amountGross: 777_777, amountPayIn: 777_777 },
    rows: [['purchase', 2_000_000, 0, 0]],
  },
  {
    date: '2026-03-13',
    off: { amountGross: -777_777, amountPayIn: -777_777 },
    rows: [['purchase', 2_000_000, 0, 0]],
  },
  // Pending, some for too long.
  { date: '2026-03-03', status: 'pending_settlement', rows: [['purchase', 7_654_321, 0, 0]] },
  { date: '2026-03-30', status: 'validated', rows: [['purchase', 8_654_321, 0, 0]] },
  // Yen and dinars.
  { account: 'Japan', date: '2026-03-04', rows: [['purchase', 2_255_749, 9_999, 999]] },
  {
    account: 'Japan',
    date: '2026-03-05',
    off: { amountGross: 323_136, amountPayIn: 323_136 },
    rows: [['purchase', 646_272, 10_001, 1_001]],
  },
  {
    account: 'Japan',
    date: '2026-03-06',
    status: 'pending_settlement',
    rows: [['purchase', 326_175, 0, 0]],
  },
  {
    account: 'Kuwait',
    date: '2026-03-05',
    off: { amountGross: 1_234_567, amountPayIn: 1_234_567 },
    rows: [['purchase', 98_765_432, 1_234_500, 0]],
  },
];

const accounts = {
  Japan: { accountingToken: tokens.japan, currencyCode: 'JPY', decimalPlaces: 0 },
  Kuwait: { accountingToken: tokens.kuwait, currencyCode: 'KWD', decimalPlaces: 3 },
};

const names = JSON.stringify({
  [tokens.web]: 'Web shop',
  [tokens.japan]: 'Japan',
  [tokens.kuwait]: 'Kuwait',
});

/** Everything that people read of a scenario: reports, messages, pages, workbooks, heads of journals. */
async function allSaid(
  label: string,
  env: Readonly<Record<string, string>>,
  base: readonly string[],
): Promise<readonly Said[]> {
  const said: Said[] = [];
  const folder = await temporaryFolder();
  const full = { NO_COLOR: '1', ...env };
  const run = async (args: readonly string[], columns?: number) => {
    const from = `${label}: recon ${args.join(' ').replaceAll(folder, '')}`;
    const options = { env: full, ...(columns !== undefined && { columns }) };
    const { stdout, stderr } = await runRecon([...args], options);
    return { from, stdout, stderr };
  };
  const screen = async (...args: readonly string[]) => {
    const { from, stdout, stderr } = await run(args, 2_000);
    said.push({ from, text: stdout }, { from: `${from} (standard error)`, text: stderr });
  };
  const messages = async (...args: readonly string[]) => {
    const { from, stderr } = await run(args);
    said.push({ from: `${from} (standard error)`, text: stderr });
  };
  const filed = async (suffix: string, ...args: readonly string[]) => {
    const path = join(folder, `report.${suffix}`);
    const { from } = await run([...args, '--output', path]);
    if (!existsSync(path)) return;
    const bytes = await readFile(path);
    const text =
      suffix === 'xlsx'
        ? textsOfWorkbook(bytes)
        : suffix === 'html'
          ? textOfPage(bytes.toString('utf8'))
          : bytes.toString('utf8');
    said.push({ from: `${from} ${suffix}`, text });
  };

  if (base.length > 0) {
    await screen('bank', ...base);
    await filed('html', 'bank', ...base);
    await filed('xlsx', 'bank', ...base);
    await filed('md', 'bank', ...base);
    await screen('settlements', ...base, '--bank');
    return said;
  }
  const month = ['--month', '2026-03'];
  await screen('settlements', ...month);
  await messages('settlements', ...month, '--format', 'csv');
  await filed('html', 'settlements', ...month);
  await filed('xlsx', 'settlements', ...month);
  await screen('explain', ...month);
  await filed('md', 'explain', ...month);
  await screen('settlements', ...month, '--by', 'month,payment');
  for (const format of ['hledger', 'csv'] as const) {
    const books = { RECON_BOOKS: JSON.stringify(exampleMappings[format]) };
    const args = ['journal', ...month, '--for', format, '--fail-on', 'none'];
    const { stdout, stderr } = await runRecon(args, { env: { ...full, ...books } });
    const from = `${label}: recon ${args.join(' ')}`;
    said.push({ from: `${from} (standard error)`, text: stderr });
    // The head of a journal is read by people; what follows is for the books.
    const head = stdout.split('\n').filter((line) => line.startsWith(';'));
    said.push({ from, text: head.join('\n') });
  }
  await screen('export', ...month, '--out', join(folder, 'days'));
  await screen('nightly', '--out', join(folder, 'nights'), '--since', '2026-03-01');
  return said;
}

/** The visible text of a page; cells are far apart. */
function textOfPage(page: string): string {
  return page
    .replace(/<(style|script)\b.*?<\/\1>/gs, '')
    .replace(/<\/?(?:b|i|em|strong|code|a|abbr)\b[^>]*>/g, '')
    .replace(/<span class="mark[^>]*>.*?<\/span>/g, '')
    .replace(/<[^>]*>/g, '   ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** The texts of a workbook; numbers are no texts. */
function textsOfWorkbook(bytes: Uint8Array): string {
  const texts: string[] = [];
  for (const [path, part] of partsOf(bytes)) {
    if (!/^xl\/(sharedStrings|worksheets\/[^/]*)\.xml$/.test(path)) continue;
    for (const [, text = ''] of part.matchAll(/<t\b[^>]*>([^<]*)<\/t>/g)) texts.push(text);
  }
  return texts.join('\n').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

const currencies = 'EUR|JPY|USD|KWD|GBP|CLF';
const number = '[+−-]?\\d+(?:,\\d{3})*(?:\\.\\d+)?';
const before = new RegExp(`(?<![\\w-])(?:${currencies}) ${number}`, 'g');
const after = new RegExp(`(?<![\\w.,:-])${number} (?:${currencies})(?![\\w-])`, 'g');

/** What is typed, not read: an amount in a command is as its flag takes it. */
function withoutCommands(text: string): string {
  return text
    .replace(/--difference\s+\S+/g, '--difference')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID');
}

interface Found {
  readonly from: string;
  readonly found: string;
  readonly line: string;
}

function find(said: readonly Said[], pattern: RegExp): readonly Found[] {
  return said.flatMap(({ from, text }) =>
    withoutCommands(text)
      .split('\n')
      .flatMap((line) =>
        [...line.matchAll(pattern)].map((match) => ({ from, found: match[0], line: line.trim() })),
      ),
  );
}

/** A few of what was found, short enough to read. */
const some = (found: readonly Found[]) =>
  found
    .slice(0, 8)
    .map(({ from, found: text, line }) => `${text} | ${line.slice(0, 120)} | ${from}`);

/** Numbers with decimals, or beside a currency, that have a thousand and no separator. */
const ungrouped = new RegExp(
  [
    '(?<![\\d.,:/\\w-])[+−-]?\\d{4,}\\.\\d{2,}(?![\\d.]|\\w)',
    `(?<![\\w-])(?:${currencies}) [+−-]?\\d{4,}(?![\\d-])`,
    `(?<![\\w.,:-])[+−-]?\\d{4,} (?:${currencies})(?![\\w-])`,
    `(?:reported|computed|gross|fees|tax|pay-in|difference|net|absolute) [+−-]?\\d{4,}(?![\\d-])`,
    '(?<![\\d.,:/\\w-])[+−-]?\\d{4,} (?:net|absolute)',
  ].join('|'),
  'g',
);

/** Codes of the interface, which are no words. */
const codes = [
  ...['settled_out_of_balance', 'pending_settlement', 'reported_by_service', 'out_of_balance'],
  ...['duplicate_transaction', 'conflicting_transaction', 'conflicting_settlement'],
  ...['foreign_settlement', 'shared_transaction', 'unreadable_record', 'unreadable_header'],
  ...['unsteady_read', 'unsteady_headers', 'not_read', 'within_tolerance', 'unusual_scale'],
  ...['unusual_answer', 'unknown_value', 'unknown_status', 'outside_range', 'fee_drift'],
  ...['missing_on_bank', 'unknown_on_bank', 'not_paid_yet', 'paid_twice', 'one_of_several'],
  ...['missing_rows', 'state_left_out', 'row_not_counted', 'only_the_service', 'wrong_count'],
  ...['tax_in_fees', 'scale_slip', 'foreign_currency_rows', 'duplicate_rows', 'missing_day'],
];

/** Codes that stand bare: not in brackets, not in quotes within brackets, not in a command or a setting. */
function bareCodes(said: readonly Said[]): readonly Found[] {
  const pattern = new RegExp(`(?<![\\w-])(?:${codes.join('|')})(?![\\w-])`, 'g');
  return find(
    said.map(({ from, text }) => ({ from, text: proseOf(text) })),
    pattern,
  );
}

/**
 * Without brackets and commands, without lines of a configuration file, and without cells and fields
 * that are a code and nothing else.
 */
function proseOf(text: string): string {
  const isSetting = (line: string) => /^\s*(?:>|- )?\s*(?:\[|\w+ = )/.test(line);
  const isField = (line: string) => /^\w+(?: \| \w+)*$|^- \*\*settlementStatus:/.test(line.trim());
  return text
    .split('\n')
    .filter((line) => !isSetting(line) && !isField(line))
    .join('\n')
    .replace(/\([^()]*\)/g, '')
    .replace(/recon \w+[^\n#]*/g, '')
    .replace(/--[\w-]+ \S+/g, '');
}

const scenarios = [
  'month',
  'balanced',
  'fee-off-by-one',
  'missing-row',
  'duplicate-row',
  'conflicting-row',
  'conflicting-header',
  'shared-transaction',
  'foreign-currency-row',
  'foreign-settlement-row',
  'other-identity',
  'two-causes',
  'declined-rows',
  'pending',
  'overdue',
  'unknown-status',
  'unusual-scale',
  'malformed',
  'outside-range',
] as const;

async function saidOfSandbox(): Promise<readonly Said[]> {
  const all: Said[] = [];
  for (const scenario of scenarios) {
    const base = ['--sandbox', '--scenario', scenario];
    const screen = async (...args: readonly string[]) => {
      const { stdout, stderr } = await runRecon([...args, ...base], {
        env: { NO_COLOR: '1' },
        columns: 2_000,
      });
      all.push({ from: [...args, ...base].join(' '), text: `${stdout}\n${stderr}` });
    };
    await screen('settlements');
    await screen('explain', '--month', '2026-03');
    if (!['month', 'overdue', 'malformed'].includes(scenario)) continue;
    const folder = await temporaryFolder();
    await screen('nightly', '--out', join(folder, 'n'), '--since', '2026-03-01');
  }
  return all;
}

const slow = { timeout: 120_000 };

describe('amounts that people read', () => {
  test('have one form, with grouped thousands and the currency on one side', slow, async () => {
    const service = await startService(scenarioOf(large, { accounts }));
    const said = [
      ...(await allSaid('large', { ...service.env, RECON_NAMES: names }, [])),
      ...(await allSaid('month', {}, ['--sandbox'])),
    ];
    // There is much to look at.
    const [left, right] = [find(said, before), find(said, after)];
    expect(left.length + right.length).toBeGreaterThan(150);
    expect.soft(some(find(said, ungrouped))).toEqual([]);
    const [few, many] = left.length < right.length ? [left, right] : [right, left];
    expect.soft(some(few)).toEqual([]);
    expect(many.length).toBeGreaterThan(150);
    // And no code is a word.
    expect.soft(some(bareCodes(said))).toEqual([]);
  });

  test('have that form in all scenarios, and codes are not used as words', slow, async () => {
    const said = await saidOfSandbox();
    const [left, right] = [find(said, before), find(said, after)];
    const [few] = left.length < right.length ? [left, right] : [right, left];
    expect.soft(some(find(said, ungrouped))).toEqual([]);
    expect.soft(some(few)).toEqual([]);
    expect.soft(some(bareCodes(said))).toEqual([]);
  });

  test('have that form in a notification', async () => {
    const posted: string[] = [];
    const channel = await startServer(({ text }) => {
      posted.push(text);
      return { body: {} };
    });
    const service = await startService(scenarioOf(large, { accounts }));
    const folder = await temporaryFolder();
    await runRecon(['nightly', '--out', join(folder, 'n'), '--since', '2026-03-01'], {
      env: { ...service.env, RECON_NAMES: names, RECON_NOTIFY_URL: `${channel.url}/hook` },
      clock: new FakeClock(noon),
    });
    expect(posted).toHaveLength(1);
    const { text } = JSON.parse(posted[0] ?? '') as { readonly text: string };
    const said = [{ from: 'the notification', text }];
    expect.soft(some(find(said, ungrouped))).toEqual([]);
    const [left, right] = [find(said, before), find(said, after)];
    expect(left.length + right.length).toBeGreaterThan(3);
    expect.soft(Math.min(left.length, right.length)).toBe(0);
    expect.soft(some(bareCodes(said))).toEqual([]);
  });

  test('have no thousands separators in CSV and JSON, which programs read', async () => {
    const service = await startService(scenarioOf(large, { accounts }));
    const args = ['settlements', '--month', '2026-03'];
    const csv = await runRecon([...args, '--format', 'csv'], { env: service.env });
    expect(csv.stdout).toContain(',1234567.89,1234567.89,0.00,');
    const json = await runRecon([...args, '--json'], { env: service.env });
    expect(json.stdout).toContain('"amount": "1234567.89"');
    expect(json.stdout).toContain('"minor": "123456789"');
    const ndjson = await runRecon([...args, '--format', 'ndjson'], { env: service.env });
    expect(ndjson.stdout).toContain('"amount":"1234567.89"');
  });

  test('have no thousands separators in the entries of a journal', async () => {
    const service = await startService(scenarioOf(large, { accounts }));
    const { stdout } = await runRecon(
      ['journal', '--month', '2026-03', '--for', 'hledger', '--fail-on', 'none'],
      { env: { ...service.env, RECON_BOOKS: JSON.stringify(exampleMappings.hledger) } },
    );
    const entries = stdout.split('\n').filter((line) => !line.startsWith(';'));
    expect(entries.join('\n')).toMatch(/-1234567\.89 EUR$/m);
  });

  test('have no thousands separators in a suggested command', async () => {
    const service = await startService(
      scenarioOf([
        { date: '2026-03-05', off: { amountPayIn: -5_432_109 }, rows: [['purchase', 90, 0, 0]] },
      ]),
    );
    const run = (args: readonly string[]) =>
      runRecon(args, { env: { ...service.env, NO_COLOR: '1' }, columns: 2_000 });
    const { stdout } = await run(['explain', '--month', '2026-03']);
    const suggested = /recon accept (\S+).*?--difference (\S+)/.exec(stdout);
    if (suggested) expect(suggested[2]).toBe('-54321.09');
    expect(stdout).toMatch(/54,321\.09/);
  });
});

describe('money on suspense', () => {
  test.each([
    ['credit', 'debit', 500_000, '5,000.00'],
    ['debit', 'credit', -500_000, '5,000.00'],
  ] as const)(
    'is a %s and no %s if reported - computed is %i',
    async (side, other, off, amount) => {
      const service = await startService(
        scenarioOf([
          {
            date: '2026-03-05',
            off: { amountGross: off, amountPayIn: off },
            rows: [['purchase', 2_000_000, 0, 0]],
          },
        ]),
      );
      const args = ['journal', '--month', '2026-03', '--for', 'hledger'];
      const { stdout, stderr } = await runRecon(args, {
        env: { ...service.env, RECON_BOOKS: JSON.stringify(exampleMappings.hledger) },
      });
      // What the books have there.
      expect(stdout).toMatch(new RegExp(`assets:suspense +${off > 0 ? '-' : ''}5000\\.00 EUR`));
      for (const text of [stdout, stderr]) {
        const line = text.split('\n').find((one) => /on suspense:/i.test(one)) ?? '';
        expect(line).toMatch(new RegExp(`\\b${side}\\b`, 'i'));
        expect(line).not.toMatch(new RegExp(`\\b${other}\\b`, 'i'));
        expect(line).toContain(amount);
      }
    },
  );

  test('of the sandbox is a credit of 82.78', async () => {
    const { stderr } = await runRecon(['journal', '--sandbox', '--for', 'csv']);
    const line = stderr.split('\n').find((one) => /on suspense:/i.test(one)) ?? '';
    expect(line).toContain('82.78');
    expect(line).toMatch(/\bcredit\b/i);
    expect(line).not.toContain('+82.78');
  });
});

/** Runs on a terminal of so many rows; without rows, into a pipe. */
async function onScreen(args: readonly string[], rows: number | undefined, columns = 100) {
  class Screen extends Writable {
    readonly isTTY: boolean = rows !== undefined;
    readonly columns: number = rows === undefined ? 0 : columns;
    readonly rows = rows ?? 0;
    readonly chunks: Buffer[] = [];
    getWindowSize(): readonly [number, number] {
      return [this.columns, this.rows];
    }
    override _write(chunk: Buffer, _encoding: string, done: () => void): void {
      this.chunks.push(chunk);
      done();
    }
  }
  const stdout = new Screen();
  // No progress is drawn beside it.
  const stderr = Object.assign(new Screen(), { isTTY: false, columns: 0 });
  const signals = new EventEmitter();
  await main(
    {
      argv: ['node', 'recon', ...args],
      env: { HOME: '/nonexistent', NO_COLOR: '1' },
      ...{ stdout, stderr },
      on: (signal, listener) => signals.on(signal, listener),
      off: (signal, listener) => signals.off(signal, listener),
      pid: process.pid,
      kill: () => true,
    },
    { clock: new FakeClock(noon), random: () => 0.5 },
  );
  const text = Buffer.concat(stdout.chunks).toString('utf8');
  const lines = text.split('\n').map((line) => line.trim());
  return { text, lines: lines.filter((line) => line !== '') };
}

/** The end of a report: its verdict may be followed by the sentence that belongs to it. */
const lastOf = (lines: readonly string[]) => lines.slice(-4).join(' ');

describe('a report on a terminal', () => {
  test.each([
    ['OUT OF BALANCE', ['settlements', '--sandbox']],
    ['NOT RECONCILED', ['bank', '--sandbox']],
    ['OUT OF BALANCE', ['explain', '--sandbox', '--month', '2026-03']],
    ['BALANCED', ['settlements', '--sandbox', '--scenario', 'balanced']],
  ] as const)(
    'that is longer than the screen ends with its verdict %s: %o',
    async (verdict, args) => {
      const { lines } = await onScreen(args, 8);
      expect(lines[0]).toBe(verdict);
      expect(lastOf(lines)).toContain(verdict);
    },
  );

  test.each([
    ['OUT OF BALANCE', ['settlements', '--sandbox']],
    ['BALANCED', ['settlements', '--sandbox', '--scenario', 'balanced']],
  ] as const)('that fits the screen has its verdict %s once: %o', async (verdict, args) => {
    const { lines } = await onScreen(args, 500);
    expect(lines[0]).toBe(verdict);
    expect(lastOf(lines)).not.toContain(verdict);
  });

  test('has its verdict once in a pipe and in a file, however long it is', async () => {
    const args = ['settlements', '--sandbox', '--format', 'table'];
    const { lines } = await onScreen(args, undefined);
    expect(lastOf(lines)).not.toContain('OUT OF BALANCE');
    const output = join(await temporaryFolder(), 'march.txt');
    await onScreen([...args.slice(0, 2), '--output', output], 8);
    const file = (await readFile(output, 'utf8')).trimEnd().split('\n');
    expect(file[0]).toBe('OUT OF BALANCE');
    expect(lastOf(file)).not.toContain('OUT OF BALANCE');
  });
});

test('config init and README name the same next step', async () => {
  const config = join(await temporaryFolder(), 'config.toml');
  const { stdout, stderr, exitCode } = await runRecon(['config', 'init', '--config', config]);
  expect(exitCode).toBe(0);
  const said = `${stdout}\n${stderr}`;
  const step = /^.*?\brecon ((?!config init)[a-z]+(?: show)?)/ms.exec(
    said.replace(config, ''),
  )?.[1];
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const next = /recon config init[^\n]*\n+recon ([a-z]+(?: show)?)/.exec(readme)?.[1];
  expect(next).toBeDefined();
  expect(step).toBe(next);
});
