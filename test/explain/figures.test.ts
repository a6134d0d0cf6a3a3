import { describe, expect, test } from 'vitest';
import { type Delta, noDelta } from '../../src/explain/delta.ts';
import { differingFigures, figuresAccountedFor } from '../../src/explain/figures.ts';

const identity = 'gross-fees-tax';
const delta = (given: Partial<Delta>): Delta => ({ ...noDelta, ...given });

describe('the figures that differ', () => {
  test.each<[Partial<Delta>, readonly string[]]>([
    [{}, []],
    [{ count: -1 }, ['count']],
    [{ gross: 5n, payIn: 5n }, ['gross']],
    [{ fees: 5n, payIn: -5n }, ['fees']],
    [{ tax: 5n, payIn: -5n }, ['tax']],
    [{ payIn: 5n }, ['payIn']],
    [{ gross: 5n }, ['gross', 'payIn']],
    [{ count: 1, gross: 9n, fees: 2n, tax: 1n, payIn: 6n }, ['count', 'gross', 'fees', 'tax']],
  ])('%o', (given, expected) => {
    expect(differingFigures(identity, delta(given))).toEqual(expected);
  });
});

describe('what a cause accounts for', () => {
  const target = delta({ count: 1, gross: 10n, fees: 2n, payIn: 8n });

  test.each<[string, Partial<Delta>, readonly string[]]>([
    ['all of it', target, ['count', 'gross', 'fees']],
    ['one amount in full', { gross: 10n, payIn: 10n }, ['gross']],
    ['an amount and the count', { count: 1, fees: 2n, payIn: -2n }, ['count', 'fees']],
    ['the count alone is not worth telling', { count: 1 }, []],
    ['a part of an amount is none', { gross: 4n, payIn: 4n }, []],
    ['one in full, another in part', { gross: 10n, fees: 1n, payIn: 9n }, ['gross']],
    ['not where it puts out tax', { gross: 10n, tax: 1n, payIn: 9n }, []],
    ['not where it puts out the pay-in', { gross: 10n }, []],
  ])('%s', (_, given, expected) => {
    expect(figuresAccountedFor(identity, target, delta(given))).toEqual(expected);
  });

  test.each<[string, Partial<Delta>]>([
    ['the gross', { gross: 1n, payIn: 1n }],
    ['the fees', { fees: 1n, payIn: -1n }],
    ['the tax', { tax: 1n, payIn: -1n }],
    ['the count', { count: 1 }],
  ])('is nothing where it puts out %s', (_, given) => {
    const one = delta({ payIn: 7n });
    const both = delta({ ...given, payIn: (given.payIn ?? 0n) + 7n });
    expect(figuresAccountedFor(identity, one, delta({ payIn: 7n }))).toEqual(['payIn']);
    expect(figuresAccountedFor(identity, one, both)).toEqual([]);
  });
});
