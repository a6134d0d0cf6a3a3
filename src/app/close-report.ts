import { addDays, daysOf, isDayIn } from '../base/calendar.ts';
import { tableOf } from '../base/lists.ts';
import type { BridgeLine } from '../books/bridge.ts';
import type { OpeningAmount } from '../books/carried.ts';
import type { Clearing } from '../books/clearing.ts';
import type { BooksControl } from '../books/control.ts';
import type { OpenItem, RollForward } from '../books/roll-forward.ts';
import type { AccruedSales } from '../books/sale-month.ts';
import { acceptingLine } from '../match/bank-acceptance.ts';
import type { BankMatch } from '../match/match.ts';
import { openOrderStates } from '../match/orders/order-match.ts';
import type { DecisionMade } from '../model/accepted-difference.ts';
import { placeText, type StatementFindingCode } from '../model/bank.ts';
import type { CloseDigest, ClosedSettlement, CloseRecord, PointItem } from '../model/close.ts';
import type { Settlement } from '../model/settlement.ts';
import { type Money, rescale } from '../money/money.ts';
import { raisesAlarm } from '../reconcile/acceptance.ts';
import { isOverdue } from '../reconcile/as-reported.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { type BankReport, isOpenOn, openStates } from './bank-report.ts';
import type { NextBooking, OwedEntries } from './book-batch.ts';
import type { CloseLadder } from './close-ladder.ts';
import type { ClosedRange } from './closed-range.ts';
import type { Decision } from './decisions.ts';
import type { FeesReport } from './fees-report.ts';
import type { OrdersReport } from './orders-report.ts';

export interface CloseReport extends Pick<BankReport, 'range' | 'profile' | 'names' | 'flags'> {
  readonly run: ReconciledRun;
  /** All days since the books begin, or since the last close; absent for a close of before. */
  readonly bank: BankReport | undefined;
  readonly rollForward: RollForward;
  readonly bridge: readonly BridgeLine[];
  readonly clearings: readonly Clearing[];
  readonly books: readonly BooksControl[];
  /** What was sold by the end of the range and settled in a later month, as far as was read; absent if not booked. */
  readonly accruedSales?:
    | { readonly until: string; readonly sums: readonly AccruedSales[] }
    | undefined;
  /** Settlements up to the end of the range that are not settled. */
  readonly pending: readonly Pick<Settlement, Exclude<keyof ClosedSettlement, 'rows'>>[];
  readonly blockers: readonly Blocker[];
  readonly closes: readonly CloseRecord[];
  /** The closes over days of the range. */
  readonly closed: readonly ClosedRange[];
  /** What a record of this close keeps of settlements. */
  readonly known: readonly ClosedSettlement[];
  /** Whether the opening is taken as 0 because it is not known. */
  readonly takesZero: boolean;
  readonly decisions: readonly Decision[];
  /** Short explanations of pay-in differences, by settlement id; empty if none were searched for. */
  readonly causes: ReadonlyMap<string, string>;
  readonly digests: readonly CloseDigest[];
  /** What people decided of the range. */
  readonly decisionsMade: readonly DecisionMade[];
  /** What earlier closes were forced over and is still open. */
  readonly carried: readonly CarriedPoint[];
  /** The orders and the fees of the range, where the settings ask for them. */
  readonly orders: OrdersReport | undefined;
  readonly fees: FeesReport | undefined;
  /** How what the register of bookings lacks is booked; absent without a register. */
  readonly booking: NextBooking | undefined;
  /** From what was sold to the books, by currency. */
  readonly ladders: readonly CloseLadder[];
  /** The close as it is recorded, by this run or before, and the file of the register. */
  readonly recorded: CloseRecord | undefined;
  readonly register?: string | undefined;
  /** The registers that the command line names, for suggested commands. */
  readonly named?: Readonly<Record<'accepted' | 'closes' | 'booked', string | undefined>>;
  /** Of one of several profiles, the flags with which a suggested command asks all of them. */
  readonly flagsOfAll?: string;
  /** The file to which the decisions were written as a list. */
  readonly list?: string | undefined;
}

/** Reasons against closing that --force does not lift. */
export const unforceableCodes = [
  'incomplete',
  'balance_break',
  'statement_gap',
  'residual',
  'check_failed',
  'statements_end',
  'not_over',
  'already_closed',
  'gap',
  'not_booked',
] as const;

/** The code of an order's state that needs a decision. */
const codeOfOrder = <State extends string>(state: State) => `order_${state}` as const;

/** Reasons against closing that --force with a note lifts. */
export const forceableCodes = [
  'opening_not_set',
  ...openOrderStates.map(codeOfOrder),
  'out_of_balance',
  'currency',
  'finding',
  'overcharged',
  ...openStates,
  'not_covered',
  'overdue',
] as const;

export type BlockerCode = (typeof unforceableCodes)[number] | (typeof forceableCodes)[number];

export interface Blocker {
  readonly code: BlockerCode;
  readonly count: number;
  readonly amounts: readonly Money[];
  /** The settlements, entries, orders or accounts. */
  readonly items: readonly PointItem[];
}

/** What an earlier close was forced over and is still open, with the amounts of then. */
export interface CarriedPoint extends PointItem {
  readonly record: CloseRecord;
  readonly code: (typeof forceableCodes)[number];
  /** Whether it is among what stands against the present close: then it is counted there. */
  readonly isCounted: boolean;
}

export function isForceable({ code }: Pick<Blocker, 'code'>): boolean {
  return forceableCodes.some((one) => one === code);
}

/** How many things are to decide or, of kinds that no decision lifts, how many kinds are to put right. */
export function toSettle(points: readonly Pick<Blocker, 'code' | 'count'>[]) {
  // A transaction in another currency is decided with its settlement, which is out of balance.
  const decided = points.filter((one) => isForceable(one) && one.code !== 'currency');
  const toPutRight = points.filter((one) => !isForceable(one)).length;
  return { toPutRight, toDecide: decided.reduce((sum, { count }) => sum + count, 0) };
}

/** All amounts that need a decision. */
export function unexplainedAmounts(blockers: readonly Blocker[]): readonly Money[] {
  return blockers.filter(isForceable).flatMap(({ amounts }) => amounts);
}

interface CloseState
  extends Pick<
    CloseReport,
    'range' | 'run' | 'rollForward' | 'bridge' | 'books' | 'orders' | 'fees'
  > {
  readonly bank: BankReport;
  readonly closedThrough: string | undefined;
  readonly openingNotSet: readonly OpeningAmount[];
  /** The closes that end before the range. */
  readonly closes: readonly CloseRecord[];
  /** YYYY-MM-DD, in the time zone of the profile. */
  readonly today: string;
  /** The settlements of the days before the range that were read. */
  readonly earlier: readonly ReconciledSettlement[];
  /** The settlements after the range, if they were read. */
  readonly later: Pick<ReconciledRun, 'settlements' | 'findings'> | undefined;
  /** What the register of bookings lacks; absent without a register. */
  readonly owed: OwedEntries | undefined;
}

/** The reasons against closing a range: first those that --force does not lift. */
export function blockersOf(state: CloseState): readonly Blocker[] {
  const found = { ...unforceableFaults(state), ...forceableFaults(state) };
  return [...unforceableCodes, ...forceableCodes].flatMap((code) => {
    const own = found[code] ?? [];
    if (own.length === 0) return [];
    const count = own.reduce((sum, one) => sum + (one.count ?? 1), 0);
    const items = own.map(({ example: id, amounts = [] }) => ({ id, amounts }));
    return { code, count, items, amounts: items.flatMap(({ amounts }) => amounts) };
  });
}

/** One thing, or several of one example. */
interface Fault {
  readonly example: string;
  readonly count?: number;
  readonly amounts?: readonly Money[];
}

type Faults = Readonly<Partial<Record<BlockerCode, readonly Fault[]>>>;

const named = (example: string): Fault => ({ example });

function unforceableFaults(state: CloseState): Faults {
  const { range, bridge, books, closedThrough, today, owed } = state;
  const isOwed = owed !== undefined && owed.ids.length > 0;
  const failed = books.filter(({ inTransit, closing, items }) => {
    return inTransit !== closing || items !== closing;
  });
  const unproven = bridge.filter(({ isProven }) => !isProven).map(({ account }) => account);
  const daysThat = (isMeant: (day: string) => boolean) => [...daysOf(range)].filter(isMeant);
  const leftOut =
    closedThrough === undefined
      ? []
      : daysOf({ from: addDays(closedThrough, 1), to: addDays(range.from, -1) });
  return {
    incomplete: unreadIn(state).map(named),
    balance_break: brokenStatements(state, 'balance_break', 'overlap_break'),
    statement_gap: [...brokenStatements(state, 'statement_gap'), ...jumpsSinceClose(state)],
    residual: bridge.flatMap(({ account: example, residual: minor, currency, scale }) =>
      minor === 0n ? [] : { example, amounts: [{ minor, currency, scale }] },
    ),
    check_failed: (isOwed ? [] : failed).map(({ currency, scale, inTransit, closing, items }) => {
      const minor = (inTransit === closing ? items : inTransit) - closing;
      return { example: currency, amounts: [{ minor, currency, scale }] };
    }),
    statements_end: (bridge.length === 0 ? [range.to] : unproven).map(named),
    not_over: daysThat((day) => day >= today).map(named),
    already_closed: daysThat((day) => day <= (closedThrough ?? '')).map(named),
    gap: [...leftOut].map(named),
    not_booked: isOwed
      ? owed.ids.map((example, at) => ({ example, amounts: at === 0 ? owed.amounts : [] }))
      : [],
  };
}

function unreadIn({ range, run, bank, earlier, later, orders }: CloseState): readonly string[] {
  const all = [...earlier, ...run.settlements, ...(later?.settlements ?? [])];
  const unread = all.filter(({ verdict }) => verdict === 'incomplete');
  const findings = [...run.findings, ...(later?.findings ?? []), ...bank.findings];
  return [
    ...unread.map(({ settlement }) => settlement.id),
    ...findings.filter(({ weight }) => weight === 'incomplete').map(({ code }) => code),
    ...bank.statements.findings
      .filter((one) => isOpenOn(range, one))
      .map(({ place }) => placeText(place)),
    ...(orders?.orders.unreadable ?? []).map(({ place }) => placeText(place)),
    ...(orders?.read.complete === false ? ['orders'] : []),
  ];
}

function brokenStatements(
  { range, bank }: CloseState,
  ...codes: readonly StatementFindingCode[]
): readonly Fault[] {
  const broken = bank.statements.findings.filter(
    (one) => codes.includes(one.code) && one.to >= range.from,
  );
  return broken.map((one) => {
    const { difference: minor, currency, scale } = one;
    const amounts = minor === undefined ? [] : [{ minor, currency, scale }];
    return { example: placeText(one.place), amounts };
  });
}

/** The bank accounts whose opening balance is not the closing balance of the last close. */
function jumpsSinceClose({ rollForward, bridge, closes }: CloseState): readonly Fault[] {
  const last = rollForward.continues ? closes.at(-1) : undefined;
  return bridge.flatMap(({ account, currency, scale: own, opening }) => {
    const closed = last?.bankAccounts.find(
      (one) => one.account === account && one.currency === currency,
    );
    if (closed?.closing === undefined || opening === undefined) return [];
    // Statements of other days may have other decimals.
    const scale = Math.max(own, closed.scale);
    const minor = rescale(opening, own, scale) - rescale(closed.closing, closed.scale, scale);
    return minor === 0n ? [] : { example: account, amounts: [{ minor, currency, scale }] };
  });
}

function forceableFaults(state: CloseState): Faults {
  const open = decisionsOnBank(state);
  return {
    opening_not_set: state.openingNotSet.map((one) => {
      return { example: one.accountingToken, amounts: [one] };
    }),
    ...faultsFound(state),
    ...tableOf(undecidedStates, (state) =>
      open.filter((one) => one.state === state).flatMap(faultsOnBank),
    ),
  };
}

/** What was read of some days, apart from the bank. */
export interface FoundFaults {
  readonly run: Pick<ReconciledRun, 'settlements' | 'findings'>;
  readonly orders: OrdersReport | undefined;
  readonly fees: Pick<FeesReport, 'fees'> | undefined;
}

/** What needs a decision of orders, settlements and fees. */
export function faultsFound({ run, orders, fees }: FoundFaults): Faults {
  const off = run.settlements.filter(raisesAlarm);
  return {
    ...(orders && orderFaults(orders)),
    overcharged: (fees?.fees.differences ?? []).flatMap(({ settlement: { id }, claim, line }) => {
      const { scale, currency } = line;
      return claim > 0n ? { example: id, amounts: [{ minor: claim, scale, currency }] } : [];
    }),
    out_of_balance: off.map(({ settlement: { id, currency }, scale, difference }) => {
      const minor = difference?.payIn ?? 0n;
      return { example: id, amounts: minor === 0n ? [] : [{ minor, scale, currency }] };
    }),
    currency: off.flatMap(({ settlement: { id }, discrepancies }) =>
      discrepancies.flatMap(({ code, count, facts }) => {
        if (code !== 'currency') return [];
        return { example: id, count, amounts: facts.totals.map(({ gross }) => gross) };
      }),
    ),
    finding: run.findings.flatMap(({ weight, code }) =>
      weight === 'discrepancy' ? named(code) : [],
    ),
    // Like what is missing on the bank: not received, but expected.
    overdue: run.settlements.filter(isOverdue).map(({ settlement }) => {
      const { id, payIn, scale, currency } = settlement;
      const minor = -payIn;
      return { example: id, amounts: [{ minor, scale, currency }] };
    }),
  };
}

/** The orders of the range that need a decision. Rows that may be of several are decided with these. */
function orderFaults({ matching: { orders, inState, match } }: OrdersReport): Faults {
  return Object.fromEntries(
    openOrderStates.map((state) => [
      codeOfOrder(state),
      inState(state)
        .filter((number) => number < orders)
        .map((number): Fault => {
          const { reference: example, currency, scale, difference: minor = 0n } = match(number);
          return { example, amounts: minor === 0n ? [] : [{ minor, currency, scale }] };
        }),
    ]),
  );
}

/**
 * The settlements of a match, or else its entries; the first one has the amount of the match. It is one thing to
 * decide, unless it is not known which of the settlements an entry belongs to.
 */
function faultsOnBank(match: BankMatch): readonly Fault[] {
  const { settlements, entries } = match;
  const ids =
    settlements.length > 0
      ? settlements.map(({ settlement }) => settlement.id)
      : entries.map(({ entry }) => entry.id);
  return ids.map((example, at) => ({
    example,
    count: at === 0 || match.state === 'ambiguous' ? 1 : 0,
    amounts: at === 0 ? [amountOf(match)] : [],
  }));
}

/** States of pay-outs and entries that need a decision by the end of a range. */
export const undecidedStates = [...openStates, 'not_covered'] as const;

/** The matches by the end of a range that need a decision. */
export function decisionsOnBank({
  bank: { matching, accepted },
  range,
  rollForward,
}: Pick<CloseState, 'bank' | 'range' | 'rollForward'>): readonly BankMatch[] {
  const carried = carriedItems(rollForward);
  // Also of pay-outs before the books, by what the range has for them.
  const before = matching.outside.filter(({ entries }) =>
    entries.some(({ entry }) => isDayIn(range, entry.date)),
  );
  return [...matching.matches, ...before].filter((match) => {
    const { state, settlements, entries } = match;
    const isOf =
      settlements.length > 0
        ? settlements.some(({ settlement }) => settlement.date <= range.to)
        : entries.some(({ entry }) => isDayIn(range, entry.date));
    const isOpen = !acceptingLine(match, accepted) && !isCleared(match, carried);
    return isOf && isOpen && undecidedStates.some((one) => one === state);
  });
}

/** The pay-outs of which money was received before the range, by settlement. */
function carriedItems({ payouts, continues }: RollForward): ReadonlyMap<string, OpenItem> {
  const carried = payouts.filter(({ before }) => continues && before.received !== 0n);
  return new Map(carried.flatMap((one) => one.settlementIds.map((id) => [id, one])));
}

/** Whether what was received before makes a match right, though the statements of then are not at hand. */
function isCleared({ settlements }: BankMatch, carried: ReadonlyMap<string, OpenItem>): boolean {
  const items = settlements.map(({ settlement }) => carried.get(settlement.id));
  return (
    items.length > 0 &&
    items.every(
      (one) => one?.open === 0n && one.over === one.before.over && one.short === one.before.short,
    )
  );
}

/** Received − expected, as decisions have it: what has not arrived is less, what nobody expects is more. */
function amountOf({ expected, received, currency, scale }: BankMatch): Money {
  return { minor: received - expected, currency, scale };
}

/** The state of a range: `incomplete` if not all was read. */
export type CloseVerdict = 'ready' | 'not_ready' | 'incomplete' | 'closed';

/** The verdict. If the close is recorded, the range is closed, even if it was forced. */
export function closeVerdict({ blockers, recorded }: CloseReport): CloseVerdict {
  if (recorded) return 'closed';
  if (blockers.some(({ code }) => code === 'incomplete')) return 'incomplete';
  return blockers.length === 0 ? 'ready' : 'not_ready';
}
