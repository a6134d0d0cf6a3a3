import { addDays, daysBetween, daysOf, isDayIn } from '../base/calendar.ts';
import { mapped } from '../base/ordered.ts';
import type { Neighbour, Neighbourhood, Obstacle } from '../explain/case.ts';
import { isOpen, withCounterparts } from '../explain/explain.ts';
import type { PatternPart } from '../explain/pattern.ts';
import { type Tally, total } from '../explain/tally.ts';
import { byDateThenId, type Settlement } from '../model/settlement.ts';
import {
  type Allowance,
  type DateRange,
  type HeaderList,
  pageSizes,
  type SettlementFilters,
  type Source,
} from '../model/source.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { RowColumns } from '../reconcile/row-columns.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import {
  concernsOneSettlement,
  isWhole,
  readSettlements,
  type SettlementReading,
} from './read-settlements.ts';
import type { DecidedSettlement } from './reconcile-range.ts';

/** The most days before and after a settlement that are searched for neighbours. */
export const maxNeighbourDays = 14;

class KnownNeighbours {
  readonly #days = new Map<string, Map<string, Neighbour>>();

  list(settlement: Settlement): void {
    const day = this.#day(settlement, settlement.date);
    if (!day.has(settlement.id)) day.set(settlement.id, { settlement });
  }

  judge({ settlement, difference, scale }: ReconciledSettlement, byPatterns?: Tally): void {
    const known = difference && { ...difference, scale };
    const neighbour = { settlement, difference: known, byPatterns };
    this.#day(settlement, settlement.date).set(settlement.id, neighbour);
  }

  /** Others of the same accounting token and currency in a range, by date and id. */
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

function rangeAround({ date }: Settlement, days: number): DateRange {
  return { from: addDays(date, -days), to: addDays(date, days) };
}

/** Explains settlements by others with opposite differences, up to `maxNeighbourDays` days apart, in order. */
export function nameCounterparts<End>(
  run: AsyncGenerator<DecidedSettlement, End, void>,
  settings: Pick<ReconcileSettings, 'identity' | 'rules'>,
): AsyncGenerator<Pick<DecidedSettlement, 'reconciled' | 'explained'>, End, void> {
  const known = new KnownNeighbours();
  const held = heldBack(run, maxNeighbourDays, ({ reconciled, explained }) => {
    known.judge(reconciled);
    const waits = explained !== undefined && isOpen(explained);
    return { kept: { reconciled, explained }, waits };
  });
  return mapped(held, ({ reconciled, explained }) => {
    if (explained === undefined || !isOpen(explained)) return { reconciled, explained };
    const { settlement } = reconciled;
    const others = known.around(settlement, rangeAround(settlement, maxNeighbourDays));
    return { reconciled, explained: withCounterparts(explained, reconciled, others, settings) };
  });
}

/** Yields what `take` keeps, in order. If it `waits`, it is held back until the next `days` days were taken. */
export async function* heldBack<
  One extends { readonly reconciled: Pick<ReconciledSettlement, 'settlement'> },
  End,
  Kept,
>(
  run: AsyncGenerator<One, End, void>,
  days: number,
  take: (one: One) => { readonly kept: Kept; readonly waits: boolean } | undefined,
): AsyncGenerator<Kept, End, void> {
  const held: { readonly kept: Kept; readonly until: string }[] = [];
  let step = await run.next();
  for (; !step.done; step = await run.next()) {
    const { date } = step.value.reconciled.settlement;
    const taken = take(step.value);
    if (taken === undefined) continue;
    held.push({ kept: taken.kept, until: taken.waits ? addDays(date, days) : '' });
    for (let first = held[0]; first && first.until < date; first = held[0]) {
      yield first.kept;
      held.shift();
    }
  }
  for (const { kept } of held) yield kept;
  return step.value;
}

/** Bounds of `SearchStage.rows` = 'few'. */
const mostRead = { settlements: 20, rows: 10_000 } as const;

/** Rows kept in case they are needed again, about 100 bytes each. */
const mostRowsKept = 500_000;

export interface SearchStage {
  readonly days: number;
  /** Whose rows are read: no neighbour's, those of a few near ones, or all. */
  readonly rows: 'none' | 'few' | 'all';
  readonly allowance?: Allowance | undefined;
}

export interface NeighbourData extends Required<Neighbourhood> {
  readonly days: number;
  readonly rowsRead: number;
  readonly missingDays: readonly string[];
}

interface NeighbourReaderOptions {
  readonly source: Source;
  readonly filters: SettlementFilters;
  readonly ahead: number;
  readonly within?: DateRange | undefined;
  /** Settlements that are already known count within this many days; 0 by default. */
  readonly known?: number;
}

/** A range that was listed, and why its list may be incomplete. */
interface Listing {
  readonly range: DateRange;
  readonly obstacle?: Obstacle | undefined;
  readonly missingDays: readonly string[];
}

/** Reads neighbours of settlements, each day once. If it cannot read some, it reports an obstacle and does not throw. */
export class NeighbourReader {
  readonly #options: NeighbourReaderOptions;
  readonly #listings: Listing[] = [];
  readonly #known = new KnownNeighbours();
  /** By settlement id, the oldest first. */
  readonly #rows = new Map<string, RowColumns>();
  #rowsKept = 0;
  #allowance: Allowance | undefined;

  constructor(options: NeighbourReaderOptions) {
    this.#options = options;
  }

  /** Adds all settlements of a range: its days are not listed again. */
  list(
    range: DateRange,
    { settlements, unsteady, unreadable, missingDays = [] }: HeaderList,
  ): void {
    const isUncertain = unsteady !== undefined || unreadable.length > 0;
    const obstacle = isUncertain ? ({ reason: 'neighbours_uncertain' } as const) : undefined;
    this.#listings.push({ range, obstacle, missingDays });
    for (const settlement of settlements) this.#known.list(settlement);
  }

  judge({ reconciled, ...read }: Omit<DecidedSettlement, 'explained'>): void {
    this.#known.judge(reconciled);
    this.#keep(reconciled.settlement, read);
  }

  /** Compares a settlement by what patterns leave of its difference. */
  leave(reconciled: ReconciledSettlement, parts: readonly PatternPart[]): void {
    this.#known.judge(reconciled, total(parts.map(({ change }) => change)));
  }

  /** The rows of a settlement that was judged; read again if they were not kept. */
  async rowsOf(settlement: Settlement): Promise<RowColumns> {
    this.#allowance = undefined;
    return (await this.#rowsOf([{ settlement }])).get(settlement.id) ?? new RowColumns();
  }

  async read(
    settlement: Settlement,
    { days, rows, allowance }: SearchStage,
  ): Promise<NeighbourData> {
    this.#allowance = allowance;
    if (days > 0) await this.#listDays(rangeAround(settlement, days));
    const reach = rangeAround(settlement, Math.max(days, this.#options.known ?? 0));
    const all = this.#known.around(settlement, reach);
    const few = () => this.#fewOf(all, settlement);
    const wanted = rows === 'none' ? [] : rows === 'few' ? few() : all;
    const read = await this.#rowsOf(wanted);
    const listings = this.#listings.filter(
      ({ range }) => range.from <= reach.to && reach.from <= range.to,
    );
    const allMissing = new Set(listings.flatMap((one) => one.missingDays));
    const missingDays = [...allMissing].filter((day) => isDayIn(reach, day)).sort();
    const neighbours = all.length;
    const lacking = wanted.length - read.size;
    // If no request is left, the others were not tried.
    const unread = allowance?.left === 0 ? 0 : lacking;
    const left = rows === 'few' ? neighbours - read.size - unread : 0;
    const isLimited = rows === 'few' && allowance && (left > 0 || days < maxNeighbourDays);
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

  /** Lists the days that were not listed yet, as one range: each list takes several requests. */
  async #listDays(range: DateRange): Promise<void> {
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

  /** The nearest neighbours with few rows; if requests are limited, those with the fewest pages first. */
  #fewOf(neighbours: readonly Neighbour[], { date }: Settlement): readonly Neighbour[] {
    const pages = ({ settlement: { id, transactions = 0 } }: Neighbour) =>
      this.#rows.has(id) || !this.#allowance ? 0 : Math.ceil(transactions / pageSizes.rows);
    const apart = ({ settlement }: Neighbour) => Math.abs(daysBetween(date, settlement.date));
    let { rows } = mostRead;
    let left = this.#allowance?.left ?? 0;
    return [...neighbours]
      .sort((a, b) => pages(a) - pages(b) || apart(a) - apart(b))
      .slice(0, mostRead.settlements)
      .filter((one) => {
        const { transactions = 0 } = one.settlement;
        if (transactions > rows || pages(one) > left) return false;
        rows -= transactions;
        left -= pages(one);
        return true;
      });
  }

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

function onceEach(obstacles: readonly (Obstacle | false | undefined)[]): readonly Obstacle[] {
  const byReason = obstacles.flatMap((one) => (one ? [[one.reason, one] as const] : []));
  return [...new Map(byReason).values()];
}
