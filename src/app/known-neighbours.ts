import { addDays } from '../base/calendar.ts';
import type { Neighbour } from '../explain/case.ts';
import { byDateThenId, type Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import type { ReconciledSettlement } from '../reconcile/reconciled.ts';

/** What may explain a settlement is looked for so far around it, days. */
export const farthest = 14;

/** The settlements that a run knows, to find those around one of them. */
export class KnownNeighbours {
  /** By accounting token and currency, then by id. */
  readonly #accounts = new Map<string, Map<string, Neighbour>>();

  /** Takes note of a settlement whose header was read. */
  list(settlement: Settlement): void {
    const account = this.#account(settlement);
    if (!account.has(settlement.id)) account.set(settlement.id, { settlement });
  }

  /** Takes note of a settlement that was judged, and so of how much it is off, if all was read. */
  judge({ settlement, difference, scale }: ReconciledSettlement): void {
    const known = difference && { ...difference, scale };
    this.#account(settlement).set(settlement.id, { settlement, difference: known });
  }

  /** Those of the same accounting token and currency that are dated so, by date and id. */
  around(settlement: Settlement, { from, to }: DateRange): readonly Neighbour[] {
    return [...this.#account(settlement).values()]
      .filter(({ settlement: { id, date } }) => id !== settlement.id && from <= date && date <= to)
      .sort((a, b) => byDateThenId(a.settlement, b.settlement));
  }

  #account({ accountingToken, currency }: Settlement): Map<string, Neighbour> {
    const key = `${accountingToken} ${currency}`;
    const account = this.#accounts.get(key) ?? new Map<string, Neighbour>();
    this.#accounts.set(key, account);
    return account;
  }
}

/** So many days before and after a settlement. */
export function daysAround({ date }: Settlement, days: number): DateRange {
  return { from: addDays(date, -days), to: addDays(date, days) };
}
