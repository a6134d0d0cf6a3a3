import type { BankMatch, EntryShare, SettlementShare } from '../../match/match.ts';
import type { PaymentDetails, Place } from '../../model/bank.ts';
import { rescale } from '../../money/money.ts';

/**
 * A settlement and an entry of a match, side by side. The only one of its match is there on each of its
 * lines, so that a line says what it is about; amounts are there on the first of these lines alone, so
 * that a column can be added up.
 */
export interface BankLine {
  /** Numbers the matches of a report, from 1. */
  readonly number: number;
  readonly match: BankMatch;
  readonly share: SettlementShare | undefined;
  readonly entry: EntryShare | undefined;
  readonly isFirst: boolean;
  /** Whether the amounts of its settlement, and of its entry, stand here. */
  readonly hasSettlement: boolean;
  readonly hasEntry: boolean;
}

/** The matches that reports list: what an account has to do with others is nobody's business here. */
export function listedMatches(matches: readonly BankMatch[]): readonly BankMatch[] {
  return matches.filter(({ state }) => state !== 'unrelated');
}

/** These matches as lines, numbered. */
export function* bankLines(matches: readonly BankMatch[]): Generator<BankLine, void, void> {
  for (const [index, match] of listedMatches(matches).entries()) {
    yield* linesOfMatch(match, index + 1);
  }
}

/** A match as lines; where it has no number, nobody sees it. */
export function linesOfMatch(match: BankMatch, number = 0): readonly BankLine[] {
  const { settlements, entries } = match;
  const pick = <One>(all: readonly One[], at: number) => (all.length === 1 ? all[0] : all[at]);
  const count = Math.max(settlements.length, entries.length);
  return Array.from({ length: count }, (_, at) => ({
    number,
    match,
    share: pick(settlements, at),
    entry: pick(entries, at),
    isFirst: at === 0,
    hasSettlement: at < settlements.length,
    hasEntry: at < entries.length,
  }));
}

/**
 * What a settlement should have been paid, and what the bank has of it, minor units at the scale of its
 * match. Nothing is received where nothing is there, or only a sum is known.
 */
export function shareFigures(match: BankMatch, { settlement, received: own }: SettlementShare) {
  const expected = rescale(settlement.payIn, settlement.scale, match.scale);
  // Where the sums agree, each has what it should have.
  const ofSeveral = own ?? (match.state === 'matched' ? expected : undefined);
  const ofThis = match.settlements.length === 1 ? match.received : ofSeveral;
  const received = match.difference === undefined ? undefined : ofThis;
  const difference = received === undefined ? undefined : received - expected;
  return { expected, received, difference };
}

export type ShareFigure = keyof ReturnType<typeof shareFigures>;

/** What the bank says of an entry: of the part that belongs here, or else of the whole. */
export function entryTexts(share: EntryShare | undefined, key: keyof PaymentDetails) {
  if (!share) return [];
  const { entry, part } = share;
  const own = part === undefined ? [] : (entry.parts[part]?.[key] ?? []);
  if (own.length > 0) return own;
  const ofParts = part === undefined ? entry.parts.flatMap((one) => one[key]) : [];
  return [...new Set([...entry.details[key], ...ofParts])];
}

/** `march.xml:120`. */
export function placeText({ file, line }: Place): string {
  return `${file}:${line}`;
}
