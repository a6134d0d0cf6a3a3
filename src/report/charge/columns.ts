import { type Charge, chargeScale, summaryAmounts } from '../../model/charge.ts';
import type { Money } from '../../money/money.ts';
import {
  chargeRule,
  isApproved,
  type SettledAgainstRows,
  wasCompleted,
} from '../../reconcile/charges.ts';
import {
  amountColumn,
  type Column,
  integerColumn,
  listColumn,
  textColumn,
} from '../common/columns.ts';
import { digitsOf, moneyText } from '../common/phrase.ts';
import { againstRows, type ChargeReport } from './report.ts';
import { handlingWords, summaryFields, yesOrNo } from './words.ts';

/** A row a charge. Amounts are in the order's currency. New columns go to the end. */
export function chargeColumns({ names, settled }: ChargeReport): readonly Column<Charge>[] {
  const found = (charge: Charge) => settled && againstRows(charge, settled);
  const compared = (key: string, pick: (one: SettledAgainstRows) => Money | undefined) =>
    amountColumn<Charge>(key, (charge) => {
      const one = found(charge);
      return digitsOf(one && pick(one.compared));
    });
  return [
    textColumn('charge_id', ({ id }) => id),
    textColumn('status', ({ status }) => status),
    textColumn('outcome', ({ status }) => chargeRule(status).outcome),
    textColumn('approved', ({ status }) => yesOrNo(isApproved(status))),
    textColumn('had_been_completed', ({ status }) => yesOrNo(wasCompleted(status))),
    textColumn('handling', ({ status }) => handlingWords[chargeRule(status).handling]),
    textColumn('order_id', ({ order }) => order.id),
    textColumn('order_reference', ({ order }) => order.reference),
    textColumn('accounting_token', ({ order }) => order.serviceId),
    textColumn('accounting_name', ({ order }) => names.get(order.serviceId) ?? ''),
    textColumn('currency', ({ order }) => order.currency),
    integerColumn('decimal_places', () => chargeScale),
    amountColumn('order_amount', ({ order }) => digitsOf(order.amount)),
    ...summaryAmounts.map((key) =>
      amountColumn<Charge>(summaryFields[key], ({ summary, order }) => {
        const money = summary[key];
        return money?.currency === order.currency ? digitsOf(money) : '';
      }),
    ),
    listColumn('out_of_balance_amounts', ({ summary }) => [
      ...summary.outOfBalance.map(moneyText),
      ...summary.outOfBalanceOther,
    ]),
    listColumn('amounts_in_other_currencies', ({ summary, order }) =>
      summaryAmounts.flatMap((key) => {
        const money = summary[key];
        const isForeign = money !== undefined && money.currency !== order.currency;
        return isForeign ? [`${summaryFields[key]} ${moneyText(money)}`] : [];
      }),
    ),
    textColumn('event_action', ({ event }) => event.action),
    integerColumn('event_number', ({ event }) => event.number),
    textColumn('event_source', ({ event }) => event.source),
    textColumn('event_status', ({ event }) => event.status),
    textColumn('error_message', ({ errorMessage }) => errorMessage),
    integerColumn('attempts', ({ payments }) => payments.length),
    listColumn('instrument_types', ({ payments }) => payments.map((one) => one.instrumentType)),
    listColumn('ledger_types', ({ payments }) => payments.map((one) => one.ledgerType)),
    listColumn('saved_for_later', ({ payments }) =>
      payments.map((one) => yesOrNo(one.savedForLater)),
    ),
    listColumn('instrument_references', ({ payments }) =>
      payments.map((one) => one.instrumentReference),
    ),
    listColumn('merchant_details', ({ order }) =>
      order.details.map((one) => `${one.key}: ${one.value}`),
    ),
    listColumn('settlement_ids', (charge) =>
      (found(charge)?.own ?? []).map((one) => one.settlement.id),
    ),
    integerColumn('settlement_rows', (charge) => found(charge)?.own.length),
    compared('settlement_rows_gross', ({ rows }) => rows),
    compared('settlement_rows_difference', ({ difference }) => difference),
    textColumn('settlement_rows_say', (charge) => found(charge)?.compared.relation ?? ''),
  ];
}
