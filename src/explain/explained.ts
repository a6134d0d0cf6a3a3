import type { Row } from '../model/row.ts';
import type { RowKind } from '../model/row-batch.ts';
import type { RowMoney } from '../reconcile/charges.ts';
import { smallest } from '../reconcile/entry.ts';
import { type RowColumns, smallestRows } from '../reconcile/row-columns.ts';
import { factorsBy } from '../reconcile/rules.ts';
import type { CauseCandidate } from './candidate.ts';
import type { Case, Obstacle } from './case.ts';
import type { Cause, CauseCode } from './cause.ts';
import type { Delta, Figure } from './tally.ts';

/** A row that an explanation is about; without anything personal. */
export interface ExplainedRow
  extends Pick<Row, 'chargeId' | 'type' | 'state' | 'settlementId'>,
    RowMoney {
  readonly transactionId: string;
}

export interface ExplainedCause {
  readonly cause: Cause;
  readonly explained: Delta;
  readonly rows: { readonly count: number; readonly examples: readonly ExplainedRow[] };
}

/** Causes that account for differences: all of them (`explains`), or some (`partly`). */
export interface Explanation {
  readonly outcome: 'explains' | 'partly';
  readonly codes: readonly CauseCode[];
  readonly causes: readonly ExplainedCause[];
  /** The figures that no longer differ; `payIn`: the header contradicted itself. */
  readonly figures: readonly Figure[];
  readonly explained: Delta;
  /** The difference − explained. */
  readonly residual: Delta;
  /** How many candidates say the same of other rows and fit as well, this one included. */
  readonly candidates: number;
  /** How many of its codes were tried, one cause at a time, and each row once. */
  readonly tried: number;
  /**
   * The length of its description: how rare its causes are, from how many they were chosen, and the
   * amounts that they assume. One bit less is twice as likely.
   */
  readonly bits: number;
  /** The lengths of the shown candidate and of the others; infinite without others. */
  readonly lengths: { readonly bits: number; readonly ofOthers: number };
  readonly namesRow: boolean;
  /** Whether it assumes amounts that nothing shows: it fits any such difference. */
  readonly assumesAmounts: boolean;
  /** Whether they have about the fees and tax of the listed rows. */
  readonly inLine: boolean;
}

/**
 * How sure an explanation is, compared with all others that fit, other rows included, and with amounts of
 * unknown origin. `certain`: together these are less than 1/1000 as likely, and no amount is assumed;
 * `likely`: less than 1/16, and assumed amounts are in line with the rows; else `one_of_several`.
 */
export type Certainty = 'certain' | 'likely' | 'one_of_several';

/** The explanations that the data allow: the best alone, unless it has rivals. */
export function contenders({ best, certainty, rivals }: Explained): readonly Explanation[] {
  if (best === undefined) return [];
  return certainty === 'one_of_several' ? [best, ...rivals] : [best];
}

export function explanationsOf(
  { hypotheses }: Explained,
  outcome: Explanation['outcome'],
): readonly Explanation[] {
  return hypotheses.filter((one): one is Explanation => one.outcome === outcome);
}

interface RuledOut {
  readonly outcome: 'ruled_out';
  readonly codes: readonly [CauseCode];
  readonly tried: number;
}

export interface NotSearched {
  readonly outcome: 'not_searched';
  readonly codes: readonly [CauseCode];
  readonly obstacle: Obstacle;
}

export type CauseOutcome = Explanation | RuledOut | NotSearched;

/** Why a settlement's header differs from its rows. */
export interface Explained {
  /** Decimal places of all minor units here: those of the reconciled settlement. */
  readonly scale: number;
  /** What was to be explained: reported − computed; absent if the rows were not read completely. */
  readonly target: Delta | undefined;
  /** Complete ones, shortest first; then partial ones; then ruled out and not searched. */
  readonly hypotheses: readonly CauseOutcome[];
  /** The length of the difference as that of an unknown cause. */
  readonly bitsOfUnknown: number;
  readonly best: Explanation | undefined;
  readonly certainty: Certainty | undefined;
  /** Whether the best is not shorter than the amounts themselves, or its rows may fit by chance. */
  readonly mayBeChance: boolean;
  /** The complete explanations that keep the best from being certain, shortest first. */
  readonly rivals: readonly Explanation[];
  /** What the best explanation leaves: 0 if it is complete, all if there is none. */
  readonly residual: Delta | undefined;
  /** Why not all pairs of causes were tried; else empty. */
  readonly pairObstacles: readonly Obstacle[];
  /** Whether a rule that the range proposes makes it likely. */
  readonly byRule?: boolean;
}

/** What a single settlement leaves open about rounding, a rule that its range proposes makes likely. */
export function withProposedRule(explained: Explained): Explained {
  if (explained.best?.codes.join() !== 'rounding') return explained;
  return { ...explained, certainty: 'likely', mayBeChance: false, rivals: [], byRule: true };
}

/** The rows that candidates are about, those with the smallest ids. */
export function explainedRows(
  subject: Case,
  candidates: readonly CauseCandidate[],
): readonly ExplainedRow[] {
  const rows = candidates.flatMap((candidate) => rowsOf(subject, candidate));
  return smallest(rows, ({ transactionId }) => transactionId);
}

function rowsOf({ rows: own, rules }: Case, { rows }: CauseCandidate): readonly ExplainedRow[] {
  if (rows === undefined) return [];
  if (rows.of === 'row') return [rowAt(rows.columns, rows.index)];
  if (rows.of === 'list') return rows.rows.map(asListed);
  if (rows.of === 'rows') {
    return smallestRows(rows.columns, rows.indexes).map((index) => rowAt(rows.columns, index));
  }
  if (rows.of === 'page') {
    const page = Array.from({ length: rows.count }, (_, place) => rows.from + place);
    return smallestRows(own, page).map((index) => rowAt(own, index));
  }
  // A row that does not count by a rule is in no cause.
  const isMeant = (kind: RowKind) => rows.has(kind) && factorsBy(rules, kind) !== undefined;
  return smallestRows(own, own.ofKind(isMeant)).map((index) => rowAt(own, index));
}

/** A row of the columns, with its amounts as listed. */
export function rowAt(columns: RowColumns, index: number): ExplainedRow {
  return asListed({
    ...columns.kind(index),
    id: columns.id(index),
    chargeId: columns.chargeId(index),
    amount: columns.amount(index),
    fees: columns.fees(index),
    tax: columns.tax(index),
  });
}

function asListed(row: Omit<Row, 'paymentType' | 'orderId' | 'timestamp' | 'notes'>): ExplainedRow {
  const { id, chargeId, type, state, settlementId, scale, currency } = row;
  return {
    transactionId: id,
    chargeId,
    type,
    state,
    settlementId,
    amount: { minor: row.amount, scale, currency },
    fees: { minor: row.fees, scale, currency },
    tax: { minor: row.tax, scale, currency },
  };
}
