import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BankMatch } from '../../src/match/match.ts';
import type { BankEntry, EntryPart } from '../../src/model/bank.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import { entry, match, part, payout, service, statement, stranger } from './build.ts';

// Few ids and few amounts, so that much collides.
const ids = ['E2E-2026-03-05-A', 'E2E-2026-03-05-AB', 'E2E-2026-03-05-B', 'FILE-20260305', 'X'];
const amounts = [100n, 200n, 300n, 100_00n, -100n, 0n];
const days = ['2026-02-27', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-09', '2026-03-20'];

const some = <Value>(values: readonly Value[], most = 2) =>
  fc.uniqueArray(fc.constantFrom(...values), { maxLength: most });
const rarely = fc.nat(5).map((one) => one === 0);

const payouts = fc.array(
  fc.record({
    payIn: fc.constantFrom(...amounts),
    date: fc.constantFrom(...days),
    status: fc.constantFrom('settled', 'settled', 'settled_out_of_balance', 'pending_settlement'),
    currency: fc.constantFrom('EUR', 'EUR', 'USD'),
    scale: fc.constantFrom(2, 2, 3),
    accountingToken: fc.constantFrom('token-a', 'token-b'),
    paymentEndToEndIds: some(ids),
    paymentReferences: some(ids.slice(3), 1),
  }),
  { maxLength: 8 },
);

const said = fc.record({
  endToEndIds: some(ids, 1),
  paymentInformationIds: some(ids.slice(3), 1),
  references: some(ids, 1),
  texts: some([...ids, 'E2E-2026-03-05-A E2E-2026-03-05-B', 'pay E2E-2026-03-05'], 2),
  accounts: some([service, stranger], 1),
});

const entries = fc.array(
  fc.record({
    said,
    amount: fc.constantFrom(...amounts),
    date: fc.constantFrom(...days),
    currency: fc.constantFrom('EUR', 'EUR', 'USD'),
    isPending: rarely,
    isReversal: rarely,
    parts: fc.array(fc.record({ said, amount: fc.constantFrom(...amounts) }), { maxLength: 3 }),
    isSplit: rarely,
  }),
  { maxLength: 8 },
);

type Given<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;

function settlementsOf(given: Given<typeof payouts>): readonly Settlement[] {
  return given.map((one, at) => payout(`S${at}`, one));
}

function entriesOf(given: Given<typeof entries>): readonly BankEntry[] {
  return given.map(({ said: details, isPending, isSplit, parts, amount, ...one }, at) => {
    const payments = isSplit ? parts.map(partOf) : [];
    const sum = payments.reduce((total, payment) => total + (payment.amount ?? 0n), 0n);
    return entry(`E${at}`, details, {
      ...one,
      amount: payments.length > 1 ? sum : amount,
      status: isPending ? 'pending' : 'booked',
      parts: payments,
    });
  });
}

function partOf({ said: details, amount }: { said: Partial<EntryPart>; amount: bigint }) {
  return part({ ...details, amount });
}

const statements = [statement(), statement({ currency: 'USD' })];

function names({ settlements, entries: shares }: BankMatch) {
  return {
    settlements: settlements.map(({ settlement }) => settlement.id),
    pieces: shares.map((share) => `${share.entry.id}.${share.part ?? ''}`),
  };
}

/** Every run of a law, whatever is drawn. */
function law(check: (due: readonly Settlement[], paid: readonly BankEntry[]) => void): void {
  const property = fc.property(payouts, entries, (due, paid) =>
    check(settlementsOf(due), entriesOf(paid)),
  );
  fc.assert(property, { numRuns: 100 });
}

test('the order of settlements and entries does not change the matches', () => {
  law((due, paid) => {
    const there = match(due, paid, statements);
    const back = match([...due].reverse(), [...paid].reverse(), [...statements].reverse());
    expect(back).toEqual(there);
  });
});

test('no settlement or entry is matched twice or lost', () => {
  law((due, paid) => {
    const { matches, outside } = match(due, paid, statements);
    const all = [...matches, ...outside].map(names);
    const settlements = all.flatMap((one) => one.settlements);
    const pieces = all.flatMap((one) => one.pieces);
    expect(new Set(settlements).size).toBe(settlements.length);
    expect(new Set(pieces).size).toBe(pieces.length);
    const inRange = due.filter(({ date }) => date >= '2026-03-01').map(({ id }) => id);
    expect(settlements).toEqual(expect.arrayContaining(inRange));
    expect(new Set(pieces.map((one) => one.split('.')[0])).size).toBe(paid.length);
  });
});

test('a match agrees exactly, and a difference never does', () => {
  law((due, paid) => {
    for (const { state, expected, received, difference, reason, entries: shares } of match(
      due,
      paid,
      statements,
    ).matches) {
      if (state === 'matched') expect(received).toBe(expected);
      if (state === 'difference' && reason !== 'other_currency') {
        expect(difference).not.toBe(0n);
        expect(received).toBe(shares.reduce((sum, { amount }) => sum + amount, 0n));
      }
      if (difference !== undefined) expect(difference).toBe(received - expected);
      if (['suggested', 'ambiguous', 'pending_on_bank'].includes(state)) expect(received).toBe(0n);
    }
  });
});

test('the totals add up the matches', () => {
  law((due, paid) => {
    const { matches, totals } = match(due, paid, statements);
    const states = totals.flatMap((total) => [...total.states.values()]);
    const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
    const count = (list: 'settlements' | 'entries') => ({
      inTotals: sum(states.map((one) => one[list])),
      inMatches: sum(matches.map((one) => one[list].length)),
    });
    for (const { inTotals, inMatches } of [count('settlements'), count('entries')]) {
      expect(inTotals).toBe(inMatches);
    }
    const money = (one: { expected: bigint; received: bigint; scale: number }) =>
      (one.received - one.expected) * 10n ** BigInt(6 - one.scale);
    const all = totals.flatMap(({ scale, states: each }) =>
      [...each.values()].map((one) => money({ ...one, scale })),
    );
    const total = (values: readonly bigint[]) => values.reduce((whole, one) => whole + one, 0n);
    expect(total(all)).toBe(total(matches.map(money)));
  });
});

test('an entry that shows the whole id of a pay-out, anywhere, is never unknown beside it', () => {
  const id = 'E2E-20260305-01-0000029';
  const words = fc.array(
    fc.constantFrom('Pay', 'of', '4 March', 'Gutschrift', '7', '/', '\n', 'E2E-2026'),
  );
  const field = fc.constantFrom('texts', 'names', 'references', 'endToEndIds');
  fc.assert(
    fc.property(words, words, words, field, fc.constantFrom(' ', '\n', ', '), (...given) => {
      const [before, behind, next, name, mark] = given;
      const text = [...before, id, ...behind].join(mark);
      const one = payout('A', { paymentEndToEndIds: [id], date: '2026-03-04' });
      const shown = entry('1', { [name]: [text, next.join(' ')] }, { amount: 1n });
      const states = match([one], [shown], statements).matches.map(({ state }) => state);
      expect(states).toEqual(['difference']);
    }),
  );
});
