import {
  type Audit,
  type AuditCode,
  type AuditFeeRate,
  type AuditFinding,
  type AuditSettings,
  type AuditTotal,
  auditVerdict,
  countOf,
  type FoundRow,
  mostFoundRows,
} from '../../app/audit-result.ts';
import { daysBetween } from '../../base/calendar.ts';
import type { Names } from '../../model/settlement.ts';
import type { Money } from '../../money/money.ts';
import { rateOf, rateScale, rateText } from '../../money/rate.ts';
import type { Verdict } from '../../reconcile/verdict.ts';
import {
  accountColumn,
  alarm,
  answerBlock,
  column,
  facts,
  listed,
  maxScreenRows,
  plain,
  remarks,
  section,
  sectionIfAny,
  unsure,
} from '../common/blocks.ts';
import { amountOf, type Column, field, records } from '../common/columns.ts';
import { jsonAccount, jsonMeasures, jsonObject, jsonViews } from '../common/json.ts';
import {
  accountName,
  capitalised,
  enumerate,
  grouped,
  many,
  moneyText,
  present,
  rangeText,
} from '../common/phrase.ts';
import type { Remark, Section, View, Views } from '../common/view.ts';
import { countsText, keyWords, verdicts, verdictTones, verdictWords } from '../common/words.ts';
import { maxSheetRows, recordsSheet, sectionSheet, textBlocks } from '../common/workbook.ts';

interface AuditReport extends Audit {
  /** As the user named them. */
  readonly lakes: readonly string[];
  readonly settings: AuditSettings;
  readonly names: Names;
}

/** The report of `recon audit`. A record is a row behind a finding. */
export function auditViews(report: AuditReport): Views {
  const { findings, names } = report;
  const found = findings.flatMap((finding) => finding.rows.map((row) => ({ ...finding, row })));
  return {
    view: () => auditView(report),
    records: () => records(foundColumns(names), found),
    workbook: () => ({
      title: `Audit: ${answerLabel(report)}`,
      summary: textBlocks(auditView(report)),
      tables: [
        recordsSheet('Findings', records(foundColumns(names), found)),
        ...totalSections(report, maxSheetRows).map((one) => sectionSheet('Totals', one)),
        ...feeRateSections(report, maxSheetRows).map((one) => sectionSheet('Fee rates', one)),
      ],
    }),
    ...jsonViews(() => auditJson(report)),
  };
}

/** The answer and the findings, for standard error. */
export function auditConclusion(report: AuditReport): readonly string[] {
  return present(
    `${answerLabel(report)}. ${answerText(report)}`,
    ...report.findings.map(({ code, count }) => `${capitalised(findingWords[code].title(count))}.`),
    report.notChecked.length > 0 && typesNotSet,
  );
}

function auditView(report: AuditReport): View {
  const { lakes, coverage, findings, notChecked, names, settings } = report;
  const { pendingDays, silentDays, refundTypes, purchaseTypes } = settings;
  const tone = coverage.length === 0 ? 'plain' : verdictTones[auditVerdict(report)];
  const advice = new Set(findings.flatMap(({ code }) => findingWords[code].advice ?? []));
  return [
    answerBlock(answerLabel(report), tone, answerText(report)),
    facts([
      [lakes.length === 1 ? 'Folder' : 'Folders', lakes.join(', ')],
      ['Pending limit', many(pendingDays, 'day')],
      ['Silence from', many(silentDays, 'day')],
      ['Refund types', enumerate(refundTypes)],
      ['Purchase types', enumerate(purchaseTypes)],
    ]),
    ...remarks('Findings', findings.map(findingRemark)),
    ...findings.flatMap((finding) => findingBlocks(finding, names)),
    ...coverageSections(report),
    ...totalSections(report),
    ...feeRateSections(report),
    ...listed('Not checked', notChecked.length > 0 ? [typesNotSet] : []),
    ...listed('Not judged', notJudged),
    ...listed('Next', [...advice], '>'),
  ];
}

function answerLabel(report: AuditReport): string {
  if (report.coverage.length === 0) return 'NOTHING FOUND';
  return verdictWords[auditVerdict(report)].toUpperCase();
}

function answerText({ coverage, findings }: AuditReport): string {
  const days = coverage.reduce((sum, one) => sum + one.days, 0);
  return present(
    `${many(days, 'day')}.`,
    countsText((verdict) => countOf(coverage, verdict)),
    findings.length === 0 ? 'No findings.' : `${many(findings.length, 'finding')}.`,
  ).join(' ');
}

function findingRemark({ code, count, weight }: AuditFinding): Remark {
  const text = findingWords[code].title(count);
  if (weight === 'discrepancy') return alarm(text);
  return weight === 'incomplete' ? unsure(text) : plain(text);
}

/** The rows of a finding: a table if they have amounts, or else a sentence each. */
function findingBlocks({ code, count, rows }: AuditFinding, names: Names): View {
  const { title, amount, expected } = findingWords[code];
  const shown = rows.slice(0, maxScreenRows);
  const note = `Showing ${many(shown.length, 'row')}; --format csv lists up to ${grouped(mostFoundRows)}.`;
  const isCut = rows.length > shown.length;
  if (amount === undefined) {
    const texts = shown.map((row) =>
      [row.profile, foundSentence(code, row, names)].filter(Boolean).join(': '),
    );
    return listed(title(count), isCut ? [...texts, note] : texts);
  }
  const hasProfiles = shown.some(({ profile }) => profile !== shown[0]?.profile);
  const found = section<FoundRow>(title(count), shown, [
    column.text('Profile', ({ profile }) => profile, { priority: hasProfiles ? 1 : 3 }),
    column.day('Date', ({ day }) => day),
    accountColumn(names, ({ accountingToken }) => accountingToken, { priority: 4 }),
    column.text('Settlement', ({ settlementId }) => settlementId),
    column.text('Transaction', ({ transactionId }) => transactionId),
    column.text('Charge', ({ chargeId }) => chargeId, {
      priority: code === 'over_refunded' ? 1 : 3,
    }),
    column.text('Currency', ({ currency }) => currency),
    column.text('Figure', (row) => expected && figureWord(row), { priority: 2 }),
    column.amount(amount, (row) => row.amount),
    column.amount(expected ?? '', (row) => (expected ? row.expected : undefined)),
  ]);
  return [{ ...found, note: isCut ? note : undefined }];
}

function coverageSections({ coverage }: AuditReport): readonly Section[] {
  type One = (typeof coverage)[number];
  return sectionIfAny<One>('Days and settlements', coverage, [
    column.text('Profile', ({ profile }) => profile),
    column.day('First day', ({ firstDay }) => firstDay),
    column.day('Last day', ({ lastDay }) => lastDay),
    column.integer('Days', ({ days }) => days),
    ...verdictColumns<One>(() => 2),
    column.integer('Transactions', ({ transactions }) => transactions, { priority: 2 }),
  ]);
}

function verdictColumns<Row extends Pick<AuditTotal, 'settlements'>>(
  priorityOf: (verdict: Verdict) => number,
) {
  return verdicts.map((verdict) =>
    column.integer<Row>(
      capitalised(verdictWords[verdict]),
      ({ settlements }) => settlements[verdict],
      { priority: priorityOf(verdict) },
    ),
  );
}

function totalSections({ totals, names }: AuditReport, limit?: number): readonly Section[] {
  return sectionIfAny<AuditTotal>(
    'Totals by account and currency (differences in net pay-out)',
    totals,
    [
      column.text('Profile', ({ profile }) => profile, { priority: 3 }),
      accountColumn(names, ({ accountingToken }) => accountingToken),
      column.text('Currency', ({ currency }) => currency),
      ...verdictColumns<AuditTotal>((verdict) => (verdict === 'balanced' ? 7 : 3)),
      column.amount('Reported gross', ({ gross }) => gross.reported, { priority: 8 }),
      column.amount('Reported fees', ({ fees }) => fees.reported, { priority: 8 }),
      column.amount('Reported tax', ({ tax }) => tax.reported, { priority: 8 }),
      column.amount('Reported net pay-out', ({ payIn }) => payIn.reported, { priority: 4 }),
      column.amount('Computed net pay-out', ({ payIn }) => payIn.computed, { priority: 6 }),
      column.amount('Pending net pay-out', (one) => one.pendingPayIn || undefined, { priority: 9 }),
      column.difference('Net difference', ({ outOfBalance }) => outOfBalance?.net),
      column.amount('Absolute difference', ({ outOfBalance }) => outOfBalance?.absolute, {
        priority: 2,
      }),
    ],
    { limit },
  );
}

function feeRateSections({ feeRates }: AuditReport, limit?: number): readonly Section[] {
  const rows = feeRates.map((one, at) => ({ ...one, change: changeOf(one, feeRates[at - 1]) }));
  return sectionIfAny<(typeof rows)[number]>(
    'Fee rates by payment type and month',
    rows,
    [
      column.text('Profile', ({ profile }) => profile, { priority: 3 }),
      column.text('Payment type', ({ paymentType }) => paymentType),
      column.text('Currency', ({ currency }) => currency),
      column.text('Month', ({ month }) => month),
      column.integer('Transactions', ({ transactions }) => transactions, { priority: 4 }),
      column.amount('Gross', ({ gross }) => gross, { priority: 2 }),
      column.amount('Fees', ({ fees }) => fees, { priority: 2 }),
      column.amount('Fee rate %', (one) => amountOf(rateOf(one.fees, one.gross), rateScale)),
      column.change('Change', ({ change }) => amountOf(change, rateScale)),
    ],
    { limit },
  );
}

/** The change from the rate in the line before; undefined if that has another payment type. */
function changeOf(one: AuditFeeRate, before: AuditFeeRate | undefined): bigint | undefined {
  const isSame =
    before?.profile === one.profile &&
    before.paymentType === one.paymentType &&
    before.currency === one.currency;
  const rate = rateOf(one.fees, one.gross);
  const earlier = isSame ? rateOf(before.fees, before.gross) : undefined;
  return rate === undefined || earlier === undefined ? undefined : rate - earlier;
}

type Found = AuditFinding & { readonly row: FoundRow };

/** A row of a finding. New columns go to the end. */
export function foundColumns(names: Names): readonly Column<Found>[] {
  return [
    field.text('finding', ({ code }) => code),
    field.text('weight', ({ weight }) => weight),
    field.text('profile', ({ row }) => row.profile),
    field.day('day', ({ row }) => row.day),
    field.text('accounting_token', ({ row }) => row.accountingToken || undefined),
    field.text('accounting_name', ({ row }) => names.get(row.accountingToken)),
    field.text('settlement_id', ({ row }) => row.settlementId || undefined),
    field.text('transaction_id', ({ row }) => row.transactionId || undefined),
    field.text('charge_id', ({ row }) => row.chargeId || undefined),
    field.text('currency', ({ row }) => row.currency || undefined),
    field.amount('amount', ({ row }) => amountOf(row.amount, row.decimalPlaces)),
    field.amount('expected', ({ row }) => amountOf(row.expected, row.decimalPlaces)),
    field.text('message', ({ code, row }) => foundSentence(code, row, names)),
  ];
}

/** In JSON, rows are part of their finding, and settlements are objects. */
const csvOnly = ['finding', 'weight', 'settlement_id'];

function auditJson(report: AuditReport) {
  const { settings, lakes, coverage, notChecked, findings, totals, feeRates, names } = report;
  const jsonRow = jsonObject(foundColumns(names).filter(({ key }) => !csvOnly.includes(key)));
  return {
    about: {
      verdict: auditVerdict(report),
      folders: lakes,
      settings,
      profiles: coverage,
      notChecked,
    },
    lists: {
      findings: [
        'finding',
        findings.map(({ code, weight, count, rows }) => ({
          code,
          weight,
          count,
          message: `${findingWords[code].title(count)}.`,
          rows: rows.map((row) => ({
            settlement: row.settlementId ? { id: row.settlementId } : undefined,
            ...jsonRow({ code, weight, count, rows, row }),
          })),
        })),
      ],
      totals: ['total', totals.map((total) => jsonTotal(total, names))],
      feeRates: ['feeRate', feeRates.map(jsonFeeRate)],
    },
  } as const;
}

function jsonTotal(total: AuditTotal, names: Names) {
  const { profile, accountingToken, currency, decimalPlaces, settlements, transactions } = total;
  const { outOfBalance, pendingPayIn } = total;
  return {
    profile,
    ...jsonAccount(accountingToken, names),
    currency,
    decimalPlaces,
    settlements,
    transactions,
    reported: jsonMeasures((one) => total[one].reported),
    computed: jsonMeasures((one) => total[one].computed),
    difference: jsonMeasures((one) => {
      const { reported, computed } = total[one];
      return computed === undefined ? undefined : reported - computed;
    }),
    outOfBalance,
    pendingPayIn,
  };
}

function jsonFeeRate({ gross, fees, ...one }: AuditFeeRate) {
  return { ...one, gross, fees, feesPercent: rateText(rateOf(fees, gross)) || null };
}

interface FindingWords {
  /** `2 charges refunded more than paid`. */
  readonly title: (count: number) => string;
  /** The sentence of a row, without capital letter and full stop. */
  readonly row: (row: FoundRow, account: string) => string;
  /** The titles of its amounts. */
  readonly amount?: string;
  readonly expected?: string;
  /** What to do, in sentences that make sense on their own. */
  readonly advice?: string;
}

const differentFigures =
  'Different figures: run recon export --verify to see whether the files have changed.';

export const findingWords: Readonly<Record<AuditCode, FindingWords>> = {
  mixed_versions: {
    title: (count) => `${many(count, 'table')} with another version of a day`,
    row: ({ field, day, amount = 0n }) =>
      `the table ${field} has ${many(Number(amount), 'row')} of a version of ${day} that the table days does not have`,
    advice:
      'Mixed versions: the next recon export or recon nightly into this folder completes these days.',
  },
  missing_day: {
    title: (count) => many(count, 'range of missing days', 'ranges of missing days'),
    row: ({ day, lastDay }) =>
      `${many(daysBetween(day, lastDay) + 1, 'day')} missing: ${rangeText({ from: day, to: lastDay })}`,
    advice:
      'Missing days: if they were exported without Parquet, run recon export --parquet --existing. If not, export them.',
  },
  incomplete_day: {
    title: (count) => `${many(count, 'day')} published incomplete`,
    row: ({ day }) => `${day} was published incomplete`,
    advice: 'Incomplete days: run recon export or recon nightly for them again.',
  },
  conflicting_day: {
    title: (count) =>
      many(count, 'day that differs between two folders', 'days that differ between two folders'),
    row: ({ day, lake, firstLake }) =>
      `${day} differs between folders ${firstLake} and ${lake}; only folder ${firstLake} is read`,
    advice:
      'Days that differ: use a profile of its own for each export, or audit the folders one by one.',
  },
  extra_file: {
    title: (count) => `${many(count, 'extra file')} in the tables`,
    row: ({ field, lake }) =>
      `${field} in folder ${lake} does not belong to the export; the audit does not read it, other readers may`,
    advice: 'Extra files: move them out of the tables.',
  },
  sums: {
    title: (count) =>
      many(
        count,
        'figure that does not match its transactions',
        'figures that do not match their transactions',
      ),
    row: (row) =>
      `${figureWord(row)}: ${figure(row, row.expected)} in the export, ${figure(row, row.amount)} from the transactions`,
    amount: 'From the transactions',
    expected: 'In the export',
    advice: differentFigures,
  },
  differences: {
    title: (count) => `${many(count, 'difference')} other than reported − computed`,
    row: (row) =>
      `${figureWord(row)}: difference ${figure(row, row.amount)}, reported − computed ${figure(row, row.expected)}`,
    amount: 'Difference',
    expected: 'Reported − computed',
    advice: differentFigures,
  },
  verdicts: {
    title: (count) => `${many(count, 'contradiction')} between verdicts, discrepancies and figures`,
    row: (row) =>
      `${row.settlementId ? `settlement ${row.settlementId}` : row.day}: ${contradiction(row)}`,
    advice: differentFigures,
  },
  different_forms: {
    title: (count) => `${many(count, 'value')} in two forms that differ`,
    row: (row) => `settlement ${row.settlementId}${ofTransaction(row)}: ${differentForms(row)}`,
    advice: differentFigures,
  },
  unknown_settlement: {
    title: (count) =>
      `${many(count, 'settlement')} with transactions, but not in the table settlements`,
    row: ({ settlementId, day, field, amount = 0n }) =>
      `the table ${field} has ${many(Number(amount), 'row')} of settlement ${settlementId} on ${day}, ` +
      'which the table settlements does not have',
    advice: differentFigures,
  },
  day_counts: {
    title: (count) => `${many(count, 'difference')} between the table days and its settlements`,
    row: ({ field, amount, expected }) =>
      field === 'discrepancies'
        ? `${expected} codes in the table settlements, ${amount} rows in the table discrepancies`
        : `${expected} ${figureWord({ field })} in the table days, ${amount} in the table settlements`,
    amount: 'Found',
    expected: 'Expected',
    advice: differentFigures,
  },
  repeated_transaction: {
    title: (count) =>
      `${many(count, 'transaction')} in two settlements, on two days or in two profiles`,
    row: (row) =>
      `transaction ${row.transactionId} is listed more than once, here with ${figure(row, row.amount)} in settlement ${row.settlementId} of ${row.day}`,
    amount: 'Amount',
  },
  repeated_settlement: {
    title: (count) => `${many(count, 'settlement')} on two days or in two profiles`,
    row: (row) =>
      `settlement ${row.settlementId} is listed more than once, here on ${row.day} with a net pay-out of ${figure(row, row.amount)}`,
    amount: 'Reported net pay-out',
    advice:
      'Settlements on two days: the service may have moved them. Run recon nightly to read both days again.',
  },
  over_refunded: {
    title: (count) => `${many(count, 'charge')} refunded more than paid`,
    row: (row) =>
      `charge ${row.chargeId}: paid ${figure(row, row.expected)}, refunded ${figure(row, row.amount)}`,
    amount: 'Refunded',
    expected: 'Paid',
  },
  refund_without_purchase: {
    title: (count) => `${many(count, 'refund')} without a purchase`,
    row: (row) =>
      `refund ${row.transactionId} of ${figure(row, row.amount)}: no purchase of charge ${row.chargeId} found`,
    amount: 'Amount',
    advice: 'Refunds without a purchase: the purchase may be older than the first day.',
  },
  missing_type: {
    title: (count) =>
      many(
        count,
        'list of types that no transaction has',
        'lists of types that no transaction has',
      ),
    row: ({ field }) => `no transaction has one of the ${figureWord({ field })}`,
    advice:
      'Types that no transaction has: write them as the service does. Upper and lower case matter.',
  },
  changed_after_settled: {
    title: (count) => `${many(count, 'value')} changed after the settlement was settled`,
    row: ({ change, field, before, after, ...row }) =>
      `settlement ${row.settlementId}${ofTransaction(row)}: ` +
      `${change.replaceAll('_', ' ')}, ${figureWord({ field })} from ${before || 'none'} to ${after || 'none'}`,
  },
  never_settled: {
    title: (count) => `${many(count, 'settlement')} pending for too long`,
    row: (row) =>
      `settlement ${row.settlementId} of ${row.day} was ${row.field} when it was exported: net pay-out ${figure(row, row.amount)}`,
    amount: 'Reported net pay-out',
    advice:
      'Pending settlements are shown as of their export. Run recon nightly to read them again.',
  },
  silent_account: {
    title: (count) => `${many(count, 'account')} without new settlements`,
    row: ({ day, days, longestBefore }, account) =>
      `account ${account}: last settlement on ${day}, ${many(days, 'exported day')} without one ` +
      `(longest before: ${many(longestBefore, 'day')})`,
  },
  repeated_day: {
    title: (count) => `${many(count, 'day')} in two folders`,
    row: ({ day, lake, firstLake }) =>
      `${day} has the same data in folders ${firstLake} and ${lake}; folder ${firstLake} is read`,
  },
};

/** A row of a finding, as a sentence. */
function foundSentence(code: AuditCode, row: FoundRow, names: Names): string {
  const account = accountName(names, row.accountingToken);
  return `${capitalised(findingWords[code].row(row, account))}.`;
}

function ofTransaction({ transactionId }: Pick<FoundRow, 'transactionId'>): string {
  return transactionId && `, transaction ${transactionId}`;
}

function contradiction({ field, before, after, amount }: FoundRow): string {
  if (amount === undefined)
    return `${figureWord({ field })} is ${before}; the rest of it gives ${after}`;
  return before
    ? `the discrepancy ${before} does not follow from the figures`
    : `the discrepancy ${after} is missing`;
}

function differentForms({ before, amount, expected, ...row }: FoundRow): string {
  const word = figureWord(row);
  if (row.field === 'time') return `the time is not that of the timestamp ${before || '(empty)'}`;
  if (row.field === 'listed') return `listed ${amount} times`;
  return `${word} ${figure(row, amount)} as a decimal, ${figure(row, expected)} in the smallest unit`;
}

function figure(
  { currency, decimalPlaces: scale, field }: Pick<FoundRow, 'currency' | 'decimalPlaces' | 'field'>,
  minor: bigint | undefined,
): string {
  if (minor === undefined) return 'none';
  if (field === 'transactions' || currency === '' || /^(decimal_places|rows_)/.test(field)) {
    return grouped(String(minor));
  }
  const money: Money = { minor, scale, currency };
  return moneyText(money);
}

function figureWord({ field }: Pick<FoundRow, 'field'>): string {
  return keyWords(field);
}

/** What is not checked if the types of refunds and purchases are not set. */
const typesNotSet =
  "Refunds were not checked: the service's document does not name the types of refunds and purchases. " +
  'Set refund_types and purchase_types in the profile, or use --refund-types and --purchase-types.';

/** What an audit does not check. */
const notJudged: readonly string[] = [
  'Verdicts are those of the export. The audit recomputes sums and counts, and judges no settlement again.',
  'Accepted differences are not taken into account.',
  'Data at the service may have changed since the export. recon nightly reads them again.',
  'recon export --verify checks that the files are as they were written.',
];
