import type { Measure } from '../../reconcile/entry.ts';
import type { Group, Verdict } from '../../reconcile/reconciled.ts';
import { isOfRows, type Parts } from '../../reconcile/split.ts';
import { column, listed, section } from '../common/blocks.ts';
import { amountText, capitalised, enumerate, many, present, signedText } from '../common/phrase.ts';
import type { Section, View } from '../common/view.ts';
import { measures, measureWords } from '../common/words.ts';
import { partCells, partWords } from './parts.ts';
import {
  feesPercent,
  isByAccount,
  type Line,
  linesOf,
  measureOfTotals,
  type RowLine,
  rowLinesOf,
  type SettlementsReport,
  splitsOf,
} from './report.ts';

/** The totals, a row a line, `most` at the most, and those of each currency where there are several lines. */
export function groupSections(report: SettlementsReport, most?: number): View {
  if (report.run.groups.length === 0) return [];
  if (!isOfRows(splitsOf(report))) return [settlementSection(report, most)];
  return rowLinesOf(report).length > 0
    ? [rowSection(report, most)]
    : listed(rowTitle(report), [whatSumsInclude(report.run.groups)]);
}

function settlementSection(report: SettlementsReport, most?: number): Section {
  const { run, names, settings } = report;
  const splits = splitsOf(report);
  const lines = linesOf(report);
  const measure = measureOfTotals(report);
  const decisive = ({ gross, payIn }: Line) => (settings.identity === 'off' ? gross : payIn);
  const amount = (priority: number, title: string, minor: (line: Line) => bigint | undefined) =>
    column<Line>(priority, title, 'amount', (line) => amountText(minor(line), line.scale));
  const count = (priority: number, title: string, settlements: (line: Line) => number) =>
    column<Line>(priority, title, 'integer', (line) => String(settlements(line)));
  const table = section<Line>(
    `Totals by ${partWords(splits)} (differences in ${measure})`,
    lines,
    [
      ...partCells(names, splits),
      count(7, 'Settlements', ({ settlements }) => sum(Object.values(settlements))),
      count(7, 'Balanced', ({ settlements }) => settlements.balanced),
      count(3, 'Out of balance', ({ settlements }) => settlements.out_of_balance),
      count(3, 'Accepted', ({ accepted }) => accepted.settlements),
      count(7, 'Pending', ({ settlements }) => settlements.pending),
      count(5, 'Incomplete', ({ settlements }) => settlements.incomplete),
      ...(['gross', 'fees', 'tax'] as const).flatMap((one) => [
        amount(8, `Reported ${one}`, (line) => line[one].reported),
        // The accounts of a workbook have a sheet with all figures, and `measure` its own column.
        ...(isByAccount(splits) || one === measure
          ? []
          : [amount(8, `Computed ${one}`, (line) => line[one].computed)]),
      ]),
      amount(4, 'Reported pay-in', ({ payIn }) => payIn.reported),
      amount(6, `Computed ${measure}`, (line) => decisive(line).computed),
      amount(9, 'Pending pay-in', (line) =>
        line.settlements.pending === 0 ? undefined : line.pendingPayIn,
      ),
      column(1, 'Net difference', 'difference', (line) =>
        signedText(decisive(line).difference?.net, line.scale),
      ),
      amount(2, 'Absolute difference', (line) => decisive(line).difference?.absolute),
      ...(isByAccount(splits) ? [] : [rateColumn]),
    ],
    undefined,
    { totals: haveSeveral(lines) ? run.totals : [], most },
  );
  return {
    ...table,
    note: present(...totalsNotes(report), ...splitNotes(report), table.note).join(' ') || undefined,
  };
}

const rateColumn = column<Line>(5, 'Reported fees %', 'amount', ({ fees, gross }) =>
  feesPercent(fees.reported, gross.reported),
);

function rowTitle(report: SettlementsReport): string {
  return `Totals of rows by ${partWords(splitsOf(report))} (computed)`;
}

/** On a narrow screen the pay-in stays, with the rate. */
const priorityOf: Readonly<Record<Measure, number>> = { payIn: 1, gross: 2, fees: 2, tax: 3 };

/** What the rows come to: nothing that is reported stands beside it. */
function rowSection(report: SettlementsReport, most?: number): Section {
  const lines = rowLinesOf(report);
  const table = section<RowLine>(
    rowTitle(report),
    lines,
    [
      ...partCells(report.names, splitsOf(report)),
      column(4, 'Rows', 'integer', ({ transactions }) => String(transactions)),
      ...measures.map((one) =>
        column<RowLine>(priorityOf[one], capitalised(measureWords[one]), 'amount', (line) =>
          amountText(line[one], line.scale),
        ),
      ),
      column(1, 'Fees %', 'amount', ({ fees, gross }) => feesPercent(fees, gross)),
    ],
    undefined,
    { totals: haveSeveral(lines) ? rowLinesOf(report, ['currency']) : [], most },
  );
  const note = present(...totalsNotes(report), ...splitNotes(report), table.note).join(' ');
  return { ...table, note };
}

/** Whether the lines are about several things, the currency aside: one needs no total beside it. */
function haveSeveral(lines: readonly Parts[]): boolean {
  const texts = lines.map(({ date, month, accountingToken, type, paymentType }) =>
    JSON.stringify([date, month, accountingToken, type, paymentType]),
  );
  return new Set(texts).size > 1;
}

/** How rates in per cent are to be read. */
export const rateNote =
  'Fees % is fees as a percentage of gross, rounded half up to 4 decimal places; empty if gross is 0 or the two have opposite signs.';

/** What all totals of a report include, a sentence each. */
export function totalsNotes(report: SettlementsReport): readonly string[] {
  return present(whatSumsInclude(report.run.groups), mixedScales(report));
}

/** How totals that are not split by account are to be read, a sentence each. */
export function splitNotes(report: SettlementsReport): readonly string[] {
  const splits = splitsOf(report);
  const ofRows = isOfRows(splits);
  return present(
    ofRows &&
      'The headers have no amounts by type or payment type, so all amounts are computed from the rows.',
    ofRows &&
      report.settings.rules.rounding &&
      'Rounding rules are not applied: they change whole settlements.',
    !isByAccount(splits) && rateNote,
  );
}

/** Which settlements the totals include and leave out, where the first line counts them otherwise. */
function whatSumsInclude(groups: readonly Group[]): string {
  const count = (verdict: Verdict) => sum(groups.map(({ settlements }) => settlements[verdict]));
  const left = (['pending', 'incomplete'] as const).filter((verdict) => count(verdict) > 0);
  const accepted = sum(groups.map((group) => group.accepted.settlements));
  if (left.length === 0 && accepted === 0) return '';
  const members = count('balanced') + count('out_of_balance');
  const acceptedToo = accepted > 0 ? ` (${accepted} accepted)` : '';
  const others = enumerate(left.map((verdict) => `${count(verdict)} ${verdict}`));
  return present(
    members === 0
      ? 'Totals include no settlements.'
      : `Totals include ${many(members, 'settlement')}, balanced or out of balance${acceptedToo}.`,
    others && `Not included: ${others}.`,
  ).join(' ');
}

/** Sums whose settlements have different decimal places; nothing where there are none. */
function mixedScales({ run, names }: SettlementsReport) {
  const mixed = run.groups
    .filter((group) => group.mixedScales.length > 0)
    .map(({ accountingToken, currency, mixedScales: scales }) => {
      const account = names.get(accountingToken) ?? accountingToken;
      return `${account}, ${currency} (${enumerate(scales.map(String))})`;
    });
  const all = mixed.join('; ');
  return all && `Settlements with different decimal places, converted exactly: ${all}.`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0);
}
