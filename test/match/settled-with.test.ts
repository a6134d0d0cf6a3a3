import { describe, expect, test } from 'vitest';
import { bankAcceptanceOf } from '../../src/match/bank-acceptance.ts';
import type { AcceptedPayout } from '../../src/model/accepted-difference.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import { acceptedOn } from '../../src/reconcile/acceptance.ts';
import { entry, lines, match, payout, statement } from './build.ts';

// A chargeback of 58.00, and the pay-out of the next day, which arrives less by it.
const one = payout('A', { payIn: -58_00n });
const next = payout('B', { payIn: 200_00n, date: '2026-03-06' });
const named = entry('1', { endToEndIds: next.paymentEndToEndIds }, { amount: 142_00n });
const unnamed = entry('1', {}, { amount: 142_00n });

function settled(
  own: Settlement,
  other: Settlement,
  changes: Partial<AcceptedPayout> = {},
): AcceptedPayout {
  return {
    ...{ settlementId: own.id, settlementDate: own.date, accountingToken: own.accountingToken },
    ...{ currency: 'EUR', scale: 2, expected: own.payIn, received: own.payIn },
    ...{ reason: '', by: 'Ada', on: '2026-04-02', until: undefined, account: '' },
    decision: 'settled_with',
    other: { settlementId: other.id, settlementDate: other.date, payIn: other.payIn },
    ...changes,
  };
}

const by = (...decided: readonly AcceptedPayout[]) =>
  [[statement()], [], acceptedOn('2026-04-02', decided)] as const;

describe('two pay-outs that a person settles together', () => {
  test.each([
    ['by the id of one', named, 'end_to_end_id'],
    ['by the exact sum alone', unnamed, 'sum'],
  ])('are matched as one, %s', (_, given, key) => {
    for (const line of [settled(one, next), settled(next, one)]) {
      expect(lines([one, next], [given], ...by(line))).toEqual([
        `matched ${key} settled_with A+B = 1`,
      ]);
    }
  });

  test('have each received their own pay-in', () => {
    const [found] = match([one, next], [named], ...by(settled(one, next))).matches;
    expect(found?.settlements.map(({ received }) => received)).toEqual([-58_00n, 200_00n]);
  });

  test('may be more than two', () => {
    const third = payout('C', { payIn: -2_00n });
    const given = { ...named, amount: 140_00n };
    const decided = by(settled(one, next), settled(third, next));
    expect(lines([one, next, third], [given], ...decided)).toEqual([
      'matched end_to_end_id settled_with A+C+B = 1',
    ]);
  });

  test('that come to nothing need no entry', () => {
    const same = payout('B', { payIn: 58_00n });
    expect(lines([one, same], [], ...by(settled(one, same)))).toEqual([
      'matched sum settled_with A+B = ',
    ]);
  });

  test('keep what the sum does not explain as a difference', () => {
    const given = { ...named, amount: 141_00n };
    expect(lines([one, next], [given], ...by(settled(one, next)))).toEqual([
      'difference end_to_end_id settled_with A+B = 1 -100',
    ]);
  });

  test('are apart while no entry has their sum, and ambiguous if several do', () => {
    const decided = by(settled(one, next));
    expect(lines([one, next], [], ...decided)).toEqual([
      'missing_on_bank settled_with A = ',
      'missing_on_bank settled_with B = ',
    ]);
    expect(lines([one, next], [unnamed, { ...unnamed, id: '2' }], ...decided)).toEqual([
      'ambiguous sum same_amount A+B = 1+2',
    ]);
  });

  test.each<[string, Partial<Settlement>, Partial<Settlement>, string]>([
    ['the one changes', { payIn: -59_00n }, {}, 'expected'],
    ['the other changes', {}, { payIn: 201_00n }, 'settled_with'],
    ['the other is no longer paid', {}, { status: 'pending_settlement' }, 'settled_with'],
  ])('are apart again if %s, and the report says so', (_, own, other, field) => {
    const given = [
      { ...one, ...own },
      { ...next, ...other },
    ];
    const [statements, accounts, accepted] = by(settled(one, next));
    const { matches } = match(given, [named], statements, accounts, accepted);
    expect(matches[0]).toMatchObject({ state: 'missing_on_bank', reason: undefined });
    const acceptance = matches[0] && bankAcceptanceOf(matches[0], accepted);
    expect(acceptance).toMatchObject({ state: 'changed', changes: [{ field }] });
  });

  test('are apart after the last day of the decision', () => {
    const [found] = match(
      ...[[one, next], [named] as const],
      ...by(settled(one, next, { until: '2026-04-01' })),
    ).matches;
    expect(found?.state).toBe('missing_on_bank');
  });
});

describe('pay-outs that may be settled together', () => {
  const suggested = (...given: Parameters<typeof match>) =>
    match(...given).netted.map(({ settlements, minor }) => [
      ...settlements.map(({ id }) => id),
      minor,
    ]);

  test('are a missing negative one and a later one that is less by it', () => {
    expect(suggested([one, next], [named])).toEqual([['A', 'B', 142_00n]]);
    expect(suggested([one, next], [unnamed])).toEqual([['A', 'B', 142_00n]]);
  });

  test('may be several negative ones', () => {
    const third = payout('C', { payIn: -2_00n });
    expect(suggested([one, next, third], [{ ...named, amount: 140_00n }])).toEqual([
      ['A', 'C', 'B', 140_00n],
    ]);
  });

  test.each<[string, readonly Settlement[]]>([
    ['of another account', [{ ...one, accountingToken: 'other' }, next]],
    ['of another currency', [{ ...one, currency: 'USD' }, next]],
    ['after it', [{ ...one, date: '2026-03-09' }, next]],
    ['whose due days are over', [{ ...one, date: '2026-02-20' }, next]],
    ['of another amount', [{ ...one, payIn: -58_01n }, next]],
    ['of which there are two', [one, { ...one, id: 'C', paymentEndToEndIds: [] }, next]],
  ])('are not suggested with one %s', (_, settlements) => {
    expect(suggested(settlements, [named])).toEqual([]);
  });

  test('are never a match by themselves', () => {
    expect(lines([one, next], [named])).toEqual([
      'missing_on_bank A = ',
      'difference end_to_end_id B = 1 -5800',
    ]);
  });
});
