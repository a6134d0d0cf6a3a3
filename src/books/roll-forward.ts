import { daysBetween, isDayIn, spanOf } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import { byText, inOrderOf } from '../base/texts.ts';
import type { BusinessDays } from '../match/business-days.ts';
import { type BankMatch, type BankState, isExplained } from '../match/match.ts';
import type { Purpose } from '../model/account-mapping.ts';
import {
  type Account,
  type CloseRecord,
  openOf,
  type PayoutAtCutOff,
  type RollForwardFigures,
} from '../model/close.ts';
import type { JournalEntry } from '../model/journal-entry.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import { maxScale, rescale, sumAt } from '../money/money.ts';
import { type IdentityName, payInOf } from '../reconcile/identity.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import {
  type Carried,
  type CarriedFigures,
  type ClearedFigures,
  type Clearing,
  clearedBy,
  clearedFigures,
  noFigures,
  withOver,
} from './clearing.ts';
import { postedFor } from './entry.ts';

/** What was in transit when the books begin. */
export interface OpeningAmount extends Account {
  readonly minor: bigint;
}

/** What a roll-forward starts from. */
export interface Basis {
  /** The day before the books begin, or the last day that was closed. */
  readonly through: string;
  readonly opening: readonly OpeningAmount[];
  /** The closes in force, in order; none before the first one. */
  readonly closes: readonly CloseRecord[];
}

/** A roll-forward: what a range did to the money in transit. */
export interface RollForward {
  readonly range: DateRange;
  /** By currency and accounting token; what several have in common stands last. */
  readonly lines: readonly RollForwardLine[];
  /** Differences from what the last close recorded. */
  readonly changes: readonly OpeningChange[];
  /** Whether the range begins on the day after the last close. */
  readonly continues: boolean;
  /** All pay-outs at its end, also those of which nothing is in transit. */
  readonly payouts: readonly OpenItem[];
  /** The movements of the range from in transit to suspense. */
  readonly toSuspense: readonly Clearing[];
}

export interface RollForwardLine extends Account, RollForwardFigures {
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  /** Reported − computed. */
  readonly payInDifference: bigint;
}

/** A pay-out at the end of a range. */
export interface OpenItem extends PayoutAtCutOff {
  /** Its part that is in transit. */
  readonly open: bigint;
  /** What had cleared it before the range. */
  readonly before: ClearedFigures;
  /** The last due day; empty for what was in transit before the books begin. */
  readonly dueUntil: string;
  readonly ageDays: number;
  /** Days since the last due day; 0 in time. */
  readonly daysLate: number;
  /** Whether it differs from what the closes recorded. */
  readonly isChanged: boolean;
  /** By all statements that are known now, later ones too. */
  readonly state: BankState | undefined;
}

/** Why a pay-out differs from what was recorded: by its settlement, or by the bank statements. */
export type ChangeReason = 'restated' | 'late' | 'gone' | 'bank';

export interface OpeningChange extends Account {
  readonly settlementIds: readonly string[];
  readonly date: string;
  readonly reason: ChangeReason;
  readonly before: bigint;
  readonly after: bigint;
}

interface RollForwardInput {
  readonly range: DateRange;
  readonly basis: Basis;
  /** As the clearings were made with it. */
  readonly carried: Carried | undefined;
  /** All that are settled, as they are now, from the first day that was closed or is in the books. */
  readonly settlements: readonly Settlement[];
  /** Those of the range. */
  readonly reconciled: readonly ReconciledSettlement[];
  readonly identity: IdentityName;
  readonly matches: readonly BankMatch[];
  readonly clearings: readonly Clearing[];
  readonly businessDays: BusinessDays;
}

/** Pay-outs as the closes left them, by key. */
export function payoutsClosed({
  closes,
}: Pick<Basis, 'closes'>): ReadonlyMap<string, PayoutAtCutOff> {
  return new Map(closes.flatMap(({ payouts }) => payouts.map((one) => [keyOf(one), one])));
}

/** What was in transit at the beginning, by accounting token and currency. */
export function openingAmounts({ closes, opening }: Basis): readonly OpeningAmount[] {
  const last = closes.at(-1);
  return last ? last.lines.map(({ closing: minor, ...line }) => ({ ...line, minor })) : opening;
}

/** What the closes carry forward; undefined if nothing was closed before. */
export function carriedFrom(
  basis: Basis | undefined,
  matches: readonly BankMatch[],
): Carried | undefined {
  if (!basis || basis.closes.length === 0) return undefined;
  const { through } = basis;
  const closed = payoutsClosed(basis);
  const shared = bySettlement([...closed.values()].filter((one) => !isSingle(one)));
  const receivedEarly = earlyReceipts(matches, through);
  return {
    through,
    isReadAgain: readAgain(closed, through),
    of: ({ id }) => closed.get(id) ?? receivedEarly(id),
    ofAll: (settlements) => settlements.map(({ id }) => shared.get(id)).find((one) => one),
  };
}

function bySettlement(payouts: Iterable<PayoutAtCutOff>): ReadonlyMap<string, PayoutAtCutOff> {
  return new Map([...payouts].flatMap((one) => one.settlementIds.map((id) => [id, one] as const)));
}

/** Whether a pay-out is one settlement; others are what several have in common, or an opening amount. */
function isSingle({ settlementIds }: PayoutAtCutOff): boolean {
  return settlementIds.length === 1;
}

/**
 * Whether the entries of a match that are read now are all that the closes count as received. Then what
 * was short or over is computed from the pay-in of today, which may be restated.
 */
function readAgain(closed: ReadonlyMap<string, PayoutAtCutOff>, through: string) {
  const payoutOf = bySettlement(closed.values());
  return ({ settlements, entries, scale, difference }: BankMatch): boolean => {
    const ids = new Set(settlements.map(({ settlement }) => settlement.id));
    const payouts = new Set([...ids].map((id) => payoutOf.get(id)));
    const read = entries.filter(({ entry }) => entry.status === 'booked' && entry.date <= through);
    if (payouts.has(undefined) || difference === undefined || read.length === 0) return false;
    const recorded = [...payouts].flatMap((one) => one ?? []);
    return (
      recorded.every((one) => one.settlementIds.every((id) => ids.has(id))) &&
      rescale(
        read.reduce((sum, { amount }) => sum + amount, 0n),
        scale,
        maxScale,
      ) === sumAt(maxScale, recorded, ({ received }) => received)
    );
  };
}

/** What the bank had received by a day for settlements that the closes do not have: it stands on suspense. */
function earlyReceipts(matches: readonly BankMatch[], through: string) {
  const matchOf = new Map(
    matches
      .filter((match) => match.settlements.length === 1 && isExplained(match))
      .map((match) => [match.settlements[0]?.settlement.id, match]),
  );
  return (id: string): CarriedFigures | undefined => {
    const { entries = [], scale = 0 } = matchOf.get(id) ?? {};
    const early = entries.filter(({ entry }) => entry.date <= through);
    const received = early.reduce((sum, { amount }) => sum + amount, 0n);
    return received === 0n ? undefined : { scale, received, charges: 0n, short: 0n };
  };
}

/** What a range did to the money in transit, and where each pay-out stood at its end. */
export function rollForward(input: RollForwardInput): RollForward {
  const { range, basis, clearings } = input;
  const closed = payoutsClosed(basis);
  const units = unitsOf(input, closed);
  const payouts = payoutsAtStart(input, closed, units);
  const clear = (one: Clearing) => addClearing(payouts, one, units, basis.through);
  for (const one of clearings.filter(({ date }) => date < range.from)) clear(one);
  const opening = new Map(payouts);
  const inRange = clearings.filter(({ date }) => isDayIn(range, date));
  for (const one of inRange) clear(one);
  const last = basis.closes.at(-1);
  const continues = last !== undefined && daysBetween(last.to, range.from) === 1;
  const before = [...opening.values()].filter(({ date }) => date < range.from);
  const now = new Map(input.settlements.map((one) => [one.id, one]));
  const changes = continues ? changesOf(before, closed, now, units) : [];
  const recorded = continues ? last : undefined;
  return {
    range,
    changes,
    continues,
    lines: linesOf({ ...input, before, inRange, changes, recorded }, units),
    payouts: itemsOf(payouts, opening, closed, now, input, units),
    toSuspense: inRange.filter(({ over, short }) => over !== 0n || short !== 0n),
  };
}

/** One scale for each currency: the most decimal places of any of its amounts. */
interface Units {
  /** An amount at the scale of its currency. */
  readonly at: (of: Omit<Account, 'accountingToken'>, minor: bigint) => bigint;
  readonly account: (of: Omit<Account, 'scale'>) => Account;
}

function unitsOf(input: RollForwardInput, closed: ReadonlyMap<string, PayoutAtCutOff>): Units {
  const { settlements, clearings, basis } = input;
  const computed = input.reconciled.map(({ scale, settlement }) => ({ ...settlement, scale }));
  const known = [...settlements, ...computed, ...clearings, ...basis.opening, ...closed.values()];
  const scales = scalesOf(known);
  return {
    at: ({ currency, scale }, minor) => rescale(minor, scale, scales.get(currency) ?? scale),
    account: ({ accountingToken, currency }) => {
      return { accountingToken, currency, scale: scales.get(currency) ?? 0 };
    },
  };
}

/** Pay-outs as the opening, the closes and the settlements have them, before any clearing. */
function payoutsAtStart(
  { range, basis, carried, settlements, matches }: RollForwardInput,
  closed: ReadonlyMap<string, PayoutAtCutOff>,
  { at, account }: Units,
): Map<string, PayoutAtCutOff> {
  const readAgain = new Set(
    matches
      .filter((match) => carried?.isReadAgain?.(match))
      .flatMap((match) => match.settlements.map(({ settlement }) => settlement.id)),
  );
  const listed = new Set(settlements.map(({ id }) => id));
  const isCarried = (id: string) => listed.has(id) && !readAgain.has(id);
  const openings = basis.closes.length > 0 ? [] : basis.opening;
  const lumps = openings.map((one): PayoutAtCutOff => {
    const payIn = at(one, one.minor);
    return { ...noMoves, ...account(one), settlementIds: [], date: basis.through, payIn };
  });
  const kept = [...closed.values()].filter(
    (one) => !isSingle(one) && one.settlementIds.every(isCarried),
  );
  const known = settlements.filter((one) => isKnown(basis, one) && one.date <= range.to);
  const single = known.map((one): PayoutAtCutOff => {
    const { id, date } = one;
    const was = date <= basis.through && isCarried(id) ? carried?.of(one) : undefined;
    const { received = 0n, charges = 0n, short = 0n, scale = 0 } = was ?? {};
    const of = { currency: one.currency, scale };
    const figures = { received: at(of, received), charges: at(of, charges), short: at(of, short) };
    const payIn = at(one, one.payIn);
    return { ...account(one), settlementIds: [id], date, payIn, ...withOver(payIn, figures) };
  });
  const rescaled = kept.map((one) => {
    return { ...one, payIn: at(one, one.payIn), ...movesAt(one, at), ...account(one) };
  });
  return new Map([...lumps, ...rescaled, ...single].map((one) => [keyOf(one), one]));
}

/** Whether the books know a settlement: others are part of what was in transit when they begin. */
function isKnown({ closes, through }: Basis, { date }: Settlement): boolean {
  return date > through || date >= (closes[0]?.from ?? '9999');
}

function movesAt(one: ClearedFigures & Omit<Account, 'accountingToken'>, at: Units['at']) {
  return clearedFigures((name) => at(one, one[name]));
}

/** Adds a movement to its settlement, to what several have in common, or to the opening of its account. */
function addClearing(
  payouts: Map<string, PayoutAtCutOff>,
  clearing: Clearing,
  { at, account }: Units,
  through: string,
): void {
  if (clearedBy(clearing) === 0n && clearing.over === 0n) return;
  const { settlement, match } = clearing;
  const shared = settlement ? [] : match.settlements.map((one) => one.settlement);
  const settlementIds = shared.map(({ id }) => id);
  const isOwn = settlement !== undefined && payouts.has(settlement.id);
  const key = isOwn ? settlement.id : keyOf({ ...clearing, settlementIds });
  const date = shared[0]?.date ?? through;
  const before = payouts.get(key) ?? { ...noMoves, ...account(clearing), settlementIds, date };
  const moves = movesAt(clearing, at);
  payouts.set(key, { ...before, ...clearedFigures((name) => before[name] + moves[name]) });
}

/** Pay-outs at the end of the range. */
function itemsOf(
  payouts: ReadonlyMap<string, PayoutAtCutOff>,
  opening: ReadonlyMap<string, PayoutAtCutOff>,
  closed: ReadonlyMap<string, PayoutAtCutOff>,
  now: ReadonlyMap<string, Settlement>,
  { range, matches, businessDays }: RollForwardInput,
  { at }: Units,
): readonly OpenItem[] {
  const states = new Map(
    matches.flatMap((match) => match.settlements.map((one) => [one.settlement.id, match.state])),
  );
  const isChanged = (key: string, one: PayoutAtCutOff) => {
    const was = closed.get(key);
    const names = ['payIn', 'received', 'charges', 'over', 'short'] as const;
    return !was || names.some((name) => at(was, was[name]) !== one[name]);
  };
  const items = [...payouts].map(([key, one]): OpenItem => {
    const settled = one.settlementIds.flatMap((id) => now.get(id) ?? []);
    const dueUntil = spanOf(settled.map((of) => businessDays.daysDue(of).to))?.to ?? '';
    return {
      ...one,
      open: openOf(one),
      before: opening.get(key) ?? noMoves,
      isChanged: isChanged(key, one),
      dueUntil,
      ageDays: Math.max(0, daysBetween(one.date, range.to)),
      daysLate: dueUntil === '' ? 0 : Math.max(0, daysBetween(dueUntil, range.to)),
      state: states.get(one.settlementIds[0] ?? ''),
    };
  });
  return items.sort(inOrderOf(({ date, settlementIds }) => [date, ...settlementIds]));
}

const noMoves = { payIn: 0n, ...noFigures };

/** The settlements of a pay-out, or the account whose opening it is. */
function keyOf({
  settlementIds,
  accountingToken,
  currency,
}: Pick<PayoutAtCutOff, 'settlementIds' | 'accountingToken' | 'currency'>): string {
  return settlementIds.length > 0
    ? settlementIds.join(' ')
    : JSON.stringify([accountingToken, currency]);
}

/** The most decimal places of each currency. */
function scalesOf(all: readonly Omit<Account, 'accountingToken'>[]): ReadonlyMap<string, number> {
  const scales = new Map<string, number>();
  for (const { currency, scale } of all) {
    scales.set(currency, Math.max(scale, scales.get(currency) ?? 0));
  }
  return scales;
}

function changesOf(
  before: readonly PayoutAtCutOff[],
  closed: ReadonlyMap<string, PayoutAtCutOff>,
  now: ReadonlyMap<string, Settlement>,
  { at, account }: Units,
): readonly OpeningChange[] {
  const today = new Map(before.map((one) => [keyOf(one), one]));
  return [...new Set([...closed.keys(), ...today.keys()])].flatMap((key): OpeningChange | [] => {
    const [was, is] = [closed.get(key), today.get(key)];
    const one = is ?? was;
    const [openThen, openNow] = [was ? at(was, openOf(was)) : 0n, is ? openOf(is) : 0n];
    if (!one || openThen === openNow) return [];
    const { settlementIds, date } = one;
    const isGone = settlementIds.some((id) => !now.has(id));
    const isRestated = was && is && at(was, was.payIn) !== is.payIn;
    const reason = isGone ? 'gone' : !was ? 'late' : isRestated ? 'restated' : 'bank';
    return { ...account(one), settlementIds, date, reason, before: openThen, after: openNow };
  });
}

interface LinesInput extends RollForwardInput, Pick<RollForward, 'changes'> {
  /** The pay-outs of earlier days at the beginning of the range, and its movements. */
  readonly before: readonly PayoutAtCutOff[];
  readonly inRange: readonly Clearing[];
  /** The close that the range continues. */
  readonly recorded: CloseRecord | undefined;
}

function linesOf(input: LinesInput, { at, account }: Units): readonly RollForwardLine[] {
  const { before, inRange, changes, recorded, settlements, range } = input;
  const figures = new Map(input.reconciled.map((one) => [one.settlement.id, one]));
  const lines = new Map<string, RollForwardLine>();
  const add = (to: Omit<Account, 'scale'>, more: Partial<Omit<RollForwardLine, keyof Account>>) => {
    const key = JSON.stringify([to.accountingToken, to.currency]);
    const line = { ...(lines.get(key) ?? { ...emptyLine, ...account(to) }) };
    for (const [name, minor] of Object.entries(more)) {
      line[name as keyof typeof emptyLine] += minor;
    }
    lines.set(key, line);
  };
  if (recorded) {
    for (const one of recorded.lines) add(one, { opening: at(one, one.closing) });
    for (const one of changes) add(one, { changed: one.after - one.before });
  } else {
    for (const one of before) add(one, { opening: openOf(one) });
  }
  for (const one of settlements.filter(({ date }) => isDayIn(range, date))) {
    const settled = at(one, one.payIn);
    const parts = partsOf(one, figures.get(one.id));
    const [gross, fees, tax] = [
      at(parts, parts.gross),
      at(parts, parts.fees),
      at(parts, parts.tax),
    ];
    const payInDifference = settled - payInOf(input.identity, gross, fees, tax);
    add(one, { settled, gross, fees, tax, payInDifference });
  }
  for (const one of inRange) {
    if (clearedBy(one) !== 0n || one.over !== 0n) add(one, movesAt(one, at));
  }
  return [...lines.values()]
    .map((line) => ({ ...line, closing: closingOf(line) }))
    .sort(
      (one, other) =>
        byText(one.currency, other.currency) ||
        Number(one.accountingToken === '') - Number(other.accountingToken === '') ||
        byText(one.accountingToken, other.accountingToken),
    );
}

const emptyLine = {
  ...{ opening: 0n, changed: 0n, gross: 0n, fees: 0n, tax: 0n, payInDifference: 0n },
  ...{ settled: 0n, received: 0n, charges: 0n, over: 0n, short: 0n, closing: 0n },
};

/** Gross, fees and tax by the rows, or by the header if the rows were not read. */
function partsOf(settlement: Settlement, reconciled: ReconciledSettlement | undefined) {
  const { computed, scale } = reconciled ?? {};
  return computed ? { ...settlement, ...computed, scale: scale ?? settlement.scale } : settlement;
}

/** What is in transit at the end, computed from the other figures of a line. */
export function closingOf(line: Omit<RollForwardFigures, 'closing'>): bigint {
  const { opening, changed, settled, received, charges, over, short } = line;
  return opening + changed + settled - received - charges + over - short;
}

/** The totals of lines by currency. */
export function totalsOf(lines: readonly RollForwardLine[]): readonly RollForwardLine[] {
  return [...groupedBy(lines, ({ currency }) => currency).values()].flatMap((those) => {
    const [first] = those;
    if (!first) return [];
    const total = { ...emptyLine, ...first, accountingToken: '' };
    for (const name of Object.keys(emptyLine) as (keyof typeof emptyLine)[]) {
      total[name] = those.reduce((sum, line) => sum + line[name], 0n);
    }
    return total;
  });
}

/** The money in transit at the end of a range in a currency: by the lines, by the pay-outs, and by the journal. */
export interface BooksControl extends Pick<Account, 'currency' | 'scale'> {
  readonly closing: bigint;
  readonly items: bigint;
  /** The opening, and what the entries of the range add to it. */
  readonly inTransit: bigint;
  /** What was on suspense when the last range was closed, and what the entries add to it. */
  readonly suspense: bigint;
}

const onSuspense: readonly Purpose[] = [
  ...(['suspense', 'overpaid', 'bank_difference', 'unknown_receipt'] as const),
];

/** Checks the end of a roll-forward against its pay-outs, and against the journal entries of the range. */
export function controlOf(
  { range, lines, payouts }: RollForward,
  entries: readonly JournalEntry[],
  { closes }: Basis,
): readonly BooksControl[] {
  const own = entries.filter(({ bookingDate }) => isDayIn(range, bookingDate));
  const totals = totalsOf(lines);
  const before = closes.at(-1)?.books ?? [];
  const scales = scalesOf([...totals, ...own, ...before]);
  return [...scales].sort().map(([currency, scale]) => {
    const sum = <One extends Omit<Account, 'accountingToken'>>(
      all: readonly One[],
      minorOf: (one: One) => bigint,
    ) =>
      sumAt(
        scale,
        all.filter((one) => one.currency === currency),
        minorOf,
      );
    return {
      ...{ currency, scale },
      closing: sum(totals, ({ closing }) => closing),
      items: sum(payouts, ({ open }) => open),
      inTransit:
        sum(totals, ({ opening, changed }) => opening + changed) +
        sum(own, postedFor(['in_transit'])),
      suspense: sum(before, ({ suspense }) => suspense) + sum(own, postedFor(onSuspense)),
    };
  });
}
