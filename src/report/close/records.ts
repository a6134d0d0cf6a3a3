import {
  type Blocker,
  type CloseReport,
  closeVerdict,
  isForceable,
  unexplainedAmounts,
} from '../../app/close-report.ts';
import { tableOf } from '../../base/lists.ts';
import type { BridgeEntry, BridgeLine } from '../../books/bridge.ts';
import type { Clearing } from '../../books/clearing.ts';
import type { BooksControl } from '../../books/control.ts';
import { type ChangeSinceClose, changeOf } from '../../books/drift.ts';
import { type OpenItem, type RollForwardLine, totalsOf } from '../../books/roll-forward.ts';
import type { Account, CloseRecord } from '../../model/close.ts';
import type { Names } from '../../model/settlement.ts';
import { businessDaysText } from '../bank/words.ts';
import { amountOf, type Column, field, type Records, records } from '../common/columns.ts';
import {
  jsonAccount,
  jsonAmount,
  jsonAmounts,
  jsonObject,
  jsonSettlementKey,
  jsonSum,
  jsonSums,
} from '../common/json.ts';
import { blockerNexts, blockerText, closedSentence, closeSummary, pointText } from './words.ts';

/** The steps of a roll-forward: key in CSV, title, and figure. Those with a minus are subtracted. */
export const rollForwardSteps = [
  ['opening', 'Opening', 'opening'],
  ['changed', '+ Changed before', 'changed'],
  ['gross', 'Gross', 'gross'],
  ['fees', '- Fees', 'fees'],
  ['tax', '- Tax', 'tax'],
  ['pay_in_difference', '+ Pay-in difference', 'payInDifference'],
  ['settled', '+ Settled', 'settled'],
  ['received', '- Received', 'received'],
  ['bank_charges', '- Bank charges', 'charges'],
  ['over', '+ Over', 'over'],
  ['short', '- Short', 'short'],
  ['closing', 'Closing', 'closing'],
] as const satisfies readonly (readonly [string, string, keyof RollForwardLine])[];

const lineFigures: readonly Column<RollForwardLine>[] = [
  field.text('currency', (line) => line.currency),
  field.integer('decimal_places', (line) => line.scale),
  ...rollForwardSteps.map(([key, , name]) =>
    field.amount<RollForwardLine>(key, (line) => amountOf(line[name], line.scale)),
  ),
];

/** A row an accounting token and currency. New columns go to the end. */
function rollForwardColumns(names: Names): readonly Column<RollForwardLine>[] {
  return [...field.account<RollForwardLine>(names, (line) => line.accountingToken), ...lineFigures];
}

/** A row an open pay-out. New columns go to the end. */
function itemColumns(names: Names): readonly Column<OpenItem>[] {
  const amount = (key: string, minor: (one: OpenItem) => bigint) =>
    field.amount<OpenItem>(key, (one) => amountOf(minor(one), one.scale));
  return [
    field.list('settlement_id', ({ settlementIds }) => settlementIds),
    field.day('date', ({ date }) => date),
    field.day('due_until', ({ dueUntil }) => dueUntil || undefined),
    ...field.account<OpenItem>(names, ({ accountingToken }) => accountingToken),
    field.text('currency', ({ currency }) => currency),
    field.integer('decimal_places', ({ scale }) => scale),
    amount('pay_in', ({ payIn }) => payIn),
    amount('received', ({ received }) => received),
    amount('bank_charges', ({ charges }) => charges),
    amount('over', ({ over }) => over),
    amount('short', ({ short }) => short),
    amount('open', ({ open }) => open),
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

export function openItems({ rollForward }: Pick<CloseReport, 'rollForward'>): readonly OpenItem[] {
  return rollForward.payouts.filter(({ open }) => open !== 0n);
}

/** The report in JSON: facts about it, and its lists by name. */
export function closeJson(report: CloseReport) {
  const { names, rollForward, bridge, books, blockers, recorded } = report;
  const { closed, notes } = closeSummary(report);
  return {
    about: {
      range: report.range,
      profile: report.profile ?? null,
      verdict: closeVerdict(report),
      businessDays: report.bank ? businessDaysText(report.bank) : null,
      continues: rollForward.continues,
      takesZero: report.takesZero,
      closed: closed.map((one) => {
        const { number, from, to, at, by, note } = one.record;
        return { number, from, to, at, by, note, message: closedSentence(one) };
      }),
      recorded: recorded ? jsonRecord(recorded) : null,
      unexplained: recorded?.unexplained.map(jsonSum) ?? jsonSums(unexplainedAmounts(blockers)),
      notes,
    },
    lists: {
      lines: ['line', rollForward.lines.map(jsonObject(rollForwardColumns(names)))],
      totals: ['total', totalsOf(rollForward.lines).map(jsonObject(lineFigures))],
      items: ['item', openItems(report).map(jsonItem(names))],
      changes: ['change', rollForward.changes.map((one) => jsonChange(one, names))],
      toSuspense: ['toSuspense', rollForward.toSuspense.map((one) => jsonSuspense(one, names))],
      pending: ['pending', report.pending.map((one) => jsonPending(one, names))],
      bridge: ['bankAccount', bridge.map(jsonBridge)],
      checks: ['check', books.map(jsonCheck)],
      blockers: ['blocker', blockers.map(jsonBlocker)],
    },
  } as const;
}

/** Who closed, when and why, and in spite of what. */
function jsonRecord(record: CloseRecord) {
  const { number, at, by, note } = record;
  return { number, at, by, note, forced: jsonPoints(record) };
}

/** What a close was forced over. */
export function jsonPoints({ forced }: CloseRecord) {
  return forced.map(({ sums, ...one }) => {
    return { ...one, amounts: sums.map(jsonSum), message: pointText(one) };
  });
}

function jsonItem(names: Names) {
  const cells = jsonObject(itemColumns(names).filter(({ key }) => key !== 'settlement_id'));
  return (one: OpenItem) => ({ settlements: jsonIds(one.settlementIds), ...cells(one) });
}

function jsonIds(settlementIds: readonly string[]) {
  return settlementIds.map((id) => ({ id }));
}

function jsonOwner({ accountingToken, currency, scale }: Account, names: Names) {
  return { ...jsonAccount(accountingToken, names), currency, decimalPlaces: scale };
}

function jsonChange(one: ChangeSinceClose, names: Names) {
  const { settlementId, date, reason, before, after } = one;
  const changed = tableOf(['gross', 'fees', 'tax', 'payIn'], (name) => changeOf(one, name));
  const figures = { before: before.payIn, after: after.payIn, difference: changed.payIn };
  return {
    settlements: jsonIds([settlementId]),
    date,
    reason,
    ...jsonOwner(one, names),
    ...jsonAmounts({ ...figures, ...changed }, one.scale),
  };
}

function jsonSuspense(one: Clearing, names: Names) {
  const { date, over, short } = one;
  return {
    date,
    settlements: jsonIds(settlementIdsOf(one)),
    ...jsonOwner(one, names),
    ...jsonAmounts({ over, short }, one.scale),
  };
}

/** The ids of the settlements that are cleared together. */
export function settlementIdsOf({ settlement, match }: Clearing): readonly string[] {
  return settlement ? [settlement.id] : match.settlements.map((one) => one.settlement.id);
}

function jsonPending(one: CloseReport['pending'][number], names: Names) {
  return {
    ...jsonSettlementKey(one, names),
    status: one.status,
    currency: one.currency,
    decimalPlaces: one.scale,
    payIn: jsonAmount(one.payIn, one.scale),
  };
}

function jsonBridge(line: BridgeLine) {
  const { account, currency, scale, isProven, opening, residual, closing, entries } = line;
  return {
    account,
    currency,
    decimalPlaces: scale,
    isProven,
    ...jsonAmounts({ opening, ...bridgeMinors(line), residual, closing }, scale),
    entries: entries.map((one) => {
      const { id, date } = one.entry;
      return { id, date, ...jsonAmounts(bridgeMinors(one), scale) };
    }),
  };
}

function bridgeMinors(figures: Omit<BridgeEntry, 'entry'>) {
  const { movement, cleared, over, charges: bankCharges, suspense, unrelated } = figures;
  return { movement, cleared, over, bankCharges, suspense, unrelated };
}

function jsonCheck({ currency, scale, closing, items, inTransit, suspense }: BooksControl) {
  const holds = closing === items && closing === inTransit;
  const amounts = jsonAmounts({ closing, items, inTransit, suspense }, scale);
  return { currency, decimalPlaces: scale, holds, ...amounts };
}

function jsonBlocker(one: Blocker) {
  return {
    code: one.code,
    forceable: isForceable(one),
    count: one.count,
    amounts: jsonSums(one.amounts),
    examples: one.examples.slice(0, mostExamples),
    message: blockerText(one),
    next: blockerNexts[one.code],
  };
}

const mostExamples = 10;
