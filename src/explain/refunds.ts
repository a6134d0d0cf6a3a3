import { figuresPerRow } from '../model/row-batch.ts';
import type { Amounts } from '../model/settlement.ts';
import { magnitude } from '../money/money.ts';
import { rounded } from '../money/rate.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';

/** How much of a purchase's fees and tax comes back with its refund: all, or the share that is refunded. */
export type Returned = 'in_full' | 'in_part';

/** A row that refunds a purchase, with what was charged on that. Amounts are at the scale of the row. */
interface Refund {
  readonly row: number;
  readonly in_full: Pick<Amounts, 'fees' | 'tax'>;
  readonly in_part: Pick<Amounts, 'fees' | 'tax'>;
}

/** The refunds among the rows whose purchase is listed here or elsewhere, by their charge. */
export function refundsIn(rows: RowColumns, elsewhere: readonly RowColumns[]): readonly Refund[] {
  const refunds = rows.where((row) => (rows.figures[row * figuresPerRow] ?? 0) < 0);
  const charges = new Set(refunds.map((row) => rows.chargeId(row)).filter((id) => id !== ''));
  if (charges.size === 0) return [];
  const purchases = new Map<string, { readonly rows: RowColumns; readonly row: number }>();
  for (const one of [...elsewhere, rows]) {
    for (const row of one.where((row) => (one.figures[row * figuresPerRow] ?? 0) > 0)) {
      const id = one.chargeId(row);
      if (charges.has(id)) purchases.set(id, { rows: one, row });
    }
  }
  return refunds.flatMap((row) => {
    const purchase = purchases.get(rows.chargeId(row));
    if (!purchase) return [];
    const [own, kind] = [rows.kind(row), purchase.rows.kind(purchase.row)];
    if (own.currency !== kind.currency || own.scale !== kind.scale) return [];
    const { gross, fees, tax } = purchase.rows.amounts(purchase.row);
    const share = (minor: bigint) => {
      const part = rounded(magnitude(minor * rows.amount(row)), gross, 'half_up');
      return minor < 0n ? -part : part;
    };
    return { row, in_full: { fees, tax }, in_part: { fees: share(fees), tax: share(tax) } };
  });
}
