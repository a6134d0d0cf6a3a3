import {
  type Audit,
  type AuditAmounts,
  type AuditFeeRate,
  type AuditFinding,
  type AuditSettings,
  type AuditTotal,
  auditVerdict,
  countOf,
  type FoundRow,
  mostFoundRows,
} from '../../app/audit-result.ts';
import type { Names } from '../../model/settlement.ts';
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
import {
  jsonAccount,
  jsonAmount,
  jsonAmounts,
  jsonMeasures,
  jsonNetAndAbsolute,
  jsonObject,
  jsonViews,
} from '../common/json.ts';
import { capitalised, enumerate, grouped, many, present } from '../common/phrase.ts';
import type { Remark, Section, View, Views } from '../common/view.ts';
import { countsText, verdicts, verdictTones, verdictWords } from '../common/words.ts';
import { maxSheetRows, recordsSheet, sectionSheet, textBlocks } from '../common/workbook.ts';
import { figureWord, findingWords, foundSentence, notJudged, typesNotSet } from './words.ts';

export interface AuditReport extends Audit {
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
    'Totals by account and currency (differences in pay-in)',
    totals,
    [
      column.text('Profile', ({ profile }) => profile, { priority: 3 }),
      accountColumn(names, ({ accountingToken }) => accountingToken),
      column.text('Currency', ({ currency }) => currency),
      ...verdictColumns<AuditTotal>((verdict) => (verdict === 'balanced' ? 7 : 3)),
      column.amount('Reported gross', ({ gross }) => gross.reported, { priority: 8 }),
      column.amount('Reported fees', ({ fees }) => fees.reported, { priority: 8 }),
      column.amount('Reported tax', ({ tax }) => tax.reported, { priority: 8 }),
      column.amount('Reported pay-in', ({ payIn }) => payIn.reported, { priority: 4 }),
      column.amount('Computed pay-in', ({ payIn }) => payIn.computed, { priority: 6 }),
      column.amount('Pending pay-in', (one) => one.pendingPayIn || undefined, { priority: 9 }),
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
      column.integer('Rows', ({ transactions }) => transactions, { priority: 4 }),
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
            settlement: row.settlementId ? { id: row.settlementId } : null,
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
  const amounts = (of: (one: AuditAmounts) => bigint | undefined) =>
    jsonMeasures((one) => of(total[one]), decimalPlaces);
  return {
    profile,
    ...jsonAccount(accountingToken, names),
    currency,
    decimalPlaces,
    settlements,
    transactions,
    reported: amounts(({ reported }) => reported),
    computed: amounts(({ computed }) => computed),
    difference: amounts(({ reported, computed }) =>
      computed === undefined ? undefined : reported - computed,
    ),
    outOfBalance: jsonNetAndAbsolute(total.outOfBalance, decimalPlaces),
    pendingPayIn: jsonAmount(total.pendingPayIn, decimalPlaces),
  };
}

function jsonFeeRate({ gross, fees, ...one }: AuditFeeRate) {
  const amounts = jsonAmounts({ gross, fees }, one.decimalPlaces);
  return { ...one, ...amounts, feesPercent: rateText(rateOf(fees, gross)) || null };
}
