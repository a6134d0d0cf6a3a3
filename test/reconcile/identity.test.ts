import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Settlement } from '../../src/model/settlement.ts';
import {
  betterIdentities,
  type IdentityName,
  identityFits,
  identityNames,
  payInOf,
} from '../../src/reconcile/identity.ts';
import type { ReconcileSettings } from '../../src/reconcile/subject.ts';
import { type Case, defaultSettings, judge } from './judge.ts';

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

/** Gross 10.00, fees 0.30, tax 0.06, but for what is given. */
function headerPaying(payIn: bigint, header: Partial<Settlement> = {}): Settlement {
  return judge({ header: { payIn, ...header } }).settlement;
}

function fitsOf(headers: readonly Settlement[], identity: IdentityName | 'off', tolerance = 0n) {
  const { fits, better } = identityFits(headers, { identity, tolerance });
  const counts = Object.fromEntries(fits.map((one) => [one.identity, one.settlements]));
  return { counts, better };
}

const chosen = 'gross-fees-tax';

describe('an identity', () => {
  test('has a count of the settlements on which it holds', () => {
    const { counts, better } = fitsOf(
      [headerPaying(964n), headerPaying(970n), headerPaying(964n)],
      chosen,
    );
    expect(counts).toMatchObject({ 'gross-fees-tax': 2, 'gross-fees': 1, gross: 0 });
    expect(better).toEqual([]);
  });

  test('fits better if it holds on more settlements, though not on all', () => {
    const headers = [headerPaying(964n), headerPaying(970n), headerPaying(970n), headerPaying(1n)];
    expect(fitsOf(headers, chosen).better).toEqual(['gross-fees']);
  });

  test('fits better together with others that give the same pay-ins', () => {
    const header = { fees: 30n, tax: 30n };
    const headers = [headerPaying(970n, header), headerPaying(970n, header)];
    expect(fitsOf(headers, chosen).better).toEqual(['gross-fees', 'gross-tax']);
  });

  test('does not fit better if only one settlement can decide', () => {
    expect(fitsOf([headerPaying(970n)], chosen).better).toEqual([]);
    expect(fitsOf([headerPaying(970n), headerPaying(1006n, { fees: 0n })], chosen).better).toEqual(
      [],
    );
  });

  test('does not fit better within the tolerance', () => {
    expect(fitsOf([headerPaying(970n), headerPaying(970n)], chosen, 6n).better).toEqual([]);
    expect(fitsOf([headerPaying(970n), headerPaying(970n)], chosen, 5n).better).toEqual([
      'gross-fees',
    ]);
  });

  test('never fits better than the identity off', () => {
    const { counts, better } = fitsOf([headerPaying(970n), headerPaying(970n)], 'off');
    expect([counts['gross-fees'], better]).toEqual([2, []]);
  });

  test('of which headers are made holds on all of them, and no other fits better', () => {
    const amount = fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n });
    const amounts = fc.record({ gross: amount, fees: amount, tax: amount });
    fc.assert(
      fc.property(fc.constantFrom(...identityNames), fc.array(amounts), (identity, all) => {
        const headers = all.map(({ gross, fees, tax }) =>
          headerPaying(payInOf(identity, gross, fees, tax), { gross, fees, tax }),
        );
        const { counts, better } = fitsOf(headers, identity);
        expect([counts[identity], better]).toEqual([all.length, []]);
      }),
    );
  });
});

function suggest(cases: readonly Case[], settings: Partial<ReconcileSettings> = {}) {
  return betterIdentities(
    cases.map((one) => judge(one)),
    { ...defaultSettings, ...settings },
  );
}

/** Gross 10.00, fees 0.30, tax 0.06, but for what is given. */
const paid = (payIn: bigint, header: Partial<Settlement> = {}): Case => ({
  header: { payIn, ...header },
});

describe('an identity is suggested', () => {
  test('if the chosen one fails and it holds everywhere', () => {
    expect(suggest([paid(970n), paid(970n)])).toEqual([{ identity: 'gross-fees', settlements: 2 }]);
  });

  test('if the chosen one fails once and both hold without tax', () => {
    const cases = [paid(970n), paid(970n), paid(970n, { tax: 0n })];
    expect(suggest(cases)).toEqual([{ identity: 'gross-fees', settlements: 3 }]);
  });

  test('with others that the data cannot distinguish', () => {
    const header = { fees: 30n, tax: 30n };
    expect(suggest([paid(970n, header), paid(970n, header)]).map((one) => one.identity)).toEqual([
      'gross-fees',
      'gross-tax',
    ]);
  });

  test('even if incomplete settlements contradict it', () => {
    const unread = { ...paid(1n), outcome: { notRead: 'offline' } };
    expect(suggest([paid(970n), unread, paid(970n)])).toHaveLength(1);
  });
});

describe('no identity is suggested', () => {
  test('if the chosen one holds everywhere', () => {
    expect(suggest([paid(964n), paid(964n)])).toEqual([]);
  });

  test('if one settlement contradicts it', () => {
    expect(suggest([paid(970n), paid(970n), paid(964n)])).toEqual([]);
  });

  test('if only one settlement can distinguish identities', () => {
    expect(suggest([paid(970n)])).toEqual([]);
    expect(suggest([paid(970n), paid(970n, { tax: 0n })])).toEqual([]);
    const withoutFees = { fees: 0n, tax: 30n };
    expect(suggest([paid(1030n, withoutFees), paid(1030n, withoutFees)])).toEqual([]);
  });

  test('if the chosen one fails only within the tolerance', () => {
    expect(suggest([paid(970n), paid(970n)], { tolerance: 6n })).toEqual([]);
    expect(suggest([paid(970n), paid(970n)], { tolerance: 5n })).toHaveLength(1);
  });

  test('if the identity is off', () => {
    expect(suggest([paid(970n), paid(970n)], { identity: 'off' })).toEqual([]);
  });
});
