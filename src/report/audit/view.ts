import {
  accountColumn,
  alarm,
  answerBlock,
  column,
  facts,
  listed,
  mostShownRows,
  plain,
  remarks,
  section,
  sectionIfAny,
  unsure,
} from '../common/blocks.ts';
import { records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import {
  amountText,
  capitalised,
  enumerate,
  grouped,
  many,
  present,
  signedText,
} from '../common/phrase.ts';
import type { Names } from '../common/report.ts';
import type { Remark, Section, View, Views } from '../common/view.ts';
import { verdicts, verdictTones, verdictWords } from '../common/words.ts';
import { mostSheetRows, recordsSheet, sectionSheet, textBlocks } from '../common/workbook.ts';
import { countsText } from '../settlements/summary.ts';
import { foundColumns } from './columns.ts';
import { auditJson } from './document.ts';
import { auditFeeRates } from './fee-rates.ts';
import {
  type AuditFinding,
  type AuditReport,
  type AuditTotal,
  auditVerdict,
  countOf,
  type FoundRow,
  mostFoundRows,
} from './report.ts';
import {
  figureWord,
  findingWords,
  foundAmount,
  foundSentence,
  notJudged,
  withoutTypes,
} from './words.ts';

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
        ...totalSections(report, mostSheetRows).map((one) => sectionSheet('Totals', one)),
        ...auditFeeRates(report, mostSheetRows).map((one) => sectionSheet('Fee rates', one)),
      ],
    }),
    ...jsonViews(() => auditJson(report)),
  };
}

/** The answer, and what was found, for those who do not see the page. */
export function auditConclusion(report: AuditReport): readonly string[] {
  return present(
    `${answerLabel(report)}. ${headline(report)}`,
    ...report.findings.map(({ code, count }) => `${capitalised(findingWords[code].title(count))}.`),
    report.notChecked.length > 0 && withoutTypes,
  );
}

function auditView(report: AuditReport): View {
  const { lakes, coverage, findings, notChecked, names, settings } = report;
  const { pendingDays, silentDays, refundTypes, purchaseTypes } = settings;
  const verdict = auditVerdict(report);
  return [
    answerBlock(
      answerLabel(report),
      coverage.length === 0 ? 'plain' : verdictTones[verdict],
      headline(report),
    ),
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
    ...auditFeeRates(report),
    ...listed('Not checked', notChecked.length > 0 ? [withoutTypes] : []),
    ...listed('Not judged', notJudged),
    ...listed('Next', advice(findings), '>'),
  ];
}

/** What to do, once each. */
function advice(findings: readonly AuditFinding[]): readonly string[] {
  return [...new Set(findings.flatMap(({ code }) => findingWords[code].advice ?? []))];
}

function answerLabel(report: AuditReport): string {
  if (report.coverage.length === 0) return 'NOTHING FOUND';
  return verdictWords[auditVerdict(report)].toUpperCase();
}

function headline({ coverage, findings }: AuditReport): string {
  const days = coverage.reduce((sum, one) => sum + one.days, 0);
  return present(
    `${many(days, 'day')}.`,
    countsText((verdict) => countOf(coverage, verdict)),
    findings.length === 0 ? 'No findings.' : `${many(findings.length, 'finding')}.`,
  ).join(' ');
}

/** What was found, a line each, with a mark that says how much it weighs. */
function findingRemark({ code, count, weight }: AuditFinding): Remark {
  const text = findingWords[code].title(count);
  if (weight === 'discrepancy') return alarm(text);
  return weight === 'incomplete' ? unsure(text) : plain(text);
}

/** The rows behind a finding: a table where it has amounts, or else a sentence each. */
function findingBlocks({ code, count, rows }: AuditFinding, names: Names): View {
  const { title, amount, expected } = findingWords[code];
  const shown = rows.slice(0, mostShownRows);
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
    column(hasProfiles ? 1 : 3, 'Profile', 'text', ({ profile }) => profile),
    column(1, 'Date', 'text', ({ day }) => day),
    accountColumn(names, 4, ({ accountingToken }) => accountingToken),
    column(1, 'Settlement', 'text', ({ settlementId }) => settlementId),
    column(1, 'Transaction', 'text', ({ transactionId }) => transactionId),
    column(code === 'over_refunded' ? 1 : 3, 'Charge', 'text', ({ chargeId }) => chargeId),
    column(1, 'Currency', 'text', ({ currency }) => currency),
    column(2, 'Figure', 'text', (row) => (expected ? figureWord(row) : '')),
    column(1, amount, 'amount', (row) => foundAmount(row, row.amount)),
    column(1, expected ?? '', 'amount', (row) => (expected ? foundAmount(row, row.expected) : '')),
  ]);
  return [{ ...found, note: isCut ? note : undefined }];
}

function coverageSections({ coverage }: AuditReport): readonly Section[] {
  if (coverage.length === 0) return [];
  type One = (typeof coverage)[number];
  return [
    section<One>('Days and settlements', coverage, [
      column(1, 'Profile', 'text', ({ profile }) => profile),
      column(1, 'First day', 'text', ({ firstDay }) => firstDay),
      column(1, 'Last day', 'text', ({ lastDay }) => lastDay),
      column(1, 'Days', 'integer', ({ days }) => String(days)),
      ...verdicts.map((verdict) =>
        column<One>(2, capitalised(verdictWords[verdict]), 'integer', ({ settlements }) =>
          String(settlements[verdict]),
        ),
      ),
      column(2, 'Transactions', 'integer', ({ transactions }) => String(transactions)),
    ]),
  ];
}

function totalSections({ totals, names }: AuditReport, most?: number): readonly Section[] {
  const amount = (
    priority: number,
    title: string,
    minor: (total: AuditTotal) => bigint | undefined,
  ) =>
    column<AuditTotal>(priority, title, 'amount', (one) =>
      amountText(minor(one), one.decimalPlaces),
    );
  return sectionIfAny<AuditTotal>(
    'Totals by account and currency (differences in pay-in)',
    totals,
    [
      column(3, 'Profile', 'text', ({ profile }) => profile),
      accountColumn(names, 1, ({ accountingToken }) => accountingToken),
      column(1, 'Currency', 'text', ({ currency }) => currency),
      ...verdicts.map((verdict) =>
        column<AuditTotal>(
          verdict === 'balanced' ? 7 : 3,
          capitalised(verdictWords[verdict]),
          'integer',
          (one) => String(one.settlements[verdict]),
        ),
      ),
      amount(8, 'Reported gross', ({ gross }) => gross.reported),
      amount(8, 'Reported fees', ({ fees }) => fees.reported),
      amount(8, 'Reported tax', ({ tax }) => tax.reported),
      amount(4, 'Reported pay-in', ({ payIn }) => payIn.reported),
      amount(6, 'Computed pay-in', ({ payIn }) => payIn.computed),
      amount(9, 'Pending pay-in', (one) => one.pendingPayIn || undefined),
      column(1, 'Net difference', 'difference', (one) =>
        signedText(one.outOfBalance?.net, one.decimalPlaces),
      ),
      amount(2, 'Absolute difference', ({ outOfBalance }) => outOfBalance?.absolute),
    ],
    { most },
  );
}
