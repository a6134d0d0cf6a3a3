import type { Row } from '../model/row.ts';
import type { RowKind } from '../model/row-batch.ts';
import { smallest } from '../reconcile/examples.ts';
import { type RowColumns, smallestRows } from '../reconcile/row-columns.ts';
import { factorsBy } from '../reconcile/rules.ts';
import type { CauseCandidate } from './candidate.ts';
import type { Case } from './case.ts';
import type { ExplainedRow } from './explained.ts';

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
  if (rows.of === 'page') {
    const page = Array.from({ length: rows.count }, (_, place) => rows.from + place);
    return smallestRows(own, page).map((index) => rowAt(own, index));
  }
  // A row that counts for nothing by a rule is in no cause.
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
