import { isDayIn } from '../base/calendar.ts';
import { append } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import {
  accountNumber,
  type BankRule,
  type BankStatement,
  type BankStatements,
} from '../model/bank.ts';
import { byDateThenId, type Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import { rescale } from '../money/money.ts';
import type { AcceptedDifferences } from '../reconcile/acceptance.ts';
import { bankRulesOn, type RuleUse } from './bank-rules.ts';
import type { BusinessDays } from './business-days.ts';
import { Coverage } from './coverage.ts';
import { findByKeys } from './find-by-keys.ts';
import { type Finding, isBooked, type Piece, piecesOf, sumsOf } from './finding.ts';
import {
  type BankMatch,
  type BankMatching,
  type BankState,
  entryKey,
  hasArrived,
  isDue,
  isPaid,
  type MatchReason,
  type SettlementShare,
} from './match.ts';
import { nearMisses } from './near-miss.ts';
import { findUndone } from './returns.ts';
import { asDecided, nettedPayouts, settledBySum, settledTogether } from './settled-with.ts';
import { suggestByAmount, suggestByIds, suggestBySums } from './suggest.ts';
import { takenBack } from './taken-back.ts';
import { bankTotalsOf } from './totals.ts';

export interface MatchOptions {
  /** The reported range; other settlements only explain entries. */
  readonly range: DateRange;
  /** Account numbers that the service pays from, and names of it; more are learned from matches by keys. */
  readonly counterparties: readonly string[];
  readonly businessDays: BusinessDays;
  /** What entries are that no pay-out explains: the first rule that fits counts. */
  readonly rules?: readonly BankRule[] | undefined;
  /** What people decided of pay-outs. */
  readonly accepted?: AcceptedDifferences | undefined;
  /** Entries or parts of them, by `entryKey`, that are certainly of another profile. */
  readonly taken?: ReadonlySet<string> | undefined;
}

/** Matches pay-outs with the entries of statements, each once. The order of both does not matter. */
export function matchPayouts(
  settlements: readonly Settlement[],
  { statements, entries }: BankStatements,
  { range, counterparties, businessDays, rules = [], accepted, taken }: MatchOptions,
): BankMatching {
  const all = {
    settlements: [...settlements].sort(byDateThenId),
    pieces: entries
      .flatMap(piecesOf)
      .filter((one) => !taken?.has(entryKey(one)))
      .sort(byPlace),
  };
  const coverage = new Coverage(statements, businessDays);
  const undoneBy = findUndone(all.pieces.filter(isBooked));
  const undoing = new Set(undoneBy.values());
  const pieces = all.pieces.filter((piece) => !undoing.has(piece));
  const together = settledTogether(all.settlements, accepted);
  const payers = new PaidFrom(counterparties, [], statements);
  const mayBe = (one: Settlement, piece: Piece) =>
    piece.entry.date >= businessDays.daysDue(one).from && payers.mayInclude(piece);
  const byKeys = findByKeys(all.settlements, pieces, undoneBy, mayBe, together, accepted);
  const paidFrom = new PaidFrom(counterparties, byKeys, statements);
  const steps: readonly ((open: Open) => readonly Finding[])[] = [
    () => byKeys,
    (open) => cancelledAmong(open, undoneBy, paidFrom),
    (open) =>
      settledBySum(together, payable(open), businessDays, (one) => paidFrom.mayInclude(one)),
    (open) => suggestByAmount(...payable(open), businessDays, (one) => paidFrom.mayInclude(one)),
    (open) => suggestBySums(...payable(open), businessDays, (one) => paidFrom.includes(one)),
    (open) => suggestByIds('text_start', ...payable(open), businessDays),
    (open) => suggestByIds('short_id', ...payable(open), businessDays),
    (open) =>
      open.settlements.map((one) => {
        return { state: stateOf(one, coverage), settlements: [one], pieces: [] };
      }),
  ];
  const found: Finding[] = [];
  for (const step of steps) append(found, step(without(all, found)));
  const compared = new Set(settlements.map(({ id }) => id));
  const matches = found.map((one) => bankMatchOf(asDecided(one, together), coverage));
  const netted = nettedPayouts(matches, businessDays).filter(({ settlements: those }) =>
    those.some(({ date }) => isDayIn(range, date)),
  );
  const ruleOn = bankRulesOn(rules, settlements, accepted);
  for (const one of without(all, found).pieces) {
    matches.push(new UnmatchedPiece(stateOfUnexplained([one], paidFrom), one, ruleOn(one)));
  }
  const near = nearMisses(matches, businessDays);
  const hints = { near, takenBack: takenBack(matches) };
  return { ...report(matches, range), netted, ...hints, compared, paidFrom: paidFrom.known };
}

interface Open {
  readonly settlements: readonly Settlement[];
  readonly pieces: readonly Piece[];
}

function without({ settlements, pieces }: Open, found: readonly Finding[]): Open {
  const taken = new Set(found.flatMap((one) => [...one.settlements, ...one.pieces]));
  return {
    settlements: settlements.filter((one) => !taken.has(one)),
    pieces: pieces.filter((one) => !taken.has(one)),
  };
}

/** The settlements and pieces that may be matched by amount: paid, and booked. */
function payable({ settlements, pieces }: Open): [readonly Settlement[], readonly Piece[]] {
  return [settlements.filter(isDue), pieces.filter(isBooked)];
}

/** Money that names no settlement, and that was returned or reversed. */
function cancelledAmong(
  { pieces }: Open,
  undoneBy: ReadonlyMap<Piece, Piece>,
  paidFrom: PaidFrom,
): readonly Finding[] {
  return pieces.flatMap((piece): readonly Finding[] => {
    const by = undoneBy.get(piece);
    if (!by) return [];
    const pieces = [piece, by];
    return [
      { state: stateOfUnexplained(pieces, paidFrom), settlements: [], pieces, reason: 'returned' },
    ];
  });
}

function stateOf(settlement: Settlement, coverage: Coverage): BankState {
  if (!isPaid(settlement)) return 'not_paid_yet';
  return isDue(settlement) ? coverage.stateOfUnfound(settlement) : 'nothing_due';
}

function stateOfUnexplained(pieces: readonly Piece[], paidFrom: PaidFrom): BankState {
  if (!pieces.some((one) => paidFrom.mayExplain(one))) return 'unrelated';
  return pieces.some(isBooked) ? 'unknown_on_bank' : 'pending_on_bank';
}

function report(found: readonly BankMatch[], range: DateRange) {
  const all = [...found].sort(byDay);
  const matches = all.filter((one) => isOf(range, one));
  // Settlements of other days for which nothing was found are not reported.
  const outside = all.filter((one) => !isOf(range, one) && one.entries.length > 0);
  return { matches, totals: bankTotalsOf(matches), outside };
}

/** Whether a match has a settlement of the range or, if it has none at all, entries of its days. */
function isOf(range: DateRange, { settlements, entries }: BankMatch): boolean {
  if (settlements.length === 0) return entries.some(({ entry }) => isDayIn(range, entry.date));
  return settlements.some(({ settlement }) => isDayIn(range, settlement.date));
}

/** The accounts that the service pays from and its names on statements: the set ones, and those of matched entries. */
class PaidFrom {
  readonly #accounts: ReadonlySet<string>;
  /** Set names, in small letters. */
  readonly #names: readonly string[];
  /** The words that all matched entries have, if no names are set. */
  readonly #words: readonly string[];

  /**
   * `byKeys` are matches by keys alone: the amount of another payer may be the same. Nor does one that a person
   * confirmed say who else pays.
   */
  constructor(
    known: readonly string[],
    byKeys: readonly Finding[],
    statements: readonly BankStatement[],
  ) {
    const isSure = ({ by }: Finding) => by !== 'text_start' && by !== 'confirmed';
    const matched = byKeys.filter((one) => hasArrived(one) && isSure(one));
    const pieces = matched.flatMap((one) => one.pieces);
    const learned = pieces.flatMap(({ details }) => details.accounts);
    const own = new Set(statements.map(({ account }) => accountNumber(account)));
    const numbers = [...known.filter(isNumber), ...learned].map(accountNumber);
    this.#accounts = new Set(numbers.filter((one) => !own.has(one)));
    this.#names = known.filter((one) => !isNumber(one)).map((one) => one.toLowerCase());
    this.#words = this.#names.length > 0 ? [] : wordsOfAll(pieces);
  }

  /** Accounts and set names; without any, the words. */
  get known(): readonly string[] {
    const known = [...[...this.#accounts].sort(), ...this.#names];
    return known.length > 0 ? known : this.#words;
  }

  /** Whether a piece is from such an account, as far as anything is known. */
  includes(piece: Piece): boolean {
    if (this.#accounts.size === 0) return hasAny(this.#names, piece);
    return piece.details.accounts.some((account) => this.#accounts.has(accountNumber(account)));
  }

  /** Whether a piece is from such an account, or the bank does not name its account. */
  mayInclude(piece: Piece): boolean {
    return (
      this.includes(piece) || (piece.details.accounts.length === 0 && hasAny(this.#names, piece))
    );
  }

  /** Whether a piece that no pay-out explains may be from the service, by its account or else its texts. */
  mayExplain(piece: Piece): boolean {
    const isByAccount = this.#accounts.size > 0 && piece.details.accounts.length > 0;
    return this.mayInclude(piece) && (isByAccount || hasAny(this.#words, piece));
  }
}

/** Whether the names and texts of a piece have one of these words, as far as any are known. */
function hasAny(words: readonly string[], piece: Piece): boolean {
  const said = saidIn(piece);
  return words.length === 0 || words.some((word) => said.includes(word));
}

/** Whether a payer is set by an account number; else it is a name. */
const isNumber = (payer: string) => /\d{4}/.test(payer);

function saidIn({ details: { names, texts } }: Piece): string {
  return [...names, ...texts].join(' ').toLowerCase();
}

/** Fewer entries may have a word in common by chance. */
const fewestAlike = 3;

/** The words that all entries have: names of who pays, and what banks write beside each of its payments. */
function wordsOfAll(pieces: readonly Piece[]): readonly string[] {
  if (pieces.length < fewestAlike) return [];
  const [first = new Set<string>(), ...others] = pieces.map(
    (piece) => new Set(saidIn(piece).match(/\p{L}{3,}/gu)),
  );
  return [...first].filter((word) => others.every((one) => one.has(word)));
}

const received: ReadonlySet<BankState> = new Set([
  'matched',
  'charged',
  'difference',
  'returned',
  'unknown_on_bank',
  'by_rule',
  'unrelated',
]);

/** A finding with its amounts, all at one scale. */
function bankMatchOf(found: Finding, coverage: Coverage): BankMatch {
  const { by, reason } = found;
  const sums = sumsOf(found.settlements, found.pieces);
  const { scale, expected } = sums;
  const counts = received.has(found.state) && reason !== 'other_currency';
  const isPart =
    (sums.received > 0n && sums.received < expected) ||
    (sums.received < 0n && sums.received > expected);
  const mayCome = (one: Settlement) => coverage.stateOfUnfound(one) === 'in_transit';
  const waits =
    found.state === 'difference' && !reason && isPart && found.settlements.some(mayCome);
  const state = waits ? 'in_transit' : found.state;
  const settlements = [...found.settlements].sort(byDateThenId);
  const [oldest] = settlements;
  return {
    state,
    by,
    reason,
    settlements: settlements.map((settlement): SettlementShare => {
      const payIn = rescale(settlement.payIn, settlement.scale, scale);
      const own = settlements.length === 1 ? sums.received : found.isEachPaid ? payIn : undefined;
      return { settlement, received: counts ? own : undefined };
    }),
    entries: [...found.pieces].sort(byPlace).map((piece) => {
      const { entry, part, amount } = piece;
      return entry.scale === scale
        ? piece
        : { entry, part, amount: rescale(amount, entry.scale, scale) };
    }),
    currency: oldest?.currency ?? found.pieces[0]?.entry.currency ?? '',
    scale,
    expected,
    received: counts ? sums.received : 0n,
    difference: counts && oldest ? sums.received - expected : undefined,
    ageDays: oldest && coverage.ageOf(oldest.date),
  };
}

/**
 * A match of one entry, or its part, that no pay-out explains. There may be half a million, so it is a class,
 * which takes little room. A copy by `...` would lose its getters.
 */
class UnmatchedPiece implements BankMatch {
  declare readonly by: undefined;
  declare readonly reason: MatchReason | undefined;
  declare readonly rule: BankRule | undefined;
  declare readonly settlements: readonly SettlementShare[];
  declare readonly expected: bigint;
  declare readonly difference: undefined;
  declare readonly ageDays: undefined;
  readonly state: BankState;
  readonly #piece: Piece;

  static {
    const none = {
      by: undefined,
      reason: undefined,
      rule: undefined,
      settlements: [],
      expected: 0n,
    };
    Object.assign(UnmatchedPiece.prototype, none, { difference: undefined, ageDays: undefined });
  }

  constructor(state: BankState, piece: Piece, use: RuleUse | undefined) {
    this.#piece = piece;
    this.state = state;
    if (use?.isHeld) this.reason = 'rule_held';
    if (!use || use.isHeld) return;
    this.rule = use.rule;
    this.state = use.rule.unrelated ? 'unrelated' : 'by_rule';
  }

  get entries() {
    return [this.#piece];
  }

  get currency() {
    return this.#piece.entry.currency;
  }

  get scale() {
    return this.#piece.entry.scale;
  }

  get received() {
    return received.has(this.state) ? this.#piece.amount : 0n;
  }
}

/** The order of pieces: by date, account, id of their entries, and by their number in it. */
function byPlace({ entry: one, part }: Piece, { entry: other, part: another }: Piece) {
  const byEntry = byText(one.date, other.date) || byText(one.account, other.account);
  return byEntry || byText(one.id, other.id) || (part ?? 0) - (another ?? 0);
}

/** Orders matches by the date of the settlement or else of the entry, then by id. */
function byDay(match: BankMatch, other: BankMatch): number {
  const [one, another] = [match, other].map(
    ({ settlements, entries }) => settlements[0]?.settlement ?? entries[0]?.entry,
  );
  const byHead =
    byText(one?.date ?? '', another?.date ?? '') || byText(one?.id ?? '', another?.id ?? '');
  return byHead || (match.entries[0]?.part ?? 0) - (other.entries[0]?.part ?? 0);
}
