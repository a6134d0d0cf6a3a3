import { isDayIn } from '../../base/calendar.ts';
import { groupedBy } from '../../base/keys.ts';
import type { Settlement } from '../../model/settlement.ts';
import { daysDue } from '../business-days.ts';
import { comparableAmount, comparablePayIn, type Finding } from '../finding.ts';
import { joined, united } from '../joined.ts';
import type { Piece } from '../pieces.ts';

/** Settlements and pieces of one amount, and of one day each. */
interface Fit {
  readonly settlements: readonly Settlement[];
  readonly pieces: readonly Piece[];
}

/**
 * Suggests pieces of the same amount and currency, on the days that the money is expected. Where several
 * fit, all are shown and none is chosen.
 */
export function suggestByAmount(
  settlements: readonly Settlement[],
  pieces: readonly Piece[],
): readonly Finding[] {
  const due = groupedBy(settlements, (one) => `${one.currency} ${comparablePayIn(one)}`);
  const paid = groupedBy(pieces, (one) => `${one.entry.currency} ${comparableAmount(one)}`);
  const fits = [...due].flatMap(([money, those]) => fitsByDay(those, paid.get(money) ?? []));
  return joined(fits, (fit) => [...fit.settlements, ...fit.pieces]).map(suggestionOf);
}

function fitsByDay(settlements: readonly Settlement[], pieces: readonly Piece[]): readonly Fit[] {
  const byDay = [...groupedBy(pieces, ({ entry }) => entry.date)];
  return [...groupedBy(settlements, ({ date }) => date)].flatMap(([date, those]) => {
    const days = daysDue({ date });
    const inTime = byDay.filter(([day]) => isDayIn(days, day));
    return inTime.map(([, paid]): Fit => ({ settlements: those, pieces: paid }));
  });
}

function suggestionOf(fits: readonly Fit[]): Finding {
  const found = {
    by: 'amount_and_date' as const,
    settlements: united(fits.map((fit) => fit.settlements)),
    pieces: united(fits.map((fit) => fit.pieces)),
  };
  const isOnly = found.settlements.length === 1 && found.pieces.length === 1;
  return isOnly
    ? { state: 'suggested', ...found }
    : { state: 'ambiguous', reason: 'same_amount', ...found };
}
