import { figuresPerRow } from '../model/row-batch.ts';
import type { Amounts } from '../model/settlement.ts';
import { magnitude } from '../money/money.ts';
import { rounded } from '../money/rate.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { noTally, shift, type Tally } from './tally.ts';

/** How much of a purchase's fees and tax comes back with its refund: all, or the share that is refunded. */
export type Returned = 'in_full' | 'in_part';

export const returnedForms = ['in_full', 'in_part'] as const satisfies readonly Returned[];

/** A row that refunds a purchase, with what was charged on that. */
interface Refund extends Readonly<Record<Returned, Tally>> {
  readonly row: number;
}

/** The purchases that are refunded somewhere, by their charge. */
export type Purchases = ReadonlyMap<string, { readonly rows: RowColumns; readonly row: number }>;

/** Finds what rows refund, in all of these lists. */
export function purchasesIn(lists: readonly RowColumns[]): Purchases {
  const refunded = lists.flatMap((rows) => refundRows(rows).map((row) => rows.chargeId(row)));
  const charges = new Set(refunded.filter((id) => id !== ''));
  const purchases = new Map<string, { readonly rows: RowColumns; readonly row: number }>();
  for (const rows of charges.size > 0 ? lists : []) {
    const { figures } = rows;
    for (const row of rows.where((row) => (figures[row * figuresPerRow] ?? 0) > 0)) {
      const id = rows.chargeId(row);
      if (!charges.has(id)) continue;
      const known = purchases.get(id);
      // Of several, the smallest id, so that the order of rows does not matter.
      if (!known || rows.id(row) < known.rows.id(known.row)) purchases.set(id, { rows, row });
    }
  }
  return purchases;
}

/** The refunds in a currency whose purchase is known. Amounts are at this scale. */
export function refundsIn(
  rows: RowColumns,
  purchases: Purchases,
  { currency, scale }: { readonly currency: string; readonly scale: number },
): readonly Refund[] {
  return refundRows(rows).flatMap((row) => {
    const purchase = purchases.get(rows.chargeId(row));
    if (!purchase) return [];
    const [own, kind] = [rows.kind(row), purchase.rows.kind(purchase.row)];
    const isAlike = own.currency === kind.currency && own.scale === kind.scale;
    if (!isAlike || own.currency !== currency) return [];
    const { gross, fees, tax } = purchase.rows.amounts(purchase.row);
    const share = (minor: bigint) => {
      const part = rounded(magnitude(minor * rows.amount(row)), gross, 'half_up');
      return minor < 0n ? -part : part;
    };
    const tally = (amounts: Pick<Amounts, 'fees' | 'tax'>) => {
      const back = { ...noTally, ...amounts };
      return shift(back, scale - own.scale) ?? back;
    };
    const inPart = { fees: share(fees), tax: share(tax) };
    return { row, in_full: tally({ fees, tax }), in_part: tally(inPart) };
  });
}

function refundRows(rows: RowColumns): readonly number[] {
  const { figures } = rows;
  return rows.where((row) => (figures[row * figuresPerRow] ?? 0) < 0);
}
