import { cents } from './account.ts';
import { type Cause, ofHeader } from './planted.ts';

/** Differences that nothing in the data explains. A claim is right only if it says so. */
export const noCauses: Readonly<Record<string, Cause>> = {
  'fees-off': { plant: off(5, 'fees') },
  'tax-off': { plant: off(5, 'tax'), needs: { tax: 2000n } },
  'fees-and-tax-off': { plant: off(5, 'fees', 'tax'), needs: { tax: 2000n } },
  'credit-of-1-price': { plant: credit(), needs: { prices: 1 } },
  'credit-of-5-prices': { plant: credit(), needs: { prices: 5 } },
  'credit-of-12-prices': { plant: credit(), needs: { prices: 12 } },
  'credit-of-40-prices': { plant: credit(), needs: { prices: 40 } },
  'round-amount': {
    plant: ofHeader('amount', (header, random, { scale }) => {
      const amount = cents(random.pick([500n, 1000n, 2000n, 2500n, 5000n, 10000n, 50000n]), scale);
      header[random.pick(['gross', 'fees', 'extra'] as const)] += amount * random.pick([1n, -1n]);
    }),
  },
};

/** Amounts that are at most so many minor units too high or too low. */
export function off(most: number, ...amounts: readonly ('fees' | 'tax')[]): Cause['plant'] {
  return ({ target: { header, rows } }, random) => {
    const units = amounts.map(() => random.int(1, most));
    for (const [at, amount] of amounts.entries()) {
      header[amount] += BigInt(units[at] ?? 0) * random.pick([1n, -1n]);
    }
    // Half a unit a row is the most that rounding can do.
    return { kind: 'noise', isSmall: rows.length >= 2 * Math.max(...units) };
  };
}

/** A list price that the header has without a row, mostly to the merchant's debit, and does not count. */
function credit(): Cause['plant'] {
  return ofHeader('amount', (header, random, { prices }) => {
    header.gross += random.pick(prices) * random.pick([-1n, -1n, -1n, 1n]);
  });
}
