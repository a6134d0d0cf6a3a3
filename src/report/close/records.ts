import type { CloseReport } from '../../app/close-report.ts';
import type { Clearing } from '../../books/clearing.ts';
import type { ChangeSinceClose } from '../../books/drift.ts';
import type { OpenItem, RollForwardLine } from '../../books/roll-forward.ts';
import type { Names } from '../../model/settlement.ts';
import type { Value } from '../../model/value.ts';
import { type Column, field, type Records, records } from '../common/columns.ts';

/** The steps of a roll-forward: key in CSV, title, and figure. Those with a minus are subtracted. */
export const rollForwardSteps = [
  ['opening', 'Opening', 'opening'],
  ['changed', '+ Changed before', 'changed'],
  ['gross', 'Gross', 'gross'],
  ['fees', '- Fees', 'fees'],
  ['tax', '- Tax', 'tax'],
  ['pay_in_difference', '+ Net pay-out difference', 'payInDifference'],
  ['settled', '+ Settled', 'settled'],
  ['received', '- Received', 'received'],
  ['bank_charges', '- Bank charges', 'charges'],
  ['over', '+ Overpaid', 'over'],
  ['short', '- Underpaid', 'short'],
  ['closing', 'Closing', 'closing'],
] as const satisfies readonly (readonly [string, string, keyof RollForwardLine])[];

export type Step = (typeof rollForwardSteps)[number];

export const lineFigures: readonly Column<RollForwardLine>[] = [
  field.text('currency', (line) => line.currency),
  field.integer('decimal_places', (line) => line.scale),
  ...rollForwardSteps.map(([key, , name]) =>
    field.amount<RollForwardLine>(key, (line) => line[name]),
  ),
];

/** A row an accounting token and currency. New columns go to the end. */
export function rollForwardColumns(names: Names): readonly Column<RollForwardLine>[] {
  return [...field.account<RollForwardLine>(names, (line) => line.accountingToken), ...lineFigures];
}

/** A row an open pay-out. New columns go to the end. */
export function itemColumns(names: Names): readonly Column<OpenItem>[] {
  return [
    field.list('settlement_id', ({ settlementIds }) => settlementIds),
    field.day('date', ({ date }) => date),
    field.day('due_until', ({ dueUntil }) => dueUntil || undefined),
    ...field.account<OpenItem>(names, ({ accountingToken }) => accountingToken),
    field.text('currency', ({ currency }) => currency),
    field.integer('decimal_places', ({ scale }) => scale),
    field.amount('pay_in', ({ payIn }) => payIn),
    field.amount('received', ({ received }) => received),
    field.amount('bank_charges', ({ charges }) => charges),
    field.amount('over', ({ over }) => over),
    field.amount('short', ({ short }) => short),
    field.amount('open', ({ open }) => open),
    field.integer('age_days', ({ ageDays }) => ageDays),
    field.integer('days_late', ({ daysLate }) => daysLate),
    field.text('state', ({ state }) => state),
  ];
}

/** The lines of the roll-forward, or the open pay-outs. */
export function closeRecords(report: CloseReport, isOfItems: boolean): Records {
  return isOfItems
    ? records(itemColumns(report.names), openItems(report))
    : records(rollForwardColumns(report.names), report.rollForward.lines);
}

/** What has changed since a close of before that is shown again. */
export function changesSinceThis({
  closed,
  recorded,
}: Pick<CloseReport, 'closed' | 'recorded'>): readonly ChangeSinceClose[] {
  return closed.find(({ record }) => record === recorded)?.changes ?? [];
}

export function openItems({ rollForward }: Pick<CloseReport, 'rollForward'>): readonly OpenItem[] {
  return rollForward.payouts.filter(({ open }) => open !== 0n);
}

/** The settlements of an open item; none is named of before the first close. */
export function settlementsText({ settlementIds }: OpenItem): Value {
  return settlementIds.length === 0 ? 'before the books begin' : settlementIds;
}

/** The ids of the settlements that are cleared together. */
export function settlementIdsOf({ settlement, match }: Clearing): readonly string[] {
  return settlement ? [settlement.id] : match.settlements.map((one) => one.settlement.id);
}
