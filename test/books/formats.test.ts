import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { accountsIn } from '../../src/books/accounts.ts';
import { pairsOf } from '../../src/books/datev.ts';
import { exampleMappings, type JournalFormat } from '../../src/books/example-mapping.ts';
import { journalForms } from '../../src/books/journal-forms.ts';
import type { AccountMapping } from '../../src/model/account-mapping.ts';
import type { JournalEntry, Posting } from '../../src/model/journal-entry.ts';
import type { ReconciledSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { journalText } from '../../src/render/journal.ts';
import { type Case, judge } from '../reconcile/judge.ts';
import { buildRow, uuid } from '../support/build.ts';
import { bookedFrom, march } from './book-run.ts';

interface Written {
  readonly mapping?: AccountMapping;
  readonly comments?: readonly string[];
  readonly names?: ReadonlyMap<string, string>;
  readonly range?: typeof march;
}

/** A journal of these settlements, as text; its bytes are read as windows-1252. */
function written(
  format: JournalFormat,
  settlements: readonly ReconciledSettlement[],
  { mapping = exampleMappings[format], comments = [], names, range = march }: Written = {},
): string {
  const accountFor = accountsIn(mapping, journalForms[format].accounts);
  const { entries, inTransit: balances = [] } = bookedFrom(settlements, {
    accountFor,
    includesPending: true,
    ...(names && { names }),
  });
  const file = { comments, entries, balances, range, mapping };
  return [...journalText(format, file)]
    .map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString('latin1')))
    .join('');
}

const pending: Case = { header: { status: 'pending_settlement' } };

describe.each(['hledger', 'ledger'] as const)('a journal for %s', (format) => {
  it('has currencies without a format, two blanks before amounts, and asserts what is in transit', () => {
    const text = written(format, [judge()], { comments: ['As at the end of March.'] });
    expect(text).toContain('; As at the end of March.\n');
    expect(text).toMatch(/^commodity EUR$/m);
    expect(text).not.toContain('format');
    expect(text).toContain('    assets:input tax               0.06 EUR\n');
    expect(text).toMatch(
      /\n2026-03-31 \* .*\n {4}assets:payments in transit {2}0 EUR = 9\.64 EUR\n$/,
    );
  });

  it('marks what is pending', () => {
    expect(written(format, [judge(pending)])).toMatch(/^2026-03-05 ! \([A-Z2-7]{20}\) /m);
  });

  it('has names and ids without characters that the format would interpret', () => {
    const names = new Map([['token-a', 'Shop;  a | b\n2026-01-01 open: x']]);
    const header = { id: 'x, date:2020-01-01\n  evil:account  1 EUR' };
    const rows = [buildRow({ settlementId: header.id })];
    const text = written(format, [judge({ header, rows })], { names });
    expect(text.split('\n').filter((line) => /^2026-01|^ {2}evil/.test(line))).toEqual([]);
    expect(text).toMatch(/; settlementId: x {2}date 2020-01-01 {2,3}evil account/);
    expect(text).toMatch(/\) Settlement x.*, Shop {3}a {3}b 2026-01-01 open: x$/m);
  });

  it('has no declarations and assertions if the mapping says so', () => {
    const mapping = { ...exampleMappings.hledger, declarations: false, assertions: false };
    expect(written(format, [judge()], { mapping })).not.toMatch(/^(account|commodity|tag) |= /m);
  });
});

test('a plain-text journal declares its tags, and for hledger its descriptions', () => {
  for (const format of ['ledger', 'hledger'] as const)
    expect(written(format, [judge()])).toContain('\ntag settlementId\n');
  expect(written('hledger', [judge()])).toContain(`\npayee Settlement ${uuid(1)}\n`);
  expect(written('ledger', [judge()])).not.toMatch(/^payee /m);
});

test('a journal for beancount opens accounts, sets no tolerance, and has a balance on the next day', () => {
  const names = new Map([['token-a', 'The "Shop" \\ Co.']]);
  const text = written('beancount', [judge({ header: { payIn: 9_60n } })], { names });
  // Versions 2 and 3 know different options for this, and refuse each other's.
  expect(text).not.toMatch(/^option/m);
  expect(text).toContain('2026-03-01 open Assets:PaymentsInTransit\n');
  expect(text).toContain(
    `2026-03-05 * "Settlement ${uuid(1)}, The \\"Shop\\" \\\\ Co." ^${uuid(1)}\n`,
  );
  expect(text).toMatch(/\n2026-04-01 balance Assets:PaymentsInTransit {2}9\.60 ~ 0 EUR\n$/);
});

test.each<[JournalFormat, string]>([
  ['hledger', 'assets:two  blanks'],
  ['hledger', 'a\u00a0\u00a0b'],
  ['hledger', 'a \u00a0b'],
  ['hledger', '(virtual)'],
  ['ledger', 'assets:a;b'],
  ['beancount', 'assets:bank'],
  ['beancount', 'Assets:my bank'],
  ['datev', '12a'],
  ['datev', '1234567890'],
  ['datev', '0000'],
])('%s refuses the account %j', (format, in_transit) => {
  const mapping = { ...exampleMappings[format], in_transit };
  expect(() => written(format, [judge()], { mapping })).toThrow(
    `The account for in_transit must be ${journalForms[format].accounts.says}.`,
  );
});

test('the account of an accounting token comes before that of a currency, and that before the others', () => {
  const mapping = {
    ...exampleMappings.csv,
    currency: { EUR: { bank: 'Euro bank', fees: 'Euro fees' } },
    token: { 'token-a': { fees: 'Shop fees' } },
  };
  const accountFor = accountsIn(mapping, journalForms.csv.accounts);
  const of = { accountingToken: 'token-a', currency: 'EUR' };
  expect([accountFor('fees', of), accountFor('bank', of), accountFor('tax', of)]).toEqual([
    'Shop fees',
    'Euro bank',
    'Input tax',
  ]);
});

describe('a file for datev', () => {
  const names = new Map([['token-a', 'Café €uro 東京']]);
  const lines = () => {
    const [header = '', headings = '', ...rows] = written('datev', [judge()], { names }).split(
      '\r\n',
    );
    return { header, headings, rows: rows.slice(0, -1).map((row) => row.split(';')) };
  };

  it('has 31 fields in its header, 125 headings, and 125 fields per row', () => {
    const { header, headings, rows } = lines();
    expect(header.split(';')).toHaveLength(31);
    expect(header).toBe(
      '"EXTF";700;21;"Buchungsstapel";13;20260331000000000;;"";"recon";"";1001;1;20260101;4;20260301;20260331;"Settlements 01.03.-31.03.2026";"";1;0;0;"EUR";;"";;;"03";;;"";""',
    );
    expect(headings.split(';')).toHaveLength(125);
    expect(headings.split(';')[117]).toBe('Generalumkehr (GU)');
    expect(rows.map(({ length }) => length)).toEqual([125, 125, 125]);
  });

  it('is in windows-1252, with the euro sign, and has a question mark for other characters', () => {
    const { headings, rows } = lines();
    expect(rows[0]?.[13]).toBe('"Settlement, Caf\u00e9 \u0080uro ??"');
    expect(headings).toContain('Gegenkonto (ohne BU-Schl\u00fcssel)');
    const japan = written('datev', [judge()], { names: new Map([['token-a', '東京']]) });
    expect(japan).toContain(', ??"');
  });

  it('has amounts without a sign, S or H, day and month, the settlement, and no lock', () => {
    const shown = lines().rows.map((fields) =>
      [0, 1, 2, 6, 7, 9, 10, 113].map((at) => fields[at]).join(' '),
    );
    expect(shown).toEqual([
      `9,64 "S" "EUR" 1361 1410 0503 "${uuid(1)}" 0`,
      `0,30 "S" "EUR" 4970 1410 0503 "${uuid(1)}" 0`,
      `0,06 "S" "EUR" 1576 1410 0503 "${uuid(1)}" 0`,
    ]);
  });

  it('keeps the tax key of fees that stand alone on their side', () => {
    const datev = { ...exampleMappings.datev.datev, tax_keys: { fees: '40' } };
    const mapping = { ...exampleMappings.datev, datev };
    const payIn = -3_00n;
    const row = buildRow({ amount: 2_00n, fees: 5_00n, tax: 0n });
    const text = written('datev', [judge({ header: { payIn }, rows: [row] })], { mapping });
    const rows = text.split('\r\n').slice(2, -1);
    expect(rows.map((one) => [0, 1, 6, 7, 8].map((at) => one.split(';')[at]).join(' '))).toEqual([
      '5,00 "S" 4970 1361 "40"',
      '2,00 "H" 1410 1361 ""',
    ]);
  });

  it('has accounts that begin with zeros, and needs an adviser and a client', () => {
    const mapping = { ...exampleMappings.datev, in_transit: '0480' };
    expect(written('datev', [judge()], { mapping })).toContain(';0480;');
    const { datev: _, ...plain } = exampleMappings.datev;
    expect(() => written('datev', [judge()], { mapping: plain })).toThrow(
      'The DATEV adviser and client are not set.',
    );
  });

  it('refuses an amount that needs more than two decimals, and shows yen with two', () => {
    const odd = judge({ header: { scale: 3, currency: 'KWD', payIn: 9_641n } });
    expect(() => written('datev', [odd])).toThrow('DATEV cannot hold 9.641 KWD.');
    const yen = {
      header: { currency: 'JPY', scale: 0 },
      rows: [buildRow({ currency: 'JPY', scale: 0 })],
    };
    expect(written('datev', [judge(yen)])).toContain('\r\n964,00;"S";"JPY";');
  });

  it.each([
    ['12345', 4, true],
    ['123456', 4, false],
    ['123456', 5, true],
    ['1234567', 5, false],
  ])('account %s, accounts of %i digits: accepted %s', (in_transit, account_length, isAccepted) => {
    const datev = { ...exampleMappings.datev.datev, account_length };
    const mapping = { ...exampleMappings.datev, in_transit, datev };
    const write = () => written('datev', [judge()], { mapping });
    if (isAccepted) expect(write()).toContain(`;${in_transit};`);
    else expect(write).toThrow(`The account ${in_transit} is too long`);
  });

  it('holds 99,999 rows, and refuses one more', () => {
    const posting = { purpose: 'fees', settlementId: '', transactionId: '' } as const;
    const begin = (rows: number) => {
      const one = { ...posting, account: '4970', minor: 1n };
      const against = { ...posting, account: '1400', minor: -BigInt(rows) };
      const [entry] = bookedFrom([judge()], {
        accountFor: accountsIn(exampleMappings.datev, journalForms.datev.accounts),
      }).entries;
      if (!entry) throw new RangeError('nothing is booked');
      const entries = [{ ...entry, postings: [...Array(rows).fill(one), against] }];
      const mapping = exampleMappings.datev;
      const file = { comments: [], entries, balances: [], range: march, mapping };
      // Whether it is refused is known before the first line.
      return journalText('datev', file)[Symbol.iterator]().next().done;
    };
    expect(begin(99_999)).toBe(false);
    expect(() => begin(100_000)).toThrow('A DATEV file holds 99,999 rows at most.');
  });

  it.each([
    [{ from: '2025-12-01', to: '2026-01-31' }, '01-01'],
    [{ from: '2026-03-01', to: '2026-07-31' }, '07-01'],
  ])('refuses days of two years: %j, years from %s', (range, year_start) => {
    const datev = { ...exampleMappings.datev.datev, year_start };
    const mapping = { ...exampleMappings.datev, datev };
    expect(() => written('datev', [judge()], { mapping, range })).toThrow(
      'A DATEV file holds days of one calendar and fiscal year.',
    );
  });

  it.each([
    [{ from: '2026-03-01', to: '2026-03-31' }, '01-01', '20260101'],
    [{ from: '2026-01-01', to: '2026-12-31' }, '01-01', '20260101'],
    [{ from: '2026-03-01', to: '2026-06-30' }, '07-01', '20250701'],
    [{ from: '2026-07-01', to: '2026-12-31' }, '07-01', '20260701'],
  ])('has the first day of the fiscal year in its header: %j, years from %s: %s', (...given) => {
    const [range, year_start, start] = given;
    const datev = { ...exampleMappings.datev.datev, year_start };
    const mapping = { ...exampleMappings.datev, datev };
    const [header] = written('datev', [judge()], { mapping, range }).split('\r\n');
    const { from, to } = range;
    const compact = [start, '4', from, to].map((day) => day.replaceAll('-', ''));
    expect(header?.split(';').slice(12, 16)).toEqual(compact);
  });

  /** The fields of each row of one entry, from 1 as DATEV counts them. */
  const rowsOf = (
    changes: Partial<JournalEntry>,
    minor = 9_64n,
    { locked = false, posting = {} as Partial<Posting> } = {},
  ) => {
    const postings = [
      { purpose: 'in_transit', account: '1360', minor, settlementId: '', transactionId: '' },
      {
        purpose: 'receivable',
        account: '1400',
        minor: -minor,
        settlementId: '',
        transactionId: '',
      },
    ] as const;
    const [entry] = bookedFrom([judge()], {
      accountFor: accountsIn(exampleMappings.datev, journalForms.datev.accounts),
    }).entries;
    if (!entry) throw new RangeError('nothing is booked');
    const own = { ...postings[0], ...posting };
    const entries = [{ ...entry, postings: [own, postings[1]], ...changes }];
    const datev = { ...exampleMappings.datev.datev, locked };
    const mapping = { ...exampleMappings.datev, datev };
    const file = { comments: [], entries, balances: [], range: march, mapping };
    const lines = [...journalText('datev', file)].map((one) => Buffer.from(one).toString('latin1'));
    return lines.slice(2).map((line) => ['', ...line.replace('\r\n', '').split(';')]);
  };

  it.each([
    [9_999_999_999_99n, 2, '9999999999,99'],
    [-9_999_999_999_99n, 2, '9999999999,99'],
    [9_640n, 3, '9,64'],
    [-9_640n, 3, '9,64'],
    [5n, 0, '5,00'],
    [5n, 1, '0,50'],
  ])('has %s with %i decimal places as %s', (minor, scale, expected) => {
    const [row] = rowsOf({ scale }, minor);
    expect([row?.[1], row?.[2], row?.[7]]).toEqual([expected, '"S"', minor > 0n ? '1360' : '1400']);
  });

  it('refuses more than ten digits before the comma, and thousandths, with the settlement', () => {
    const refused = { failure: 'usage', where: `settlement ${uuid(1)}` };
    expect(() => rowsOf({}, 10_000_000_000_00n)).toThrow(expect.objectContaining(refused));
    expect(() => rowsOf({ scale: 3 }, 9_641n)).toThrow('DATEV cannot hold 9.641 EUR.');
  });

  it('marks what is reversed and what is pending, in 60 characters', () => {
    const textOf = (changes: Partial<JournalEntry>) => rowsOf(changes)[0]?.[14];
    expect(textOf({ text: 'Pay-out' })).toBe('"Pay-out"');
    expect(textOf({ text: 'Pay-out', isPending: true })).toBe('"Pending: Pay-out"');
    const reversal = { text: 'Pay-out', isPending: true, reverses: 'AAAA' };
    expect(textOf(reversal)).toBe('"Reversal: Pay-out"');
    expect(textOf({ text: 'x'.repeat(99) })).toBe(`"${'x'.repeat(60)}"`);
  });

  it('names the settlement of a posting, or the only one of its entry, or else the entry', () => {
    const referenceOf = (...given: Parameters<typeof rowsOf>) => rowsOf(...given)[0]?.[11];
    expect(referenceOf({ settlementIds: ['a'] })).toBe('"a"');
    expect(referenceOf({ settlementIds: ['a', 'b'], id: 'ENTRY' })).toBe('"ENTRY"');
    const posting = { settlementId: 'b' };
    expect(referenceOf({ settlementIds: ['a', 'b'] }, 1n, { posting })).toBe('"b"');
    // DATEV takes these characters alone, and no more than 36.
    expect(referenceOf({ settlementIds: ['a b"c;d_$&%*+/-1'] })).toBe('"abcd_$&%*+/-1"');
    expect(referenceOf({ settlementIds: ['x'.repeat(40)] })).toBe(`"${'x'.repeat(36)}"`);
  });

  it('has the transaction of a posting, and the id of its entry', () => {
    const [row] = rowsOf({ id: 'ENTRY' }, 1n, { posting: { transactionId: 't-1' } });
    expect(row?.slice(48, 52)).toEqual(['"recon"', '"ENTRY"', '"transaction"', '"t-1"']);
    expect(rowsOf({})[0]?.slice(50, 52)).toEqual(['""', '""']);
  });

  it('locks a batch in its header and in each row, if the mapping says so', () => {
    const mapping = exampleMappings.datev;
    const locked = { ...mapping, datev: { ...mapping.datev, locked: true } };
    const [header] = written('datev', [judge()], { mapping: locked }).split('\r\n');
    expect(header?.split(';')[20]).toBe('1');
    expect(rowsOf({}, 1n, { locked: true })[0]?.[114]).toBe('1');
  });

  it('has pairs that add up to the postings of the entry on every account', () => {
    const posting = fc.record({
      purpose: fc.constantFrom('fees' as const, 'tax' as const, 'receivable' as const),
      account: fc.constantFrom('1', '2', '3', '4'),
      minor: fc.bigInt({ min: -1000n, max: 1000n }).filter((minor) => minor !== 0n),
      settlementId: fc.constant(''),
      transactionId: fc.constant(''),
    });
    fc.assert(
      fc.property(fc.array(posting, { minLength: 1, maxLength: 6 }), (some) => {
        const rest = -some.reduce((sum, { minor }) => sum + minor, 0n);
        const [first] = some;
        const postings =
          rest === 0n || !first ? some : [...some, { ...first, account: '5', minor: rest }];
        const sums = (all: readonly (readonly [string, bigint])[]) => {
          const byAccount: Record<string, bigint> = { 1: 0n, 2: 0n, 3: 0n, 4: 0n, 5: 0n };
          for (const [account, minor] of all)
            byAccount[account] = (byAccount[account] ?? 0n) + minor;
          return byAccount;
        };
        const paired = pairsOf(postings).flatMap(({ posting: { account, minor }, against }) => [
          [account, minor] as const,
          [against, -minor] as const,
        ]);
        expect(sums(paired)).toEqual(sums(postings.map(({ account, minor }) => [account, minor])));
        for (const { posting, against } of pairsOf(postings))
          expect(against).not.toBe(posting.account);
      }),
    );
  });
});

describe('a CSV journal', () => {
  it('has a record per posting, and formulas as text', () => {
    const names = new Map([['token-a', '=1+1']]);
    const lines = written('csv', [judge()], { names }).split('\r\n');
    expect(lines[0]).toBe(
      'entry_id,date,account,debit,credit,currency,text,settlement_id,purpose,transaction_id,accounting_token,status,reverses,of_date',
    );
    expect(lines[4]?.split(',').slice(1, 6)).toEqual([
      '2026-03-05',
      'Payments receivable',
      '',
      '10.00',
      'EUR',
    ]);
  });

  it('has the columns of the mapping, with fields in braces', () => {
    const columns = {
      '*Narration': '{text} ({entry_id})',
      '*Date': '{date}',
      '*TaxRate': 'Tax Exempt',
      '*Amount': '{amount}',
    };
    const mapping = { ...exampleMappings.csv, csv: { date: 'DD/MM/YYYY', columns } };
    const lines = written('csv', [judge()], { mapping }).split('\r\n');
    expect(lines[0]).toBe('*Narration,*Date,*TaxRate,*Amount');
    expect(lines[4]).toMatch(/^Settlement \S+ \([A-Z2-7]{20}\),05\/03\/2026,Tax Exempt,-10\.00$/);
  });
});
