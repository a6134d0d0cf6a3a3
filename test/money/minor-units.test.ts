import { expect, test } from 'vitest';
import { minorUnitsOf } from '../../src/money/minor-units.ts';

test.each([
  ['EUR', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['CLF', 4],
  // Where Intl, which counts the coins in use, has 0.
  ['HUF', 2],
  ['IDR', 2],
  ['IQD', 3],
  // New since 2025, and gone since 2026.
  ['XCG', 2],
  ['BGN', 2],
])('%s has %i decimal places', (currency, expected) => {
  expect(minorUnitsOf(currency)).toBe(expected);
});

test.each(['XAU', 'XDR', 'XXX', 'ABC', 'eur', '', 'constructor'])(
  '%s is an unknown currency',
  (code) => {
    expect(minorUnitsOf(code)).toBeUndefined();
  },
);
