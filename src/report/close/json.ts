import { acceptedIn } from '../../app/close-accepted.ts';
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
import { type OpenItem, totalsOf } from '../../books/roll-forward.ts';
import type { AccruedSales } from '../../books/sale-month.ts';
import type { Account, CloseRecord } from '../../model/close.ts';
import type { Names } from '../../model/settlement.ts';
import { jsonFinding } from '../bank/view.ts';
import { businessDaysText } from '../bank/words.ts';
import { jsonAccount, jsonObject, jsonSettlementKey, jsonSums } from '../common/json.ts';
import { jsonCarried } from './carried.ts';
import { jsonAccepted, jsonChecklist, jsonLadder } from './month.ts';
import {
  changesSinceThis,
  itemColumns,
  lineFigures,
  openItems,
  rollForwardColumns,
  settlementIdsOf,
} from './records.ts';
import { blockerNext, blockerText, closedSentence, closeSummary, jsonPoints } from './words.ts';

/** The report in JSON: facts about it, and its lists by name. */
export function closeJson(report: CloseReport) {
  const { names, rollForward, bridge, books, blockers, recorded } = report;
  const { closed, notes } = closeSummary(report);
  return {
    about: {
      range: report.range,
      profile: report.profile,
      verdict: closeVerdict(report),
      businessDays: report.bank && businessDaysText(report.bank),
      continues: rollForward.continues,
      takesZero: report.takesZero,
      accruedSalesUntil: report.accruedSales?.until,
      closed: closed.map((one) => {
        const { number, from, to, at, by, note } = one.record;
        return { number, from, to, at, by, note, message: closedSentence(one) };
      }),
      recorded: recorded && jsonOfRecord(recorded),
      unexplained: recorded?.unexplained ?? jsonSums(unexplainedAmounts(blockers)),
      notes,
    },
    lists: {
      checklist: ['step', jsonChecklist(report)],
      ladders: ['ladder', report.ladders.map(jsonLadder)],
      lines: ['line', rollForward.lines.map(jsonObject(rollForwardColumns(names)))],
      totals: ['total', totalsOf(rollForward.lines).map(jsonObject(lineFigures))],
      items: ['item', openItems(report).map(jsonItem(names))],
      changes: ['change', rollForward.changes.map((one) => jsonChange(one, names))],
      changedSince: ['changedSince', changesSinceThis(report).map((one) => jsonChange(one, names))],
      toSuspense: ['toSuspense', rollForward.toSuspense.map((one) => jsonSuspense(one, names))],
      pending: ['pending', report.pending.map((one) => jsonPending(one, names))],
      bridge: ['bankAccount', bridge.map(jsonBridge)],
      checks: ['check', books.map(jsonCheck)],
      accruedSales: [
        'accrued',
        (report.accruedSales?.sums ?? []).map((one) => jsonAccrued(one, names)),
      ],
      blockers: ['blocker', blockers.map((one) => jsonBlocker(one, report))],
      carried: ['carried', report.carried.map(jsonCarried)],
      accepted: ['accepted', acceptedIn(report).map(jsonAccepted)],
      statementFindings: [
        'statementFinding',
        (report.bank?.statements.findings ?? []).map(jsonFinding),
      ],
    },
  } as const;
}

function jsonOfRecord(record: CloseRecord) {
  const { number, at, by, note } = record;
  return { number, at, by, note, forced: jsonPoints(record) };
}

function jsonItem(names: Names) {
  const cells = jsonObject(itemColumns(names).filter(({ key }) => key !== 'settlement_id'));
  return (one: OpenItem) => ({ settlements: jsonIds(one.settlementIds), ...cells(one) });
}

function jsonIds(settlementIds: readonly string[]) {
  return settlementIds.map((id) => ({ id }));
}

function jsonOwner({ accountingToken, currency, scale }: Account, names: Names) {
  return { ...jsonAccount(accountingToken, names), currency, scale };
}

function jsonChange(one: ChangeSinceClose, names: Names) {
  const { settlementId, date, reason, before, after } = one;
  const changed = tableOf(['gross', 'fees', 'tax', 'payIn'], (name) => changeOf(one, name));
  return {
    settlements: jsonIds([settlementId]),
    date,
    reason,
    ...jsonOwner(one, names),
    before: before.payIn,
    after: after.payIn,
    difference: changed.payIn,
    ...changed,
  };
}

function jsonSuspense(one: Clearing, names: Names) {
  const { date, over, short } = one;
  return {
    date,
    settlements: jsonIds(settlementIdsOf(one)),
    ...jsonOwner(one, names),
    over,
    short,
  };
}

function jsonPending(one: CloseReport['pending'][number], names: Names) {
  const { status, currency, scale, payIn } = one;
  return { ...jsonSettlementKey(one, names), status, currency, scale, payIn };
}

/** A bank account, and what makes up its movement. */
export function jsonBridge(line: BridgeLine) {
  const { account, currency, scale, isProven, opening, residual, closing, entries } = line;
  return {
    account,
    currency,
    scale,
    isProven,
    opening,
    ...bridgeMinors(line),
    residual,
    closing,
    entries: entries.map((one) => {
      const { id, date } = one.entry;
      return { id, date, ...bridgeMinors(one) };
    }),
  };
}

function bridgeMinors(figures: Omit<BridgeEntry, 'entry'>) {
  const { movement, cleared, over, charges: bankCharges, suspense, byRule, unrelated } = figures;
  return { movement, cleared, over, bankCharges, suspense, byRule, unrelated };
}

function jsonAccrued({ accountingToken, currency, minor, scale }: AccruedSales, names: Names) {
  return { ...jsonAccount(accountingToken, names), currency, scale, amount: minor };
}

function jsonCheck({ currency, scale, closing, items, inTransit, suspense }: BooksControl) {
  const holds = closing === items && closing === inTransit;
  return { currency, scale, holds, closing, items, inTransit, suspense };
}

function jsonBlocker(one: Blocker, report: CloseReport) {
  return {
    code: one.code,
    forceable: isForceable(one),
    count: one.count,
    amounts: jsonSums(one.amounts),
    examples: one.items.slice(0, mostExamples).map(({ id }) => id),
    message: blockerText(one),
    next: blockerNext(one, report),
  };
}

const mostExamples = 10;
