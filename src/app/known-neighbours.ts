import { addDays, daysOf } from '../base/calendar.ts';
import type { Neighbour } from '../explain/case.ts';
import { byDateThenId, type Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import type { ReconciledSettlement } from '../reconcile/reconciled.ts';

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
