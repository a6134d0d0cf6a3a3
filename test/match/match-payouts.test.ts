import { describe, expect, test } from 'vitest';
import { entry, lines, match, part, payout, service, statement, stranger } from './build.ts';

const e2e = (id: string) => ({ endToEndIds: [`E2E-20260305-${id}`] });
const uuidId = '3f2b9c1e-7a64-4d0b-9e55-0c1d2e3f4a5b';

describe('by an end-to-end id', () => {
  test.each([
    ['whole', 'E2E-20260305-A'],
    ['in small letters, without dashes', 'e2e20260305a'],
    ['with other characters for the dashes', 'E2E/20260305 A'],
  ])('%s', (_, id) => {
    expect(lines([payout('A')], [entry('1', { endToEndIds: [id] })])).toEqual([
      'matched end_to_end_id A = 1',
    ]);
  });

  const bareId = uuidId.replaceAll('-', '');
  test.each([uuidId.slice(0, 35), bareId, bareId.slice(0, 31)])('a UUID as %s', (id) => {
    const one = payout('A', { paymentEndToEndIds: [uuidId] });
    expect(lines([one], [entry('1', { endToEndIds: [id] })])).toEqual([
      'matched end_to_end_id A = 1',
    ]);
  });

  test('ids that differ in their dashes alone stay apart', () => {
    const a = payout('A', { paymentEndToEndIds: ['E2E-1-11'] });
    const b = payout('B', { paymentEndToEndIds: ['E2E-11-1'] });
    expect(lines([a, b], [entry('1', { endToEndIds: ['E2E-11-1'] })])).toEqual([
      'missing_on_bank A = ',
      'matched end_to_end_id B = 1',
    ]);
  });

  test('another amount is a difference with its size', () => {
    const fee = entry('1', e2e('A'), { amount: 98_50n });
    expect(lines([payout('A')], [fee])).toEqual(['difference end_to_end_id A = 1 -150']);
  });

  test('paid twice', () => {
    expect(lines([payout('A')], [entry('1', e2e('A')), entry('2', e2e('A'))])).toEqual([
      'difference end_to_end_id paid_twice A = 1+2 10000',
    ]);
  });

  test('paid twice, the second time with the id in the text only', () => {
    const first = entry('1', e2e('A'));
    const second = entry('2', { texts: ['again E2E-20260305-A'] });
    expect(lines([payout('A')], [first, second])).toEqual([
      'difference text paid_twice A = 1+2 10000',
    ]);
  });

  test('one settlement in several entries', () => {
    const one = payout('A', { paymentEndToEndIds: ['E2E-A-1', 'E2E-A-2'] });
    const first = entry('1', { endToEndIds: ['E2E-A-1'] }, { amount: 60_00n });
    const second = entry('2', { endToEndIds: ['E2E-A-2'] }, { amount: 40_00n });
    expect(lines([one], [first, second])).toEqual(['matched end_to_end_id A = 1+2']);
    expect(lines([one], [first])).toEqual(['difference end_to_end_id A = 1 -4000']);
  });

  test('scales compare exactly', () => {
    const ids = e2e('A');
    const exact = entry('1', ids, { scale: 4, amount: 100_0000n });
    expect(lines([payout('A')], [exact])).toEqual(['matched end_to_end_id A = 1']);
    const off = entry('1', ids, { scale: 4, amount: 100_0001n });
    expect(lines([payout('A')], [off])).toEqual(['difference end_to_end_id A = 1 1']);
  });

  test('another currency is never compared', () => {
    const dollars = entry('1', e2e('A'), { currency: 'USD' });
    const [found] = match([payout('A')], [dollars]).matches;
    expect(found).toMatchObject({ state: 'difference', reason: 'other_currency', received: 0n });
    expect(found?.difference).toBeUndefined();
  });

  test('money out is expected for a negative pay-in', () => {
    const debit = entry('1', e2e('A'), { amount: -5_00n });
    const minus = payout('A', { payIn: -5_00n });
    expect(lines([minus], [debit])).toEqual(['matched end_to_end_id A = 1']);
    expect(lines([payout('A', { payIn: 5_00n })], [debit])).toEqual([
      'difference end_to_end_id returned A = 1 -1000',
    ]);
  });

  test('placeholders are no ids', () => {
    const one = payout('A', { paymentEndToEndIds: ['NOTPROVIDED'] });
    const other = entry('1', { endToEndIds: ['NOTPROVIDED'] }, { amount: 1n });
    expect(lines([one], [other])).toEqual(['missing_on_bank A = ', 'unknown_on_bank  = 1']);
  });
});

describe('by an id that several share', () => {
  const all = ['A', 'B', 'C'].map((id, at) =>
    payout(id, { payIn: BigInt(at + 1) * 100_00n, paymentReferences: ['FILE-1'] }),
  );
  const ids = { paymentInformationIds: ['FILE-1'] };
  const entriesOf = (...amounts: readonly bigint[]) =>
    amounts.map((amount, at) => entry(String(at), ids, { amount }));

  test('all in one entry', () => {
    expect(lines(all, [entry('1', ids, { amount: 600_00n })])).toEqual([
      'matched payment_information_id A+B+C = 1',
    ]);
    expect(lines(all, [entry('1', ids, { amount: 598_00n })])).toEqual([
      'difference payment_information_id A+B+C = 1 -200',
    ]);
  });

  test('each in an entry of its own', () => {
    expect(lines(all, entriesOf(300_00n, 100_00n, 200_00n))).toEqual([
      'matched payment_information_id A = 1',
      'matched payment_information_id B = 2',
      'matched payment_information_id C = 0',
    ]);
  });

  test('a fee is that of the one whose amount is not there', () => {
    const odd = payout('C', { payIn: 310_00n, paymentReferences: ['FILE-1'] });
    expect(lines([...all.slice(0, 2), odd], entriesOf(310_00n, 98_50n, 200_00n))).toEqual([
      'difference payment_information_id A = 1 -150',
      'matched payment_information_id B = 2',
      'matched payment_information_id C = 0',
    ]);
  });

  test("an entry of one amount that is the sum of others too is nobody's alone", () => {
    expect(lines(all, [entry('1', ids, { amount: 300_00n })])).toEqual([
      'difference payment_information_id A+B+C = 1 -30000',
    ]);
  });

  test('an id of its own in a text goes before one that it shares', () => {
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

  test('so does one in another currency', () => {
    const dollars = entry('1', e2e('A'), { currency: 'USD' });
    const euros = entry('2', ids, { amount: 200_00n });
    expect(lines(all.slice(0, 2), [dollars, euros])).toEqual([
      'difference end_to_end_id other_currency A = 1',
      'matched payment_information_id B = 2',
    ]);
  });

  test('two of one amount of which one was paid: none is chosen', () => {
    const twins = ['A', 'B'].map((id) => payout(id, { paymentEndToEndIds: ['SAME-ID'] }));
    const one = entry('1', { endToEndIds: ['SAME-ID'] });
    expect(lines(twins, [one])).toEqual(['ambiguous end_to_end_id same_key A+B = 1']);
    expect(lines(twins, [one, { ...one, id: '2' }])).toEqual(['matched end_to_end_id A+B = 1+2']);
  });

  test('the ids of payments tell apart what the file does not', () => {
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

describe('in batches', () => {
  const parts = ['A', 'B', 'Z'].map((id, at) =>
    part({ amount: BigInt(at + 1) * 100_00n, ...e2e(id) }),
  );
  const payouts = [payout('A'), payout('B', { payIn: 200_00n })];

  test('payments with amounts that come to the entry stand for themselves', () => {
    const batch = entry('1', {}, { amount: 600_00n, parts });
    expect(lines(payouts, [batch])).toEqual([
      'matched end_to_end_id A = 1.0',
      'matched end_to_end_id B = 1.1',
      'unknown_on_bank  = 1.2',
    ]);
  });

  test('else the entry is the money', () => {
    const batch = entry('1', {}, { amount: 298_00n, parts: parts.slice(0, 2) });
    const [found] = match(payouts, [batch]).matches;
    expect(found).toMatchObject({ state: 'difference', received: 298_00n, difference: -2_00n });
    expect(found?.settlements.map(({ received }) => received)).toEqual([undefined, undefined]);
  });
});

describe('by references and texts', () => {
  test.each([
    ['reference', { references: ['E2E-20260305-A'] }],
    ['reference', { paymentInformationIds: ['E2E-20260305-A'] }],
    ['text', { texts: ['Payout E2E-20260305-A, thank you'] }],
    ['text', { texts: ['EREF+e2e 20260305 a SVWZ+PAY'] }],
    ['text', { texts: ['Payout E2E-2026', '0305-A batch 4'] }],
    ['text', { texts: ['Payout E2E-2026 ', ' 0305-A'] }],
  ])('%s: %j', (key, details) => {
    expect(lines([payout('A')], [entry('1', details)])).toEqual([`matched ${key} A = 1`]);
  });

  test('not inside a longer word', () => {
    const other = entry('1', { texts: ['E2E-20260305-AB'] }, { amount: 1n });
    expect(lines([payout('A')], [other])).toEqual(['missing_on_bank A = ', 'unknown_on_bank  = 1']);
  });

  test('not where a longer id was cut at the end of a line', () => {
    const one = payout('A', { paymentEndToEndIds: ['E2E-20260305-01-0000029'] });
    const cut = { texts: ['Pay E2E-20260305-01-0000029', '7 thank you'] };
    expect(lines([one], [entry('1', cut, { amount: 1n })])).toContain('unknown_on_bank  = 1');
    expect(lines([one], [entry('1', cut)])).toEqual(['matched text_start A = 1']);
    const whole = { texts: ['E2E-20260305-01-0000029', '7 thank you'] };
    expect(lines([one], [entry('1', whole, { amount: 1n })])[0]).toContain('difference text A = 1');
  });

  test('the longer of two ids', () => {
    const both = ['20260305', '20260305 01'].map((end) =>
      payout(end, { paymentEndToEndIds: [`PAYOUT${end}`] }),
    );
    expect(lines(both, [entry('1', { texts: ['PAYOUT20260305 01'] })])).toEqual([
      'missing_on_bank 20260305 = ',
      'matched text 20260305 01 = 1',
    ]);
  });

  test('short ids are not sought in texts', () => {
    const one = payout('A', { paymentEndToEndIds: ['INV-2026'] });
    const other = entry('1', { texts: ['INV-2026'] }, { amount: 1n });
    expect(lines([one], [other])).toContain('unknown_on_bank  = 1');
  });

  test('the beginning of an id at the end of a text, if the amount is right', () => {
    const a = payout('A', { paymentEndToEndIds: ['PAYOUT-2026-0305-0001-A'] });
    const text = entry('1', { texts: ['Payments BV PAYOUT-2026-0305-00'] });
    expect(lines([a], [text])).toEqual(['matched text_start A = 1']);
    expect(lines([a], [{ ...text, amount: 98_50n }])).toEqual([
      'missing_on_bank A = ',
      'unknown_on_bank  = 1',
    ]);
    const b = payout('B', { paymentEndToEndIds: ['PAYOUT-2026-0305-0002-B'] });
    expect(lines([a, { ...b, payIn: 1n }], [text])[0]).toBe('suggested amount_and_date A = 1');
  });
});

describe('returned', () => {
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
  ])('%s', (_, undoing) => {
    const [found, ...others] = match([payout('A')], [paid, undoing]).matches;
    expect(others).toEqual([]);
    expect(found).toMatchObject({ state: 'returned', reason: 'returned', received: 0n });
  });

  test('paid again afterwards', () => {
    const again = entry('3', ids, { date: '2026-03-10' });
    expect(lines([payout('A')], [paid, entry('2', ids, back), again])).toEqual([
      'matched end_to_end_id A = 1+2+3',
    ]);
  });

  test.each([
    ['the same id', 'E2E-20260305-A', 'matched end_to_end_id A = 1+2+3'],
    ['different ids', 'E2E-20260305-X', 'difference end_to_end_id paid_twice A = 1+2 10000'],
  ])('one of two payments with %s, by a reversal without it', (_, second, expected) => {
    const one = payout('A', { paymentEndToEndIds: ['E2E-20260305-A', 'E2E-20260305-X'] });
    const again = entry('2', { endToEndIds: [second] });
    const undoing = entry('3', {}, { ...back, isReversal: true });
    expect(lines([one], [paid, again, undoing])[0]).toBe(expected);
  });

  test('a part of it', () => {
    const some = entry('2', ids, { ...back, amount: -40_00n });
    expect(lines([payout('A')], [paid, some])).toEqual([
      'difference end_to_end_id returned A = 1+2 -4000',
    ]);
  });

  test('money that nobody expects and that was undone is not suggested', () => {
    const unnamed = entry('1');
    const undoing = entry('2', {}, { ...back, isReversal: true });
    expect(lines([payout('A')], [unnamed, undoing])).toEqual([
      'missing_on_bank A = ',
      'unknown_on_bank returned  = 1+2',
    ]);
  });
});

describe('without a key', () => {
  test('amount and date are suggested only', () => {
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
  ])('booked on %s: %s', (date, state) => {
    expect(lines([payout('A')], [entry('1', {}, { date })]).join()).toContain(state);
  });

  test('equal ones are shown and not guessed', () => {
    expect(lines([payout('A'), payout('B')], [entry('1'), entry('2')])).toEqual([
      'ambiguous amount_and_date same_amount A+B = 1+2',
    ]);
    expect(lines([payout('A')], [entry('1'), entry('2')])).toEqual([
      'ambiguous amount_and_date same_amount A = 1+2',
    ]);
  });

  test('money of others is not suggested once an account of the service is known', () => {
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

  test('sums, the only ones', () => {
    const payouts = [300_00n, 450_00n, 710_00n].map((payIn, at) =>
      payout('ABC'[at] ?? '', { payIn }),
    );
    const batch = entry('1', {}, { amount: 750_00n });
    expect(lines(payouts, [batch])).toEqual(['suggested sum A+B = 1', 'missing_on_bank C = ']);
    const halves = [700_00n, 10_00n].map((amount, at) => entry(String(at), {}, { amount }));
    expect(lines(payouts, halves)).toContain('suggested sum C = 0+1');
  });

  test.each([
    ['2026-03-03', false],
    ['2026-03-04', true],
    // Five business days after a Thursday.
    ['2026-03-12', true],
    ['2026-03-13', false],
  ])('one sum, or several for one, booked on %s: %s', (date, isSuggested) => {
    const payouts = [300_00n, 450_00n].map((payIn, at) => payout('AB'[at] ?? '', { payIn }));
    const batch = entry('1', {}, { amount: 750_00n, date });
    expect(lines(payouts, [batch]).includes('suggested sum A+B = 1')).toBe(isSuggested);
    const whole = payout('C', { payIn: 710_00n });
    const halves = [700_00n, 10_00n].map((amount, at) => entry(String(at), {}, { amount, date }));
    expect(lines([whole], halves).includes('suggested sum C = 0+1')).toBe(isSuggested);
  });

  test('sums are found for each of many entries of a day, and none is taken for another', () => {
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

  test('of several sums none is chosen', () => {
    const payouts = [300_00n, 450_00n, 350_00n, 400_00n].map((payIn, at) =>
      payout('ABCD'[at] ?? '', { payIn }),
    );
    expect(lines(payouts, [entry('1', {}, { amount: 750_00n })])).toEqual([
      'ambiguous sum several_sums A+B+C+D = 1',
    ]);
  });

  test('a sum that may fit by chance is not sought', () => {
    const many = Array.from({ length: 40 }, (_, at) =>
      payout(`S${at + 10}`, { payIn: BigInt(at + 1) }),
    );
    const { matches } = match(many, [entry('1', {}, { amount: 400n })]);
    const states = new Set(matches.map(({ state }) => state));
    expect(states).toEqual(new Set(['missing_on_bank', 'unknown_on_bank']));
  });
});

describe('not there', () => {
  test.each([
    ['2026-03-01', '2026-03-31', 'missing_on_bank'],
    ['2026-03-05', '2026-03-12', 'missing_on_bank'],
    ['2026-03-01', '2026-03-11', 'in_transit'],
    ['2026-03-01', '2026-03-04', 'not_covered'],
    ['2026-03-06', '2026-03-31', 'not_covered'],
  ])('statements of %s to %s: %s', (from, to, state) => {
    expect(lines([payout('A')], [], [statement({ from, to })])).toEqual([`${state} A = `]);
  });

  test('statements of days, without weekends and days on which nothing moved', () => {
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

  test('statements of another currency cover nothing', () => {
    expect(lines([payout('A')], [], [statement({ currency: 'USD' })])).toEqual([
      'not_covered A = ',
    ]);
  });

  test('pending at the service, or nothing due', () => {
    expect(lines([payout('A', { status: 'pending_settlement' })], [])).toEqual([
      'not_paid_yet A = ',
    ]);
    expect(lines([payout('A', { payIn: 0n })], [])).toEqual(['nothing_due A = ']);
  });

  test('pending at the bank counts as nothing', () => {
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

test('totals by accounting token and currency', () => {
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
