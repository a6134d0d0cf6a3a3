import { daysOf, isDayIn } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import { saidOf } from '../model/bank.ts';
import type { Settlement } from '../model/settlement.ts';
import { magnitude } from '../money/money.ts';
import type { BusinessDays } from './business-days.ts';
import { exactSums } from './exact-sums.ts';
import { comparableAmount, comparablePayIn, type Finding, type Piece } from './finding.ts';
import { IdOwners, payoutIdsOf, shortIdsOf } from './id-owners.ts';
import { joined, united } from './joined.ts';

interface Fit {
  readonly settlements: readonly Settlement[];
  readonly pieces: readonly Piece[];
}

/** Suggests pieces of the same amount and currency, when money is expected. If several fit, none is chosen. */
export function suggestByAmount(
  settlements: readonly Settlement[],
  pieces: readonly Piece[],
  businessDays: BusinessDays,
  isFromService: (piece: Piece) => boolean,
): readonly Finding[] {
  const due = groupedBy(settlements, (one) => `${one.currency} ${comparablePayIn(one)}`);
  const moneyOf = (one: Piece) => `${one.entry.currency} ${comparableAmount(one)}`;
  const wanted = pieces.filter((one) => due.has(moneyOf(one)) && isFromService(one));
  const paid = groupedBy(wanted, moneyOf);
  const fits = [...due].flatMap(([money, those]) =>
    fitsByDay(those, paid.get(money) ?? [], businessDays),
  );
  return connected(fits).map((group): Finding => {
    const found = { by: 'amount_and_date', ...together(group) } as const;
    const isOnly = found.settlements.length === 1 && found.pieces.length === 1;
    return isOnly
      ? { state: 'suggested', ...found }
      : { state: 'ambiguous', reason: 'same_amount', ...found };
  });
}

function fitsByDay(
  settlements: readonly Settlement[],
  pieces: readonly Piece[],
  businessDays: BusinessDays,
): readonly Fit[] {
  const byDay = [...groupedBy(pieces, ({ entry }) => entry.date)];
  return [...groupedBy(settlements, ({ date }) => date).values()].flatMap((those) => {
    const [days] = those.map((one) => businessDays.daysDue(one));
    const inTime = byDay.filter(([day]) => days && isDayIn(days, day));
    return inTime.map(([, paid]) => ({ settlements: those, pieces: paid }));
  });
}

/**
 * Suggests one piece for several settlements, or several pieces for one: the sum is exact, on a day
 * when the money is expected. If several sums fit, none is chosen.
 */
export function suggestBySums(
  settlements: readonly Settlement[],
  pieces: readonly Piece[],
  businessDays: BusinessDays,
  isFromService: (piece: Piece) => boolean,
): readonly Finding[] {
  const daysDue = (one: Settlement) => businessDays.daysDue(one);
  const fits = [...groupedBy(settlements, ({ currency }) => currency)].flatMap(
    ([currency, due]) => {
      const paid = pieces.filter((one) => one.entry.currency === currency && isFromService(one));
      const byDay = groupedBy(paid, ({ entry }) => entry.date);
      return [...batches(due, byDay, daysDue), ...splits(due, byDay, daysDue)];
    },
  );
  return connected(fits).map((group): Finding => {
    const found = { by: 'sum', ...together(group) } as const;
    return group.length === 1
      ? { state: 'suggested', ...found }
      : { state: 'ambiguous', reason: 'several_sums', ...found };
  });
}

/** The fewest letters and digits of an id that a person would know again. */
const shortestShown = 3;

/** Ids that name a pay-out, and are too weak to count whatever the amount: cut, or so short that they occur by chance. */
const weakIds = {
  text_start: (settlements: readonly Settlement[]) => {
    const owners = new IdOwners(settlements, payoutIdsOf);
    return (text: string) => (owners.mayBeginIn(text) ? owners.begunIn(text) : []);
  },
  short_id: (settlements: readonly Settlement[]) => {
    const owners = new IdOwners(settlements, shortIdsOf, shortestShown);
    return (text: string) => united(owners.within(text));
  },
};

/** Suggests an entry with a weak id, when the money is expected: a pay-out is not missing beside an entry that names it. */
export function suggestByIds(
  by: keyof typeof weakIds,
  settlements: readonly Settlement[],
  pieces: readonly Piece[],
  businessDays: BusinessDays,
): readonly Finding[] {
  const named =
    by === 'short_id' ? settlements.filter((one) => shortIdsOf(one).length > 0) : settlements;
  const namedIn = weakIds[by](named);
  const due = groupedBy(named, ({ currency }) => currency);
  const days = new Map(
    [...due].map(([currency, those]) => [
      currency,
      new Set(those.flatMap((one) => [...daysOf(businessDays.daysDue(one))])),
    ]),
  );
  const inTime = pieces.filter(({ entry }) => days.get(entry.currency)?.has(entry.date));
  const fits = inTime.flatMap((piece): readonly Fit[] => {
    const own = united(saidOf(piece.details).map(namedIn)).filter(
      (one) =>
        one.currency === piece.entry.currency &&
        isDayIn(businessDays.daysDue(one), piece.entry.date),
    );
    return own.length === 0 ? [] : [{ settlements: own, pieces: [piece] }];
  });
  return connected(fits).map((group): Finding => {
    const found = { by, ...together(group) };
    const isOnly = found.settlements.length === 1 && found.pieces.length === 1;
    return isOnly
      ? { state: 'suggested', ...found }
      : { state: 'ambiguous', reason: 'same_key', ...found };
  });
}

type ByDay = ReadonlyMap<string, readonly Piece[]>;
type DaysDue = BusinessDays['daysDue'];

function batches(due: readonly Settlement[], byDay: ByDay, daysDue: DaysDue): readonly Fit[] {
  return [...byDay].flatMap(([day, pieces]) => {
    const pool = due.filter((one) => isDayIn(daysDue(one), day));
    const sumsTo = exactSums(pool, comparablePayIn);
    return pieces.flatMap((piece) =>
      sumsTo(comparableAmount(piece), magnitude(piece.amount)).map((settlements) => {
        return { settlements, pieces: [piece] };
      }),
    );
  });
}

function splits(due: readonly Settlement[], byDay: ByDay, daysDue: DaysDue): readonly Fit[] {
  return [...groupedBy(due, ({ date }) => date).values()].flatMap((those) => {
    const days = those.slice(0, 1).flatMap((one) => [...daysOf(daysDue(one))]);
    const pool = days.flatMap((day) => byDay.get(day) ?? []);
    const sumsTo = exactSums(pool, comparableAmount);
    return those.flatMap((one) =>
      sumsTo(comparablePayIn(one), magnitude(one.payIn)).map((pieces) => {
        return { settlements: [one], pieces };
      }),
    );
  });
}

function connected(fits: readonly Fit[]) {
  return joined<Fit, Settlement | Piece>(fits, (fit) => [...fit.settlements, ...fit.pieces]);
}

function together(fits: readonly Fit[]): Fit {
  return {
    settlements: united(fits.map((fit) => fit.settlements)),
    pieces: united(fits.map((fit) => fit.pieces)),
  };
}
