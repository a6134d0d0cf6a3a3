import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type BookingRequest, isBookable } from '../../src/books/book.ts';
import { controlTotals } from '../../src/books/control.ts';
import { transactionFigures } from '../../src/books/transaction-figures.ts';
import type { AcceptedDifference } from '../../src/model/accepted-difference.ts';
import type { JournalEntry } from '../../src/model/journal-entry.ts';
import { identityNames } from '../../src/reconcile/identity.ts';
import type { ReconciledSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { type Case, columnsOf, judge } from '../reconcile/judge.ts';
import { buildRow, buildSettlement, uuid } from '../support/build.ts';
import { bankEntry, bookedFrom, matchingOf, matchOf, runOf } from './book-run.ts';

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

describe('laws', () => {
  it('every entry comes to zero, has no zero in it, and the totals are those of the report', () => {
    const ways = fc.record({
      identity: fc.constantFrom(...identityNames),
      per: fc.constantFrom('settlement' as const, 'day' as const),
      includesPending: fc.boolean(),
      isDetailed: fc.boolean(),
    });
    fc.assert(
      fc.property(settlements, ways, (cases, { isDetailed, ...how }) => {
        const { identity } = how;
        const judged = cases.map((one) => judge({ ...one, settings: { identity } }));
        const figures = cases.map(({ rows = [] }, at) => {
          const one = judged[at];
          return one ? transactionFigures(one, columnsOf(rows), {}) : [];
        });
        const transactions = new Map(
          judged.map(({ settlement }, at) => [settlement.id, figures[at] ?? []]),
        );
        const { entries } = bookedFrom(judged, { ...how, ...(isDetailed && { transactions }) });
        for (const entry of entries) {
          expect(sumOf(entry)).toBe(0n);
          expect(entry.postings.map(({ minor }) => minor)).not.toContain(0n);
        }
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
        controlTotals(entries, runOf(judged, identity), identity);
      }),
    );
  });

  it('the order of settlements makes no difference', () => {
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

  it('stands in transit, on fees, on tax and against the receivable', () => {
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

  it('has fees and tax on the sides that the identity says, and none where it has none', () => {
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

test('by day, settlements of one account are one entry; suspense keeps their ids', () => {
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

test('by day, what comes to nothing together has no posting, and a day without any no entry', () => {
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
  const transactions = new Map([[uuid(1), transactionFigures(one, columnsOf(rows), {})]]);
  const { entries } = bookedFrom([one], { transactions });
  expect(entries[0]?.postings.map(({ transactionId, minor }) => [transactionId, minor])).toEqual([
    ['', 9_64n],
    [uuid(9), 30n],
    [uuid(9), 6n],
    [uuid(9), -4_00n],
    [uuid(1001), -6_00n],
  ]);
});

describe('with statements', () => {
  const one = buildSettlement();
  const other = buildSettlement({ id: uuid(2), payIn: 5_00n });
  const booked = (matches: readonly Parameters<typeof matchOf>[]) =>
    bookedFrom([], { matching: matchingOf(matches.map((each) => matchOf(...each))) });

  it('what is matched clears transit', () => {
    const { entries, inTransit } = booked([[[one], [bankEntry({ amount: 9_64n })]]]);
    expect(postingsOf(entries)).toEqual([
      [
        ['assets:bank', 9_64n],
        ['assets:payments in transit', -9_64n],
      ],
    ]);
    expect(entries).toMatchObject([
      {
        ...{ date: '2026-03-06', settlementIds: [uuid(1)], isPending: false },
        postings: [{ settlementId: uuid(1) }, { settlementId: uuid(1) }],
      },
    ]);
    expect(inTransit).toMatchObject([{ minor: -9_64n }]);
  });

  it('what was in transit before the range is cleared, and the balance is as if it had been booked', () => {
    const before = buildSettlement({ id: uuid(3), date: '2026-02-28' });
    const entry = bankEntry({ amount: 9_64n, date: '2026-03-02' });
    const outside = [matchOf([before], [entry])];
    const { entries, inTransit, older } = bookedFrom([judge()], {
      matching: matchingOf([], outside),
    });
    expect(postingsOf(entries)[0]).toEqual([
      ['assets:bank', 9_64n],
      ['assets:payments in transit', -9_64n],
    ]);
    expect(inTransit).toMatchObject([{ minor: 9_64n }]);
    expect(older).toMatchObject([{ minor: -9_64n }]);
  });

  it.each(['difference', 'suggested', 'ambiguous', 'returned', 'missing_on_bank'] as const)(
    'what is %s clears nothing',
    (state) => {
      const match = matchOf([one], [bankEntry({ amount: 9_00n })], state);
      const matching = matchingOf([match]);
      expect(bookedFrom([], { matching }).entries).toEqual([]);
      const acceptedOnBank = () => (state === 'difference' ? undefined : { account: 'x' });
      expect(bookedFrom([], { matching, acceptedOnBank }).entries).toEqual([]);
    },
  );

  it('a difference that was accepted stands on the account that the register names', () => {
    const matching = matchingOf([matchOf([one], [bankEntry({ amount: 9_60n })], 'difference')]);
    const acceptedOnBank = () => ({ account: 'expenses:bank fees' });
    expect(postingsOf(bookedFrom([], { matching, acceptedOnBank }).entries)).toEqual([
      [
        ['assets:bank', 9_60n],
        ['assets:payments in transit', -9_64n],
        ['expenses:bank fees', 4n],
      ],
    ]);
  });

  it('money in another currency clears nothing, whatever was accepted', () => {
    const match = matchOf([one], [bankEntry({ amount: 9_60n, currency: 'USD' })], 'difference');
    const matching = matchingOf([{ ...match, reason: 'other_currency', difference: undefined }]);
    const acceptedOnBank = () => ({ account: 'expenses:bank fees' });
    expect(bookedFrom([], { matching, acceptedOnBank }).entries).toEqual([]);
  });

  it('a batch clears each of its settlements', () => {
    const { entries } = booked([[[one, other], [bankEntry({ amount: 14_64n })]]]);
    expect(entries[0]?.postings.map(({ minor, settlementId }) => [minor, settlementId])).toEqual([
      [14_64n, ''],
      [-9_64n, uuid(1)],
      [-5_00n, uuid(2)],
    ]);
  });

  it('several entries of a settlement clear it on their own days, and only those of the range', () => {
    const halves = [
      bankEntry({ amount: 4_82n, date: '2026-03-31' }),
      bankEntry({ id: 'entry-2', amount: 4_82n, date: '2026-04-01' }),
    ];
    const { entries } = booked([[[one], halves]]);
    expect(entries.map(({ date }) => date)).toEqual(['2026-03-31']);
  });

  it('two equal entries of the bank are two entries of the books', () => {
    const twice = [bankEntry({ amount: 4_82n }), bankEntry({ id: 'entry-2', amount: 4_82n })];
    const { entries } = booked([[[one], twice]]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
  });

  it('a difference that was accepted is booked on the day of its last entry, and only in the range', () => {
    const bookedOn = (...dates: readonly string[]) => {
      const paid = dates.map((date, at) => bankEntry({ id: `e${at}`, amount: 4_80n, date }));
      const matching = matchingOf([matchOf([one], paid, 'difference')]);
      const acceptedOnBank = () => ({ account: '' });
      return bookedFrom([], { matching, acceptedOnBank }).entries;
    };
    const [entry, ...others] = bookedOn('2026-03-31', '2026-03-09');
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ date: '2026-03-31', bankEntryIds: ['e0', 'e1'] });
    expect(postingsOf(entry ? [entry] : [])).toEqual([
      [
        ['assets:bank', 4_80n],
        ['assets:bank', 4_80n],
        ['assets:payments in transit', -9_64n],
        ['expenses:accepted differences', 4n],
      ],
    ]);
    expect(bookedOn('2026-03-31', '2026-04-01')).toEqual([]);
    expect(bookedOn('2026-02-27', '2026-03-01')).toHaveLength(1);
  });

  it('what comes to nothing is not booked, and the accounts are those of the settlement', () => {
    const zero = matchOf([buildSettlement({ payIn: 0n })], [bankEntry()]);
    expect(bookedFrom([], { matching: matchingOf([zero]) }).entries).toEqual([]);
    const halves = [bankEntry({ amount: 9_64n }), bankEntry({ id: 'entry-2' })];
    const matching = matchingOf([matchOf([one], halves)]);
    const accountFor: BookingRequest['accountFor'] = (purpose, { accountingToken, currency }) =>
      `${purpose} ${accountingToken} ${currency}`;
    expect(postingsOf(bookedFrom([], { matching, accountFor }).entries)).toEqual([
      [
        ['bank token-a EUR', 9_64n],
        ['in_transit token-a EUR', -9_64n],
      ],
    ]);
  });

  it('a part of an entry is booked under its number, at the scale of the match', () => {
    const match = matchOf([one], [bankEntry({ scale: 3, amount: 9_640n })]);
    const parts = match.entries.map((share) => ({ ...share, part: 0 }));
    const matching = matchingOf([{ ...match, entries: parts }]);
    const { entries, inTransit } = bookedFrom([], { matching });
    expect(entries).toMatchObject([{ bankEntryIds: ['entry-1/0'], scale: 3 }]);
    expect(postingsOf(entries)).toEqual([
      [
        ['assets:bank', 9_640n],
        ['assets:payments in transit', -9_640n],
      ],
    ]);
    expect(inTransit).toMatchObject([{ minor: -9_640n, scale: 3 }]);
    const batch = matchOf([one, other], [bankEntry({ scale: 3, amount: 14_640n })]);
    expect(postingsOf(bookedFrom([], { matching: matchingOf([batch]) }).entries)[0]).toEqual([
      ['assets:bank', 14_640n],
      ['assets:payments in transit', -9_640n],
      ['assets:payments in transit', -5_000n],
    ]);
  });

  it('a batch is that of its accounting token, or of none where it has several', () => {
    const paid = [bankEntry({ amount: 14_64n })];
    const names = new Map([['token-a', 'Web shop']]);
    const of = (second: typeof other) => {
      const matching = matchingOf([matchOf([one, second], paid)]);
      return bookedFrom([], { matching, names }).entries;
    };
    expect(of(other)).toMatchObject([
      { accountingToken: 'token-a', text: 'Pay-out of 2 settlements, Web shop' },
    ]);
    expect(of({ ...other, accountingToken: 'token-b' })).toMatchObject([
      { accountingToken: '', text: 'Pay-out of 2 settlements' },
    ]);
  });

  it('of a day the settlements come before the bank, and balances are kept by currency', () => {
    const date = '2026-03-06';
    const settled = [
      judge({ header: { id: uuid(3), date } }),
      judge({
        header: { id: uuid(4), date, currency: 'USD' },
        rows: [buildRow({ settlementId: uuid(4), currency: 'USD' })],
      }),
    ];
    const matching = matchingOf([matchOf([one], [bankEntry({ amount: 9_64n, date })])]);
    const { entries, inTransit, older } = bookedFrom(settled, { matching });
    expect(entries.map(({ settlementIds }) => settlementIds[0])).toEqual([
      ...[uuid(3), uuid(4), uuid(1)],
    ]);
    expect(inTransit.map(({ currency, minor }) => [currency, minor])).toEqual([
      ['EUR', 0n],
      ['USD', 9_64n],
    ]);
    expect(older).toEqual([]);
  });

  it('what was in transit before the range is older only where it is not booked now', () => {
    const entry = bankEntry({ amount: 9_64n, date: '2026-03-02' });
    const before = { id: uuid(3), date: '2026-02-28' };
    const matching = matchingOf([], [matchOf([buildSettlement(before)], [entry])]);
    const own = judge({ header: before, rows: [buildRow({ settlementId: uuid(3) })] });
    const { inTransit, older } = bookedFrom([own], { matching });
    expect(inTransit).toMatchObject([{ minor: 0n }]);
    expect(older).toEqual([]);
    const first = { ...before, date: '2026-03-01' };
    const outside = matchingOf([], [matchOf([buildSettlement(first)], [entry])]);
    expect(bookedFrom([], { matching: outside }).older).toEqual([]);
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

  it('fails where any amount is a minor unit off, and where an entry is missing or twice', () => {
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

  it('counts neither what is pending nor the bank, and no group without booked settlements', () => {
    const entries = entriesOf();
    const others = entries.flatMap((entry) => [
      { ...entry, isPending: true },
      { ...entry, bankEntryIds: ['e1'] },
    ]);
    expect(controlled([...entries, ...others])).toHaveLength(1);
    const pending = judge({ header: { status: 'pending_settlement' } });
    expect(controlTotals([], runOf([pending]), 'gross-fees-tax')).toEqual([]);
  });

  it('counts accepted differences as those on suspense', () => {
    const accepted = acceptedBy(short());
    const { entries } = bookedFrom([accepted]);
    expect(entries[0]?.postings.at(-1)?.purpose).toBe('accepted');
    const [control] = controlTotals(entries, runOf([accepted]), 'gross-fees-tax');
    expect(control).toMatchObject({ difference: -4n });
  });

  it('has neither fees nor tax where the identity leaves them out', () => {
    const [both, fees] = (['gross', 'gross-fees'] as const).map((identity) => {
      const settlement = judge({ header: { payIn: 9_60n }, settings: { identity } });
      const booked = bookedFrom([settlement], { identity }).entries;
      return controlTotals(booked, runOf([settlement], identity), identity)[0];
    });
    expect(both).toMatchObject({ fees: undefined, tax: undefined, difference: -40n });
    expect(fees).toMatchObject({ fees: 30n, tax: undefined, difference: -10n });
  });
});
