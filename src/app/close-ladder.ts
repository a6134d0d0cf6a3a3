import { isDayIn } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import type { BooksControl } from '../books/control.ts';
import { type OpenItem, type RollForward, totalsOf } from '../books/roll-forward.ts';
import { type MonthLine, type MonthOfOrders, monthParts } from '../match/orders/month-orders.ts';
import { orderStates } from '../match/orders/order-match.ts';
import { type ClosedRung, openOf } from '../model/close.ts';
import { largestScales, type Money, rescale } from '../money/money.ts';
import { identityNames, payInOf } from '../reconcile/identity.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';

/** The lines of a ladder in order. The totals are figures that other reports have too; steps lie between them. */
export const ladderCodes = [
  'sold',
  ...monthParts,
  'gross',
  ...(['fees', 'tax', 'pay_in_difference'] as const),
  'pay_in',
  ...(['opening', 'changed', 'received', 'bank_charges', 'over', 'short'] as const),
  'in_transit',
  'not_booked',
  'in_books',
] as const;

export type LadderCode = (typeof ladderCodes)[number];

/** A total, or a signed step: what stands before a total adds up to it, and the first total begins. */
export interface LadderLine {
  readonly code: LadderCode;
  readonly isTotal: boolean;
  /** Of the orders or rows of a step. */
  readonly state?: MonthLine['state'];
  /** Of orders, rows, settlements or pay-outs; undefined where nothing is counted. */
  readonly count: number | undefined;
  /** At the scale of its ladder. */
  readonly minor: bigint;
}

/** The way of the money of a range in a currency, from what was sold to the books, exactly. */
export interface CloseLadder {
  readonly currency: string;
  readonly scale: number;
  readonly lines: readonly LadderLine[];
}

interface LadderInput {
  readonly rollForward: RollForward;
  readonly books: readonly BooksControl[];
  /** Absent without orders, or if not all of their rows were read: then a ladder begins with the gross. */
  readonly months: readonly MonthOfOrders[] | undefined;
  /** The settlements of the range; none for a close of before. */
  readonly settlements: readonly ReconciledSettlement[];
}

/** A ladder for each currency of the orders, the settlements and the books. */
export function closeLadders(input: LadderInput): readonly CloseLadder[] {
  const { rollForward, books, months = [] } = input;
  const totals = totalsOf(rollForward.lines);
  const own = books.filter((one) => one.closing !== 0n || one.inTransit !== 0n);
  const settled = new Set([...totals, ...own].map(({ currency }) => currency));
  const scales = largestScales([...totals, ...books, ...months]);
  return [...scales].sort().flatMap(([currency, scale]) => {
    const isOwn = (one: Pick<Money, 'currency'>) => one.currency === currency;
    const at = (minor: bigint, from = scale) => rescale(minor, from, scale);
    const month = months.find(isOwn);
    const sold = month ? ordersLines(month, at) : [];
    if (settled.has(currency)) {
      const rest = [...settlementLines(input, isOwn, at), ...bookLines(books.filter(isOwn), at)];
      return { currency, scale, lines: [...sold, ...rest] };
    }
    // Of a currency that no settlement has, only orders and single rows.
    const isShown = sold.some(({ minor }) => minor !== 0n);
    return isShown ? { currency, scale, lines: [...sold, total('gross', 0n, 0)] } : [];
  });
}

/** A ladder as lines of a record, each with its currency. */
export function rungsOf(ladders: readonly CloseLadder[]): readonly ClosedRung[] {
  return ladders.flatMap(({ currency, scale, lines }) =>
    lines.map(({ state = '', count, ...line }) => ({ ...line, currency, scale, state, count })),
  );
}

/** The ladders that a record keeps; none if one of their lines is not known, because another version wrote it. */
export function laddersKept(rungs: readonly ClosedRung[]): readonly CloseLadder[] {
  const ladders = [...groupedBy(rungs, ({ currency }) => currency)].map(([currency, those]) => ({
    currency,
    scale: those[0]?.scale ?? 0,
    lines: those.flatMap(({ isTotal, count, minor, ...one }): LadderLine | [] => {
      const code = ladderCodes.find((known) => known === one.code);
      const state = orderStates.find((known) => known === one.state);
      const isKnown = code && (state !== undefined || one.state === '');
      return isKnown ? { code, isTotal, state, count, minor } : [];
    }),
  }));
  const lines = ladders.reduce((sum, one) => sum + one.lines.length, 0);
  return lines === rungs.length ? ladders : [];
}

/** The ladders from what was sold in a range to the gross of its settlements. */
export function salesLadders(months: readonly MonthOfOrders[]): readonly CloseLadder[] {
  return months.map((month) => {
    const lines = [...ordersLines(month, (minor) => minor), total('gross', month.gross)];
    return { currency: month.currency, scale: month.scale, lines };
  });
}

type At = (minor: bigint, scale?: number) => bigint;
type IsOwn = (one: Pick<Money, 'currency'>) => boolean;

const total = (code: LadderCode, minor: bigint, count?: number): LadderLine => {
  return { code, isTotal: true, count, minor };
};

function ordersLines({ orders, sold, lines, scale }: MonthOfOrders, at: At): readonly LadderLine[] {
  return [
    total('sold', at(sold, scale), orders),
    ...lines.map(({ part: code, state, count, minor }): LadderLine => {
      return { code, isTotal: false, state, count, minor: at(minor, scale) };
    }),
  ];
}

/** From the gross to what is in transit, as the roll-forward has it. */
function settlementLines(
  { rollForward, settlements }: LadderInput,
  isOwn: IsOwn,
  at: At,
): readonly LadderLine[] {
  const { range, changes, payouts: all } = rollForward;
  const [line] = totalsOf(rollForward.lines.filter(isOwn));
  const payouts = all.filter(isOwn);
  const settled = payouts.filter((one) => isDayIn(range, one.date));
  const inRange = (name: 'received' | 'charges' | 'over' | 'short') =>
    countOf(payouts, (one) => one[name] !== one.before[name]);
  const figure = (name: keyof FigureNames) => at(line?.[name] ?? 0n, line?.scale);
  const identity = line && identityNames.find((one) => holds(one, line));
  const [fees, tax] = [
    identity ? payInOf(identity, 0n, figure('fees'), 0n) : 0n,
    identity ? payInOf(identity, 0n, 0n, figure('tax')) : 0n,
  ];
  const off = settlements.filter(({ settlement, difference }) => {
    return isOwn(settlement) && (difference?.payIn ?? 0n) !== 0n;
  });
  const step = (code: LadderCode, minor: bigint, count?: number): readonly LadderLine[] =>
    minor === 0n && !count && code !== 'received' ? [] : [{ code, isTotal: false, count, minor }];
  return [
    total('gross', figure('gross'), settled.length),
    ...step('fees', fees),
    ...step('tax', tax),
    ...step('pay_in_difference', figure('payInDifference'), off.length || undefined),
    total('pay_in', figure('settled'), settled.length),
    ...step(
      'opening',
      figure('opening'),
      countOf(payouts, (one) => isOpenBefore(one, range.from)),
    ),
    ...step('changed', figure('changed'), changes.filter(isOwn).length || undefined),
    ...step('received', -figure('received'), inRange('received')),
    ...step('bank_charges', -figure('charges'), inRange('charges')),
    ...step('over', figure('over'), inRange('over')),
    ...step('short', -figure('short'), inRange('short')),
    total(
      'in_transit',
      figure('closing'),
      countOf(payouts, ({ open }) => open !== 0n),
    ),
  ];
}

type FigureLine = ReturnType<typeof totalsOf>[number];
type FigureNames = Omit<FigureLine, 'accountingToken' | 'currency' | 'scale'>;

/** Whether an identity makes the pay-in of a line from its other figures: that of a close of before is not known. */
function holds(identity: (typeof identityNames)[number], line: FigureLine): boolean {
  const { settled, payInDifference, gross, fees, tax } = line;
  return settled - payInDifference === payInOf(identity, gross, fees, tax);
}

function isOpenBefore({ date, before }: OpenItem, from: string): boolean {
  return date < from && openOf(before) !== 0n;
}

function countOf(payouts: readonly OpenItem[], isMeant: (one: OpenItem) => boolean): number {
  return payouts.filter(isMeant).length;
}

function bookLines(books: readonly BooksControl[], at: At): readonly LadderLine[] {
  return books.flatMap(({ closing, inTransit, scale }) => {
    const minor = at(inTransit - closing, scale);
    const step = { code: 'not_booked', isTotal: false, count: undefined, minor } as const;
    return [...(minor === 0n ? [] : [step]), total('in_books', at(inTransit, scale))];
  });
}
