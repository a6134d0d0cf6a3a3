import { groupedBy, largestOf } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import { rescale } from '../money/money.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { type Rules, seenByRules } from '../reconcile/rules.ts';
import { noRows } from '../reconcile/sums.ts';
import type { BookedFigures } from './book-settlement.ts';

/** The transactions of a settlement as they count by the rules, by id: those that a rule doesn't leave out. */
export function transactionFigures(rows: RowColumns, rules: Rules): readonly BookedFigures[] {
  return rows
    .ofKind(() => true)
    .map((row) => {
      const kind = rows.kind(row);
      const amounts = { gross: rows.amount(row), fees: rows.fees(row), tax: rows.tax(row) };
      const { type, currency, scale } = kind;
      const { count, ...seen } = seenByRules(rules, kind, { count: 1, ...amounts });
      return { transactionId: rows.id(row), rows: count, type, currency, scale, ...seen };
    })
    .sort((a, b) => byText(a.transactionId, b.transactionId));
}

/** What the transactions of a settlement come to by currency and type, as they count by the rules. */
export function typeFigures(rows: RowColumns, rules: Rules): readonly BookedFigures[] {
  const all = rows.kinds.map((kind, number): BookedFigures => {
    const { count, ...sums } = seenByRules(rules, kind, rows.sums[number] ?? noRows);
    const { type, currency, scale } = kind;
    return { transactionId: '', rows: count, type, currency, scale, ...sums };
  });
  const byType = groupedBy(all, ({ type, currency }) => JSON.stringify([currency, type]));
  return [...byType].sort(([a], [b]) => byText(a, b)).flatMap(([, those]) => addedUp(those));
}

function addedUp(all: readonly BookedFigures[]): readonly BookedFigures[] {
  const [first] = all;
  if (!first) return [];
  const scale = largestOf(all.map((one) => one.scale));
  const sum = (name: 'gross' | 'fees' | 'tax') =>
    all.reduce((total, one) => total + rescale(one[name], one.scale, scale), 0n);
  const rows = all.reduce((total, one) => total + one.rows, 0);
  return [{ ...first, rows, scale, gross: sum('gross'), fees: sum('fees'), tax: sum('tax') }];
}
