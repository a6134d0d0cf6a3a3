import * as z from 'zod';
import { RequestFailure } from '../base/http/request-failure.ts';
import { bodyOf, type HttpAnswer } from '../base/http/transport.ts';
import { isKeptNumber, isObject, parseExact, parseJson } from '../base/json.ts';
import { keysOf, tableOf } from '../base/keys.ts';
import { isSameUuid } from '../base/uuid.ts';
import {
  type Charge,
  type ChargeEvent,
  type ChargePayment,
  chargeScale,
  type ProcessingResponse,
  summaryAmounts,
  withoutSecrets,
} from '../model/charge.ts';
import type { OddAnswer } from '../model/source.ts';
import type { Money } from '../money/money.ts';
import {
  anything,
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
import { failureOf, isWrapper, readSuccess } from './envelope.ts';
import { httpRule, type StatusRule } from './status.ts';

/** In what is quoted because its shape isn't shown, people and payment details may stand too. */
const unlessSecret = withoutSecrets(false);

/** The charge in an answer to a request for `id`. Throws RequestFailure. */
export function readCharge(answer: HttpAnswer, id: string): Charge {
  const charge = decodeCharge(parseJson(requireCharge(answer)), id);
  const failed = (message: string, hint: string) =>
    new RequestFailure('give_up', 'service', message, { hint });
  if (isMisread(charge)) {
    const { field, found, expected } = charge;
    throw failed(
      `Charge ${id} cannot be read: ${field || 'it'} is ${found}, expected ${expected}.`,
      'Ask the service about that field. recon charge --raw shows the original answer.',
    );
  }
  if (isSameUuid(charge.id, id)) return charge;
  const message = `The service returned charge ${charge.id} instead of ${id}.`;
  throw failed(message, 'Ask the service why.');
}

/** The document in an answer, undecoded. Throws RequestFailure. */
export function readChargeDocument(answer: HttpAnswer): unknown {
  return parseExact(requireCharge(answer));
}

/**
 * The JSON text of a charge. This operation has no wrapper, so that the HTTP status decides (doc
 * 4.2); where one comes in the place of a charge all the same, its code does.
 */
function requireCharge(answer: HttpAnswer): string {
  const text = bodyOf(answer);
  const body = parseJson(text);
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (isSuccess && isObject(body)) {
    if ('charge_id' in body || !isWrapper(body)) return text;
    readSuccess(answer);
  }
  throw failureOf(chargeRule(answer.status), answer);
}

/** Statuses that say something about the caller or the moment, and nothing about the charge. */
const notAboutTheCharge = [401, 403, 408, 429];

/** How an unknown charge is answered is not shown (doc 7.1). */
function chargeRule(status: number): StatusRule {
  const rule = httpRule(status);
  if (status === 403) {
    return { ...rule, hint: 'Ask the service which scopes charges need: this is not documented.' };
  }
  if (status < 400 || status >= 500 || notAboutTheCharge.includes(status)) return rule;
  return {
    policy: 'give_up',
    failure: 'not_found',
    meaning: 'The charge was not found, or access to it was denied',
    hint: 'Check the id and the profile (country and environment).',
  };
}

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

const summaryFields = {
  ...tableOf(keysOf(summaryAmounts), (key) => [summaryAmounts[key], amount] as const),
  outOfBalance: ['out_of_balance_amounts', outOfBalance],
} as const;

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

/** A charge object (doc 2.2) that was asked for by `id`, or its first fault. */
export function decodeCharge(raw: unknown, id: string): Charge | OddAnswer {
  const record = readRecord(chargeForm, raw, unlessSecret);
  if (isMisread(record)) return record;
  const { order, summary: found } = record;
  const currency = order.amount?.currency ?? '';
  const inCurrency = (one: Money) => ({ ...one, currency: one.currency || currency });
  const summary = {
    ...tableOf(keysOf(summaryAmounts), (key) => found[key] && inCurrency(found[key])),
    outOfBalance: found.outOfBalance.filter((one) => typeof one !== 'string').map(inCurrency),
    outOfBalanceOther: found.outOfBalance.filter((one) => typeof one === 'string'),
  };
  return { ...record, id: record.id || id, order: { ...order, currency }, summary };
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
    psp_id: textOf(raw['psp_id']),
    type: textOf(raw['type']),
    status_code: textOf(details['status_code']),
    authorization_id: textOf(answers['authorization_id']),
    acquirer_response_code: textOf(answers['acquirer_response_code']),
    network_unique_id: textOf(answers['network_unique_id']),
    psp_error: typeof error === 'object' && error ? jsonOf(error, unlessSecret) : textOf(error),
  };
}

/** What may be an object, as one. */
function object(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
