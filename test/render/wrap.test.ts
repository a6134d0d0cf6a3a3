import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inert, shown } from '../../src/render/inert.ts';
import { painter } from '../../src/render/table.ts';
import { alignedNumbers, widest, wrap } from '../../src/render/wrap.ts';

describe('wrap', () => {
  test('breaks at spaces, and inside a word that is wider than the line', () => {
    expect(wrap(inert('one two three'), 7)).toEqual(['one two', 'three']);
    expect(wrap(inert('a 1234567890'), 4)).toEqual(['a', '1234', '5678', '90']);
    expect(wrap(inert('8f14e45f-ceea-467f'), 16)).toEqual(['8f14e45f-ceea-', '467f']);
    expect(wrap(inert(''), 4)).toEqual(['']);
  });

  test('loses only spaces and keeps to the width', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '漢', '😀', 'é') });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 12 }), (words, width) => {
        const lines = wrap(inert(words), width);
        expect(lines.join('').replaceAll(' ', '')).toBe(words.replaceAll(' ', ''));
        expect(widest(lines)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

test('a screen shows 10,000 characters of a text and an ellipsis, whatever they become', () => {
  for (const text of ['x'.repeat(1_000_000), '\u001b'.repeat(1_000_000)]) {
    expect([...shown(text)].length).toBeLessThanOrEqual(10_001);
  }
  expect(shown('x'.repeat(10_000))).toBe('x'.repeat(10_000));
});

test('the compiler refuses text that was not made inert', () => {
  // @ts-expect-error
  wrap('raw', 12);
  // @ts-expect-error
  painter(true)('strong', 'raw');
});

describe('alignedNumbers', () => {
  const shown = (...cells: readonly string[]) => alignedNumbers(cells.map(inert));

  test('aligns decimal points', () => {
    expect(shown('-1.25', '500', '0.125', '')).toEqual(['-1.25 ', '500    ', '0.125', '    ']);
  });

  test('groups thousands before the point with any sign, and keeps decimals', () => {
    expect(shown('999', '-999', '1000', '+1000', '-1000000', '0')).toEqual([
      '999',
      '-999',
      '1,000',
      '+1,000',
      '-1,000,000',
      '0',
    ]);
    expect(shown('-1234567.1234567', '0.0001000')).toEqual(['-1,234,567.1234567', '0.0001000']);
  });

  test('changes no digit', () => {
    const number = fc.tuple(fc.constantFrom('', '-', '+'), fc.bigInt({ min: 0n }), fc.nat());
    fc.assert(
      fc.property(number, ([sign, whole, decimals]) => {
        const [cell = ''] = shown(`${sign}${whole}.${decimals}`);
        expect(cell.replaceAll(',', '')).toBe(`${sign}${whole}.${decimals}`);
        expect(cell).toMatch(/^[-+]?\d{1,3}(,\d{3})*\.\d+$/);
      }),
    );
  });
});
