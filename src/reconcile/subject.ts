import type { FailureReason } from '../base/failure-reason.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange, RowsOutcome } from '../model/source.ts';
import { rescale } from '../money/money.ts';
import {
  type Computed,
  computedFrom,
  type Figures,
  listedIn,
  type RuleEffect,
  subtract,
} from './computed.ts';
import type { Code } from './entry.ts';
import type { Identity } from './identity.ts';
import { RowColumns } from './row-columns.ts';
import { type Rules, seenByRules } from './rules.ts';
import { amountsBy, noRows, type RowSums, sumsByCurrency } from './sums.ts';

export interface ReconcileSettings {
  readonly identity: Identity;
  /** Minor units at the scale of each header, not negative. */
  readonly tolerance: bigint;
  /** Checks of weight discrepancy that do not change the verdict. */
  readonly ignored: readonly Code[];
  /** The decimal places expected for a currency, if not those of ISO 4217. */
  readonly expectedScales: ReadonlyMap<string, number>;
  /** What is normal here; `computed` follows them. */
  readonly rules: Rules;
}

/** How reading a settlement's rows ended, or why they could not be read. */
export type RowsEnding = RowsOutcome | { readonly notRead: FailureReason };

export interface SettlementInput {
  readonly settlement: Settlement;
  /** Its rows as read; the corrections in `outcome` are not applied yet. */
  readonly rows: RowColumns;
  readonly outcome: RowsEnding;
  /** All headers that the service lists for its id, if more than one. */
  readonly headerConflicts?: readonly Settlement[] | undefined;
  readonly range?: DateRange | undefined;
  readonly settings: ReconcileSettings;
}

/** What a settlement reports and what its rows give, in minor units at `scale`. */
export interface Compared {
  /** Whether all rows were read. */
  readonly complete: boolean;
  /** The most decimal places among the header and the rows in its currency. */
  readonly scale: number;
  readonly reported: Figures;
  /** From the rows and the rules; absent unless all rows were read. */
  readonly computed: Computed | undefined;
  /** The effects of rules on `computed`, in their order. */
  readonly byRule: readonly RuleEffect[];
  /** Reported − computed. */
  readonly difference: Figures | undefined;
}

/** What checks look at: the input and its sums, all minor units at `scale`. */
export interface Subject extends Omit<SettlementInput, 'outcome' | 'headerConflicts'>, Compared {
  readonly outcome: RowsOutcome;
  readonly notRead: FailureReason | undefined;
  readonly headerConflicts: readonly Settlement[];
  /** The sums of each currency by the rules of rows. Only that of the header is in `computed`. */
  readonly sums: ReadonlyMap<string, RowSums>;
  readonly tolerance: bigint;
  readonly reported: Figures & { readonly payIn: bigint };
}

const nothingRead: RowsOutcome = { unreadable: [], repeated: [], conflicts: [], corrections: [] };

/** Applies corrections to the rows, sums them, and brings header and sums to one scale. */
export function subjectOf(input: SettlementInput): Subject {
  const { settlement, settings, headerConflicts = [] } = input;
  const notRead = 'notRead' in input.outcome ? input.outcome.notRead : undefined;
  const outcome = 'notRead' in input.outcome ? nothingRead : input.outcome;
  // Which rows an interrupted read returned is chance, so they are not used.
  const rows = notRead === undefined ? input.rows : new RowColumns();
  rows.replace(outcome.corrections);
  const complete =
    notRead === undefined && outcome.unsteady === undefined && outcome.unreadable.length === 0;
  const listed = complete ? listedIn(settlement, rows) : undefined;
  const scale = listed?.scale ?? settlement.scale;
  const atScale = (minor: bigint) => rescale(minor, settlement.scale, scale);
  const stated = (minor: bigint | undefined) => (minor === undefined ? minor : atScale(minor));
  const reported = {
    transactions: settlement.transactions,
    ...amountsBy((name) => stated(settlement[name])),
    payIn: atScale(settlement.payIn),
  };
  const { figures: computed, byRule = [] } = listed ? computedFrom(listed, settings) : {};
  return {
    ...input,
    rows,
    outcome,
    notRead,
    headerConflicts,
    complete,
    sums: sumsByCurrency(
      rows.kinds,
      rows.kinds.map((kind, number) =>
        seenByRules(settings.rules, kind, rows.sums[number] ?? noRows),
      ),
    ),
    scale,
    tolerance: atScale(settings.tolerance),
    reported,
    computed,
    byRule,
    difference: computed && subtract(reported, computed),
  };
}
