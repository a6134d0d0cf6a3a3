import { describe, expect, test } from 'vitest';
import type { Settlement } from '../../src/model/settlement.ts';
import { betterIdentities } from '../../src/reconcile/identity-fits.ts';
import type { ReconcileSettings } from '../../src/reconcile/reconciled.ts';
import { type Case, defaultSettings, judge } from './judge.ts';

function suggest(cases: readonly Case[], settings: Partial<ReconcileSettings> = {}) {
  return betterIdentities(
    cases.map((one) => judge(one)),
    { ...defaultSettings, ...settings },
  );
}

/** Gross 10.00, fees 0.30, tax 0.06, but for what is given. */
const paid = (payIn: bigint, header: Partial<Settlement> = {}): Case => ({
  header: { payIn, ...header },
});

describe('an identity is suggested', () => {
  test('where the chosen one fails and it holds everywhere', () => {
    expect(suggest([paid(970n), paid(970n)])).toEqual([{ identity: 'gross-fees', settlements: 2 }]);
  });

  test('where the chosen one fails once only: without tax both hold', () => {
    const cases = [paid(970n), paid(970n), paid(970n, { tax: 0n })];
    expect(suggest(cases)).toEqual([{ identity: 'gross-fees', settlements: 3 }]);
  });

  test('beside others that the data cannot tell apart', () => {
    const header = { fees: 30n, tax: 30n };
    expect(suggest([paid(970n, header), paid(970n, header)]).map((one) => one.identity)).toEqual([
      'gross-fees',
      'gross-tax',
    ]);
  });

  test('also where incomplete settlements contradict it: they are not asked', () => {
    const unread = { ...paid(1n), outcome: { notRead: 'offline' } };
    expect(suggest([paid(970n), unread, paid(970n)])).toHaveLength(1);
  });
});

describe('no identity is suggested', () => {
  test('where the chosen one holds everywhere', () => {
    expect(suggest([paid(964n), paid(964n)])).toEqual([]);
  });

  test('where one settlement contradicts it', () => {
    expect(suggest([paid(970n), paid(970n), paid(964n)])).toEqual([]);
  });

  test('from a single settlement, or a single one that can tell identities apart', () => {
    expect(suggest([paid(970n)])).toEqual([]);
    expect(suggest([paid(970n), paid(970n, { tax: 0n })])).toEqual([]);
    const withoutFees = { fees: 0n, tax: 30n };
    expect(suggest([paid(1030n, withoutFees), paid(1030n, withoutFees)])).toEqual([]);
  });

  test('where the chosen one fails within the tolerance only', () => {
    expect(suggest([paid(970n), paid(970n)], { tolerance: 6n })).toEqual([]);
    expect(suggest([paid(970n), paid(970n)], { tolerance: 5n })).toHaveLength(1);
  });

  test('where none was chosen', () => {
    expect(suggest([paid(970n), paid(970n)], { identity: 'off' })).toEqual([]);
  });
});
