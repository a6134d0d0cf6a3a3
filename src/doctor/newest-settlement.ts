import { addDays, daysBetween } from '../base/calendar.ts';
import type { Probe } from '../model/probe.ts';
import { pageSizes, type SettlementFilters } from '../model/source.ts';

const yearsBack = 10;

/**
 * The day of the newest settlement of the last ten years, undefined if there is none. The order of a list is not
 * documented, so a page shows only that there is something in its days. All later days are asked for, then halves of
 * what is left: 14 requests at most, and two where the newest ones are listed first.
 */
export async function newestDay(
  probe: Pick<Probe, 'settlements'>,
  filters: SettlementFilters,
  today: string,
): Promise<string | undefined> {
  let first = addDays(today, -365 * yearsBack);
  let last = addDays(today, 1);
  let newest: string | undefined;
  for (let asked = 0; first <= last; asked += 1) {
    const from = asked < 2 ? first : addDays(first, Math.ceil(daysBetween(first, last) / 2));
    const query = { range: { from, to: last }, filters };
    const page = await probe.settlements(query, { offset: 0, limit: pageSizes.headers });
    // A day may be written outside of the days that it is listed in.
    const days = page.items.map(({ date }) => date).sort();
    const found = days.at(-1);
    if (found === undefined) {
      last = addDays(from, -1);
      continue;
    }
    if (newest === undefined || found > newest) newest = found;
    first = addDays(found > from ? found : from, 1);
  }
  return newest;
}
