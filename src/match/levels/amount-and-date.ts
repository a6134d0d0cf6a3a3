import { isDayIn } from '../../base/calendar.ts';
import { groupedBy } from '../../base/keys.ts';
import type { Settlement } from '../../model/settlement.ts';
import { daysDue } from '../coverage.ts';
import { comparableAmount, comparablePayIn, type Finding } from '../finding.ts';
import { joined } from '../joined.ts';
import type { Piece } from '../pieces.ts';

/**
 * Suggests pieces of the same amount and currency, on the days that the money is expected. Where several
 * fit, all are shown and none is chosen.
 */
export function suggestByAmount(
  settlements: readonly Settlement[],
  pieces: readonly Piece[],
): readonly Finding[] {
  const byMoney = groupedBy(settlements, (one) => `${one.currency} ${comparablePayIn(one)}`);
  const fits = pieces.flatMap((piece) => {
    const alike = byMoney.get(`${piece.entry.currency} ${comparableAmount(piece)}`) ?? [];
    const possible = alike.filter((one) => isDayIn(daysDue(one), piece.entry.date));
    return possible.length === 0 ? [] : [{ piece, settlements: possible }];
  });
  return joined(fits, (fit) => fit.settlements).map((group): Finding => {
    const found = {
      by: 'amount_and_date' as const,
      settlements: [...new Set(group.flatMap((fit) => fit.settlements))],
      pieces: group.map(({ piece }) => piece),
    };
    const isOnly = found.settlements.length === 1 && found.pieces.length === 1;
    return isOnly
      ? { state: 'suggested', ...found }
      : { state: 'ambiguous', reason: 'same_amount', ...found };
  });
}
