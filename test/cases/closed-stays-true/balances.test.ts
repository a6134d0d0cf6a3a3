import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  type Company,
  type Entry,
  endToEndIdOf,
  type Listed,
  openCompany,
  ownAccount,
  type Statement,
  usual,
  writeStatement,
} from './company.ts';
import { held } from './two-months.ts';
import { booked, type Close, closeOf, codes, newRegister, said } from './words.ts';

const rows = [{ a: 20_000, f: 300, t: 60 }];
const first: Listed = { id: 'a0c1b2d3-0000-4a4a-8b8b-111111111111', day: '2026-03-10', rows };
const second: Listed = { id: 'b0c1b2d3-0000-4a4a-8b8b-222222222222', day: '2026-03-11', rows };
const third: Listed = { id: 'c0c1b2d3-0000-4a4a-8b8b-333333333333', day: '2026-03-18', rows };

const on = (day: string, of?: Listed, ref?: string): Entry => ({
  ...{ day, amount: 19_640 },
  ...(of && { id: endToEndIdOf(of) }),
  ...(ref && { ref }),
});

/** What a month's and a week's file state of the same entries (W2). */
const inWeek = [on('2026-03-12', first, 'R1'), on('2026-03-12', second, 'R2')];
const month: Statement = {
  period: ['2026-03-01', '2026-03-31'],
  opening: 100_000,
  entries: [...inWeek, on('2026-03-20', third, 'R3')],
};
const week: Statement = {
  period: ['2026-03-09', '2026-03-15'],
  opening: 100_000,
  entries: inWeek,
};

const february: Statement = {
  ...{ period: ['2026-02-01', '2026-02-28'], opening: 100_000, entries: [] },
};

async function closeOver(
  company: Company,
  statements: readonly (readonly [file: string, Statement])[],
): Promise<Close> {
  for (const [file, statement] of statements) await writeStatement(company.file(file), statement);
  const files = statements.map(([file]) => company.file(file));
  return closeOf(await company.run('close', ...files, '--month', '2026-03', '--format', 'json'));
}

async function threePaid(): Promise<Company> {
  const company = await openCompany(['closes = "closes.csv"', 'books_from = "2026-03-01"']);
  company.lists(first, second, third);
  return company;
}

describe('a statement of a week inside that of its month', () => {
  const orders: Readonly<Record<string, readonly (readonly [string, Statement])[]>> = {
    'month before week': [
      ['1.xml', month],
      ['2.xml', week],
    ],
    'week before month': [
      ['1.xml', week],
      ['2.xml', month],
    ],
    'month before week, by names alone': [
      ['2.xml', month],
      ['1.xml', week],
    ],
    'with a number on the week': [
      ['1.xml', month],
      ['2.xml', { ...week, number: '2' }],
    ],
    'with a number on the week, which is first': [
      ['1.xml', { ...week, number: '2' }],
      ['2.xml', month],
    ],
    'with numbers that follow each other': [
      ['1.xml', { ...month, number: '1' }],
      ['2.xml', { ...week, number: '2' }],
    ],
    'with numbers, after another month': [
      ['0.xml', { ...february, number: '1' }],
      ['1.xml', { ...week, number: '2' }],
      ['2.xml', { ...month, number: '3' }],
    ],
    'with numbers of their own': [
      ['1.xml', { ...week, number: '11' }],
      ['2.xml', { ...month, number: '3' }],
    ],
  };
  const right = { opening: 100_000n, movement: 58_920n, residual: 0n, closing: 158_920n };

  test('control: the month alone closes', async () => {
    const closed = await closeOver(await threePaid(), [['1.xml', month]]);
    expect([closed.verdict, codes(closed)]).toEqual(['ready', []]);
    expect(closed.bridge[ownAccount]).toMatchObject(right);
  });

  test.each(Object.entries(orders))('%s: the balance is that of the last day', async (_, files) => {
    const closed = await closeOver(await threePaid(), files);
    expect(codes(closed)).toEqual([]);
    expect(closed.verdict).toBe('ready');
    expect(closed.bridge[ownAccount]).toMatchObject(right);
    expect(closed.totals['EUR']).toMatchObject({ received: 58_920n, closing: 0n });
  });

  test('a week that begins on the first day of the month', async () => {
    const early: Statement = { ...week, period: ['2026-03-01', '2026-03-15'] };
    for (const files of [
      [['1.xml', month] as const, ['2.xml', early] as const],
      [['1.xml', early] as const, ['2.xml', month] as const],
    ]) {
      const closed = await closeOver(await threePaid(), files);
      expect(codes(closed)).toEqual([]);
      expect(closed.bridge[ownAccount]).toMatchObject(right);
    }
  });

  test('a week that ends with the month', async () => {
    const late: Statement = {
      period: ['2026-03-16', '2026-03-31'],
      opening: 139_280,
      entries: [on('2026-03-20', third, 'R3')],
    };
    const closed = await closeOver(await threePaid(), [
      ['1.xml', late],
      ['2.xml', month],
    ]);
    expect(codes(closed)).toEqual([]);
    expect(closed.bridge[ownAccount]).toMatchObject(right);
  });

  test('that contradicts its month is named, and no force lifts it', async () => {
    const wrong: Statement = { ...week, opening: 100_001 };
    const closed = await closeOver(await threePaid(), [
      ['1.xml', month],
      ['2.xml', wrong],
    ]);
    expect(closed.verdict).not.toBe('ready');
    const never = closed.blockers.filter(({ forceable }) => !forceable).map(({ code }) => code);
    expect(never.some((code) => /^(statement_gap|balance_break)$/.test(code))).toBe(true);
    // What contradicts is the week; the bridge is still that of the month.
    expect(closed.bridge[ownAccount]).toMatchObject(right);
  });
});

describe('one bank day in two files with other bank references', () => {
  const same: Listed = { ...third, day: '2026-03-11' };
  /** As `month.xml` (M) and `day.xml` (D) state them; the third has no end-to-end id. */
  const entries = (ref: string, third = `${ref}3`) => [
    on('2026-03-12', first, `${ref}1`),
    on('2026-03-12', second, `${ref}2`),
    on('2026-03-12', undefined, third),
  ];
  const whole: Statement = { ...month, entries: entries('M') };
  const day: Statement = {
    period: ['2026-03-12', '2026-03-12'],
    opening: 100_000,
    entries: entries('D'),
  };
  const pairs: readonly (readonly [string, Statement, Statement])[] = [
    ['all have other references', whole, day],
    [
      'the third has none',
      { ...whole, entries: entries('M', '') },
      { ...day, entries: entries('D', '') },
    ],
  ];

  async function twice(one: Statement, other: Statement): Promise<Company> {
    const company = await openCompany();
    company.lists(first, second, same);
    await writeStatement(company.file('bank/month.xml'), one);
    await writeStatement(company.file('bank/day.xml'), other);
    return company;
  }

  test('control: with the same references each counts once', async () => {
    const company = await twice(whole, { ...day, entries: entries('M') });
    const words = said(await company.run('bank', '--month', '2026-03', '--format', 'table'));
    expect(words).not.toMatch(/paid twice|\+392\.80/);
  });

  test.each(pairs)(
    '%s: nothing was paid twice, and no difference is told',
    async (_, one, other) => {
      const company = await twice(one, other);
      const run = await company.run('bank', '--month', '2026-03', '--format', 'json');
      const { matches } = JSON.parse(run.stdout) as {
        matches: readonly { state: string; reason: string | null }[];
      };
      expect(matches.map(({ state }) => state).sort()).toEqual(['matched', 'matched', 'suggested']);
      expect(matches.map(({ reason }) => reason)).not.toContain('paid_twice');
      const words = said(await company.run('bank', '--month', '2026-03', '--format', 'table'));
      expect(words).not.toMatch(/paid twice|\+392\.80|report it to the service/i);
    },
  );

  test.each(pairs)('%s: the journal moves the bank account by 589.20', async (_, one, other) => {
    const company = await twice(one, other);
    await company.run(
      ...['journal', '--month', '2026-03', '--for', 'hledger', '--bank', '--fail-on', 'none'],
      ...[...booked(company), newRegister, '--output', company.file('1.journal')],
    );
    expect(held(company, '1.journal')).toEqual({
      'assets:bank EUR': 58_920n,
      'assets:receivable EUR': -60_000n,
      'assets:tax EUR': 180n,
      'assets:suspense EUR': -19_640n,
      'assets:transit EUR': 19_640n,
      'expenses:fees EUR': 900n,
    });
  });

  test.each(pairs)('%s: the close has no residual', async (_, one, other) => {
    const company = await twice(one, other);
    const closed = closeOf(await company.run('close', '--month', '2026-03', '--format', 'json'));
    expect(closed.bridge[ownAccount]).toMatchObject({
      ...{ movement: 58_920n, cleared: 39_280n, over: 0n, suspense: 19_640n },
      ...{ residual: 0n, closing: 158_920n },
    });
    expect(codes(closed)).not.toContain('residual');
    expect(closed.totals['EUR']).toMatchObject({ over: 0n, received: 39_280n, closing: 19_640n });
  });

  test('two real payments of one amount on one day, which both balances hold, stay two', async () => {
    const company = await openCompany();
    company.lists(first);
    const paidTwice = [on('2026-03-12', first, 'M1'), on('2026-03-12', first, 'M2')];
    await writeStatement(company.file('bank/month.xml'), { ...month, entries: paidTwice });
    await writeStatement(company.file('bank/day.xml'), {
      ...day,
      entries: [on('2026-03-12', first, 'D1'), on('2026-03-12', first, 'D2')],
    });
    const closed = closeOf(await company.run('close', '--month', '2026-03', '--format', 'json'));
    expect(closed.totals['EUR']).toMatchObject({ received: 39_280n, over: 19_640n, closing: 0n });
    expect(closed.bridge[ownAccount]).toMatchObject({ movement: 39_280n, residual: 0n });
  });
});

describe('CSV statements', () => {
  test('close a month whose next file of the account begins after it', async () => {
    const company = await openCompany(usual, [
      '[profiles.main.bank_csv]',
      'date = "Date"',
      'amount = "Amount"',
      'currency = "Currency"',
      'account = "Account"',
      'end_to_end_id = "Id"',
      'counterparty = "From"',
    ]);
    company.lists(first, second, third);
    const head = 'Date,Amount,Currency,Account,Id,From';
    const line = ({ day, id }: Entry) =>
      `${day},196.40,EUR,${ownAccount},${id ?? ''},DE77999999990000251034`;
    const write = (name: string, entries: readonly Entry[]) =>
      writeFile(company.file(`bank/${name}.csv`), `${[head, ...entries.map(line)].join('\n')}\n`);
    await write('03', month.entries);
    const alone = closeOf(await company.run('close', '--month', '2026-03', '--format', 'json'));
    expect(codes(alone)).toEqual(['statements_end']);
    const april = { ...first, id: 'd0c1b2d3-0000-4a4a-8b8b-444444444444', day: '2026-03-31' };
    await write('04', [on('2026-04-02', april)]);
    const closed = closeOf(await company.run('close', '--month', '2026-03', '--format', 'json'));
    expect(codes(closed)).toEqual([]);
    expect(closed.verdict).toBe('ready');
  });
});
