import type { Settlement } from '../model/settlement.ts';
import { rescale } from '../money/money.ts';
import { listedIn } from './computed.ts';
import { isInSums } from './groups.ts';
import { type Identity, payInOf } from './identity.ts';
import type { Figures, ReconciledSettlement } from './reconciled.ts';
import type { RowColumns } from './row-columns.ts';
import { type Counted, type Rules, seenByRules } from './rules.ts';
import { splitBy } from './split.ts';

/**
 * What the rows of one day, accounting token, currency, type and payment type come to, by the rules
 * but for those of rounding, which are about whole settlements. Minor units at `scale`.
 */
export interface RowTotal extends Counted, RowGroup {
  readonly scale: number;
}

/** What rows of a total have in common. */
export interface RowGroup
  extends Readonly<Pick<Settlement, 'date' | 'accountingToken' | 'currency'>> {
  readonly type: string;
  readonly paymentType: string;
}

/** Adds up the rows of the settlements that a run's sums cover: the balanced and the out-of-balance ones. */
export class RowTotals {
  readonly #rules: Rules;
  readonly #totals = new Map<string, RowTotal>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** `rows`: all of the settlement's; each settlement may be added once. */
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

  /** In no particular order. */
  all(): readonly RowTotal[] {
    return [...this.#totals.values()];
  }
}

/** Figures of rows; minor units at `scale`. */
export interface RowFigures extends Figures {
  readonly scale: number;
}

/** What rows with the same parts come to, in the order of the parts. The pay-in is what the identity gives. */
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

/** Both together, at the larger scale of the two, as what `a` is a total of. */
function addRowTotals(a: RowTotal, b: RowTotal): RowTotal {
  const scale = Math.max(a.scale, b.scale);
  const sum = (of: 'gross' | 'fees' | 'tax') =>
    rescale(a[of], a.scale, scale) + rescale(b[of], b.scale, scale);
  const amounts = { gross: sum('gross'), fees: sum('fees'), tax: sum('tax') };
  return { ...a, scale, count: a.count + b.count, ...amounts };
}
