import {
  claims,
  type FeesReport,
  feeRows,
  feesVerdict,
  feesWithoutRow,
  type MonthlyFees,
} from '../../app/fees-report.ts';
import type { FeeDifference } from '../../reconcile/agreed/check-fees.ts';
import { feeCauses, type RateClaim, rateClaims } from '../../reconcile/agreed/fee-causes.ts';
import { type FeeLine, lineAmounts, linesBy } from '../../reconcile/agreed/fee-line.ts';
import { amountOf, type Column, field } from '../common/columns.ts';
import { jsonAmount, jsonEntry, jsonObject, jsonSettlementKey } from '../common/json.ts';
import { agreedFeeText, feesNotes } from './summary.ts';

/** Payment types and types of accounts. */
export function feeLines({ fees }: Pick<FeesReport, 'fees'>) {
  return linesBy(fees.lines, ({ accountingToken, currency, paymentType, type }) => {
    return { accountingToken, currency, paymentType, type };
  });
}

/** Months and currencies. */
export function feeMonths({ fees }: Pick<FeesReport, 'fees'>) {
  return linesBy(fees.lines, ({ month, currency }) => ({ month, currency }));
}

/** The figures of rows that are charged alike. New columns go to the end. */
const figures: readonly Column<FeeLine>[] = [
  field.text('currency', ({ currency }) => currency),
  field.integer('decimal_places', ({ scale }) => scale),
  field.integer('rows', ({ rows }) => rows),
  field.integer('without_rate', ({ withoutRate }) => withoutRate),
  ...lineAmounts.map((name) =>
    field.amount<FeeLine>(
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      (line) => amountOf(line[name], line.scale),
    ),
  ),
  field.integer('over_rows', ({ overRows }) => overRows),
  field.integer('under_rows', ({ underRows }) => underRows),
];

export function lineColumns({ names }: Pick<FeesReport, 'names'>): readonly Column<FeeLine>[] {
  return [
    ...field.account<FeeLine>(names, ({ accountingToken }) => accountingToken),
    field.text('payment_type', ({ paymentType }) => paymentType),
    field.text('transaction_type', ({ type }) => type),
    ...figures,
  ];
}

export const monthColumns: readonly Column<FeeLine>[] = [
  field.text('month', ({ month }) => month),
  ...figures,
];

export const causeColumns: readonly Column<RateClaim>[] = [
  field.text('rate', ({ rate }) => rate.name),
  field.text('currency', ({ rate }) => rate.currency),
  field.integer('rows', ({ rows }) => rows),
  ...feeCauses.map((cause) => field.amount<RateClaim>(cause, ({ causes }) => causes.get(cause))),
];

export const withoutRowColumns: readonly Column<MonthlyFees>[] = [
  field.text('month', ({ month }) => month),
  field.text('currency', ({ charged }) => charged.currency),
  field.amount('charged', ({ charged }) => charged),
  field.amount('agreed', ({ agreed }) => agreed),
];

/** The columns of rows that were not charged as agreed. New columns go to the end. */
export function differenceColumns(report: FeesReport): readonly Column<FeeDifference>[] {
  const causes = new Map(rateClaims(report.fees).map(({ rate, causeOf }) => [rate, causeOf]));
  const money = (key: string, minor: (one: FeeDifference) => bigint | undefined) =>
    field.amount<FeeDifference>(key, (one) => amountOf(minor(one), one.line.scale));
  return [
    field.day('settlement_date', ({ settlement }) => settlement.date),
    field.text('settlement_id', ({ settlement }) => settlement.id),
    field.text('transaction_id', ({ ids }) => ids.id),
    field.text('charge_id', ({ ids }) => ids.chargeId),
    field.text('order_id', ({ ids }) => ids.orderId),
    field.text('timestamp', ({ ids }) => ids.timestamp),
    field.text('transaction_type', ({ line }) => line.type),
    field.text('payment_type', ({ line }) => line.paymentType),
    field.text('currency', ({ line }) => line.currency),
    field.integer('decimal_places', ({ line }) => line.scale),
    money('amount', ({ amount }) => amount),
    money('fee_charged', ({ fee }) => fee),
    money('fee_agreed', ({ agreedFee }) => agreedFee),
    money('fee_difference', ({ fee, agreedFee }) => fee - agreedFee),
    money('tax_charged', ({ tax }) => tax),
    money('tax_agreed', ({ agreedTax }) => agreedTax),
    money('tax_difference', ({ tax, agreedTax = tax }) => tax - agreedTax),
    money('claim', ({ claim }) => claim),
    field.text('rate', ({ rate }) => rate.name),
    field.text('agreed_as', agreedFeeText),
    field.text('cause', (one) => (one.claim > 0n ? causes.get(one.rate)?.(one) : undefined)),
    ...field.account<FeeDifference>(report.names, ({ settlement }) => settlement.accountingToken),
    field.text('merchant_id', ({ settlement }) => settlement.merchantId),
  ];
}

/** What the report says of itself in JSON, and its lists by name. */
export function feesJson(report: FeesReport) {
  const { run, fees, agreement, settings } = report;
  const { pending, incomplete } = run.counts;
  return {
    about: {
      range: report.range,
      profile: settings.profile ?? null,
      filters: settings.filters,
      verdict: feesVerdict(report),
      timeZone: agreement.timeZone,
      rates: agreement.rates.map(({ name }) => name),
      claims: claims(fees).map(({ minor, scale, currency }) => {
        return { currency, decimalPlaces: scale, ...jsonAmount(minor, scale) };
      }),
      rowsWithoutRate: feeRows(fees, 'withoutRate'),
      completeness: {
        complete: feesVerdict(report) !== 'incomplete',
        settlements: run.settlements.length,
        ...{ pending, incomplete, transactions: run.transactions },
        rowsOfUnknownTier: fees.unknownTiers,
      },
      findings: run.findings.map((entry) => jsonEntry(entry, 0)),
      notes: feesNotes(report),
    },
    lists: {
      lines: ['line', feeLines(report).map(jsonObject(lineColumns(report)))],
      months: ['month', feeMonths(report).map(jsonObject(monthColumns))],
      causes: ['cause', rateClaims(fees).map(jsonObject(causeColumns))],
      feesWithoutRow: ['feesWithoutRow', feesWithoutRow(report).map(jsonObject(withoutRowColumns))],
      differences: ['difference', fees.differences.map(jsonDifference(report))],
    },
  } as const;
}

/** The cells of its record, without those of its settlement, which is an object. */
function jsonDifference(report: FeesReport) {
  const isOwn = ({ key }: { readonly key: string }) => !/^(settlement|accounting)_/.test(key);
  const cells = jsonObject(differenceColumns(report).filter(isOwn));
  return (one: FeeDifference) => {
    return { ...cells(one), settlement: jsonSettlementKey(one.settlement, report.names) };
  };
}
