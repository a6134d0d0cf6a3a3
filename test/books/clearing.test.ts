import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Carried,
  type CarriedFigures,
  type Clearing,
  clearedBy,
  clearedFigures,
  clearingsOf,
  noFigures,
} from '../../src/books/clearing.ts';
import { BusinessDays } from '../../src/match/business-days.ts';
import type { BankEntry } from '../../src/model/bank.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import { formatMinor } from '../../src/money/money.ts';
import { type AcceptedDifferences, acceptedOn } from '../../src/reconcile/acceptance.ts';
import { entry, match, payout, statement } from '../match/build.ts';

// A settlement of 2026-03-05, a Thursday, is due until 2026-03-12.

const said = (...ids: string[]) => ({ texts: ids.map((id) => `E2E-20260305-${id}`) });

function received(date: string, amount: bigint, ids = ['A'], more: Partial<BankEntry> = {}) {
  return entry(`${date} ${amount}`, said(...ids), { date, amount, ...more });
}

/** A clearing in a line: day, whose, and each amount that is not zero. */
function line({ date, settlement, accountingToken, entry, scale, ...all }: Clearing): string {
  const amounts = (['bank', 'received', 'charges', 'over', 'short', 'suspense'] as const).flatMap(
    (name) => (all[name] === 0n ? [] : `${name} ${formatMinor(all[name], scale)}`),
  );
  return [date.slice(5), settlement?.id ?? (accountingToken || '-'), ...amounts].join(' ');
}

const businessDays = new BusinessDays();

type Options = Partial<Parameters<typeof clearingsOf>[1]> & {
  readonly accepted?: AcceptedDifferences;
};

function clearings(
  settlements: readonly Settlement[],
  entries: readonly BankEntry[],
  { statements = [statement()], accepted, ...options }: Options = {},
) {
  const found = match(settlements, entries, statements, ['NL11PAYS0000000001'], accepted);
  return clearingsOf([...found.matches, ...found.outside], {
    statements,
    businessDays,
    ...options,
  });
}

const lines = (...given: Parameters<typeof clearings>) => clearings(...given).map(line);

describe('one settlement', () => {
  test('is cleared by what the bank received, on the day of receipt', () => {
    expect(lines([payout('A')], [received('2026-03-06', 100_00n)])).toEqual([
      '03-06 A bank 100.00 received 100.00',
    ]);
  });

  test('that arrives in parts is cleared part by part', () => {
    const parts = [received('2026-03-06', 60_00n), received('2026-03-09', 40_00n)];
    expect(lines([payout('A')], parts)).toEqual([
      '03-06 A bank 60.00 received 60.00',
      '03-09 A bank 40.00 received 40.00',
    ]);
  });

  test('that is paid twice is over by the second pay-out, on its day', () => {
    const twice = [received('2026-03-06', 100_00n), received('2026-03-09', 100_00n)];
    expect(lines([payout('A')], twice)).toEqual([
      '03-06 A bank 100.00 received 100.00',
      '03-09 A bank 100.00 received 100.00 over 100.00',
    ]);
  });

  test('is short on its last due day, and what is received later is over', () => {
    const late = [received('2026-03-06', 98_50n), received('2026-03-13', 1_50n)];
    expect(lines([payout('A')], late)).toEqual([
      '03-06 A bank 98.50 received 98.50',
      '03-12 A short 1.50',
      '03-13 A bank 1.50 received 1.50 over 1.50',
    ]);
  });

  test('is not short while its account has no statement of the last due day', () => {
    const to = '2026-03-11';
    const elsewhere = statement({ account: 'NL99BANK0000000008' });
    const given = [received('2026-03-06', 98_50n)];
    expect(lines([payout('A')], given, { statements: [statement({ to }), elsewhere] })).toEqual([
      '03-06 A bank 98.50 received 98.50',
    ]);
  });

  test('stays in transit if nothing was received, or all of it was returned', () => {
    const back = received('2026-03-09', -100_00n, ['A'], { isReversal: true });
    expect(lines([payout('A')], [])).toEqual([]);
    expect(lines([payout('A')], [received('2026-03-06', 100_00n), back])).toEqual([
      '03-06 A bank 100.00 received 100.00',
      '03-09 A bank -100.00 received -100.00',
    ]);
  });

  test('of which some is returned first loses what was over', () => {
    const given = [
      received('2026-03-06', 130_00n),
      received('2026-03-09', -50_00n),
      received('2026-03-10', 20_00n),
    ];
    expect(lines([payout('A')], given)).toEqual([
      '03-06 A bank 130.00 received 130.00 over 30.00',
      '03-09 A bank -50.00 received -50.00 over -30.00',
      '03-10 A bank 20.00 received 20.00',
    ]);
  });

  test('with a negative pay-in is cleared by debits', () => {
    const given = [
      received('2026-03-06', -90_00n),
      received('2026-03-09', -30_00n),
      received('2026-03-10', 20_00n),
    ];
    expect(lines([payout('A', { payIn: -100_00n })], given)).toEqual([
      '03-06 A bank -90.00 received -90.00',
      '03-09 A bank -30.00 received -30.00 over -20.00',
      '03-10 A bank 20.00 received 20.00 over 20.00',
    ]);
  });

  test('counts money in before money out of the same day', () => {
    const given = [received('2026-03-06', -100_00n), received('2026-03-06', 100_00n)];
    expect(lines([payout('A')], given)).toEqual([
      '03-06 A bank 100.00 received 100.00',
      '03-06 A bank -100.00 received -100.00',
    ]);
  });

  test('keeps amounts at the scale of its match', () => {
    expect(
      lines([payout('A', { payIn: 100_000n, scale: 3 })], [received('2026-03-06', 99_99n)]),
    ).toEqual(['03-06 A bank 99.990 received 99.990', '03-12 A short 0.010']);
  });
});

describe('charges that the bank states', () => {
  const given = (charges: bigint) => [received('2026-03-06', 98_50n, ['A'], { charges })];

  test('explain exactly what is short', () => {
    expect(lines([payout('A')], given(1_50n))).toEqual([
      '03-06 A bank 98.50 received 98.50 charges 1.50',
    ]);
  });

  test('do not explain a different amount', () => {
    expect(lines([payout('A')], given(1_40n))).toEqual([
      '03-06 A bank 98.50 received 98.50',
      '03-12 A short 1.50',
    ]);
  });

  test('count after the last due day too, and what was short until then is over', () => {
    const parts = [
      received('2026-03-06', 60_00n),
      received('2026-03-13', 38_50n, ['A'], { charges: 1_50n }),
    ];
    expect(lines([payout('A')], parts)).toEqual([
      '03-06 A bank 60.00 received 60.00',
      '03-12 A short 40.00',
      '03-13 A bank 38.50 received 38.50 charges 1.50 over 40.00',
    ]);
  });

  test('are added to a negative pay-in', () => {
    const debit = received('2026-03-06', -101_50n, ['A'], { charges: 1_50n });
    expect(lines([payout('A', { payIn: -100_00n })], [debit])).toEqual([
      '03-06 A bank -101.50 received -101.50 charges 1.50',
    ]);
  });
});

describe('a receipt without a settlement', () => {
  test('is on suspense', () => {
    expect(lines([], [entry('E')])).toEqual(['03-06 - bank 100.00 suspense 100.00']);
  });

  test('is on suspense while it is only suggested', () => {
    expect(lines([payout('A')], [entry('E')])).toEqual(['03-06 - bank 100.00 suspense 100.00']);
  });

  test('is on suspense in its own currency', () => {
    const foreign = received('2026-03-06', 100_00n, ['A'], { currency: 'USD' });
    const [only] = clearings([payout('A')], [foreign]);
    expect([only?.currency, only?.suspense, only?.received]).toEqual(['USD', 100_00n, 0n]);
  });

  test('that was only announced, or belongs to others, is not posted', () => {
    const accounts = ['DE22RENT0000000002'];
    const given = [entry('E', {}, { status: 'pending' }), entry('F', { accounts })];
    expect(lines([payout('A')], given)).toEqual([]);
  });

  test('is moved to the settlement on the day of the settlement', () => {
    const given = [received('2026-03-03', 60_00n), received('2026-03-04', 60_00n)];
    expect(lines([payout('A')], given)).toEqual([
      '03-03 - bank 60.00 suspense 60.00',
      '03-04 - bank 60.00 suspense 60.00',
      '03-05 A received 120.00 over 20.00 suspense -120.00',
    ]);
  });

  test('stays on suspense while the settlement is pending', () => {
    const given = [received('2026-03-06', 100_00n)];
    const pending = payout('A', { status: 'pending_settlement' });
    expect(lines([pending], given)).toEqual(['03-06 - bank 100.00 suspense 100.00']);
    expect(lines([pending], given, { isSettled: () => true })).toEqual([
      '03-06 A bank 100.00 received 100.00',
    ]);
  });
});

describe('several settlements in one entry', () => {
  const two = [payout('A'), payout('B', { accountingToken: 'token-b', payIn: 50_00n })];

  test('are each cleared by their pay-in', () => {
    expect(lines(two, [received('2026-03-06', 150_00n, ['A', 'B'])])).toEqual([
      '03-06 A bank 100.00 received 100.00',
      '03-06 B bank 50.00 received 50.00',
    ]);
  });

  test('are over or short together, under no settlement', () => {
    expect(lines(two, [received('2026-03-06', 140_00n, ['A', 'B'])])).toEqual([
      '03-06 A bank 100.00 received 100.00',
      '03-06 B bank 50.00 received 50.00',
      '03-06 - bank -10.00 received -10.00',
      '03-12 - short 10.00',
    ]);
    expect(lines(two, [received('2026-03-06', 151_00n, ['A', 'B'])])).toEqual([
      '03-06 A bank 100.00 received 100.00',
      '03-06 B bank 50.00 received 50.00',
      '03-06 - bank 1.00 received 1.00 over 1.00',
    ]);
  });

  test('of one accounting token are over or short together, under the token', () => {
    const alike = [payout('A'), payout('B')];
    expect(lines(alike, [received('2026-03-06', 150_00n, ['A', 'B'])]).slice(2)).toEqual([
      '03-06 token-a bank -50.00 received -50.00',
      '03-12 token-a short 50.00',
    ]);
  });

  test('are cleared on their own days', () => {
    const [a, b] = [payout('A'), payout('B', { date: '2026-03-09' })];
    expect(lines([a, b], [received('2026-03-06', 200_00n, ['A', 'B'])])).toEqual([
      '03-06 A bank 200.00 received 200.00 over 100.00',
      '03-09 A received -100.00 over -100.00 suspense 100.00',
      '03-09 B received 100.00 suspense -100.00',
    ]);
  });

  test('are all cleared back by a return', () => {
    const back = received('2026-03-09', -150_00n, ['A', 'B'], { isReversal: true });
    expect(lines(two, [received('2026-03-06', 150_00n, ['A', 'B']), back]).slice(2)).toEqual([
      '03-09 A bank -100.00 received -100.00',
      '03-09 B bank -50.00 received -50.00',
    ]);
  });
});

describe('a carried close', () => {
  const carried = (
    figures: Partial<CarriedFigures>,
    payIn: bigint | undefined = 100_00n,
  ): Carried => ({
    through: '2026-03-06',
    isReadAgain: () => false,
    isDecided: () => false,
    of: () => ({ ...noFigures, scale: 2, ...figures }),
    ofAll: () => undefined,
    payInsOf: () => [{ through: '2026-03-06', payIn, scale: 2 }],
  });

  test('is continued without the entries before it', () => {
    const options = { carried: carried({ received: 60_00n }) };
    const rest = received('2026-03-09', 50_00n);
    expect(lines([payout('A')], [rest], options)).toEqual([
      '03-09 A bank 50.00 received 50.00 over 10.00',
    ]);
    expect(lines([payout('A')], [received('2026-03-06', 60_00n), rest], options)).toEqual([
      '03-09 A bank 50.00 received 50.00 over 10.00',
    ]);
    expect(lines([payout('A')], [], options)).toEqual(['03-12 A short 40.00']);
  });

  test('has on suspense what was received before its settlement', () => {
    const payInsOf = () => [];
    const options = { carried: { ...carried({}), payInsOf, through: '2026-03-04' } };
    expect(lines([payout('A')], [received('2026-03-03', 100_00n)], options)).toEqual([
      '03-05 A received 100.00 suspense -100.00',
    ]);
  });

  test('has what was restated since on the day after it, and nothing of it before', () => {
    const restated = (payIn: bigint, was: Partial<CarriedFigures>) =>
      lines([payout('A', { payIn })], [], { carried: carried(was) });
    expect(restated(102_00n, { received: 100_00n })).toEqual(['03-12 A short 2.00']);
    expect(restated(98_00n, { received: 100_00n })).toEqual(['03-07 A over 2.00']);
    expect(restated(0n, { received: 100_00n })).toEqual(['03-07 A over 100.00']);
    // What was over, or short, is now what the settlement says.
    const over = { received: 102_00n, over: 2_00n };
    expect(restated(102_00n, over)).toEqual(['03-07 A over -2.00']);
    const short = { received: 98_00n, short: 2_00n };
    expect(restated(98_00n, short)).toEqual(['03-07 A over 2.00']);
  });

  test('has on the day after it a settlement of its days that was not settled then', () => {
    const late = { carried: { ...carried({}), payInsOf: notSettled } };
    expect(lines([payout('A')], [received('2026-03-06', 100_00n)], late)).toEqual([
      '03-07 A received 100.00 suspense -100.00',
    ]);
  });

  const notSettled = () => [{ through: '2026-03-06', payIn: undefined, scale: 2 }];
});

describe('for any receipts and returns', () => {
  const days = ['2026-03-03', '2026-03-05', '2026-03-06', '2026-03-09', '2026-03-12', '2026-03-16'];
  const money = fc.array(
    fc.record({
      date: fc.constantFrom(...days),
      amount: fc.constantFrom(100_00n, -100_00n, 60_00n, -60_00n, 98_50n, 250_00n, 1_50n),
      charges: fc.constantFrom(undefined, undefined, 1_50n),
      ids: fc.constantFrom(['A'], ['A'], ['B'], ['A', 'B'], []),
      currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
    }),
    { maxLength: 7 },
  );
  const settlements = fc
    .tuple(
      fc.constantFrom(100_00n, -100_00n, 0n, 250_00n),
      fc.constantFrom('2026-03-05', '2026-03-09'),
      fc.constantFrom('token-a', 'token-b'),
    )
    .map(([payIn, date, accountingToken]) => [
      payout('A'),
      payout('B', { payIn, date, accountingToken }),
    ]);
  type Money = typeof money extends fc.Arbitrary<infer One> ? One : never;
  const entriesOf = (all: Money) =>
    all.map(({ ids, ...one }, at) => entry(`E${at}`, said(...ids), one));
  const statements = [statement(), statement({ currency: 'USD' })];
  const sum = (all: readonly Clearing[], of: (one: Clearing) => bigint) =>
    all.reduce((total, one) => total + of(one), 0n);

  test('the bank account is the sum of the statements', () => {
    fc.assert(
      fc.property(settlements, money, (due, all) => {
        const entries = entriesOf(all);
        const told = clearings(due, entries, { statements });
        for (const currency of ['EUR', 'USD']) {
          const booked = entries.filter((one) => one.currency === currency);
          const own = told.filter((one) => one.currency === currency);
          expect(sum(own, ({ bank }) => bank)).toBe(
            booked.reduce((t, { amount }) => t + amount, 0n),
          );
        }
        for (const one of told) expect(one.bank).toBe(one.received + one.suspense);
      }),
    );
  });

  test('what is left does not depend on the order and number of returns', () => {
    fc.assert(
      fc.property(settlements, money, fc.nat(), (due, all, seed) => {
        const [entries, other] = [entriesOf(all), entriesOf(all)];
        const at = seed % Math.max(1, other.length);
        const turned = [...other.slice(at), ...other.slice(0, at)];
        const told = lines(due, entries, { statements });
        expect(lines(due, turned, { statements })).toEqual(told);
      }),
    );
  });

  test('closing = pay-in − received − charges − short + over for one settlement, and never beyond 0', () => {
    fc.assert(
      fc.property(fc.constantFrom(100_00n, -100_00n), money, (payIn, all) => {
        const own = entriesOf(all.map((one) => ({ ...one, ids: ['A'], currency: 'EUR' })));
        const told = clearings([payout('A', { payIn })], own, { statements });
        const left = payIn - sum(told, clearedBy);
        expect(left === 0n || left < 0n === payIn < 0n).toBe(true);
      }),
    );
  });

  test('a day does not depend on later dates', () => {
    fc.assert(
      fc.property(money, fc.constantFrom(...days), (all, to) => {
        const own = entriesOf(all.map((one) => ({ ...one, ids: ['A'], currency: 'EUR' })));
        const known = own.filter(({ date }) => date <= to);
        const upTo = (told: readonly Clearing[]) =>
          told
            .filter(({ date }) => date <= to)
            .map(line)
            .sort();
        const then = clearings([payout('A')], known, { statements: [statement({ to })] });
        // Nobody knows a settlement before its day, nor what its text means.
        const isKnown = to >= '2026-03-05';
        const early = isKnown ? then : clearings([], known, { statements: [statement({ to })] });
        expect(upTo(clearings([payout('A')], own))).toEqual(upTo(early));
      }),
    );
  });

  test('carrying on from a close gives the same as reading again from the beginning', () => {
    const through = '2026-03-09';
    fc.assert(
      fc.property(money, fc.constantFrom(100_00n, 102_00n, 60_00n, 0n), (all, payIn) => {
        const own = entriesOf(all.map((one) => ({ ...one, ids: ['A'], currency: 'EUR' })));
        const whole = clearings([payout('A')], own);
        const before = whole.filter(({ date, settlement }) => date <= through && settlement);
        const of = () => ({
          ...clearedFigures((name) => sum(before, (one) => one[name])),
          scale: 2,
        });
        const payInsOf = () => [{ through, payIn: 100_00n, scale: 2 }];
        const closed = { through, of, payInsOf, ofAll: () => undefined, isDecided: () => false };
        const now = [payout('A', { payIn })];
        const afterClose = (entries: typeof own, isReadAgain: boolean) =>
          clearings(now, entries, { carried: { ...closed, isReadAgain: () => isReadAgain } })
            .filter(({ date }) => date > through)
            .map(line);
        const later = own.filter(({ date }) => date > through);
        expect(afterClose(later, false)).toEqual(afterClose(own, true));
        if (payIn !== 100_00n) return;
        expect(afterClose(later, false)).toEqual(
          whole.filter(({ date }) => date > through).map(line),
        );
      }),
    );
  });
});

test('the last due day is five business days after the date', () => {
  expect(businessDays.daysDue({ date: '2026-03-05', currency: 'EUR' }).to).toBe('2026-03-12');
});

describe('what people decided', () => {
  const back = payout('A', { payIn: -58_00n });
  const next = payout('B', { payIn: 200_00n, date: '2026-03-06' });
  const decided = {
    ...{ settlementId: 'A', settlementDate: back.date, accountingToken: '', currency: 'EUR' },
    ...{ scale: 2, expected: -58_00n, received: -58_00n, reason: '', by: 'Ada' },
    ...{ on: '2026-04-02', until: undefined, account: '', decision: 'settled_with' as const },
    other: { settlementId: 'B', settlementDate: next.date, payIn: 200_00n },
  };
  const accepted = acceptedOn('2026-04-02', [decided]);
  const isWrittenOff = () => true;

  /** A close through the middle of March that knew these figures. */
  const closed = (figures: Readonly<Record<string, Partial<CarriedFigures>>>): Carried => ({
    through: '2026-03-15',
    isReadAgain: () => true,
    isDecided: () => false,
    of: ({ id }) => figures[id] && { ...noFigures, scale: 2, ...figures[id] },
    ofAll: () => undefined,
    payInsOf: () => [],
  });

  test('settles two pay-outs in one: each is cleared by its own pay-in', () => {
    const given = [received('2026-03-09', 142_00n, ['B'])];
    expect(lines([back, next], given, { accepted })).toEqual([
      '03-09 A bank -58.00 received -58.00',
      '03-09 B bank 200.00 received 200.00',
    ]);
  });

  test.each<[string, Readonly<Record<string, Partial<CarriedFigures>>>, bigint]>([
    ['by its id', { A: {}, B: { received: 142_00n, short: 58_00n } }, 58_00n],
    ['not at all', { A: {}, B: {} }, -142_00n],
  ])('after a close that knew the receipt %s moves on the next day', (_, figures, suspense) => {
    const given = [received('2026-03-09', 142_00n, ['B'])];
    const found = clearings([back, next], given, { accepted, carried: closed(figures) });
    expect(new Set(found.map(({ date }) => date))).toEqual(new Set(['2026-03-16']));
    const cleared = (id: string) =>
      found
        .filter(({ settlement }) => settlement?.id === id)
        .reduce((all, one) => all + clearedBy(one), 0n);
    const before = figures['B']?.received === undefined ? 0n : 200_00n;
    expect([cleared('A'), cleared('B')]).toEqual([-58_00n, 200_00n - before]);
    expect(found.every(({ bank }) => bank === 0n)).toBe(true);
    const moved = found.reduce((all, one) => all + one.suspense + one.over - one.short, 0n);
    expect(moved).toBe(suspense);
  });

  test('settles two that come to nothing on the later day', () => {
    const same = payout('B', { payIn: 58_00n, date: '2026-03-06' });
    const line = { ...decided, other: { ...decided.other, payIn: 58_00n } };
    expect(lines([back, same], [], { accepted: acceptedOn('2026-04-02', [line]) })).toEqual([
      '03-06 A received -58.00 suspense 58.00',
      '03-06 B received 58.00 suspense -58.00',
    ]);
  });

  test('writes off what is open on the last due day, or after the last movement', () => {
    const one = received('2026-03-06', 100_00n);
    const gone = received('2026-03-20', -100_00n, ['A'], { isReversal: true });
    expect(lines([payout('A')], [], { isWrittenOff })).toEqual(['03-12 A short 100.00']);
    expect(lines([payout('A')], [one, gone], { isWrittenOff }).at(-1)).toBe('03-20 A short 100.00');
    const part = [received('2026-03-06', 60_00n)];
    expect(lines([payout('A')], part, { isWrittenOff })).toEqual(lines([payout('A')], part));
  });

  test('writes off what a close left open on the next day, once', () => {
    const carried = closed({ A: {} });
    expect(lines([payout('A')], [], { isWrittenOff, carried })).toEqual(['03-16 A short 100.00']);
    const known = closed({ A: { short: 100_00n } });
    expect(lines([payout('A')], [], { isWrittenOff, carried: known })).toEqual([]);
  });
});
