import type { ExportedDay } from '../app/export-result.ts';
import { checkFees, type FeesAgreed } from '../app/fees-report.ts';
import type { NightDay } from '../app/night-result.ts';
import { concernsOneSettlement, FailuresInARow } from '../app/read-settlements.ts';
import { isDayIn } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { groupedBy } from '../base/lists.ts';
import { drained, mapOrdered } from '../base/ordered.ts';
import { byText } from '../base/texts.ts';
import { type ExportRequest, exportDays } from '../export/export-days.ts';
import { ExportSource } from '../export/export-source.ts';
import { reconcileSettings } from '../export/manifest.ts';
import { headerLine, type SourceHeaders } from '../export/source-line.ts';
import type { CloseRecord } from '../model/close.ts';
import type { PlannedDay } from '../model/night.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import { aboveAgreed } from '../reconcile/agreed/check-fees.ts';
import type { Entry } from '../reconcile/entry.ts';
import type { WhenReported } from '../reconcile/when-reported.ts';
import { Archive } from './archive.ts';
import { type BankOfNight, findOnBank } from './bank.ts';
import { type Changes, Comparison } from './comparison.ts';
import { type NightFindings, newsOf } from './news.ts';
import { compareHeaders, loadAndPlan } from './plan.ts';
import { type NightState, reasonOf, shortDigest, writeState } from './state.ts';
import { summarise } from './summary.ts';

type NightExport = Omit<ExportRequest, 'isNight'>;
type DueRequest = Parameters<typeof loadAndPlan>[0];

interface NightRequest extends DueRequest, NightExport {
  readonly lastRunFailed: boolean;
  readonly whenReported: WhenReported;
  /** The bank statements that the days in place are matched with; absent if none are kept. */
  readonly bank: BankOfNight | undefined;
  readonly fees: FeesOfNight | undefined;
  readonly closes: readonly CloseRecord[];
}

/**
 * Reads all that is due in the folder of an export, which this process holds, and finds what is new
 * since the last report. A failure of the reading is part of the night: what was read stands. Throws
 * ReconError `configuration`, before anything is read, if the first day is not known.
 */
export async function readNight(request: NightRequest) {
  const { path, folder, yesterday, whenReported, bank, fees, names } = request;
  const archive = await Archive.of(path, folder.days);
  const { before, stateKeptAs, since, range, plan, sweep } = await loadAndPlan(request, archive);
  const comparison = new Comparison({ ...whenReported, archive, before, range, names });
  // Saved before the repair: afterwards nothing shows that a day was damaged.
  const saveDamage = async () => {
    const damaged = Object.fromEntries(archive.damageFound);
    // A state that cannot be read must not be overwritten before it is kept aside.
    if (stateKeptAs === undefined) await writeState(path, { ...before, damaged });
  };
  const delisted = new Set(before.delisted);
  const reading = new NightReading({
    ...request,
    archive,
    comparison,
    range,
    delisted,
    saveDamage,
  });
  let failure: ReconError | undefined;
  let reached = readUpToAfterFailure(before.reached, yesterday);
  let swept = before.swept;
  let overcharged: NightFindings['overcharged'] = new Map();
  try {
    await reading.read(plan);
    reached = yesterday;
    await reading.sweep(sweep);
    swept = sweep.at(-1) ?? swept;
    if (fees) overcharged = await findOvercharges(archive, before, fees);
  } catch (error) {
    if (!(error instanceof ReconError)) throw error;
    failure = error;
  }
  const { results } = reading;
  const { statuses, cache } = await comparison.statuses();
  const changes = await reading.changes();
  const unread = unreadDays(results, changes.lost, archive, before);
  const isIntact = (day: string) => archive.conditionOf(day) !== 'damaged' && !unread.has(day);
  const isReadAtLast = (day: string) =>
    results.has(day) &&
    !unread.has(day) &&
    ['whole', 'pending_unread'].includes(archive.conditionOf(day));
  const waited = new Set([...Object.keys(before.unread), ...before.incomplete]);
  const found = {
    ...changes,
    statuses,
    unread,
    readAtLast: [...waited].filter(isReadAtLast),
    delisted,
    repaired: new Map([...archive.damageFound].filter(([day]) => isIntact(day))),
    lastRunFailed: request.lastRunFailed,
    overcharged,
    closes: request.closes,
    bank: bank && (await findOnBank(archive, before, bank, whenReported.accepted)),
    failure: failure && { reason: reasonOf(failure), message: failure.message },
  } satisfies NightFindings;
  const news = newsOf(before, found, request.scope);
  const next: NightState = {
    schema: before.schema,
    tellings: before.tellings + (news.length > 0 ? 1 : 0),
    since: since ?? null,
    reached,
    days: digestsReported(archive, before, changes, yesterday),
    stands: statusesReported(before, found),
    bank: found.bank?.next ?? before.bank,
    overcharged: {
      ...before.overcharged,
      ...Object.fromEntries([...overcharged].map(([day, { mark }]) => [day, mark])),
    },
    looks: Object.fromEntries([...archive.days].map(([day, one]) => [day, one.fingerprint])),
    damaged: Object.fromEntries([...archive.damageFound].filter(([day]) => !isIntact(day))),
    swept,
    delisted: [...delisted].filter((day) => archive.days.has(day)),
    unread: Object.fromEntries([...unread].map(([day, { reason }]) => [day, [...reason]])),
    incomplete: archive.daysIn('incomplete'),
    failure: found.failure ? [...found.failure.reason] : null,
    judged: cache,
  };
  return {
    summary: summarise({ path, names, range, archive, before, stateKeptAs, found, news, results }),
    /** Why it ended early, if it did. */
    failure,
    /** Saves that it was reported. Throws ReconError `output`. */
    markReported: () => writeState(path, next, stateKeptAs),
  };
}

/** Of damaged days and those that are held, what was reported stays. */
function digestsReported(
  archive: Archive,
  before: NightState,
  { held }: Changes,
  yesterday: string,
): NightState['days'] {
  const now = [...archive.days].flatMap(([day, { manifest }]) =>
    manifest && !held.has(day) ? [[day, manifest.contentSha256] as const] : [],
  );
  const all = Object.entries({ ...before.days, ...Object.fromEntries(now) });
  // A wrong clock may have published days to come.
  return Object.fromEntries(all.filter(([day]) => day <= yesterday));
}

function statusesReported(
  before: NightState,
  { statuses, places, held }: NightFindings & Changes,
): NightState['stands'] {
  const now = statuses.map(({ status }) => status);
  const ids = new Set(now.map(({ id }) => id));
  const reportedLater = before.stands.filter(
    ({ id, day }) => held.has(day) && !ids.has(id) && !places.has(id),
  );
  return [...now, ...reportedLater];
}

/** The days that could not be fully read, or have lost settlements whose new day could not be found. */
function unreadDays(
  results: ReadonlyMap<string, NightDay>,
  lost: Changes['lost'],
  archive: Archive,
  before: NightState,
): NightFindings['unread'] {
  const unread = new Map<string, UnreadDay>();
  for (const [day, reason] of Object.entries(before.unread)) {
    // Never shown: it was reported with this reason.
    if (!results.has(day)) unread.set(day, { reason, detail: { about: 'text', text: '' } });
  }
  for (const [day, { exported }] of results) {
    // Published incomplete on request: not reported as unread.
    const isAccepted = archive.days.has(day) && archive.conditionOf(day) === 'incomplete';
    if (exported.state === 'incomplete' && !isAccepted) unread.set(day, whyUnread(exported));
  }
  for (const [day, some] of groupedBy(lost, ({ from }) => from)) {
    const ids = some.map(({ id }) => id).sort(byText);
    if (!unread.has(day)) unread.set(day, { reason: ['lost'], detail: { about: 'lost', ids } });
  }
  return unread;
}

type UnreadDay = NonNullable<ReturnType<NightFindings['unread']['get']>>;

function whyUnread({ problems, unlisted }: ExportedDay): UnreadDay {
  const obstacles = problems.filter(({ obstacle }) => obstacle !== undefined);
  const facts = obstacles.map(({ obstacle, obstacleFacts = obstacle ?? '' }) => obstacleFacts);
  const texts = (obstacles.length > 0 ? obstacles : problems).map(({ text }) => text);
  return {
    reason: unlisted ? ['unlisted', ...reasonOf(unlisted)] : ['unread', ...facts],
    detail: { about: 'text', text: texts.join('; ') },
  };
}

interface ReadingRequest extends NightExport {
  readonly archive: Archive;
  readonly comparison: Comparison;
  readonly range: DateRange;
  /** Older days of which the service no longer lists anything; kept up to date. */
  readonly delisted: Set<string>;
  readonly saveDamage: () => Promise<void>;
}

/** If a day is empty now, so many of its settlements are asked for by their ids. */
const mostAsked = 5;

class NightReading {
  readonly #request: ReadingRequest;
  readonly results = new Map<string, NightDay>();
  /** Where the service has settlements that are on no day in place: a day, or `gone`. */
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
   * differ or are damaged. A day that is empty now as a whole stays as it is, unless its settlements have moved.
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
      // Judging the days reads their files, and so finds damage.
      await comparison.statuses();
      const { sharing, toAsk } = await this.changes();
      for (const [id, [now]] of await this.#ask(toAsk)) this.#answers.set(id, now?.date ?? 'gone');
      const moved = [...sharing, ...toAsk.map((id) => this.#answers.get(id) ?? '')];
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
      // Also if nobody had noticed before.
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
      // The service is up, so failures before this day are those days' own.
      for (const one of [...failed.splice(0), exported]) await record(one);
    }
    const isDown = unanswered.areTooMany || this.results.size === 0;
    const [first] = failed;
    if (first?.unlisted && isDown) throw first.unlisted;
    for (const one of failed) await record(one);
  }

  /** What the service has of some ids; without those that it did not answer, after many in a row all others. */
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

/**
 * The day up to which all days are known to be read after a night that failed: no further than before,
 * and not beyond yesterday if the clock was ahead then. Null if that is not known.
 */
export function readUpToAfterFailure(before: string | null, yesterday: string): string | null {
  return before === null || before < yesterday ? before : yesterday;
}

/** The rates of a profile, and within how many days its rows are settled. */
interface FeesOfNight extends FeesAgreed {
  readonly settleDays: number;
}

/** What is above the agreed rates on the days that have changed since the last report. */
async function findOvercharges(
  archive: Archive,
  before: Pick<NightState, 'days'>,
  fees: FeesOfNight,
) {
  const found = new Map<string, { entry: Entry<'above_agreed_rate'>; mark: string }>();
  const days = new Map([...archive.days].map(([day, { folder }]) => [day, folder]));
  const lastDay = [...days.keys()].at(-1) ?? '';
  for (const [day, { manifest }] of archive.days) {
    if (!manifest || manifest.contentSha256 === before.days[day]) continue;
    const query = { range: { from: day, to: day }, filters: manifest.filters };
    const settings = reconcileSettings(manifest.settings);
    const checked = await archive.readSafely(day, async () => {
      const source = new ExportSource({ days });
      const checking = checkFees({ ...fees, source, query, settings, ahead: 1, lastDay });
      return checking.finally(() => source.close());
    });
    for (const entry of aboveAgreed(checked?.fees.differences ?? [])) {
      const claim = entry.facts.claim.map(({ minor, currency }) => `${minor} ${currency}`);
      found.set(day, { entry, mark: shortDigest(JSON.stringify([entry.count, claim])) });
    }
  }
  return found;
}
