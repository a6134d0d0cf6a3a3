import { byText } from '../base/texts.ts';
import { byDateThenId } from '../model/settlement.ts';
import { rescale } from '../money/money.ts';
import type { Coverage } from './coverage.ts';
import { type Finding, sumsOf } from './finding.ts';
import type { BankMatch, BankState, SettlementShare } from './match.ts';
import type { Piece } from './pieces.ts';

/** States of money that is on the account. */
const received: ReadonlySet<BankState> = new Set([
  'matched',
  'charged',
  'difference',
  'returned',
  'unknown_on_bank',
  'unrelated',
]);

/** A finding with its amounts, all at one scale. */
export function bankMatchOf(found: Finding, coverage: Coverage): BankMatch {
  const { state, by, reason } = found;
  const sums = sumsOf(found.settlements, found.pieces);
  const { scale, expected } = sums;
  const counts = received.has(state) && reason !== 'other_currency';
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

/** A match of one entry, or its part, that no pay-out explains. A class, as most entries are such. */
export class LoneMatch implements BankMatch {
  declare readonly by: undefined;
  declare readonly reason: undefined;
  declare readonly settlements: readonly SettlementShare[];
  declare readonly expected: bigint;
  declare readonly difference: undefined;
  declare readonly ageDays: undefined;
  readonly state: BankState;
  readonly #piece: Piece;

  static {
    const none = { by: undefined, reason: undefined, settlements: [], expected: 0n };
    Object.assign(LoneMatch.prototype, none, { difference: undefined, ageDays: undefined });
  }

  constructor(state: BankState, piece: Piece) {
    this.state = state;
    this.#piece = piece;
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
export function byPlace({ entry: one, part }: Piece, { entry: other, part: another }: Piece) {
  const byEntry = byText(one.date, other.date) || byText(one.account, other.account);
  return byEntry || byText(one.id, other.id) || (part ?? 0) - (another ?? 0);
}

/** The order of matches: by the date of the settlement or else of the entry, then by its id. */
export function byDay(match: BankMatch, other: BankMatch): number {
  const [one, another] = [match, other].map(
    ({ settlements, entries }) => settlements[0]?.settlement ?? entries[0]?.entry,
  );
  const byHead =
    byText(one?.date ?? '', another?.date ?? '') || byText(one?.id ?? '', another?.id ?? '');
  return byHead || (match.entries[0]?.part ?? 0) - (other.entries[0]?.part ?? 0);
}
