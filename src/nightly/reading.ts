import { concernsOneSettlement } from '../app/read-settlements.ts';
import { isDayIn } from '../base/calendar.ts';
import { mapOrdered } from '../base/ordered.ts';
import { byText } from '../base/texts.ts';
import type { SourceHeaders } from '../export/day-source.ts';
import { type ExportRequest, exportDays } from '../export/export-day.ts';
import { headerLine } from '../export/source-line.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange, HeaderList } from '../model/source.ts';
import type { ExportedDay } from '../report/export/report.ts';
import type { DayReason } from '../report/nightly/kinds.ts';
import type { PlannedDay } from '../report/nightly/report.ts';
import type { Archive } from './archive.ts';
import type { Comparison } from './comparison.ts';
import { compareHeaders, rangesToList } from './sweep.ts';

/** How days are read. */
export interface NightReadingRequest extends Omit<ExportRequest, 'passesOver'> {
  /** The days that belong into the folder: from the first that is wanted to the last that is over. */
  readonly reach: DateRange;
  /** Older days of which the service is known to list nothing any more. */
  readonly delisted: Iterable<string>;
  /** Writes down which days are damaged, before they are read again. */
  readonly noteDamage: () => Promise<void>;
}

/** A day that was read, why, and what came of it. */
export interface NightDay {
  readonly planned: PlannedDay;
  readonly exported: ExportedDay;
}

/** After so many in a row without an answer, it isn't these days or ids: the service is down. */
const mostFailuresInARow = 5;

/** Of a day that is empty now, so many settlements are asked for by their ids. */
const mostAsked = 5;

/** The reading of a night: the days of its plan, and those that they lead to. */
export class NightReading {
  readonly #request: NightReadingRequest;
  readonly #archive: Archive;
  readonly #comparison: Comparison;
  /** The days that were read, each as it was read last. */
  readonly days = new Map<string, NightDay>();
  /** Where the service has settlements that no day in place has, by their ids: a day, `gone`, or `unknown`. */
  readonly elsewhere = new Map<string, string>();
  /** Older days of which the service lists nothing any more. */
  readonly delisted: Set<string>;
  /** Ids in a row for which no answer came. */
  #unanswered = 0;

  constructor(request: NightReadingRequest, archive: Archive, comparison: Comparison) {
    this.#request = request;
    this.#archive = archive;
    this.#comparison = comparison;
    this.delisted = new Set(request.delisted);
  }

  /** Reads the days of the plan, those of settlements that waited, and those that others lead to. */
  async read(plan: readonly PlannedDay[]): Promise<void> {
    await this.#readDays(plan);
    await this.#readDays(await this.#noLongerWaiting());
    await this.#readOthers();
  }

  /**
   * Looks at older days as far as they weren't read: at all of their files, and at their headers as they are
   * listed now. Reads those again that are not as they were stored. What is empty now as a whole stays,
   * unless its settlements have moved.
   */
  async sweep(days: readonly string[]): Promise<void> {
    const { source, filters } = this.#request;
    const stored = new Map<string, SourceHeaders>();
    for (const day of days.filter((one) => !this.days.has(one))) {
      const headers = (await this.#archive.check(day)) && (await this.#archive.listed(day));
      if (headers && !this.delisted.has(day)) stored.set(day, headers);
    }
    const lists: HeaderList[] = [];
    for (const range of rangesToList([...stored.keys()])) {
      lists.push(await source.headers({ range, filters }));
    }
    const { changed, empty } = compareHeaders(stored, lists);
    for (const day of empty) {
      const some = stored.get(day)?.settlements.slice(0, mostAsked) ?? [];
      const now = await Promise.all(some.map(({ id }) => this.#ask(id)));
      if (now.flat().some((one) => one && one.date !== day)) changed.push(day);
      // Where nobody can say what has become of them, it is looked at again when it has its turn.
      else if (!now.includes(undefined)) this.delisted.add(day);
    }
    await this.#readDays(changed.map((day) => ({ day, reason: 'changed' })));
    await this.#readOthers();
  }

  /** Reads the days that others lead to. */
  async #readOthers(): Promise<void> {
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

  /** Reads these days and looks at what is in place then. */
  async #readDays(plan: readonly PlannedDay[]): Promise<void> {
    const isRecent = ({ reason }: PlannedDay) => Number(reason === 'recent');
    // What was never read goes first: where time is short, it would never have its turn.
    const days = [...new Map(plan.map((planned) => [planned.day, planned])).values()].sort(
      (one, other) => isRecent(one) - isRecent(other) || byText(one.day, other.day),
    );
    if (days.length === 0) return;
    if (days.some(({ day }) => this.#archive.damage.has(day))) await this.#request.noteDamage();
    const failed: ExportedDay[] = [];
    let isAnyRead = this.days.size > 0;
    const keep = async (exported: ExportedDay) => {
      const planned = days.find(({ day }) => day === exported.day);
      if (!planned) return;
      if (exported.state === 'repaired') this.#archive.noteDamage(exported.day);
      if (exported.isDelisted) this.delisted.add(exported.day);
      else if (exported.state !== 'incomplete') this.delisted.delete(exported.day);
      await this.#archive.refresh([exported.day]);
      this.days.set(exported.day, { planned, exported });
    };
    const exporting = exportDays(
      days.map(({ day }) => day),
      { ...this.#request, passesOver: true },
    );
    for await (const exported of exporting) {
      if (exported.unlisted) {
        failed.push(exported);
        if (isDown(failed)) break;
        continue;
      }
      isAnyRead = true;
      for (const one of [...failed.splice(0), exported]) await keep(one);
    }
    const [first] = failed;
    if (first?.unlisted && (isDown(failed) || !isAnyRead)) throw first.unlisted;
    for (const one of failed) await keep(one);
  }

  /** The days of settlements that waited and aren't told as before now, and the days where these are. */
  async #noLongerWaiting(): Promise<readonly PlannedDay[]> {
    const isOpen = (day: string) => this.#isInReach(day) && !this.days.has(day);
    // A day that could not be read whole says nothing of those that wait in it.
    const isUnread = (day: string) => this.days.get(day)?.exported.state === 'incomplete';
    const waiting = await this.#archive.waiting((day) => isOpen(day) || isUnread(day));
    const days: PlannedDay[] = [];
    const asked = mapOrdered(waiting, this.#request.ahead, async ({ day, settlement }) => ({
      ...{ day, settlement },
      now: (await this.#ask(settlement.id)) ?? [],
    }));
    for await (const { day, settlement, now } of asked) {
      if (now.some((one) => headerLine(one) === headerLine(settlement))) continue;
      if (isOpen(day)) days.push({ day, reason: 'pending' });
      for (const { date } of now) {
        if (date !== settlement.date && isOpen(date)) days.push({ day: date, reason: 'moved' });
      }
    }
    return days;
  }

  /**
   * What the service says of one settlement: nothing where it doesn't know it; undefined where that
   * can't be read. Where no answers come nobody goes on asking: the lists of days say it as well.
   */
  async #ask(id: string): Promise<readonly Settlement[] | undefined> {
    if (this.#unanswered >= mostFailuresInARow) return undefined;
    try {
      const { settlements, unreadable } = await this.#request.source.header(id);
      this.#unanswered = 0;
      return unreadable.length > 0 ? undefined : settlements;
    } catch (error) {
      if (!concernsOneSettlement(error)) throw error;
      this.#unanswered += 1;
      return undefined;
    }
  }

  /** Days whose files turn out to be damaged when they are looked into. */
  async #damaged(): Promise<readonly PlannedDay[]> {
    await this.#comparison.stands();
    return this.#unreadDays('damaged', (day) => this.#archive.stateOf(day) === 'damaged');
  }

  /** Days that share a settlement with one that has changed: it lies on one day only. */
  async #shared(): Promise<readonly PlannedDay[]> {
    const isShared = new Set([...(await this.sharing()).values()].flat());
    return this.#unreadDays('moved', (day) => isShared.has(day));
  }

  /** The days that have changed, each with those that share a settlement with it and weren't read. */
  async sharing(): Promise<ReadonlyMap<string, readonly string[]>> {
    const changed = new Map<string, readonly string[]>();
    for (const day of this.#comparison.changedDays()) {
      const headers = await this.#archive.headers(day);
      changed.set(
        day,
        headers.map(({ id }) => id),
      );
    }
    const places = await this.#archive.placesOf(new Set([...changed.values()].flat()));
    const isUnread = (day: string) => this.#isInReach(day) && !this.days.has(day);
    const sharing = [...changed].map(([day, ids]) => {
      const shared = ids.flatMap((id) => {
        const days = places.get(id) ?? [];
        return days.length > 1 ? days.filter(isUnread) : [];
      });
      return [day, shared] as const;
    });
    return new Map(sharing.filter(([, shared]) => shared.length > 0));
  }

  /** The days where the service has settlements that others have lost. Each is asked for once. */
  async #left(): Promise<readonly PlannedDay[]> {
    const days: PlannedDay[] = [];
    const { lost } = await this.#comparison.changes(this.elsewhere);
    const missing = lost.flatMap(({ id, to }) => (to === 'missing' ? id : []));
    // They may have come and gone before anybody was told of them.
    const strays = await this.#archive.strays(this.#comparison.changedDays());
    const ids = [...new Set([...missing, ...strays.filter((id) => !this.elsewhere.has(id))])];
    const asked = mapOrdered(ids, this.#request.ahead, async (id) => ({
      id,
      now: await this.#ask(id),
    }));
    for await (const { id, now } of asked) {
      const day = now ? (now[0]?.date ?? 'gone') : 'unknown';
      this.elsewhere.set(id, day);
      if (this.#isInReach(day)) days.push({ day, reason: 'moved' });
    }
    return days;
  }

  #unreadDays(reason: DayReason, isMeant: (day: string) => boolean): readonly PlannedDay[] {
    return [...this.#archive.days.keys()]
      .filter((day) => this.#isInReach(day) && !this.days.has(day) && isMeant(day))
      .map((day) => ({ day, reason }));
  }

  #isInReach(day: string): boolean {
    return isDayIn(this.#request.reach, day);
  }
}

/** Whether so many of these days had no answer that nobody will give one. */
function isDown(failed: readonly ExportedDay[]): boolean {
  const unanswered = failed.filter(({ unlisted }) => unlisted?.failure === 'network');
  return unanswered.length >= mostFailuresInARow;
}
