import type { DateRange } from '../model/source.ts';
import { type Money, magnitude } from '../money/money.ts';
import { atRateOf, hundredPercent, rateOf } from '../money/rate.ts';
import type { ReconciledRun } from './reconciled.ts';
import { type RowGroup, type RowTotal, rowTotalsBy } from './row-totals.ts';
import { splitBy } from './split.ts';

/** An earlier range, and how far a rate may be from what it was there. */
export interface RateComparison {
  readonly range: DateRange;
  /** Percentage points: an integer at `rateScale`, not negative. */
  readonly limit: bigint;
}

/** The fee rates of a run beside those of an earlier range. */
export interface ComparedRates extends RateComparison {
  /** How many settlements of the earlier range have each verdict, and whether all could be read. */
  readonly earlier: Pick<ReconciledRun, 'counts' | 'complete'>;
  /** By accounting token, currency and payment type. */
  readonly rates: readonly ComparedRate[];
}

/** What fees are charged for: rates are never compared across these. */
export type RateKey = Pick<RowGroup, 'accountingToken' | 'currency' | 'paymentType'>;

/** What rows come to, by the rules; both amounts at one scale. Their ratio is the fee rate. */
export interface FeesCharged {
  readonly transactions: number;
  readonly gross: Money;
  readonly fees: Money;
}

/** A payment type of an account in both ranges; absent in the one where it has no rows. */
export interface ComparedRate extends RateKey {
  readonly earlier: FeesCharged | undefined;
  readonly now: FeesCharged | undefined;
}

/** The same text for the same rate, and only for it. */
export function rateKey({ accountingToken, currency, paymentType }: RateKey): string {
  return JSON.stringify([accountingToken, currency, paymentType]);
}

function partsOf({ accountingToken, currency, paymentType }: RowTotal): RateKey {
  return { accountingToken, currency, paymentType };
}

/** What the rows of each account, currency and payment type come to, by their key. */
export function feesCharged(totals: readonly RowTotal[]): ReadonlyMap<string, FeesCharged> {
  return new Map(
    rowTotalsBy(totals, partsOf, 'off').map((own) => {
      const { transactions, gross, fees, scale, currency } = own;
      const money = (minor: bigint): Money => ({ minor, scale, currency });
      return [rateKey(own), { transactions, gross: money(gross), fees: money(fees) }];
    }),
  );
}

/** The rates of both ranges side by side, by accounting token, currency and payment type. */
export function comparedRates(
  earlier: readonly RowTotal[],
  now: readonly RowTotal[],
): readonly ComparedRate[] {
  const [before, after] = [feesCharged(earlier), feesCharged(now)];
  return splitBy([...earlier, ...now], partsOf).map(([parts]) => {
    const key = rateKey(parts);
    return { ...parts, earlier: before.get(key), now: after.get(key) };
  });
}

/** The fee rate, in per cent of the gross; undefined where it says nothing. */
export function feeRate(charged: FeesCharged | undefined): bigint | undefined {
  return charged && rateOf(charged.fees.minor, charged.gross.minor);
}

/**
 * By how many percentage points the rate is higher than it was: rounded once, so that it may differ in
 * the last place from what the rounded rates would give. Undefined where they can't be compared.
 */
export function rateChange(rate: Pick<ComparedRate, 'earlier' | 'now'>): bigint | undefined {
  const change = exactChange(rate);
  return change && atRateOf(change.above, hundredPercent, change.below);
}

/** Whether a rate has changed by more than so many percentage points, an integer at `rateScale`. */
export function isBeyond(limit: bigint, rate: Pick<ComparedRate, 'earlier' | 'now'>): boolean {
  const { above, below } = exactChange(rate) ?? { above: 0n, below: 1n };
  return magnitude(above) * hundredPercent > limit * below;
}

/** Whether the rate is higher than it was, however little. */
export function rateRises(rate: Pick<ComparedRate, 'earlier' | 'now'>): boolean {
  return (exactChange(rate)?.above ?? 0n) > 0n;
}

/**
 * The change as a fraction, whose lower part is positive. Where more was refunded than paid, the rate
 * is not what payments cost, and is not compared.
 */
function exactChange({ earlier, now }: Pick<ComparedRate, 'earlier' | 'now'>) {
  if (!earlier || !now || !isComparable(earlier) || !isComparable(now)) return undefined;
  const [gross, grossBefore] = [now.gross.minor, earlier.gross.minor];
  const above = now.fees.minor * grossBefore - earlier.fees.minor * gross;
  return { above, below: gross * grossBefore };
}

/** Whether a rate can be compared with another one. */
export function isComparable(charged: FeesCharged): boolean {
  return charged.gross.minor > 0n && charged.fees.minor >= 0n;
}
