import { type Column, field } from '../common/columns.ts';
import type { Names } from '../common/report.ts';
import type { AuditFinding, FoundRow } from './report.ts';
import { foundAmount, foundSentence } from './words.ts';

/** A row with the finding that it stands behind. */
type Found = AuditFinding & { readonly row: FoundRow };

/** A row behind a finding. New columns go to the end. */
export function foundColumns(names: Names): readonly Column<Found>[] {
  return [
    field.text('finding', ({ code }) => code),
    field.text('weight', ({ weight }) => weight),
    field.text('profile', ({ row }) => row.profile),
    field.text('day', ({ row }) => row.day),
    ...field.account<Found>(names, ({ row }) => row.accountingToken),
    field.text('settlement_id', ({ row }) => row.settlementId),
    field.text('transaction_id', ({ row }) => row.transactionId),
    field.text('charge_id', ({ row }) => row.chargeId),
    field.text('currency', ({ row }) => row.currency),
    field.amount('amount', ({ row }) => foundAmount(row, row.amount)),
    field.amount('expected', ({ row }) => foundAmount(row, row.expected)),
    field.text('message', ({ code, row }) => foundSentence(code, row, names)),
  ];
}
