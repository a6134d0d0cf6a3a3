import {
  claims,
  type FeesReport,
  feesVerdict,
  feesWithoutRow,
  rowsWithoutRate,
} from '../../app/fees-report.ts';
import { rescale } from '../../money/money.ts';
import { claimOf, type FeeDifference, isKept } from '../../reconcile/agreed/check-fees.ts';
import { causeOf, claimsByCause, type FeeLine, linesBy } from '../../reconcile/agreed/fee-line.ts';
import { amountOf, type Column, field } from '../common/columns.ts';
import {
  jsonAmount,
  jsonAmounts,
  jsonEntry,
  jsonObject,
  jsonSettlementKey,
} from '../common/json.ts';
import { feesNotes } from './summary.ts';
import { agreedFeeText } from './words.ts';

/** Payment types of an account. */
export function feeLines({ fees }: Pick<FeesReport, 'fees'>) {
  return linesBy(fees.lines, ({ accountingToken, currency, paymentType, type }) => {
    return { accountingToken, currency, paymentType, type };
  });
}

/** Months and currencies. */
export function feeMonths({ fees }: Pick<FeesReport, 'fees'>) {
  return linesBy(fees.lines, ({ month, currency }) => ({ month, currency }));
}

/** What was charged too much at each rate, by cause. */
export function causesOf(report: Pick<FeesReport, 'fees' | 'agreement'>) {
  return linesByRate(report)
    .filter(({ over, taxOver }) => over + taxOver > 0n)
    .map((line) => {
      const { rate, currency, scale, overRows } = line;
      return { rate: rate?.name ?? '', currency, scale, overRows, ...claimsByCause(line) };
    });
}

function linesByRate({ fees, agreement }: Pick<FeesReport, 'fees' | 'agreement'>) {
  const { rates } = agreement;
  const rated = fees.lines.flatMap((line) => (line.rate ? { ...line, rate: line.rate } : []));
  return linesBy(rated, ({ rate }) => ({ number: rate ? rates.indexOf(rate) : -1 }));
}

/** The columns of accounts, payment types and types. New columns go to the end. */
export function lineColumns({ names }: Pick<FeesReport, 'names'>): readonly Column<FeeLine>[] {
  const money = (key: string, minor: (line: FeeLine) => bigint) =>
    field.amount<FeeLine>(key, (line) => amountOf(minor(line), line.scale));
  return [
    ...field.account<FeeLine>(names, ({ accountingToken }) => accountingToken),
    field.text('currency', ({ currency }) => currency),
    field.integer('decimal_places', ({ scale }) => scale),
    field.text('payment_type', ({ paymentType }) => paymentType),
    field.text('transaction_type', ({ type }) => type),
    field.integer('rows', ({ rows }) => rows),
    field.integer('without_rate', ({ withoutRate }) => withoutRate),
    money('volume', ({ volume }) => volume),
    money('charged', ({ charged }) => charged),
    money('agreed', ({ agreed }) => agreed),
    money('over', ({ over }) => over),
    money('under', ({ under }) => under),
    money('unchecked', ({ unchecked }) => unchecked),
    money('tax_charged', ({ taxCharged }) => taxCharged),
    money('tax_agreed', ({ taxAgreed }) => taxAgreed),
    money('tax_over', ({ taxOver }) => taxOver),
    money('tax_under', ({ taxUnder }) => taxUnder),
    field.integer('over_rows', ({ overRows }) => overRows),
    field.integer('under_rows', ({ underRows }) => underRows),
  ];
}

/** The same figures of months. */
function monthColumns(report: FeesReport): readonly Column<FeeLine>[] {
  const own = lineColumns(report).filter(
    ({ key }) => !/^(accounting|payment|transaction)_/.test(key),
  );
  return [field.text('month', ({ month }) => month), ...own];
}

/** The columns of rows that were not charged as agreed. New columns go to the end. */
export function differenceColumns(report: FeesReport): readonly Column<FeeDifference>[] {
  const causes = new Map(linesByRate(report).map((line) => [line.rate, causeOf(line)]));
  const causeFor = (one: FeeDifference) => {
    if (claimOf(one) === 0n) return undefined;
    if (one.fee <= one.agreedFee) return 'tax';
    return isKept(one) ? 'kept' : causes.get(one.rate);
  };
  const money = (key: string, minor: (one: FeeDifference) => bigint | undefined) => [
    field.amount<FeeDifference>(key, (one) => amountOf(minor(one), one.scale)),
  ];
  return [
    field.day('settlement_date', ({ settlement }) => settlement.date),
    field.text('settlement_id', ({ settlement }) => settlement.id),
    field.text('transaction_id', ({ id }) => id),
    field.text('charge_id', ({ chargeId }) => chargeId),
    field.text('order_id', ({ orderId }) => orderId),
    field.text('timestamp', ({ timestamp }) => timestamp),
    field.text('transaction_type', ({ type }) => type),
    field.text('payment_type', ({ paymentType }) => paymentType),
    field.text('currency', ({ currency }) => currency),
    field.integer('decimal_places', ({ scale }) => scale),
    ...money('amount', ({ amount }) => amount),
    ...money('fee_charged', ({ fee }) => fee),
    ...money('fee_agreed', ({ agreedFee }) => agreedFee),
    ...money('fee_difference', ({ fee, agreedFee }) => fee - agreedFee),
    ...money('tax_charged', ({ tax }) => tax),
    ...money('tax_agreed', ({ agreedTax }) => agreedTax),
    ...money('tax_difference', ({ tax, agreedTax }) =>
      agreedTax === undefined ? undefined : tax - agreedTax,
    ),
    ...money('claim', claimOf),
    field.text('rate', ({ rate }) => rate.name),
    field.text('agreed_as', agreedFeeText),
    field.text('cause', causeFor),
    ...field.account<FeeDifference>(report.names, ({ settlement }) => settlement.accountingToken),
    field.text('merchant_id', ({ settlement }) => settlement.merchantId),
  ];
}

/** What the report says of itself in JSON, and its lists by name. */
export function feesJson(report: FeesReport) {
  const { run, fees, agreement, settings } = report;
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
      rowsWithoutRate: rowsWithoutRate(fees),
      completeness: {
        complete: feesVerdict(report) !== 'incomplete',
        settlements: run.settlements.length,
        pending: run.counts.pending,
        incomplete: run.counts.incomplete,
        transactions: run.transactions,
        rowsOfUnknownTier: fees.unknownTiers,
      },
      findings: run.findings.map((entry) => jsonEntry(entry, 0)),
      notes: feesNotes(report),
    },
    lists: {
      lines: ['line', feeLines(report).map(jsonObject(lineColumns(report)))],
      months: ['month', feeMonths(report).map(jsonObject(monthColumns(report)))],
      causes: [
        'cause',
        causesOf(report).map(({ rate, currency, scale, overRows, ...sums }) => {
          const { fee_rate: feeRate, fixed_part: fixedPart, ...others } = sums;
          const { rounding, kept, tax_on_fees: taxOnFees, tax } = others;
          const amounts = { feeRate, fixedPart, rounding, kept, taxOnFees, tax };
          const unit = { rate, currency, decimalPlaces: scale, rows: overRows };
          return { ...unit, ...jsonAmounts(amounts, scale) };
        }),
      ],
      feesWithoutRow: [
        'feesWithoutRow',
        feesWithoutRow(report).map(({ month, above, below, agreed }) => {
          const scale = Math.max(above.scale, agreed.scale, below.scale);
          const at = (one: typeof above) => rescale(one.minor, one.scale, scale);
          const amounts = { above: at(above), below: at(below), agreed: at(agreed) };
          const unit = { month, currency: above.currency, decimalPlaces: scale };
          return { ...unit, ...jsonAmounts(amounts, scale) };
        }),
      ],
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
