import {
  type Blocker,
  type CloseReport,
  closeVerdict,
  isForceable,
  unexplainedAmounts,
} from '../../app/close-report.ts';
import type { ClosedRange } from '../../app/closed-range.ts';
import type { BridgeEntry, BridgeLine } from '../../books/bridge.ts';
import type { Clearing } from '../../books/clearing.ts';
import type { BooksControl } from '../../books/control.ts';
import {
  type OpenItem,
  type OpeningChange,
  type RollForwardLine,
  totalsOf,
} from '../../books/roll-forward.ts';
import type { Names, Settlement } from '../../model/settlement.ts';
import { businessDaysText } from '../bank/words.ts';
import { amountOf, type Column, field } from '../common/columns.ts';
import {
  jsonAccount,
  jsonAmount,
  jsonAmounts,
  jsonObject,
  jsonSettlementKey,
  jsonSums,
} from '../common/json.ts';
import { blockerNext, blockerText, closedSentence, closeNotes } from './words.ts';

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
export function rollForwardColumns(names: Names): readonly Column<RollForwardLine>[] {
  return [...field.account<RollForwardLine>(names, (line) => line.accountingToken), ...lineFigures];
}

/** A row an open pay-out. New columns go to the end. */
export function itemColumns(names: Names): readonly Column<OpenItem>[] {
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

/** The pay-outs of which something is in transit. */
export function openItems({ rollForward }: Pick<CloseReport, 'rollForward'>): readonly OpenItem[] {
  return rollForward.payouts.filter(({ open }) => open !== 0n);
}

/** What the report says of itself in JSON, and its lists by name. */
export function closeJson(report: CloseReport, closed: readonly ClosedRange[]) {
  const { names, rollForward, bridge, books, blockers, recorded } = report;
  return {
    about: {
      range: report.range,
      profile: report.profile ?? null,
      verdict: closeVerdict(report),
      businessDays: businessDaysText(report.bank),
      continues: rollForward.continues,
      takesZero: report.takesZero,
      closed: closed.map((one) => {
        const { number, from, to, at, by, note } = one.record;
        return { number, from, to, at, by, note, message: closedSentence(one) };
      }),
      recorded: recorded ? { number: recorded.number, at: recorded.at, by: recorded.by } : null,
      unexplained: jsonSums(unexplainedAmounts(blockers)),
      notes: closeNotes(report),
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

function jsonItem(names: Names) {
  const cells = jsonObject(itemColumns(names).filter(({ key }) => key !== 'settlement_id'));
  return (one: OpenItem) => ({ settlements: jsonIds(one.settlementIds), ...cells(one) });
}

function jsonIds(settlementIds: readonly string[]) {
  return settlementIds.map((id) => ({ id }));
}

function jsonChange(one: OpeningChange, names: Names) {
  const { settlementIds, date, reason, currency, scale, before, after } = one;
  return {
    ...{ settlements: jsonIds(settlementIds), date, reason },
    ...{ ...jsonAccount(one.accountingToken, names), currency, decimalPlaces: scale },
    ...jsonAmounts({ before, after, difference: after - before }, scale),
  };
}

function jsonSuspense(one: Clearing, names: Names) {
  const { date, match, settlement, accountingToken, currency, scale, over, short } = one;
  const settlements = settlement ? [settlement] : match.settlements.map((of) => of.settlement);
  return {
    ...{ date, settlements: settlements.map(({ id }) => ({ id })) },
    ...{ ...jsonAccount(accountingToken, names), currency, decimalPlaces: scale },
    ...jsonAmounts({ over, short }, scale),
  };
}

function jsonPending(one: Settlement, names: Names) {
  const { currency, scale, payIn, status } = one;
  const payInAmount = jsonAmount(payIn, scale);
  return {
    ...{ ...jsonSettlementKey(one, names), status, currency },
    ...{ decimalPlaces: scale, payIn: payInAmount },
  };
}

function jsonBridge(line: BridgeLine) {
  const { account, currency, scale, isProven, opening, residual, closing, entries } = line;
  return {
    ...{ account, currency, decimalPlaces: scale, isProven },
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
  const amounts = { closing, items, inTransit, suspense };
  const holds = amounts.closing === amounts.items && amounts.closing === amounts.inTransit;
  return { currency, decimalPlaces: scale, holds, ...jsonAmounts(amounts, scale) };
}

function jsonBlocker(one: Blocker) {
  const { code, count, amounts, examples } = one;
  return {
    ...{ code, forceable: isForceable(one), count },
    amounts: jsonSums(amounts),
    examples: examples.slice(0, mostExamples),
    ...{ message: blockerText(one), next: blockerNext(one) },
  };
}

const mostExamples = 10;
