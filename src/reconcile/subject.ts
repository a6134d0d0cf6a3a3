import type { Settlement } from '../model/settlement.ts';
import type { DateRange, RowsOutcome } from '../model/source.ts';
import { type Money, rescale } from '../money/money.ts';
import { computedFrom, listedIn, subtract } from './computed.ts';
import type { Entry } from './entry.ts';
import { isWithin } from './identity.ts';
import type { Figures, ReconcileSettings, RuleEffect } from './reconciled.ts';
import { RowColumns } from './row-columns.ts';
import { type RowSums, sumsByCurrency } from './sums.ts';

/** How reading a settlement's rows ended, or why they could not be read. */
export type RowsEnding = RowsOutcome | { readonly notRead: string };

/** What is known of one settlement before it is judged. */
export interface SettlementInput {
  readonly settlement: Settlement;
  /** Its rows as they were handed on; the corrections of `outcome` are put in place here. */
  readonly rows: RowColumns;
  readonly outcome: RowsEnding;
  /** All contents that the service lists for its id, where it lists more than one. */
  readonly headerConflicts?: readonly Settlement[] | undefined;
  /** The range that was asked for, if it was a range. */
  readonly range?: DateRange | undefined;
  readonly settings: ReconcileSettings;
}

/** What the checks look at: the input, its sums, and both at one scale. */
export interface Subject extends Omit<SettlementInput, 'outcome' | 'headerConflicts'> {
  readonly outcome: RowsOutcome;
  readonly notRead: string | undefined;
  readonly headerConflicts: readonly Settlement[];
  /** Whether the rows were read whole. */
  readonly complete: boolean;
  /** The sums of each currency in the rows. Only the header's counts towards `computed`. */
  readonly sums: ReadonlyMap<string, RowSums>;
  /** The scale of all minor units below. */
  readonly scale: number;
  readonly tolerance: bigint;
  /** A header always reports a pay-in. */
  readonly reported: Figures & { readonly payIn: bigint };
  /** Absent where the rows were not read whole. */
  readonly computed: Figures | undefined;
  readonly byRule: readonly RuleEffect[];
  /** Reported − computed. */
  readonly difference: Figures | undefined;
}

const nothingRead: RowsOutcome = { unreadable: [], repeated: [], conflicts: [], corrections: [] };

/** Sums the rows and brings them and the header to one scale. */
export function subjectOf(input: SettlementInput): Subject {
  const { settlement, settings } = input;
  const { rows, outcome, notRead } = reading(input);
  const complete =
    notRead === undefined && outcome.unsteady === undefined && outcome.unreadable.length === 0;
  const sums = sumsByCurrency(rows);
  const listed = complete ? listedIn(settlement, rows) : undefined;
  const { scale } = listed ?? settlement;
  const payIn = rescale(settlement.payIn, settlement.scale, scale);
  const reported = { ...figuresAt(scale, settlement), payIn };
  const { figures: computed, byRule = [] } = listed ? computedFrom(listed, settings) : {};
  const tolerance = rescale(settings.tolerance, settlement.scale, scale);
  const difference = computed && subtract(reported, computed);
  const headerConflicts = input.headerConflicts ?? [];
  const read = { rows, outcome, notRead, headerConflicts, complete, sums };
  return { ...input, ...read, scale, tolerance, reported, computed, byRule, difference };
}

/** Minor units at the subject's scale as money. */
export function moneyOf(subject: Subject, minor: bigint): Money {
  return { minor, scale: subject.scale, currency: subject.settlement.currency };
}

/** Rows of a read that broke off are left aside: which ones there are depends on when it did. */
function reading({ rows, outcome }: SettlementInput) {
  if ('notRead' in outcome) {
    return { rows: new RowColumns(), outcome: nothingRead, notRead: outcome.notRead };
  }
  rows.replace(outcome.corrections);
  return { rows, outcome, notRead: undefined };
}

/** Amounts at another scale. */
function figuresAt(
  to: number,
  {
    transactions,
    scale,
    ...of
  }: Pick<Settlement, 'transactions' | 'scale' | 'gross' | 'fees' | 'tax'>,
) {
  const at = (minor: bigint) => rescale(minor, scale, to);
  return { transactions, gross: at(of.gross), fees: at(of.fees), tax: at(of.tax) };
}

/**
 * Whether a difference of the subject's is forgiven. The tolerance is for each amount, but small
 * differences must not add up: the pay-in that the rows give has to be within it too. Where there
 * is none (identity off, rows not read whole), the amount stands alone.
 */
export function isForgiven({ tolerance, difference }: Subject, amount: bigint): boolean {
  return isWithin(tolerance, amount) && isWithin(tolerance, difference?.payIn ?? 0n);
}

/** Looks at one settlement. Each code occurs at most once among the entries of all checks. */
export type Check = (subject: Subject) => readonly Entry[];
