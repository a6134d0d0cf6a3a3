import { describe, expect, test } from 'vitest';
import { buildRow } from '../../support/build.ts';
import { type Case, codesOf, entryOf, eur, judge } from '../judge.ts';

function judgeWith(tolerance: bigint, given: Case) {
  return judge({ ...given, settings: { ...given.settings, tolerance } });
}

test('a difference of as much as the tolerance is a notice', () => {
  const result = judgeWith(2n, { rows: [buildRow({ fees: 32n })] });
  expect(result.verdict).toBe('balanced');
  expect(codesOf(result)).toEqual(['within_tolerance']);
  expect(entryOf('within_tolerance', result)).toEqual({
    code: 'within_tolerance',
    weight: 'notice',
    count: 1,
    facts: { tolerance: eur(2n), differences: [{ measure: 'fees', difference: eur(-2n) }] },
  });
  expect(result.difference?.fees).toBe(-2n);
});

test('one minor unit more is a discrepancy', () => {
  expect(codesOf(judgeWith(2n, { rows: [buildRow({ fees: 33n })] }))).toEqual(['fees']);
  expect(codesOf(judgeWith(2n, { rows: [buildRow({ fees: 27n })] }))).toEqual(['fees']);
});

test('no difference, no notice', () => {
  expect(codesOf(judgeWith(5n, {}))).toEqual([]);
});

describe('the pay-in difference has to be within it too', () => {
  const addingUp = { rows: [buildRow({ amount: 1002n, fees: 28n })] };

  test('small differences that add up are not forgiven', () => {
    expect(codesOf(judgeWith(2n, addingUp))).toEqual(['gross', 'fees']);
    expect(codesOf(judgeWith(4n, addingUp))).toEqual(['within_tolerance']);
  });

  test('a small difference beside a large one is forgiven only where the pay-in is right', () => {
    const beside = [buildRow({ amount: 1100n, fees: 31n })];
    expect(codesOf(judgeWith(2n, { rows: beside }))).toEqual(['gross', 'fees']);
    const cancelling = [buildRow({ amount: 1100n, fees: 130n, tax: 5n })];
    const result = judgeWith(2n, { rows: cancelling });
    expect(codesOf(result)).toEqual(['gross', 'fees', 'within_tolerance']);
  });

  test('with the identity off there is no such condition', () => {
    const settings = { identity: 'off' } as const;
    expect(codesOf(judgeWith(2n, { ...addingUp, settings }))).toEqual(['within_tolerance']);
  });
});

describe('the header that contradicts itself', () => {
  test('is forgiven as the pay-in', () => {
    const result = judgeWith(1n, { header: { payIn: 965n } });
    expect(codesOf(result)).toEqual(['within_tolerance']);
    expect(entryOf('within_tolerance', result).facts).toEqual({
      tolerance: eur(1n),
      differences: [{ measure: 'payIn', difference: eur(1n) }],
    });
  });

  test('is not forgiven where the pay-in is further from what the rows give', () => {
    const given = { header: { payIn: 965n }, rows: [buildRow({ amount: 999n })] };
    expect(codesOf(judgeWith(1n, given))).toEqual(['gross', 'identity']);
  });

  test('is forgiven by itself where the rows were not read whole', () => {
    const given = { header: { payIn: 965n }, outcome: { notRead: 'offline' } };
    expect(codesOf(judgeWith(1n, given))).toEqual(['not_read', 'within_tolerance']);
    expect(codesOf(judgeWith(0n, given))).toEqual(['identity', 'not_read']);
  });
});

test('the tolerance is in minor units of the header, however fine the rows are', () => {
  const fine = { scale: 4, fees: 3000n, tax: 600n };
  const forgiven = judgeWith(1n, { rows: [buildRow({ ...fine, amount: 100_100n })] });
  expect(codesOf(forgiven)).toEqual(['within_tolerance', 'scale']);
  expect(entryOf('within_tolerance', forgiven).facts).toEqual({
    tolerance: eur(100n, 4),
    differences: [{ measure: 'gross', difference: eur(-100n, 4) }],
  });
  const beyond = judgeWith(1n, { rows: [buildRow({ ...fine, amount: 100_101n })] });
  expect(codesOf(beyond)).toEqual(['gross', 'scale']);
});

test('a missing row is never within it', () => {
  const row = buildRow({ amount: 1n, fees: 0n, tax: 0n });
  const header = { transactions: 2, gross: 2n, fees: 0n, tax: 0n, payIn: 2n };
  expect(codesOf(judgeWith(1n, { rows: [row], header }))).toEqual(['count', 'within_tolerance']);
});
