import {
  type Charge,
  type ChargePayment,
  chargeScale,
  summaryAmounts,
} from '../../model/charge.ts';
import type { Money } from '../../money/money.ts';
import { chargeRule, isApproved, remarksOnCharge, wasCompleted } from '../../reconcile/charges.ts';
import { type Column, field } from '../common/columns.ts';
import { digitsOf } from '../common/phrase.ts';
import type { ChargeReport } from './view.ts';
import { againstRows, handlingText, summaryField, yesOrNo } from './words.ts';

/** A row a charge. Amounts are in the order's currency. New columns go to the end. */
export function chargeColumns({ names, settled }: ChargeReport): readonly Column<Charge>[] {
  const ofPayments = (key: string, text: (one: ChargePayment) => string) =>
    field.list<Charge>(key, ({ payments }) => payments.map(text));
  const found = (charge: Charge) => settled && againstRows(charge, settled);
  return [
    field.text('charge_id', ({ id }) => id),
    field.text('status', ({ status }) => status),
    field.text('outcome', ({ status }) => chargeRule(status).outcome),
    field.text('approved', ({ status }) => yesOrNo(isApproved(status))),
    field.text('had_been_completed', ({ status }) => yesOrNo(wasCompleted(status))),
    field.text('handling', handlingText),
    field.text('order_id', ({ order }) => order.id),
    field.text('order_reference', ({ order }) => order.reference),
    ...field.account<Charge>(names, ({ order }) => order.serviceId),
    field.text('currency', ({ order }) => order.currency),
    field.integer('decimal_places', () => chargeScale),
    field.amount('order_amount', ({ order }) => digitsOf(order.amount)),
    ...summaryAmounts.map((key) =>
      field.amount<Charge>(summaryField(key), ({ summary, order }) =>
        summary[key]?.currency === order.currency ? digitsOf(summary[key]) : '',
      ),
    ),
    field.list('out_of_balance_amounts', ({ summary }) => [
      ...summary.outOfBalance.map(textOf),
      ...summary.outOfBalanceOther,
    ]),
    field.list('amounts_in_other_currencies', ({ summary, order }) =>
      summaryAmounts.flatMap((key) => {
        const money = summary[key];
        const isForeign = money !== undefined && money.currency !== order.currency;
        return isForeign ? [`${summaryField(key)} ${textOf(money)}`] : [];
      }),
    ),
    field.text('event_action', ({ event }) => event.action),
    field.integer('event_number', ({ event }) => event.number),
    field.text('event_source', ({ event }) => event.source),
    field.text('event_status', ({ event }) => event.status),
    field.text('error_message', ({ errorMessage }) => errorMessage),
    field.integer('attempts', ({ payments }) => payments.length),
    ofPayments('instrument_types', ({ instrumentType }) => instrumentType),
    ofPayments('ledger_types', ({ ledgerType }) => ledgerType),
    ofPayments('saved_for_later', ({ savedForLater }) => yesOrNo(savedForLater)),
    ofPayments('instrument_references', ({ instrumentReference }) => instrumentReference),
    field.list('merchant_details', ({ order }) =>
      order.details.map((one) => `${one.key}: ${one.value}`),
    ),
    field.list('settlement_ids', (one) => (found(one)?.own ?? []).map((row) => row.settlement.id)),
    field.integer('settlement_rows', (one) => found(one)?.own.length),
    field.amount('settlement_rows_gross', (one) => digitsOf(found(one)?.compared.rows)),
    field.amount('settlement_rows_difference', (one) => digitsOf(found(one)?.compared.difference)),
    field.text('settlement_rows_say', (one) => found(one)?.compared.relation ?? ''),
    field.list('remarks', remarksOnCharge),
  ];
}

/** `1234.56 EUR`: as it is in data. */
function textOf(money: Money): string {
  return `${digitsOf(money)} ${money.currency}`;
}
