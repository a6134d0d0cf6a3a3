import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactJson, isKeptNumber, parseExact, parseJson, plainText } from '../../src/base/json.ts';

describe('exact JSON', () => {
  test.each([
    '{"a":9007199254740993,"b":[1.50,-0.0,1E5,12],"c":"9007199254740993"}',
    '[0.1000,123456789012345678901234567890]',
    '"a \\" 1.50 \\\\"',
    '{"1.50":"x"}',
    '["\\u0000number x"]',
    'null',
  ])('keeps every digit of %s', (text) => {
    expect(exactJson(parseExact(text))).toBe(text);
  });

  test('is the same as other JSON for numbers that JavaScript can hold', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(exactJson(parseExact(text))).toBe(text);
        expect(exactJson(parseExact(text), 2)).toBe(JSON.stringify(JSON.parse(text), null, 2));
      }),
    );
  });

  test.each(['', '{', '{"a":01}', '[1.]', 'NaN'])('is undefined if it is not JSON: %j', (text) => {
    expect(parseExact(text)).toBeUndefined();
  });
});

describe('a number in JSON', () => {
  test.each([
    ['1000', 1000],
    ['1000.00', 1000],
    ['-0.0', -0],
    ['0e-7', 0],
    ['12.5', 12.5],
    ['1e3', 1000],
    ['120e-1', 12],
    ['9007199254740991.0', 2 ** 53 - 1],
  ])('%s is read as its value', (text, value) => {
    expect(parseJson(`{"amount": ${text}}`)).toEqual({ amount: value });
    expect(parseJson(`[${text}]`)).toEqual([value]);
  });

  test.each([
    '1000.00000000000001',
    '-1000.00000000000001',
    '9007199254740991.4',
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    '1e300',
    '1e999',
    '12.50',
    '1e-400',
    '100000000000000000001e-20',
  ])('%s, which JavaScript would round or write otherwise, is kept by its digits', (text) => {
    for (const before of ['{"tax":1,"amount":', '{"amount":']) {
      const value = parseJson(`${before}${text}}`);
      const { amount } = value as { amount: string };
      expect([isKeptNumber(amount), plainText(amount)]).toEqual([true, text]);
      expect(exactJson(value)).toBe(`${before}${text}}`);
    }
    expect(exactJson(parseJson(`[1, ${text}]`))).toBe(`[1,${text}]`);
  });

  test('of a million digits is read as quickly as any text', { timeout: 5_000 }, () => {
    const zeros = '0'.repeat(1_000_000);
    expect(parseJson(`[1.${zeros}]`)).toEqual([1]);
    expect(exactJson(parseJson(`[1.${zeros}1]`))).toBe(`[1.${zeros}1]`);
  });

  test('is not changed inside a text', () => {
    const text = 'a, 1000.00000000000001: "1e-400" \\';
    expect(parseJson(JSON.stringify({ text, tax: 1 }))).toEqual({ text, tax: 1 });
  });

  test('is a whole number only if a whole number is written', () => {
    const digits = fc.stringMatching(/^(0|[1-9]\d{0,20})$/);
    const part = fc.record({
      sign: fc.constantFrom('', '-'),
      digits,
      decimals: fc.stringMatching(/^(\.\d{1,25})?$/),
      exponent: fc.integer({ min: -30, max: 5 }),
    });
    fc.assert(
      fc.property(part, ({ sign, digits: whole, decimals, exponent }) => {
        const text = `${sign}${whole}${decimals}${exponent === 0 ? '' : `e${exponent}`}`;
        const value = (parseJson(`{"amount":${text}}`) as { amount: unknown }).amount;
        const behind = BigInt(Math.max(0, decimals.length - 1) - exponent);
        const scaled = BigInt(whole + decimals.slice(1));
        const isWhole = behind <= 0n || scaled % 10n ** behind === 0n;
        if (isWhole && Number.isSafeInteger(Number(text))) expect(value).toBe(Number(text));
        else expect(Number.isSafeInteger(value)).toBe(false);
      }),
    );
  });
});
