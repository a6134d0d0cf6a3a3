import { describe, expect, test } from 'vitest';
import type { BankEntry } from '../../src/model/bank.ts';
import { entry, lines, match, part, payout, service, statement, stranger } from './build.ts';

const e2e = (id: string) => ({ endToEndIds: [`E2E-20260305-${id}`] });
const uuidId = '3f2b9c1e-7a64-4d0b-9e55-0c1d2e3f4a5b';

describe('the search by an end-to-end id', () => {
  test.each([
    ['whole', 'E2E-20260305-A'],
    ['in small letters, without dashes', 'e2e20260305a'],
    ['with other characters for the dashes', 'E2E/20260305 A'],
  ])('matches an id that is written %s', (_, id) => {
    expect(lines([payout('A')], [entry('1', { endToEndIds: [id] })])).toEqual([
      'matched end_to_end_id A = 1',
    ]);
  });

  const bareId = uuidId.replaceAll('-', '');
  test.each([uuidId.slice(0, 35), bareId, bareId.slice(0, 31)])('matches a UUID as %s', (id) => {
    const one = payout('A', { paymentEndToEndIds: [uuidId] });
    expect(lines([one], [entry('1', { endToEndIds: [id] })])).toEqual([
      'matched end_to_end_id A = 1',
    ]);
  });

  test('does not match ids that differ only in the places of their dashes', () => {
    const a = payout('A', { paymentEndToEndIds: ['E2E-1-11'] });
    const b = payout('B', { paymentEndToEndIds: ['E2E-11-1'] });
    expect(lines([a, b], [entry('1', { endToEndIds: ['E2E-11-1'] })])).toEqual([
      'missing_on_bank A = ',
      'matched end_to_end_id B = 1',
    ]);
  });

  test('gives a difference for another amount', () => {
    const fee = entry('1', e2e('A'), { amount: 98_50n });
    expect(lines([payout('A')], [fee])).toEqual(['difference end_to_end_id A = 1 -150']);
  });

  test('explains a difference by exactly the charge that the bank states', () => {
    const stated = (charges: bigint, more = {}) =>
      lines([payout('A')], [entry('1', e2e('A'), { amount: 98_50n, charges, ...more })]);
    expect(stated(1_50n)).toEqual(['charged end_to_end_id A = 1 -150']);
    expect(stated(1_5000n, { scale: 4, amount: 98_5000n })).toEqual([
      'charged end_to_end_id A = 1 -15000',
    ]);
    for (const other of [1_49n, 1_51n, -1_50n, 0n]) {
      expect(stated(other)).toEqual(['difference end_to_end_id A = 1 -150']);
    }
  });

  test('uses the charge of a part for the pay-out of that part', () => {
    const parts = ['A', 'B'].map((id) => part({ ...e2e(id), amount: 98_50n, charges: 1_50n }));
    const batch = entry('1', {}, { amount: 197_00n, charges: 3_00n, parts });
    expect(lines([payout('A'), payout('B')], [batch])).toEqual([
      'charged end_to_end_id A = 1.0 -150',
      'charged end_to_end_id B = 1.1 -150',
    ]);
  });

  test('explains a difference by a charge on a negative pay-in, or by one booked separately', () => {
    const debit = entry('1', e2e('A'), { amount: -101_50n, charges: 1_50n });
    expect(lines([payout('A', { payIn: -100_00n })], [debit])).toEqual([
      'charged end_to_end_id A = 1 -150',
    ]);
    const apart = [
      entry('1', e2e('A')),
      entry('2', e2e('A'), { date: '2026-03-09', amount: -1_50n, charges: 1_50n }),
    ];
    expect(lines([payout('A')], apart)).toEqual(['charged end_to_end_id A = 1+2 -150']);
  });

  test('reports a pay-out that is paid twice', () => {
    expect(lines([payout('A')], [entry('1', e2e('A')), entry('2', e2e('A'))])).toEqual([
      'difference end_to_end_id paid_twice A = 1+2 10000',
    ]);
  });

  test('reports a second payment that has the id only in its text', () => {
    const first = entry('1', e2e('A'));
    const second = entry('2', { texts: ['again E2E-20260305-A'] });
    expect(lines([payout('A')], [first, second])).toEqual([
      'difference text paid_twice A = 1+2 10000',
    ]);
  });

  test('matches several entries of one settlement', () => {
    const one = payout('A', { paymentEndToEndIds: ['E2E-A-1', 'E2E-A-2'] });
    const first = entry('1', { endToEndIds: ['E2E-A-1'] }, { amount: 60_00n });
    const second = entry('2', { endToEndIds: ['E2E-A-2'] }, { amount: 40_00n });
    expect(lines([one], [first, second])).toEqual(['matched end_to_end_id A = 1+2']);
    expect(lines([one], [first])).toEqual(['difference end_to_end_id A = 1 -4000']);
  });

  test('sorts several entries by day, then account, then id', () => {
    const shown = (...changes: readonly Parameters<typeof entry>[2][]) => {
      const all = changes.map((one, at) => entry(`${at}`, e2e('A'), { amount: 25_00n, ...one }));
      return match([payout('A')], all).matches[0]?.entries.map((one) => one.entry.id);
    };
    const [account, date] = ['A', '2026-03-05'];
    expect(shown({}, { account }, { date }, {})).toEqual(['2', '1', '0', '3']);
  });

  test('compares amounts of different scales exactly', () => {
    const ids = e2e('A');
    const exact = entry('1', ids, { scale: 4, amount: 100_0000n });
    expect(lines([payout('A')], [exact])).toEqual(['matched end_to_end_id A = 1']);
    const off = entry('1', ids, { scale: 4, amount: 100_0001n });
    expect(lines([payout('A')], [off])).toEqual(['difference end_to_end_id A = 1 1']);
  });

  test('never compares another currency', () => {
    const dollars = entry('1', e2e('A'), { currency: 'USD' });
    const [found] = match([payout('A')], [dollars]).matches;
    expect(found).toMatchObject({ state: 'difference', reason: 'other_currency', received: 0n });
    expect(found?.difference).toBeUndefined();
  });

  test('expects money out for a negative pay-in', () => {
    const debit = entry('1', e2e('A'), { amount: -5_00n });
    const minus = payout('A', { payIn: -5_00n });
    expect(lines([minus], [debit])).toEqual(['matched end_to_end_id A = 1']);
    expect(lines([payout('A', { payIn: 5_00n })], [debit])).toEqual([
      'difference end_to_end_id returned A = 1 -1000',
    ]);
  });

  test('ignores placeholders', () => {
    const one = payout('A', { paymentEndToEndIds: ['NOTPROVIDED'] });
    const other = entry('1', { endToEndIds: ['NOTPROVIDED'] }, { amount: 1n });
    expect(lines([one], [other])).toEqual(['missing_on_bank A = ', 'unknown_on_bank  = 1']);
  });
});

describe('the search by an id that several share', () => {
  const all = ['A', 'B', 'C'].map((id, at) =>
    payout(id, { payIn: BigInt(at + 1) * 100_00n, paymentReferences: ['FILE-1'] }),
  );
  const ids = { paymentInformationIds: ['FILE-1'] };
  const entriesOf = (...amounts: readonly bigint[]) =>
    amounts.map((amount, at) => entry(String(at), ids, { amount }));

  test('matches one entry with the pay-ins of all', () => {
    expect(lines(all, [entry('1', ids, { amount: 600_00n })])).toEqual([
      'matched payment_information_id A+B+C = 1',
    ]);
    expect(lines(all, [entry('1', ids, { amount: 598_00n })])).toEqual([
      'difference payment_information_id A+B+C = 1 -200',
    ]);
  });

  test('matches an entry for each settlement', () => {
    expect(lines(all, entriesOf(300_00n, 100_00n, 200_00n))).toEqual([
      'matched payment_information_id A = 1',
      'matched payment_information_id B = 2',
      'matched payment_information_id C = 0',
    ]);
  });

  test('gives a fee to the settlement whose amount is missing', () => {
    const odd = payout('C', { payIn: 310_00n, paymentReferences: ['FILE-1'] });
    expect(lines([...all.slice(0, 2), odd], entriesOf(310_00n, 98_50n, 200_00n))).toEqual([
      'difference payment_information_id A = 1 -150',
      'matched payment_information_id B = 2',
      'matched payment_information_id C = 0',
    ]);
  });

  test('leaves an entry of one pay-in to all if it is a sum of others too', () => {
    expect(lines(all, [entry('1', ids, { amount: 300_00n })])).toEqual([
      'difference payment_information_id A+B+C = 1 -30000',
    ]);
  });

  test('prefers an id of one settlement in a text', () => {
    const entries = [
      entry('1', ids, { amount: 99_00n }),
      entry('2', { texts: ['E2E-20260305-B'] }, { amount: 199_00n }),
      entry('3', { texts: ['E2E-20260305-C'] }, { amount: 300_00n }),
    ];
    expect(lines(all, entries)).toEqual([
      'difference payment_information_id A = 1 -100',
      'difference text B = 2 -100',
      'matched text C = 3',
    ]);
  });

  test('prefers an id of one settlement in another currency', () => {
    const dollars = entry('1', e2e('A'), { currency: 'USD' });
    const euros = entry('2', ids, { amount: 200_00n });
    expect(lines(all.slice(0, 2), [dollars, euros])).toEqual([
      'difference end_to_end_id other_currency A = 1',
      'matched payment_information_id B = 2',
    ]);
  });

  test('chooses neither of two settlements of one amount if one was paid', () => {
    const twins = ['A', 'B'].map((id) => payout(id, { paymentEndToEndIds: ['SAME-ID'] }));
    const one = entry('1', { endToEndIds: ['SAME-ID'] });
    expect(lines(twins, [one])).toEqual(['ambiguous end_to_end_id same_key A+B = 1']);
    expect(lines(twins, [one, { ...one, id: '2' }])).toEqual(['matched end_to_end_id A+B = 1+2']);
  });

  test('prefers the ids of payments to the id of their file', () => {
    const entries = [
      entry('1', { ...ids, ...e2e('A') }, { amount: 99_00n }),
      entry('2', { ...ids, ...e2e('B') }, { amount: 199_00n }),
      entry('3', ids, { amount: 299_00n }),
    ];
    expect(lines(all, entries)).toEqual([
      'difference end_to_end_id A = 1 -100',
      'difference end_to_end_id B = 2 -100',
      'difference payment_information_id C = 3 -100',
    ]);
  });
});

describe('an entry with several payments', () => {
  const parts = ['A', 'B', 'Z'].map((id, at) =>
    part({ amount: BigInt(at + 1) * 100_00n, ...e2e(id) }),
  );
  const payouts = [payout('A'), payout('B', { payIn: 200_00n })];

  test('is compared payment by payment if their amounts add up to it', () => {
    const batch = entry('1', {}, { amount: 600_00n, parts });
    expect(lines(payouts, [batch])).toEqual([
      'matched end_to_end_id A = 1.0',
      'matched end_to_end_id B = 1.1',
      'unknown_on_bank  = 1.2',
    ]);
  });

  test('is compared as a whole if they do not add up to it', () => {
    const batch = entry('1', {}, { amount: 298_00n, parts: parts.slice(0, 2) });
    const [found] = match(payouts, [batch]).matches;
    expect(found).toMatchObject({ state: 'difference', received: 298_00n, difference: -2_00n });
    expect(found?.settlements.map(({ received }) => received)).toEqual([undefined, undefined]);
  });
});

describe('the search by references and texts', () => {
  test.each([
    ['reference', { references: ['E2E-20260305-A'] }],
    ['reference', { paymentInformationIds: ['E2E-20260305-A'] }],
    ['text', { texts: ['Payout E2E-20260305-A, thank you'] }],
    ['text', { texts: ['EREF+e2e 20260305 a SVWZ+PAY'] }],
    ['text', { texts: ['Payout E2E-2026\n0305-A batch 4'] }],
    ['text', { texts: ['Payout E2E-2026 \n 0305-A'] }],
  ])('matches by %s: %j', (key, details) => {
    expect(lines([payout('A')], [entry('1', details)])).toEqual([`matched ${key} A = 1`]);
  });

  test('does not match an id inside a longer word', () => {
    const other = entry('1', { texts: ['E2E-20260305-AB'] }, { amount: 1n });
    expect(lines([payout('A')], [other])).toEqual(['missing_on_bank A = ', 'unknown_on_bank  = 1']);
  });

  test('does not join an id from two fields', () => {
    const cut = { texts: ['Payout E2E-2026', '0305-A'] };
    expect(lines([payout('A')], [entry('1', cut, { amount: 1n })])).toContain(
      'unknown_on_bank  = 1',
    );
  });

  test.each([
    [['Pay-out of March E2E-20260305-A', 'Credit']],
    [['Pay-out of March E2E-20260305-A\n7 thank you']],
  ])('matches a whole id at the end of a line, whatever follows: %j', (texts) => {
    const [found] = lines([payout('A')], [entry('1', { texts }, { amount: 1n })]);
    expect(found).toContain('difference text A = 1');
  });

  test('matches the longer of two ids', () => {
    const both = ['20260305', '20260305 01'].map((end) =>
      payout(end, { paymentEndToEndIds: [`PAYOUT${end}`] }),
    );
    expect(lines(both, [entry('1', { texts: ['PAYOUT20260305 01'] })])).toEqual([
      'missing_on_bank 20260305 = ',
      'matched text 20260305 01 = 1',
    ]);
  });

  test('only suggests an entry by a short id in its text, in the days when the money is expected', () => {
    const one = payout('A', { paymentEndToEndIds: ['INV-2026'] });
    const other = entry('1', { texts: ['INV-2026'] }, { amount: 1n });
    expect(lines([one], [other])).toEqual(['suggested short_id A = 1']);
    expect(lines([one], [{ ...other, date: '2026-03-20' }])).toContain('unknown_on_bank  = 1');
    const twin = payout('B', { paymentEndToEndIds: ['INV-2026'] });
    expect(lines([one, twin], [other])).toEqual(['ambiguous short_id same_key A+B = 1']);
  });

  test('matches the beginning of an id at the end of a text if the amount is right', () => {
    const a = payout('A', { paymentEndToEndIds: ['PAYOUT-2026-0305-0001-A'] });
    const text = entry('1', { texts: ['Payments BV PAYOUT-2026-0305-00'] });
    expect(lines([a], [text])).toEqual(['matched text_start A = 1']);
    expect(lines([a], [{ ...text, amount: 98_50n }])).toEqual(['suggested text_start A = 1']);
    const b = payout('B', { paymentEndToEndIds: ['PAYOUT-2026-0305-0002-B'] });
    expect(lines([a, { ...b, payIn: 1n }], [text])[0]).toBe('suggested amount_and_date A = 1');
  });
});

describe('a returned pay-out', () => {
  const ids = e2e('A');
  const paid = entry('1', ids, { bankReference: 'BANK-1' });
  const back = { amount: -100_00n, date: '2026-03-09' };

  test.each([
    ['with its id', entry('2', ids, back)],
    ['with its id in a text', entry('2', { texts: ['Return E2E-20260305-A'] }, back)],
    [
      'a reversal with its bank reference',
      entry('2', {}, { ...back, isReversal: true, bankReference: 'BANK-1' }),
    ],
    ['a reversal with nothing but its amount', entry('2', {}, { ...back, isReversal: true })],
    ['a return with a reason', entry('2', {}, { ...back, returnReason: 'AC04' })],
  ])('is undone by an entry: %s', (_, undoing) => {
    const [found, ...others] = match([payout('A')], [paid, undoing]).matches;
    expect(others).toEqual([]);
    expect(found).toMatchObject({ state: 'returned', reason: 'returned', received: 0n });
  });

  test('is matched if it is paid again', () => {
    const again = entry('3', ids, { date: '2026-03-10' });
    expect(lines([payout('A')], [paid, entry('2', ids, back), again])).toEqual([
      'matched end_to_end_id A = 1+2+3',
    ]);
  });

  test.each([
    ['the same id', 'E2E-20260305-A', 'matched end_to_end_id A = 1+2+3'],
    ['different ids', 'E2E-20260305-X', 'difference end_to_end_id paid_twice A = 1+2 10000'],
  ])('has one of two payments with %s undone by a reversal without it', (_, second, expected) => {
    const one = payout('A', { paymentEndToEndIds: ['E2E-20260305-A', 'E2E-20260305-X'] });
    const again = entry('2', { endToEndIds: [second] });
    const undoing = entry('3', {}, { ...back, isReversal: true });
    expect(lines([one], [paid, again, undoing])[0]).toBe(expected);
  });

  test('has a difference if only a part of it is returned', () => {
    const some = entry('2', ids, { ...back, amount: -40_00n });
    expect(lines([payout('A')], [paid, some])).toEqual([
      'difference end_to_end_id returned A = 1+2 -4000',
    ]);
  });

  test('is not suggested if no id names the payment', () => {
    const unnamed = entry('1');
    const undoing = entry('2', {}, { ...back, isReversal: true });
    expect(lines([payout('A')], [unnamed, undoing])).toEqual([
      'missing_on_bank A = ',
      'unknown_on_bank returned  = 1+2',
    ]);
  });
});

describe('the search without an id', () => {
  test('gives only a suggestion for an amount and a date', () => {
    const [found] = match([payout('A')], [entry('1')]).matches;
    expect(found).toMatchObject({ state: 'suggested', by: 'amount_and_date', received: 0n });
    expect(found?.difference).toBeUndefined();
  });

  test.each([
    ['2026-03-04', 'suggested'],
    ['2026-03-03', 'missing_on_bank'],
    // Five business days after a Thursday.
    ['2026-03-12', 'suggested'],
    ['2026-03-13', 'missing_on_bank'],
  ])('gives an entry that is booked on %s the state %s', (date, state) => {
    expect(lines([payout('A')], [entry('1', {}, { date })]).join()).toContain(state);
  });

  test('shows entries of the same amount together, and chooses none', () => {
    expect(lines([payout('A'), payout('B')], [entry('1'), entry('2')])).toEqual([
      'ambiguous amount_and_date same_amount A+B = 1+2',
    ]);
    expect(lines([payout('A')], [entry('1'), entry('2')])).toEqual([
      'ambiguous amount_and_date same_amount A = 1+2',
    ]);
  });

  test('suggests no money of others if an account of the service is known', () => {
    const known = [payout('K'), entry('9', e2e('K'))] as const;
    const other = entry('1', { accounts: [stranger] });
    expect(lines([payout('A'), known[0]], [other, known[1]])).toEqual([
      'missing_on_bank A = ',
      'matched end_to_end_id K = 9',
      'unrelated  = 1',
    ]);
    expect(lines([payout('A')], [other], undefined, [stranger])).toEqual([
      'suggested amount_and_date A = 1',
    ]);
  });

  test('suggests a sum if it is the only one', () => {
    const payouts = [300_00n, 450_00n, 710_00n].map((payIn, at) =>
      payout('ABC'[at] ?? '', { payIn }),
    );
    const batch = entry('1', {}, { amount: 750_00n });
    expect(lines(payouts, [batch])).toEqual(['suggested sum A+B = 1', 'missing_on_bank C = ']);
    const halves = [700_00n, 10_00n].map((amount, at) => entry(String(at), {}, { amount }));
    expect(lines(payouts, halves)).toContain('suggested sum C = 0+1');
  });

  test('never adds several currencies', () => {
    const both = [300_00n, 450_00n].map((payIn, at) => payout('AB'[at] ?? '', { payIn }));
    const dollars = entry('1', {}, { amount: 750_00n, currency: 'USD' });
    expect(lines(both, [dollars])).toContain('unknown_on_bank  = 1');
    const halves = [dollars, entry('2', {}, { amount: 10_00n })];
    expect(lines([payout('C', { payIn: 760_00n })], halves)[0]).toBe('missing_on_bank C = ');
  });

  test.each([
    ['2026-03-03', false],
    ['2026-03-04', true],
    // Five business days after a Thursday.
    ['2026-03-12', true],
    ['2026-03-13', false],
  ])('suggests a sum in either direction if it is booked on %s: %s', (date, isSuggested) => {
    const payouts = [300_00n, 450_00n].map((payIn, at) => payout('AB'[at] ?? '', { payIn }));
    const batch = entry('1', {}, { amount: 750_00n, date });
    expect(lines(payouts, [batch]).includes('suggested sum A+B = 1')).toBe(isSuggested);
    const whole = payout('C', { payIn: 710_00n });
    const halves = [700_00n, 10_00n].map((amount, at) => entry(String(at), {}, { amount, date }));
    expect(lines([whole], halves).includes('suggested sum C = 0+1')).toBe(isSuggested);
  });

  test('finds a sum for each of many entries of a day', () => {
    const payouts = [300_00n, 450_00n, 1_111_00n].map((payIn, at) =>
      payout('ABC'[at] ?? '', { payIn }),
    );
    const others = Array.from({ length: 50 }, (_, at) =>
      entry(`X${at}`, {}, { amount: 5_000_00n + BigInt(at) }),
    );
    const batches = [entry('1', {}, { amount: 750_00n }), entry('2', {}, { amount: 1_561_00n })];
    expect(lines(payouts, [...others, ...batches])).toContain(
      'ambiguous sum several_sums A+B+C = 1+2',
    );
  });

  test('chooses none of several sums', () => {
    const payouts = [300_00n, 450_00n, 350_00n, 400_00n].map((payIn, at) =>
      payout('ABCD'[at] ?? '', { payIn }),
    );
    expect(lines(payouts, [entry('1', {}, { amount: 750_00n })])).toEqual([
      'ambiguous sum several_sums A+B+C+D = 1',
    ]);
  });

  test('leaves out sums that may fit by chance', () => {
    const many = Array.from({ length: 40 }, (_, at) =>
      payout(`S${at + 10}`, { payIn: BigInt(at + 1) }),
    );
    const { matches } = match(many, [entry('1', {}, { amount: 400n })]);
    const states = new Set(matches.map(({ state }) => state));
    expect(states).toEqual(new Set(['missing_on_bank', 'unknown_on_bank']));
  });
});

describe('a pay-out without an entry', () => {
  test.each([
    ['2026-03-01', '2026-03-31', 'missing_on_bank'],
    ['2026-03-05', '2026-03-12', 'missing_on_bank'],
    ['2026-03-01', '2026-03-11', 'in_transit'],
    ['2026-03-01', '2026-03-04', 'not_covered'],
    ['2026-03-06', '2026-03-31', 'not_covered'],
  ])('with statements of %s to %s is %s', (from, to, state) => {
    expect(lines([payout('A')], [], [statement({ from, to })])).toEqual([`${state} A = `]);
  });

  test('is missing even if statements leave out weekends and days without entries', () => {
    const days = ['05', '06', '09', '12'].map((day, at) =>
      statement({
        ...{ from: `2026-03-${day}`, to: `2026-03-${day}` },
        ...{ opening: BigInt(at), closing: BigInt(at + 1) },
      }),
    );
    expect(lines([payout('A')], [], days)).toEqual(['missing_on_bank A = ']);
    const broken = days.map((one) => ({ ...one, closing: undefined }));
    expect(lines([payout('A')], [], broken)).toEqual(['not_covered A = ']);
  });

  test('is not covered by statements of another currency', () => {
    expect(lines([payout('A')], [], [statement({ currency: 'USD' })])).toEqual([
      'not_covered A = ',
    ]);
  });

  test('is not paid yet if it is pending, and nothing is due if its pay-in is 0', () => {
    expect(lines([payout('A', { status: 'pending_settlement' })], [])).toEqual([
      'not_paid_yet A = ',
    ]);
    expect(lines([payout('A', { payIn: 0n })], [])).toEqual(['nothing_due A = ']);
  });

  test('has received nothing while the bank has its entry as pending', () => {
    const ids = e2e('A');
    const [found] = match([payout('A')], [entry('1', ids, { status: 'pending' })]).matches;
    expect(found).toMatchObject({
      state: 'pending_on_bank',
      received: 0n,
      entries: [{ part: undefined }],
    });
  });
});

test('settlements of other days explain entries and are not reported', () => {
  const before = payout('B', { date: '2026-02-27' });
  const matching = match([before, payout('A')], [entry('1', e2e('B'))]);
  expect(matching.matches.map(({ state }) => state)).toEqual(['missing_on_bank']);
  expect(matching.outside).toMatchObject([{ state: 'matched' }]);
});

test('totals are by accounting token and currency', () => {
  const { totals } = match(
    [payout('A'), payout('B'), payout('C', { accountingToken: 'token-b' })],
    [entry('1', e2e('A')), entry('2', e2e('B'), { amount: 98_50n }), entry('3')],
    undefined,
    [service],
  );
  expect(totals.map(({ accountingToken }) => accountingToken)).toEqual(['token-a', 'token-b']);
  const counts = { settlements: 1, entries: 1, expected: 100_00n };
  expect(Object.fromEntries(totals[0]?.states ?? [])).toEqual({
    matched: { ...counts, received: 100_00n, difference: { net: 0n, absolute: 0n } },
    difference: { ...counts, received: 98_50n, difference: { net: -1_50n, absolute: 1_50n } },
  });
});

describe('a match by ids', () => {
  const sharing = (id: string, payIn: bigint, more = {}) =>
    payout(id, { payIn, paymentEndToEndIds: [], paymentReferences: ['FILE-20260305'], ...more });
  const file = { paymentInformationIds: ['FILE-20260305'] };

  test.each(['NONREF', 'NOREF', 'NONE', '-', ' '])('never has %j as an id', (id) => {
    const one = payout('A', { paymentEndToEndIds: [id] });
    const other = entry('1', { endToEndIds: [id] }, { amount: 1n });
    expect(lines([one], [other])).toEqual(['missing_on_bank A = ', 'unknown_on_bank  = 1']);
  });

  test('ignores spaces around an id in both places', () => {
    const one = payout('A', { paymentEndToEndIds: [' -A1 '] });
    expect(lines([one], [entry('1', { endToEndIds: ['\t-A1'] })])).toEqual([
      'matched end_to_end_id A = 1',
    ]);
  });

  test('has both settlements if one text has two ids', () => {
    const texts = ['E2E-20260305-A E2E-20260305-B'];
    expect(lines([payout('A'), payout('B')], [entry('1', { texts }, { amount: 200_00n })])).toEqual(
      ['matched text A+B = 1'],
    );
  });

  test.each([
    ['the line ends behind it', ['Pay E2E-20260305-01-0000029.', '7 thank you']],
    ['the next line begins with a blank', ['Pay E2E-20260305-01-0000029', ' 7 thank you']],
    ['it stands within the line', ['E2E-20260305-01-0000029 and mor', 'e of the same']],
  ])('has a whole id if %s', (_, texts) => {
    const one = payout('A', { paymentEndToEndIds: ['E2E-20260305-01-0000029'] });
    expect(lines([one], [entry('1', { texts }, { amount: 1n })])).toEqual([
      'difference text A = 1 -9999',
    ]);
  });

  test.each([
    ['reference', { references: ['FILE-20260305'] }],
    ['reference', { endToEndIds: ['FILE-20260305'] }],
    ['text', { texts: ['Pay-out FILE-20260305'] }],
    ['text', { references: ['/ROC/FILE-20260305'] }],
    ['text', { endToEndIds: ['ROC FILE-20260305'] }],
  ])('has the id of a file of payments as %s: %j', (key, details) => {
    expect(lines([sharing('A', 98_50n)], [entry('1', details)])).toEqual([
      `difference ${key} A = 1 150`,
    ]);
  });

  test('needs a reference of at least five characters', () => {
    const lineOf = (id: string) => {
      const one = payout('A', { payIn: 98_50n, paymentEndToEndIds: [id] });
      return lines([one], [entry('1', { references: [id] })])[0];
    };
    expect(lineOf('12345')).toBe('difference reference A = 1 150');
    expect(lineOf('1234')).toBe('suggested short_id A = 1');
    expect(lineOf('12')).toBe('missing_on_bank A = ');
  });

  test('has the paid one of two settlements if the other is pending', () => {
    const pending = { status: 'pending_settlement' };
    const both = [sharing('A', 100_00n), sharing('B', 100_00n, pending)];
    expect(lines(both, [entry('1', file, { amount: 98_50n })])).toEqual([
      'difference payment_information_id A = 1 -150',
      'not_paid_yet B = ',
    ]);
    expect(lines([payout('A', pending)], [entry('1', e2e('A'))])).toEqual([
      'matched end_to_end_id A = 1',
    ]);
  });

  test('has no settlement for another currency if several share the id', () => {
    const both = [sharing('A', 100_00n), sharing('B', 100_00n)];
    expect(lines(both, [entry('1', file, { currency: 'USD' })])).toEqual([
      'missing_on_bank A = ',
      'missing_on_bank B = ',
      'unknown_on_bank  = 1',
    ]);
  });

  test('leaves a settlement missing if only others with its id were paid', () => {
    const all = [sharing('A', 100_00n), sharing('B', 200_00n), sharing('C', 350_00n)];
    const paid = [entry('1', file), entry('2', file, { amount: 200_00n })];
    expect(lines(all, paid)).toEqual([
      'matched payment_information_id A = 1',
      'matched payment_information_id B = 2',
      'missing_on_bank C = ',
    ]);
    expect(lines(all.slice(0, 2), [...paid, entry('3', file, { amount: 5_00n })])).toEqual([
      'matched payment_information_id A = 1',
      'matched payment_information_id B = 2',
      'unknown_on_bank  = 3',
    ]);
  });

  test('gives each of several settlements alike its pay-in after all are paid', () => {
    const twins = [sharing('A', 100_00n), sharing('B', 100_00n)];
    const [both] = match(twins, [entry('1', file), entry('2', file)]).matches;
    expect(both?.settlements.map(({ received }) => received)).toEqual([100_00n, 100_00n]);
    const [one] = match(twins, [entry('1', file)]).matches;
    expect(one?.settlements.map(({ received }) => received)).toEqual([undefined, undefined]);
  });

  test('expects a settlement that the service has settled out of balance', () => {
    expect(lines([payout('A', { status: 'settled_out_of_balance' })], [])).toEqual([
      'missing_on_bank A = ',
    ]);
  });
});

describe('a match by the beginning of an id', () => {
  const payoutOf = (id: string) => payout(id, { paymentEndToEndIds: [`PAYOUT-2026-0305-${id}`] });
  const cut = (id: string, text: string) => entry(id, { texts: [`Payments BV ${text}`] });
  const [a, b] = [payoutOf('AAAA-1'), payoutOf('BBBB-1')];

  test('needs at least sixteen letters and digits if it is broken, else twelve', () => {
    expect(lines([b, a], [cut('1', 'PAYOUT-2026-0305-AA')])[0]).toBe(
      'matched text_start AAAA-1 = 1',
    );
    expect(lines([a], [cut('1', 'PAYOUT-2026-0305-A')])).toEqual(['matched text_start AAAA-1 = 1']);
    expect(lines([a], [cut('1', 'PAYOUT-2026-03')])).toEqual(['matched text_start AAAA-1 = 1']);
    for (const text of ['PAYOUT-2026-0', 'PAYOUT 2026 0305 A']) {
      expect(lines([a], [cut('1', text)])).toEqual(['suggested amount_and_date AAAA-1 = 1']);
    }
    expect(lines([a, b], [cut('1', 'PAYOUT-2026-0305-BB')])[1]).toBe(
      'matched text_start BBBB-1 = 1',
    );
  });

  const uuid = payout('3d279a78-581d-4b87-87c7-7ae4f0f80467', { paymentEndToEndIds: [] });
  const [near, short] = [
    '3d279a78-9f10-4c22-8aaa-0123456789ab',
    '36789123-581d-4b87-87c7-7ae4f0f80467',
  ];
  const lookalike = payout(near, { paymentEndToEndIds: [], payIn: 7n });
  const stateOf = (text: string, payouts = [uuid]) => lines(payouts, [cut('1', text)])[0];

  test.each([
    '3d279a78',
    '3d279a78-',
    'IND ID:3D279A78581D4B8      IND NAME:SHOP',
    'IND ID:3d279a78-581d-4       IND NAME:SHOP',
    'PAYOUT*3D279A78 581D',
    'PAYOUT-3D279A78581D SHOP LLC',
    'ID:3D279A78-\n581D4B8',
    '3D279A78-581D-4B87-87C7-7AE4F0F80467',
  ])('is that of the id of the settlement too, from eight letters and digits: %j', (text) => {
    expect(stateOf(text)).toContain('matched text');
    // Of two ids that begin so, a person decides.
    const isOfTwo = /^3d279a78-?$/.test(text);
    expect(lines([uuid, lookalike], [cut('1', text)]).join()).toContain(
      isOfTwo ? 'suggested amount_and_date' : 'matched text',
    );
  });

  test.each([
    ['another id that begins alike', '3D279A78-9F10-4C22-8AAA-0123456789AB'],
    ['another id, broken by blanks', '3D279A78 9F10 4C22 8AAA 0123456789AB'],
    ['another id, broken by lines', '3D279A78\nABCDEF'],
    ['another id, cut', '3D279A79'],
    ['the end of another id', '9F10-3D279A78581D'],
    ['a longer word', 'X3D279A78'],
    ['too little of it', '3D279A7'],
  ])('is not in %s', (_, text) => {
    expect(stateOf(text)).toContain('suggested amount_and_date');
  });

  test('is neither a number nor a word, which others write too', () => {
    const of = (id: string) => [payout(id, { paymentEndToEndIds: [] })];
    expect(stateOf('INVOICE 36789123', of(short))).toContain('suggested amount_and_date');
    expect(stateOf('SETTLEMENT-MARCH', of('SETTLEMENT-MARCH-1'))).toContain('suggested');
  });

  test('is no money that came too early, or from others than the set ones', () => {
    const early = entry('1', { texts: ['3D279A78'] }, { date: '2026-03-03' });
    expect(lines([uuid], [early])).toContain('unknown_on_bank  = 1');
    const late = { ...early, date: '2026-03-30' };
    expect(lines([uuid], [late])).toContain(`matched text_start ${uuid.id} = 1`);
    expect(lines([uuid], [late], undefined, [stranger])).toContain('unrelated  = 1');
  });

  test('suggests money of another amount, like an id that is too short', () => {
    const other = entry('1', { texts: ['3D279A78'] }, { amount: 98_50n });
    expect(lines([uuid], [other])).toEqual([`suggested text_start ${uuid.id} = 1`]);
    expect(lines([uuid], [{ ...other, date: '2026-03-30' }])[0]).toContain('missing_on_bank');
  });

  test('is undone by its return', () => {
    const cutId = { texts: ['3D279A78'] };
    const undoing = entry('2', cutId, { amount: -100_00n, date: '2026-03-09', isReversal: true });
    expect(lines([uuid], [entry('1', cutId), undoing])).toEqual([
      `returned text_start returned ${uuid.id} = 1+2 -10000`,
    ]);
  });

  test('has only one entry, and none beside money with the whole id', () => {
    const twice = ['1', '2'].map((id) => cut(id, 'PAYOUT-2026-0305-AA'));
    expect(lines([a], twice)).toEqual(['ambiguous amount_and_date same_amount AAAA-1 = 1+2']);
    const whole = entry('3', { endToEndIds: ['PAYOUT-2026-0305-AAAA-1'] });
    expect(lines([a], [...twice.slice(1), whole])).toEqual([
      'matched end_to_end_id AAAA-1 = 3',
      'unknown_on_bank  = 2',
    ]);
  });

  test('has no settlement if the entry ends with the ids of two', () => {
    const both = { texts: ['PAYOUT-2026-0305-AA'], references: ['PAYOUT-2026-0305-BB'] };
    expect(lines([a, b], [entry('1', both)])).toEqual([
      'ambiguous amount_and_date same_amount AAAA-1+BBBB-1 = 1',
    ]);
  });

  test('does not show from which account the service pays', () => {
    expect(match([a], [cut('1', 'PAYOUT-2026-0305-AA')]).paidFrom).toEqual([]);
  });
});

describe('a pay-out of which a part arrived', () => {
  const until = (to: string) => [statement({ to })];
  const part = (amount: bigint) => [entry('1', e2e('A'), { amount })];

  test.each([
    [60_00n, '2026-03-11', 'in_transit'],
    [60_00n, '2026-03-12', 'difference'],
    [100_01n, '2026-03-11', 'difference'],
    [-60_00n, '2026-03-11', 'difference'],
  ])('of %i is by %s %s', (amount, to, state) => {
    const [found] = match([payout('A')], part(amount), until(to)).matches;
    expect(found).toMatchObject({ state, received: amount, difference: amount - 100_00n });
  });

  test('is matched when the rest has come, and returned if the part went back', () => {
    const rest = entry('2', e2e('A'), { amount: 40_00n });
    expect(lines([payout('A')], [...part(60_00n), rest], until('2026-03-11'))).toEqual([
      'matched end_to_end_id A = 1+2',
    ]);
    const back = entry('2', e2e('A'), { amount: -60_00n, date: '2026-03-09', isReversal: true });
    expect(lines([payout('A')], [...part(60_00n), back], until('2026-03-11'))[0]).toContain(
      'returned',
    );
  });

  test('is so for a negative pay-out too', () => {
    const negative = payout('A', { payIn: -100_00n });
    expect(match([negative], part(-60_00n), until('2026-03-11')).matches[0]?.state).toBe(
      'in_transit',
    );
  });
});

describe('a difference', () => {
  const of = (...amounts: readonly bigint[]) =>
    amounts.map((amount, at) => entry(String(at), e2e('A'), { amount }));

  test('is paid twice if several entries each have the pay-in', () => {
    expect(lines([payout('A')], of(200_00n))).toEqual(['difference end_to_end_id A = 0 10000']);
    expect(lines([payout('A')], of(100_00n, 50_00n))).toEqual([
      'difference end_to_end_id A = 0+1 5000',
    ]);
    expect(lines([payout('A')], of(100_00n, 100_00n, 100_00n))).toEqual([
      'difference end_to_end_id paid_twice A = 0+1+2 20000',
    ]);
  });

  test('is returned in part, even if the bank calls it a return', () => {
    const back = { amount: -40_00n, date: '2026-03-09', isReversal: true };
    expect(lines([payout('A')], [...of(100_00n), entry('back', e2e('A'), back)])).toEqual([
      'difference end_to_end_id returned A = 0+back -4000',
    ]);
  });

  test('is returned money with its sign if only a return exists', () => {
    const back = entry('back', e2e('A'), { amount: -100_00n, isReversal: true });
    const [found] = match([payout('A')], [back]).matches;
    expect(found).toMatchObject({
      ...{ state: 'returned', received: -100_00n, difference: -200_00n },
      settlements: [{ received: -100_00n }],
    });
  });

  test('exists for money in or out of a settlement with a pay-in of 0', () => {
    const nothing = payout('A', { payIn: 0n });
    expect(lines([nothing], of(-5_00n))).toEqual(['difference end_to_end_id A = 0 -500']);
    expect(lines([nothing], of(5_00n))).toEqual(['difference end_to_end_id A = 0 500']);
  });

  test('exists for an amount that is smaller, negative or 0', () => {
    const minus = payout('A', { payIn: -5_00n });
    expect(lines([minus], of(-4_00n))).toEqual(['difference end_to_end_id A = 0 100']);
    expect(lines([payout('A')], of(0n))).toEqual(['difference end_to_end_id A = 0 -10000']);
  });

  test('does not exist if the sums agree, though no amount does', () => {
    const shared = { paymentEndToEndIds: [], paymentReferences: ['FILE-1'] };
    const all = [100_00n, 100_00n, 200_00n].map((payIn, at) =>
      payout('ABC'[at] ?? '', { ...shared, payIn }),
    );
    const paid = [100_00n, 300_00n].map((amount, at) =>
      entry(String(at), { paymentInformationIds: ['FILE-1'] }, { amount }),
    );
    expect(lines(all, paid)).toEqual(['matched payment_information_id A+B+C = 0+1']);
  });

  test('has the age and the receipt of its settlement', () => {
    const [found] = match([payout('A')], of(98_50n)).matches;
    expect(found).toMatchObject({ ageDays: 26, settlements: [{ received: 98_50n }] });
    const early = match([payout('A')], [], [statement({ to: '2026-03-04' })]).matches;
    expect(early).toMatchObject([{ ageDays: 0 }]);
    expect(match([payout('A')], [], []).matches[0]?.ageDays).toBeUndefined();
  });
});

describe('an entry that undoes another', () => {
  const paid = (id: string, date: string, details = {}, more = {}) =>
    entry(id, details, { amount: 70_00n, date, ...more });
  const back = (id: string, date: string, details = {}, more = {}) =>
    paid(id, date, details, { amount: -70_00n, isReversal: true, ...more });
  const undone = 'unknown_on_bank returned  = 1+2';

  test.each([
    ['a reversal within thirty days', paid('1', '2026-03-01'), back('2', '2026-03-31'), true],
    ['a reversal after thirty days', paid('1', '2026-02-28'), back('2', '2026-03-31'), false],
    ['a reversal that came before', paid('1', '2026-03-10'), back('2', '2026-03-09'), false],
    ['a reversal of the day', paid('1', '2026-03-09'), back('2', '2026-03-09'), true],
    [
      'a debit that is no reversal',
      paid('1', '2026-03-05'),
      back('2', '2026-03-09', {}, { isReversal: false }),
      false,
    ],
    [
      'a debit with the same id',
      paid('1', '2026-03-05', { endToEndIds: ['X'] }),
      back('2', '2026-03-09', { endToEndIds: ['X'] }, { isReversal: false }),
      true,
    ],
    [
      'a debit of the day with the same id, after the credit of that day',
      paid('2', '2026-03-09', { endToEndIds: ['X'] }),
      back('1', '2026-03-09', { endToEndIds: ['X'] }, { isReversal: false }),
      true,
    ],
    [
      'a credit of the day that reverses a debit',
      paid('1', '2026-03-09', {}, { amount: -70_00n }),
      paid('2', '2026-03-09', {}, { isReversal: true }),
      true,
    ],
    [
      'a reversal of what is one itself',
      paid('1', '2026-03-05', {}, { returnReason: 'AC04' }),
      back('2', '2026-03-09'),
      false,
    ],
    [
      'a reversal of another account',
      paid('1', '2026-03-05'),
      back('2', '2026-03-09', {}, { account: 'other' }),
      false,
    ],
    [
      'a reversal in another currency',
      paid('1', '2026-03-05'),
      back('2', '2026-03-09', {}, { currency: 'USD' }),
      false,
    ],
  ])('is found or not: %s', (_, first, second, isUndone) => {
    expect(lines([], [first, second]).some((line) => line.includes('returned'))).toBe(isUndone);
  });

  test.each([
    ['its bank reference', {}, { bankReference: 'BANK-1' }],
    ['its file of payments', { paymentInformationIds: ['P-1'] }, {}],
    ['its reference', { references: ['R-1'] }, {}],
    ['its text', { texts: ['Rent'] }, {}],
  ])('undoes the one of two payments with %s, however old', (_, details, more) => {
    const marked = paid('1', '2026-01-05', details, more);
    const other = paid('3', '2026-03-05');
    expect(lines([], [marked, other, back('2', '2026-03-09', details, more)])).toEqual([
      ...[undone, 'unknown_on_bank  = 3'],
    ]);
  });

  test('undoes neither of two payments that fit, and no payment twice', () => {
    const two = [paid('1', '2026-03-04'), paid('3', '2026-03-05')];
    expect(lines([], [...two, back('2', '2026-03-09')])).not.toContain(undone);
    const again = back('4', '2026-03-10');
    expect(lines([], [paid('1', '2026-03-05'), back('2', '2026-03-09'), again])).toEqual([
      ...[undone, 'unknown_on_bank  = 4'],
    ]);
  });

  test('never has an amount of 0', () => {
    const zero = { amount: 0n };
    const some = [paid('1', '2026-03-05', {}, zero), back('2', '2026-03-09', {}, zero)];
    expect(lines([], some)).toEqual(['unknown_on_bank  = 1', 'unknown_on_bank  = 2']);
  });
});

describe('money that no pay-out explains', () => {
  test('counts as received, in its own currency and scale', () => {
    const yen = entry('1', {}, { currency: 'JPY', scale: 0, amount: 500n });
    const { matches, totals } = match([], [yen], undefined, [service]);
    expect(matches).toMatchObject([
      { state: 'unknown_on_bank', currency: 'JPY', scale: 0, received: 500n, settlements: [] },
    ]);
    expect(matches[0]?.difference).toBeUndefined();
    const nothing = { net: 0n, absolute: 0n };
    expect(totals).toMatchObject([{ accountingToken: '', currency: 'JPY' }]);
    expect(totals[0]?.states.get('unknown_on_bank')).toEqual({
      ...{ settlements: 0, entries: 1, expected: 0n, received: 500n, difference: nothing },
    });
    const others = match([], [entry('1', { accounts: [stranger] })], undefined, [service]);
    expect(others.matches).toMatchObject([{ state: 'unrelated', received: 100_00n }]);
  });

  describe('without account numbers', () => {
    const ids = ['A', 'B', 'C'];
    const said = (text: string, amount = 7n) =>
      entry('1', { accounts: [], texts: [text] }, { amount });
    const found = ids.map((id) => {
      const endToEndIds = [`E2E-20260305-${id}`];
      return entry(`m${id}`, { accounts: [], texts: [`CARDPAY LTD ${id}00${id}`], endToEndIds });
    });
    const stateOf = (one: BankEntry, payouts = ids, known: readonly string[] = []) => {
      const entries = found.filter(({ id }) => payouts.includes(id.slice(1)));
      const { matches } = match(
        payouts.map((id) => payout(id)),
        [...entries, one],
        undefined,
        known,
      );
      return matches.find(({ entries: [first] }) => first?.entry.id === '1')?.state;
    };

    test('is of others if it has no word of the entries that were matched by an id', () => {
      expect(stateOf(said('PAYROLL MARCH'))).toBe('unrelated');
      expect(stateOf(said('CARDPAY ADJUSTMENT'))).toBe('unknown_on_bank');
      expect(stateOf(said('Correction, Cardpay'))).toBe('unknown_on_bank');
    });

    test('may be of anyone if fewer than three were matched', () => {
      expect(stateOf(said('PAYROLL MARCH'), ['A', 'B'])).toBe('unknown_on_bank');
    });

    test('is of others if it lacks the set name, and then is suggested for no pay-out', () => {
      expect(stateOf(said('PAYROLL MARCH'), [], ['CardPay'])).toBe('unrelated');
      expect(stateOf(said('FROM CARDPAY'), [], ['CardPay'])).toBe('unknown_on_bank');
      const [open, known] = [[payout('X')], ['CardPay']];
      const states = (text: string) =>
        lines(open, [said(text, 100_00n)], undefined, known).map((line) => line.split(' ')[0]);
      expect(states('CARDPAY LTD')).toEqual(['suggested']);
      expect(states('PAYROLL MARCH')).toEqual(['missing_on_bank', 'unrelated']);
    });

    test('is still suggested for a pay-out of its amount if no name is set', () => {
      expect(stateOf(said('FASTER PAYMENT', 100_00n), ['A', 'B', 'C', 'D'])).toBe('suggested');
    });
  });

  test('is pending on the bank until it is booked, and counts as nothing until then', () => {
    const coming = entry('1', {}, { status: 'pending', amount: 7n });
    expect(match([], [coming]).matches).toMatchObject([{ state: 'pending_on_bank', received: 0n }]);
    expect(lines([payout('A')], [entry('1', {}, { status: 'pending' })])).toEqual([
      'missing_on_bank A = ',
      'pending_on_bank  = 1',
    ]);
  });

  test('is not suggested for a settlement that is not to be paid yet', () => {
    const pending = payout('A', { status: 'pending_settlement' });
    expect(lines([pending], [entry('1')])).toEqual(['not_paid_yet A = ', 'unknown_on_bank  = 1']);
  });

  test('keeps the currency of its entries if it was undone', () => {
    const dollars = { currency: 'USD', scale: 3 };
    const undoing = { ...dollars, amount: -100_00n, date: '2026-03-09', isReversal: true };
    const { matches } = match([], [entry('1', {}, dollars), entry('2', {}, undoing)]);
    expect(matches).toMatchObject([{ currency: 'USD', scale: 3, received: 0n }]);
  });
});

describe('the accounts that the service pays from', () => {
  const from = (id: string, ...accounts: readonly string[]) => entry(id, { ...e2e(id), accounts });

  test('are those given and those of matched money, in order, without our own', () => {
    const own = 'NL99BANK0000000009';
    const { paidFrom } = match([payout('A')], [from('A', stranger, own)], undefined, [service]);
    expect(paidFrom).toEqual([stranger, service]);
    const short = entry('A', { ...e2e('A'), accounts: [stranger] }, { amount: 98_50n });
    expect(match([payout('A')], [short]).paidFrom).toEqual([]);
  });

  test('may have sent money of which the bank names one of them, or no account', () => {
    const known = [service];
    const both = entry('1', { accounts: [stranger, service] });
    expect(lines([], [both], undefined, known)).toEqual(['unknown_on_bank  = 1']);
    const nobody = entry('1', { accounts: [] });
    expect(lines([], [nobody], undefined, known)).toEqual(['unknown_on_bank  = 1']);
    expect(lines([payout('A')], [nobody], undefined, known)).toEqual([
      'suggested amount_and_date A = 1',
    ]);
    const two = [payout('A', { payIn: 33_00n }), payout('B', { payIn: 67_00n })];
    expect(lines(two, [nobody], undefined, known)).toContain('unknown_on_bank  = 1');
    expect(lines(two, [both], undefined, known)).toEqual(['suggested sum A+B = 1']);
  });
});

describe('payments of an entry', () => {
  const halves = [60_00n, 40_00n];

  test('are compared one by one if they add up to it, with its ids if they have none', () => {
    const parts = halves.map((amount) => part({ amount }));
    const ofOne = entry('1', e2e('A'), { parts });
    expect(lines([payout('A')], [ofOne])).toEqual(['matched end_to_end_id A = 1.0+1.1']);
    const named = [part({ amount: 60_00n, ...e2e('B') }), part({ amount: 40_00n })];
    const both = [payout('A', { payIn: 40_00n }), payout('B', { payIn: 60_00n })];
    expect(lines(both, [entry('1', e2e('A'), { parts: named })])).toEqual([
      'matched end_to_end_id A = 1.1',
      'matched end_to_end_id B = 1.0',
    ]);
  });

  test('are compared as a whole if one has no amount', () => {
    const parts = [part({ amount: 100_00n, ...e2e('A') }), part({ ...e2e('B') })];
    expect(lines([payout('A'), payout('B')], [entry('1', {}, { parts })])).toEqual([
      'difference end_to_end_id A+B = 1 -10000',
    ]);
  });

  test('are compared as the entry if only one exists', () => {
    const parts = [part({ amount: 100_00n, ...e2e('A') })];
    expect(lines([payout('A')], [entry('1', {}, { parts })])).toEqual([
      'matched end_to_end_id A = 1',
    ]);
  });
});

describe('the days that statements cover', () => {
  const stateOf = (...statements: readonly Parameters<typeof statement>[0][]) =>
    match(
      [payout('A')],
      [],
      statements.map((one) => statement(one)),
    ).matches.map(({ state }) => state);
  const [first, second] = [
    { from: '2026-03-01', to: '2026-03-06', opening: 0n, closing: 5n },
    { from: '2026-03-11', to: '2026-03-31', opening: 5n, closing: 9n },
  ];

  test('are those of whole statements', () => {
    expect(stateOf({ isWhole: false })).toEqual(['not_covered']);
    expect(stateOf()).toEqual(['not_covered']);
    expect(stateOf({ to: '2026-03-05' })).toEqual(['in_transit']);
    const later = { from: '2026-03-20', to: '2026-03-31' };
    expect(stateOf({ to: '2026-03-12' }, later)).toEqual(['missing_on_bank']);
  });

  test('continue with the balance of one account, in any order of statements', () => {
    expect(stateOf(first, second)).toEqual(['missing_on_bank']);
    expect(stateOf(second, first)).toEqual(['missing_on_bank']);
    expect(stateOf(first, { ...second, opening: 6n })).toEqual(['not_covered']);
    expect(stateOf(first, { ...second, account: 'other' })).toEqual(['not_covered']);
    const unsaid = { opening: undefined, closing: undefined };
    expect(stateOf({ ...first, ...unsaid }, { ...second, ...unsaid })).toEqual(['not_covered']);
  });
});

describe('a matching', () => {
  const february = payout('F', { date: '2026-02-27' });

  test('has all settlements of the range, and of other days only those with entries', () => {
    const { matches, outside, compared } = match([payout('A'), february], []);
    expect(matches.map(({ state }) => state)).toEqual(['missing_on_bank']);
    expect(outside).toEqual([]);
    expect(compared).toEqual(new Set(['A', 'F']));
  });

  test('has a batch with one settlement of the range, and entries of its days', () => {
    const batch = entry('1', { texts: ['E2E-20260305-A E2E-20260305-F'] }, { amount: 200_00n });
    const early = entry('2', {}, { amount: 1n, date: '2026-02-28' });
    const { matches, outside } = match([payout('A'), february], [batch, early]);
    expect(matches.map(({ settlements }) => settlements.length)).toEqual([2]);
    expect(outside.map(({ entries }) => entries.map(({ entry: { id } }) => id))).toEqual([['2']]);
  });

  test('divides a batch of two accounting tokens by pay-ins, and its residual to neither', () => {
    const of = (id: string, accountingToken: string, payIn: bigint) =>
      payout(id, { accountingToken, payIn });
    const all = [
      of('A', 'token-b', 100_00n),
      of('B', 'token-a', 50_00n),
      of('C', 'token-b', 7_00n),
    ];
    const texts = ['E2E-20260305-C', 'E2E-20260305-A E2E-20260305-B'];
    const { totals } = match(all, [entry('1', { texts }, { amount: 156_00n })]);
    const nothing = { net: 0n, absolute: 0n };
    const own = { entries: 0, difference: nothing };
    expect(totals.map((one) => [one.accountingToken, one.states.get('difference')])).toEqual([
      [
        '',
        {
          ...{ settlements: 0, entries: 1, expected: 0n, received: -1_00n },
          difference: { net: -1_00n, absolute: 1_00n },
        },
      ],
      ['token-a', { ...own, settlements: 1, expected: 50_00n, received: 50_00n }],
      ['token-b', { ...own, settlements: 2, expected: 107_00n, received: 107_00n }],
    ]);
    const [missing] = match([payout('A')], []).totals;
    expect(missing?.states.get('missing_on_bank')?.difference).toEqual(nothing);
  });
});
