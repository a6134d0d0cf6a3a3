import {
  isByAccount,
  type Line,
  linesOf,
  type RowLine,
  rowLinesOf,
  type SettlementsReport,
  shownSettlements,
  splitNamesOf,
} from '../../app/settlements-report.ts';
import type { Names } from '../../model/settlement.ts';
import { valueText } from '../../model/value.ts';
import { rateText } from '../../money/rate.ts';
import { differenceIn, type FeesCharged } from '../../reconcile/entry.ts';
import { feeRate, rateChange } from '../../reconcile/fee-rates.ts';
import { type ReconciledRun, unreadPendings } from '../../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { isOfRows, type SplitName } from '../../reconcile/split.ts';
import { verdictReason } from '../../reconcile/verdict.ts';
import { acceptanceChangeText } from '../common/acceptance.ts';
import { type Column, field, measureKey, type Records, records } from '../common/columns.ts';
import {
  jsonAccount,
  jsonEntry,
  jsonFacts,
  jsonFigures,
  jsonMeasures,
  jsonNetAndAbsolute,
  jsonObject,
  jsonRecord,
  jsonSettings,
  jsonSettlement,
  jsonViews,
} from '../common/json.ts';
import { notFullyReadText } from '../common/partial-words.ts';
import { effectTexts, proposalText, ruleTotalText } from '../common/rule-words.ts';
import { schema } from '../common/view.ts';
import { entryClause, measures, verdicts } from '../common/words.ts';
import { jsonPattern } from '../explain/pattern-words.ts';
import { jsonBankTotal, jsonOnBank, onBankColumns } from './on-bank.ts';
import { settlementsNotes } from './summary.ts';
import { feesPercent, partColumns } from './totals.ts';

export const figureSides = ['reported', 'computed', 'difference'] as const;

type Settled = Column<ReconciledSettlement>;
type Explained = Pick<SettlementsReport, 'names' | 'explanations'>;

/** A row a settlement. New columns go to the end; those of the register, the bank and the profile follow. */
export function settlementColumns({ names, explanations }: Explained): readonly Settled[] {
  const explained = ({ settlement }: ReconciledSettlement) =>
    explanations?.get(settlement.id) ?? '';
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
    ...figureSides.map(
      (side): Settled => field.integer(`transactions_${side}`, (row) => row[side]?.transactions),
    ),
    ...measures.flatMap((one) =>
      figureSides.map((side) =>
        field.amount<ReconciledSettlement>(`${measureKey(one)}_${side}`, (row) => row[side]?.[one]),
      ),
    ),
    field.list('discrepancies', (row) => row.discrepancies.map((entry) => entry.code)),
    field.list('notices', (row) => row.notices.map((entry) => entry.code)),
    field.list('payment_references', (row) => row.settlement.paymentReferences),
    field.list('payment_end_to_end_ids', (row) => row.settlement.paymentEndToEndIds),
    field.text('explanation', (row) => notFullyReadText(row) || explained(row)),
    field.text('verdict_reason', verdictReason),
    field.list('by_rule', effectTexts),
  ];
}

/** A row for each part of the totals and currency. New columns go to the end. */
export function groupColumns(names: Names, splitBy: Split = ['account']): readonly Column<Line>[] {
  const rateOn = (side: 'reported' | 'computed') =>
    field.amount<Line>(`fees_percent_${side}`, ({ fees, gross }) =>
      feesPercent(fees[side], gross[side]),
    );
  return [
    ...partColumns(names, splitBy),
    field.integer('decimal_places', (row) => row.scale),
    ...verdicts.map(
      (one): Column<Line> => field.integer(`settlements_${one}`, (row) => row.settlements[one]),
    ),
    ...measures.flatMap((one): readonly Column<Line>[] => [
      field.amount(`${measureKey(one)}_reported`, (row) => row[one].reported),
      field.amount(`${measureKey(one)}_computed`, (row) => row[one].computed),
      field.amount(`${measureKey(one)}_difference`, (row) => row[one].difference?.net),
      field.amount(
        `${measureKey(one)}_difference_absolute`,
        (row) => row[one].difference?.absolute,
      ),
    ]),
    field.amount('out_of_balance_net', (row) => row.outOfBalance?.net),
    field.amount('out_of_balance_absolute', (row) => row.outOfBalance?.absolute),
    field.amount('pending_pay_in', (row) => row.pendingPayIn),
    field.list('mixed_decimal_places', (row) => row.mixedScales.map(String)),
    field.integer('settlements_unknown_status', (row) => row.unknownStatus.settlements),
    field.amount('unknown_status_pay_in', (row) => row.unknownStatus.payIn),
    field.list('by_rule', (row) => row.byRule.map((total) => ruleTotalText(total, row))),
    ...(isByAccount(splitBy) ? [] : [rateOn('reported'), rateOn('computed')]),
  ];
}

const acceptedGroupColumns: readonly Column<Line>[] = [
  field.integer('settlements_accepted', ({ accepted }) => accepted.settlements),
  field.amount('accepted_net', ({ accepted }) => accepted.net),
  field.amount('accepted_absolute', ({ accepted }) => accepted.absolute),
];

/** New columns go to the end. */
function rowLineColumns(names: Names, splitBy: Split): readonly Column<RowLine>[] {
  return [
    ...partColumns(names, splitBy),
    field.integer('decimal_places', (row) => row.scale),
    field.integer('transactions_computed', (row) => row.transactions),
    ...measures.map((one) =>
      field.amount<RowLine>(`${measureKey(one)}_computed`, (row) => row[one]),
    ),
    field.amount('fees_percent_computed', (row) => feesPercent(row.fees, row.gross)),
  ];
}

type Split = readonly SplitName[];

const acceptanceColumns: readonly Settled[] = [
  field.text('accepted', ({ acceptance }) => acceptance?.state),
  field.text('accepted_reason', ({ acceptance }) => acceptance?.line.reason),
  field.text('accepted_by', ({ acceptance }) => acceptance?.line.by),
  field.text('accepted_on', ({ acceptance }) => acceptance?.line.on),
  field.text('accepted_until', ({ acceptance }) => acceptance?.line.until),
  field.list('accepted_changes', ({ acceptance }) => acceptance?.changes.map(acceptanceChangeText)),
];

/** A record for each settlement that is shown or, if requested, for each line of the totals. */
export function settlementsRecords(report: SettlementsReport): Records {
  const { names, splitBy, hasRegister, bank } = report;
  if (!splitBy) {
    const columns = [
      ...settlementColumns(report),
      ...(hasRegister ? acceptanceColumns : []),
      ...(bank ? onBankColumns(bank) : []),
    ];
    return records(columns, shownSettlements(report));
  }
  if (isOfRows(splitBy)) return records(rowLineColumns(names, splitBy), rowLinesOf(report));
  const accepted = hasRegister ? acceptedGroupColumns : [];
  return records([...groupColumns(names, splitBy), ...accepted], linesOf(report));
}

type Finding = ReturnType<typeof findingsOf>[number];

/** All findings of a run: first with their settlements, then across settlements. */
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
    field.text('settlement_date', ({ settlement }) => settlement?.date),
    field.text('settlement_id', ({ settlement }) => settlement?.id),
    ...field.account<Finding>(names, ({ settlement }) => settlement?.accountingToken ?? ''),
    field.text('currency', ({ settlement }) => settlement?.currency),
    field.text('weight', ({ entry }) => entry.weight),
    field.text('code', ({ entry }) => entry.code),
    field.integer('count', ({ entry }) => entry.count),
    field.amount('difference', ({ entry }) => differenceIn(entry)),
    field.text('message', ({ entry }) => entryClause(entry)),
  ];
}

/** The report with these settlements, in JSON. Others script against its keys. */
export function settlementsJson(report: SettlementsReport, shown: readonly ReconciledSettlement[]) {
  const { run, explanations, facts } = report;
  const settled = (one: ReconciledSettlement) => {
    const { id } = one.settlement;
    return jsonSettled(one, report, explanations?.get(id), facts?.get(id));
  };
  return jsonViews(() => ({
    about: aboutTheRun(report),
    lists: {
      settlements: ['settlement', shown.map(settled)],
      findings: ['finding', run.findings.map((entry) => jsonEntry(entry, 0))],
      groups: ['group', jsonLines(report)],
      feeRates: ['feeRate', jsonFeeRates(report)],
    },
  }));
}

/** A settlement as a line of its own, which can be written as soon as it is decided. */
export function settlementLine(...settled: Parameters<typeof jsonSettled>) {
  return { type: 'settlement', schema, ...jsonRecord(jsonSettled(...settled)) };
}

function jsonSettled(
  one: ReconciledSettlement,
  { names, bank }: Pick<SettlementsReport, 'names' | 'bank'>,
  explanation?: string,
  facts?: object,
) {
  return { ...jsonSettlement(one, names, explanation), ...jsonOnBank(bank, one), ...facts };
}

function aboutTheRun(report: SettlementsReport) {
  const { run, range, settings } = report;
  const { verdict, complete, settlements, transactions, ignored, feeRates } = run;
  const unread = unreadPendings(settlements);
  return {
    range,
    settings: jsonSettings(settings),
    verdict,
    completeness: {
      complete: complete && unread.length === 0,
      settlements: settlements.length,
      transactions,
      unread,
    },
    ignored: ignored.map(({ scale, difference, code, currency, settlements }) => ({
      code,
      currency,
      scale,
      settlements,
      difference: jsonNetAndAbsolute(difference),
    })),
    proposedRules: run.proposedRules.map((one) => ({ ...one, message: proposalText(one) })),
    ...(feeRates && {
      comparison: {
        range: feeRates.range,
        settlements: feeRates.earlier.counts,
        complete: feeRates.earlier.complete && complete,
        limit: rateText(feeRates.limit),
      },
    }),
    ...jsonBankTotal(report.bank),
    notes: settlementsNotes(report),
    patterns: (report.patterns ?? []).map((one) =>
      jsonPattern(one, report.names, settings.identity),
    ),
  };
}

function jsonLines(report: SettlementsReport): readonly object[] {
  const splitBy = splitNamesOf(report);
  const partsOf = jsonObject(partColumns(report.names, splitBy));
  return isOfRows(splitBy)
    ? rowLinesOf(report).map((line) => ({ ...partsOf(line), ...jsonRowLine(line) }))
    : linesOf(report).map((line) => ({
        ...partsOf(line),
        ...jsonLine(line),
        ...(isByAccount(splitBy) ? {} : { feesPercent: jsonRates(line) }),
      }));
}

function jsonRowLine(line: RowLine) {
  return {
    scale: line.scale,
    computed: jsonFigures(line),
    feesPercent: { computed: jsonRate(line.fees, line.gross) },
  };
}

function jsonRates({ fees, gross }: Line) {
  const rateOn = (side: 'reported' | 'computed') => jsonRate(fees[side], gross[side]);
  return { reported: rateOn('reported'), computed: rateOn('computed') };
}

function jsonRate(...figures: Parameters<typeof feesPercent>) {
  return valueText(feesPercent(...figures)) || null;
}

function jsonLine(line: Line) {
  const { scale, settlements, outOfBalance, pendingPayIn, unknownStatus, overdue, accepted } = line;
  return {
    scale,
    settlements,
    reported: jsonMeasures((one) => line[one].reported),
    computed: jsonMeasures((one) => line[one].computed),
    difference: jsonMeasures((one) => line[one].difference?.net),
    differenceAbsolute: jsonMeasures((one) => line[one].difference?.absolute),
    outOfBalance: jsonNetAndAbsolute(outOfBalance),
    pendingPayIn,
    unknownStatus,
    overdue,
    mixedDecimalPlaces: line.mixedScales,
    accepted,
    byRule: line.byRule.map((total) => ({
      ...total,
      change: jsonFigures(total.change),
      message: ruleTotalText(total, line),
    })),
  };
}

/** The rates of each payment type in per cent, rounded; null if there is none. */
function jsonFeeRates({ run, names }: SettlementsReport): readonly object[] {
  return (run.feeRates?.rates ?? []).map((one) => {
    const { accountingToken, currency, paymentType, earlier, now } = one;
    const scale = Math.max(earlier?.gross.scale ?? 0, now?.gross.scale ?? 0);
    return {
      ...jsonAccount(accountingToken, names),
      currency,
      paymentType,
      scale,
      earlier: jsonCharged(earlier, scale),
      now: jsonCharged(now, scale),
      change: rateText(rateChange(one)) || null,
    };
  });
}

function jsonCharged(charged: FeesCharged | undefined, scale: number) {
  if (!charged) return undefined;
  const { transactions, gross, fees } = charged;
  const amounts = { gross: jsonFacts(gross, scale), fees: jsonFacts(fees, scale) };
  return { transactions, ...amounts, feesPercent: rateText(feeRate(charged)) || null };
}
