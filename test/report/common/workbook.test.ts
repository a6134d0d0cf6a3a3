import { describe, expect, test } from 'vitest';
import { addsUpExactly } from '../../../src/report/common/workbook.ts';

describe('amounts that a spreadsheet adds up exactly', () => {
  const largest = 10n ** 15n - 1n;

  test.each([
    ['none', [], true],
    ['usual ones', [12_345n, -678n], true],
    ['the largest number, alone', [largest], true],
    ['one that is no number', [largest + 1n], false],
    ['two of the largest: no bit is left for their sum', [largest, largest], false],
    ['large ones of opposite signs, which are added one by one', [largest, -largest], false],
    ['many, each far from the limit', Array.from({ length: 50_000 }, () => 10n ** 9n), false],
  ] as const)('are or are not: %s', (_, amounts, isExact) => {
    expect(addsUpExactly(amounts)).toBe(isExact);
  });
});
