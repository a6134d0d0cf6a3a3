import { cents } from './account.ts';
import type { Cause } from './known-causes.ts';

/** Differences that nothing in the data explains. A claim is right only if it says so. */
export const noCauses: Readonly<Record<string, Cause>> = {
  'fees-off': { plant: off(['fees']) },
  'tax-off': { plant: off(['tax']), needs: { tax: 2000n } },
  'fees-and-tax-off': { plant: off(['fees', 'tax']), needs: { tax: 2000n } },
  'credit-of-1-price': { plant: credit, needs: { prices: 1 } },
  'credit-of-5-prices': { plant: credit, needs: { prices: 5 } },
  'credit-of-12-prices': { plant: credit, needs: { prices: 12 } },
  'credit-of-40-prices': { plant: credit, needs: { prices: 40 } },
  'round-amount': {
    plant: ({ target: { header }, scale }, random) => {
      const sign = random.pick([1n, -1n]);
      const amount = cents(random.pick([500n, 1000n, 2000n, 2500n, 5000n, 10000n, 50000n]), scale);
      const where = random.pick(['gross', 'fees', 'extra'] as const);
      header[where] += sign * amount;
      return { kind: 'amount' };
    },
  },
};

function off(which: readonly ('fees' | 'tax')[]): Cause['plant'] {
  return ({ target: { header, rows } }, random) => {
    for (const amount of which) {
      header[amount] += BigInt(random.int(1, 5)) * random.pick([1n, -1n]);
    }
    // Half a unit a row is the most that rounding can do.
    return { kind: 'noise', isSmall: rows.length >= 10 };
  };
}

/** A credit or a debit of a list price without a row, and not counted. */
function credit(
  { target: { header }, prices }: Parameters<Cause['plant']>[0],
  random: Parameters<Cause['plant']>[1],
): ReturnType<Cause['plant']> {
  header.gross += random.pick(prices) * random.pick([-1n, -1n, -1n, 1n]);
  return { kind: 'amount' };
}
