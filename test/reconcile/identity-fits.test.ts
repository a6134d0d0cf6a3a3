import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Settlement } from '../../src/model/settlement.ts';
import { type IdentityName, identityNames, payInOf } from '../../src/reconcile/identity.ts';
import { identityFits } from '../../src/reconcile/identity-fits.ts';
import { judge } from './judge.ts';

/** Gross 10.00, fees 0.30, tax 0.06, but for what is given. */
function paid(payIn: bigint, header: Partial<Settlement> = {}): Settlement {
  return judge({ header: { payIn, ...header } }).settlement;
}

function fitsOf(headers: readonly Settlement[], identity: IdentityName | 'off', tolerance = 0n) {
  const { fits, better } = identityFits(headers, { identity, tolerance });
  const counts = Object.fromEntries(fits.map((one) => [one.identity, one.settlements]));
  return { counts, better };
}

const chosen = 'gross-fees-tax';

describe('an identity', () => {
  test('is counted on each settlement that it holds on', () => {
    const { counts, better } = fitsOf([paid(964n), paid(970n), paid(964n)], chosen);
    expect(counts).toMatchObject({ 'gross-fees-tax': 2, 'gross-fees': 1, gross: 0 });
    expect(better).toEqual([]);
  });

  test('fits better where it holds on more, though not on all', () => {
    const headers = [paid(964n), paid(970n), paid(970n), paid(1n)];
    expect(fitsOf(headers, chosen).better).toEqual(['gross-fees']);
  });

  test('fits better together with others that cannot be told from it', () => {
    const header = { fees: 30n, tax: 30n };
    const headers = [paid(970n, header), paid(970n, header)];
    expect(fitsOf(headers, chosen).better).toEqual(['gross-fees', 'gross-tax']);
  });

  test('is not better by a single settlement that can tell', () => {
    expect(fitsOf([paid(970n)], chosen).better).toEqual([]);
    expect(fitsOf([paid(970n), paid(1006n, { fees: 0n })], chosen).better).toEqual([]);
  });

  test('is not better within the tolerance', () => {
    expect(fitsOf([paid(970n), paid(970n)], chosen, 6n).better).toEqual([]);
    expect(fitsOf([paid(970n), paid(970n)], chosen, 5n).better).toEqual(['gross-fees']);
  });

  test('is never better than none', () => {
    const { counts, better } = fitsOf([paid(970n), paid(970n)], 'off');
    expect([counts['gross-fees'], better]).toEqual([2, []]);
  });

  test('by which headers are made holds on all of them, and none is better', () => {
    const amount = fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n });
    const amounts = fc.record({ gross: amount, fees: amount, tax: amount });
    fc.assert(
      fc.property(fc.constantFrom(...identityNames), fc.array(amounts), (identity, all) => {
        const headers = all.map(({ gross, fees, tax }) =>
          paid(payInOf(identity, gross, fees, tax), { gross, fees, tax }),
        );
        const { counts, better } = fitsOf(headers, identity);
        expect([counts[identity], better]).toEqual([all.length, []]);
      }),
    );
  });
});
