import {
  isByAccount,
  type Line,
  linesOf,
  measureOfTotals,
  type RowLine,
  rowLinesOf,
  type SettlementsReport,
  splitNamesOf,
} from '../../app/settlements-report.ts';
import type { Names } from '../../model/settlement.ts';
import { rateOf, rateScale, rateText } from '../../money/rate.ts';
import type { FeeDrift, Measure } from '../../reconcile/entry.ts';
import {
  type ComparedRate,
  type ComparedRates,
  feeRate,
  rateChange,
  rateKey,
} from '../../reconcile/fee-rates.ts';
import type { Group } from '../../reconcile/groups.ts';
import { isOfRows, type Parts, type SplitName, withCurrency } from '../../reconcile/split.ts';
import type { Verdict } from '../../reconcile/verdict.ts';
import {
  accountColumn,
  type CellColumn,
  column,
  listed,
  maxScreenRows,
  plain,
  section,
  sectionIfAny,
} from '../common/blocks.ts';
import { amountOf, type Column, field } from '../common/columns.ts';
import {
  accountName,
  capitalised,
  cutTo,
  enumerate,
  many,
  maxNamed,
  present,
  rangeText,
} from '../common/phrase.ts';
import type { Section, View } from '../common/view.ts';
import {
  feeDriftText,
  measures,
  measureWords,
  paymentTypeText,
  verdictWords,
} from '../common/words.ts';

/** Fees in per cent of gross; undefined without an amount, or if a rate has no meaning. */
export function feesPercent(fees?: bigint, gross?: bigint) {
  if (fees === undefined || gross === undefined) return undefined;
  return amountOf(rateOf(fees, gross), rateScale);
}

interface Part {
  readonly by: keyof Parts;
  readonly words: string;
  readonly title: string;
  readonly key: string;
}

const partTable: Readonly<Record<SplitName, Part>> = {
  day: { by: 'date', words: 'day', title: 'Date', key: 'settlement_date' },
  month: { by: 'month', words: 'month', title: 'Month', key: 'settlement_month' },
  account: { by: 'accountingToken', words: 'account', title: 'Account', key: 'accounting_token' },
  currency: { by: 'currency', words: 'currency', title: 'Currency', key: 'currency' },
  type: { by: 'type', words: 'type', title: 'Type', key: 'transaction_type' },
  payment: { by: 'paymentType', words: 'payment type', title: 'Payment type', key: 'payment_type' },
};

function partsOf(splitBy: readonly SplitName[]) {
  return withCurrency(splitBy).map((name) => ({ name, ...partTable[name] }));
}

function partWords(splitBy: readonly SplitName[]): string {
  return enumerate(partsOf(splitBy).map(({ words }) => words));
}

/** The columns of records for the parts by which totals are split. */
export function partColumns(names: Names, splitBy: readonly SplitName[]): readonly Column<Parts>[] {
  return partsOf(splitBy).flatMap(({ name, by, key }) => {
    const text = (parts: Parts) => parts[by] ?? '';
    return name === 'account' ? field.account(names, text) : [field.text(key, text)];
  });
}

function partCells(names: Names, splitBy: readonly SplitName[]): readonly CellColumn<Parts>[] {
  const [first] = splitBy.filter((name) => name !== 'currency');
  const tokenOfNamed = ({ accountingToken: token = '' }: Parts) => (names.has(token) ? token : '');
  return partsOf(splitBy).flatMap(({ name, by, title }) => {
    const kind = name === 'day' ? 'day' : 'text';
    const cells = column[kind]<Parts>(title, ({ [by]: text }) => {
      // Totals of a currency have no other parts.
      if (text === undefined) return name === first ? 'Total' : '';
      return (name === 'account' && names.get(text)) || text || '(missing)';
    });
    if (name !== 'account') return [cells];
    return [cells, column.id('Account id', tokenOfNamed, { priority: 10 })];
  });
}

/** The totals, at most `limit` of them, and those of each currency if there are several. */
export function groupSections(report: SettlementsReport, limit?: number): View {
  if (report.run.groups.length === 0) return [];
  if (!isOfRows(splitNamesOf(report)))
    return [settlementSection(report, limit), ...amountSections(report, limit)];
  return rowLinesOf(report).length > 0
    ? [rowSection(report, limit)]
    : listed(rowTitle(report), [coverageNote(report.run.groups)]);
}

function settlementSection(report: SettlementsReport, limit?: number): Section {
  const { run, names, settings } = report;
  const splitBy = splitNamesOf(report);
  const lines = linesOf(report);
  const measure = measureOfTotals(report);
  const decisive = ({ gross, payIn }: Line) => (settings.identity === 'off' ? gross : payIn);
  const difference = (line: Line) => decisive(line).difference;
  const rate = ({ fees, gross }: Line) => feesPercent(fees.reported, gross.reported);
  const pendingPayIn = (line: Line) =>
    line.settlements.pending === 0 ? undefined : line.pendingPayIn;
  const table = section<Line>(
    `Totals by ${partWords(splitBy)} (differences in ${measure})`,
    lines,
    [
      ...partCells(names, splitBy),
      column.integer('Settlements', (line) => sum(Object.values(line.settlements)), {
        priority: 7,
      }),
      column.integer('Balanced', ({ settlements }) => settlements.balanced, { priority: 7 }),
      column.integer('Out of balance', (line) => line.settlements.out_of_balance, { priority: 3 }),
      column.integer('Accepted', ({ accepted }) => accepted.settlements, { priority: 3 }),
      column.integer('Pending', ({ settlements }) => settlements.pending, { priority: 7 }),
      column.integer('Incomplete', ({ settlements }) => settlements.incomplete, { priority: 5 }),
      // Totals by account have a table of these, and all figures in the workbook.
      ...(isByAccount(splitBy) ? [] : partsOfPayIn).flatMap((part) => [
        column.amount<Line>(`Reported ${part}`, (line) => line[part].reported, { priority: 8 }),
        // `measure` has its own column.
        ...(part === measure
          ? []
          : [
              column.amount<Line>(`Computed ${part}`, (line) => line[part].computed, {
                priority: 8,
              }),
            ]),
      ]),
      column.amount('Reported net pay-out', ({ payIn }) => payIn.reported, { priority: 4 }),
      column.amount(`Computed ${measure}`, (line) => decisive(line).computed, { priority: 6 }),
      column.amount('Pending net pay-out', pendingPayIn, { priority: 9 }),
      column.difference('Net difference', (line) => difference(line)?.net),
      column.amount('Absolute difference', (line) => difference(line)?.absolute, { priority: 2 }),
      ...(isByAccount(splitBy) ? [] : [column.amount('Reported fees %', rate, { priority: 5 })]),
    ],
    { totals: haveSeveral(lines) ? run.totals : [], limit },
  );
  return withNotes(table, report);
}

const partsOfPayIn = ['gross', 'fees', 'tax'] as const;

/** The reported amounts of each account from gross to net pay-out: a table of its own, so that a narrow screen has all. */
function amountSections(report: SettlementsReport, limit?: number): readonly Section[] {
  const lines = linesOf(report).filter(({ payIn }) => payIn.reported !== undefined);
  if (!isByAccount(splitNamesOf(report))) return [];
  return sectionIfAny<Line>(
    'From gross to net pay-out (as reported)',
    lines,
    [
      ...partCells(report.names, splitNamesOf(report)),
      ...partsOfPayIn.map((part) =>
        column.amount<Line>(capitalised(part), (line) => line[part].reported, { priority: 2 }),
      ),
      column.amount('Net pay-out', ({ payIn }) => payIn.reported),
    ],
    { totals: haveSeveral(lines) ? report.run.totals : [], limit },
  );
}

function withNotes(table: Section, report: SettlementsReport): Section {
  const note = present(...totalsNotes(report), ...splitNotes(report), table.note).join(' ');
  return { ...table, note: note || undefined };
}

function rowTitle(report: SettlementsReport): string {
  return `Totals of transactions by ${partWords(splitNamesOf(report))} (computed)`;
}

const priorityOf: Readonly<Record<Measure, number>> = { payIn: 1, gross: 2, fees: 2, tax: 3 };

function rowSection(report: SettlementsReport, limit?: number): Section {
  const lines = rowLinesOf(report);
  const table = section<RowLine>(
    rowTitle(report),
    lines,
    [
      ...partCells(report.names, splitNamesOf(report)),
      column.integer('Transactions', ({ transactions }) => transactions, { priority: 4 }),
      ...measures.map((one) => {
        const options = { priority: priorityOf[one] };
        return column.amount<RowLine>(capitalised(measureWords[one]), (line) => line[one], options);
      }),
      column.amount('Fees %', ({ fees, gross }) => feesPercent(fees, gross)),
    ],
    { totals: haveSeveral(lines) ? rowLinesOf(report, ['currency']) : [], limit },
  );
  return withNotes(table, report);
}

/** Whether the lines differ in more than the currency, so a total is needed. */
function haveSeveral(lines: readonly Parts[]): boolean {
  const texts = lines.map(({ date, month, accountingToken, type, paymentType }) =>
    JSON.stringify([date, month, accountingToken, type, paymentType]),
  );
  return new Set(texts).size > 1;
}

const rateNote =
  'Fees % is fees as a percentage of gross, rounded half up to 4 decimal places; empty if gross is 0 or the two have opposite signs.';

/** Notes on all totals of a report, a sentence each. */
export function totalsNotes(report: SettlementsReport): readonly string[] {
  return present(coverageNote(report.run.groups), mixedScales(report));
}

/** Notes on totals that are not split by account, a sentence each. */
export function splitNotes(report: SettlementsReport): readonly string[] {
  const splitBy = splitNamesOf(report);
  const ofRows = isOfRows(splitBy);
  return present(
    ofRows &&
      'The service reports no amounts by type or payment type, so all amounts are added up from the transactions.',
    ofRows &&
      report.settings.rules.rounding &&
      'Rounding rules are not applied: they change whole settlements.',
    !isByAccount(splitBy) && rateNote,
  );
}

/** Which settlements the totals include and leave out, if the first line counts them differently. */
function coverageNote(groups: readonly Group[]): string {
  const count = (verdict: Verdict) => sum(groups.map(({ settlements }) => settlements[verdict]));
  const others = notInSums(count);
  const accepted = sum(groups.map((group) => group.accepted.settlements));
  if (others === '' && accepted === 0) return '';
  const members = count('balanced') + count('out_of_balance');
  const acceptedToo = accepted > 0 ? ` (${accepted} accepted)` : '';
  return present(
    members === 0
      ? 'Totals include no settlements.'
      : `Totals include ${many(members, 'settlement')}, balanced or out of balance${acceptedToo}.`,
    others && `Not included: ${others}.`,
  ).join(' ');
}

/** `2 pending and 1 incomplete`; empty if all are in sums. */
function notInSums(count: (verdict: Verdict) => number): string {
  const left = (['pending', 'incomplete'] as const).filter((verdict) => count(verdict) > 0);
  return enumerate(left.map((verdict) => `${count(verdict)} ${verdictWords[verdict]}`));
}

function mixedScales({ run, names }: SettlementsReport) {
  const mixed = run.groups
    .filter((group) => group.mixedScales.length > 0)
    .map(({ accountingToken, currency, mixedScales: scales }) => {
      const account = accountName(names, accountingToken);
      return `${account}, ${currency} (${enumerate(scales.map(String))})`;
    });
  const all = mixed.join('; ');
  return all && `Settlements with different decimal places, converted exactly: ${all}.`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0);
}

/** The fee rates beside those of the earlier range, the changed ones first. */
export function feeRateSections(report: SettlementsReport, limit = maxScreenRows) {
  const { feeRates } = report.run;
  if (!feeRates) return [];
  const { rates, range } = feeRates;
  const drifts = new Map(driftsOf(report).map((facts) => [rateKey(facts), facts]));
  const hasEarlier = rates.some(({ earlier }) => earlier);
  const hasNow = rates.some(({ now }) => now);
  const isChanged = (one: ComparedRate) => drifts.has(rateKey(one));
  const table = section<ComparedRate>(
    `Fee rates, compared with ${rangeText(range)}`,
    [...rates.filter(isChanged), ...rates.filter((one) => !isChanged(one))],
    rateColumns(report.names),
    {
      remarks: (one) => {
        const drift = drifts.get(rateKey(one));
        const texts = present(
          drift && feeDriftText(drift),
          !one.earlier && hasEarlier && 'new: no transactions in the earlier range',
          !one.now && hasNow && 'no longer used: no transactions in this range',
        );
        return texts.map((text) => plain(text));
      },
      limit,
    },
  );
  const cut = rates.length - limit;
  const note = present(
    ...reservations(report, feeRates),
    ...feeRateNotes(report),
    cut > 0 && `Showing ${limit} of ${rates.length}; --format json lists all.`,
  );
  return [{ ...table, note: note.join(' ') }];
}

function rateColumns(names: Names): readonly CellColumn<ComparedRate>[] {
  return [
    accountColumn(names, ({ accountingToken }) => accountingToken, { priority: 2 }),
    column.text('Currency', ({ currency }) => currency, { priority: 2 }),
    column.text('Payment type', ({ paymentType }) => paymentType || '(missing)'),
    column.amount('Earlier gross', ({ earlier }) => earlier?.gross, { priority: 4 }),
    column.amount('Earlier fees', ({ earlier }) => earlier?.fees, { priority: 4 }),
    column.amount('Earlier fees %', ({ earlier }) => amountOf(feeRate(earlier), rateScale)),
    column.amount('Gross', ({ now }) => now?.gross, { priority: 3 }),
    column.amount('Fees', ({ now }) => now?.fees, { priority: 3 }),
    column.amount('Fees %', ({ now }) => amountOf(feeRate(now), rateScale)),
    column.change('Change (percentage points)', (one) => amountOf(rateChange(one), rateScale)),
  ];
}

/** Notes on the rates, a sentence each; none if not compared. */
export function feeRateNotes({ run: { feeRates } }: SettlementsReport): readonly string[] {
  if (!feeRates) return [];
  const limit = rateText(feeRates.limit);
  return [rateNote, `Changes of more than ${limit} percentage points have a notice.`];
}

/** The changed rates, with the names of accounts, and the limits of the comparison, a sentence each. */
export function feeRateSentences(report: SettlementsReport): readonly string[] {
  const { feeRates } = report.run;
  if (!feeRates) return [];
  const drifts = driftsOf(report);
  const changes = drifts.map((facts) => {
    const account = accountName(report.names, facts.accountingToken);
    return `${account}, ${paymentTypeText(facts)}: ${feeDriftText(facts)}.`;
  });
  const more = (count: number) =>
    `${many(count, 'more fee rate')} changed; --format json lists all.`;
  return [...cutTo(maxNamed, changes, more), ...reservations(report, feeRates)];
}

function reservations({ run }: SettlementsReport, { earlier }: ComparedRates): readonly string[] {
  const { counts } = earlier;
  if (earlier.complete && Object.values(counts).every((count) => count === 0)) {
    return ['The earlier range has no settlements, so no fee rate is compared.'];
  }
  const unread = present(!earlier.complete && 'the earlier range', !run.complete && 'this range');
  const leftOut = notInSums((verdict) => counts[verdict]);
  return present(
    unread.length > 0 &&
      `${capitalised(enumerate(unread))} could not be fully read, so the fee rates may be wrong.`,
    leftOut && `Not included in the earlier fee rates: ${leftOut}.`,
  );
}

function driftsOf({ run }: SettlementsReport): readonly FeeDrift[] {
  return run.findings.flatMap((one) => (one.code === 'fee_drift' ? [one.facts] : []));
}
