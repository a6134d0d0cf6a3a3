import * as z from 'zod';
import { isKeptNumber, isObject } from '../base/json.ts';
import {
  type Charge,
  type ChargeEvent,
  type ChargePayment,
  chargeScale,
  isEncrypted,
  isPersonal,
  type ProcessingResponse,
  type SummaryAmount,
  summaryAmounts,
} from '../model/charge.ts';
import type { Money } from '../money/money.ts';
import {
  anything,
  type Decoded,
  type Fields,
  type Form,
  isMisread,
  jsonOf,
  liberal,
  minorUnits,
  namesOf,
  notes,
  objectOf,
  readRecord,
  strict,
  text,
  textOf,
} from './decode.ts';

// Strict only where a charge holds money. The document shows no shape of an amount: an integer or an
// object (doc 2.5). Not there, it is no zero.

const amountForm =
  'a whole number of minor units within ±(2^53 − 1), or an object with such a value';
const amountObject = z.object({ value: minorUnits, currency: anything });
const amountSchema = z.union([minorUnits, amountObject], amountForm).nullish();

/** An amount, with an empty currency where it names none; undefined where there is none. */
const amount = strict(amountSchema, (found): Money | undefined => {
  if (found === undefined || found === null) return undefined;
  const { value, currency } = typeof found === 'number' ? { value: found, currency: '' } : found;
  return { minor: BigInt(value), scale: chargeScale, currency: currencyOf(currency) };
});

/** Of no known shape at all: what is neither a number nor has a `value` is taken as it comes, as JSON. */
const outOfBalanceAmount = z
  .unknown()
  .refine((one) => !isAmount(one) || amountSchema.safeParse(one).success, amountForm);
const outOfBalance = strict(
  anything
    .transform((found) => (Array.isArray(found) ? found : [found ?? []].flat()))
    .pipe(z.array(outOfBalanceAmount)),
  (found) => found.map((one) => (isAmount(one) && amount.read(one)) || jsonOf(one, unlessSecret)),
);

function isAmount(value: unknown): boolean {
  return typeof value === 'number' || isKeptNumber(value) || (isObject(value) && 'value' in value);
}

/** What is no object has no fields; it must not be quoted: a customer may stand in it. */
function liberally<Item>(fields: Fields<Item>): Form<Item> {
  const { schema, read } = objectOf(fields);
  return { schema: z.preprocess(object, schema), read };
}

function listOf<Item>(read: (one: Readonly<Record<string, unknown>>) => Item) {
  return liberal((found) => (Array.isArray(found) ? found.filter(isObject).map(read) : []));
}

const summaryFields: Fields<
  Record<SummaryAmount, Money | undefined> & { outOfBalance: readonly (Money | string)[] }
> = {
  originalOrderTotal: ['original_order_total', amount],
  currentOrderTotal: ['current_order_total', amount],
  completed: ['completed_amount', amount],
  refunded: ['refunded_amount', amount],
  settled: ['settled_amount', amount],
  canceled: ['canceled_amount', amount],
  disputed: ['disputed_amount', amount],
  reconciled: ['reconciled_amount', amount],
  reversed: ['reversed_amount', amount],
  outOfBalance: ['out_of_balance_amounts', outOfBalance],
};

const orderFields: Fields<Omit<Charge['order'], 'currency'>> = {
  id: ['order_id', text],
  serviceId: ['service_id', text],
  reference: ['your_order_reference', text],
  details: ['your_order_details', notes],
  amount: ['order_amount', amount],
};

const eventFields: Fields<ChargeEvent> = {
  number: ['event_number', liberal((one) => (typeof one === 'number' ? one : undefined))],
  action: ['action', text],
  source: ['source', text],
  status: ['status', text],
};

const summary = objectOf(summaryFields);

const chargeFields = {
  id: ['charge_id', text],
  status: ['status', liberal((found) => textOf(object(found)['status']))],
  order: ['order', liberally(orderFields)],
  summary: [
    'summary_amounts',
    { ...summary, schema: z.preprocess((found) => found ?? {}, summary.schema) },
  ],
  event: ['event', liberally(eventFields)],
  errorMessage: ['error_message', text],
  payments: ['payments', listOf(paymentOf)],
  responses: ['psp_responses', listOf(responseOf)],
} as const;

/** The names of a charge's fields, and of those of objects in it by their place (doc 2.2 to 2.5). */
export const chargeNames = {
  '': [...namesOf(chargeFields), 'session'],
  status: ['status'],
  event: namesOf(eventFields),
  order: [...namesOf(orderFields), 'customer', 'order_line_items'],
  summary_amounts: namesOf(summaryFields),
};

const chargeForm = objectOf(chargeFields);

/** A charge object (doc 2.2) that was asked for by `id`. */
export function decodeCharge(raw: unknown, id: string): Decoded<Charge> {
  const record = readRecord(chargeForm, raw, unlessSecret);
  if (isMisread(record)) return { key: id, unreadable: { ...record, record: id } };
  const { order, summary: found } = record;
  const currency = order.amount?.currency ?? '';
  const inCurrency = (one: Money) => ({ ...one, currency: one.currency || currency });
  const summary = {
    ...found,
    outOfBalance: found.outOfBalance.filter((one) => typeof one !== 'string').map(inCurrency),
    outOfBalanceOther: found.outOfBalance.filter((one) => typeof one === 'string'),
  };
  for (const name of summaryAmounts) summary[name] &&= inCurrency(summary[name]);
  return {
    ...record,
    id: record.id || id,

    order: { ...order, currency },
    summary,
  };
}

/** `currency.currency_code`, as the order has it (doc 2.3), or the code itself. */
function currencyOf(currency: unknown): string {
  return textOf(isObject(currency) ? currency['currency_code'] : currency);
}

function paymentOf(raw: Readonly<Record<string, unknown>>): ChargePayment {
  const instrument = object(raw['payment_instrument']);
  const saved = instrument['saved_for_later'];
  return {
    instrumentId: textOf(instrument['instrument_id']),
    instrumentType: textOf(instrument['instrument_type']),
    ledgerType: ledgerTypeOf(raw),
    savedForLater: typeof saved === 'boolean' ? saved : undefined,
    instrumentReference: textOf(instrument['your_instrument_reference']),
  };
}

/** The ledger details include a `ledger_type` (doc 2.2); under which name they stand is not shown. */
function ledgerTypeOf(payment: Readonly<Record<string, unknown>>): string {
  const places = [payment, ...Object.values(payment).filter(isObject)];
  return places.map((place) => textOf(place['ledger_type'])).find((type) => type !== '') ?? '';
}

function responseOf(raw: Readonly<Record<string, unknown>>): ProcessingResponse {
  const details = object(raw['details']);
  const answers = object(details['charge_responses']);
  const error = raw['psp_error'];
  return {
    pspId: textOf(raw['psp_id']),
    type: textOf(raw['type']),
    statusCode: textOf(details['status_code']),
    authorizationId: textOf(answers['authorization_id']),
    acquirerResponseCode: textOf(answers['acquirer_response_code']),
    networkUniqueId: textOf(answers['network_unique_id']),
    error: isObject(error) || Array.isArray(error) ? jsonOf(error, unlessSecret) : textOf(error),
  };
}

/** In what is quoted because its shape isn't shown, people and payment details may stand too. */
function unlessSecret(field: string, value: unknown): unknown {
  return isPersonal(field) || isEncrypted(field) ? undefined : value;
}

/** What may be an object, as one. */
function object(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
