import { groupedBy } from '../../base/lists.ts';
import { byText } from '../../base/texts.ts';
import type { AgreedRate } from '../../model/agreed-rates.ts';
import type { RowKind } from '../../model/row-batch.ts';
import { magnitude } from '../../money/money.ts';
import type { RowColumns } from '../row-columns.ts';
import { million, tariffFinder } from '../tariffs.ts';

/** What rows of a payment type and type are charged. */
export interface ShownRate extends Pick<RowKind, 'paymentType' | 'type' | 'currency' | 'scale'> {
  readonly rows: number;
  /** Tariffs that give the fee of every row, the simplest first; undefined if nothing is charged. */
  readonly fees: ShownTariffs | undefined;
  readonly tax: ShownTariffs | undefined;
  /** Absent without negative amounts. */
  readonly sign: AgreedRate['sign'] | undefined;
}

export type ShownTariffs = ReturnType<ReturnType<typeof tariffFinder>>;

/** More rows do not show more. */
const mostRows = 50_000;
/** If more tariffs fit, the rows do not show which is right. */
const mostTariffs = 3;

/** The rates that rows show, by currency, payment type and type. */
export function ratesShown(settlements: readonly RowColumns[]): readonly ShownRate[] {
  const seen = settlements.flatMap((rows) =>
    rows.where(() => true).map((row) => ({ kind: rows.kind(row), rows, row })),
  );
  const parts = ({ kind }: (typeof seen)[number]) =>
    JSON.stringify([kind.currency, kind.paymentType, kind.type, kind.scale]);
  const groups = [...groupedBy(seen.slice(0, mostRows), parts)].sort(([a], [b]) => byText(a, b));
  return groups.flatMap(([, all]) => {
    const amounts = all.map(({ rows, row }) => rows.amount(row));
    const fees = all.map(({ rows, row }) => rows.fees(row));
    const taxes = all.map(({ rows, row }) => rows.tax(row));
    const [first] = all;
    const negative = fees.filter((_, at) => (amounts[at] ?? 0n) < 0n);
    const isNone = negative.every((fee) => fee === 0n);
    const sign = negative.some((fee) => fee < 0n) ? 'returned' : 'charged';
    return first
      ? [
          {
            ...first.kind,
            rows: all.length,
            // Fixed parts below a minor unit cannot be agreed.
            fees: tariffsOf(amounts, fees)?.filter(({ tariff }) => tariff.fixed % million === 0),
            tax: tariffsOf(fees, taxes)?.filter(({ tariff }) => tariff.fixed === 0),
            sign: negative.length === 0 ? undefined : isNone ? 'none' : sign,
          },
        ]
      : [];
  });
}

function tariffsOf(bases: readonly bigint[], values: readonly bigint[]): ShownTariffs | undefined {
  if (values.every((value) => value === 0n)) return undefined;
  const places = [...bases.keys()].filter((at) => bases[at] !== 0n);
  const of = (all: readonly bigint[]) => places.map((at) => Number(magnitude(all[at] ?? 0n)));
  return tariffFinder({ bases: of(bases), values: of(values), kinds: places.map(() => 0) })(
    mostTariffs,
  );
}
