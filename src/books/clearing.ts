import { append, groupedBy } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import type { BusinessDays } from '../match/business-days.ts';
import { chargeOf } from '../match/charges.ts';
import { isPaid } from '../match/claims.ts';
import { Coverage } from '../match/coverage.ts';
import type { BankMatch, EntryShare } from '../match/match.ts';
import type { BankStatements } from '../model/bank.ts';
import type { Settlement } from '../model/settlement.ts';
import { rescale } from '../money/money.ts';

/** What came of pay-outs: minor units, with the signs of the bank account. */
export interface ClearedFigures {
  /** What the bank received, whatever it is set against. */
  readonly received: bigint;
  /** What of it is more than the pay-in. */
  readonly over: bigint;
  /** What was still not received of a pay-in on its last due day, if something was by then. */
  readonly short: bigint;
  /** What the bank says it kept of the pay-in. */
  readonly charges: bigint;
}

/** A movement of the money of pay-outs, on its booking day. Minor units at `scale`. */
export interface Clearing extends ClearedFigures {
  /** The booking day. */
  readonly date: string;
  readonly match: BankMatch;
  /** Absent where several settlements are paid together, or none is known. */
  readonly settlement: Settlement | undefined;
  /** Empty where it is shared by several, or nobody's. */
  readonly accountingToken: string;
  readonly currency: string;
  readonly scale: number;
  /** Absent for a short, and for what moves on a later day than its entry. */
  readonly entry: EntryShare | undefined;
  /** On the bank account: always `received` + `suspense`. */
  readonly bank: bigint;
  /** Money that stands on suspense until somebody decides, or until its settlement's day. */
  readonly suspense: bigint;
}

/** What a settlement had come to by a day, and on which accounts, if that is known. */
export interface CarriedFigures extends Omit<ClearedFigures, 'over'> {
  readonly scale: number;
  readonly accounts?: readonly string[] | undefined;
}

/** What is known besides matches. */
export interface ClearingOptions extends Pick<BankStatements, 'statements'> {
  readonly businessDays: BusinessDays;
  /** Whether a settlement is in transit from its date on; by default, if the service says it is settled. */
  readonly isSettled?: (settlement: Settlement) => boolean;
  /** Where earlier days are not read again: what settlements of those days had come to by the end of `through`. */
  readonly carried?:
    | {
        readonly through: string;
        /** Whether all entries of a match that had come by then are read again: it is followed from its beginning. */
        readonly isReadAgain?: (match: BankMatch) => boolean;
        readonly of: (settlement: Settlement) => CarriedFigures | undefined;
        /** What several together had come to, besides what each had. */
        readonly ofAll?: (settlements: readonly Settlement[]) => CarriedFigures | undefined;
      }
    | undefined;
}

/** By how much a clearing lowers what is in transit. */
export function clearedBy({ received, charges, over, short }: ClearedFigures): bigint {
  return received + charges - over + short;
}

/**
 * What each booked entry, and each last due day, does to what is in transit, in the order of days. What is
 * said of a day depends on nothing that is dated later. Entries of others, and announced ones, do nothing.
 */
export function clearingsOf(
  matches: readonly BankMatch[],
  { statements, businessDays, isSettled = isPaid, carried }: ClearingOptions,
): readonly Clearing[] {
  const coverage = new Coverage(statements, businessDays);
  const rules = { coverage, businessDays, isSettled, carried };
  return matches
    .flatMap((match) => [...clearingsOfMatch(match, rules)])
    .sort((one, other) => byText(one.date, other.date));
}

interface Rules extends Pick<ClearingOptions, 'carried' | 'businessDays'> {
  readonly coverage: Coverage;
  readonly isSettled: (settlement: Settlement) => boolean;
}

function* clearingsOfMatch(match: BankMatch, all: Rules): Generator<Clearing> {
  if (match.state === 'unrelated') return;
  const rules = all.carried?.isReadAgain?.(match) ? { ...all, carried: undefined } : all;
  const { settlements, difference, currency } = match;
  const booked = match.entries.filter(({ entry }) => entry.status === 'booked');
  const isTheirs = settlements.length > 0 && difference !== undefined;
  const isOwn = ({ entry }: EntryShare) => isTheirs && entry.currency === currency;
  const since = rules.carried?.through ?? '';
  for (const share of booked) {
    if (!isOwn(share) && share.entry.date > since) yield unknownReceipt(match, share);
  }
  const own = settlements.map(({ settlement }) => settlement);
  // Nothing says whose the entries of a doubtful match are: its settlements have nothing in common.
  const groups = isTheirs ? [own] : own.map((one) => [one]);
  for (const settled of groups) {
    const due = settled.filter(rules.isSettled);
    yield* new Payout(match, due, rules).clearings(booked.filter(isOwn));
  }
}

function unknownReceipt(match: BankMatch, entry: EntryShare): Clearing {
  return {
    ...nothing,
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

const nothing: ClearedFigures = { received: 0n, over: 0n, short: 0n, charges: 0n };

/** Whose figures are: one settlement's, or those of several together. */
interface Line {
  readonly settlement: Settlement | undefined;
  readonly accountingToken: string;
  readonly figures: ClearedFigures;
}

/** What happens to a pay-out on a day: settlements come, an entry is booked, or the last due day ends. */
interface Step {
  readonly date: string;
  /** On one day, settlements come first, then money in, money out, and the end of the day. */
  readonly order: 0 | 1 | 2 | 3;
  readonly entry?: EntryShare;
  /** Returns whether that changes where the pay-out stands. */
  readonly take: () => boolean;
}

/**
 * Follows the settlements of a match through the days. Several are cleared together: the first entry clears
 * each by its pay-in, and what it came to more or less belongs to all of them.
 */
class Payout {
  readonly #match: BankMatch;
  readonly #settlements: readonly Settlement[];
  readonly #rules: Rules;
  readonly #scale: number;
  /** Those whose day has come. */
  readonly #arrived: Settlement[] = [];
  /** Those among them for which money came. */
  #joined: readonly Settlement[] = [];
  #payIn = 0n;
  /** Their accounting token; empty if they have several. */
  #token = '';
  /** Entries that came before any settlement. */
  #held: EntryShare[] = [];
  #received = 0n;
  #charges = 0n;
  #short = 0n;
  /** The accounts on which money came; undefined among them for one that is not known. */
  readonly #accounts = new Set<string | undefined>();
  /** What was told so far, and of which settlements. */
  readonly #told = new Map<string, Line>();
  #toldOf: readonly Settlement[] | undefined;

  constructor(match: BankMatch, settlements: readonly Settlement[], rules: Rules) {
    this.#match = match;
    this.#settlements = settlements;
    this.#rules = rules;
    const each = settlements.map((one) => this.#carried(one));
    const carried = [...each, rules.carried?.ofAll?.(settlements)].flatMap((one) => one ?? []);
    this.#scale = carried.reduce((most, { scale }) => Math.max(most, scale), match.scale);
    this.#carryOn();
  }

  *clearings(entries: readonly EntryShare[]): Generator<Clearing> {
    const { through = '' } = this.#rules.carried ?? {};
    const isNew = ({ date }: { readonly date: string }) => date > through;
    const arriving = this.#settlements.filter(isNew);
    const open = this.#arrived.length > 0 ? entries.filter(({ entry }) => isNew(entry)) : entries;
    const lastDays = new Set(
      this.#settlements.map((one) => this.#rules.businessDays.daysDue(one).to),
    );
    const steps: Step[] = [
      ...[...groupedBy(arriving, ({ date }) => date)].map(([date, those]): Step => {
        return { date, order: 0, take: () => this.#arrive(those) };
      }),
      ...open.map((entry): Step => {
        const order = entry.amount < 0n ? 2 : 1;
        return { date: entry.entry.date, order, entry, take: () => this.#receive(entry) };
      }),
      ...[...lastDays]
        .filter((date) => isNew({ date }))
        .map((date): Step => {
          return { date, order: 3, take: () => this.#endOn(date) };
        }),
    ];
    for (const { date, entry, take } of steps.sort(inOrder)) {
      const moved = take() ? this.#moved(date, entry) : [];
      const held = entry && this.#arrived.length === 0 ? [unknownReceipt(this.#match, entry)] : [];
      if (date > through) yield* [...moved, ...held];
    }
  }

  #carried(settlement: Settlement): CarriedFigures | undefined {
    const { carried } = this.#rules;
    return carried && settlement.date <= carried.through ? carried.of(settlement) : undefined;
  }

  #carryOn(): void {
    const { through = '' } = this.#rules.carried ?? {};
    const told: Settlement[] = [];
    for (const settlement of this.#settlements.filter(({ date }) => date <= through)) {
      this.#arrived.push(settlement);
      const known = this.#carried(settlement);
      if (!known || [known.received, known.charges, known.short].every((of) => of === 0n)) continue;
      this.#carry(known, { settlement, accountingToken: settlement.accountingToken });
      told.push(settlement);
    }
    this.#join(told);
    const rest = told.length > 1 ? this.#rules.carried?.ofAll?.(told) : undefined;
    if (rest) this.#carry(rest, { settlement: undefined, accountingToken: this.#token });
  }

  #carry(known: CarriedFigures, whose: Omit<Line, 'figures'>): void {
    const at = (minor: bigint) => rescale(minor, known.scale, this.#scale);
    const [received, charges, short] = [at(known.received), at(known.charges), at(known.short)];
    this.#received += received;
    this.#charges += charges;
    this.#short += short;
    for (const account of known.accounts ?? [undefined]) this.#accounts.add(account);
    const payIn = whose.settlement ? this.#payInOf(whose.settlement) : 0n;
    const figures = whose.settlement
      ? withOver(payIn, { received, charges, short })
      : { received, charges, short, over: this.#figures.over };
    const line = { ...whose, figures };
    this.#told.set(keyOf(line), line);
  }

  #arrive(settlements: readonly Settlement[]): boolean {
    append(this.#arrived, settlements);
    for (const share of this.#held.splice(0)) this.#receive(share);
    // What was too much for the others may be theirs.
    if (this.#figures.over !== 0n) this.#join(this.#arrived);
    return this.#joined !== this.#toldOf;
  }

  #receive(share: EntryShare): boolean {
    if (this.#arrived.length === 0) {
      this.#held.push(share);
      return false;
    }
    this.#join(this.#arrived);
    this.#accounts.add(share.entry.account);
    this.#received += rescale(share.amount, this.#match.scale, this.#scale);
    const missing = this.#payIn - this.#received - this.#charges;
    this.#charges += chargeOf(share, missing, this.#scale);
    return true;
  }

  #endOn(date: string): boolean {
    const isLast = this.#joined.every((one) => this.#rules.businessDays.daysDue(one).to <= date);
    const isBegun = this.#received !== 0n && this.#received < 0n === this.#payIn < 0n;
    const isCovered = [...this.#accounts].every((account) =>
      this.#rules.coverage.covers(date, this.#match.currency, account),
    );
    const short = isLast && isBegun && isCovered ? this.#payIn - clearedBy(this.#figures) : 0n;
    this.#short += short;
    return short !== 0n;
  }

  #join(settlements: readonly Settlement[]): void {
    if (settlements.length === this.#joined.length) return;
    this.#joined = [...settlements];
    this.#payIn = settlements.reduce((sum, one) => sum + this.#payInOf(one), 0n);
    const [token = '', ...others] = new Set(settlements.map((one) => one.accountingToken));
    this.#token = others.length === 0 ? token : '';
  }

  #payInOf({ payIn, scale }: Settlement): bigint {
    return rescale(payIn, scale, this.#scale);
  }

  get #figures(): ClearedFigures {
    const [received, charges, short] = [this.#received, this.#charges, this.#short];
    return withOver(this.#payIn, { received, charges, short });
  }

  /** What has moved since it was last told. */
  #moved(date: string, entry: EntryShare | undefined): readonly Clearing[] {
    const lines = new Map(this.#lines().map((line) => [keyOf(line), line]));
    // Whose figures were told before, and stand elsewhere now.
    const left = [...this.#told].filter(
      ([key]) => this.#toldOf !== this.#joined && !lines.has(key),
    );
    for (const [key, line] of left) lines.set(key, { ...line, figures: nothing });
    this.#toldOf = this.#joined;
    return [...lines].flatMap(([key, line]) => {
      const before = this.#told.get(key)?.figures ?? nothing;
      const figures = {
        received: line.figures.received - before.received,
        over: line.figures.over - before.over,
        short: line.figures.short - before.short,
        charges: line.figures.charges - before.charges,
      };
      this.#told.set(key, line);
      if (Object.values(figures).every((figure) => figure === 0n)) return [];
      const bank = entry ? figures.received : 0n;
      const { settlement, accountingToken } = line;
      const whose = { match: this.#match, settlement, accountingToken, entry };
      const money = { currency: this.#match.currency, scale: this.#scale };
      return { ...figures, ...whose, ...money, date, bank, suspense: bank - figures.received };
    });
  }

  /** Where each stands, and last all together: this alone moves as long as nobody joins. */
  #lines(): readonly Line[] {
    const accountingToken = this.#token;
    const figures = this.#figures;
    const [settlement, ...others] = this.#joined;
    if (others.length === 0) return [{ settlement, accountingToken, figures }];
    const received = figures.received - this.#payIn;
    const all = { settlement: undefined, accountingToken, figures: { ...figures, received } };
    if (this.#toldOf === this.#joined) return [all];
    const each = this.#joined.map((settlement): Line => {
      const { accountingToken } = settlement;
      const received = this.#payInOf(settlement);
      return { settlement, accountingToken, figures: { ...nothing, received } };
    });
    return [...each, all];
  }
}

function keyOf({ settlement, accountingToken }: Line): string {
  return `${settlement?.id ?? ''}\n${accountingToken}`;
}

/** Whatever exceeds a pay-in in its direction is over, in whichever order money came and went. */
export function withOver(payIn: bigint, figures: Omit<ClearedFigures, 'over'>): ClearedFigures {
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
