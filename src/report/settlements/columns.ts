import type { Entry } from '../../reconcile/entry.ts';
import type { ReconciledRun, ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { isOfRows, type SplitName } from '../../reconcile/split.ts';
import { verdictReason } from '../../reconcile/verdict.ts';
import { type Column, field, measureKey, type Records, records } from '../common/columns.ts';
import { whyNotWhole } from '../common/partial-words.ts';
import { amountText, digitsOf } from '../common/phrase.ts';
import type { Names } from '../common/report.ts';
import { effectTexts, ruleTotalText } from '../common/rule-words.ts';
import { measures, sentence, verdicts } from '../common/words.ts';
import { partColumns } from './parts.ts';
import {
  feesPercent,
  isByAccount,
  type Line,
  linesOf,
  type RowLine,
  rowLinesOf,
  type SettlementsReport,
  splitsOf,
} from './report.ts';

/** A row a settlement. New columns go to the end. */
export function settlementColumns({
  names,
  explanations,
}: Pick<SettlementsReport, 'names' | 'explanations'>): readonly Column<ReconciledSettlement>[] {
  const explanationOf = (one: ReconciledSettlement) => explanations?.get(one.settlement.id) ?? '';
  return [
    field.text('settlement_date', (row) => row.settlement.date),
    field.text('settlement_timestamp', (row) => row.settlement.timestamp),
    field.text('settlement_id', (row) => row.settlement.id),
    ...field.account<ReconciledSettlement>(names, (row) => row.settlement.accountingToken),
    field.text('merchant_id', (row) => row.settlement.merchantId),
    field.text('payment_service', (row) => row.settlement.paymentService),
    field.text('currency', (row) => row.settlement.currency),
    field.integer('decimal_places', (row) => row.scale),
    field.text('settlement_status', (row) => row.settlement.status),
    field.text('service_says', (row) => row.serviceSays),
    field.text('sums_say', (row) => row.sumsSay),
    field.text('verdict', (row) => row.verdict),
    ...sides.map((side) =>
      field.integer<ReconciledSettlement>(`transactions_${side}`, (row) => row[side]?.transactions),
    ),
    ...measures.flatMap((measure) =>
      sides.map((side) =>
        field.amount<ReconciledSettlement>(`${measureKey(measure)}_${side}`, (row) =>
          amountText(row[side]?.[measure], row.scale),
        ),
      ),
    ),
    field.list('discrepancies', (row) => row.discrepancies.map((entry) => entry.code)),
    field.list('notices', (row) => row.notices.map((entry) => entry.code)),
    field.list('payment_references', (row) => row.settlement.paymentReferences),
    field.list('payment_end_to_end_ids', (row) => row.settlement.paymentEndToEndIds),
    field.text('explanation', (row) => whyNotWhole(row) || explanationOf(row)),
    field.text('verdict_reason', (row) => verdictReason(row) ?? ''),
    field.list('by_rule', effectTexts),
  ];
}

const sides = ['reported', 'computed', 'difference'] as const;

/** A row for what the totals are split by, and currency. New columns go to the end. */
export function groupColumns(
  names: Names,
  splits: readonly SplitName[] = ['account'],
): readonly Column<Line>[] {
  const amount = (key: string, minor: (row: Line) => bigint | undefined) =>
    field.amount<Line>(key, (row) => amountText(minor(row), row.scale));
  return [
    ...partColumns(names, splits),
    field.integer('decimal_places', (row) => row.scale),
    ...verdicts.map((one) =>
      field.integer<Line>(`settlements_${one}`, (row) => row.settlements[one]),
    ),
    ...measures.flatMap((one) => [
      amount(`${measureKey(one)}_reported`, (row) => row[one].reported),
      amount(`${measureKey(one)}_computed`, (row) => row[one].computed),
      amount(`${measureKey(one)}_difference`, (row) => row[one].difference?.net),
      amount(`${measureKey(one)}_difference_absolute`, (row) => row[one].difference?.absolute),
    ]),
    amount('out_of_balance_net', (row) => row.outOfBalance?.net),
    amount('out_of_balance_absolute', (row) => row.outOfBalance?.absolute),
    amount('pending_pay_in', (row) => row.pendingPayIn),
    field.list('mixed_decimal_places', (row) => row.mixedScales.map(String)),
    field.integer('settlements_unknown_status', (row) => row.unknownStatus.settlements),
    amount('unknown_status_pay_in', (row) => row.unknownStatus.payIn),
    field.list('by_rule', (row) => row.byRule.map((total) => ruleTotalText(total, row))),
    ...(isByAccount(splits)
      ? []
      : (['reported', 'computed'] as const).map((side) =>
          field.amount<Line>(`fees_percent_${side}`, ({ fees, gross }) =>
            feesPercent(fees[side], gross[side]),
          ),
        )),
  ];
}

/** What people have accepted of a group. These columns come last. */
const acceptedGroupColumns: readonly Column<Line>[] = [
  field.integer('settlements_accepted', ({ accepted }) => accepted.settlements),
  field.amount('accepted_net', ({ accepted, scale }) => amountText(accepted.net, scale)),
  field.amount('accepted_absolute', ({ accepted, scale }) => amountText(accepted.absolute, scale)),
];

/** A row for what the totals of rows are split by, and currency. New columns go to the end. */
function rowLineColumns(names: Names, splits: readonly SplitName[]): readonly Column<RowLine>[] {
  return [
    ...partColumns(names, splits),
    field.integer('decimal_places', (row) => row.scale),
    field.integer('transactions_computed', (row) => row.transactions),
    ...measures.map((one) =>
      field.amount<RowLine>(`${measureKey(one)}_computed`, (row) =>
        amountText(row[one], row.scale),
      ),
    ),
    field.amount('fees_percent_computed', (row) => feesPercent(row.fees, row.gross)),
  ];
}

/** A record for each line of the totals. */
export function lineRecords(report: SettlementsReport): Records {
  const { names, hasRegister } = report;
  const splits = splitsOf(report);
  if (isOfRows(splits)) return records(rowLineColumns(names, splits), rowLinesOf(report));
  const accepted = hasRegister ? acceptedGroupColumns : [];
  return records([...groupColumns(names, splits), ...accepted], linesOf(report));
}

type Finding = ReturnType<typeof findingsOf>[number];

/** All that was found in a run, with the settlement it was found in: one by one, then across them. */
export function findingsOf({ settlements, findings }: ReconciledRun) {
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
    field.text('settlement_date', ({ settlement }) => settlement?.date ?? ''),
    field.text('settlement_id', ({ settlement }) => settlement?.id ?? ''),
    ...field.account<Finding>(names, ({ settlement }) => settlement?.accountingToken ?? ''),
    field.text('currency', ({ settlement }) => settlement?.currency ?? ''),
    field.text('weight', ({ entry }) => entry.weight),
    field.text('code', ({ entry }) => entry.code),
    field.integer('count', ({ entry }) => entry.count),
    field.amount('difference', ({ entry }) => differenceText(entry)),
    field.text('message', ({ entry }) => sentence(entry)),
  ];
}

/** What is reported beyond what was computed; empty where the entry compares nothing. */
function differenceText({ facts }: Entry): string {
  if (!('difference' in facts)) return '';
  return typeof facts.difference === 'number' ? `${facts.difference}` : digitsOf(facts.difference);
}
