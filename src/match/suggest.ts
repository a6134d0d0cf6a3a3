import { isDayIn } from '../base/calendar.ts';
import { groupedBy } from '../base/keys.ts';
import type { Settlement } from '../model/settlement.ts';
import { magnitude } from '../money/money.ts';
import { daysDue } from './business-days.ts';
import { exactSums } from './exact-sums.ts';
import { comparableAmount, comparablePayIn, type Finding } from './finding.ts';
import { joined, united } from './joined.ts';
import type { Piece } from './pieces.ts';

/** Settlements and pieces that come to the same amount. */
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
  return connected(fits).map((group): Finding => {
    const found = { by: 'amount_and_date', ...together(group) } as const;
    const isOnly = found.settlements.length === 1 && found.pieces.length === 1;
    return isOnly
      ? { state: 'suggested', ...found }
      : { state: 'ambiguous', reason: 'same_amount', ...found };
  });
}

function fitsByDay(settlements: readonly Settlement[], pieces: readonly Piece[]): readonly Fit[] {
  const byDay = [...groupedBy(pieces, ({ entry }) => entry.date)];
  return [...groupedBy(settlements, ({ date }) => date)].flatMap(([date, those]) => {
    const days = daysDue({ date });
    const inTime = byDay.filter(([day]) => isDayIn(days, day));
    return inTime.map(([, paid]) => ({ settlements: those, pieces: paid }));
  });
}

/**
 * Suggests one piece for several settlements, or several pieces for one: sums that are exact, on the days
 * that the money is expected, the only ones that there are. Where there are more, none is chosen.
 */
export function suggestBySums(
  settlements: readonly Settlement[],
  pieces: readonly Piece[],
): readonly Finding[] {
  const payments = groupedBy(pieces, ({ entry }) => entry.currency);
  const fits = [...groupedBy(settlements, ({ currency }) => currency)].flatMap(
    ([currency, due]) => [
      ...batches(due, payments.get(currency) ?? []),
      ...splits(due, payments.get(currency) ?? []),
    ],
  );
  return connected(fits).map((group): Finding => {
    const found = { by: 'sum', ...together(group) } as const;
    return group.length === 1
      ? { state: 'suggested', ...found }
      : { state: 'ambiguous', reason: 'several_sums', ...found };
  });
}

function batches(due: readonly Settlement[], pieces: readonly Piece[]): readonly Fit[] {
  return pieces.flatMap((piece) => {
    const pool = due.filter((one) => isDayIn(daysDue(one), piece.entry.date));
    const sums = exactSums(pool, comparablePayIn, comparableAmount(piece), magnitude(piece.amount));
    return sums.map((settlements) => ({ settlements, pieces: [piece] }));
  });
}

function splits(due: readonly Settlement[], pieces: readonly Piece[]): readonly Fit[] {
  return due.flatMap((one) => {
    const days = daysDue(one);
    const pool = pieces.filter(({ entry }) => isDayIn(days, entry.date));
    const sums = exactSums(pool, comparableAmount, comparablePayIn(one), magnitude(one.payIn));
    return sums.map((those) => ({ settlements: [one], pieces: those }));
  });
}

/** Fits that share a settlement or a piece. */
function connected(fits: readonly Fit[]) {
  return joined<Fit, Settlement | Piece>(fits, (fit) => [...fit.settlements, ...fit.pieces]);
}

function together(fits: readonly Fit[]): Fit {
  return {
    settlements: united(fits.map((fit) => fit.settlements)),
    pieces: united(fits.map((fit) => fit.pieces)),
  };
}
