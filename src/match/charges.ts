import { inOrderOf } from '../base/texts.ts';
import { rescale } from '../money/money.ts';
import type { EntryShare } from './match.ts';

/** What came, or went back: an entry or its part, at the scale of the entry. */
type Receipt = Pick<EntryShare, 'entry' | 'part' | 'amount'>;

/**
 * The charges that the bank states for a receipt, if they are exactly what is missing of the pay-in; else 0.
 * Amounts that the bank does not state explain nothing. Minor units at `scale`.
 */
export function chargeOf(
  { entry, part }: Omit<Receipt, 'amount'>,
  missing: bigint,
  scale: number,
): bigint {
  const stated = part === undefined ? entry.charges : entry.parts[part]?.charges;
  const charge = rescale(stated ?? 0n, entry.scale, scale);
  return charge === missing ? charge : 0n;
}

/** Whether receipts and such charges, in the order of days, come to a pay-in exactly. */
export function isPaidLessCharges(
  payIn: bigint,
  receipts: readonly Receipt[],
  scale: number,
): boolean {
  let missing = payIn;
  for (const receipt of [...receipts].sort(inTheirOrder)) {
    missing -= rescale(receipt.amount, receipt.entry.scale, scale);
    missing -= chargeOf(receipt, missing, scale);
  }
  return missing === 0n;
}

/** On one day, money in comes before money out. */
const inTheirOrder = inOrderOf(({ entry, amount }: Receipt) => [
  entry.date,
  amount < 0n ? 1 : 0,
  entry.id,
]);
