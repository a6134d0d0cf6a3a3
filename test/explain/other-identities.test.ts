import { expect, test } from 'vitest';
import { otherIdentities } from '../../src/explain/other-identities.ts';
import { identityNames } from '../../src/reconcile/identity.ts';

const amounts = { gross: 1000n, fees: 30n, tax: 7n };

test('are all but the chosen one, with what each adds to the pay-in', () => {
  const others = otherIdentities('gross-fees-tax', amounts);
  expect(others.map(({ name }) => name)).toEqual(identityNames.slice(1));
  expect(others).toContainEqual({ name: 'gross-fees', payIn: 7n });
  expect(others).toContainEqual({ name: 'gross', payIn: 37n });
  expect(others).toContainEqual({ name: 'gross+fees+tax', payIn: 74n });
});

test('are none where nothing is assumed', () => {
  expect(otherIdentities('off', amounts)).toEqual([]);
});
