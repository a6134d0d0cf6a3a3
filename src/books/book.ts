import { isDayIn } from '../base/calendar.ts';
import { groupedBy, largestOf } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import type { BankMatch, EntryShare } from '../match/match.ts';
import type { AcceptedPayout } from '../model/accepted-difference.ts';
import type { Purpose } from '../model/account-mapping.ts';
import {
  isBySettlement,
  isOfBank,
  type JournalEntry,
  type Posting,
} from '../model/journal-entry.ts';
import type { Names, Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import { addMoney, type Money, rescale } from '../money/money.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { RowSums } from '../reconcile/sums.ts';
import {
  type BookableSettlement,
  type BookedFigures,
  type BookingRules,
  foreignEntries,
  foreignRows,
  settlementEntry,
} from './book-settlement.ts';
import { type Clearing, clearedBy } from './clearing.ts';
import { entryIfAny, withName } from './entry.ts';
import { accrualEntries } from './sale-month.ts';

type AcceptedLineOfMatch = Pick<AcceptedPayout, 'account'> &
  Partial<Pick<AcceptedPayout, 'decision'>>;

export interface BookingRequest extends BookingRules {
  readonly range: DateRange;
  /** The line that accepts a match or writes it off; undefined without one. */
  readonly acceptedOnBank: (match: BankMatch) => AcceptedLineOfMatch | undefined;
  readonly run: Pick<ReconciledRun, 'settlements'>;
  readonly per: 'settlement' | 'day';
  readonly includesPending: boolean;
  /** The parts that are booked separately, by settlement id. */
  readonly apart?: ReadonlyMap<string, readonly BookedFigures[]> | undefined;
  /** Settlements after the range, of which only the sales of earlier months are booked. */
  readonly later?: readonly ReconciledSettlement[] | undefined;
  /** The first day on which accruals are posted; empty if what was sold before the range is accrued too. */
  readonly accruesFrom?: string | undefined;
  /** The first day of the books, on which what was sold before is accrued; unknown if absent. */
  readonly begin?: string | undefined;
  /** Movements of the bank; absent if no statements are read. */
  readonly clearings?: readonly Clearing[] | undefined;
  /** What was in transit before the range; absent if unknown. */
  readonly opening?: readonly BalanceOfAccount[] | undefined;
}

/** The bookings of a run. */
export interface BookedRun {
  /** By date; on a day first the settlements, then the bank, each by settlement id. */
  readonly entries: readonly JournalEntry[];
  /** The entries of rows in another currency than their settlement. */
  readonly foreign: ReadonlySet<JournalEntry>;
  /** The entries that accrue sales until their settlements. */
  readonly accruals: ReadonlySet<JournalEntry>;
  /** Such rows, a total for each settlement and currency: booked, or left out. */
  readonly foreignRows: Readonly<Record<'booked' | 'leftOut', readonly ForeignRows[]>>;
  /** The booked settlements, and those whose amounts are all zero. */
  readonly settlements: readonly BookableSettlement[];
  /** Those after the range that may have accruals. */
  readonly later: readonly BookableSettlement[];
  /** How the range changes the amounts in transit, by account and currency. */
  readonly change: readonly BalanceOfAccount[];
  /** What is in transit at its end; absent if `opening` is. */
  readonly inTransit: readonly BalanceOfAccount[] | undefined;
}

/** The total of the rows of a settlement in another currency. */
export interface ForeignRows extends RowSums {
  readonly settlement: Settlement;
}

export interface BalanceOfAccount extends Money {
  readonly account: string;
}

/**
 * Books a run: its settlements except incomplete ones and, unless requested, pending ones; and the movements
 * of the bank in its days. The order of settlements and clearings does not matter.
 */
export function bookRun(request: BookingRequest): BookedRun {
  const { run, per, includesPending, apart, clearings = [], opening, names } = request;
  const bookableOf = (all: readonly ReconciledSettlement[]) =>
    all.flatMap((one) => (isBookable(one, includesPending) ? one : []));
  const bookable = bookableOf(run.settlements);
  const later = bookableOf(request.later ?? []);
  const ofSettlements = bookable
    .flatMap((one) => settlementEntry(one, request, apart?.get(one.settlement.id)))
    .sort(inOrder);
  const ofDays = per === 'day' ? dayEntries(ofSettlements, names) : ofSettlements;
  const accruals = accrualsOf([...bookable, ...later], request);
  const foreign = bookable.flatMap((one) =>
    foreignEntries(one, request, apart?.get(one.settlement.id)),
  );
  const rowsOf = (which: 'booked' | 'leftOut') =>
    bookable.flatMap((one) =>
      foreignRows(one, request)[which].map((sums) => ({ ...sums, settlement: one.settlement })),
    );
  const ofBank = clearingEntries(clearings, request);
  const entries = [...ofDays, ...foreign, ...accruals, ...ofBank].sort(inOrder);
  const transit = entries.flatMap(transitOf);
  return {
    entries,
    foreign: new Set(foreign),
    accruals: new Set(accruals),
    foreignRows: { booked: rowsOf('booked'), leftOut: rowsOf('leftOut') },
    settlements: bookable,
    later,
    change: balancesOf(transit),
    inTransit: opening && balancesOf([...opening, ...transit]),
  };
}

/** What is booked in one currency; all of it without one. */
export function inCurrency(booked: BookedRun, currency: string | undefined): BookedRun {
  if (currency === undefined) return booked;
  const isOwn = (one: { readonly currency: string }) => one.currency === currency;
  const rowsIn = (rows: readonly ForeignRows[]) => rows.filter(({ gross }) => isOwn(gross));
  const { foreignRows } = booked;
  return {
    entries: booked.entries.filter(isOwn),
    foreign: booked.foreign,
    accruals: booked.accruals,
    foreignRows: { booked: rowsIn(foreignRows.booked), leftOut: rowsIn(foreignRows.leftOut) },
    settlements: booked.settlements,
    later: booked.later,
    change: booked.change.filter(isOwn),
    inTransit: booked.inTransit?.filter(isOwn),
  };
}

/** Whether a settlement can be booked; pending ones only on request. */
export function isBookable(
  one: ReconciledSettlement,
  includesPending: boolean,
): one is BookableSettlement {
  const { verdict, computed } = one;
  const isSettled = verdict !== 'incomplete' && (verdict !== 'pending' || includesPending);
  return computed !== undefined && isSettled;
}

function transitOf({ currency, scale, postings }: JournalEntry) {
  return postings
    .filter(({ purpose }) => purpose === 'in_transit')
    .map(({ account, minor }): BalanceOfAccount => ({ account, minor, currency, scale }));
}

/** The balances of accounts after these postings, also those of zero. */
function balancesOf(postings: readonly BalanceOfAccount[]): readonly BalanceOfAccount[] {
  const balances = new Map<string, BalanceOfAccount>();
  for (const { account, ...money } of postings) {
    const key = JSON.stringify([account, money.currency]);
    const before = balances.get(key) ?? { ...money, minor: 0n };
    balances.set(key, { account, ...addMoney(before, money) });
  }
  return [...balances.values()].sort(
    (a, b) => byText(a.account, b.account) || byText(a.currency, b.currency),
  );
}

function inOrder(a: JournalEntry, b: JournalEntry): number {
  return (
    byText(a.date, b.date) ||
    Number(isOfBank(a)) - Number(isOfBank(b)) ||
    byText(a.settlementIds[0] ?? '', b.settlementIds[0] ?? '') ||
    byText(a.id, b.id)
  );
}

/** One entry per day, token, currency and state (pending or not); suspense and accepted amounts stay by settlement. */
function dayEntries(entries: readonly JournalEntry[], names: Names): readonly JournalEntry[] {
  const keyOf = ({ bookingDate: date, accountingToken, currency, isPending }: JournalEntry) =>
    JSON.stringify([date, accountingToken, currency, isPending]);
  return [...groupedBy(entries, keyOf).values()].flatMap((all) => dayEntry(all, names));
}

/** The accruals that are posted in the range, or until its end. What was sold before the books begin is posted then. */
function accrualsOf(all: readonly BookableSettlement[], request: BookingRequest) {
  const { apart, range, accruesFrom = '', begin = '' } = request;
  return all
    .flatMap((one) => accrualEntries(one, request, apart?.get(one.settlement.id)))
    .map((one) => (one.date < begin ? { ...one, date: begin } : one))
    .filter(({ date }) => isDayIn({ from: accruesFrom, to: range.to }, date));
}

function dayEntry(all: readonly JournalEntry[], names: Names): readonly JournalEntry[] {
  const [first] = all;
  if (!first) return [];
  const { date, accountingToken } = first;
  const scale = largestOf(all.map((one) => one.scale));
  const postings = all.flatMap(({ scale: from, postings }) =>
    postings.map((posting) => {
      const settlementId = isBySettlement(posting) ? posting.settlementId : '';
      return { ...posting, settlementId, minor: rescale(posting.minor, from, scale) };
    }),
  );
  const settlementIds = all.flatMap((one) => one.settlementIds);
  const text = withName(`Settlements of ${date}`, names.get(accountingToken));
  return entryIfAny({ ...first, scale, settlementIds, text, postings });
}

/**
 * Money on the bank is always booked on its own day. What is not, or not certainly, a pay-in is on suspense.
 * Accepted amounts move on from there, on the day of the difference.
 */
function clearingEntries(
  clearings: readonly Clearing[],
  rules: BookingRequest,
): readonly JournalEntry[] {
  const ofRange = clearings.filter(({ date }) => isDayIn(rules.range, date));
  return [...groupedBy(ofRange, ({ match }) => match)].flatMap(([match, all]) => {
    const accepted = rules.acceptedOnBank(match);
    return [...groupedBy(all, stepOf).values()].flatMap((step) => {
      const text = textOf(step);
      const own = entryOf(step, text, clearingPostings, rules);
      if (!accepted) return own;
      const what = accepted.decision === 'written_off' ? 'Written off' : 'Accepted';
      return [...own, ...entryOf(step, `${what}: ${text}`, acceptedPostings(accepted), rules)];
    });
  });
}

/** Movements with the same step are one entry. */
function stepOf({ date, entry, short }: Clearing): string {
  return [date, entry && bankEntryId(entry), short !== 0n].join(' ');
}

type Amounts = readonly (readonly [purpose: Purpose, minor: bigint, account?: string])[];

function clearingPostings(one: Clearing): Amounts {
  return [
    ['bank', one.bank],
    ['in_transit', -clearedBy(one)],
    ['bank_fees', one.charges],
    ['overpaid', -one.over],
    ['bank_difference', one.short],
    one.match.rule
      ? ['accepted', -one.suspense, one.match.rule.books_account ?? '']
      : ['unknown_receipt', -one.suspense],
  ];
}

/** A transfer from suspense. Money that came before its settlement's day is not an accepted difference. */
function acceptedPostings({ account, decision }: AcceptedLineOfMatch) {
  const purpose = decision === 'written_off' ? decision : 'accepted';
  return ({ match, over, short, suspense }: Clearing): Amounts => {
    const unknown = match.settlements.length === 0 ? suspense : 0n;
    return [
      ['overpaid', over],
      ['bank_difference', -short],
      ['unknown_receipt', unknown],
      [purpose, short - over - unknown, account],
    ];
  };
}

function entryOf(
  step: readonly Clearing[],
  what: string,
  amountsOf: (one: Clearing) => Amounts,
  { accountFor, names }: Pick<BookingRules, 'accountFor' | 'names'>,
): readonly JournalEntry[] {
  const [first] = step;
  if (!first) return [];
  const { date, currency, scale, match } = first;
  const settlements = settlementsOf(step);
  const [oldest = first, ...others] = settlements;
  const only = settlements.length === 1 ? settlements[0]?.id : undefined;
  const postings = step.flatMap((one) =>
    amountsOf(one).flatMap(([purpose, minor, named]): Posting | [] => {
      if (minor === 0n) return [];
      // One bank entry is one posting, on one account.
      const { accountingToken } = purpose === 'bank' ? oldest : one;
      const account = accountFor(purpose, { accountingToken, currency }, named);
      const settlementId = (purpose === 'bank' ? only : one.settlement?.id) ?? '';
      return { purpose, account, minor, settlementId, transactionId: '' };
    }),
  );
  const isOneToken = others.every((one) => one.accountingToken === oldest.accountingToken);
  const accountingToken = isOneToken ? oldest.accountingToken : '';
  const known = match.entries.filter(({ entry }) => entry.date <= date);
  return entryIfAny({
    date,
    currency,
    scale,
    accountingToken,
    postings,
    settlementIds: settlements.map(({ id }) => id),
    bankEntryIds: (first.entry ? [first.entry] : known).map(bankEntryId),
    text: withName(what, names.get(accountingToken)),
    isPending: false,
  });
}

/** The settlements of a step whose date has come. */
function settlementsOf([first]: readonly Clearing[]): readonly Settlement[] {
  if (!first || isUnexplainedReceipt(first)) return [];
  const { match, date } = first;
  const all = match.settlements.map(({ settlement }) => settlement);
  return all.filter((one) => one.date <= date);
}

function isUnexplainedReceipt(one: Clearing): boolean {
  return one.settlement === undefined && one.bank === one.suspense && one.short === 0n;
}

function textOf(step: readonly Clearing[]): string {
  const [first] = step;
  const settlements = settlementsOf(step);
  const [only, ...others] = settlements;
  if (first?.match.rule) return `By the rule "${first.match.rule.text}"`;
  if (!first || !only) return 'Receipt that no pay-out explains';
  const whose = others.length === 0 ? `settlement ${only.id}` : `${settlements.length} settlements`;
  const { received, reason, by } = first.match;
  if (reason === 'settled_with' && !first.entry) return `Settled together: pay-out of ${whose}`;
  if (by === 'confirmed' && !first.entry && first.suspense !== 0n) {
    return `Confirmed: pay-out of ${whose}`;
  }
  if (first.short !== 0n) {
    const what = received === 0n ? 'Not received' : 'Underpaid on the last due day';
    return `${what}: pay-out of ${whose}`;
  }
  return first.entry ? `Pay-out of ${whose}` : `Received before its day: pay-out of ${whose}`;
}

function bankEntryId({ entry: { id }, part }: EntryShare): string {
  return part === undefined ? id : `${id}/${part}`;
}
