import { daysBetween, isDayIn } from '../base/calendar.ts';
import { groupedBy, largestOf } from '../base/lists.ts';
import { byText, inOrderOf } from '../base/texts.ts';
import type { BusinessDays } from '../match/business-days.ts';
import type { BankMatch, BankState } from '../match/match.ts';
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
import { rescale } from '../money/money.ts';
import { type IdentityName, payInOf } from '../reconcile/identity.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { type CarriedFigures, type Clearing, clearedBy, withOver } from './clearing.ts';

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

/** What a range and its pay-outs come to. */
export interface RollForward {
  readonly range: DateRange;
  /** By accounting token and currency; amounts of several together stand last. */
  readonly lines: readonly RollForwardLine[];
  /** What is otherwise now than the last close recorded it. */
  readonly changes: readonly OpeningChange[];
  /** Whether it begins where the last close ended. */
  readonly continues: boolean;
  /** All pay-outs at its end, those that are fully cleared too. */
  readonly payouts: readonly OpenItem[];
  /** What left in transit for suspense in its days. */
  readonly toSuspense: readonly Clearing[];
}

export interface RollForwardLine extends Account, RollForwardFigures {
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  /** Reported − computed. */
  readonly payInDifference: bigint;
}

/** What came of a pay-out by a day. */
type PayoutMoves = Pick<PayoutAtCutOff, 'received' | 'charges' | 'over' | 'short'>;

/** A pay-out at the end of a range. */
export interface OpenItem extends PayoutAtCutOff {
  /** What is in transit of it. */
  readonly open: bigint;
  /** What had come of it before the range. */
  readonly before: PayoutMoves;
  /** The last due day; empty for what was in transit before the books begin. */
  readonly dueUntil: string;
  readonly ageDays: number;
  /** Days since the last due day; 0 in time. */
  readonly daysLate: number;
  /** Whether it is otherwise than the closes before have it. */
  readonly isChanged: boolean;
  /** Where it stands by all that is known now. */
  readonly state: BankState | undefined;
}

/** Why an opening is otherwise than it was recorded. */
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
  /** Of settled settlements, as they are now, from the first day that was closed or is in the books. */
  readonly settlements: readonly Settlement[];
  /** Those of the range. */
  readonly reconciled: readonly ReconciledSettlement[];
  readonly identity: IdentityName;
  readonly matches: readonly BankMatch[];
  readonly clearings: readonly Clearing[];
  readonly businessDays: BusinessDays;
}

/** Where every known pay-out stood when the last range was closed, by the ids of its settlements. */
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

/** What clearings of later days go on from; undefined where nothing was closed before. */
export function carriedFrom(basis: Basis | undefined, matches: readonly BankMatch[]) {
  return basis && basis.closes.length > 0
    ? {
        ...{ through: basis.through, isReadAgain: readAgainSince(basis) },
        ...{ of: carriedBy(basis, matches), ofAll: carriedOfAll(basis) },
      }
    : undefined;
}

/**
 * Whether the entries of a match that are read now are all that the closes count as received: then what was
 * short or over by then is told by the pay-in of today, which may be restated.
 */
function readAgainSince(basis: Basis) {
  const closed = [...payoutsClosed(basis).values()];
  const byId = new Map(closed.flatMap((one) => one.settlementIds.map((id) => [id, one] as const)));
  return ({ settlements, entries, scale, difference }: BankMatch): boolean => {
    const known = new Set(settlements.map(({ settlement: { id } }) => byId.get(id)));
    const before = entries.filter(
      ({ entry }) => entry.status === 'booked' && entry.date <= basis.through,
    );
    if (known.has(undefined) || difference === undefined || before.length === 0) return false;
    const recorded = [...known].flatMap((one) => one ?? []);
    const isOnlyTheirs = recorded.every((one) =>
      one.settlementIds.every((id) => settlements.some(({ settlement }) => settlement.id === id)),
    );
    const most = largestOf([scale, ...recorded.map((one) => one.scale)]);
    const read = before.reduce((sum, { amount }) => sum + rescale(amount, scale, most), 0n);
    const received = recorded.reduce(
      (sum, one) => sum + rescale(one.received, one.scale, most),
      0n,
    );
    return isOnlyTheirs && read === received;
  };
}

/** What settlements had come to when the last range was closed: nothing where that is not known. */
function carriedBy(basis: Basis, matches: readonly BankMatch[]) {
  const closed = payoutsClosed(basis);
  const alone = new Map(
    matches.flatMap((one) => {
      const [share, ...others] = one.settlements;
      const isOwn = share && others.length === 0 && one.difference !== undefined;
      return isOwn ? [[share.settlement.id, one] as const] : [];
    }),
  );
  return (settlement: Settlement): CarriedFigures | undefined => {
    const one = closed.get(settlement.id);
    if (one) return one;
    // It came late: what the bank had of it by then stands on suspense.
    const match = alone.get(settlement.id);
    const before = match?.entries.filter(({ entry }) => entry.date <= basis.through) ?? [];
    const received = before.reduce((sum, { amount }) => sum + amount, 0n);
    return match && received !== 0n
      ? { scale: match.scale, received, charges: 0n, short: 0n }
      : undefined;
  };
}

/** What several settlements had come to together, besides what each had. */
function carriedOfAll(basis: Basis) {
  const closed = [...payoutsClosed(basis).values()];
  const shared = new Map(
    closed
      .filter(({ settlementIds }) => settlementIds.length > 1)
      .flatMap((one) => one.settlementIds.map((id) => [id, one] as const)),
  );
  return (settlements: readonly Settlement[]): CarriedFigures | undefined =>
    settlements.map(({ id }) => shared.get(id)).find((one) => one !== undefined);
}

/** Whether the books know a settlement: others are part of what was in transit when they begin. */
function isKnown({ closes, through }: Basis, { date }: Settlement): boolean {
  return date > through || date >= (closes[0]?.from ?? '9999');
}

/** What a range did to the money in transit, and where each pay-out stood at its end. */
export function rollForward(input: RollForwardInput): RollForward {
  const { range, basis, settlements, matches, clearings, businessDays } = input;
  const closed = payoutsClosed(basis);
  const carried = carriedBy(basis, matches);
  const computed = input.reconciled.map(({ scale, settlement }) => ({ ...settlement, scale }));
  const known = [...settlements, ...computed, ...clearings, ...basis.opening, ...closed.values()];
  const scales = scalesOf(known);
  const at = ({ currency, scale }: Omit<Account, 'accountingToken'>, minor: bigint) =>
    rescale(minor, scale, scales.get(currency) ?? scale);
  const account = ({ accountingToken, currency }: Omit<Account, 'scale'>): Account => {
    return { accountingToken, currency, scale: scales.get(currency) ?? 0 };
  };
  const books = new Map<string, PayoutAtCutOff>();
  for (const one of basis.closes.length > 0 ? [] : basis.opening) {
    const payIn = at(one, one.minor);
    const lump = { ...nothing, ...account(one), settlementIds: [], date: basis.through, payIn };
    books.set(keyOf(lump), lump);
  }
  const now = new Map(settlements.map((one) => [one.id, one]));
  const isReadAgain = readAgainSince(basis);
  const readAgain = new Set(
    matches.filter(isReadAgain).flatMap((one) => one.settlements.map((of) => of.settlement.id)),
  );
  for (const one of closed.values()) {
    const isListed = one.settlementIds.every((id) => now.has(id) && !readAgain.has(id));
    const isAlone = one.settlementIds.length === 1;
    if (!isListed || isAlone) continue;
    books.set(keyOf(one), { ...rescaled(one, at), ...account(one) });
  }
  for (const one of settlements.filter((one) => isKnown(basis, one) && one.date <= range.to)) {
    const { id, date, payIn } = one;
    const isCarried = date <= basis.through && !readAgain.has(id);
    const was = isCarried ? (closed.get(id) ?? carried(one)) : undefined;
    const { received = 0n, charges = 0n, short = 0n } = was ? rescaledFigures(was, one, at) : {};
    const figures = withOver(at(one, payIn), { received, charges, short });
    const settled = { ...account(one), settlementIds: [id], date, payIn: at(one, payIn) };
    books.set(id, { ...settled, ...figures });
  }
  const opening = clearings.filter(({ date }) => date < range.from);
  const inRange = clearings.filter(({ date }) => isDayIn(range, date));
  const keyOfClearing = (one: Clearing) => {
    const { settlement, match } = one;
    if (settlement && books.has(settlement.id)) return settlement.id;
    const ids = match.settlements.map((share) => share.settlement.id);
    return settlement
      ? keyOf({ ...one, settlementIds: [] })
      : keyOf({ ...one, settlementIds: ids });
  };
  const apply = (clearing: Clearing) => {
    if (clearedBy(clearing) === 0n && clearing.over === 0n) return;
    const key = keyOfClearing(clearing);
    const ids = clearing.settlement ? [] : clearing.match.settlements.map((one) => one.settlement);
    const before = books.get(key) ?? {
      ...{ ...nothing, ...account(clearing), settlementIds: ids.map(({ id }) => id) },
      date: ids[0]?.date ?? basis.through,
    };
    books.set(key, {
      ...before,
      received: before.received + at(clearing, clearing.received),
      charges: before.charges + at(clearing, clearing.charges),
      over: before.over + at(clearing, clearing.over),
      short: before.short + at(clearing, clearing.short),
    });
  };
  for (const one of opening) apply(one);
  const first = new Map(books);
  const isBefore = ({ date }: PayoutAtCutOff) => date < range.from;
  const before = [...books.values()].filter(isBefore);
  const last = basis.closes.at(-1);
  const continues = last !== undefined && daysBetween(last.to, range.from) === 1;
  const changes = continues ? changesOf(before, closed, { now, at, account }) : [];
  for (const one of inRange) apply(one);
  const states = new Map(
    matches.flatMap((match) => match.settlements.map((one) => [one.settlement.id, match.state])),
  );
  const isChanged = (key: string, one: PayoutAtCutOff) => {
    const was = closed.get(key);
    const names = ['payIn', 'received', 'charges', 'over', 'short'] as const;
    return !was || names.some((name) => at(was, was[name]) !== one[name]);
  };
  const payouts = [...books].map(([key, one]): OpenItem => {
    const settled = one.settlementIds.flatMap((id) => now.get(id) ?? []);
    const dueUntil = settled.map((of) => businessDays.daysDue(of).to).reduce(later, '');
    return {
      ...{
        ...one,
        open: openOf(one),
        before: first.get(key) ?? nothing,
        isChanged: isChanged(key, one),
        dueUntil,
        state: states.get(one.settlementIds[0] ?? ''),
      },
      ageDays: Math.max(0, daysBetween(one.date, range.to)),
      daysLate: dueUntil === '' ? 0 : Math.max(0, daysBetween(dueUntil, range.to)),
    };
  });
  return {
    ...{ range, changes, continues },
    lines: linesOf({
      ...input,
      before,
      inRange,
      changes,
      at,
      account,
      recorded: continues ? last : undefined,
    }),
    payouts: payouts.sort(inOrderOf(({ date, settlementIds }) => [date, ...settlementIds])),
    toSuspense: inRange.filter(({ over, short }) => over !== 0n || short !== 0n),
  };
}

const later = (one: string, other: string) => (one > other ? one : other);

const nothing = { payIn: 0n, received: 0n, charges: 0n, over: 0n, short: 0n };

type Rescale = (of: Omit<Account, 'accountingToken'>, minor: bigint) => bigint;

function rescaled(one: PayoutAtCutOff, at: Rescale): PayoutAtCutOff {
  const { payIn, received, charges, over, short } = one;
  return {
    ...{ ...one, payIn: at(one, payIn), received: at(one, received) },
    ...{ charges: at(one, charges), over: at(one, over), short: at(one, short) },
  };
}

function rescaledFigures(
  { received, charges, short, scale }: CarriedFigures,
  { currency }: Settlement,
  at: Rescale,
) {
  const of = { currency, scale };
  return { received: at(of, received), charges: at(of, charges), short: at(of, short) };
}

/** What names a pay-out: its settlements, or else the account whose opening it is. */
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

interface Now {
  readonly now: ReadonlyMap<string, Settlement>;
  readonly at: Rescale;
  readonly account: (of: Omit<Account, 'scale'>) => Account;
}

function changesOf(
  before: readonly PayoutAtCutOff[],
  closed: ReadonlyMap<string, PayoutAtCutOff>,
  { now, at, account }: Now,
): readonly OpeningChange[] {
  const today = new Map(before.map((one) => [keyOf(one), one]));
  return [...new Set([...closed.keys(), ...today.keys()])].flatMap((key): OpeningChange | [] => {
    const [was, is] = [closed.get(key), today.get(key)];
    const one = is ?? was;
    const minors = [was ? at(was, openOf(was)) : 0n, is ? openOf(is) : 0n] as const;
    if (!one || minors[0] === minors[1]) return [];
    const { settlementIds, date } = one;
    const isGone = settlementIds.some((id) => !now.has(id));
    const isRestated = was && is && at(was, was.payIn) !== is.payIn;
    const reason = isGone ? 'gone' : !was ? 'late' : isRestated ? 'restated' : 'bank';
    return { ...account(one), settlementIds, date, reason, before: minors[0], after: minors[1] };
  });
}

interface LinesInput extends RollForwardInput, Omit<Now, 'now'> {
  readonly before: readonly PayoutAtCutOff[];
  readonly inRange: readonly Clearing[];
  readonly changes: readonly OpeningChange[];
  readonly recorded: CloseRecord | undefined;
}

function linesOf(input: LinesInput): readonly RollForwardLine[] {
  const { before, inRange, changes, recorded, settlements, range, at, account } = input;
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
    const { received, charges, over, short } = one;
    if (clearedBy(one) === 0n && over === 0n) continue;
    add(one, {
      ...{ received: at(one, received), charges: at(one, charges) },
      ...{ over: at(one, over), short: at(one, short) },
    });
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

/** As the rows give them; of a settlement whose rows were not read, as its header says. */
function partsOf(settlement: Settlement, reconciled: ReconciledSettlement | undefined) {
  const { computed, scale } = reconciled ?? {};
  return computed ? { ...settlement, ...computed, scale: scale ?? settlement.scale } : settlement;
}

/** What is in transit at the end, by the other figures of a line. */
export function closingOf(line: Omit<RollForwardFigures, 'closing'>): bigint {
  const { opening, changed, settled, received, charges, over, short } = line;
  return opening + changed + settled - received - charges + over - short;
}

/** Lines added up by currency. */
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

/** What is in transit of a currency at the end of a range: by its lines, by its pay-outs, and by the journal. */
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

/** Compares the end of a roll-forward with its pay-outs alone, and with the entries of the range. */
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
    const at = (one: Pick<Account, 'scale'>, minor: bigint) => rescale(minor, one.scale, scale);
    const of = <One extends Pick<Account, 'currency'>>(all: readonly One[]) =>
      all.filter((one) => one.currency === currency);
    const sum = <One>(all: readonly One[], minor: (one: One) => bigint) =>
      all.reduce((total, one) => total + minor(one), 0n);
    const posted = (...purposes: readonly Purpose[]) =>
      sum(of(own), (entry) =>
        sum(
          entry.postings.filter(({ purpose }) => purposes.includes(purpose)),
          ({ minor }) => at(entry, minor),
        ),
      );
    return {
      ...{ currency, scale },
      closing: sum(of(totals), (line) => at(line, line.closing)),
      items: sum(of(payouts), (one) => at(one, one.open)),
      inTransit:
        sum(of(totals), (line) => at(line, line.opening + line.changed)) + posted('in_transit'),
      suspense: sum(of(before), (one) => at(one, one.suspense)) + posted(...onSuspense),
    };
  });
}
