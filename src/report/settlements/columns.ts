import type { Settlement } from '../../model/settlement.ts';
import { formatMinor } from '../../money/money.ts';
import type { Entry, Measure } from '../../reconcile/entry.ts';
import type { Group, ReconciledRun, ReconciledSettlement } from '../../reconcile/reconciled.ts';
import {
  amountColumn,
  type Column,
  integerColumn,
  listColumn,
  measureKeys,
  textColumn,
} from '../common/columns.ts';
import { whyNotWhole } from '../common/partial-words.ts';
import { amountText } from '../common/phrase.ts';
import type { Names } from '../common/report.ts';
import { sentence } from '../common/words.ts';
import type { SettlementsReport } from './report.ts';

/** A row a settlement. New columns go to the end. */
export function settlementColumns({
  names,
  explanations,
}: Pick<SettlementsReport, 'names' | 'explanations'>): readonly Column<ReconciledSettlement>[] {
  return [
    textColumn('settlement_date', (row) => row.settlement.date),
    textColumn('settlement_timestamp', (row) => row.settlement.timestamp),
    textColumn('settlement_id', (row) => row.settlement.id),
    textColumn('accounting_token', (row) => row.settlement.accountingToken),
    textColumn('accounting_name', (row) => names.get(row.settlement.accountingToken) ?? ''),
    textColumn('merchant_id', (row) => row.settlement.merchantId),
    textColumn('payment_service', (row) => row.settlement.paymentService),
    textColumn('currency', (row) => row.settlement.currency),
    integerColumn('decimal_places', (row) => row.scale),
    textColumn('settlement_status', (row) => row.settlement.status),
    textColumn('service_says', (row) => row.serviceSays),
    textColumn('sums_say', (row) => row.sumsSay),
    textColumn('verdict', (row) => row.verdict),
    integerColumn('transactions_reported', (row) => row.reported.transactions),
    integerColumn('transactions_computed', (row) => row.computed?.transactions),
    integerColumn('transactions_difference', (row) => row.difference?.transactions),
    ...measureKeys.flatMap(([key, measure]) => comparison(key, measure)),
    listColumn('discrepancies', (row) => row.discrepancies.map((entry) => entry.code)),
    listColumn('notices', (row) => row.notices.map((entry) => entry.code)),
    listColumn('payment_references', (row) => row.settlement.paymentReferences),
    listColumn('payment_end_to_end_ids', (row) => row.settlement.paymentEndToEndIds),
    textColumn(
      'explanation',
      (row) => whyNotWhole(row) || (explanations?.get(row.settlement.id) ?? ''),
    ),
  ];
}

function comparison(key: string, measure: Measure): readonly Column<ReconciledSettlement>[] {
  return [
    amountColumn(`${key}_reported`, (row) => amountText(row.reported[measure], row.scale)),
    amountColumn(`${key}_computed`, (row) => amountText(row.computed?.[measure], row.scale)),
    amountColumn(`${key}_difference`, (row) => amountText(row.difference?.[measure], row.scale)),
  ];
}

/** A row an accounting token and currency. New columns go to the end. */
export function groupColumns(names: Names): readonly Column<Group>[] {
  return [
    textColumn('accounting_token', (row) => row.accountingToken),
    textColumn('accounting_name', (row) => names.get(row.accountingToken) ?? ''),
    textColumn('currency', (row) => row.currency),
    integerColumn('decimal_places', (row) => row.scale),
    integerColumn('settlements_balanced', (row) => row.settlements.balanced),
    integerColumn('settlements_out_of_balance', (row) => row.settlements.out_of_balance),
    integerColumn('settlements_pending', (row) => row.settlements.pending),
    integerColumn('settlements_incomplete', (row) => row.settlements.incomplete),
    ...measureKeys.flatMap(([key, measure]) => groupMeasure(key, measure)),
    amountColumn('out_of_balance_net', (row) => amountText(row.outOfBalance?.net, row.scale)),
    amountColumn('out_of_balance_absolute', (row) =>
      amountText(row.outOfBalance?.absolute, row.scale),
    ),
    amountColumn('pending_pay_in', (row) => amountText(row.pendingPayIn, row.scale)),
    listColumn('mixed_decimal_places', (row) => row.mixedScales.map(String)),
  ];
}

function groupMeasure(key: string, measure: Measure): readonly Column<Group>[] {
  return [
    amountColumn(`${key}_reported`, (row) => amountText(row[measure].reported, row.scale)),
    amountColumn(`${key}_computed`, (row) => amountText(row[measure].computed, row.scale)),
    amountColumn(`${key}_difference`, (row) => amountText(row[measure].difference?.net, row.scale)),
    amountColumn(`${key}_difference_absolute`, (row) =>
      amountText(row[measure].difference?.absolute, row.scale),
    ),
  ];
}

/** Something found, and the settlement it was found in; none where it concerns the run. */
export interface Finding {
  readonly settlement: Settlement | undefined;
  readonly entry: Entry;
}

/** All that was found in a run: settlement by settlement, then across them. */
export function findingsOf({ settlements, findings }: ReconciledRun): readonly Finding[] {
  return [
    ...settlements.flatMap(({ settlement, discrepancies, notices }) =>
      [...discrepancies, ...notices].map((entry) => ({ settlement, entry })),
    ),
    ...findings.map((entry) => ({ settlement: undefined, entry })),
  ];
}

/** A row a finding. New columns go to the end. */
export function findingColumns(names: Names): readonly Column<Finding>[] {
  return [
    textColumn('settlement_date', ({ settlement }) => settlement?.date ?? ''),
    textColumn('settlement_id', ({ settlement }) => settlement?.id ?? ''),
    textColumn('accounting_token', ({ settlement }) => settlement?.accountingToken ?? ''),
    textColumn(
      'accounting_name',
      ({ settlement }) => names.get(settlement?.accountingToken ?? '') ?? '',
    ),
    textColumn('currency', ({ settlement }) => settlement?.currency ?? ''),
    textColumn('weight', ({ entry }) => entry.weight),
    textColumn('code', ({ entry }) => entry.code),
    integerColumn('count', ({ entry }) => entry.count),
    amountColumn('difference', ({ entry }) => differenceText(entry)),
    textColumn('message', ({ entry }) => sentence(entry)),
  ];
}

/** What is reported beyond what was computed; empty where the entry compares nothing. */
function differenceText(entry: Entry): string {
  if (!('difference' in entry.facts)) return '';
  const { difference } = entry.facts;
  return typeof difference === 'number'
    ? String(difference)
    : formatMinor(difference.minor, difference.scale);
}
