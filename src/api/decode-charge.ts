import { isObject } from '../base/json.ts';
import {
  type Charge,
  type ChargePayment,
  type ChargeSummary,
  chargeScale,
  isEncrypted,
  isPersonal,
  type ProcessingResponse,
} from '../model/charge.ts';
import type { Money } from '../money/money.ts';
import { type Decoded, jsonOf, misreadField, notesOf, textOf } from './decode.ts';
import { type ChargeAmountRecord, type ChargeRecord, isMisread, readChargeRecord } from './wire.ts';

/** A charge object (doc 2.2) that was asked for by `id`. */
export function decodeCharge(raw: unknown, id: string): Decoded<Charge> {
  const record = readChargeRecord(raw);
  if (isMisread(record)) {
    return { key: id, unreadable: { ...misreadField(raw, record, unlessSecret), record: id } };
  }
  const { order, summary_amounts } = record;
  const event = object(record.event);
  const currency = currencyOf(order?.order_amount);
  const charge: Charge = {
    id: textOf(record.charge_id) || id,
    status: textOf(object(record.status)['status']),
    order: {
      id: textOf(order?.order_id),
      serviceId: textOf(order?.service_id),
      reference: textOf(order?.your_order_reference),
      details: notesOf(order?.your_order_details),
      currency,
      amount: money(order?.order_amount, currency),
    },
    summary: summaryOf(summary_amounts ?? undefined, currency),
    event: {
      number: typeof event['event_number'] === 'number' ? event['event_number'] : undefined,
      action: textOf(event['action']),
      source: textOf(event['source']),
      status: textOf(event['status']),
    },
    errorMessage: textOf(record.error_message),
    payments: objects(record.payments).map(paymentOf),
    responses: objects(record.psp_responses).map(responseOf),
  };
  return charge;
}

type SummaryRecord = NonNullable<ChargeRecord['summary_amounts']>;

function summaryOf(record: SummaryRecord | undefined, currency: string): ChargeSummary {
  const of = (amount: ChargeAmountRecord) => money(amount, currency);
  const others = record?.out_of_balance_amounts ?? [];
  const isAmount = (one: unknown): one is NonNullable<ChargeAmountRecord> =>
    typeof one === 'number' || (isObject(one) && 'value' in one);
  return {
    originalOrderTotal: of(record?.original_order_total),
    currentOrderTotal: of(record?.current_order_total),
    completed: of(record?.completed_amount),
    refunded: of(record?.refunded_amount),
    settled: of(record?.settled_amount),
    canceled: of(record?.canceled_amount),
    disputed: of(record?.disputed_amount),
    reconciled: of(record?.reconciled_amount),
    reversed: of(record?.reversed_amount),
    outOfBalance: others.filter(isAmount).flatMap((one) => of(one) ?? []),
    outOfBalanceOther: others
      .filter((one) => !isAmount(one))
      .map((one) => jsonOf(one, unlessSecret)),
  };
}

/** An amount in its own currency, where it names one; absent where there is none. */
function money(amount: ChargeAmountRecord, currency: string): Money | undefined {
  if (amount === undefined || amount === null) return undefined;
  const minor = typeof amount === 'number' ? amount : amount.value;
  return { minor: BigInt(minor), scale: chargeScale, currency: currencyOf(amount) || currency };
}

/** `currency.currency_code`, as the order has it (doc 2.3), or the code itself. */
function currencyOf(amount: ChargeAmountRecord): string {
  const currency = typeof amount === 'object' ? amount?.currency : undefined;
  return isObject(currency) ? textOf(currency['currency_code']) : textOf(currency);
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

function objects(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
