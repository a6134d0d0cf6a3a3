import { rescale } from '../money/money.ts';
import { type Computed, listedIn } from './computed.ts';
import { type Identity, payInOf } from './identity.ts';
import type { ReconciledSettlement } from './reconcile-settlement.ts';
import type { RowColumns } from './row-columns.ts';
import { type Rules, seenByRules } from './rules.ts';
import { type RowGroup, splitBy } from './split.ts';
import { amountsBy, type Counted } from './sums.ts';
import { isInSums } from './verdict.ts';

/** The total of a group of rows, at `scale`, by all rules but those of rounding. */
export interface RowTotal extends Counted, RowGroup {
  readonly scale: number;
}

/** Adds up the rows of the balanced and out-of-balance settlements. */
export class RowTotals {
  readonly #rules: Rules;
  readonly #totals = new Map<string, RowTotal>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** Adds all rows of a settlement; each settlement once. */
  add({ settlement, verdict }: ReconciledSettlement, rows: RowColumns): void {
    if (!isInSums(verdict)) return;
    const { date, accountingToken, currency } = settlement;
    const { kinds, scale } = listedIn(settlement, rows);
    for (const kind of kinds) {
      if (!kind.isOwn) continue;
      const { type, paymentType } = kind;
      const { count, gross, fees, tax } = seenByRules(this.#rules, kind, kind);
      const group = { date, accountingToken, currency, type, paymentType };
      const key = JSON.stringify(group);
      const own = { ...group, scale, count, gross, fees, tax };
      const earlier = this.#totals.get(key);
      this.#totals.set(key, earlier ? addRowTotals(earlier, own) : own);
    }
  }

  all(): readonly RowTotal[] {
    return [...this.#totals.values()];
  }
}

/** Figures of rows; minor units at `scale`. */
export interface RowFigures extends Computed {
  readonly scale: number;
}

/** The totals of rows with the same parts, sorted by the parts; the pay-in by the identity. */
export function rowTotalsBy<Common extends object>(
  totals: readonly RowTotal[],
  partsOf: (total: RowTotal) => Common,
  identity: Identity,
): readonly (Common & RowFigures)[] {
  return splitBy(totals, partsOf).map(([parts, own]) => {
    const { scale, count, gross, fees, tax } = own.reduce(addRowTotals);
    const payIn = identity === 'off' ? undefined : payInOf(identity, gross, fees, tax);
    return { ...parts, scale, transactions: count, gross, fees, tax, payIn };
  });
}

/** The sum at the larger scale, in the group of `a`. */
function addRowTotals(a: RowTotal, b: RowTotal): RowTotal {
  const scale = Math.max(a.scale, b.scale);
  const amounts = amountsBy(
    (name) => rescale(a[name], a.scale, scale) + rescale(b[name], b.scale, scale),
  );
  return { ...a, scale, count: a.count + b.count, ...amounts };
}
