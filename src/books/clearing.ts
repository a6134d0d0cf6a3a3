import { addDays, spanOf } from '../base/calendar.ts';
import { append, groupedBy, largestOf, tableOf } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import type { BusinessDays } from '../match/business-days.ts';
import { chargeOf } from '../match/charges.ts';
import { Coverage } from '../match/coverage.ts';
import { type BankMatch, type EntryShare, isExplained, isPaid } from '../match/match.ts';
import type { BankStatements } from '../model/bank.ts';
import type { ClearedFigures } from '../model/close.ts';
import type { Settlement } from '../model/settlement.ts';
import { rescale } from '../money/money.ts';

/** A movement on a booking day: money received, or moved between in transit and suspense. Minor units at `scale`. */
export interface Clearing extends ClearedFigures {
  readonly date: string;
  readonly match: BankMatch;
  /** Absent if several settlements share it, or none is known. */
  readonly settlement: Settlement | undefined;
  /** Empty if several share it, or none is known. */
  readonly accountingToken: string;
  readonly currency: string;
  readonly scale: number;
  /** Absent if nothing is booked on the bank account. */
  readonly entry: EntryShare | undefined;
  /** Booked on the bank account: always `received` + `suspense`. */
  readonly bank: bigint;
  /** Money on suspense until a decision, or until the day of its settlement; by a rule, on the account of the rule. */
  readonly suspense: bigint;
}

/** Figures at the end of the last closed day. */
export interface CarriedFigures extends ClearedFigures {
  readonly scale: number;
}

/** The pay-in of a settlement until the end of a closed day; absent if it was not settled then. */
export interface ClosedPayIn {
  readonly through: string;
  readonly payIn: bigint | undefined;
  readonly scale: number;
}

/**
 * What closes carry forward. Closed days stay as they were: what changed since then counts from the first day that
 * is not closed.
 */
export interface Carried {
  readonly through: string;
  /** Whether all closed entries of a match were read again: then it is computed from its first day. */
  readonly isReadAgain: (match: BankMatch) => boolean;
  readonly of: (settlement: Settlement) => CarriedFigures | undefined;
  /** The shared figures of settlements, beside those of each. */
  readonly ofAll: (settlements: readonly Settlement[]) => CarriedFigures | undefined;
  /** Whether a close counted the money that people gave to an older settlement, which is in the opening amount. */
  readonly isDecided: (settlement: Settlement) => boolean;
  /** At the closes since its day, in order. */
  readonly payInsOf: (settlement: Settlement) => readonly ClosedPayIn[];
}

export interface ClearingOptions extends Pick<BankStatements, 'statements'> {
  readonly businessDays: BusinessDays;
  /** Whether a settlement is in transit from its date on; by default, if the service says it is settled. */
  readonly isSettled?: ((settlement: Settlement) => boolean) | undefined;
  readonly carried?: Carried | undefined;
  /** Whether people wrote off what is open of a match. */
  readonly isWrittenOff?: ((match: BankMatch) => boolean) | undefined;
}

const clearedNames = ['received', 'over', 'short', 'charges'] as const;

/** Figures, each by its name. */
export function clearedFigures(minorOf: (name: keyof ClearedFigures) => bigint): ClearedFigures {
  return tableOf(clearedNames, minorOf);
}

/** Whether any figure is not 0. */
export function hasFigures(figures: ClearedFigures): boolean {
  return clearedNames.some((name) => figures[name] !== 0n);
}

/** By how much figures reduce the amount in transit. */
export function clearedBy({ received, charges, over, short }: ClearedFigures): bigint {
  return received + charges - over + short;
}

/**
 * The movements of matches, in the order of days. A day never depends on later ones. Entries of other payers, and
 * announced entries, have no movements.
 */
export function clearingsOf(
  matches: readonly BankMatch[],
  { statements, businessDays, isSettled = isPaid, carried, isWrittenOff }: ClearingOptions,
): readonly Clearing[] {
  const coverage = new Coverage(statements, businessDays);
  const payInsOf = carried?.payInsOf ?? (() => []);
  const rules = { coverage, businessDays, isSettled, carried, payInsOf, isWrittenOff };
  return matches
    .flatMap((match) => [...clearingsOfMatch(match, rules)])
    .sort((one, other) => byText(one.date, other.date));
}

interface Rules extends Pick<ClearingOptions, 'carried' | 'businessDays' | 'isWrittenOff'> {
  readonly payInsOf: Carried['payInsOf'];
  readonly coverage: Coverage;
  readonly isSettled: (settlement: Settlement) => boolean;
}

function* clearingsOfMatch(match: BankMatch, rules: Rules): Generator<Clearing> {
  if (match.state === 'unrelated') return;
  // What people decided after a close must not change its days.
  const isDecided =
    match.reason === 'settled_with' ||
    match.by === 'confirmed' ||
    (match.received === 0n && rules.isWrittenOff?.(match));
  const isAgain = !isDecided && rules.carried?.isReadAgain(match);
  const carried = isAgain ? undefined : rules.carried;
  const booked = match.entries.filter(({ entry }) => entry.status === 'booked');
  const isPayment = ({ entry }: EntryShare) =>
    isExplained(match) && entry.currency === match.currency;
  for (const share of booked) {
    if (!isPayment(share)) yield unknownReceipt(match, share);
  }
  const all = match.settlements.map(({ settlement }) => settlement);
  // The settlements of a doubtful match are booked apart: the owners of its entries are unknown.
  const payouts = isExplained(match) ? [all] : all.map((one) => [one]);
  for (const settlements of payouts) {
    const due = settlements.filter(rules.isSettled);
    yield* new Payout(match, due, { ...rules, carried }).clearings(booked.filter(isPayment));
  }
}

function unknownReceipt(match: BankMatch, entry: EntryShare): Clearing {
  return {
    ...noFigures,
    date: entry.entry.date,
    match,
    settlement: undefined,
    accountingToken: '',
    currency: entry.entry.currency,
    scale: match.scale,
    entry,
    bank: entry.amount,
    suspense: entry.amount,
  };
}

export const noFigures = clearedFigures(() => 0n);

/** The figures of one settlement, or shared ones of several. */
interface Line {
  readonly settlement: Settlement | undefined;
  readonly accountingToken: string;
  readonly figures: ClearedFigures;
}

/** An event of a pay-out: settlements are settled, an entry is booked, or a last due day ends. */
interface Step {
  readonly date: string;
  /** The order on one day: settlements and their changes, money in, money out, the end of the day. */
  readonly order: 0 | 1 | 2 | 3;
  readonly entry?: EntryShare;
  /** Returns whether figures may have changed. */
  readonly apply: () => boolean;
}

/**
 * The running figures of the settlements of a match. Several are cleared together: the first entry clears
 * each by its pay-in; the remaining amount received, and every later entry, is shared.
 */
class Payout {
  readonly #match: BankMatch;
  readonly #settlements: readonly Settlement[];
  readonly #rules: Rules;
  readonly #scale: number;
  /** The last closed day; empty if closed days are computed again. */
  readonly #closedThrough: string;
  /** The day of the movements. */
  #day: string;
  /** The settlements whose date has come. */
  readonly #settled: Settlement[] = [];
  /** Those of them that share the money received, with their pay-in and their common accounting token, if any. */
  #sharing: readonly Settlement[] = [];
  #payIn = 0n;
  #token = '';
  /** Entries before the date of the first settlement. */
  #early: EntryShare[] = [];
  readonly #sums = { received: 0n, charges: 0n, short: 0n };
  /** The bank accounts of the money received; undefined for closed days. */
  readonly #accounts = new Set<string | undefined>();
  /** The figures after the movements so far, and the settlements that shared them at the last one. */
  readonly #reported = new Map<string, Line>();
  #reportedFor: readonly Settlement[] | undefined;
  /** Whether all money that several shared went back. */
  #isBack = false;

  constructor(match: BankMatch, settlements: readonly Settlement[], rules: Rules) {
    const { through = '', of, ofAll } = rules.carried ?? {};
    this.#match = match;
    this.#settlements = settlements;
    this.#rules = rules;
    this.#closedThrough = through;
    this.#day = through;
    const closed = settlements.filter((one) => this.#settledOn(one) <= through);
    const known = [
      ...[...closed.map((one) => of?.(one)), ofAll?.(settlements)].flatMap((one) => one ?? []),
      ...settlements.flatMap((one) => [one, ...rules.payInsOf(one)]),
    ];
    this.#scale = largestOf([match.scale, ...known.map(({ scale }) => scale)]);
    this.#carryForward(closed);
  }

  *clearings(entries: readonly EntryShare[]): Generator<Clearing> {
    for (const { date, entry, apply } of this.#steps(entries).sort(inOrder)) {
      this.#day = date;
      const movements = apply() ? this.#movements(date, entry) : [];
      if (date <= this.#closedThrough) continue;
      yield* movements;
      if (entry && !this.#isOwner) yield unknownReceipt(this.#match, entry);
    }
  }

  #steps(entries: readonly EntryShare[]): Step[] {
    const isOpen = (date: string) => date > this.#closedThrough;
    const coming = this.#settlements.filter((one) => isOpen(this.#settledOn(one)));
    // Money for settlements of closed days is carried forward.
    const isCarried = this.#settled.length > 0;
    const left = isCarried ? entries.filter(({ entry }) => isOpen(entry.date)) : entries;
    const lastDays = new Set(this.#settlements.map((one) => this.#lastDueDay(one)).filter(isOpen));
    const afterCloses = new Set(
      this.#settlements
        .flatMap((one) => this.#rules.payInsOf(one).map(({ through }) => addDays(through, 1)))
        .filter(isOpen),
    );
    return [
      ...[...afterCloses].map((date): Step => {
        return { date, order: 0, apply: () => this.#restate() };
      }),
      ...[...groupedBy(coming, (one) => this.#settledOn(one))].map(([date, those]): Step => {
        return { date, order: 0, apply: () => this.#settle(those) };
      }),
      ...left.map((entry): Step => {
        const order = entry.amount < 0n ? 2 : 1;
        return { date: entry.entry.date, order, entry, apply: () => this.#receive(entry) };
      }),
      ...[...lastDays].map((date): Step => {
        return { date, order: 3, apply: () => this.#endDueDay(date) };
      }),
      ...this.#decidedSteps(entries),
    ];
  }

  /** What people decided takes effect once all that it rests on is there, on a day that is not closed. */
  #decidedSteps(entries: readonly EntryShare[]): readonly Step[] {
    const all = this.#settlements;
    const through = this.#closedThrough;
    const since = all.map((one) => this.#settledOn(one));
    const last = [
      ...all.map((one) => this.#lastDueDay(one)),
      ...entries.map(({ entry }) => entry.date),
    ];
    const closed = entries.filter(({ entry }) => entry.date <= through);
    const dayOf = (days: readonly string[]) =>
      spanOf(through === '' ? days : [...days, addDays(through, 1)])?.to ?? '';
    const isCounted = all.length > 0 && all.every((one) => this.#rules.carried?.isDecided(one));
    const isTogether = this.#match.reason === 'settled_with' && all.length > 1;
    const isConfirmed = this.#match.by === 'confirmed' && closed.length > 0;
    const isWrittenOff = all.length > 0 && this.#rules.isWrittenOff?.(this.#match);
    const apply = () => (isTogether || this.#unknownOf(closed) !== 0n) && this.#unite(closed);
    const unite: Step = { date: dayOf(since), order: 0, apply };
    const writeOff: Step = {
      date: dayOf([...since, ...last]),
      order: 3,
      apply: () => this.#writeOff(),
    };
    const unites = !isCounted && (isTogether || isConfirmed);
    return [...(unites ? [unite] : []), ...(isWrittenOff ? [writeOff] : [])];
  }

  #carryForward(settlements: readonly Settlement[]): void {
    const { of, ofAll } = this.#rules.carried ?? {};
    append(this.#settled, settlements);
    const cleared = settlements.filter((settlement) => {
      const closed = of?.(settlement);
      if (!closed || !hasFigures(closed)) return false;
      const { accountingToken } = settlement;
      this.#report({ settlement, accountingToken, figures: this.#carry(closed) });
      return true;
    });
    this.#share(cleared);
    const common = cleared.length > 1 ? ofAll?.(cleared) : undefined;
    if (!common) return;
    const figures = this.#carry(common);
    this.#report({ settlement: undefined, accountingToken: this.#token, figures });
  }

  /** Adds figures of closed days; returns them at the scale of the pay-out. */
  #carry(closed: CarriedFigures): ClearedFigures {
    const figures = clearedFigures((name) => rescale(closed[name], closed.scale, this.#scale));
    this.#sums.received += figures.received;
    this.#sums.charges += figures.charges;
    this.#sums.short += figures.short;
    this.#accounts.add(undefined);
    return figures;
  }

  /** Takes over the pay-ins of a day after a close; what that makes over moves on this day. */
  #restate(): boolean {
    const before = this.#payIn;
    this.#payIn = this.#sharing.reduce((sum, one) => sum + this.#payInOf(one), 0n);
    if (this.#sharing.length === 0 || this.#payIn === before) return false;
    this.#reportedFor = undefined;
    return true;
  }

  #settle(settlements: readonly Settlement[]): boolean {
    append(this.#settled, settlements);
    for (const share of this.#early.splice(0)) this.#receive(share);
    // The surplus of the others may belong to them.
    if (this.#figures.over !== 0n) this.#share(this.#settled);
    return this.#sharing !== this.#reportedFor;
  }

  #receive(share: EntryShare): boolean {
    if (!this.#isOwner) {
      if (this.#settled.length === 0) this.#early.push(share);
      return false;
    }
    this.#share(this.#settled);
    this.#accounts.add(share.entry.account);
    this.#sums.received += rescale(share.amount, this.#match.scale, this.#scale);
    const missing = this.#payIn - this.#sums.received - this.#sums.charges;
    this.#sums.charges += chargeOf(share, missing, this.#scale);
    return true;
  }

  #endDueDay(date: string): boolean {
    const isLast = this.#sharing.every((one) => this.#lastDueDay(one) <= date);
    const { received } = this.#sums;
    const isBegun = received !== 0n && received < 0n === this.#payIn < 0n;
    const isCovered = [...this.#accounts].every((account) =>
      this.#rules.coverage.covers(date, this.#match.currency, account),
    );
    const short = isLast && isBegun && isCovered ? this.#outstanding : 0n;
    this.#sums.short += short;
    return short !== 0n;
  }

  /** What entries of closed days come to beyond what the closes counted as received. */
  #unknownOf(closed: readonly EntryShare[]): bigint {
    const sum = closed.reduce((total, { amount }) => total + amount, 0n);
    return rescale(sum, this.#match.scale, this.#scale) - this.#sums.received;
  }

  /** Clears settlements as people decided, with all of the entries of closed days, whatever was short of each. */
  #unite(closed: readonly EntryShare[]): boolean {
    const unknown = this.#unknownOf(closed);
    if (this.#sums.received === 0n) for (const entry of closed) this.#receive(entry);
    else if (this.#match.by === 'confirmed') this.#sums.received += unknown;
    this.#share(this.#settled);
    this.#sums.short = 0n;
    this.#endDueDay(this.#day);
    return true;
  }

  #writeOff(): boolean {
    this.#share(this.#settled);
    this.#sums.short += this.#outstanding;
    return true;
  }

  #share(settlements: readonly Settlement[]): void {
    if (settlements.length === this.#sharing.length) return;
    this.#sharing = [...settlements];
    this.#payIn = settlements.reduce((sum, one) => sum + this.#payInOf(one), 0n);
    const [token = '', ...others] = new Set(settlements.map((one) => one.accountingToken));
    this.#token = others.length === 0 ? token : '';
  }

  /** Whether money may belong to the settlements: not before their day, nor when all of them are gone. */
  get #isOwner(): boolean {
    return this.#settled.some((one) => this.#payInOf(one) !== 0n || one.transactions !== 0);
  }

  /** The pay-in as it was known on the day of the movements. */
  #payInOf(settlement: Settlement): bigint {
    const closed = this.#rules.payInsOf(settlement).find(({ through }) => this.#day <= through);
    const { payIn = 0n, scale } = closed ?? settlement;
    return rescale(payIn, scale, this.#scale);
  }

  #settledOn(settlement: Settlement): string {
    return settledOn(settlement, this.#rules.payInsOf(settlement));
  }

  #lastDueDay(settlement: Settlement): string {
    return this.#rules.businessDays.daysDue(settlement).to;
  }

  get #figures(): ClearedFigures {
    return withOver(this.#payIn, this.#sums);
  }

  get #outstanding(): bigint {
    return this.#payIn - clearedBy(this.#figures);
  }

  #movements(date: string, entry: EntryShare | undefined): readonly Clearing[] {
    const lines = new Map(this.#lines().map((line) => [keyOf(line), line]));
    for (const [key, line] of this.#reportedFor === this.#sharing ? [] : this.#reported) {
      // Others share its figures now.
      if (!lines.has(key)) lines.set(key, { ...line, figures: noFigures });
    }
    this.#reportedFor = this.#sharing;
    return [...lines.values()].flatMap((line) => {
      const { figures: now, ...whose } = line;
      const before = this.#report(line);
      const figures = clearedFigures((name) => now[name] - before[name]);
      if (!hasFigures(figures)) return [];
      const { currency } = this.#match;
      const bank = entry ? figures.received : 0n;
      const suspense = bank - figures.received;
      const money = { currency, scale: this.#scale, bank, suspense };
      return { ...figures, ...whose, ...money, match: this.#match, date, entry };
    });
  }

  /** Stores the reported figures; returns the previous ones. */
  #report(line: Line): ClearedFigures {
    const before = this.#reported.get(keyOf(line))?.figures ?? noFigures;
    this.#reported.set(keyOf(line), line);
    return before;
  }

  /** The figures of each settlement, then the shared ones: only these, unless the sharing settlements changed. */
  #lines(): readonly Line[] {
    const accountingToken = this.#token;
    const figures = this.#figures;
    const [settlement, ...others] = this.#sharing;
    if (others.length === 0) return [{ settlement, accountingToken, figures }];
    // Each has received its pay-in, unless all of it went back. Of settlements that come to 0 together, nothing does.
    const isBack = this.#payIn !== 0n && figures.received === 0n && figures.charges === 0n;
    const received = isBack ? 0n : figures.received - this.#payIn;
    const common = { settlement: undefined, accountingToken, figures: { ...figures, received } };
    if (this.#reportedFor === this.#sharing && isBack === this.#isBack) return [common];
    this.#isBack = isBack;
    const each = this.#sharing.map((settlement): Line => {
      const { accountingToken } = settlement;
      const received = isBack ? 0n : this.#payInOf(settlement);
      return { settlement, accountingToken, figures: { ...noFigures, received } };
    });
    return [...each, common];
  }
}

/** The day from which on a settlement is in the books: its own, or the first one after the closes that lack it. */
function settledOn({ date }: Settlement, payIns: readonly ClosedPayIn[]): string {
  const first = payIns.findIndex(({ payIn }) => payIn !== undefined);
  const lacking = first < 0 ? payIns.at(-1) : payIns[first - 1];
  return lacking ? addDays(lacking.through, 1) : date;
}

function keyOf({ settlement, accountingToken }: Line): string {
  return `${settlement?.id ?? ''}\n${accountingToken}`;
}

/** Adds what exceeds a pay-in in its direction, for any order of the money. */
function withOver(payIn: bigint, figures: Omit<ClearedFigures, 'over'>): ClearedFigures {
  const excess = figures.received + figures.charges + figures.short - payIn;
  const isDebit = (payIn === 0n ? figures.received : payIn) < 0n;
  return { ...figures, over: excess < 0n === isDebit ? excess : 0n };
}

function inOrder(one: Step, other: Step): number {
  return byText(one.date, other.date) || one.order - other.order || byText(idOf(one), idOf(other));
}

function idOf({ entry }: Step): string {
  return entry?.entry.id ?? '';
}
