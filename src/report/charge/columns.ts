import { type Charge, chargeScale, summaryAmounts } from '../../model/charge.ts';
import type { Money } from '../../money/money.ts';
import {
  chargeRule,
  isApproved,
  type SettledAgainstRows,
  wasCompleted,
} from '../../reconcile/charges.ts';
import { amountText, moneyText } from '../common/amount-text.ts';
import { amount, type Column, integer, list, text } from '../common/columns.ts';
import { againstRows, type ChargeReport } from './report.ts';
import { handlingWords, summaryFields, yesOrNo } from './words.ts';

/** A row a charge. Amounts are in the order's currency. New columns go to the end. */
export function chargeColumns({ names, settled }: ChargeReport): readonly Column<Charge>[] {
  const found = (charge: Charge) => settled && againstRows(charge, settled);
  const compared = (key: string, pick: (one: SettledAgainstRows) => Money | undefined) =>
    amount<Charge>(key, (charge) => {
      const one = found(charge);
      const money = one && pick(one.compared);
      return money ? amountText(money.minor, money.scale) : '';
    });
  return [
    text('charge_id', ({ id }) => id),
    text('status', ({ status }) => status),
    text('outcome', ({ status }) => chargeRule(status).outcome),
    text('approved', ({ status }) => yesOrNo(isApproved(status))),
    text('had_been_completed', ({ status }) => yesOrNo(wasCompleted(status))),
    text('handling', ({ status }) => handlingWords[chargeRule(status).handling]),
    text('order_id', ({ order }) => order.id),
    text('order_reference', ({ order }) => order.reference),
    text('accounting_token', ({ order }) => order.serviceId),
    text('accounting_name', ({ order }) => names.get(order.serviceId) ?? ''),
    text('currency', ({ order }) => order.currency),
    integer('decimal_places', () => chargeScale),
    amount('order_amount', ({ order }) => amountText(order.amount?.minor, chargeScale)),
    ...summaryAmounts.map((key) =>
      amount<Charge>(summaryFields[key], ({ summary, order }) => {
        const money = summary[key];
        return money?.currency === order.currency ? amountText(money.minor, chargeScale) : '';
      }),
    ),
    list('out_of_balance_amounts', ({ summary }) => [
      ...summary.outOfBalance.map(moneyText),
      ...summary.outOfBalanceOther,
    ]),
    list('amounts_in_other_currencies', ({ summary, order }) =>
      summaryAmounts.flatMap((key) => {
        const money = summary[key];
        const isForeign = money !== undefined && money.currency !== order.currency;
        return isForeign ? [`${summaryFields[key]} ${moneyText(money)}`] : [];
      }),
    ),
    text('event_action', ({ event }) => event.action),
    integer('event_number', ({ event }) => event.number),
    text('event_source', ({ event }) => event.source),
    text('event_status', ({ event }) => event.status),
    text('error_message', ({ errorMessage }) => errorMessage),
    integer('attempts', ({ payments }) => payments.length),
    list('instrument_types', ({ payments }) => payments.map((one) => one.instrumentType)),
    list('ledger_types', ({ payments }) => payments.map((one) => one.ledgerType)),
    list('saved_for_later', ({ payments }) => payments.map((one) => yesOrNo(one.savedForLater))),
    list('instrument_references', ({ payments }) => payments.map((one) => one.instrumentReference)),
    list('merchant_details', ({ order }) => order.details.map((one) => `${one.key}: ${one.value}`)),
    list('settlement_ids', (charge) => (found(charge)?.own ?? []).map((one) => one.settlement.id)),
    integer('settlement_rows', (charge) => found(charge)?.own.length),
    compared('settlement_rows_gross', ({ rows }) => rows),
    compared('settlement_rows_difference', ({ difference }) => difference),
    text('settlement_rows_say', (charge) => found(charge)?.compared.relation ?? ''),
  ];
}
