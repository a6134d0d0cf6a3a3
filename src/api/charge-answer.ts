import * as z from 'zod';
import { RequestFailure } from '../base/errors.ts';
import { bodyOf, type HttpAnswer } from '../base/http/transport.ts';
import { isKeptNumber, isObject, parseExact, parseJson } from '../base/json.ts';
import { keysOf, tableOf } from '../base/lists.ts';
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
import type { Money } from '../money/money.ts';
import { failureOf, httpRule, isWrapper, requireSuccess } from './envelope.ts';
import {
  anything,
  type Fields,
  type Form,
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
} from './fields.ts';

/** Leaves people and payment details out of what is quoted because its shape is undocumented. */
const hidePersonalData = withoutSecrets(false);

/** The charge in an answer to a request for `id`. Throws RequestFailure. */
export function readCharge(answer: HttpAnswer, id: string): Charge {
  const decoded = decodeCharge(parseJson(requireCharge(answer)), id);
  const failed = (message: string, hint: string) =>
    new RequestFailure('give_up', 'service', message, { hint });
  if ('fault' in decoded) {
    const { field, found, expected } = decoded.fault;
    throw failed(
      `Charge ${id} cannot be read: ${field || 'it'} is ${found}, expected ${expected}.`,
      'Ask the service about that field. recon charge --raw shows the original answer.',
    );
  }
  const { item } = decoded;
  if (isSameUuid(item.id, id)) return item;
  const message = `The service returned charge ${item.id} instead of ${id}.`;
  throw failed(message, 'Ask the service why.');
}

/** The document in an answer, undecoded. Throws RequestFailure. */
export function readChargeDocument(answer: HttpAnswer): unknown {
  return parseExact(requireCharge(answer));
}

/** The JSON text of a charge. It has no wrapper, so the HTTP status decides (doc 4.2). */
function requireCharge(answer: HttpAnswer): string {
  const body = bodyOf(answer);
  const parsed = parseJson(body);
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (isSuccess && isObject(parsed)) {
    if ('charge_id' in parsed || !isWrapper(parsed)) return body;
    requireSuccess(answer);
  }
  throw failureOf(chargeRule(answer.status), answer);
}

/** The rule for a charge's status; how an unknown charge is answered is not documented (doc 7.1). */
function chargeRule(status: number): ReturnType<typeof httpRule> {
  const rule = httpRule(status);
  if (status === 403) {
    return { ...rule, hint: 'Ask the service which scopes charges need: this is not documented.' };
  }
  if (status < 400 || rule.policy !== 'give_up') return rule;
  return {
    policy: 'give_up',
    failure: 'not_found',
    meaning: 'The charge was not found, or access to it was denied',
    hint: 'Check the id and the profile (country and environment).',
  };
}

// Strict only where a charge holds money. An amount is an integer or an object: the document does not
// show which (doc 2.5). A missing one is not zero.

const amountForm =
  'a whole number of minor units within ±(2^53 − 1), or an object with such a value';
const amountObject = z.object({ value: minorUnits, currency: anything });
const amountSchema = z.union([minorUnits, amountObject], amountForm).nullish();

/** An amount, with an empty currency if it names none. */
const amount = strict(amountSchema, (found): Money | undefined => {
  if (found === undefined || found === null) return undefined;
  const { value, currency } = typeof found === 'number' ? { value: found, currency: '' } : found;
  // An object as in the order (doc 2.3), or the code itself.
  const code = isObject(currency) ? currency['currency_code'] : currency;
  return { minor: BigInt(value), scale: chargeScale, currency: textOf(code) };
});

/** Of undocumented shape: what is neither a number nor has a `value` is kept as JSON. */
const outOfBalanceAmount = z
  .unknown()
  .refine((one) => !isAmount(one) || amountSchema.safeParse(one).success, amountForm);
const outOfBalance = strict(
  anything.transform((found): unknown[] => [found ?? []].flat()).pipe(z.array(outOfBalanceAmount)),
  (found) =>
    found.map((one) => (isAmount(one) && amount.read(one)) || jsonOf(one, hidePersonalData)),
);

function isAmount(value: unknown): boolean {
  return typeof value === 'number' || isKeptNumber(value) || (isObject(value) && 'value' in value);
}

/** An object, or one without fields: anything else must not be quoted, as it may name a customer. */
function optionalObject<Item>(fields: Fields<Item>): Form<Item> {
  const { schema, read } = objectOf(fields);
  return { schema: z.preprocess(objectOrEmpty, schema), read };
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

const amounts = objectOf(summaryFields);

const chargeFields = {
  id: ['charge_id', text],
  status: ['status', liberal((found) => textOf(objectOrEmpty(found)['status']))],
  order: ['order', optionalObject(orderFields)],
  summary: [
    'summary_amounts',
    { ...amounts, schema: z.preprocess((found) => found ?? {}, amounts.schema) },
  ],
  event: ['event', optionalObject(eventFields)],
  errorMessage: ['error_message', text],
  payments: ['payments', listOf(paymentOf)],
  responses: ['psp_responses', listOf(responseOf)],
} as const;

/** The documented fields of a charge, and of objects in it by their path (doc 2.2 to 2.5). */
export const chargeNames = {
  '': [...namesOf(chargeFields), 'session'],
  status: ['status'],
  event: namesOf(eventFields),
  order: [...namesOf(orderFields), 'customer', 'order_line_items'],
  summary_amounts: namesOf(summaryFields),
};

const chargeForm = objectOf(chargeFields);

/** A charge object (doc 2.2) that was requested by `id`, or the first field that cannot be read. */
export function decodeCharge(raw: unknown, id: string) {
  const record = readRecord(chargeForm, raw, hidePersonalData);
  if ('fault' in record) return record;
  const { order, summary: found } = record.item;
  const currency = order.amount?.currency ?? '';
  const inCurrency = (one: Money) => ({ ...one, currency: one.currency || currency });
  const summary = {
    ...tableOf(keysOf(summaryAmounts), (key) => found[key] && inCurrency(found[key])),
    outOfBalance: found.outOfBalance.filter((one) => typeof one !== 'string').map(inCurrency),
    outOfBalanceOther: found.outOfBalance.filter((one) => typeof one === 'string'),
  };
  const item: Charge = {
    ...record.item,
    id: record.item.id || id,
    order: { ...order, currency },
    summary,
  };
  return { item };
}

function paymentOf(raw: Readonly<Record<string, unknown>>): ChargePayment {
  const instrument = objectOrEmpty(raw['payment_instrument']);
  const saved = instrument['saved_for_later'];
  return {
    instrumentId: textOf(instrument['instrument_id']),
    instrumentType: textOf(instrument['instrument_type']),
    ledgerType: ledgerTypeOf(raw),
    savedForLater: typeof saved === 'boolean' ? saved : undefined,
    instrumentReference: textOf(instrument['your_instrument_reference']),
  };
}

/** The `ledger_type` (doc 2.2); the name of the object that holds it is not documented. */
function ledgerTypeOf(payment: Readonly<Record<string, unknown>>): string {
  const places = [payment, ...Object.values(payment).filter(isObject)];
  return places.map((place) => textOf(place['ledger_type'])).find((type) => type !== '') ?? '';
}

function responseOf(raw: Readonly<Record<string, unknown>>): ProcessingResponse {
  const details = objectOrEmpty(raw['details']);
  const answers = objectOrEmpty(details['charge_responses']);
  const error = raw['psp_error'];
  return {
    psp_id: textOf(raw['psp_id']),
    type: textOf(raw['type']),
    status_code: textOf(details['status_code']),
    authorization_id: textOf(answers['authorization_id']),
    acquirer_response_code: textOf(answers['acquirer_response_code']),
    network_unique_id: textOf(answers['network_unique_id']),
    psp_error: typeof error === 'object' && error ? jsonOf(error, hidePersonalData) : textOf(error),
  };
}

function objectOrEmpty(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
