import { isDayIn } from '../base/calendar.ts';
import { byText } from '../base/texts.ts';
import type { DateRange } from '../model/source.ts';
import { acceptanceOf } from '../reconcile/acceptance.ts';
import { subtract } from '../reconcile/computed.ts';
import { overdueEntry } from '../reconcile/overdue.ts';
import type { WhenReported } from '../reconcile/when-reported.ts';
import type { Names } from '../report/common/report.ts';
import { sentence } from '../report/common/words.ts';
import type { SettlementRestatement } from '../report/export/report.ts';
import type { Archive } from './archive.ts';
import type { StandNow } from './news.ts';
import { markOf, standingIn } from './standing.ts';
import type { JudgedDay, NightState, Stand, StandingSettlement } from './state.ts';

type Reported = WhenReported & { readonly names: Names };

/** What the days in place say, beside what was told of them. */
export class Comparison {
  readonly #archive: Archive;
  readonly #told: NightState;
  readonly #reach: DateRange;
  readonly #reported: Reported;
  /** What was found in days that are not balanced, by the version of the day. */
  readonly judged: Record<string, JudgedDay> = {};

  /** `reach`: the days that belong into the folder. */
  constructor(archive: Archive, told: NightState, reach: DateRange, reported: Reported) {
    this.#archive = archive;
    this.#told = told;
    this.#reach = reach;
    this.#reported = reported;
  }

  /** The days in place whose data are others than was told, or that were not told of. */
  changedDays(): readonly string[] {
    const { days } = this.#told;
    return [...this.#archive.days].flatMap(([day, { manifest }]) =>
      manifest && days[day] !== manifest.contentSha256 ? [day] : [],
    );
  }

  /**
   * What the service tells otherwise than was told, and where settlements have gone. `lost`: those of
   * which it isn't known. `restatedDays`: days that are others than was told, while that version is no
   * longer there. `untold`: days of which all is told later: the `open` ones, and those that have lost one.
   */
  async changes(elsewhere: ReadonlyMap<string, string>, open: Iterable<string> = []) {
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
    const gone = [...left].map(([id, from]) => {
      const place = places.get(id)?.find((day) => day !== from);
      const to = place ?? elsewhere.get(id) ?? 'missing';
      // It should lie there by now: the next night looks again.
      const isLost = place === undefined && isDayIn(this.#reach, to);
      return { id, from, to, isLost: isLost || to === 'missing' || to === 'unknown' };
    });
    const lost = gone.filter(({ isLost }) => isLost);
    const untold = new Set([...open, ...lost.map(({ from }) => from)]);
    const isTold = (day: string) => !untold.has(day);
    return {
      restatements: restatements.filter(({ day }) => isTold(day)),
      restatedDays: restatedDays.filter(isTold),
      departures: new Map(
        gone.filter(({ from }) => isTold(from)).map(({ id, from, to }) => [id, { from, to }]),
      ),
      ...{ lost, untold },
    };
  }

  /** How the settlements that are not balanced stand; those of days that haven't changed are known. */
  async stands(): Promise<readonly StandNow[]> {
    const days = new Set([...this.#archive.days.keys(), ...Object.keys(this.#told.judged)]);
    // One that has moved from a day that can't be read lies on two: it counts where it is later.
    const stands = new Map<string, StandNow>();
    for (const day of [...days].sort(byText)) {
      const judged = await this.#judge(day);
      if (!judged) continue;
      this.judged[day] = judged;
      for (const one of judged.standing) {
        stands.set(one.settlement.id, standNow(day, one, this.#reported));
      }
    }
    return [...stands.values()];
  }

  /** What is found in a day; where its files are gone or others than were written, what was told of it. */
  async #judge(day: string): Promise<JudgedDay | undefined> {
    const { version, manifest } = this.#archive.days.get(day) ?? {};
    const told = this.#told.judged[day];
    if (version !== undefined && manifest) {
      if (manifest.verdict === 'balanced') return undefined;
      const known = [this.judged[day], told].find((one) => one?.version === version);
      if (known) return known;
      const standing = await this.#archive.lookAt(day, (folder) => standingIn(folder, manifest));
      if (standing) return { version, standing };
    }
    return isDayIn(this.#reach, day) ? told : undefined;
  }
}

function standNow(
  day: string,
  one: StandingSettlement,
  { ageing, accepted, names }: Reported,
): StandNow {
  const { settlement, verdict, codes, found, hasUnknownStatus, reported, computed, scale } = one;
  const { id, date, accountingToken, currency } = settlement;
  const acceptance = acceptanceOf(one, accepted);
  const payIn = { minor: reported.payIn ?? 0n, scale, currency };
  const overdue = verdict === 'pending' ? overdueEntry(date, payIn, ageing) : undefined;
  const differs = acceptance?.state ?? (verdict === 'out_of_balance' ? 'difference' : 'none');
  const account = names.get(accountingToken) ?? accountingToken;
  const stand: Stand = {
    id,
    day,
    verdict,
    alarm: differs === 'accepted' ? 'none' : differs,
    mark: markOf(one),
    isOverdue: overdue !== undefined,
  };
  const minor = computed && subtract(reported, computed).payIn;
  const difference = minor === undefined ? undefined : { minor, scale, currency };
  return {
    stand,
    ...{ acceptance, hasUnknownStatus },
    settlement: { id, verdict, accountingToken, currency, difference, codes, overdue },
    found: overdue ? [`${sentence(overdue)}; account ${account}`, ...found] : found,
  };
}
