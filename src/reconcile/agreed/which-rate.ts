import { addDays, dayWithin, isDay, microsecondsOf, writtenDay } from '../../base/calendar.ts';
import type { AgreedRate } from '../../model/agreed-rates.ts';
import type { RowKind } from '../../model/row-batch.ts';
import type { Settlement } from '../../model/settlement.ts';

/** The rate of a row; absent if none was agreed. Several are an error of the settings. */
export interface Chosen {
  readonly rates: readonly AgreedRate[];
  /** The month to whose volume the row belongs, YYYY-MM; empty without tiers. */
  readonly month: string;
}

/** The rates that the values of rows of a kind admit, on any day. */
export function ratesFor(
  rates: readonly AgreedRate[],
  { merchantId, accountingToken }: Settlement,
  { type, paymentType, state, currency }: RowKind,
): readonly AgreedRate[] {
  const admits = (list: readonly string[] | undefined, value: string) =>
    list === undefined || list.includes(value);
  return rates.filter(
    (one) =>
      one.currency === currency &&
      admits(one.types, type) &&
      admits(one.payment_types, paymentType) &&
      admits(one.states, state) &&
      admits(one.merchant_ids, merchantId) &&
      admits(one.tokens, accountingToken),
  );
}

/** Of the rates that rows of a settlement admit, those that apply to a row by its day. */
export class RatesByDay {
  readonly #rates: readonly AgreedRate[];
  readonly #settlementDay: string;
  readonly #timeZone: string;
  readonly #dependsOnRow: boolean;
  readonly #byDay = new Map<string, Chosen>();
  /** By the day as written; null if other time zones may give another choice. */
  readonly #byWritten = new Map<string, Chosen | null>();

  constructor(rates: readonly AgreedRate[], settlementDay: string, timeZone: string) {
    this.#rates = rates;
    this.#settlementDay = settlementDay;
    this.#timeZone = timeZone;
    this.#dependsOnRow = rates.some(
      ({ day, valid_from, valid_to, tiers }) => day === 'row' && (valid_from ?? valid_to ?? tiers),
    );
  }

  /** A row without a readable timestamp has no day: only a rate without dates applies to it. */
  at(timestamp: string): Chosen {
    if (!this.#dependsOnRow) return this.#on('');
    const written = timestamp.slice(0, 10);
    let known = this.#byWritten.get(written);
    if (known === undefined) {
      known = this.#onAnyNear(written) ?? null;
      this.#byWritten.set(written, known);
    }
    return known ?? this.#on(dayOf(timestamp, this.#timeZone) ?? '');
  }

  /** The choice if it is the same in every time zone. */
  #onAnyNear(day: string): Chosen | undefined {
    if (!isDay(day)) return undefined;
    const [first, ...others] = [-2, -1, 0, 1, 2].map((by) => this.#on(addDays(day, by)));
    const isSame = ({ rates, month }: Chosen) =>
      month === first?.month &&
      rates.length === first.rates.length &&
      rates.every((rate, at) => rate === first.rates[at]);
    return others.every(isSame) ? first : undefined;
  }

  #on(rowDay: string): Chosen {
    const known = this.#byDay.get(rowDay);
    if (known) return known;
    const dayBy = ({ day }: AgreedRate) => (day === 'row' ? rowDay : this.#settlementDay);
    const rates = this.#rates.filter((one) => isValid(one, dayBy(one)));
    const [rate] = rates;
    const chosen = { rates, month: rate?.tiers ? dayBy(rate).slice(0, 7) : '' };
    this.#byDay.set(rowDay, chosen);
    return chosen;
  }
}

function isValid({ valid_from, valid_to }: AgreedRate, day: string): boolean {
  if (day === '') return valid_from === undefined && valid_to === undefined;
  return (valid_from === undefined || valid_from <= day) && (valid_to ?? day) >= day;
}

/** The day of a timestamp in a time zone; without an offset from UTC, the day as written. */
function dayOf(timestamp: string, timeZone: string): string | undefined {
  const moment = microsecondsOf(timestamp);
  return moment === undefined ? writtenDay(timestamp) : dayWithin(Number(moment / 1000n), timeZone);
}
