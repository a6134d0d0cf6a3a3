import { expect, test } from 'vitest';
import { orderKey } from '../../src/model/accepted-difference.ts';

test('an order is the same in a register, which shows what its number hides', () => {
  expect(orderKey('shop', 'A\x1b1\u200b')).toBe(orderKey('shop', 'A\\u001b1\\u200b'));
  expect(orderKey('shop', 'A1')).not.toBe(orderKey('other', 'A1'));
});
