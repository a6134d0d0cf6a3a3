import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exampleMappings } from '../../../src/books/example-mapping.ts';
import { keepBooks, settlement } from '../../cli/book-keeping.ts';
import { readRecords } from '../../cli/read-report.ts';
import { march, type Service, scenarioOf, startService } from '../../cli/service.ts';
import { settlementOn } from '../../cli/shop.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { runRecon } from '../../support/run-recon.ts';

type Listed = Parameters<typeof scenarioOf>[0][number];

/** A row in minor units of its currency; a row with a label that occurs before is the same row again. */
interface Written {
  readonly currency: string;
  readonly amount: number;
  readonly fees?: number;
  readonly tax?: number;
  readonly scale?: number;
  readonly type?: string;
  readonly paymentType?: string;
  readonly label?: string;
  /** Whether it is the second mention of a row. */
  readonly again?: boolean;
}

interface Paid {
  readonly day: number;
  readonly account: 'Web' | 'Stores' | 'Japan' | 'unnamed';
  readonly currency: string;
  readonly rows: readonly Written[];
  readonly pending?: boolean;
  /** What the header has too much, in gross and pay-in. */
  readonly off?: number;
}

const tokens = {
  Web: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601',
  Stores: '9a41c0de-58b2-4f6e-8d17-c3b5e2a70942',
  Japan: 'c27e9b14-08d3-4f6a-8e52-94b1f7603d03',
  unnamed: '5e0f7a11-1111-4b8a-9c35-1e7d20a4b699',
};

const names = JSON.stringify({
  [tokens.Web]: 'Web shop',
  [tokens.Stores]: 'Stores',
  [tokens.Japan]: 'Japan, Tokyo',
});

const shown = { Web: 'Web shop', Stores: 'Stores', Japan: 'Japan, Tokyo', unnamed: tokens.unnamed };

const scales: Readonly<Record<string, number>> = { EUR: 2, USD: 2, GBP: 2, JPY: 0, KWD: 3 };
const scaleOf = (currency: string) => scales[currency] ?? 2;

const eur = (amount: number, more: Partial<Written> = {}): Written => ({
  currency: 'EUR',
  amount,
  fees: 25,
  tax: 5,
  ...more,
});
const usd = (amount: number, more: Partial<Written> = {}): Written => ({
  currency: 'USD',
  amount,
  fees: 31,
  tax: 7,
  ...more,
});
const jpy = (amount: number): Written => ({ currency: 'JPY', amount, fees: 12, tax: 1 });
const kwd = (amount: number): Written => ({ currency: 'KWD', amount, fees: 101, tax: 11 });

/** A month with rows in other currencies wherever they can be. */
const month: readonly Paid[] = [
  { day: 2, account: 'Web', currency: 'EUR', rows: [eur(1000), usd(12900), eur(5000)] },
  // Two other currencies, one of them with three decimals and one with none.
  { day: 3, account: 'Web', currency: 'EUR', rows: [eur(2500), kwd(1234567), jpy(98765)] },
  // A refund makes them less, and one has fees alone.
  {
    day: 4,
    account: 'Web',
    currency: 'EUR',
    rows: [eur(3000), usd(-2500, { type: 'refund', fees: 0, tax: 0 }), usd(0)],
  },
  // An account with settlements of two currencies: the other one's rows are in both.
  { day: 4, account: 'Web', currency: 'USD', rows: [usd(100000), eur(4321), eur(99)] },
  // The same row is listed twice, and counts once.
  {
    day: 5,
    account: 'Stores',
    currency: 'EUR',
    rows: [eur(700), usd(1999, { label: 'twice' }), usd(1999, { label: 'twice', again: true })],
  },
  // Other decimal places than its currency has: 50.000 and 0.5 USD.
  {
    day: 6,
    account: 'Stores',
    currency: 'EUR',
    rows: [eur(800), usd(50000, { scale: 3, fees: 1250, tax: 250 })],
  },
  // No row in its own currency.
  { day: 9, account: 'unnamed', currency: 'EUR', rows: [usd(4000), usd(6000)] },
  // A settlement in yen, and a difference beside the row.
  { day: 10, account: 'Japan', currency: 'JPY', rows: [jpy(5000), eur(123456)], off: 77 },
  // The other direction of the day's settlement of the same account.
  { day: 10, account: 'Japan', currency: 'EUR', rows: [eur(8800), jpy(1234567)] },
  // Nothing is left out here.
  { day: 11, account: 'Stores', currency: 'GBP', rows: [{ currency: 'GBP', amount: 4242 }] },
  { day: 12, account: 'Web', currency: 'EUR', rows: [eur(999), usd(55500)], pending: true },
];

/** Nothing in another currency. */
const plain: readonly Paid[] = month.map((one) => ({
  ...one,
  rows: one.rows.filter(({ currency }) => currency === one.currency),
}));

function listed({ day, account, currency, rows, pending, off = 0 }: Paid, index: number): Listed {
  const scale = scaleOf(currency);
  const own = rows.filter((row) => row.currency === currency && !row.again);
  const total = (of: (row: Written) => number) => own.reduce((sum, row) => sum + of(row), 0);
  const gross = total(({ amount }) => amount) + off;
  const fees = total((row) => row.fees ?? 0);
  const tax = total((row) => row.tax ?? 0);
  return {
    account,
    date: `2026-03-${String(day).padStart(2, '0')}`,
    ...(pending && { status: 'pending_settlement' }),
    header: {
      settlementId: settlementOn(index + 1, 'left'),
      currencyCode: currency,
      decimalPlaces: scale,
      amountGross: gross,
      fees,
      tax,
      amountPayIn: gross - fees - tax,
      totalTransactions: rows.filter(({ again }) => !again).length,
    },
    rows: rows.map((row) => [
      row.type ?? 'purchase',
      row.amount,
      row.fees ?? 0,
      row.tax ?? 0,
      {
        currencyCode: row.currency,
        decimalPlaces: String(row.scale ?? scaleOf(row.currency)),
        ...(row.paymentType !== undefined && { paymentType: row.paymentType }),
        ...(row.label !== undefined && { label: row.label }),
      },
    ]),
  };
}

async function serviceOf(paid: readonly Paid[]): Promise<Service> {
  const accounts = Object.fromEntries(
    Object.entries(tokens).map(([name, accountingToken]) => [name, { accountingToken }]),
  );
  return startService(scenarioOf(paid.map(listed), { accounts }));
}

/** Sums by what they belong to, with six decimals; zeros are left out. */
class Sums {
  readonly #sums = new Map<string, bigint>();

  add(key: string, micros: bigint): void {
    this.#sums.set(key, (this.#sums.get(key) ?? 0n) + micros);
  }

  get all(): Readonly<Record<string, bigint>> {
    const entries = [...this.#sums].filter(([, sum]) => sum !== 0n);
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

const measures = ['gross', 'fees', 'tax'] as const;

function minor(value: number, scale: number): bigint {
  return BigInt(value) * 10n ** BigInt(6 - scale);
}

/** A decimal text, grouped or not. */
function micros(text: string): bigint {
  const found = /^([+-]?)([\d,]+)(?:\.(\d+))?$/.exec(text.trim());
  if (!found) throw new Error(`not an amount: ${text}`);
  const [, sign, whole = '', part = ''] = found;
  const value = BigInt(whole.replaceAll(',', '') + part.padEnd(6, '0'));
  return sign === '-' ? -value : value;
}

/** All rows of settlements that are paid, by account, currency and measure. */
function allRows(paid: readonly Paid[]): Sums {
  const sums = new Sums();
  for (const { account, rows, pending } of paid) {
    if (pending) continue;
    for (const row of rows.filter(({ again }) => !again)) {
      const scale = row.scale ?? scaleOf(row.currency);
      const figures = { gross: row.amount, fees: row.fees ?? 0, tax: row.tax ?? 0 };
      for (const measure of measures) {
        sums.add(`${shown[account]} ${row.currency} ${measure}`, minor(figures[measure], scale));
      }
    }
  }
  return sums;
}

interface LeftOut {
  readonly account: string;
  readonly currency: string;
  readonly rows: number;
  readonly figures: Readonly<Record<(typeof measures)[number], bigint>>;
}

/** What a text says is not booked, whatever form its amounts have. */
function leftOut(text: string): readonly LeftOut[] {
  // The control line says it too, and in short.
  const apart = text.replace(/^.*Control: .*$/gm, '');
  const lines = linesOf(apart, 'Not booked:').filter(
    (line) => !line.includes('pending settlement'),
  );
  return lines.map((line) => {
    const found =
      /^(.+), ([\d,]+) transactions? .*?gross (.+?),? fees (.+?),? (?:and )?tax (.+?)\.?$/.exec(
        line,
      );
    if (!found) throw new Error(`not understood: ${line}`);
    const [, account = '', rows = '', ...amounts] = found;
    const currencies = new Set(line.match(/\b(EUR|USD|GBP|JPY|KWD)\b/g));
    expect([...currencies], line).toHaveLength(1);
    const [gross = 0n, fees = 0n, tax = 0n] = amounts.map((amount) =>
      micros(amount.replace(/[A-Z]{3}/, '')),
    );
    const [currency = ''] = currencies;
    return {
      account,
      currency,
      rows: Number(rows.replaceAll(',', '')),
      figures: { gross, fees, tax },
    };
  });
}

function linesOf(text: string, start: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.includes(start))
    .map((line) => line.slice(line.indexOf(start) + start.length).trim());
}

/** The books, as far as CSV tells them, and what is named beside them. */
function booksAndLeftOut(csv: string, text: string): Sums {
  const sums = new Sums();
  const names: Readonly<Record<string, string>> = Object.fromEntries(
    Object.entries(tokens).map(([key, token]) => [token, shown[key as keyof typeof shown]]),
  );
  for (const line of readRecords(csv)) {
    const debit = micros(line['debit'] || '0') - micros(line['credit'] || '0');
    const account = `${names[line['accounting_token'] ?? '']} ${line['currency']}`;
    if (line['purpose'] === 'receivable') sums.add(`${account} gross`, -debit);
    if (line['purpose'] === 'fees') sums.add(`${account} fees`, debit);
    if (line['purpose'] === 'tax') sums.add(`${account} tax`, debit);
  }
  for (const { account, currency, figures } of leftOut(text)) {
    for (const measure of measures) sums.add(`${account} ${currency} ${measure}`, figures[measure]);
  }
  return sums;
}

const asked = (args: readonly string[], { env }: Service) =>
  runRecon(['journal', ...march, '--fail-on', 'none', ...args], {
    env: { ...env, RECON_NAMES: names, RECON_BOOKS: books },
  });

const books = JSON.stringify({
  in_transit: 'In transit',
  bank: 'Bank',
  fees: 'Fees',
  tax: 'Tax',
  receivable: 'Receivable',
  suspense: 'Suspense',
  accepted: 'Accepted',
});

/** Books in euros, whose format has one currency. */
const inEuros = async (args: readonly string[], service: Service) => {
  const own = { RECON_NAMES: names, RECON_BOOKS: JSON.stringify(exampleMappings.datev) };
  const env = { ...service.env, ...own };
  return runRecon(['journal', ...march, '--fail-on', 'none', '--for', 'datev', ...args], { env });
};

describe('a row in another currency', () => {
  const ways: readonly (readonly string[])[] = [
    [],
    ['--ignore', 'currency'],
    ['--per', 'day'],
    ['--detail'],
    ['--per', 'day', '--detail'],
    ['--per', 'day', '--ignore', 'currency', '--detail'],
    ['--tolerance', '5'],
  ];

  test.each(ways.map((args) => [args.join(' ') || 'by settlement', args] as const))(
    'is booked to the last minor unit, and the books have all rows (%s)',
    async (_, args) => {
      const service = await serviceOf(month);
      const { exitCode, stdout, stderr } = await asked(['--for', 'csv', ...args], service);
      expect(exitCode).toBe(0);
      expect(leftOut(stderr)).toEqual([]);
      expect(booksAndLeftOut(stdout, '').all).toEqual(allRows(month).all);
    },
  );

  test('is left out of books in one currency, with a line per account and currency', async () => {
    // DATEV has two decimals.
    const service = await serviceOf(month);
    const { exitCode, stderr } = await inEuros([], service);
    expect(exitCode).toBe(1);
    const counted = leftOut(stderr).map(
      ({ account, currency, rows }) => `${account} ${currency} ${rows}`,
    );
    expect([...counted].sort()).toEqual(
      [
        'Web shop USD 3',
        'Web shop KWD 1',
        'Web shop JPY 1',
        'Stores USD 2',
        `${tokens.unnamed} USD 2`,
        'Japan, Tokyo JPY 1',
      ].sort(),
    );
  });

  test.each(['hledger', 'ledger', 'beancount'] as const)(
    'is named in the head of a %s journal as on standard error, also in a file',
    async (format) => {
      const service = await serviceOf(month);
      const own = { env: { ...service.env, RECON_NAMES: names } };
      const mapping = await runRecon(['journal', '--init', '--for', format]);
      const folder = await temporaryFolder();
      const config = join(folder, 'accounts.toml');
      await writeFile(config, mapping.stdout, { mode: 0o600 });
      const output = join(folder, 'books.journal');
      const args = ['journal', ...march, '--fail-on', 'none', '--for', format, '--config', config];
      const printed = await runRecon(args, own);
      expect(printed.exitCode).toBe(0);
      const written = await runRecon([...args, '--output', output], own);
      expect(written.exitCode).toBe(0);
      const file = await readFile(output, 'utf8');
      const start = 'Booked in another currency than the settlement, without a rate:';
      const expected = linesOf(printed.stderr, start);
      expect(expected).toHaveLength(1);
      expect(expected[0]).toMatch(/^13 transactions, .* EUR, .* JPY, .* KWD and .* USD\./);
      for (const text of [printed.stdout, file, written.stderr]) {
        expect(linesOf(text, start)).toEqual(expected);
        expect(leftOut(text)).toEqual([]);
      }
      // Before the first entry, where it is read.
      expect(file.lastIndexOf(start)).toBeLessThan(file.search(/^2026-03-/m));
    },
  );

  test('never agrees if it is left out, and the control line names it', async () => {
    const some = await inEuros([], await serviceOf(month));
    for (const line of linesOf(some.stderr, 'Control:')) {
      // The pounds of the stores are whole, and the rows in euros are booked.
      const isWhole = /difference [^ ]+ (GBP|USD|JPY)/.test(line);
      expect(line).toMatch(isWhole ? /agree/ : /Not booked: \d+ transactions?, /);
    }
    const none = await asked(['--for', 'csv'], await serviceOf(plain));
    expect(none.stderr).toContain('Journal and report agree');
    expect(leftOut(none.stderr)).toEqual([]);
    // Control: without such rows the books are all rows.
    expect(booksAndLeftOut(none.stdout, none.stderr).all).toEqual(allRows(plain).all);
  });

  test('does not agree if the check of currencies is ignored', async () => {
    const one: readonly Paid[] = [
      { day: 2, account: 'Web', currency: 'EUR', rows: [eur(1000), usd(12900)] },
    ];
    const { stderr } = await inEuros(['--ignore', 'currency'], await serviceOf(one));
    expect(leftOut(stderr)).toMatchObject([{ account: 'Web shop', currency: 'USD', rows: 1 }]);
    expect(stderr).not.toMatch(/agree/);
  });

  test('is named even if such rows come to zero: 5.00 and -5.00', async () => {
    const one: readonly Paid[] = [
      {
        day: 2,
        account: 'Web',
        currency: 'EUR',
        rows: [eur(1000), usd(500, { fees: 0, tax: 0 }), usd(-500, { fees: 0, tax: 0 })],
      },
    ];
    const { stderr } = await inEuros([], await serviceOf(one));
    expect(leftOut(stderr)).toMatchObject([
      { currency: 'USD', rows: 2, figures: { gross: 0n, fees: 0n, tax: 0n } },
    ]);
    expect(stderr).not.toMatch(/agree/);
  });

  test('is booked also for pending settlements if they are booked', async () => {
    const service = await serviceOf(month);
    const { stdout, stderr } = await asked(['--for', 'csv', '--include-pending'], service);
    const booked = month.map((one) => ({ ...one, pending: false }));
    expect(booksAndLeftOut(stdout, stderr).all).toEqual(allRows(booked).all);
  });

  test('is treated the same in an export', async () => {
    const service = await serviceOf(month);
    const folder = await temporaryFolder();
    const out = join(folder, 'days');
    const env = { ...service.env, RECON_NAMES: names };
    expect((await runRecon(['export', ...march, '--out', out], { env })).exitCode).toBe(1);
    const { stdout, stderr } = await runRecon(
      ['journal', ...march, '--fail-on', 'none', '--for', 'csv', '--from-export', out],
      { env: { RECON_NAMES: names, RECON_BOOKS: books } },
    );
    expect(booksAndLeftOut(stdout, stderr).all).toEqual(allRows(month).all);
  });

  test('is named only by the batch that books its settlement', async () => {
    const rows = (extra: readonly Written[]) =>
      listed({ day: 2, account: 'Web', currency: 'EUR', rows: [eur(1000), ...extra] }, 0);
    const { account: _, ...withRow } = rows([usd(12900)]);
    const kept = await keepBooks('datev', [withRow]);
    const first = await kept.book();
    expect(first.exitCode).toBe(1);
    const expected = [{ currency: 'USD', rows: 1, figures: { gross: 129_000_000n } }];
    expect(leftOut(first.stderr)).toMatchObject(expected);
    expect(first.stderr).not.toMatch(/agree/);
    expect(kept.text(1)).toContain('"Not booked: 1 transaction, 129.00 USD"');

    // The same bytes again.
    const again = await kept.run('journal', '--booked', kept.register, '--batch', '1');
    expect(again.stdout).toBe(kept.text(1));

    // It was told once, and is not missing.
    const none = await kept.book();
    expect(none.exitCode).toBe(0);
    expect(none.stderr).toContain('Nothing new to book.');
    expect(none.stderr).not.toMatch(/missing|no longer listed/i);

    // Another settlement, with another row; the first is booked already.
    const { account: __, ...other } = listed(
      { day: 3, account: 'Web', currency: 'EUR', rows: [eur(1000), usd(4400)] },
      1,
    );
    await kept.becomes([withRow, other, settlement(9)]);
    const second = await kept.book();
    expect(second.exitCode).toBe(1);
    expect(leftOut(second.stderr)).toMatchObject([{ figures: { gross: 173_000_000n } }]);
    expect(kept.text(2)).toContain('"Not booked: 1 transaction, 44.00 USD"');
    expect(kept.text(2)).not.toContain('129.00');
  });

  test('is booked by a batch, once', async () => {
    const { account: _, ...withRow } = listed(
      { day: 2, account: 'Web', currency: 'EUR', rows: [eur(1000), usd(12900)] },
      0,
    );
    const kept = await keepBooks('hledger', [withRow]);
    expect((await kept.book()).stderr).toContain('Batch 1: 2 entries.');
    expect((await kept.book()).stderr).toContain('Nothing new to book.');
  });
});

describe('the totals of rows', () => {
  const rowsOfOwnCurrency = (paid: readonly Paid[]): Readonly<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const { currency, rows, pending } of paid) {
      const own = rows.filter((row) => row.currency === currency && !row.again);
      if (!pending && own.length > 0) counts[currency] = (counts[currency] ?? 0) + own.length;
    }
    return counts;
  };

  const counts = (lines: readonly Readonly<Record<string, string>>[]) => {
    const found: Record<string, number> = {};
    for (const line of lines) {
      const currency = line['currency'] ?? '';
      found[currency] = (found[currency] ?? 0) + Number(line['transactions_computed']);
    }
    return Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0));
  };

  const varied: readonly Paid[] = month.map((one, index) => ({
    ...one,
    rows: one.rows.map((row, place) => ({
      ...row,
      type: (place + index) % 3 === 1 ? 'fee' : (row.type ?? 'purchase'),
      paymentType: ['card', 'wallet', 'invoice'][(place + 2 * index) % 3] ?? 'card',
    })),
  }));

  test.each(['type', 'payment', 'type,payment', 'month,type', 'day,payment', 'account,type'])(
    'by %s count every row in the currency of its settlement, and no other',
    async (by) => {
      const service = await serviceOf(varied);
      const args = ['settlements', ...march, '--by', by, '--fail-on', 'none'];
      const { stdout } = await runRecon([...args, '--format', 'csv'], { env: service.env });
      expect(counts(readRecords(stdout))).toEqual(rowsOfOwnCurrency(varied));
      const json = await runRecon([...args, '--json'], { env: service.env });
      const { groups } = JSON.parse(json.stdout) as {
        readonly groups: readonly {
          readonly currency: string;
          readonly computed: { readonly transactions: number };
        }[];
      };
      const lines = groups.map(({ currency, computed }) => ({
        currency,
        transactions_computed: String(computed.transactions),
      }));
      expect(counts(lines)).toEqual(rowsOfOwnCurrency(varied));
    },
  );

  test.each(['month', 'type'])('by %s of the sandbox have 1,547 purchases in euros', async (by) => {
    const args = ['settlements', '--sandbox', '--by', `${by},type`.replace('type,type', 'type')];
    const { stdout } = await runRecon([...args, '--format', 'csv']);
    const purchases = readRecords(stdout).filter(
      (line) => line['currency'] === 'EUR' && line['transaction_type'] === 'purchase',
    );
    const total = purchases.reduce((sum, line) => sum + Number(line['transactions_computed']), 0);
    expect(total).toBe(1547);
  });

  test('count rows in the same way on the screen', async () => {
    const one: readonly Paid[] = [
      { day: 2, account: 'Web', currency: 'EUR', rows: [eur(1000), usd(12900), eur(100)] },
      { day: 3, account: 'Web', currency: 'USD', rows: [usd(1000), eur(12900)] },
    ];
    const service = await serviceOf(one);
    const { stdout } = await runRecon(
      ['settlements', ...march, '--by', 'type', '--format', 'table', '--fail-on', 'none'],
      { env: service.env },
    );
    expect(stdout).toMatch(/purchase +EUR +2 +11\.00/);
    expect(stdout).toMatch(/purchase +USD +1 +10\.00/);
  });
});
