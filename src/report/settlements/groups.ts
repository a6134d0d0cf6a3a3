import type { Group, Totals, Verdict } from '../../reconcile/reconciled.ts';
import { type CellColumn, column, section, uuid } from '../common/blocks.ts';
import { amountText, enumerate, many, signedText } from '../common/phrase.ts';
import type { Section } from '../common/view.ts';
import { measureOfTotals, type SettlementsReport } from './report.ts';

/** The groups, a row each, and the totals of each currency. */
export function groupSections(report: SettlementsReport): readonly Section[] {
  const { groups } = report.run;
  const title = `Totals by accounting token and currency (differences in ${measureOfTotals(report)})`;
  if (groups.length === 0) return [];
  const table = section<Line>(title, lineColumns(report), groups, undefined, totals(report));
  const note = [leftOutOfSums(groups), mixedScales(report), table.note]
    .filter((text) => text !== undefined)
    .join(' ');
  return [{ ...table, note: note === '' ? undefined : note }];
}

/** A group, or the totals of a currency over all groups. */
type Line = Group | Totals;

/** The totals of each currency, where there is more than one account to add up. */
function totals({ run }: SettlementsReport): readonly Totals[] {
  const accounts = new Set(run.groups.map(({ accountingToken }) => accountingToken));
  return accounts.size > 1 ? run.totals : [];
}

/** Which settlements the totals leave out; nothing where they include all. */
function leftOutOfSums(groups: readonly Group[]): string | undefined {
  const count = (verdict: Verdict) =>
    groups.reduce((sum, { settlements }) => sum + settlements[verdict], 0);
  const left = (['pending', 'incomplete'] as const)
    .map((verdict) => ({ verdict, settlements: count(verdict) }))
    .filter(({ settlements }) => settlements > 0);
  if (left.length === 0) return undefined;
  const inSums = many(count('balanced') + count('out_of_balance'), 'settlement');
  const others = enumerate(left.map(({ verdict, settlements }) => `${settlements} ${verdict}`));
  return `Totals include ${inSums}, balanced or out of balance. Not included: ${others}.`;
}

/** Sums whose settlements have different decimal places; nothing where there are none. */
function mixedScales({ run, names }: SettlementsReport): string | undefined {
  const mixed = run.groups
    .filter((group) => group.mixedScales.length > 0)
    .map(({ accountingToken, currency, mixedScales: scales }) => {
      const account = names.get(accountingToken) ?? accountingToken;
      return `${account}, ${currency} (${enumerate(scales.map(String))})`;
    });
  if (mixed.length === 0) return undefined;
  return `Settlements with different decimal places, converted exactly: ${mixed.join('; ')}.`;
}

function lineColumns(report: SettlementsReport): readonly CellColumn<Line>[] {
  const { names, settings } = report;
  const decisive = ({ gross, payIn }: Line) => (settings.identity === 'off' ? gross : payIn);
  const account = (line: Line) =>
    isGroup(line) ? (names.get(line.accountingToken) ?? line.accountingToken) : 'Total';
  const tokenOfNamed = (line: Line) =>
    isGroup(line) && names.has(line.accountingToken) ? line.accountingToken : '';
  return [
    column(1, 'Account', 'text', account),
    column(10, 'Accounting token', 'text', tokenOfNamed, uuid),
    column(1, 'Currency', 'text', (line) => line.currency),
    column(7, 'Settlements', 'integer', (line) => settlementCount(line)),
    column(7, 'Balanced', 'integer', ({ settlements }) => String(settlements.balanced)),
    column(3, 'Out of balance', 'integer', ({ settlements }) => String(settlements.out_of_balance)),
    column(7, 'Pending', 'integer', ({ settlements }) => String(settlements.pending)),
    column(5, 'Incomplete', 'integer', ({ settlements }) => String(settlements.incomplete)),
    column(8, 'Reported gross', 'amount', ({ gross, scale }) => amountText(gross.reported, scale)),
    column(8, 'Reported fees', 'amount', ({ fees, scale }) => amountText(fees.reported, scale)),
    column(8, 'Reported tax', 'amount', ({ tax, scale }) => amountText(tax.reported, scale)),
    column(4, 'Reported pay-in', 'amount', ({ payIn, scale }) => amountText(payIn.reported, scale)),
    column(6, `Computed ${measureOfTotals(report)}`, 'amount', (line) =>
      amountText(decisive(line).computed, line.scale),
    ),
    column(9, 'Pending pay-in', 'amount', pendingPayIn),
    column(1, 'Net difference', 'difference', (line) =>
      signedText(decisive(line).difference?.net, line.scale),
    ),
    column(2, 'Absolute difference', 'amount', (line) =>
      amountText(decisive(line).difference?.absolute, line.scale),
    ),
  ];
}

function isGroup(line: Line): line is Group {
  return 'accountingToken' in line;
}

function pendingPayIn({ settlements, pendingPayIn, scale }: Line): string {
  return settlements.pending === 0 ? '' : amountText(pendingPayIn, scale);
}

function settlementCount({ settlements }: Line): string {
  return String(Object.values(settlements).reduce((sum, count) => sum + count, 0));
}
