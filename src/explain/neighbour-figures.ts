import type { Settlement } from '../model/settlement.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { sumsByCurrency } from '../reconcile/sums.ts';
import { type Case, listedAmounts } from './case.ts';
import {
  type Amounts,
  changeOf,
  type Delta,
  minus,
  noAmounts,
  payInContradiction,
  payInDelta,
  shiftAmounts,
  shiftDecimals,
} from './delta.ts';
import type { Neighbour } from './evidence.ts';

/** The neighbours of a settlement: same accounting token and currency, and not itself. */
export function neighboursOf({ settlement, evidence }: Case): readonly Neighbour[] {
  return (evidence.neighbours ?? []).filter(
    ({ settlement: other }) =>
      other.id !== settlement.id &&
      other.accountingToken === settlement.accountingToken &&
      other.currency === settlement.currency,
  );
}

/** A neighbour's pay-in; nothing where it needs more decimal places than the case has. */
export function payInOfNeighbour({ scale }: Case, { settlement }: Neighbour): bigint | undefined {
  return shiftDecimals(settlement.payIn, scale - settlement.scale);
}

/**
 * A neighbour's own difference, reported − computed: all of it where its rows are known, else by
 * how much its header contradicts itself. Nothing where that needs more decimal places.
 */
export function differenceOfNeighbour(subject: Case, neighbour: Neighbour): Delta | undefined {
  const { settlement, rows } = neighbour;
  const reported = shiftAmounts(settlement, subject.scale - settlement.scale);
  const payIn = payInOfNeighbour(subject, neighbour);
  if (subject.identity === 'off' || reported === undefined || payIn === undefined) return undefined;
  const { gross, fees, tax } = reported;
  const header = { count: settlement.transactions, gross, fees, tax, payIn };
  if (rows === undefined) return payInDelta(payInContradiction(subject.identity, header));
  const computed = sumOfRows(subject, settlement, rows);
  return computed && minus(header, changeOf(subject.identity, rows.size, computed));
}

/** The amounts of a neighbour's row; nothing in another currency, or with more decimal places. */
export function amountsOfNeighbourRow(
  { settlement, scale }: Case,
  rows: RowColumns,
  index: number,
): Amounts | undefined {
  if (rows.kind(index).currency !== settlement.currency) return undefined;
  return shiftAmounts(listedAmounts(rows, index), scale - rows.kind(index).scale);
}

function sumOfRows({ scale }: Case, { currency }: Settlement, rows: RowColumns) {
  const sums = sumsByCurrency(rows).get(currency);
  if (sums === undefined) return noAmounts;
  const { gross, fees, tax } = sums;
  const amounts = { gross: gross.minor, fees: fees.minor, tax: tax.minor };
  return shiftAmounts(amounts, scale - gross.scale);
}
