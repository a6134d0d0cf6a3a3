import type { Group, Verdict } from '../../reconcile/reconciled.ts';
import {
  accountColumn,
  type CellColumn,
  cellColumn as column,
  section,
  uuid,
} from '../common/blocks.ts';
import { amountText, enumerate, many, signedText } from '../common/phrase.ts';
import type { Section } from '../common/view.ts';
import type { SettlementsReport } from './report.ts';

/** The groups, a row each; none where there are no settlements. */
export function groupSections(report: SettlementsReport): readonly Section[] {
  const { groups } = report.run;
  const measure = report.settings.identity === 'off' ? 'gross' : 'pay-in';
  const title = `By accounting token and currency, with differences in ${measure}`;
  if (groups.length === 0) return [];
  const table = section(title, groupColumns(report), groups);
  const note = [leftOutOfSums(groups), mixedScales(report), table.note]
    .filter((text) => text !== undefined)
    .join(' ');
  return [{ ...table, note: note === '' ? undefined : note }];
}

/** What the sums don't hold; nothing where they hold all settlements. */
function leftOutOfSums(groups: readonly Group[]): string | undefined {
  const count = (verdict: Verdict) =>
    groups.reduce((sum, { settlements }) => sum + settlements[verdict], 0);
  const left = (['pending', 'incomplete'] as const)
    .map((verdict) => ({ verdict, settlements: count(verdict) }))
    .filter(({ settlements }) => settlements > 0);
  if (left.length === 0) return undefined;
  const inSums = many(count('balanced') + count('out_of_balance'), 'settlement');
  const others = enumerate(left.map(({ verdict, settlements }) => `${settlements} ${verdict}`));
  return `The sums are of ${inSums}, balanced or out of balance; not in them: ${others}.`;
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

function groupColumns({ names, settings }: SettlementsReport): readonly CellColumn<Group>[] {
  const total = ({ gross, payIn }: Group) =>
    (settings.identity === 'off' ? gross : payIn).difference;
  const tokenOfNamed = ({ accountingToken }: Group) =>
    names.has(accountingToken) ? accountingToken : '';
  return [
    accountColumn(names, 1, (group) => group.accountingToken),
    column(9, 'Accounting token', 'text', tokenOfNamed, uuid),
    column(1, 'Currency', 'text', (group) => group.currency),
    column(6, 'Settlements', 'integer', (group) => settlementCount(group)),
    column(6, 'Balanced', 'integer', ({ settlements }) => String(settlements.balanced)),
    column(3, 'Out of balance', 'integer', ({ settlements }) => String(settlements.out_of_balance)),
    column(6, 'Pending', 'integer', ({ settlements }) => String(settlements.pending)),
    column(4, 'Incomplete', 'integer', ({ settlements }) => String(settlements.incomplete)),
    column(7, 'Reported gross', 'amount', ({ gross, scale }) => amountText(gross.reported, scale)),
    column(7, 'Reported fees', 'amount', ({ fees, scale }) => amountText(fees.reported, scale)),
    column(7, 'Reported tax', 'amount', ({ tax, scale }) => amountText(tax.reported, scale)),
    column(4, 'Reported pay-in', 'amount', ({ payIn, scale }) => amountText(payIn.reported, scale)),
    column(8, 'Pending pay-in', 'amount', pendingPayIn),
    column(1, 'Net difference', 'difference', (group) =>
      signedText(total(group)?.net, group.scale),
    ),
    column(2, 'Absolute difference', 'amount', (group) =>
      amountText(total(group)?.absolute, group.scale),
    ),
  ];
}

function pendingPayIn({ settlements, pendingPayIn, scale }: Group): string {
  return settlements.pending === 0 ? '' : amountText(pendingPayIn, scale);
}

function settlementCount({ settlements }: Group): string {
  return String(Object.values(settlements).reduce((sum, count) => sum + count, 0));
}
