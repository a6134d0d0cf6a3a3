import type { ExportedDay } from '../app/export-result.ts';
import type { NightDay } from '../app/night-result.ts';
import { concernsOneSettlement, FailuresInARow } from '../app/read-settlements.ts';
import { isDayIn } from '../base/calendar.ts';
import { drained, mapOrdered } from '../base/ordered.ts';
import { byText } from '../base/texts.ts';
import { type ExportRequest, exportDays } from '../export/export-days.ts';
import { headerLine, type SourceHeaders } from '../export/source-line.ts';
import type { PlannedDay } from '../model/night.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import type { Archive } from './archive.ts';
import type { Changes, Comparison } from './comparison.ts';
import { compareHeaders } from './plan.ts';

interface ReadingRequest extends ExportRequest {
  readonly archive: Archive;
  readonly comparison: Comparison;
  readonly range: DateRange;
  /** Older days of which the service no longer lists anything. Kept up to date. */
  readonly delisted: Set<string>;
  readonly saveDamage: () => Promise<void>;
}

/** How many settlements of a day that is empty now are asked for by their ids. */
const mostAsked = 5;

/** Reads the days of a night, and those that these lead to. */
export class NightReading {
  readonly #request: ReadingRequest;
  readonly results = new Map<string, NightDay>();
  /** The day that the service gives for settlements that are on no day in place, or `gone`. */
  readonly #answers = new Map<string, string>();
  readonly #unansweredIds = new FailuresInARow();
  readonly #mayRead = (day: string) => isDayIn(this.#request.range, day) && !this.results.has(day);

  constructor(request: ReadingRequest) {
    this.#request = request;
  }

  changes(): Promise<Changes> {
    return this.#request.comparison.changes(this.#answers, this.#mayRead);
  }

  /** Reads the days of the plan, those whose pending settlements have changed, and those that they lead to. */
  async read(plan: readonly PlannedDay[]): Promise<void> {
    await this.#readDays(plan);
    const pending = await this.#request.archive.pendingSettlements(this.#mayRead);
    const now = await this.#ask(pending.map(({ settlement }) => settlement.id));
    // If there is no answer, it may have changed.
    const changed = pending.filter(({ settlement }) => {
      const lines = now.get(settlement.id)?.map(headerLine) ?? [];
      return !lines.includes(headerLine(settlement));
    });
    await this.#readDays(changed.map(({ day }) => ({ day, reason: 'pending' })));
    await this.#followUp();
  }

  /**
   * Verifies the files of older days that were not read, and lists their headers. Reads the days that
   * differ or are damaged. A day that is empty now stays as it is, unless its settlements have moved.
   */
  async sweep(days: readonly string[]): Promise<void> {
    const { archive, delisted } = this.#request;
    const stored = new Map<string, SourceHeaders>();
    for (const day of days.filter((one) => !this.results.has(one))) {
      const headers = (await archive.verifyFiles(day)) && (await archive.headers(day));
      if (headers && !delisted.has(day)) stored.set(day, headers);
    }
    const { changed, empty } = await compareHeaders(stored, this.#request);
    for (const day of empty) {
      const some = stored.get(day)?.settlements.slice(0, mostAsked) ?? [];
      const now = await this.#ask(some.map(({ id }) => id));
      if ([...now.values()].flat().some(({ date }) => date !== day)) changed.push(day);
      // If the service did not answer, the next sweep asks again.
      else if (now.size === some.length) delisted.add(day);
    }
    await this.#readDays(changed.map((day) => ({ day, reason: 'changed' })));
    await this.#followUp();
  }

  /** Reads the days that are damaged, and those that settlements have left or come to. */
  async #followUp(): Promise<void> {
    const { archive, comparison } = this.#request;
    for (;;) {
      // This reads the files of the days, and finds damage.
      await comparison.statuses();
      const { daysToRead, idsToAsk } = await this.changes();
      for (const [id, [now]] of await this.#ask(idsToAsk))
        this.#answers.set(id, now?.date ?? 'gone');
      const moved = [...daysToRead, ...idsToAsk.map((id) => this.#answers.get(id) ?? '')];
      const due: readonly PlannedDay[] = [
        ...archive.daysIn('damaged').map((day) => ({ day, reason: 'damaged' as const })),
        ...moved.map((day) => ({ day, reason: 'moved' as const })),
      ].filter(({ day }) => this.#mayRead(day));
      if (due.length === 0) return;
      await this.#readDays(due);
    }
  }

  /** Reads these days. Throws the first failure if the service is down. */
  async #readDays(plan: readonly PlannedDay[]): Promise<void> {
    const { archive, delisted, saveDamage } = this.#request;
    const isRecent = ({ reason }: PlannedDay) => reason === 'recent';
    // Recent days go last: they are in place already, and the time limit may end the run.
    const ordered = [...plan].sort(
      (one, other) => Number(isRecent(one)) - Number(isRecent(other)) || byText(one.day, other.day),
    );
    const reasons = new Map(ordered.map(({ day, reason }) => [day, reason]));
    if (reasons.size === 0) return;
    if (ordered.some(({ day }) => archive.damageFound.has(day))) await saveDamage();
    const record = async (exported: ExportedDay) => {
      const { day, state, isDelisted } = exported;
      // The damage may have been unknown before.
      if (state === 'repaired') archive.noteDamage(day);
      if (isDelisted) delisted.add(day);
      else if (state !== 'incomplete') delisted.delete(day);
      await archive.refresh([day]);
      this.results.set(day, { day, reason: reasons.get(day) ?? 'new', exported });
    };
    const failed: ExportedDay[] = [];
    const unanswered = new FailuresInARow();
    for await (const exported of exportDays(reasons.keys(), { ...this.#request, isNight: true })) {
      if (exported.unlisted) {
        failed.push(exported);
        if (exported.unlisted.failure === 'network') unanswered.add(true);
        if (unanswered.areTooMany) break;
        continue;
      }
      unanswered.add(false);
      // The service is up, so earlier failures concern only their days.
      for (const one of [...failed.splice(0), exported]) await record(one);
    }
    const isDown = unanswered.areTooMany || this.results.size === 0;
    const [first] = failed;
    if (first?.unlisted && isDown) throw first.unlisted;
    for (const one of failed) await record(one);
  }

  /** What the service has of some ids. Stops after many in a row without an answer. */
  async #ask(ids: readonly string[]): Promise<ReadonlyMap<string, readonly Settlement[]>> {
    const { source, ahead } = this.#request;
    const answers = new Map<string, readonly Settlement[]>();
    const asking = mapOrdered(ids, ahead, async (id) => {
      if (this.#unansweredIds.areTooMany) return;
      try {
        const { settlements, unreadable } = await source.header(id);
        this.#unansweredIds.add(false);
        if (unreadable.length === 0) answers.set(id, settlements);
      } catch (error) {
        if (!concernsOneSettlement(error)) throw error;
        this.#unansweredIds.add(true);
      }
    });
    await drained(asking);
    return answers;
  }
}
