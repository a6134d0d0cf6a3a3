import { addDays, daysBetween, daysOf, isDayIn } from '../base/calendar.ts';
import type { Neighbour, Neighbourhood, Obstacle } from '../explain/case.ts';
import { byDateThenId, type Settlement } from '../model/settlement.ts';
import type {
  Allowance,
  DateRange,
  HeaderList,
  SettlementFilters,
  Source,
} from '../model/source.ts';
import type { ReconciledSettlement } from '../reconcile/reconciled.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import {
  concernsOneSettlement,
  isWhole,
  readSettlements,
  type SettlementReading,
} from './read-settlements.ts';
import type { DecidedSettlement } from './reconcile-range.ts';

/** What may explain a settlement is looked for so far around it, days. */
export const farthest = 14;

/** Those so few days around it are looked at first. */
export const nearest = 3;

/** The settlements that a run knows, to find those around one of them. */
export class KnownNeighbours {
  /** By accounting token, currency and day, then by id. */
  readonly #days = new Map<string, Map<string, Neighbour>>();

  /** Takes note of a settlement whose header was read. */
  list(settlement: Settlement): void {
    const day = this.#day(settlement, settlement.date);
    if (!day.has(settlement.id)) day.set(settlement.id, { settlement });
  }

  /** Takes note of a settlement that was judged, and so of how much it is off, if all was read. */
  judge({ settlement, difference, scale }: ReconciledSettlement): void {
    const known = difference && { ...difference, scale };
    this.#day(settlement, settlement.date).set(settlement.id, { settlement, difference: known });
  }

  /** Those of the same accounting token and currency that are dated so, by date and id. */
  around(settlement: Settlement, range: DateRange): readonly Neighbour[] {
    return [...daysOf(range)]
      .flatMap((date) => [...this.#day(settlement, date).values()])
      .filter((one) => one.settlement.id !== settlement.id)
      .sort((a, b) => byDateThenId(a.settlement, b.settlement));
  }

  #day({ accountingToken, currency }: Settlement, date: string): Map<string, Neighbour> {
    const key = `${accountingToken} ${currency} ${date}`;
    const day = this.#days.get(key) ?? new Map<string, Neighbour>();
    this.#days.set(key, day);
    return day;
  }
}

/** So many days before and after a settlement. */
export function rangeAround({ date }: Settlement, days: number): DateRange {
  return { from: addDays(date, -days), to: addDays(date, days) };
}

/** The rows of so many neighbours, of so many rows together, are read without being asked for. */
const mostRead = { settlements: 20, rows: 10_000 } as const;

/** The documented maximum (doc 4.4). */
const rowsPerPage = 100;

/** So many rows are kept because they may be asked for again, about 100 bytes each. */
const mostRowsKept = 500_000;

/** How far to look around a settlement. */
export interface Look {
  /** The settlements of so many days before and after are listed; 0 for none. */
  readonly days: number;
  /** Whose rows are read: nobody's, those of the nearest neighbours while they are few, or all. */
  readonly rows: 'none' | 'few' | 'all';
  /** The requests that may be sent; as many as it takes where absent. */
  readonly allowance?: Allowance | undefined;
}

/** What is around a settlement. */
export interface Around extends Required<Neighbourhood> {
  /** How many days before and after were asked for. */
  readonly days: number;
  /** How many neighbours' rows are known. */
  readonly rowsRead: number;
  /** Days that the source doesn't hold, in order. */
  readonly missingDays: readonly string[];
}

/** How what is around settlements is read. */
export interface NeighbourReaderOptions {
  readonly source: Source;
  /** Those that the settlements themselves have passed. */
  readonly filters: SettlementFilters;
  /** Settlements that are read at the same time. */
  readonly ahead: number;
  /** Days outside are not asked for. */
  readonly within?: DateRange | undefined;
  /** Settlements that need no request count if they are no more days away; by default none does. */
  readonly known?: number;
}

/** A range whose settlements were asked for, and why they may not all be known. */
interface Listing {
  readonly range: DateRange;
  readonly obstacle?: Obstacle | undefined;
  readonly missingDays: readonly string[];
}

/**
 * What is around the settlements that a run explains. No day is asked for again without need, and no
 * rows while there is room for them. What can't be read is an obstacle to the explanation and no failure.
 */
export class NeighbourReader {
  readonly #options: NeighbourReaderOptions;
  readonly #listings: Listing[] = [];
  readonly #known = new KnownNeighbours();
  /** By the settlement's id, those that came first before the others. */
  readonly #rows = new Map<string, RowColumns>();
  #rowsKept = 0;
  /** The requests that the look under way may send. */
  #allowance: Allowance | undefined;

  constructor(options: NeighbourReaderOptions) {
    this.#options = options;
  }

  /** Takes note of all settlements of a range: its days are not asked for again. */
  list(
    range: DateRange,
    { settlements, unsteady, unreadable, missingDays = [] }: HeaderList,
  ): void {
    const isUncertain = unsteady !== undefined || unreadable.length > 0;
    const obstacle = isUncertain ? ({ reason: 'neighbours_uncertain' } as const) : undefined;
    this.#listings.push({ range, obstacle, missingDays });
    for (const settlement of settlements) this.#known.list(settlement);
  }

  /** Takes note of a settlement that was read and judged anyway. */
  judge({ reconciled, ...read }: Omit<DecidedSettlement, 'explained'>): void {
    this.#known.judge(reconciled);
    this.#keep(reconciled.settlement, read);
  }

  /** Looks around a settlement. Throws ReconError where the run can't go on. */
  async look(settlement: Settlement, { days, rows, allowance }: Look): Promise<Around> {
    this.#allowance = allowance;
    if (days > 0) await this.#askFor(rangeAround(settlement, days));
    const reach = rangeAround(settlement, Math.max(days, this.#options.known ?? 0));
    const all = this.#known.around(settlement, reach);
    const few = () => this.#fewOf(all, settlement);
    const wanted = rows === 'none' ? [] : rows === 'few' ? few() : all;
    const read = await this.#rowsOf(wanted);
    const listings = this.#listings.filter(({ range }) => overlap(range, reach));
    const allMissing = new Set(listings.flatMap((one) => one.missingDays));
    const missingDays = [...allMissing].filter((day) => isDayIn(reach, day)).sort();
    const neighbours = all.length;
    const lacking = wanted.length - read.size;
    // What broke off for lack of requests could have been read.
    const unread = allowance?.left === 0 ? 0 : lacking;
    const left = rows === 'few' ? neighbours - read.size - unread : 0;
    const isLimited = rows === 'few' && allowance && (left > 0 || days < farthest);
    const obstacles: readonly (Obstacle | false | undefined)[] = [
      ...listings.map(({ obstacle }) => obstacle),
      missingDays.length > 0 && { reason: 'missing_days', days: missingDays },
      unread > 0 && { reason: 'neighbour_rows_not_read', unread, neighbours },
      isLimited === true && { reason: 'requests_limited', days, left, neighbours },
      left > 0 && !isLimited && { reason: 'neighbour_rows_left', left, neighbours },
    ];
    const isListed = listings.some(({ obstacle }) => obstacle?.reason !== 'neighbours_not_read');
    return {
      days,
      neighbours: isListed
        ? all.map((one) => ({ ...one, rows: read.get(one.settlement.id) }))
        : undefined,
      rowsRead: read.size,
      missingDays,
      obstacles: onceEach(obstacles),
    };
  }

  /** Lists the settlements of the days that were not asked for yet, in one list: each costs several requests. */
  async #askFor(range: DateRange): Promise<void> {
    const { source, filters, within = range } = this.#options;
    const isNew = (day: string) => !this.#listings.some((one) => isDayIn(one.range, day));
    const days = [...daysOf(range)].filter((day) => isDayIn(within, day) && isNew(day));
    const [from, to] = [days[0], days.at(-1)];
    if (from === undefined || to === undefined) return;
    const part = { from, to };
    try {
      this.list(part, await source.headers({ range: part, filters }, this.#allowance));
    } catch (error) {
      if (!concernsOneSettlement(error)) throw error;
      const obstacle = { reason: 'neighbours_not_read', failure: error.message } as const;
      this.#listings.push({ range: part, obstacle, missingDays: [] });
    }
  }

  /**
   * The nearest neighbours, as long as their rows are few. Where requests are limited, those that take
   * the fewest come first: more of them can be read.
   */
  #fewOf(neighbours: readonly Neighbour[], { date }: Settlement): readonly Neighbour[] {
    const pages = ({ settlement: { id, transactions } }: Neighbour) =>
      this.#rows.has(id) || !this.#allowance ? 0 : Math.ceil(transactions / rowsPerPage);
    const apart = ({ settlement }: Neighbour) => Math.abs(daysBetween(date, settlement.date));
    let { rows } = mostRead;
    let left = this.#allowance?.left ?? 0;
    return [...neighbours]
      .sort((a, b) => pages(a) - pages(b) || apart(a) - apart(b))
      .slice(0, mostRead.settlements)
      .filter((one) => {
        const { transactions } = one.settlement;
        if (transactions > rows || pages(one) > left) return false;
        rows -= transactions;
        left -= pages(one);
        return true;
      });
  }

  /** The rows of these settlements, by id; without those that can't be read. */
  async #rowsOf(all: readonly Neighbour[]): Promise<ReadonlyMap<string, RowColumns>> {
    const rows = new Map<string, RowColumns>();
    const unread: Settlement[] = [];
    for (const { settlement } of all) {
      const known = this.#rows.get(settlement.id);
      if (known) rows.set(settlement.id, known);
      else unread.push(settlement);
    }
    const { source, ahead } = this.#options;
    const rowsOf = (one: Settlement, place: number) => source.rows(one, place, this.#allowance);
    const limited = this.#allowance ? { rows: rowsOf } : source;
    for await (const reading of readSettlements(unread, { source: limited, ahead })) {
      const { settlement, outcome } = reading;
      if (!isWhole(outcome)) continue;
      reading.rows.replace(outcome.corrections);
      rows.set(settlement.id, reading.rows);
      this.#keep(settlement, reading);
    }
    return rows;
  }

  #keep({ id }: Settlement, { rows, outcome }: Pick<SettlementReading, 'rows' | 'outcome'>): void {
    if (!isWhole(outcome) || this.#rows.has(id) || rows.size > mostRowsKept) return;
    this.#rows.set(id, rows);
    this.#rowsKept += rows.size;
    for (const [first, { size }] of this.#rows) {
      if (this.#rowsKept <= mostRowsKept) return;
      this.#rows.delete(first);
      this.#rowsKept -= size;
    }
  }
}

/** One of each reason: what hinders twice is said once. */
function onceEach(obstacles: readonly (Obstacle | false | undefined)[]): readonly Obstacle[] {
  const byReason = obstacles.flatMap((one) => (one ? [[one.reason, one] as const] : []));
  return [...new Map(byReason).values()];
}

function overlap(a: DateRange, b: DateRange): boolean {
  return a.from <= b.to && b.from <= a.to;
}
