import { groupedBy, largestOf } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import { rescale } from '../money/money.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { type Rules, seenByRules } from '../reconcile/rules.ts';
import type { BookedFigures, TypeFigures } from './book-settlement.ts';

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
      const figures = { gross: at(gross), fees: at(fees), tax: at(tax) };
      return { transactionId: rows.id(row), type: kind.type, ...figures };
    })
    .sort((a, b) => byText(a.transactionId, b.transactionId));
}

/**
 * What the transactions of a settlement come to by type and currency, in order: those in its currency as
 * they count by the rules, others as they are.
 */
export function typeFigures(
  { settlement }: Pick<ReconciledSettlement, 'settlement'>,
  rows: RowColumns,
  rules: Rules,
): readonly TypeFigures[] {
  const all = rows.kinds.flatMap((kind, number) => {
    const sums = rows.sums[number];
    if (!sums || sums.count === 0) return [];
    const isOwn = kind.currency === settlement.currency;
    const seen = isOwn ? seenByRules(rules, kind, sums) : sums;
    const { type, currency, scale } = kind;
    const { count, gross, fees, tax } = seen;
    return { transactionId: '', rows: count, type, currency, scale, gross, fees, tax };
  });
  const byType = groupedBy(all, ({ type, currency }) => JSON.stringify([currency, type]));
  return [...byType].sort(([a], [b]) => byText(a, b)).flatMap(([, those]) => addedUp(those));
}

function addedUp(all: readonly TypeFigures[]): readonly TypeFigures[] {
  const [first] = all;
  if (!first) return [];
  const scale = largestOf(all.map((one) => one.scale));
  const sum = (name: 'gross' | 'fees' | 'tax') =>
    all.reduce((total, one) => total + rescale(one[name], one.scale, scale), 0n);
  const rows = all.reduce((total, one) => total + one.rows, 0);
  return [{ ...first, rows, scale, gross: sum('gross'), fees: sum('fees'), tax: sum('tax') }];
}
