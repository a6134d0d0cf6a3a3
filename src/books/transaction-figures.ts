import { byText } from '../base/texts.ts';
import { rescale } from '../money/money.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { type Rules, seenByRules } from '../reconcile/rules.ts';
import type { BookedFigures } from './book-settlement.ts';

/**
 * The transactions of a settlement as they count by the rules, by id: those in its currency that a rule
 * doesn't leave out.
 */
export function transactionFigures(
  { settlement, scale }: Pick<ReconciledSettlement, 'settlement' | 'scale'>,
  rows: RowColumns,
  rules: Rules,
): readonly BookedFigures[] {
  return rows
    .ofKind(({ currency }) => currency === settlement.currency)
    .map((row) => {
      const kind = rows.kind(row);
      const amounts = { gross: rows.amount(row), fees: rows.fees(row), tax: rows.tax(row) };
      const { gross, fees, tax } = seenByRules(rules, kind, { count: 1, ...amounts });
      const at = (minor: bigint) => rescale(minor, kind.scale, scale);
      return { transactionId: rows.id(row), gross: at(gross), fees: at(fees), tax: at(tax) };
    })
    .sort((a, b) => byText(a.transactionId, b.transactionId));
}
