import { byText } from '../base/texts.ts';
import { type Money, magnitude, maxScale, rescale } from '../money/money.ts';
import { atRateOf, rateText } from '../money/rate.ts';
import { type Entry, entry } from './entry.ts';
import { exampleLimit } from './examples.ts';
import {
  type ComparedRate,
  type ComparedRates,
  comparedRates,
  type FeesCharged,
  feeRate,
  feesCharged,
  isBeyond,
  isComparable,
  type RateComparison,
  type RateKey,
  rateChange,
  rateKey,
  rateRises,
} from './fee-rates.ts';
import { isInSums } from './groups.ts';
import type { ReconciledRun, ReconciledSettlement } from './reconciled.ts';
import type { RowColumns } from './row-columns.ts';
import type { RowTotal } from './row-totals.ts';
import { factorsBy, type Rules } from './rules.ts';

/** A payment type of an account whose fee rate has changed by more than the limit. */
export interface FeeDrift extends RateKey {
  readonly earlier: RatedFees;
  readonly now: RatedFees;
  /** Percentage points as decimal text, by which the rate is higher than it was. */
  readonly change: string;
  /** The change that is allowed. */
  readonly limit: string;
  /** What the fees of now would be at the earlier rate, rounded half away from zero. */
  readonly atEarlierRate: Money;
  /** The fees of now beyond that. */
  readonly difference: Money;
  /** Transactions whose own fees are furthest from the earlier rate, in the direction of the change. */
  readonly examples: readonly FeeExample[];
}

/** With the fee rate as decimal text. */
interface RatedFees extends FeesCharged {
  readonly feesPercent: string;
}

/** A transaction, its amounts by the rules. */
interface FeeExample {
  readonly transactionId: string;
  readonly settlementId: string;
  readonly amount: Money;
  readonly fees: Money;
}

/** What is kept of the run over the earlier range. */
type EarlierRun = Pick<ReconciledRun, 'counts' | 'complete' | 'rowTotals'>;

/**
 * Compares the fee rates of a run with those of an earlier one, whose rates are known when the rows of
 * the run pass: of those it keeps the few that are furthest from the earlier rate.
 */
export class FeeComparison {
  readonly #earlier: EarlierRun;
  readonly #asked: RateComparison;
  readonly #rules: Rules;
  readonly #charged: ReadonlyMap<string, FeesCharged>;
  readonly #furthest = new Map<string, Furthest>();

  constructor({ counts, complete, rowTotals }: EarlierRun, asked: RateComparison, rules: Rules) {
    this.#earlier = { counts, complete, rowTotals };
    this.#asked = asked;
    this.#rules = rules;
    this.#charged = feesCharged(rowTotals);
  }

  /** `rows`: all of the settlement's; each settlement may be added once. */
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
      this.#of(key, beyond > 0n).add(rescale(magnitude(beyond), scale, maxScale), () => ({
        transactionId: rows.id(row),
        settlementId,
        amount: { minor: amount, scale, currency },
        fees: { minor: fees, scale, currency },
      }));
    }
  }

  /** What comes out when all settlements are added, by the totals of the run. */
  compared(totals: readonly RowTotal[]) {
    const { counts, complete, rowTotals } = this.#earlier;
    const rates = comparedRates(rowTotals, totals);
    const feeRates: ComparedRates = { ...this.#asked, earlier: { counts, complete }, rates };
    return { feeRates, feeDrifts: rates.flatMap((rate) => this.#driftOf(rate)) };
  }

  /** An entry where the rate has changed by more than the limit. */
  #driftOf(rate: ComparedRate): readonly Entry<'fee_drift'>[] {
    const { earlier, now } = rate;
    const { limit } = this.#asked;
    const change = rateChange(rate);
    if (!earlier || !now || change === undefined || !isBeyond(limit, rate)) return [];
    const minor = atRateOf(now.gross.minor, earlier.fees.minor, earlier.gross.minor);
    const difference = now.fees.minor - minor;
    const drift: FeeDrift = {
      ...rate,
      earlier: { ...earlier, feesPercent: rateText(feeRate(earlier)) },
      now: { ...now, feesPercent: rateText(feeRate(now)) },
      change: rateText(change),
      limit: rateText(limit),
      atEarlierRate: { ...now.fees, minor },
      difference: { ...now.fees, minor: difference },
      examples: this.#of(rateKey(rate), rateRises(rate)).examples(),
    };
    return [entry('fee_drift', now.transactions, drift)];
  }

  /** The rows of a rate whose fees are furthest above those at the earlier rate, or below. */
  #of(key: string, isAbove: boolean): Furthest {
    const side = `${isAbove ? '+' : '-'}${key}`;
    const furthest = this.#furthest.get(side) ?? new Furthest();
    this.#furthest.set(side, furthest);
    return furthest;
  }
}

interface Candidate {
  readonly distance: bigint;
  readonly example: FeeExample;
}

/** The few that are furthest, the furthest first; of those as far, the smallest ids. */
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
