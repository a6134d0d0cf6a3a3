import { expect, test } from 'vitest';
import { identityNames, payInOf } from '../../src/reconcile/identity.ts';

test('each identity subtracts, adds or leaves out fees and tax, as its name says', () => {
  const payIns = identityNames.map((name) => [name, payInOf(name, 1000n, 30n, 7n)]);
  expect(Object.fromEntries(payIns)).toEqual({
    'gross-fees-tax': 963n,
    'gross-fees+tax': 977n,
    'gross-fees': 970n,
    'gross+fees-tax': 1023n,
    'gross+fees+tax': 1037n,
    'gross+fees': 1030n,
    'gross-tax': 993n,
    'gross+tax': 1007n,
    gross: 1000n,
  });
});
