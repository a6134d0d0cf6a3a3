import { buildRow, uuid } from '../support/build.ts';
import type { Random } from '../support/random.ts';
import { anyCurrency, roundedBy, type Trade } from './trade.ts';

/**
 * Another business than the shops by which the ranking was weighed: many small amounts and few large
 * ones, fees with a least and a most, payouts to sellers, tax by country.
 */
export function anyMarketplace(random: Random): Trade {
  const [currency, scale] = anyCurrency(random);
  const least = BigInt(random.int(5, 60));
  const most = BigInt(random.int(5_00, 40_00));
  const rate = BigInt(random.int(50, 450));
  const taxes = [0n, 81n, 190n, 210n].map((digits) => (random.chance(60) ? 200n : digits));
  const kinds = random.pick([
    ['sale'],
    ['sale', 'sale', 'sale', 'seller_payout'],
    ['sale', 'sale', 'sale', 'sale', 'refund', 'dispute', 'correction'],
  ]);
  const states = random.pick([
    ['captured'],
    ['captured', 'captured', 'captured', 'failed', 'held'],
  ]);
  const row = (random: Random, number: number) => {
    const type = random.pick(kinds);
    const digits = random.int(0, 4);
    const size = BigInt(random.int(1, 9 * 10 ** digits) + 10 ** digits + 50);
    const amount = type === 'sale' ? size : -size;
    const share = roundedBy('half_even', size * rate, 10_000n);
    const charged = share < least ? least : share > most ? most : share;
    const fees = type === 'seller_payout' ? 0n : type === 'refund' ? -charged : charged;
    return buildRow({
      id: uuid(number),
      chargeId: uuid(number + 500_000),
      type,
      paymentType: random.pick(['card', 'transfer']),
      state: random.pick(states),
      currency,
      scale,
      amount,
      fees,
      tax: roundedBy('down', fees * random.pick(taxes), 1000n),
    });
  };
  return { currency, scale, row };
}
