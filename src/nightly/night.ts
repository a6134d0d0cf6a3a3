import type { ExportedDay } from '../app/export-result.ts';
import { checkFees, type FeesAgreed } from '../app/fees-report.ts';
import type { NightDay } from '../app/night-result.ts';
import { concernsOneSettlement, FailuresInARow } from '../app/read-settlements.ts';
import { isDayIn } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { groupedBy } from '../base/lists.ts';
import { mapOrdered } from '../base/ordered.ts';
import { byText } from '../base/texts.ts';
import { type ExportRequest, exportDays } from '../export/export-days.ts';
import { ExportSource } from '../export/export-source.ts';
import { reconcileSettings } from '../export/manifest.ts';
import { headerLine, type SourceHeaders } from '../export/source-line.ts';
import type { CloseRecord } from '../model/close.ts';
import type { PlannedDay } from '../model/night.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange, HeaderList } from '../model/source.ts';
import { aboveAgreed } from '../reconcile/agreed/check-fees.ts';
import type { Entry } from '../reconcile/entry.ts';
import type { WhenReported } from '../reconcile/when-reported.ts';
import { Archive } from './archive.ts';
import { type BankOfNight, findOnBank } from './bank.ts';
import { type Changes, Comparison } from './comparison.ts';
import { markOf, type NightFindings, newsOf, type ReadFailure } from './news.ts';
import { type DueRequest, diffHeaders, loadAndPlan, rangesToList } from './plan.ts';
import { type NightState, reasonOf, writeState } from './state.ts';
import { summarise } from './summary.ts';

type NightExport = Omit<ExportRequest, 'isNight'>;

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
  const readingRequest = { ...request, range, delisted: before.delisted, saveDamage };
  const reading = new NightReading(readingRequest, archive, comparison);
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
  const { statuses, cache } = await comparison.statuses();
  const changes = await reading.changes();
  const days = daysRead(reading.results, changes.lost, archive, before);
  const isIntact = (day: string) => archive.conditionOf(day) !== 'damaged' && !days.unread.has(day);
  const found = {
    ...changes,
    ...days,
    statuses,
    delisted: reading.delisted,
    repaired: new Map([...archive.damageFound].filter(([day]) => isIntact(day))),
    lastRunFailed: request.lastRunFailed,
    overcharged,
    closes: request.closes,
    bank: bank && (await findOnBank(archive, before, bank, whenReported.accepted)),
    failure: failure && { reason: reasonOf(failure), message: failure.message },
  } satisfies NightFindings;
  const news = newsOf(before, found, request.scope);
  const { unread, delisted } = found;
  const next: NightState = {
    schema: before.schema,
    tellings: before.tellings + (news.length > 0 ? 1 : 0),
    since: since ?? null,
    reached,
    days: digestsReported(archive, before, found, yesterday),
    stands: statusesReported(before, found),
    bank: found.bank?.next ?? before.bank,
    overcharged: {
      ...before.overcharged,
      ...Object.fromEntries([...overcharged].map(([day, entry]) => [day, markOf(entry)])),
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
  const { results } = reading;
  return {
    summary: summarise({ path, names, range, archive, before, stateKeptAs, found, news, results }),
    /** Why it ended early, if it did. */
    failure,
    /** Saves that it was reported. Throws ReconError `output`. */
    markReported: () => writeState(path, next, stateKeptAs),
  };
}

function digestsReported(
  archive: Archive,
  before: NightState,
  { postponed }: Changes,
  yesterday: string,
): NightState['days'] {
  const digests: Record<string, string> = {};
  for (const day of new Set([...Object.keys(before.days), ...archive.days.keys()])) {
    const manifest = archive.days.get(day)?.manifest;
    // The changes of a damaged or postponed day are reported when it is read again.
    const digest = manifest && !postponed.has(day) ? manifest.contentSha256 : before.days[day];
    // A wrong clock may have published days to come.
    if (day <= yesterday && digest !== undefined) digests[day] = digest;
  }
  return digests;
}

function statusesReported(
  before: NightState,
  { statuses, places, postponed }: NightFindings & Changes,
): NightState['stands'] {
  const current = new Set(statuses.map(({ status }) => status.id));
  const reportedLater = before.stands.filter(
    ({ id, day }) => !current.has(id) && postponed.has(day) && !places.has(id),
  );
  return [...statuses.map(({ status }) => ({ ...status })), ...reportedLater];
}

/**
 * Which days could not be read, and which were at last. A day that has lost a settlement is not fully
 * read, unless the settlement's new day could not be read either, or nobody has asked where it is.
 */
function daysRead(
  results: ReadonlyMap<string, NightDay>,
  lost: Changes['lost'],
  archive: Archive,
  before: NightState,
): Pick<NightFindings, 'unread' | 'readAtLast'> {
  const unread = new Map<string, ReadFailure>();
  for (const [day, reason] of Object.entries(before.unread)) {
    // Never shown: it was reported with this reason.
    if (!results.has(day)) unread.set(day, { reason, detail: { about: 'text', text: '' } });
  }
  for (const [day, { exported }] of results) {
    // Published incomplete on request: not reported as unread.
    const isAccepted = archive.days.has(day) && archive.conditionOf(day) === 'incomplete';
    if (exported.state === 'incomplete' && !isAccepted) unread.set(day, whyUnread(exported));
  }
  for (const [day, settlements] of groupedBy(lost, ({ from }) => from)) {
    const ids = settlements
      .flatMap(({ id, to }) => (to === undefined || unread.has(to) ? [] : id))
      .sort(byText);
    if (ids.length === 0 || unread.has(day)) continue;
    unread.set(day, { reason: ['lost', ...ids], detail: { about: 'lost', ids } });
  }
  const waited = [...new Set([...Object.keys(before.unread), ...before.incomplete])].sort(byText);
  const isRead = (day: string) =>
    results.has(day) && ['whole', 'pending_unread'].includes(archive.conditionOf(day));
  return { unread, readAtLast: waited.filter((day) => !unread.has(day) && isRead(day)) };
}

function whyUnread({ problems, unlisted }: ExportedDay): ReadFailure {
  const obstacles = problems.filter(({ obstacle }) => obstacle !== undefined);
  const facts = obstacles.map(({ obstacle, obstacleFacts = obstacle ?? '' }) => obstacleFacts);
  const texts = (obstacles.length > 0 ? obstacles : problems).map(({ text }) => text);
  return {
    reason: unlisted ? ['unlisted', ...reasonOf(unlisted)] : ['unread', ...facts],
    detail: { about: 'text', text: texts.join('; ') },
  };
}

interface NightReadingRequest extends NightExport {
  readonly range: DateRange;
  readonly delisted: Iterable<string>;
  readonly saveDamage: () => Promise<void>;
}

/** If a day is empty now, so many of its settlements are asked for by their ids. */
const mostAsked = 5;

class NightReading {
  readonly #request: NightReadingRequest;
  readonly #archive: Archive;
  readonly #comparison: Comparison;
  readonly #mayRead = (day: string) => this.#isInRange(day) && !this.results.has(day);
  readonly results = new Map<string, NightDay>();
  /** Of settlements that left their day and are on no other one: their day, `gone`, or `unknown`. */
  readonly #whereabouts = new Map<string, string>();
  /** Older days of which the service no longer lists anything. */
  readonly delisted: Set<string>;
  readonly #unansweredIds = new FailuresInARow();

  constructor(request: NightReadingRequest, archive: Archive, comparison: Comparison) {
    this.#request = request;
    this.#archive = archive;
    this.#comparison = comparison;
    this.delisted = new Set(request.delisted);
  }

  /** Reads the days of the plan, those whose pending settlements have changed, and those that they lead to. */
  async read(plan: readonly PlannedDay[]): Promise<void> {
    await this.#readDays(plan);
    await this.#readDays(await this.#daysOfChangedPendings());
    await this.#followUp();
  }

  /**
   * Verifies the files of older days that were not read, and lists their headers. Reads the days that
   * differ or are damaged. A day that is empty now as a whole stays as it is, unless its settlements have moved.
   */
  async sweep(days: readonly string[]): Promise<void> {
    const { source, filters } = this.#request;
    const stored = new Map<string, SourceHeaders>();
    for (const day of days.filter((one) => !this.results.has(one))) {
      const headers = (await this.#archive.verifyFiles(day)) && (await this.#archive.headers(day));
      if (headers && !this.delisted.has(day)) stored.set(day, headers);
    }
    const lists: HeaderList[] = [];
    for (const range of rangesToList([...stored.keys()])) {
      lists.push(await source.headers({ range, filters }));
    }
    const { changed, empty } = diffHeaders(stored, lists);
    for (const day of empty) {
      const some = stored.get(day)?.settlements.slice(0, mostAsked) ?? [];
      const now = await Promise.all(some.map(({ id }) => this.#ask(id)));
      if (now.flat().some((one) => one && one.date !== day)) changed.push(day);
      // If the service did not answer, the next sweep asks again.
      else if (!now.includes(undefined)) this.delisted.add(day);
    }
    await this.#readDays(changed.map((day) => ({ day, reason: 'changed' })));
    await this.#followUp();
  }

  changes(): Promise<Changes> {
    return this.#comparison.changes(this.#whereabouts, this.#mayRead);
  }

  async #followUp(): Promise<void> {
    for (;;) {
      // Judging the days reads their files, and so finds damage.
      await this.#comparison.statuses();
      const { sharing, toAsk } = await this.changes();
      const damaged = this.#archive.daysIn('damaged').filter(this.#mayRead);
      const moved = [...sharing, ...(await this.#findWhereabouts(toAsk))];
      if (damaged.length + moved.length === 0) return;
      await this.#readDays([
        ...damaged.map((day) => ({ day, reason: 'damaged' as const })),
        ...moved.map((day) => ({ day, reason: 'moved' as const })),
      ]);
    }
  }

  /** Asks for settlements that left their day. Returns the days where the service has them now. */
  async #findWhereabouts(ids: readonly string[]): Promise<readonly string[]> {
    const days: string[] = [];
    const asked = mapOrdered(ids, this.#request.ahead, async (id) => {
      const now = await this.#ask(id);
      return { id, place: now ? (now[0]?.date ?? 'gone') : 'unknown' };
    });
    for await (const { id, place } of asked) {
      this.#whereabouts.set(id, place);
      if (this.#isInRange(place)) days.push(place);
    }
    return days;
  }

  /** Reads these days. Throws the first failure if the service is down. */
  async #readDays(plan: readonly PlannedDay[]): Promise<void> {
    const isRecent = ({ reason }: PlannedDay) => reason === 'recent';
    // Recent days go last: they are in place already, and the time limit may end the run.
    const ordered = [...plan].sort(
      (one, other) => Number(isRecent(one)) - Number(isRecent(other)) || byText(one.day, other.day),
    );
    const reasons = new Map(ordered.map(({ day, reason }) => [day, reason]));
    const days = [...reasons.keys()];
    if (days.length === 0) return;
    if (days.some((day) => this.#archive.damageFound.has(day))) await this.#request.saveDamage();
    const failed: ExportedDay[] = [];
    const unanswered = new FailuresInARow();
    let isAnyRead = this.results.size > 0;
    const record = async (exported: ExportedDay) => {
      const { day, state, isDelisted } = exported;
      // Also if nobody had noticed before.
      if (state === 'repaired') this.#archive.noteDamage(day);
      if (isDelisted) this.delisted.add(day);
      else if (state !== 'incomplete') this.delisted.delete(day);
      await this.#archive.refresh([day]);
      this.results.set(day, { day, reason: reasons.get(day) ?? 'new', exported });
    };
    for await (const exported of exportDays(days, { ...this.#request, isNight: true })) {
      if (exported.unlisted) {
        failed.push(exported);
        if (exported.unlisted.failure === 'network') unanswered.add(true);
        if (unanswered.areTooMany) break;
        continue;
      }
      unanswered.add(false);
      // The service is up, so failures before this day are those days' own.
      isAnyRead = true;
      for (const one of [...failed.splice(0), exported]) await record(one);
    }
    const [first] = failed;
    if (first?.unlisted && (unanswered.areTooMany || !isAnyRead)) throw first.unlisted;
    for (const one of failed) await record(one);
  }

  /** The days whose pending settlements have changed, or may have: if there is no answer, the day is read. */
  async #daysOfChangedPendings() {
    const pending = await this.#archive.pendingSettlements(this.#mayRead);
    const days: string[] = [];
    const asked = mapOrdered(pending, this.#request.ahead, async ({ day, settlement }) => {
      const now = (await this.#ask(settlement.id)) ?? [];
      return now.some((one) => headerLine(one) === headerLine(settlement)) ? undefined : day;
    });
    for await (const day of asked) if (day !== undefined) days.push(day);
    return days.map((day) => ({ day, reason: 'pending' as const }));
  }

  /** None if the service does not know it; undefined if unread, or not asked after many failures in a row. */
  async #ask(id: string): Promise<readonly Settlement[] | undefined> {
    if (this.#unansweredIds.areTooMany) return undefined;
    try {
      const { settlements, unreadable } = await this.#request.source.header(id);
      this.#unansweredIds.add(false);
      return unreadable.length > 0 ? undefined : settlements;
    } catch (error) {
      if (!concernsOneSettlement(error)) throw error;
      this.#unansweredIds.add(true);
      return undefined;
    }
  }

  #isInRange(day: string): boolean {
    return isDayIn(this.#request.range, day);
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
): Promise<ReadonlyMap<string, Entry<'above_agreed_rate'>>> {
  const found = new Map<string, Entry<'above_agreed_rate'>>();
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
    for (const entry of aboveAgreed(checked?.fees.differences ?? [])) found.set(day, entry);
  }
  return found;
}
