import type { Row } from '../model/row.ts';
import { smallest } from '../reconcile/examples.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import type { CauseCandidate } from './candidate.ts';
import type { Case } from './case.ts';
import type { ExplainedRow } from './explained.ts';
import { traitsOf } from './sides.ts';

/** The rows that candidates are about, those with the smallest ids. */
export function explainedRows(
  subject: Case,
  candidates: readonly CauseCandidate[],
): readonly ExplainedRow[] {
  const rows = candidates.flatMap((candidate) => rowsOf(subject, candidate));
  return smallest(rows, ({ transactionId }) => transactionId);
}

function rowsOf({ rows: columns }: Case, { rows }: CauseCandidate): readonly ExplainedRow[] {
  switch (rows.of) {
    case 'none':
      return [];
    case 'row':
      return [rowAt(rows.columns, rows.index)];
    case 'list':
      return rows.rows.map(asListed);
    case 'group': {
      const indexes = columns.where((index) => rows.has(traitsOf(columns, index)));
      const first = smallest(
        indexes.map((index) => ({ index, id: columns.id(index) })),
        ({ id }) => id,
      );
      return first.map(({ index }) => rowAt(columns, index));
    }
  }
}

/** A row of the columns, with its amounts as listed. */
export function rowAt(columns: RowColumns, index: number): ExplainedRow {
  const { type, state, settlementId, scale, currency } = columns.kind(index);
  return {
    transactionId: columns.id(index),
    chargeId: columns.chargeId(index),
    type,
    state,
    settlementId,
    amount: { minor: columns.amount(index), scale, currency },
    fees: { minor: columns.fees(index), scale, currency },
    tax: { minor: columns.tax(index), scale, currency },
  };
}

function asListed({ id, chargeId, type, state, settlementId, ...row }: Row): ExplainedRow {
  const money = (minor: bigint) => ({ minor, scale: row.scale, currency: row.currency });
  return {
    transactionId: id,
    chargeId,
    type,
    state,
    settlementId,
    amount: money(row.amount),
    fees: money(row.fees),
    tax: money(row.tax),
  };
}
