import type { Row } from '../model/row.ts';
import type { RowKind } from '../model/row-batch.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import type { Case } from './case.ts';
import type { CountRule } from './cause.ts';
import {
  type Amounts,
  addAmounts,
  changeOf,
  type Delta,
  minus,
  noAmounts,
  rescaleAmounts,
  subtractAmounts,
} from './delta.ts';

/** What rows of one cell have in common. */
export type RowTraits = Pick<Row, 'type' | 'state' | 'settlementId' | 'currency' | 'scale'>;

/** All rows of the same traits, added up: groups of rows are made of cells. */
export interface Cell extends RowTraits {
  readonly key: string;
  readonly count: number;
  /** As listed, at the cell's own scale. */
  readonly listed: Amounts;
  /** What they add to the settlement's sums, at the scale of the case; 0 in another currency. */
  readonly amounts: Amounts;
}

export function traitsOf(rows: RowColumns, index: number): RowTraits {
  return traitsOfKind(rows.kind(index));
}

/** Rows of several kinds may have the same traits. */
function traitsOfKind({ type, state, settlementId, currency, scale }: RowKind): RowTraits {
  return { type, state, settlementId, currency, scale };
}

interface GrowingCell extends RowTraits {
  readonly key: string;
  count: number;
  readonly listed: { gross: bigint; fees: bigint; tax: bigint };
}

/** The cells of a settlement in this currency, with amounts at this scale. */
export function cellsOf(rows: RowColumns, currency: string, scale: number): readonly Cell[] {
  return growCells(rows).map((cell) => {
    const isOwn = cell.currency === currency;
    return { ...cell, amounts: isOwn ? rescaleAmounts(cell.listed, cell.scale, scale) : noAmounts };
  });
}

/** By the numbers of their kinds: rows of the same cell, and only those, have the same key. */
export function cellKeys({ kinds }: RowColumns): readonly string[] {
  return kinds.map((kind) => JSON.stringify(traitsOfKind(kind)));
}

function growCells(rows: RowColumns): readonly GrowingCell[] {
  const cells = new Map<string, GrowingCell>();
  const keys = cellKeys(rows);
  for (let index = 0; index < rows.size; index++) {
    const key = keys[rows.kindNumber(index)] ?? '';
    let cell = cells.get(key);
    if (cell === undefined) {
      cell = { ...traitsOf(rows, index), key, count: 0, listed: { ...noAmounts } };
      cells.set(key, cell);
    }
    cell.count += 1;
    cell.listed.gross += rows.amount(index);
    cell.listed.fees += rows.fees(index);
    cell.listed.tax += rows.tax(index);
  }
  return [...cells.values()];
}

/**
 * The two sides that should agree. Undoing a cause changes one of them: the header as it should have
 * been, or the rows as the header sees them.
 */
export interface BothSides {
  readonly subject: Case;
  readonly header: Delta;
  readonly cells: readonly Cell[];
}

export function bothSidesOf(subject: Case): BothSides {
  const { rows, settlement, scale, header } = subject;
  return { subject, header, cells: cellsOf(rows, settlement.currency, scale) };
}

/** The two sides with the header as it is without this difference. */
export function withoutDelta(sides: BothSides, delta: Delta): BothSides {
  return { ...sides, header: minus(sides.header, delta) };
}

/**
 * How the header sees a cell: its count and amounts in place of what is listed. Nothing where that
 * would be no whole number of minor units.
 */
export type HeaderView = (cell: Cell) => {
  readonly count: number;
  readonly amounts: Amounts | undefined;
};

/** The header leaves out the rows of a cell, and doesn't count them, or counts them all the same. */
export function omitted(rule: CountRule): HeaderView {
  return ({ count }) => ({ count: rule === 'follows' ? 0 : count, amounts: noAmounts });
}

/**
 * The two sides where some cells are as the header sees them, and the difference that it makes. Nothing
 * where one of them can't be seen so.
 */
export function asHeaderSees(
  sides: BothSides,
  isMeant: (traits: RowTraits) => boolean,
  view: HeaderView,
) {
  let count = 0;
  let amounts = noAmounts;
  const cells: Cell[] = [];
  for (const cell of sides.cells) {
    if (!isMeant(cell)) {
      cells.push(cell);
      continue;
    }
    const other = view(cell);
    if (other.amounts === undefined) return undefined;
    count += other.count - cell.count;
    amounts = addAmounts(amounts, subtractAmounts(other.amounts, cell.amounts));
    cells.push({ ...cell, count: other.count, amounts: other.amounts });
  }
  return { delta: changeOf(sides.subject.identity, count, amounts), sides: { ...sides, cells } };
}
