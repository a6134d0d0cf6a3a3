import type { Group, Totals, Verdict } from '../../reconcile/reconciled.ts';
import { type CellColumn, column, section, uuid } from '../common/blocks.ts';
import { amountText, enumerate, many, present, signedText } from '../common/phrase.ts';
import type { Section } from '../common/view.ts';
import { measureOfTotals, type SettlementsReport } from './report.ts';

/** The groups, a row each, and the totals of each currency where there is more than one account. */
export function groupSections(report: SettlementsReport): readonly Section[] {
  const { groups, totals } = report.run;
  if (groups.length === 0) return [];
  const accounts = new Set(groups.map(({ accountingToken }) => accountingToken));
  const table = section<Line>(
    `Totals by accounting token and currency (differences in ${measureOfTotals(report)})`,
    groups,
    lineColumns(report),
    undefined,
    accounts.size > 1 ? totals : [],
  );
  const notes = present(leftOutOfSums(groups), mixedScales(report), table.note);
  return [{ ...table, note: notes.join(' ') || undefined }];
}

/** A group, or the totals of a currency over all groups. */
type Line = Group | Totals;

/** Which settlements the totals leave out; nothing where they include all. */
function leftOutOfSums(groups: readonly Group[]) {
  const count = (verdict: Verdict) => sum(groups.map(({ settlements }) => settlements[verdict]));
  const left = (['pending', 'incomplete'] as const).filter((verdict) => count(verdict) > 0);
  const others = enumerate(left.map((verdict) => `${count(verdict)} ${verdict}`));
  const inSums = many(count('balanced') + count('out_of_balance'), 'settlement');
  return others && `Totals include ${inSums}, balanced or out of balance. Not included: ${others}.`;
}

/** Sums whose settlements have different decimal places; nothing where there are none. */
function mixedScales({ run, names }: SettlementsReport) {
  const mixed = run.groups
    .filter((group) => group.mixedScales.length > 0)
    .map(({ accountingToken, currency, mixedScales: scales }) => {
      const account = names.get(accountingToken) ?? accountingToken;
      return `${account}, ${currency} (${enumerate(scales.map(String))})`;
    });
  return (
    mixed.length > 0 &&
    `Settlements with different decimal places, converted exactly: ${mixed.join('; ')}.`
  );
}

function lineColumns(report: SettlementsReport): readonly CellColumn<Line>[] {
  const { names, settings } = report;
  const decisive = ({ gross, payIn }: Line) => (settings.identity === 'off' ? gross : payIn);
  const token = (line: Line) => ('accountingToken' in line ? line.accountingToken : '');
  const tokenOfNamed = (line: Line) => (names.has(token(line)) ? token(line) : '');
  const amount = (priority: number, title: string, minor: (line: Line) => bigint | undefined) =>
    column<Line>(priority, title, 'amount', (line) => amountText(minor(line), line.scale));
  const count = (priority: number, title: string, settlements: (line: Line) => number) =>
    column<Line>(priority, title, 'integer', (line) => String(settlements(line)));
  return [
    column(1, 'Account', 'text', (line) => names.get(token(line)) ?? (token(line) || 'Total')),
    column(10, 'Accounting token', 'text', tokenOfNamed, uuid),
    column(1, 'Currency', 'text', (line) => line.currency),
    count(7, 'Settlements', ({ settlements }) => sum(Object.values(settlements))),
    count(7, 'Balanced', ({ settlements }) => settlements.balanced),
    count(3, 'Out of balance', ({ settlements }) => settlements.out_of_balance),
    count(7, 'Pending', ({ settlements }) => settlements.pending),
    count(5, 'Incomplete', ({ settlements }) => settlements.incomplete),
    amount(8, 'Reported gross', ({ gross }) => gross.reported),
    amount(8, 'Reported fees', ({ fees }) => fees.reported),
    amount(8, 'Reported tax', ({ tax }) => tax.reported),
    amount(4, 'Reported pay-in', ({ payIn }) => payIn.reported),
    amount(6, `Computed ${measureOfTotals(report)}`, (line) => decisive(line).computed),
    amount(9, 'Pending pay-in', (line) =>
      line.settlements.pending === 0 ? undefined : line.pendingPayIn,
    ),
    column(1, 'Net difference', 'difference', (line) =>
      signedText(decisive(line).difference?.net, line.scale),
    ),
    amount(2, 'Absolute difference', (line) => decisive(line).difference?.absolute),
  ];
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0);
}
