import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactJson, parseExact } from '../../src/base/json.ts';

describe('exact JSON', () => {
  test.each([
    '{"a":9007199254740993,"b":[1.50,-0.0,1E5,12],"c":"9007199254740993"}',
    '[0.1000,123456789012345678901234567890]',
    '"a \\" 1.50 \\\\"',
    '{"1.50":"x"}',
    'null',
  ])('keeps every digit of %s', (text) => {
    expect(exactJson(parseExact(text))).toBe(text);
  });

  test('of what JavaScript can hold is the same as any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(exactJson(parseExact(text))).toBe(text);
        expect(exactJson(parseExact(text), 2)).toBe(JSON.stringify(JSON.parse(text), null, 2));
      }),
    );
  });

  test.each(['', '{', '{"a":01}', '[1.]', 'NaN'])('is none where the text is none: %j', (text) => {
    expect(parseExact(text)).toBeUndefined();
  });
});
