import { addDays, daysBetween, daysOf, spanOf } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { mapOrdered } from '../base/ordered.ts';
import { byText } from '../base/texts.ts';
import { type ExportRequest, exportDays } from '../export/export-day.ts';
import { headerLine } from '../export/source-line.ts';
import type { HeaderList } from '../model/source.ts';
import { addMoney, type Money, magnitude } from '../money/money.ts';
import { type Acceptance, acceptanceOf } from '../reconcile/acceptance.ts';
import type { WhenReported } from '../reconcile/when-reported.ts';
import type { ExportedDay, SettlementRestatement } from '../report/export/report.ts';
import type { DayReason, News, PlannedDay, ProfileNight } from '../report/nightly/report.ts';
import { Archive } from './archive.ts';
import { type Departure, type Findings, newsOf, type StandNow } from './news.ts';
import { planNight } from './plan.ts';
import { differenceOf, markOf, type Standing, standingIn } from './standing.ts';
import { type NightState, noState, readState, type Stand, writeState } from './state.ts';

/** How a night reads and judges. */
export interface NightRequest extends Omit<ExportRequest, 'passesOver'> {
  /** The folder of the days. */
  readonly path: string;
  /** The first day that is wanted, YYYY-MM-DD; needed only where no day is in place. */
  readonly since: string | undefined;
  /** The last day that is over, YYYY-MM-DD. */
  readonly yesterday: string;
  /** How many of the last days are read again. */
  readonly restatedDays: number;
  readonly whenReported: WhenReported;
  /** Hears of each day that was read. */
  readonly onDay: (planned: PlannedDay, exported: ExportedDay) => void;
}

/** What a night has found, all but how it ends. */
export type NightFindings = Omit<ProfileNight, 'profile' | 'exitCode' | 'failure'> & {
  /** Settlements of the days that were read. */
  readonly settlements: number;
  /** Settlements that are pending because the document doesn't name their status, of all days. */
  readonly unknownStatuses: number;
  /** Settlements of the days that were read with decimal places that their currency doesn't have. */
  readonly unusualScales: number;
  /** Why it ended early. */
  readonly failure: ReconError | undefined;
};

/** A night that is over and not yet told. */
export interface Night {
  readonly findings: NightFindings;
  /** Writes down that it was told. Throws ReconError `output`. */
  readonly told: () => Promise<void>;
}

/**
 * Reads all that is due in the folder of an export, which this process holds, and finds out what is new
 * since it was told last. A failure that leaves something to tell is part of what was found; before
 * anything is read, `usage` is thrown where no day is in place and no first day is given.
 */
export async function readNight(request: NightRequest): Promise<Night> {
  const { path, folder, yesterday, restatedDays } = request;
  const state = (await readState(path)) ?? noState;
  const archive = await Archive.of(path, folder.days);
  const since = earliest(request.since, state.since);
  if (since === undefined && archive.days.size === 0) {
    throw new ReconError('usage', 'This folder has no days yet, so the first day is not known.', {
      where: path,
      hint: 'Add --since with the first day to read, for example --since 2026-01-01.',
    });
  }
  const plan = planNight({
    days: new Map([...archive.days.keys()].map((day) => [day, archive.stateOf(day)])),
    since,
    reached: state.reached ?? undefined,
    unread: new Set(Object.keys(state.unread)),
    yesterday,
    restatedDays,
  });
  const reading = new Reading(request, archive, state);
  let failure: ReconError | undefined;
  try {
    await reading.readAll(plan);
  } catch (error) {
    if (!(error instanceof ReconError)) throw error;
    failure = error;
  }
  return reading.conclude(since, failure);
}

function earliest(...days: readonly (string | undefined | null)[]): string | undefined {
  return days.flatMap((day) => day ?? []).sort(byText)[0];
}

/** After so many in a row that can't be listed, it isn't the days: the service is down. */
const mostFailuresInARow = 5;

/** A night under way. */
class Reading {
  readonly #request: NightRequest;
  readonly #archive: Archive;
  readonly #state: NightState;
  /** The days that were read, each as it was read last. */
  readonly #read = new Map<
    string,
    { readonly planned: PlannedDay; readonly exported: ExportedDay }
  >();
  readonly #judged: Record<string, { version: string; standing: readonly Standing[] }> = {};
  /** Where the service has settlements that no day in place has: by their ids. */
  readonly #elsewhere = new Map<string, string>();

  constructor(request: NightRequest, archive: Archive, state: NightState) {
    this.#request = request;
    this.#archive = archive;
    this.#state = state;
  }

  /** Reads the days of the plan, those of settlements that waited, and those that others lead to. */
  async readAll(plan: readonly PlannedDay[]): Promise<void> {
    await this.#readDays(plan);
    await this.#readDays(await this.#noLongerWaiting());
    for (;;) {
      const others = [
        ...(await this.#damaged()),
        ...(await this.#shared()),
        ...(await this.#left()),
      ];
      if (others.length === 0) return;
      await this.#readDays(others);
    }
  }

  async conclude(since: string | undefined, failure: ReconError | undefined): Promise<Night> {
    const state = this.#state;
    const { unread, readAtLast } = this.#outcome();
    const stands = await this.#stands();
    const { restatements, departures, open } = await this.#changes();
    const gone = state.stands.filter(({ id }) => !stands.some(({ stand }) => stand.id === id));
    const places = await this.#archive.placesOf(new Set(gone.map(({ id }) => id)));
    const found: Findings = {
      stands,
      places: new Map([...places].map(([id, [day = '']]) => [id, day])),
      restatements,
      departures,
      unread,
      readAtLast,
      failure: failure?.message,
    };
    const news = newsOf(state, found);
    const days = this.#archive.days;
    const next: NightState = {
      ...state,
      tellings: state.tellings + (news.length > 0 ? 1 : 0),
      since: since ?? null,
      reached: failure ? state.reached : this.#request.yesterday,
      days: Object.fromEntries(
        [...days].flatMap(([day, { manifest }]) => {
          // What could not be followed up is told when it has been.
          const content = open.has(day) ? state.days[day] : manifest?.contentSha256;
          return content === undefined ? [] : [[day, content]];
        }),
      ),
      stands: [
        ...stands.map(({ stand }) => ({ ...stand })),
        ...gone.filter(({ id, day }) => open.has(day) && !places.has(id)),
      ],
      unread: Object.fromEntries(unread),
      incomplete: [...days.keys()].filter((day) => this.#archive.stateOf(day) === 'incomplete'),
      failure: found.failure ?? null,
      judged: this.#judged,
    };
    const findings = { ...this.#findings(stands, found, news, since), failure };
    return { findings, told: () => writeState(this.#request.path, next) };
  }

  /** Reads these days and looks at what is in place then. */
  async #readDays(plan: readonly PlannedDay[]): Promise<void> {
    const days = [...new Map(plan.map((planned) => [planned.day, planned])).values()].sort(
      (one, other) => byText(one.day, other.day),
    );
    if (days.length === 0) return;
    const failed: ExportedDay[] = [];
    let isAnyRead = this.#read.size > 0;
    const keep = async (exported: ExportedDay) => {
      const planned = days.find(({ day }) => day === exported.day);
      if (!planned) return;
      await this.#archive.refresh([exported.day]);
      this.#read.set(exported.day, { planned, exported });
      this.#request.onDay(planned, exported);
    };
    const { path: _, onDay: __, ...request } = this.#request;
    const exporting = exportDays(
      days.map(({ day }) => day),
      { ...request, passesOver: true },
    );
    for await (const exported of exporting) {
      if (exported.unlisted) {
        failed.push(exported);
        if (failed.length === mostFailuresInARow) break;
        continue;
      }
      isAnyRead = true;
      for (const one of [...failed.splice(0), exported]) await keep(one);
    }
    const [first] = failed;
    if (first?.unlisted && (failed.length === mostFailuresInARow || !isAnyRead))
      throw first.unlisted;
    for (const one of failed) await keep(one);
  }

  /** The days of settlements that waited and are told otherwise now, and the days where these are. */
  async #noLongerWaiting(): Promise<readonly PlannedDay[]> {
    const { yesterday, ahead } = this.#request;
    const isOpen = (day: string) => day <= yesterday && !this.#read.has(day);
    const waiting = await this.#archive.waiting(isOpen);
    const days: PlannedDay[] = [];
    const asked = mapOrdered(waiting, ahead, async ({ day, settlement }) => ({
      ...{ day, settlement },
      now: await this.#ask(settlement.id),
    }));
    for await (const { day, settlement, now } of asked) {
      const isSame = now?.settlements.some((one) => headerLine(one) === headerLine(settlement));
      if (isSame) continue;
      days.push({ day, reason: 'pending' });
      for (const { date } of now?.settlements ?? []) {
        if (date !== settlement.date && isOpen(date)) days.push({ day: date, reason: 'moved' });
      }
    }
    return days;
  }

  /** What the service says of one settlement; undefined where it doesn't know it. */
  async #ask(id: string): Promise<HeaderList | undefined> {
    const list = await this.#request.source.header(id);
    return list.settlements.length + list.unreadable.length > 0 ? list : undefined;
  }

  /** Days whose files turn out to be damaged when they are looked into. */
  async #damaged(): Promise<readonly PlannedDay[]> {
    await this.#stands();
    return this.#unreadDays('damaged', (day) => this.#archive.stateOf(day) === 'damaged');
  }

  /** Days that share a settlement with one that has changed: it lies on one day only. */
  async #shared(): Promise<readonly PlannedDay[]> {
    const ids = new Set<string>();
    for (const day of this.#changedDays()) {
      for (const { id } of await this.#archive.headers(day)) ids.add(id);
    }
    const places = [...(await this.#archive.placesOf(ids)).values()];
    const isShared = new Set(places.filter(({ length }) => length > 1).flat());
    return this.#unreadDays('moved', (day) => isShared.has(day));
  }

  /** The days where the service has settlements that others have lost. Each is asked for once. */
  async #left(): Promise<readonly PlannedDay[]> {
    const { yesterday } = this.#request;
    const days: PlannedDay[] = [];
    for (const id of (await this.#changes()).missing) {
      const header = (await this.#ask(id))?.settlements[0];
      this.#elsewhere.set(id, header?.date ?? 'gone');
      if (header && header.date <= yesterday) days.push({ day: header.date, reason: 'moved' });
    }
    return days;
  }

  #unreadDays(reason: DayReason, isMeant: (day: string) => boolean): readonly PlannedDay[] {
    return [...this.#archive.days.keys()]
      .filter((day) => day <= this.#request.yesterday && !this.#read.has(day) && isMeant(day))
      .map((day) => ({ day, reason }));
  }

  /**
   * What the service tells otherwise than was told, and where settlements have gone. `missing`: it is
   * not known where to; `open`: days of which something is not known yet, so that they are told later.
   */
  async #changes() {
    const { days: told, stands } = this.#state;
    const restatements: { day: string; of: SettlementRestatement }[] = [];
    const left = new Map<string, string>();
    for (const day of this.#changedDays()) {
      const content = told[day];
      if (content === undefined) continue;
      for (const of of await this.#archive.changesSince(day, content)) {
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
      const to = place ?? this.#elsewhere.get(id);
      if (to === undefined) missing.push(id);
      // It should lie there by now: the next night looks again.
      const isLost = place === undefined && to !== 'gone' && (to ?? '') <= this.#request.yesterday;
      if (to === undefined || isLost) open.add(from);
      else departures.set(id, { from, to });
    }
    const isTold = ({ day }: { readonly day: string }) => !open.has(day);
    return { restatements: restatements.filter(isTold), departures, missing, open };
  }

  /** The days in place whose data are others than was told, or that were not told of. */
  #changedDays(): readonly string[] {
    const { days } = this.#state;
    return [...this.#archive.days].flatMap(([day, { manifest }]) =>
      manifest && days[day] !== manifest.contentSha256 ? [day] : [],
    );
  }

  /** How the settlements that are not balanced stand; those of days that haven't changed are known. */
  async #stands(): Promise<readonly StandNow[]> {
    const { whenReported } = this.#request;
    const stands: StandNow[] = [];
    for (const [day, { version, manifest }] of this.#archive.days) {
      if (!manifest || manifest.verdict === 'balanced') continue;
      const known = [this.#judged[day], this.#state.judged[day]].find(
        (one) => one?.version === version,
      );
      const standing =
        known?.standing ??
        (await this.#archive.lookAt(day, (folder) => standingIn(folder, manifest)));
      if (!standing) continue;
      this.#judged[day] = { version, standing };
      for (const one of standing) stands.push(standNow(day, one, whenReported));
    }
    return stands;
  }

  /** Which days could not be read, and which were at last. */
  #outcome() {
    const { unread: before, incomplete } = this.#state;
    const unread = new Map(Object.entries(before).filter(([day]) => !this.#read.has(day)));
    for (const [day, { exported }] of this.#read) {
      // Somebody has decided that what could be read of it is enough for now.
      const isAccepted = this.#archive.days.has(day) && this.#archive.stateOf(day) === 'incomplete';
      if (exported.state === 'incomplete' && !isAccepted) unread.set(day, whyUnread(exported));
    }
    const waited = [...new Set([...Object.keys(before), ...incomplete])].sort(byText);
    const isRead = (day: string) => this.#read.has(day) && this.#archive.stateOf(day) === 'whole';
    return { unread, readAtLast: waited.filter((day) => !unread.has(day) && isRead(day)) };
  }

  #findings(
    stands: readonly StandNow[],
    { unread, failure }: Findings,
    news: readonly News[],
    since: string | undefined,
  ): Omit<NightFindings, 'failure'> {
    const { path, yesterday } = this.#request;
    const inPlace = this.#archive.days;
    const alarming = stands.filter(({ stand }) => stand.alarm !== 'none');
    const isNew = new Set(news.map(({ settlement }) => settlement?.id));
    const known = alarming.filter(({ stand }) => !isNew.has(stand.id));
    const pending = stands.filter(({ stand }) => stand.verdict === 'pending');
    const first = earliest(since, ...inPlace.keys());
    const wanted = first === undefined ? [] : [...daysOf({ from: first, to: yesterday })];
    const lacking = wanted.filter((day) => !inPlace.has(day));
    const toldUnread = [...unread].filter(([day, why]) => this.#state.unread[day] === why);
    const read = [...this.#read.values()].sort((a, b) => byText(a.planned.day, b.planned.day));
    const exported = read.map((one) => one.exported);
    return {
      folder: path,
      verdict:
        unread.size > 0 || failure !== undefined
          ? 'incomplete'
          : alarming.length > 0
            ? 'out_of_balance'
            : pending.length > 0
              ? 'pending'
              : 'balanced',
      days: read.map(({ planned, exported: of }) => ({ ...planned, exported: of })),
      publishedTo: publishedTo(wanted, lacking[0]),
      lagDays: lacking.length,
      news,
      known: {
        settlements: known.length,
        absolute: absoluteSums(known.flatMap(({ settlement }) => settlement.difference ?? [])),
        ...{ from: undefined, to: undefined, ...spanOf(known.map(({ stand }) => stand.day)) },
      },
      pending: pending.length,
      overdue: pending.filter(({ stand }) => stand.isOverdue).length,
      knownUnread: toldUnread.map(([day]) => day).sort(byText),
      incompleteDays: [...inPlace.keys()].filter(
        (day) => this.#archive.stateOf(day) === 'incomplete',
      ),
      settlements: exported
        .flatMap(({ settlements }) => Object.values(settlements))
        .reduce((sum, count) => sum + count, 0),
      unknownStatuses: pending.filter(({ hasUnknownStatus }) => hasUnknownStatus).length,
      unusualScales: exported.reduce((sum, one) => sum + one.unusualScales, 0),
    };
  }
}

/** The last day before the first one that is lacking. */
function publishedTo(wanted: readonly string[], lacking: string | undefined): string | undefined {
  const [first] = wanted;
  if (first === undefined || first === lacking) return undefined;
  return lacking === undefined ? wanted.at(-1) : addDays(lacking, -1);
}

function standNow(day: string, one: Standing, { ageing, accepted }: WhenReported): StandNow {
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
  const told = { id, verdict, accountingToken, currency, difference: differenceOf(one), codes };
  return { stand, settlement: told, found, acceptance, hasUnknownStatus };
}

function alarmOf(verdict: Standing['verdict'], acceptance: Acceptance | undefined): Stand['alarm'] {
  if (verdict !== 'out_of_balance' || acceptance?.state === 'accepted') return 'none';
  return acceptance?.state ?? 'difference';
}

/** By currency, in its order; each the sum of the absolute amounts. */
function absoluteSums(amounts: readonly Money[]): readonly Money[] {
  const sums = new Map<string, Money>();
  for (const { minor, ...rest } of amounts) {
    const sum = sums.get(rest.currency) ?? { ...rest, minor: 0n };
    sums.set(rest.currency, addMoney(sum, { ...rest, minor: magnitude(minor) }));
  }
  return [...sums.values()].sort((one, other) => byText(one.currency, other.currency));
}

/** Why a day could not be read: the same text for the same reason. */
function whyUnread({ problems }: ExportedDay): string {
  const obstacles = problems.filter(({ obstacle }) => obstacle !== undefined);
  const texts = (obstacles.length > 0 ? obstacles : problems).map(({ text }) => text);
  return texts.join('; ');
}
