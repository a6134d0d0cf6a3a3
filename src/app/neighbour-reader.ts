import { daysBetween, daysOf, isDayIn } from '../base/calendar.ts';
import type { Neighbour, Neighbourhood, Obstacle } from '../explain/case.ts';
import type { Settlement } from '../model/settlement.ts';
import type {
  Allowance,
  DateRange,
  HeaderList,
  SettlementFilters,
  Source,
} from '../model/source.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { KnownNeighbours, nearest, rangeAround } from './known-neighbours.ts';
import {
  concernsOneSettlement,
  isWhole,
  readSettlements,
  type SettlementReading,
} from './read-settlements.ts';
import type { DecidedSettlement } from './reconcile-range.ts';

/** The rows of so many neighbours, of so many rows together, are read without being asked for. */
const mostRead = { settlements: 20, rows: 10_000 } as const;

/** A header list is walked twice at least (doc 4.3), in pages of at least so many, each to its end. */
const headersPerPage = 41;
const pageEnds = 3;

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
  /** How many days before and after were asked for: fewer where requests are not allowed for all. */
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
  readonly headers: number;
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
    this.#listings.push({ range, headers: settlements.length, obstacle, missingDays });
    for (const settlement of settlements) this.#known.list(settlement);
  }

  /** Takes note of a settlement that was read and judged anyway. */
  judge({ reconciled, ...read }: Omit<DecidedSettlement, 'explained'>): void {
    this.#known.judge(reconciled);
    this.#keep(reconciled.settlement, read);
  }

  /** Looks around a settlement. Throws ReconError where the run can't go on. */
  async look(settlement: Settlement, { days: most, rows, allowance }: Look): Promise<Around> {
    const isTooMuch =
      allowance && this.#requestsFor(rangeAround(settlement, most)) > allowance.left;
    const days = isTooMuch ? Math.min(most, nearest) : most;
    if (days > 0) await this.#askFor(rangeAround(settlement, days), allowance);
    const reach = rangeAround(settlement, Math.max(days, this.#options.known ?? 0));
    const all = this.#known.around(settlement, reach);
    const few = () => this.#fewOf(all, settlement, allowance);
    const wanted = rows === 'none' ? [] : rows === 'few' ? few() : all;
    const read = await this.#rowsOf(wanted, allowance);
    const listings = this.#listings.filter(({ range }) => overlap(range, reach));
    const allMissing = new Set(listings.flatMap((one) => one.missingDays));
    const missingDays = [...allMissing].filter((day) => isDayIn(reach, day)).sort();
    const neighbours = all.length;
    const lacking = wanted.length - read.size;
    // What broke off for lack of requests could have been read.
    const unread = allowance?.left === 0 ? 0 : lacking;
    const left = rows === 'few' ? neighbours - read.size - unread : 0;
    const isLimited = allowance !== undefined && (left > 0 || days < most);
    const obstacles: readonly (Obstacle | false | undefined)[] = [
      ...listings.map(({ obstacle }) => obstacle),
      missingDays.length > 0 && { reason: 'missing_days', days: missingDays },
      unread > 0 && { reason: 'neighbour_rows_not_read', unread, neighbours },
      isLimited && { reason: 'requests_limited', days, left, neighbours },
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

  /** Lists the settlements of the days that were not asked for yet, and of those between them. */
  async #askFor(range: DateRange, allowance: Allowance | undefined): Promise<void> {
    const { source, filters } = this.#options;
    const part = this.#unlisted(range);
    if (!part) return;
    try {
      this.list(part, await source.headers({ range: part, filters }, allowance));
    } catch (error) {
      if (!concernsOneSettlement(error)) throw error;
      const obstacle = { reason: 'neighbours_not_read', failure: error.message } as const;
      this.#listings.push({ range: part, headers: 0, obstacle, missingDays: [] });
    }
  }

  /** One list for all, because each costs several requests, however short it is. */
  #unlisted(range: DateRange): DateRange | undefined {
    const { within = range } = this.#options;
    const isNew = (day: string) => !this.#listings.some((one) => isDayIn(one.range, day));
    const days = [...daysOf(range)].filter((day) => isDayIn(within, day) && isNew(day));
    const [from, to] = [days[0], days.at(-1)];
    return from && to ? { from, to } : undefined;
  }

  /** About as many requests as listing these days takes, by what was listed last. */
  #requestsFor(range: DateRange): number {
    const [part, last] = [this.#unlisted(range), this.#listings.at(-1)];
    if (!part) return 0;
    const headers = last ? (last.headers * daysIn(part)) / daysIn(last.range) : 0;
    return pageEnds + 2 * Math.ceil(headers / headersPerPage);
  }

  /**
   * The nearest neighbours, as long as their rows are few. Where requests are limited, those that take
   * the fewest come first: more of them can be read.
   */
  #fewOf(
    neighbours: readonly Neighbour[],
    { date }: Settlement,
    allowance: Allowance | undefined,
  ): readonly Neighbour[] {
    const pages = ({ settlement: { id, transactions } }: Neighbour) =>
      this.#rows.has(id) || !allowance ? 0 : Math.ceil(transactions / rowsPerPage);
    const apart = ({ settlement }: Neighbour) => Math.abs(daysBetween(date, settlement.date));
    let { rows } = mostRead;
    let { left } = allowance ?? { left: 0 };
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
  async #rowsOf(
    all: readonly Neighbour[],
    allowance: Allowance | undefined,
  ): Promise<ReadonlyMap<string, RowColumns>> {
    const rows = new Map<string, RowColumns>();
    const unread: Settlement[] = [];
    for (const { settlement } of all) {
      const known = this.#rows.get(settlement.id);
      if (known) rows.set(settlement.id, known);
      else unread.push(settlement);
    }
    for await (const reading of readSettlements(unread, { ...this.#options, allowance })) {
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

function daysIn({ from, to }: DateRange): number {
  return daysBetween(from, to) + 1;
}
