import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type BookingRequest, isBookable } from '../../src/books/book.ts';
import { foreignRows, transactionFigures, typeFigures } from '../../src/books/book-settlement.ts';
import { controlTotals } from '../../src/books/control.ts';
import type { AcceptedDifference } from '../../src/model/accepted-difference.ts';
import type { JournalEntry } from '../../src/model/journal-entry.ts';
import { identityNames } from '../../src/reconcile/identity.ts';
import type { ReconciledSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { type Case, columnsOf, judge } from '../reconcile/judge.ts';
import { buildRow, buildSettlement, uuid } from '../support/build.ts';
import { bankEntry, bookedFrom, clearingsIn, matchOf, runOf } from './book-run.ts';

const amount = fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n });

/** Settlements of any figures, of two accounts and currencies, some of them pending, at several scales. */
const settlements = fc
  .array(
    fc.record({
      figures: fc.tuple(amount, amount, amount, amount),
      rows: fc.array(fc.tuple(amount, amount, amount), { maxLength: 4 }),
      scale: fc.integer({ min: 0, max: 3 }),
      rowScale: fc.integer({ min: 0, max: 3 }),
      accountingToken: fc.constantFrom('token-a', 'token-b'),
      currency: fc.constantFrom('EUR', 'JPY'),
      day: fc.constantFrom('2026-03-05', '2026-03-06'),
      status: fc.constantFrom('settled', 'settled_out_of_balance', 'pending_settlement'),
    }),
    { maxLength: 8 },
  )
  .map((all) =>
    all.map(({ figures: [gross, fees, tax, payIn], rows, rowScale, day, ...header }, at): Case => {
      const { currency } = header;
      return {
        header: { ...header, id: uuid(at), date: day, gross, fees, tax, payIn },
        rows: rows.map(([amount, fees, tax], row) =>
          buildRow({ id: uuid(100 * at + row), currency, scale: rowScale, amount, fees, tax }),
        ),
      };
    }),
  );

function sumOf({ postings }: Pick<JournalEntry, 'postings'>): bigint {
  return postings.reduce((sum, { minor }) => sum + minor, 0n);
}

describe('the books of any settlements', () => {
  it('have entries that come to zero, no posting of zero, and the totals of the report', () => {
    const ways = fc.record({
      identity: fc.constantFrom(...identityNames),
      per: fc.constantFrom('settlement' as const, 'day' as const),
      includesPending: fc.boolean(),
      isDetailed: fc.boolean(),
      isByType: fc.boolean(),
    });
    fc.assert(
      fc.property(settlements, ways, (cases, { isDetailed, isByType, ...how }) => {
        const { identity } = how;
        const judged = cases.map((one) => judge({ ...one, settings: { identity } }));
        const apart = new Map(
          judged.map((one, at) => {
            const rows = columnsOf(cases[at]?.rows ?? []);
            const types = isByType ? typeFigures(rows, {}) : [];
            return [one.settlement.id, isDetailed ? transactionFigures(rows, {}) : types];
          }),
        );
        const { entries } = bookedFrom(judged, { ...how, apart });
        for (const entry of entries) {
          expect(sumOf(entry)).toBe(0n);
          expect(entry.postings.map(({ minor }) => minor)).not.toContain(0n);
        }
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
        controlTotals(entries, runOf(judged, identity), identity);
      }),
    );
  });

  it('do not depend on the order of settlements', () => {
    fc.assert(
      fc.property(settlements, (cases) => {
        const judged = cases.map((one) => judge(one));
        expect(bookedFrom([...judged].reverse())).toEqual(bookedFrom(judged));
      }),
    );
  });
});

/** The postings of all entries: account and amount. */
function postingsOf(entries: readonly JournalEntry[]) {
  return entries.map(({ postings }) => postings.map(({ account, minor }) => [account, minor]));
}

const usual = [
  ['assets:payments in transit', 9_64n],
  ['expenses:payment fees', 30n],
  ['assets:input tax', 6n],
  ['assets:receivables:payments', -10_00n],
];

/** A settlement whose difference is accepted, on an account of its own if one is named. */
function acceptedBy(one: ReconciledSettlement, account = ''): ReconciledSettlement {
  const { id, date, accountingToken, currency } = one.settlement;
  const line = {
    ...{ settlementId: id, settlementDate: date, accountingToken, currency, scale: 2, account },
    ...{ reported: one.reported, computed: one.computed, codes: ['identity'] },
    ...{ reason: 'known', by: '', on: '2026-04-01', until: undefined },
  } as AcceptedDifference;
  return { ...one, acceptance: { state: 'accepted', line, changes: [] } };
}

describe('a settlement', () => {
  it.each(['eur', 'EURO', 'XEUR', 'EU', '', 'E€R'])(
    'in the currency %j is not booked',
    (currency) => {
      const rows = [buildRow({ currency })];
      expect(() => bookedFrom([judge({ header: { currency }, rows })])).toThrow(
        expect.objectContaining({ failure: 'service' }),
      );
    },
  );

  it('is not bookable while it is incomplete', () => {
    const one = judge();
    expect(isBookable(one, false)).toBe(true);
    expect(isBookable({ ...one, verdict: 'incomplete' }, true)).toBe(false);
    expect(isBookable({ ...one, computed: undefined }, true)).toBe(false);
  });

  it('is posted to transit, fees, tax and the receivable', () => {
    const { entries } = bookedFrom([judge()], { names: new Map([['token-a', 'Web shop']]) });
    expect(postingsOf(entries)).toEqual([usual]);
    expect(entries).toMatchObject([
      { date: '2026-03-05', currency: 'EUR', text: `Settlement ${uuid(1)}, Web shop` },
    ]);
  });

  it('has its difference on suspense: reported pay-in, computed fees, tax and gross', () => {
    const { entries } = bookedFrom([judge({ header: { payIn: 9_60n } })]);
    expect(postingsOf(entries)).toEqual([
      [['assets:payments in transit', 9_60n], ...usual.slice(1), ['assets:suspense', 4n]],
    ]);
    expect(entries[0]?.postings.at(-1)?.settlementId).toBe(uuid(1));
  });

  it.each([
    ['', 'expenses:accepted differences'],
    ['expenses:card fees', 'expenses:card fees'],
  ])(
    'has an accepted difference on the account of the register (%j) or of the mapping',
    (account, expected) => {
      const { entries } = bookedFrom([acceptedBy(judge({ header: { payIn: 9_60n } }), account)]);
      expect(postingsOf(entries)[0]?.at(-1)).toEqual([expected, 4n]);
    },
  );

  it('with a negative pay-in swaps sides', () => {
    const header = { gross: -10_00n, fees: -30n, tax: -6n, payIn: -9_64n };
    const rows = [buildRow({ amount: -10_00n, fees: -30n, tax: -6n })];
    const { entries } = bookedFrom([judge({ header, rows })]);
    expect(postingsOf(entries)).toEqual([
      usual.map(([account, minor]) => [account, -BigInt(minor ?? 0)]),
    ]);
  });

  it('has fees and tax on the sides that the identity says, and none if the identity leaves them out', () => {
    const settings = { identity: 'gross+fees' } as const;
    const one = judge({ header: { payIn: 10_30n }, settings });
    expect(postingsOf(bookedFrom([one], settings).entries)).toEqual([
      [
        ['assets:payments in transit', 10_30n],
        ['expenses:payment fees', -30n],
        ['assets:receivables:payments', -10_00n],
      ],
    ]);
  });

  it('that is pending is booked only on request, and is marked', () => {
    const pending = judge({ header: { status: 'pending_settlement' } });
    expect(bookedFrom([pending]).entries).toEqual([]);
    expect(bookedFrom([pending], { includesPending: true }).entries).toMatchObject([
      { isPending: true },
    ]);
  });
});

test('by day, the settlements of an account are one entry, and suspense keeps their ids', () => {
  const cases: readonly Case[] = [
    {},
    { header: { id: uuid(2), payIn: 9_60n } },
    { header: { id: uuid(3), accountingToken: 'token-b' } },
  ];
  const { entries } = bookedFrom(
    cases.map((one) => judge(one)),
    { per: 'day' },
  );
  expect(entries.map(({ settlementIds }) => settlementIds)).toEqual([
    [uuid(1), uuid(2)],
    [uuid(3)],
  ]);
  expect(entries[0]?.postings.map(({ minor, settlementId }) => [minor, settlementId])).toEqual([
    [19_24n, ''],
    [60n, ''],
    [12n, ''],
    [-20_00n, ''],
    [4n, uuid(2)],
  ]);
});

test('by day, postings that come to zero are left out, and so is an entry without postings', () => {
  const minus = { gross: -10_00n, fees: -30n, tax: 0n, payIn: -9_70n };
  const rows = [buildRow({ id: uuid(9), amount: -10_00n, fees: -30n, tax: 0n })];
  const back = judge({ header: { ...minus, id: uuid(2) }, rows });
  const day = bookedFrom([judge(), back], { per: 'day' });
  expect(postingsOf(day.entries)).toEqual([
    [
      ['assets:payments in transit', -6n],
      ['assets:input tax', 6n],
    ],
  ]);
  const plus = { gross: 10_00n, fees: 30n, tax: 0n, payIn: 9_70n };
  const same = judge({ header: plus, rows: [buildRow({ tax: 0n })] });
  expect(bookedFrom([same, back], { per: 'day' }).entries).toEqual([]);
});

test('in detail, each transaction has postings of its own', () => {
  const rows = [
    buildRow({ id: uuid(9), amount: 4_00n }),
    buildRow({ amount: 6_00n, fees: 0n, tax: 0n }),
  ];
  const one = judge({ rows });
  const apart = new Map([[uuid(1), transactionFigures(columnsOf(rows), {})]]);
  const { entries } = bookedFrom([one], { apart });
  expect(entries[0]?.postings.map(({ transactionId, minor }) => [transactionId, minor])).toEqual([
    ['', 9_64n],
    [uuid(9), 30n],
    [uuid(9), 6n],
    [uuid(9), -4_00n],
    [uuid(1001), -6_00n],
  ]);
});

describe('the books with statements', () => {
  const one = buildSettlement();
  const other = buildSettlement({ id: uuid(2), payIn: 5_00n });
  const booked = (...matches: readonly Parameters<typeof matchOf>[]) =>
    bookedFrom([], { clearings: clearingsIn(matches.map((each) => matchOf(...each))) });
  /** An entry: its day, and each account without what all of them begin with. */
  const lineOf = ({ date, postings }: JournalEntry) => [
    date.slice(5),
    ...postings.map(({ account, minor }) => `${account.replace(/^.*:/, '')} ${minor}`),
  ];

  it('clear transit with what is matched', () => {
    const { entries, inTransit } = booked([[one], [bankEntry({ amount: 9_64n })]]);
    expect(entries.map(lineOf)).toEqual([['03-06', 'bank 964', 'payments in transit -964']]);
    expect(entries).toMatchObject([
      {
        ...{ date: '2026-03-06', settlementIds: [uuid(1)], isPending: false },
        postings: [{ settlementId: uuid(1) }, { settlementId: uuid(1) }],
      },
    ]);
    expect(inTransit).toMatchObject([{ minor: -9_64n }]);
  });

  it('add what was in transit before the range, and have no balance if that is not known', () => {
    const before = buildSettlement({ id: uuid(3), date: '2026-02-28' });
    const entry = bankEntry({ amount: 9_64n, date: '2026-03-02' });
    const clearings = clearingsIn([matchOf([before], [entry])]);
    const account = 'assets:payments in transit';
    const opening = [{ account, currency: 'EUR', minor: 9_64n, scale: 2 }];
    expect(bookedFrom([judge()], { clearings, opening }).inTransit).toMatchObject([
      { minor: 9_64n },
    ]);
    expect(bookedFrom([], { clearings, opening }).inTransit).toMatchObject([{ minor: 0n }]);
    const unknown = bookedFrom([], { clearings, opening: undefined });
    expect(unknown.inTransit).toBeUndefined();
    expect(unknown.change).toMatchObject([{ minor: -9_64n }]);
  });

  it('have what is over on its own day and what is short on its last due day, on suspense', () => {
    const short = booked([[one], [bankEntry({ amount: 9_00n })], 'difference']);
    expect(short.entries.map(lineOf)).toEqual([
      ['03-06', 'bank 900', 'payments in transit -900'],
      ['03-12', 'payments in transit -64', 'suspense 64'],
    ]);
    const over = booked([[one], [bankEntry({ amount: 10_00n })], 'difference']);
    expect(over.entries.map(lineOf)).toEqual([
      ['03-06', 'bank 1000', 'payments in transit -964', 'suspense -36'],
    ]);
    expect(over.entries[0]?.postings.map(({ purpose }) => purpose)).toEqual([
      ...['bank', 'in_transit', 'overpaid'],
    ]);
  });

  it('have charges that the bank states on an account of their own', () => {
    const charged = bankEntry({ amount: 9_60n, charges: 4n });
    expect(booked([[one], [charged], 'difference']).entries.map(lineOf)).toEqual([
      ['03-06', 'bank 960', 'payments in transit -964', 'bank fees 4'],
    ]);
  });

  it.each(['suggested', 'ambiguous', 'unknown_on_bank'] as const)(
    'have what is %s on suspense',
    (state) => {
      const match = matchOf([one], [bankEntry({ amount: 9_64n })], state);
      const { entries } = bookedFrom([], {
        clearings: clearingsIn([{ ...match, difference: undefined }]),
      });
      expect(entries.map(lineOf)).toEqual([['03-06', 'bank 964', 'suspense -964']]);
      expect(entries).toMatchObject([
        { settlementIds: [], accountingToken: '', text: 'Receipt that no pay-out explains' },
      ]);
    },
  );

  it('move what was received before the day of its settlement from suspense on that day', () => {
    const early = bankEntry({ amount: 9_64n, date: '2026-03-04' });
    expect(booked([[one], [early]]).entries.map(lineOf)).toEqual([
      ['03-04', 'bank 964', 'suspense -964'],
      ['03-05', 'payments in transit -964', 'suspense 964'],
    ]);
  });

  it('move an accepted difference from suspense on its own day, to the account of the register', () => {
    const clearings = clearingsIn([matchOf([one], [bankEntry({ amount: 9_60n })], 'difference')]);
    const accepted = (account: string) =>
      bookedFrom([], { clearings, acceptedOnBank: () => ({ account }) }).entries.map(lineOf);
    const usual = [
      ['03-06', 'bank 960', 'payments in transit -960'],
      ['03-12', 'payments in transit -4', 'suspense 4'],
    ];
    const both = (account: string) => [...usual, ['03-12', 'suspense -4', `${account} 4`]];
    const sorted = (lines: readonly (readonly string[])[]) => lines.map(String).sort();
    expect(sorted(accepted('expenses:card fees'))).toEqual(sorted(both('card fees')));
    expect(sorted(accepted(''))).toEqual(sorted(both('accepted differences')));
  });

  it('do not clear transit with money in another currency, whatever was accepted', () => {
    const match = matchOf([one], [bankEntry({ amount: 9_60n, currency: 'USD' })], 'difference');
    const clearings = clearingsIn([{ ...match, reason: 'other_currency', difference: undefined }]);
    const acceptedOnBank = () => ({ account: 'expenses:bank fees' });
    const { entries } = bookedFrom([], { clearings, acceptedOnBank });
    expect(entries.map(lineOf)).toEqual([['03-06', 'bank 960', 'suspense -960']]);
    expect(entries[0]?.currency).toBe('USD');
  });

  it('move an accepted receipt without a pay-out from suspense', () => {
    const match = matchOf([], [bankEntry({ amount: 9_60n })], 'unknown_on_bank');
    const clearings = clearingsIn([{ ...match, difference: undefined }]);
    const acceptedOnBank = () => ({ account: 'income:other' });
    const { entries } = bookedFrom([], { clearings, acceptedOnBank });
    expect(entries.map(lineOf).map(String).sort()).toEqual([
      '03-06,bank 960,suspense -960',
      '03-06,suspense 960,other -960',
    ]);
  });

  it('clear each settlement of a batch, and what is over or short belongs to none of them', () => {
    const postings = (amount: bigint) =>
      booked([[one, other], [bankEntry({ amount })]]).entries.map((entry) =>
        entry.postings.map(({ purpose, minor, settlementId }) => [purpose, minor, settlementId]),
      );
    expect(postings(14_64n)).toEqual([
      [
        ['bank', 14_64n, ''],
        ['in_transit', -9_64n, uuid(1)],
        ['in_transit', -5_00n, uuid(2)],
      ],
    ]);
    expect(postings(14_00n)).toEqual([
      [
        ['bank', 14_00n, ''],
        ['in_transit', -9_64n, uuid(1)],
        ['in_transit', -5_00n, uuid(2)],
        ['in_transit', 64n, ''],
      ],
      [
        ['in_transit', -64n, ''],
        ['bank_difference', 64n, ''],
      ],
    ]);
  });

  it('clear a settlement with several entries on their own days, and only those in the range', () => {
    const halves = [
      bankEntry({ amount: 4_82n, date: '2026-03-31' }),
      bankEntry({ id: 'entry-2', amount: 4_82n, date: '2026-04-01' }),
    ];
    const late = buildSettlement({ date: '2026-03-31' });
    expect(booked([[late], halves]).entries.map(({ date }) => date)).toEqual(['2026-03-31']);
  });

  it('have two entries for two equal entries of the bank', () => {
    const twice = [bankEntry({ amount: 4_82n }), bankEntry({ id: 'entry-2', amount: 4_82n })];
    const { entries } = booked([[one], twice]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
  });

  it('leave out what comes to zero, and use the accounts of the settlement', () => {
    const zero = matchOf([buildSettlement({ payIn: 0n })], [bankEntry()]);
    expect(bookedFrom([], { clearings: clearingsIn([zero]) }).entries).toEqual([]);
    const halves = [bankEntry({ amount: 9_64n }), bankEntry({ id: 'entry-2' })];
    const clearings = clearingsIn([matchOf([one], halves)]);
    const accountFor: BookingRequest['accountFor'] = (purpose, { accountingToken, currency }) =>
      `${purpose} ${accountingToken} ${currency}`;
    expect(postingsOf(bookedFrom([], { clearings, accountFor }).entries)).toEqual([
      [
        ['bank token-a EUR', 9_64n],
        ['in_transit token-a EUR', -9_64n],
      ],
    ]);
  });

  it('have a part of an entry under its number, at the scale of the match', () => {
    const match = matchOf([one], [bankEntry({ scale: 3, amount: 9_640n })]);
    const parts = match.entries.map((share) => ({ ...share, part: 0 }));
    const clearings = clearingsIn([{ ...match, entries: parts }]);
    const { entries, inTransit } = bookedFrom([], { clearings });
    expect(entries).toMatchObject([{ bankEntryIds: ['entry-1/0'], scale: 3 }]);
    expect(entries.map(lineOf)).toEqual([['03-06', 'bank 9640', 'payments in transit -9640']]);
    expect(inTransit).toMatchObject([{ minor: -9_640n, scale: 3 }]);
    const batch = booked([[one, other], [bankEntry({ scale: 3, amount: 14_640n })]]);
    expect(postingsOf(batch.entries)[0]).toEqual([
      ['assets:bank', 14_640n],
      ['assets:payments in transit', -9_640n],
      ['assets:payments in transit', -5_000n],
    ]);
  });

  it('have a batch on its accounting token, or on none if it has several', () => {
    const paid = [bankEntry({ amount: 14_64n })];
    const names = new Map([['token-a', 'Web shop']]);
    const of = (second: typeof other) => {
      const clearings = clearingsIn([matchOf([one, second], paid)]);
      return bookedFrom([], { clearings, names }).entries;
    };
    expect(of(other)).toMatchObject([
      { accountingToken: 'token-a', text: 'Pay-out of 2 settlements, Web shop' },
    ]);
    expect(of({ ...other, accountingToken: 'token-b' })).toMatchObject([
      { accountingToken: '', text: 'Pay-out of 2 settlements' },
    ]);
  });

  it('have the settlements of a day before the bank, and balances by currency', () => {
    const date = '2026-03-06';
    const settled = [
      judge({ header: { id: uuid(3), date } }),
      judge({
        header: { id: uuid(4), date, currency: 'USD' },
        rows: [buildRow({ settlementId: uuid(4), currency: 'USD' })],
      }),
    ];
    const clearings = clearingsIn([matchOf([one], [bankEntry({ amount: 9_64n, date })])]);
    const { entries, inTransit } = bookedFrom(settled, { clearings });
    expect(entries.map(({ settlementIds }) => settlementIds[0])).toEqual([
      ...[uuid(3), uuid(4), uuid(1)],
    ]);
    expect(inTransit?.map(({ currency, minor }) => [currency, minor])).toEqual([
      ['EUR', 0n],
      ['USD', 9_64n],
    ]);
  });
});

describe('rows in another currency', () => {
  const usd = buildRow({ id: uuid(9), currency: 'USD', amount: 129_00n, fees: 2_05n, tax: 41n });
  const one = judge({ header: { transactions: 2 }, rows: [buildRow(), usd] });

  it('are booked in it, against suspense', () => {
    for (const per of ['settlement', 'day'] as const) {
      const { entries, foreign } = bookedFrom([one], { per });
      const own = entries.filter((entry) => foreign.has(entry));
      expect(own.map(({ currency }) => currency)).toEqual(['USD']);
      expect(postingsOf(own)).toEqual([
        [
          ['expenses:payment fees', 2_05n],
          ['assets:input tax', 41n],
          ['assets:receivables:payments', -129_00n],
          ['assets:suspense', 126_54n],
        ],
      ]);
      expect(postingsOf(entries.filter((entry) => !foreign.has(entry)))).toEqual([usual]);
    }
  });

  it('are left out of books that have another currency only, and their settlement says so', () => {
    const { entries, foreign } = bookedFrom([one], { onlyCurrency: 'EUR' });
    expect(foreign.size).toBe(0);
    expect(entries).toMatchObject([
      { text: `Settlement ${uuid(1)}. Not booked: 1 transaction, 129.00 USD` },
    ]);
    expect(foreignRows(one, { onlyCurrency: 'EUR' }).leftOut).toHaveLength(1);
    expect(foreignRows(one, { onlyCurrency: 'USD' }).leftOut).toEqual([]);
    expect(foreignRows(one, {}).leftOut).toEqual([]);
  });

  it('are left out if their currency is not valid', () => {
    const odd = judge({ rows: [buildRow(), { ...usd, currency: 'dollar' }] });
    expect(bookedFrom([odd]).foreign.size).toBe(0);
    expect(foreignRows(odd, {}).leftOut).toHaveLength(1);
  });
});

describe('the control of a journal', () => {
  const short = () => judge({ header: { payIn: 9_60n } });
  const entriesOf = () => bookedFrom([short()]).entries;
  const controlled = (some: readonly JournalEntry[]) =>
    controlTotals(some, runOf([short()]), 'gross-fees-tax');
  const figures = { gross: 10_00n, fees: 30n, tax: 6n, payIn: 9_60n, difference: -4n };
  const whose = { accountingToken: 'token-a', currency: 'EUR', scale: 2, settlements: 1 };

  it('gives what the report and the entries have in common', () => {
    expect(controlled(entriesOf())).toEqual([{ ...whose, ...figures }]);
  });

  it('fails if any amount is off by one minor unit, and if an entry is missing or repeated', () => {
    const [entry] = entriesOf();
    if (!entry) throw new RangeError('nothing is booked');
    expect(entry.postings).toHaveLength(5);
    for (const off of entry.postings) {
      const postings = entry.postings.map((posting) =>
        posting === off ? { ...posting, minor: posting.minor + 1n } : posting,
      );
      expect(() => controlled([{ ...entry, postings }])).toThrow('differs from the report');
    }
    expect(() => controlled([])).toThrow('The journal differs from the report: token-a EUR');
    expect(() => controlled([entry, entry])).toThrow();
    expect(() => controlled([{ ...entry, currency: 'USD' }])).toThrow();
    expect(() => controlled([{ ...entry, accountingToken: 'token-b' }])).toThrow();
  });

  it('leaves out what is pending and the bank, and groups without booked settlements', () => {
    const entries = entriesOf();
    const others = entries.flatMap((entry) => [
      { ...entry, isPending: true },
      { ...entry, bankEntryIds: ['e1'] },
    ]);
    expect(controlled([...entries, ...others])).toHaveLength(1);
    const pending = judge({ header: { status: 'pending_settlement' } });
    expect(controlTotals([], runOf([pending]), 'gross-fees-tax')).toEqual([]);
  });

  it('counts accepted differences like those on suspense', () => {
    const accepted = acceptedBy(short());
    const { entries } = bookedFrom([accepted]);
    expect(entries[0]?.postings.at(-1)?.purpose).toBe('accepted');
    const [control] = controlTotals(entries, runOf([accepted]), 'gross-fees-tax');
    expect(control).toMatchObject({ difference: -4n });
  });

  it('has neither fees nor tax if the identity leaves them out', () => {
    const [both, fees] = (['gross', 'gross-fees'] as const).map((identity) => {
      const settlement = judge({ header: { payIn: 9_60n }, settings: { identity } });
      const booked = bookedFrom([settlement], { identity }).entries;
      return controlTotals(booked, runOf([settlement], identity), identity)[0];
    });
    expect(both).toMatchObject({ fees: undefined, tax: undefined, difference: -40n });
    expect(fees).toMatchObject({ fees: 30n, tax: undefined, difference: -10n });
  });
});
