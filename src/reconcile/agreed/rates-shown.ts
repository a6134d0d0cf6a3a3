import { groupedBy } from '../../base/lists.ts';
import type { AgreedRate } from '../../model/agreed-rates.ts';
import type { RowKind } from '../../model/row-batch.ts';
import type { Settlement } from '../../model/settlement.ts';
import type { RowColumns } from '../row-columns.ts';
import { type ChargedRows, million, tariffFinder } from '../tariffs.ts';

/** Tariffs that give the fee, or the tax, of every row; the simplest first. */
export type ShownTariffs = ReturnType<ReturnType<typeof tariffFinder>>;

/** What rows of a payment type and type are charged; of one accounting token if they differ. */
export interface ShownRate extends Pick<RowKind, 'paymentType' | 'type' | 'currency' | 'scale'> {
  readonly token: string | undefined;
  readonly rows: number;
  /** Empty if nothing is charged, or no single tariff fits. */
  readonly fees: ShownTariffs;
  readonly isFree: boolean;
  /** Absent without negative amounts. */
  readonly sign: AgreedRate['sign'] | undefined;
  /** Percentages on the fees; empty if none fits. */
  readonly tax: ShownTariffs;
  readonly isTaxFree: boolean;
}

/** Magnitudes of rows. */
interface SeenRows extends Omit<ShownRate, 'fees' | 'isFree' | 'tax' | 'isTaxFree'> {
  readonly amounts: number[];
  readonly fees: number[];
  readonly taxes: number[];
}

/** More rows of a kind do not show more. */
const mostRows = 20_000;
/** If more tariffs fit, the rows do not show which is right. */
const mostTariffs = 3;

/** Finds the rates that rows show. */
export class RatesShown {
  readonly #seen = new Map<string, { -readonly [Key in keyof SeenRows]: SeenRows[Key] }>();

  add({ accountingToken: token }: Settlement, rows: RowColumns): void {
    const seen = rows.kinds.map(({ paymentType, type, currency, scale }) => {
      const own = { paymentType, type, currency, scale, token };
      const key = JSON.stringify(own);
      const none = { rows: 0, sign: undefined, amounts: [], fees: [], taxes: [] };
      const known = this.#seen.get(key) ?? { ...own, ...none };
      this.#seen.set(key, known);
      return known;
    });
    for (let row = 0; row < rows.size; row += 1) {
      const one = seen[rows.kindNumber(row)];
      if (!one) continue;
      const [amount, fee, tax] = [rows.amount(row), rows.fees(row), rows.tax(row)].map(Number);
      one.rows += 1;
      if (Number(amount) < 0) one.sign = signOf(Number(fee)) ?? one.sign ?? 'none';
      if (one.amounts.length === mostRows) continue;
      one.amounts.push(Math.abs(amount ?? 0));
      one.fees.push(Math.abs(fee ?? 0));
      one.taxes.push(Math.abs(tax ?? 0));
    }
  }

  /** By currency, payment type and type: one rate for all accounts, or else one for each. */
  found(): readonly ShownRate[] {
    const keyOf = ({ currency, paymentType, type, scale }: SeenRows) =>
      JSON.stringify([currency, paymentType, type, scale]);
    const groups = groupedBy([...this.#seen.values()], keyOf);
    return [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, all]) => {
        const [first, ...others] = all;
        if (!first) return [];
        const whole = shownBy({ ...others.reduce(together, first), token: undefined });
        return whole.fees.length > 0 || whole.isFree || others.length === 0
          ? [whole]
          : all.map(shownBy);
      });
  }
}

/** Of a negative amount with a fee. */
function signOf(fee: number): AgreedRate['sign'] | undefined {
  if (fee === 0) return undefined;
  return fee < 0 ? 'returned' : 'charged';
}

function together(one: SeenRows, other: SeenRows): SeenRows {
  return {
    ...one,
    rows: one.rows + other.rows,
    sign: one.sign === 'none' ? (other.sign ?? 'none') : (one.sign ?? other.sign),
    amounts: [...one.amounts, ...other.amounts],
    fees: [...one.fees, ...other.fees],
    taxes: [...one.taxes, ...other.taxes],
  };
}

function shownBy({ amounts, fees, taxes, ...rows }: SeenRows): ShownRate {
  const onFees = tariffFinder(charged(fees, taxes))(mostTariffs);
  return {
    ...rows,
    isFree: fees.every((fee) => fee === 0),
    isTaxFree: taxes.every((tax) => tax === 0),
    // Fixed parts below a minor unit cannot be agreed.
    fees: tariffFinder(charged(amounts, fees))(mostTariffs).filter(
      ({ tariff }) => tariff.fixed % million === 0,
    ),
    tax: onFees.filter(({ tariff }) => tariff.fixed === 0),
  };
}

/** Without bases of 0. */
function charged(bases: readonly number[], values: readonly number[]): ChargedRows {
  const places = [...bases.keys()].filter((at) => bases[at] !== 0);
  return {
    bases: places.map((at) => bases[at] ?? 0),
    values: places.map((at) => values[at] ?? 0),
    kinds: places.map(() => 0),
  };
}
