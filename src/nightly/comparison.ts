import { daysBetween } from '../base/calendar.ts';
import type { DateRange } from '../model/source.ts';
import { type Acceptance, acceptanceOf } from '../reconcile/acceptance.ts';
import type { WhenReported } from '../reconcile/when-reported.ts';
import type { SettlementRestatement } from '../report/export/report.ts';
import type { Archive } from './archive.ts';
import type { Departure, StandNow } from './news.ts';
import { markOf, openDifference, type StandingSettlement, standingIn } from './standing.ts';
import type { NightState, Stand } from './state.ts';

/** What the days in place say, beside what was told of them. */
export class Comparison {
  readonly #archive: Archive;
  readonly #told: NightState;
  readonly #whenReported: WhenReported;
  /** What was found in days that are not balanced, by the version of the day. */
  readonly judged: Record<string, { version: string; standing: readonly StandingSettlement[] }> =
    {};

  constructor(archive: Archive, told: NightState, whenReported: WhenReported) {
    this.#archive = archive;
    this.#told = told;
    this.#whenReported = whenReported;
  }

  /** The days in place whose data are others than was told, or that were not told of. */
  changedDays(): readonly string[] {
    const { days } = this.#told;
    return [...this.#archive.days].flatMap(([day, { manifest }]) =>
      manifest && days[day] !== manifest.contentSha256 ? [day] : [],
    );
  }

  /**
   * What the service tells otherwise than was told, and where settlements have gone. `missing`: it is
   * not known where to; `open`: days of which something is not known yet, so that they are told later.
   */
  async changes(elsewhere: ReadonlyMap<string, string>, { from: first, to: last }: DateRange) {
    const { days: told, stands } = this.#told;
    const restatements: { day: string; of: SettlementRestatement }[] = [];
    const restatedDays: string[] = [];
    const left = new Map<string, string>();
    for (const day of this.changedDays()) {
      const content = told[day];
      if (content === undefined) continue;
      const changes = await this.#archive.changesSince(day, content);
      if (!changes) restatedDays.push(day);
      for (const of of changes ?? []) {
        restatements.push({ day, of });
        if (of.change === 'removed') left.set(of.settlementId, day);
      }
      const here = new Set((await this.#archive.headers(day)).map(({ id }) => id));
      for (const one of stands) if (one.day === day && !here.has(one.id)) left.set(one.id, day);
    }
    const places = await this.#archive.placesOf(new Set(left.keys()));
    const departures = new Map<string, Departure>();
    const missing: string[] = [];
    const open = new Set<string>();
    for (const [id, from] of left) {
      const place = places.get(id)?.find((day) => day !== from);
      const to = place ?? elsewhere.get(id);
      if (to === undefined) missing.push(id);
      // It should lie there by now: the next night looks again.
      const isInReach = to !== undefined && first <= to && to <= last;
      const isLost = place === undefined && to !== 'gone' && isInReach;
      if (to === undefined || isLost) open.add(from);
      else departures.set(id, { from, to });
    }
    const isTold = ({ day }: { readonly day: string }) => !open.has(day);
    return {
      restatements: restatements.filter(isTold),
      restatedDays: restatedDays.filter((day) => !open.has(day)),
      departures,
      missing,
      open,
    };
  }

  /** How the settlements that are not balanced stand; those of days that haven't changed are known. */
  async stands(): Promise<readonly StandNow[]> {
    // One that has moved from a day that can't be read lies on two: it counts where it is later.
    const stands = new Map<string, StandNow>();
    for (const [day, { version, manifest }] of this.#archive.days) {
      if (!manifest || manifest.verdict === 'balanced') continue;
      const known = [this.judged[day], this.#told.judged[day]].find(
        (one) => one?.version === version,
      );
      const standing =
        known?.standing ??
        (await this.#archive.lookAt(day, (folder) => standingIn(folder, manifest)));
      if (!standing) continue;
      this.judged[day] = { version, standing };
      for (const one of standing) {
        stands.set(one.settlement.id, standNow(day, one, this.#whenReported));
      }
    }
    return [...stands.values()];
  }
}

function standNow(
  day: string,
  one: StandingSettlement,
  { ageing, accepted }: WhenReported,
): StandNow {
  const { settlement, verdict, codes, found, hasUnknownStatus } = one;
  const { id, date, accountingToken, currency } = settlement;
  const acceptance = acceptanceOf(one, accepted);
  const isOld = ageing && daysBetween(date, ageing.today) > ageing.pendingDays;
  const stand: Stand = {
    id,
    day,
    verdict,
    alarm: alarmOf(verdict, acceptance),
    mark: markOf(one),
    isOverdue: verdict === 'pending' && isOld === true,
  };
  const told = { id, verdict, accountingToken, currency, difference: openDifference(one), codes };
  return { stand, settlement: told, found, acceptance, hasUnknownStatus };
}

function alarmOf(
  verdict: StandingSettlement['verdict'],
  acceptance: Acceptance | undefined,
): Stand['alarm'] {
  if (verdict !== 'out_of_balance' || acceptance?.state === 'accepted') return 'none';
  return acceptance?.state ?? 'difference';
}
