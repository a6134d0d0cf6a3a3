import type { Row } from '../model/row.ts';
import { kindKey, type RowKind } from '../model/row-batch.ts';
import type { Amounts, Settlement } from '../model/settlement.ts';
import type { RowsOutcome } from '../model/source.ts';
import type { Figures } from '../reconcile/computed.ts';
import { type Identity, type IdentityName, payInOf, statesParts } from '../reconcile/identity.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { type Rules, seenByRules } from '../reconcile/rules.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { RowValues } from './row-values.ts';
import { inView, noTally, plus, shift, type Tally, tallyFrom, tallyOf } from './tally.ts';

/** What is to be explained, and all that may explain it. Amounts are minor units at `scale`. */
export interface Case {
  readonly settlement: Settlement;
  readonly rows: RowColumns;
  /** The rows by their amounts, and those of the neighbours that are known; made once, when asked for. */
  readonly values: () => RowValues;
  readonly valuesAround: () => readonly RowValues[];
  readonly evidence: Evidence;
  readonly identity: Identity;
  /** Set if the pay-in is the only amount that is stated: rows are seen by their share in it. */
  readonly payInBy?: IdentityName | undefined;
  readonly isCountStated: boolean;
  readonly isGrossStated: boolean;
  readonly isTaxStated: boolean;
  /** They decide which rows count; what they make normal needs no cause. */
  readonly rules: Rules;
  readonly scale: number;
  readonly header: Tally;
  /** The differences to explain, all together: reported − computed. */
  readonly target: Tally;
}

export interface Evidence extends Neighbourhood {
  /** The copies that reading removed, and the ids with different contents. */
  readonly outcome: Pick<RowsOutcome, 'repeated' | 'conflicts'>;
}

/** What is known of the settlements around it. */
export interface Neighbourhood {
  /** Absent if not requested or not read. Only neighbours, as the caller has chosen them. */
  readonly neighbours?: readonly Neighbour[] | undefined;
  /** Why it is not known in full; what is known is searched. */
  readonly obstacles?: readonly Obstacle[] | undefined;
}

/** A settlement of the same accounting token and currency, some days before or after. */
export interface Neighbour {
  readonly settlement: Settlement;
  /** Its rows, with corrections; absent unless requested and read completely. */
  readonly rows?: RowColumns | undefined;
  /** Reported − computed, in minor units at its `scale`; if present, used instead of `rows`. */
  readonly difference?: (Figures & { readonly scale: number }) | undefined;
  /** What patterns of the range explain of it, at the same scale: it is not compared. */
  readonly byPatterns?: Tally | undefined;
}

/** Why a hypothesis could not be tested. */
export type Obstacle =
  | { readonly reason: 'incomplete' }
  | { readonly reason: 'no_neighbours' | 'no_neighbour_rows' }
  /** Neighbours on other days were tested. */
  | { readonly reason: 'missing_days'; readonly days: readonly string[] }
  | { readonly reason: 'neighbours_not_read'; readonly failure: string }
  /** Not all of them may have been listed, or one cannot be read. */
  | { readonly reason: 'neighbours_uncertain' }
  | {
      readonly reason: 'neighbour_rows_not_read';
      readonly unread: number;
      readonly neighbours: number;
    }
  | {
      readonly reason: 'neighbour_rows_left';
      readonly left: number;
      readonly neighbours: number;
    }
  /** Settlements within so many days were listed, and the rows of some not read: more takes too many requests. */
  | {
      readonly reason: 'requests_limited';
      readonly days: number;
      readonly left: number;
      readonly neighbours: number;
    }
  /** It concerns figures that the header does not state. */
  | { readonly reason: 'not_stated' }
  /** Too many rows to explain at all (`atOnce` 1), or to try so many at once: some fit by chance. */
  | {
      readonly reason: 'too_many_rows';
      readonly rows: number;
      readonly limit: number;
      readonly atOnce: number;
    }
  | { readonly reason: 'too_many_candidates'; readonly candidates: number };

/** The case of a settlement; undefined if its rows were not read completely. */
export function caseOf(
  { settlement, scale, reported, computed, difference }: ReconciledSettlement,
  rows: RowColumns,
  evidence: Evidence,
  { identity, rules }: Pick<ReconcileSettings, 'identity' | 'rules'>,
): Case | undefined {
  if (difference === undefined) return undefined;
  const { fees, tax = computed?.tax } = reported;
  const gross = grossIn(identity, reported);
  // Without any tax in the rows, a tax that is not stated leaves nothing open.
  const isTaxOpen = reported.tax === undefined && tax !== 0n;
  const isWhole = statesParts(identity, { gross, fees, tax }) && !isTaxOpen;
  const payInBy = isWhole || identity === 'off' ? undefined : identity;
  const how = { settlement, scale, rules, payInBy };
  let own: RowValues | undefined;
  const values = () => (own ??= new RowValues(how, rows));
  let around: readonly RowValues[] | undefined;
  const valuesAround = () =>
    (around ??= (evidence.neighbours ?? []).flatMap(({ rows }) =>
      rows ? new RowValues(how, rows) : [],
    ));
  const shown = payInBy === undefined ? identity : 'gross';
  const isCountStated = reported.transactions !== undefined;
  return {
    ...how,
    rows,
    values,
    valuesAround,
    evidence,
    isCountStated,
    isGrossStated: reported.gross !== undefined,
    isTaxStated: reported.tax !== undefined,
    identity: shown,
    header: tallyFrom(shown, isWhole ? { ...reported, gross, tax } : onlyPayIn(reported)),
    target: tallyFrom(
      shown,
      isWhole
        ? { ...difference, gross: grossIn(identity, difference), tax: difference.tax ?? 0n }
        : onlyPayIn(difference),
    ),
  };
}

/** The gross; if it is not stated and the fees are, the one that follows from them and the pay-in. */
function grossIn(identity: Identity, { gross, fees, tax = 0n, payIn = 0n }: Figures) {
  if (gross !== undefined || fees === undefined || identity === 'off') return gross;
  return payIn - payInOf(identity, 0n, fees, tax);
}

function onlyPayIn(figures: Figures): Figures {
  return { ...figures, gross: undefined };
}

/** What a change of rows, or of the header, is to the figures that are stated. */
export function asStated(
  { payInBy, isCountStated }: Pick<Case, 'payInBy' | 'isCountStated'>,
  change: Tally,
): Tally {
  const seen = inView(payInBy, change);
  return isCountStated ? seen : { ...seen, count: 0 };
}

/** What a row adds to sums at the scale of the case; undefined if it needs more decimal places. */
export function tallyOfRow(
  subject: Case,
  row: Pick<Row, 'currency' | 'scale'>,
  listed: Amounts,
): Tally | undefined {
  const tally = listedTally(subject, row, listed);
  return tally && inView(subject.payInBy, tally);
}

function listedTally(
  { settlement, scale }: Case,
  row: Pick<Row, 'currency' | 'scale'>,
  listed: Amounts,
): Tally | undefined {
  if (row.currency !== settlement.currency) return { ...noTally, count: 1 };
  return shift(tallyOf(1, listed), scale - row.scale);
}

/** The same of a row in columns, by the rules. */
export function tallyOfRowAt(subject: Case, rows: RowColumns, index: number): Tally | undefined {
  const kind = rows.kind(index);
  const row = listedTally(subject, kind, rows.amounts(index));
  return row && inView(subject.payInBy, seenByRules(subject.rules, kind, row));
}

export type RowTraits = Omit<RowKind, 'paymentType'>;

/** All rows of the same traits, added up: groups of rows are made of cells. */
interface Cell extends RowTraits {
  readonly kinds: readonly number[];
  /** As listed, at the cell's own scale. */
  readonly listed: Tally;
  /** What they add to sums at the scale of the case, by the rules: in another currency only transactions. */
  readonly sum: Tally;
}

/** The two sides that should agree. Undoing a cause changes the header, or the rows as the header sees them. */
export interface BothSides {
  readonly subject: Case;
  readonly header: Tally;
  readonly cells: readonly Cell[];
}

export function bothSidesOf(subject: Case): BothSides {
  return { subject, header: subject.header, cells: cellsOf(subject) };
}

/** The cells of a settlement, with sums at the scale of the case. */
export function cellsOf(
  subject: Pick<Case, 'rows' | 'settlement' | 'scale' | 'rules' | 'payInBy'>,
): readonly Cell[] {
  const { rows, settlement, scale, rules, payInBy } = subject;
  const cells = new Map<string, Omit<Cell, 'sum'>>();
  for (const [number, kind] of rows.kinds.entries()) {
    const own = rows.sums[number];
    if (!own?.count) continue;
    const traits = { ...kind, paymentType: '' };
    const key = kindKey(traits);
    const cell = cells.get(key) ?? { ...traits, kinds: [], listed: noTally };
    const listed = plus(cell.listed, tallyOf(own.count, own));
    cells.set(key, { ...cell, kinds: [...cell.kinds, number], listed });
  }
  return [...cells.values()].map((cell) => {
    const isOwn = cell.currency === settlement.currency;
    const own = isOwn ? shift(cell.listed, scale - cell.scale) : undefined;
    const sum = seenByRules(rules, cell, own ?? { ...noTally, count: cell.listed.count });
    return { ...cell, sum: inView(payInBy, sum) };
  });
}

/** What the header has in place of a cell's sum; undefined if not in whole minor units. */
export type HeaderView = (cell: Cell) => Tally | undefined;
