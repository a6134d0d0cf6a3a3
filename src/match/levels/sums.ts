import { isDayIn } from '../../base/calendar.ts';
import { groupedBy } from '../../base/keys.ts';
import type { Settlement } from '../../model/settlement.ts';
import { magnitude } from '../../money/money.ts';
import { daysDue } from '../business-days.ts';
import { exactSums } from '../exact-sums.ts';
import { comparableAmount, comparablePayIn, type Finding } from '../finding.ts';
import { joined, united } from '../joined.ts';
import type { Piece } from '../pieces.ts';

/** Several that come to the same amount. */
interface Solution {
  readonly settlements: readonly Settlement[];
  readonly pieces: readonly Piece[];
}

/**
 * Suggests one piece for several settlements, or several pieces for one: sums that are exact, on the days
 * that the money is expected, the only ones that there are. Where there are more, none is chosen.
 */
export function suggestBySums(
  settlements: readonly Settlement[],
  pieces: readonly Piece[],
): readonly Finding[] {
  const currencies = groupedBy(settlements, ({ currency }) => currency);
  const payments = groupedBy(pieces, ({ entry }) => entry.currency);
  const solutions = [...currencies].flatMap(([currency, due]) => [
    ...batches(due, payments.get(currency) ?? []),
    ...splits(due, payments.get(currency) ?? []),
  ]);
  const members = (one: Solution) => [...one.settlements, ...one.pieces];
  return joined<Solution, Settlement | Piece>(solutions, members).map((group): Finding => {
    const found = {
      by: 'sum' as const,
      settlements: united(group.map((one) => one.settlements)),
      pieces: united(group.map((one) => one.pieces)),
    };
    return group.length === 1
      ? { state: 'suggested', ...found }
      : { state: 'ambiguous', reason: 'several_sums', ...found };
  });
}

function batches(due: readonly Settlement[], pieces: readonly Piece[]): readonly Solution[] {
  return pieces.flatMap((piece) => {
    const pool = due.filter((one) => isDayIn(daysDue(one), piece.entry.date));
    const sums = exactSums(pool, comparablePayIn, comparableAmount(piece), magnitude(piece.amount));
    return sums.map((settlements) => ({ settlements, pieces: [piece] }));
  });
}

function splits(due: readonly Settlement[], pieces: readonly Piece[]): readonly Solution[] {
  return due.flatMap((settlement) => {
    const days = daysDue(settlement);
    const pool = pieces.filter(({ entry }) => isDayIn(days, entry.date));
    const sums = exactSums(
      pool,
      comparableAmount,
      comparablePayIn(settlement),
      magnitude(settlement.payIn),
    );
    return sums.map((those) => ({ settlements: [settlement], pieces: those }));
  });
}
