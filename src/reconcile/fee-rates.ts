import { byText } from '../base/texts.ts';
import type { DateRange } from '../model/source.ts';
import { type Money, magnitude, maxScale, rescale } from '../money/money.ts';
import { atRateOf, hundredPercent, rateOf, rateText } from '../money/rate.ts';
import {
  type Entry,
  entry,
  exampleLimit,
  type FeeDrift,
  type FeesCharged,
  type RateKey,
} from './entry.ts';
import type { ReconciledSettlement } from './reconcile-settlement.ts';
import type { RowColumns } from './row-columns.ts';
import { type RowTotal, rowTotalsBy } from './row-totals.ts';
import { factorsBy, type Rules } from './rules.ts';
import { splitBy } from './split.ts';
import { isInSums, type Verdict } from './verdict.ts';

/** An earlier range, and how much a fee rate may differ from its rate there. */
export interface RateComparison {
  readonly range: DateRange;
  /** Percentage points: an integer at `rateScale`, not negative. */
  readonly limit: bigint;
}

/** The fee rates of a run beside those of an earlier range. */
export interface ComparedRates extends RateComparison {
  readonly earlier: Omit<EarlierRun, 'rowTotals'>;
  /** By accounting token, currency and payment type. */
  readonly rates: readonly ComparedRate[];
}

/** A payment type of an accounting token in both ranges; absent from a range without its rows. */
export interface ComparedRate extends RateKey {
  readonly earlier: FeesCharged | undefined;
  readonly now: FeesCharged | undefined;
}

interface EarlierRun {
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly complete: boolean;
  readonly rowTotals: readonly RowTotal[];
}

/** Compares fee rates with those of an earlier run, and keeps the rows furthest from them. */
export class FeeComparison {
  readonly #earlier: EarlierRun;
  readonly #comparison: RateComparison;
  readonly #rules: Rules;
  readonly #charged: ReadonlyMap<string, FeesCharged>;
  readonly #furthest = new Map<string, Furthest>();

  constructor(earlier: EarlierRun, comparison: RateComparison, rules: Rules) {
    const { counts, complete, rowTotals } = earlier;
    // The settlements of the earlier run are not kept.
    this.#earlier = { counts, complete, rowTotals };
    this.#comparison = comparison;
    this.#rules = rules;
    this.#charged = feesCharged(rowTotals);
  }

  /** Adds all rows of a settlement; each settlement once. */
  add({ settlement, verdict }: ReconciledSettlement, rows: RowColumns): void {
    if (!isInSums(verdict)) return;
    const { id: settlementId, accountingToken, currency } = settlement;
    const kinds = rows.kinds.map((kind) => {
      const key = rateKey({ accountingToken, currency, paymentType: kind.paymentType });
      const earlier = this.#charged.get(key);
      const factors = factorsBy(this.#rules, kind);
      const isCompared = kind.currency === currency && earlier && isComparable(earlier);
      return factors && isCompared ? { key, earlier, factors, scale: kind.scale } : null;
    });
    for (let row = 0; row < rows.size; row += 1) {
      const kind = kinds[rows.kindNumber(row)];
      if (!kind) continue;
      const { key, earlier, factors, scale } = kind;
      const amount = rows.amount(row) * BigInt(factors.gross);
      const fees =
        rows.fees(row) * BigInt(factors.fees) + rows.tax(row) * BigInt(factors.taxInFees);
      const beyond = fees * earlier.gross.minor - amount * earlier.fees.minor;
      if (beyond === 0n) continue;
      this.#side(key, beyond > 0n).add(rescale(magnitude(beyond), scale, maxScale), () => ({
        transactionId: rows.id(row),
        settlementId,
        amount: { minor: amount, scale, currency },
        fees: { minor: fees, scale, currency },
      }));
    }
  }

  /** The comparison, once all settlements are added; `totals` are those of the run. */
  compared(totals: readonly RowTotal[]) {
    const { counts, complete, rowTotals } = this.#earlier;
    const rates = comparedRates(rowTotals, totals);
    const feeRates: ComparedRates = { ...this.#comparison, earlier: { counts, complete }, rates };
    return { feeRates, feeDrifts: rates.flatMap((rate) => this.#driftOf(rate)) };
  }

  #driftOf(rate: ComparedRate): readonly Entry<'fee_drift'>[] {
    const { earlier, now } = rate;
    const { limit } = this.#comparison;
    const exact = exactChange(rate);
    if (!earlier || !now || !exact || !isBeyond(limit, rate)) return [];
    const minor = atRateOf(now.gross.minor, earlier.fees.minor, earlier.gross.minor);
    const drift = {
      ...rate,
      earlier: { ...earlier, feesPercent: rateText(feeRate(earlier)) },
      now: { ...now, feesPercent: rateText(feeRate(now)) },
      change: rateText(rateChange(rate)),
      limit: rateText(limit),
      atEarlierRate: { ...now.fees, minor },
      difference: { ...now.fees, minor: now.fees.minor - minor },
      examples: this.#side(rateKey(rate), exact.above > 0n).examples(),
    };
    return [entry('fee_drift', now.transactions, drift)];
  }

  #side(key: string, isAbove: boolean): Furthest {
    const side = `${isAbove ? '+' : '-'}${key}`;
    const furthest = this.#furthest.get(side) ?? new Furthest();
    this.#furthest.set(side, furthest);
    return furthest;
  }
}

type FeeExample = FeeDrift['examples'][number];

interface Candidate {
  readonly distance: bigint;
  readonly example: FeeExample;
}

/** The candidates of the largest distance, then of the smallest ids. */
class Furthest {
  #found: readonly Candidate[] = [];

  add(distance: bigint, exampleOf: () => FeeExample): void {
    const last = this.#found[exampleLimit - 1];
    if (last && distance < last.distance) return;
    const one = { distance, example: exampleOf() };
    if (last && furthestFirst(one, last) >= 0) return;
    this.#found = [...this.#found, one].sort(furthestFirst).slice(0, exampleLimit);
  }

  examples(): readonly FeeExample[] {
    return this.#found.map(({ example }) => example);
  }
}

function furthestFirst(a: Candidate, b: Candidate): number {
  if (a.distance !== b.distance) return a.distance > b.distance ? -1 : 1;
  return byText(a.example.transactionId, b.example.transactionId);
}

export function rateKey({ accountingToken, currency, paymentType }: RateKey): string {
  return JSON.stringify([accountingToken, currency, paymentType]);
}

function partsOf({ accountingToken, currency, paymentType }: RowTotal) {
  return { accountingToken, currency, paymentType };
}

function feesCharged(totals: readonly RowTotal[]): ReadonlyMap<string, FeesCharged> {
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

/** The fees in per cent of the gross; undefined if the gross is 0 or has the opposite sign. */
export function feeRate(charged: FeesCharged | undefined): bigint | undefined {
  return charged && rateOf(charged.fees.minor, charged.gross.minor);
}

type BothRates = Pick<ComparedRate, 'earlier' | 'now'>;

/** Percentage points, now − earlier, rounded once. Undefined if the rates cannot be compared. */
export function rateChange(rate: BothRates): bigint | undefined {
  const change = exactChange(rate);
  return change && atRateOf(change.above, hundredPercent, change.below);
}

/** Whether a rate has changed by more than `limit` percentage points, an integer at `rateScale`. */
export function isBeyond(limit: bigint, rate: BothRates): boolean {
  const { above, below } = exactChange(rate) ?? { above: 0n, below: 1n };
  return magnitude(above) * hundredPercent > limit * below;
}

/** The change as a fraction with a positive denominator. */
function exactChange({ earlier, now }: BothRates) {
  if (!earlier || !now || !isComparable(earlier) || !isComparable(now)) return undefined;
  const [gross, grossBefore] = [now.gross.minor, earlier.gross.minor];
  const above = now.fees.minor * grossBefore - earlier.fees.minor * gross;
  return { above, below: gross * grossBefore };
}

/** If more was refunded than paid, the rate is not what payments cost. */
function isComparable(charged: FeesCharged): boolean {
  return charged.gross.minor > 0n && charged.fees.minor >= 0n;
}
