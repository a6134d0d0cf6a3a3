import type { Measure } from '../../reconcile/entry.ts';
import type { Group, ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { amountText } from '../common/amount-text.ts';
import { amount, type Column, integer, list, text } from '../common/columns.ts';
import { whyNotWhole } from '../common/partial-words.ts';
import type { Names, SettlementsReport } from './report.ts';

const measures: readonly (readonly [key: string, measure: Measure])[] = [
  ['gross', 'gross'],
  ['fees', 'fees'],
  ['tax', 'tax'],
  ['pay_in', 'payIn'],
];

/** A row a settlement. New columns go to the end. */
export function settlementColumns({
  names,
  explanations,
}: Pick<SettlementsReport, 'names' | 'explanations'>): readonly Column<ReconciledSettlement>[] {
  return [
    text('settlement_date', (row) => row.settlement.date),
    text('settlement_timestamp', (row) => row.settlement.timestamp),
    text('settlement_id', (row) => row.settlement.id),
    text('accounting_token', (row) => row.settlement.accountingToken),
    text('accounting_name', (row) => names.get(row.settlement.accountingToken) ?? ''),
    text('merchant_id', (row) => row.settlement.merchantId),
    text('payment_service', (row) => row.settlement.paymentService),
    text('currency', (row) => row.settlement.currency),
    integer('decimal_places', (row) => row.scale),
    text('settlement_status', (row) => row.settlement.status),
    text('service_says', (row) => row.serviceSays),
    text('sums_say', (row) => row.sumsSay),
    text('verdict', (row) => row.verdict),
    integer('transactions_reported', (row) => row.reported.transactions),
    integer('transactions_computed', (row) => row.computed?.transactions),
    integer('transactions_difference', (row) => row.difference?.transactions),
    ...measures.flatMap(([key, measure]) => comparison(key, measure)),
    list('discrepancies', (row) => row.discrepancies.map((entry) => entry.code)),
    list('notices', (row) => row.notices.map((entry) => entry.code)),
    list('payment_references', (row) => row.settlement.paymentReferences),
    list('payment_end_to_end_ids', (row) => row.settlement.paymentEndToEndIds),
    text('explanation', (row) => whyNotWhole(row) || (explanations?.get(row.settlement.id) ?? '')),
  ];
}

function comparison(key: string, measure: Measure): readonly Column<ReconciledSettlement>[] {
  return [
    amount(`${key}_reported`, (row) => amountText(row.reported[measure], row.scale)),
    amount(`${key}_computed`, (row) => amountText(row.computed?.[measure], row.scale)),
    amount(`${key}_difference`, (row) => amountText(row.difference?.[measure], row.scale)),
  ];
}

/** A row an accounting token and currency. New columns go to the end. */
export function groupColumns(names: Names): readonly Column<Group>[] {
  return [
    text('accounting_token', (row) => row.accountingToken),
    text('accounting_name', (row) => names.get(row.accountingToken) ?? ''),
    text('currency', (row) => row.currency),
    integer('decimal_places', (row) => row.scale),
    integer('settlements_balanced', (row) => row.settlements.balanced),
    integer('settlements_out_of_balance', (row) => row.settlements.out_of_balance),
    integer('settlements_pending', (row) => row.settlements.pending),
    integer('settlements_incomplete', (row) => row.settlements.incomplete),
    ...measures.flatMap(([key, measure]) => groupMeasure(key, measure)),
    amount('out_of_balance_net', (row) => amountText(row.outOfBalance?.net, row.scale)),
    amount('out_of_balance_absolute', (row) => amountText(row.outOfBalance?.absolute, row.scale)),
    amount('pending_pay_in', (row) => amountText(row.pendingPayIn, row.scale)),
    list('mixed_decimal_places', (row) => row.mixedScales.map(String)),
  ];
}

function groupMeasure(key: string, measure: Measure): readonly Column<Group>[] {
  return [
    amount(`${key}_reported`, (row) => amountText(row[measure].reported, row.scale)),
    amount(`${key}_computed`, (row) => amountText(row[measure].computed, row.scale)),
    amount(`${key}_difference`, (row) => amountText(row[measure].difference?.net, row.scale)),
    amount(`${key}_difference_absolute`, (row) =>
      amountText(row[measure].difference?.absolute, row.scale),
    ),
  ];
}
