import { dayWithin, microsecondsOf, writtenDay } from '../../base/calendar.ts';
import type { AgreedRate, Agreement } from '../../model/agreed-rates.ts';
import type { RowKind } from '../../model/row-batch.ts';
import type { Settlement } from '../../model/settlement.ts';
import type { RowColumns } from '../row-columns.ts';
import { factorsBy, type Rules } from '../rules.ts';

/** What applies to rows of a kind on a day; one object for all of them. */
export interface Chosen {
  readonly kind: RowKind;
  /** None if none was agreed. Several are an error of the settings. */
  readonly rates: readonly AgreedRate[];
  /** To whose volume the rows belong, YYYY-MM; empty if the day is not known. */
  readonly month: string;
}

/** A row that counts, with its rates; minor units with the signs that rules give them. */
interface RatedRow {
  readonly row: number;
  readonly chosen: Chosen;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly tax: bigint;
}

/** The rows of a settlement that count. Rules that are about headers alone do not apply. */
export function* ratedRows(
  settlement: Settlement,
  rows: RowColumns,
  { rates, timeZone }: Agreement,
  { tax_in_fees, ...rules }: Rules,
): Iterable<RatedRow> {
  const kinds = rows.kinds.map((kind) => {
    const own = rates.filter((rate) => isFor(rate, settlement, kind));
    const hasDays = own.some((one) => one.valid_from ?? one.valid_to ?? one.tiers);
    const factors = factorsBy(rules, kind);
    return factors && { kind, own, hasDays, factors, byDay: new Map<string, Chosen>() };
  });
  for (let row = 0; row < rows.size; row += 1) {
    const found = kinds[rows.kindNumber(row)];
    if (!found) continue;
    const { kind, own, hasDays, factors, byDay } = found;
    const day = hasDays ? rowDay(rows.details(row).timestamp, timeZone) : '';
    const chosen = byDay.get(day) ?? chosenOn(day, settlement.date, kind, own);
    byDay.set(day, chosen);
    const tax = rows.tax(row) * BigInt(factors.tax);
    const fee = rows.fees(row) * BigInt(factors.fees) - (tax_in_fees === 'also_in_rows' ? tax : 0n);
    yield { row, chosen, amount: rows.amount(row) * BigInt(factors.gross), fee, tax };
  }
}

function isFor(
  { types, payment_types, states, merchant_ids, tokens, currency }: AgreedRate,
  { merchantId, accountingToken }: Settlement,
  kind: RowKind,
): boolean {
  const admits = (list: readonly string[] | undefined, value: string) =>
    list?.includes(value) ?? true;
  return (
    currency === kind.currency &&
    admits(types, kind.type) &&
    admits(payment_types, kind.paymentType) &&
    admits(states, kind.state) &&
    admits(merchant_ids, merchantId) &&
    admits(tokens, accountingToken)
  );
}

/** A rate with dates never applies to a row whose day is not known. */
function chosenOn(
  rowDay: string,
  settlementDay: string,
  kind: RowKind,
  rates: readonly AgreedRate[],
): Chosen {
  const dayBy = ({ day }: AgreedRate) => (day === 'row' ? rowDay : settlementDay);
  const valid = rates.filter((rate) => {
    const { valid_from: from, valid_to: to } = rate;
    const day = dayBy(rate);
    if (day === '') return from === undefined && to === undefined;
    return (from ?? day) <= day && day <= (to ?? day);
  });
  const [first] = valid;
  return { kind, rates: valid, month: first ? dayBy(first).slice(0, 7) : '' };
}

const usualTimestamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d):[0-5]\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const days = new Map<string, string>();
const mostDays = 100_000;

/** The day of a timestamp in a time zone; without an offset, as written; empty if it is none. */
export function rowDay(timestamp: string, timeZone: string): string {
  const [, minute = '', offset = ''] = usualTimestamp.exec(timestamp) ?? [];
  // Days change at a full minute.
  const key = `${minute}${offset} ${timeZone}`;
  const known = minute === '' ? undefined : days.get(key);
  if (known !== undefined) return known;
  const moment = microsecondsOf(timestamp);
  const day =
    moment === undefined
      ? (writtenDay(timestamp) ?? '')
      : dayWithin(Number(moment / 1000n), timeZone);
  if (days.size > mostDays) days.clear();
  if (minute !== '') days.set(key, day);
  return day;
}
