import { isDayIn, spanOf } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import type { AcceptedPayout } from '../model/accepted-difference.ts';
import type { Settlement } from '../model/settlement.ts';
import { magnitude, maxScale, rescale } from '../money/money.ts';
import { type AcceptedDifferences, isExpired } from '../reconcile/acceptance.ts';
import type { BusinessDays } from './business-days.ts';
import { exactSums } from './exact-sums.ts';
import { comparableAmount, comparablePayIn, type Finding, type Piece, sumsOf } from './finding.ts';
import { joined, united } from './joined.ts';
import { type BankMatch, type BankState, isDue, isOff, type NettedPayouts } from './match.ts';

/** The settlements that are one pay-out by decision: each with all of them. */
export type Together = ReadonlyMap<Settlement, readonly Settlement[]>;

/** The settlements that people settled with others. A decision on a settlement that has changed does not count. */
export function settledTogether(
  settlements: readonly Settlement[],
  accepted: AcceptedDifferences | undefined,
): Together {
  if (!accepted || accepted.decided.settled_with.size === 0) return new Map();
  const byId = new Map(settlements.map((one) => [one.id.toLowerCase(), one]));
  const asSeen = (id: string, payIn: bigint, { currency, scale }: AcceptedPayout) => {
    const now = byId.get(id.toLowerCase());
    const isSame =
      now?.currency === currency && comparablePayIn(now) === rescale(payIn, scale, maxScale);
    return isSame && isDue(now) ? now : undefined;
  };
  const pairs = [...accepted.decided.settled_with.values()].map((line) => {
    const one = asSeen(line.settlementId, line.expected, line);
    const other = line.other && asSeen(line.other.settlementId, line.other.payIn, line);
    return one && other && !isExpired(line, accepted.today) ? [one, other] : [];
  });
  const groups = joined(pairs, (pair) => pair).map(united);
  return new Map(groups.flatMap((group) => group.map((one) => [one, group] as const)));
}

/** What counts for one settlement counts for all that are settled together. */
export function widened<One extends Pick<Finding, 'settlements'>>(one: One, together: Together) {
  if (!one.settlements.some((settlement) => together.has(settlement))) return one;
  const settlements = united(one.settlements.map((own) => together.get(own) ?? [own]));
  return { ...one, settlements, isOneId: false };
}

/** Names the decision as the reason of a finding that rests on it and has no other. */
export function asDecided(found: Finding, together: Together): Finding {
  const isDecided = found.settlements.some((one) => together.has(one));
  if (!isDecided || found.reason !== undefined) return found;
  return { ...found, reason: 'settled_with', isEachPaid: found.state === 'matched' };
}

/** Settlements that are settled together, and whose ids are on no piece: the sum counts if one piece has it. */
export function settledBySum(
  together: Together,
  [settlements, pieces]: readonly [readonly Settlement[], readonly Piece[]],
  businessDays: BusinessDays,
  isFromService: (piece: Piece) => boolean,
): readonly Finding[] {
  const open = new Set(settlements);
  const groups = [...new Set(together.values())];
  return groups.flatMap((group): readonly Finding[] => {
    if (!group.every((one) => open.has(one))) return [];
    const { expected, scale } = sumsOf(group, []);
    const sum = rescale(expected, scale, maxScale);
    const fits = pieces.filter(
      (piece) =>
        comparableAmount(piece) === sum &&
        piece.entry.currency === group[0]?.currency &&
        group.some((one) => isDayIn(businessDays.daysDue(one), piece.entry.date)) &&
        isFromService(piece),
    );
    const found = { by: 'sum', settlements: group, pieces: sum === 0n ? [] : fits } as const;
    if (sum === 0n || fits.length === 1) return [{ state: 'matched', ...found }];
    return fits.length === 0 ? [] : [{ state: 'ambiguous', reason: 'same_amount', ...found }];
  });
}

const notReceived: readonly BankState[] = ['missing_on_bank', 'in_transit'];

/**
 * Negative pay-outs that were not received, and later ones of the same account that arrived with exactly so much less:
 * perhaps the service paid both as one. Nothing is suggested if several fit.
 */
export function nettedPayouts(
  matches: readonly BankMatch[],
  businessDays: BusinessDays,
): readonly NettedPayouts[] {
  const daysDue = (one: Settlement) => businessDays.daysDue(one);
  const payouts = (one: BankMatch) => one.settlements.map(({ settlement }) => settlement);
  const keyOf = ({ accountingToken, currency }: Settlement) => `${currency} ${accountingToken}`;
  const absent = groupedBy(
    matches.filter((one) => notReceived.includes(one.state) && !isOff(one)).flatMap(payouts),
    keyOf,
  );
  const found = matches.flatMap((match): readonly NettedPayouts[] => {
    const own = payouts(match);
    const [key, ...others] = new Set(own.map(keyOf));
    const date = spanOf(own.map((one) => one.date))?.to ?? '';
    const { state, by, expected, received, difference = 0n, currency, scale, entries } = match;
    if (key === undefined || others.length > 0) return [];
    if (state === 'suggested' && by === 'sum' && own.some(({ payIn }) => payIn < 0n)) {
      return [{ settlements: own, currency, scale, minor: expected }];
    }
    const inTime = entries.every(({ entry }) =>
      own.some((one) => isDayIn(daysDue(one), entry.date)),
    );
    if (!isOff(match) || difference >= 0n || expected <= 0n || !inTime) return [];
    const before = (absent.get(key) ?? []).filter(
      (one) => one.date <= date && date <= daysDue(one).to,
    );
    const less = rescale(difference, scale, maxScale);
    const sums = [
      ...before.filter((one) => comparablePayIn(one) === less).map((one) => [one]),
      ...exactSums(before, comparablePayIn)(less, magnitude(difference)),
    ];
    const [sum = []] = sums;
    if (sums.length !== 1) return [];
    return [{ settlements: [...sum, ...own], currency, scale, minor: received }];
  });
  return joined(found, ({ settlements }) => settlements).flatMap((rivals) =>
    rivals.length === 1 ? rivals : [],
  );
}
