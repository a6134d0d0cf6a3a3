import { kindKey, type RowKind } from '../model/row-batch.ts';
import { seenByRules } from '../reconcile/rules.ts';
import type { Case } from './case.ts';
import { minus, noTally, plus, shift, type Tally, tallyOf } from './tally.ts';

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

/** A settlement of which the header doesn't make this change any more. */
export function without(subject: Case, change: Tally): Case {
  const { header, target } = subject;
  return { ...subject, header: minus(header, change), target: minus(target, change) };
}

/** The cells of a settlement, with sums at the scale of the case. */
export function cellsOf(
  subject: Pick<Case, 'rows' | 'settlement' | 'scale' | 'rules'>,
): readonly Cell[] {
  const { rows, settlement, scale, rules } = subject;
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
    const sum = own ?? { ...noTally, count: cell.listed.count };
    return { ...cell, sum: seenByRules(rules, cell, sum) };
  });
}

/** What the header has in place of a cell's sum; undefined where that is no whole number of minor units. */
export type HeaderView = (cell: Cell) => Tally | undefined;
