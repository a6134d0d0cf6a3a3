import { RequestFailure } from '../base/errors.ts';
import { bodyOf, type HttpAnswer } from '../base/http/transport.ts';
import { isKeptNumber, isObject, parseExact, parseJson } from '../base/json.ts';
import { keysOf, tableOf } from '../base/lists.ts';
import { isSameUuid } from '../base/uuid.ts';
import {
  type Charge,
  chargeScale,
  responseFields,
  summaryAmounts,
  withoutSecrets,
} from '../model/charge.ts';
import type { Money } from '../money/money.ts';
import { failureOf, httpRule, isWrapper, requireSuccess } from './envelope.ts';
import { jsonOf, notesOf, oddField, textOf } from './fields.ts';

/** Leaves people and payment details out of quotations of undocumented shapes. */
const hidePersonalData = withoutSecrets();

/** The charge in an answer to a request for `id`. Throws RequestFailure. */
export function readCharge(answer: HttpAnswer, id: string): Charge {
  const charge = decodeCharge(parseJson(requireCharge(answer)), id);
  if (isSameUuid(charge.id, id)) return charge;
  const message = `The service returned charge ${charge.id} instead of ${id}.`;
  throw new RequestFailure('give_up', 'service', message, { hint: 'Ask the service why.' });
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
    meaning: 'charge_not_found',
    hint: 'Check the id and the profile (country and environment).',
  };
}

const wholeNumber =
  'a whole number of the smallest unit, within ±(2^53 − 1), or an object with such a value';

/** The documented fields of a charge, and of objects in it by their path (doc 2.2 to 2.5). */
export const chargeNames = {
  '': namesIn(
    'charge_id order payments session status event error_message summary_amounts psp_responses',
  ),
  status: ['status'],
  event: namesIn('event_number action source status'),
  order: namesIn(
    'order_id service_id order_amount customer order_line_items your_order_reference your_order_details',
  ),
  summary_amounts: [...Object.values(summaryAmounts), 'out_of_balance_amounts'],
};

function namesIn(list: string): readonly string[] {
  return list.split(' ');
}

/** A charge (doc 2.2), requested by `id`. Throws RequestFailure only if an amount cannot be read. */
function decodeCharge(raw: unknown, id: string): Charge {
  const unreadable = (field: string, expected: string) => {
    const { found } = oddField(raw, { field, expected }, hidePersonalData);
    const message = `Charge ${id} cannot be read: ${field} is ${found}, expected ${expected}.`;
    const hint = 'Ask the service about that field. recon charge --raw shows the original answer.';
    return new RequestFailure('give_up', 'service', message, { hint });
  };
  // An integer or an object: the document does not show which (doc 2.5). A missing one is not zero.
  const amount = (found: unknown, field: string, otherwise = ''): Money | undefined => {
    if (found === undefined || found === null) return undefined;
    const { value, currency = '' } = isObject(found) ? found : { value: found };
    if (!Number.isSafeInteger(value)) throw unreadable(field, wholeNumber);
    // An object as in the order (doc 2.3), or the code itself.
    const code = textOf(isObject(currency) ? currency['currency_code'] : currency);
    return { minor: BigInt(Number(value)), scale: chargeScale, currency: code || otherwise };
  };
  const orderAmount = amount(valueAt(raw, 'order.order_amount'), 'order.order_amount');
  const currency = orderAmount?.currency ?? '';
  const summary = valueAt(raw, 'summary_amounts') ?? {};
  if (!isObject(summary)) throw unreadable('summary_amounts', 'an object');
  // The shape is undocumented: anything but a number or an object with `value` is kept as JSON.
  const outOfBalance = [summary['out_of_balance_amounts'] ?? []].flat().map((one, index) => {
    const field = `summary_amounts.out_of_balance_amounts.${index}`;
    return (isAmount(one) && amount(one, field, currency)) || jsonOf(one, hidePersonalData);
  });
  const number = valueAt(raw, 'event.event_number');
  return {
    id: textAt(raw, 'charge_id') || id,
    status: textAt(raw, 'status.status'),
    order: {
      id: textAt(raw, 'order.order_id'),
      serviceId: textAt(raw, 'order.service_id'),
      reference: textAt(raw, 'order.your_order_reference'),
      details: notesOf(valueAt(raw, 'order.your_order_details')),
      currency,
      amount: orderAmount,
    },
    summary: {
      ...tableOf(keysOf(summaryAmounts), (key) => {
        const name = summaryAmounts[key];
        return amount(summary[name], `summary_amounts.${name}`, currency);
      }),
      outOfBalance: outOfBalance.filter((one) => typeof one !== 'string'),
      outOfBalanceOther: outOfBalance.filter((one) => typeof one === 'string'),
    },
    event: {
      number: typeof number === 'number' ? number : undefined,
      action: textAt(raw, 'event.action'),
      source: textAt(raw, 'event.source'),
      status: textAt(raw, 'event.status'),
    },
    errorMessage: textAt(raw, 'error_message'),
    payments: objectsAt(raw, 'payments').map((payment) => {
      const saved = valueAt(payment, 'payment_instrument.saved_for_later');
      return {
        instrumentId: textAt(payment, 'payment_instrument.instrument_id'),
        instrumentType: textAt(payment, 'payment_instrument.instrument_type'),
        ledgerType: ledgerTypeOf(payment),
        savedForLater: typeof saved === 'boolean' ? saved : undefined,
        instrumentReference: textAt(payment, 'payment_instrument.your_instrument_reference'),
      };
    }),
    responses: objectsAt(raw, 'psp_responses').map((response) => ({
      ...tableOf(keysOf(responseFields), (name) => textAt(response, responseFields[name])),
      psp_error: errorOf(response['psp_error']),
    })),
  };
}

/** The error of a processor, of undocumented shape. */
function errorOf(found: unknown): string {
  return typeof found === 'object' && found ? jsonOf(found, hidePersonalData) : textOf(found);
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' || isKeptNumber(value) || (isObject(value) && 'value' in value);
}

/** The `ledger_type` (doc 2.2); the name of the object that holds it is not documented. */
function ledgerTypeOf(payment: Readonly<Record<string, unknown>>): string {
  const places = [payment, ...Object.values(payment)];
  return places.map((place) => textAt(place, 'ledger_type')).find((type) => type !== '') ?? '';
}

/** What is at a path of fields; undefined if one of them is missing. */
function valueAt(raw: unknown, path: string): unknown {
  const inside = (outer: unknown, field: string) => (isObject(outer) ? outer[field] : undefined);
  return path.split('.').reduce(inside, raw);
}

function textAt(raw: unknown, path: string): string {
  return textOf(valueAt(raw, path));
}

function objectsAt(raw: unknown, path: string) {
  const found = valueAt(raw, path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}
