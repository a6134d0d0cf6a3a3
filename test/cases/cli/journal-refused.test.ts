import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exampleMappings, type JournalFormat } from '../../../src/books/example-mapping.ts';
import { purchases, type Service, scenarioOf, startService } from '../../cli/service.ts';
import { settlementOn } from '../../cli/shop.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { closedPipe, type RunResult, runRecon } from '../../support/run-recon.ts';

type Listed = Parameters<typeof scenarioOf>[0][number];

const formats: readonly JournalFormat[] = ['hledger', 'ledger', 'beancount', 'datev', 'csv'];

/** Some days with a settlement each, all of which can be written, and then a last one. */
function monthWith(last: Partial<Listed> = {}): readonly Listed[] {
  const day = (index: number) => `2026-03-${String(index + 1).padStart(2, '0')}`;
  return [
    ...Array.from({ length: 6 }, (_, index) => ({
      date: day(index),
      header: { settlementId: settlementOn(index + 1) },
      rows: purchases(3),
    })),
    { date: '2026-03-31', header: { settlementId: settlementOn(31) }, rows: purchases(1), ...last },
  ];
}

const march = ['--from', '2026-03-01', '--to', '2026-03-31'];

interface Refusal {
  readonly format: JournalFormat;
  readonly settlements?: readonly Listed[];
  /** What is laid over the example mapping. */
  readonly books?: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  readonly range?: readonly string[];
  /** What the message names. */
  readonly names?: RegExp;
}

const thousandths: Partial<Listed> = {
  header: { settlementId: settlementOn(31), currencyCode: 'KWD', decimalPlaces: 3 },
  rows: [['purchase', 12_345, 251, 51, { currencyCode: 'KWD', decimalPlaces: '3' }]],
};

const datev = (more: Readonly<Record<string, unknown>>) => ({
  datev: { ...exampleMappings.datev.datev, ...more },
});

const twoYears: readonly Listed[] = [
  ...[28, 29, 30, 31].map((day) => ({
    date: `2025-12-${day}`,
    header: { settlementId: settlementOn(day, 'old') },
    rows: purchases(3),
  })),
  { date: '2026-01-01', header: { settlementId: settlementOn(1) }, rows: purchases(1) },
];

const refusals: readonly (readonly [string, Refusal])[] = [
  [
    'an account with more digits than accounts have, used by every entry',
    { format: 'datev', books: { fees: '497000' }, names: /497000/ },
  ],
  [
    'an account with too many digits, used by the last entry alone',
    {
      format: 'datev',
      settlements: monthWith({
        header: { settlementId: settlementOn(31), currencyCode: 'JPY', decimalPlaces: 0 },
        rows: [['purchase', 5000, 100, 10, { currencyCode: 'JPY', decimalPlaces: '0' }]],
      }),
      books: { currency: { JPY: { fees: '1234567' } } },
      names: /1234567/,
    },
  ],
  [
    'an account of ten digits where accounts have eight',
    { format: 'datev', books: { fees: '4970000000', ...datev({ account_length: 8 }) } },
  ],
  [
    'an account that is not a number, used by the last entry alone',
    {
      format: 'datev',
      settlements: monthWith({
        header: { settlementId: settlementOn(31), currencyCode: 'USD' },
        rows: [['purchase', 5000, 100, 10, { currencyCode: 'USD' }]],
      }),
      books: { currency: { USD: { receivable: 'Forderungen' } } },
      names: /Forderungen/,
    },
  ],
  [
    'an amount with three decimals in the last entry',
    { format: 'datev', settlements: monthWith(thousandths) },
  ],
  [
    'an amount with three decimals in the last entry, by day',
    { format: 'datev', settlements: monthWith(thousandths), args: ['--per', 'day'] },
  ],
  [
    'a row with three decimals in the last entry',
    {
      format: 'datev',
      settlements: monthWith({
        header: {
          settlementId: settlementOn(31),
          ...{ amountGross: 1235, fees: 0, tax: 0, amountPayIn: 1235, totalTransactions: 2 },
        },
        rows: [
          ['purchase', 6_174, 0, 0, { decimalPlaces: '3' }],
          ['purchase', 6_176, 0, 0, { decimalPlaces: '3' }],
        ],
      }),
      args: ['--detail'],
    },
  ],
  [
    'days of two years',
    {
      format: 'datev',
      settlements: twoYears,
      range: ['--from', '2025-12-28', '--to', '2026-01-01'],
    },
  ],
  [
    'days of two fiscal years',
    {
      format: 'datev',
      books: datev({ year_start: '03-31' }),
    },
  ],
  ...(
    [
      ['hledger', 'expenses:  fees'],
      ['hledger', ' '],
      ['ledger', 'expenses:  fees'],
      ['ledger', '(expenses)'],
      ['beancount', 'expenses:fees'],
      ['beancount', 'Expenses:Fees Of Cards'],
      ['beancount', 'Fees'],
      ['beancount', 'Expenses'],
      ['csv', ''],
    ] as const
  ).map(
    ([format, fees]) =>
      [
        `the account "${fees}" of ${format} for the currency of the last entry`,
        {
          format,
          settlements: monthWith({
            header: { settlementId: settlementOn(31), currencyCode: 'USD' },
            rows: [['purchase', 5000, 100, 10, { currencyCode: 'USD' }]],
          }),
          books: { currency: { USD: { fees } } },
        },
      ] as const,
  ),
];

const booksOf = (format: JournalFormat, more: Readonly<Record<string, unknown>> = {}) => ({
  RECON_BOOKS: JSON.stringify({ ...exampleMappings[format], ...more }),
});

async function serviceFor({ settlements = monthWith() }: Partial<Refusal> = {}): Promise<Service> {
  const dates = settlements.map(({ date }) => date).sort();
  return startService(
    scenarioOf(settlements, {
      period: { from: dates[0] ?? '', to: dates.at(-1) ?? '' },
    }),
  );
}

function journal(
  service: Service,
  { format, books, args = [], range = march }: Refusal,
  more: readonly string[] = [],
  onOutput?: (text: string) => void,
): Promise<RunResult> {
  return runRecon(['journal', ...range, '--for', format, ...args, ...more], {
    env: { ...service.env, ...booksOf(format, books) },
    ...(onOutput && { onOutput }),
  });
}

describe('a refused journal', () => {
  test.each(refusals)('leaves nothing on standard output or in a file: %s', async (_, refusal) => {
    const service = await serviceFor(refusal);
    let pieces = 0;
    const printed = await journal(service, refusal, [], () => {
      pieces += 1;
    });
    expect({ ...printed, pieces }).toMatchObject({ exitCode: 2, stdout: '', pieces: 0 });
    expect(printed.stderr).toMatch(/^error: /m);
    if (refusal.names) expect(printed.stderr).toMatch(refusal.names);
    // Nothing says that it was written, either.
    expect(printed.stderr).not.toMatch(/agree/);

    const folder = await temporaryFolder();
    const output = join(folder, 'EXTF_march.csv');
    const written = await journal(service, refusal, ['--output', output]);
    expect(written).toMatchObject({ exitCode: 2, stdout: '' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(refusals.filter((_, index) => index % 5 === 0))(
    'is refused also in a closed pipe, and leaves an existing file unchanged: %s',
    async (_, refusal) => {
      const service = await serviceFor(refusal);
      const printed = await journal(service, refusal, [], closedPipe);
      expect(printed).toMatchObject({ exitCode: 2, stdout: '' });
      const output = join(await temporaryFolder(), 'EXTF_march.csv');
      await writeFile(output, 'the journal of yesterday');
      expect(await journal(service, refusal, ['--output', output])).toMatchObject({ exitCode: 2 });
      expect(readFileSync(output, 'utf8')).toBe('the journal of yesterday');
    },
  );

  test.each(refusals.filter((_, index) => index % 4 === 1))(
    'books nothing in a register: %s',
    async (_, refusal) => {
      const service = await serviceFor(refusal);
      const folder = await temporaryFolder();
      const register = join(folder, 'booked.csv');
      const output = join(folder, 'EXTF_1.csv');
      const { exitCode, stdout } = await journal(service, refusal, [
        ...['--booked', register, '--new-register', '--output', output],
      ]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(existsSync(output)).toBe(false);
      expect(existsSync(register)).toBe(false);
    },
  );

  test.each(formats)('leaves nothing if something could not be read: %s', async (format) => {
    const settlements = monthWith({ rows: [['purchase', 10_000.5, 0, 0]] });
    const service = await serviceFor({ settlements });
    const folder = await temporaryFolder();
    const output = join(folder, 'EXTF_march.csv');
    expect(await journal(service, { format })).toMatchObject({ exitCode: 4, stdout: '' });
    expect(await journal(service, { format }, ['--output', output])).toMatchObject({ exitCode: 4 });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(formats)('leaves nothing if an account is not set: %s', async (format) => {
    const service = await serviceFor();
    const { receivable: _, ...books } = exampleMappings[format];
    const { exitCode, stdout } = await runRecon(['journal', ...march, '--for', format], {
      env: { ...service.env, RECON_BOOKS: JSON.stringify(books) },
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });
});

describe('a journal that is not refused', () => {
  test.each(formats)('is complete, on standard output as in a file: %s', async (format) => {
    const service = await serviceFor();
    const output = join(await temporaryFolder(), 'EXTF_march.csv');
    const printed = await journal(service, { format });
    expect(printed.exitCode).toBe(0);
    expect(await journal(service, { format }, ['--output', output])).toMatchObject({ exitCode: 0 });
    // The header of DATEV says when; everything else is the same.
    expect(readFileSync(output, 'utf8').split('\n').slice(1)).toEqual(
      // Standard output was collected as UTF-8, and there is nothing but ASCII in most of it.
      expect.arrayContaining([expect.stringContaining(settlementOn(31))]),
    );
    for (const day of [1, 6, 31]) expect(printed.stdout).toContain(settlementOn(day));
  });

  test.each(['hledger', 'ledger', 'beancount', 'csv'] as const)(
    'may have three decimals, two years and long names of accounts: %s',
    async (format) => {
      const settlements = [...twoYears, ...monthWith(thousandths).slice(-1)];
      const service = await serviceFor({ settlements });
      const long =
        format === 'beancount' ? `Expenses:F${'e'.repeat(60)}s` : `fees ${'x'.repeat(60)}`;
      const { exitCode, stdout } = await journal(service, {
        format,
        books: { fees: long },
        range: ['--from', '2025-12-28', '--to', '2026-03-31'],
      });
      expect(exitCode).toBe(0);
      expect(stdout).toContain('12.345');
      expect(stdout).toContain(long);
    },
  );

  test('has three decimals in DATEV if the third is zero', async () => {
    const settlements = monthWith({
      header: {
        settlementId: settlementOn(31),
        ...{ amountGross: 1234, fees: 25, tax: 5, amountPayIn: 1204, totalTransactions: 1 },
      },
      rows: [['purchase', 12_340, 250, 50, { decimalPlaces: '3' }]],
    });
    const service = await serviceFor({ settlements });
    const { exitCode, stdout } = await journal(service, { format: 'datev', args: ['--detail'] });
    expect(exitCode).toBe(0);
    const last = stdout.split('\n').filter((line) => line.includes(settlementOn(31)));
    expect(last.map((line) => line.split(';')[0])).toEqual(['12,04', '0,25', '0,05']);
  });

  test('has accounts of persons with one digit more than the ledger in DATEV', async () => {
    const service = await serviceFor();
    const { exitCode, stdout } = await journal(service, {
      format: 'datev',
      books: { receivable: '10000' },
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(';10000;');
  });

  test.each(formats)('ends without a message in a closed pipe: %s', async (format) => {
    const service = await serviceFor();
    const { exitCode, stderr } = await journal(service, { format }, [], closedPipe);
    // As other commands do.
    const other = await runRecon(['settlements', ...march], {
      env: service.env,
      onOutput: closedPipe,
    });
    expect(exitCode).toBe(other.exitCode);
    expect(stderr).not.toMatch(/^error: .*EPIPE/m);
  });
});
