import { ReconError } from '../base/errors.ts';
import { groupedBy } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import type { WhenReported } from '../reconcile/when-reported.ts';
import type { ExportedDay } from '../report/export/report.ts';
import type { NightDay } from '../report/nightly/report.ts';
import { Archive } from './archive.ts';
import { type BankOfNight, findOnBank } from './bank.ts';
import { type Changes, Comparison } from './comparison.ts';
import { type NightFindings, newsOf, type ReadFailure } from './news.ts';
import { type DueRequest, loadAndPlan, readUpToAfterFailure } from './plan.ts';
import { NightReading, type NightReadingRequest } from './reading.ts';
import { type NightState, reasonOf, writeState } from './state.ts';
import { type NightSummary, summarise } from './summary.ts';

/** How a night reads and judges. */
interface NightRequest
  extends DueRequest,
    Omit<NightReadingRequest, 'range' | 'delisted' | 'saveDamage'> {
  /** Whether `status.json` says that the last run failed. */
  readonly lastRunFailed: boolean;
  readonly whenReported: WhenReported;
  /** The bank statements that the days in place are matched with; absent if none are kept. */
  readonly bank: BankOfNight | undefined;
}

/** A night that is over and not yet reported. */
export interface Night {
  readonly summary: NightSummary;
  /** Why it ended early, if it did. */
  readonly failure: ReconError | undefined;
  /** Saves that it was reported. Throws ReconError `output`. */
  readonly markReported: () => Promise<void>;
}

/**
 * Reads all that is due in the folder of an export, which this process holds, and finds what is new
 * since the last report. A failure of the reading is part of the night: what was read stands. Throws
 * ReconError `configuration`, before anything is read, if the first day is not known.
 */
export async function readNight(request: NightRequest): Promise<Night> {
  const { path, folder, yesterday, whenReported, bank, names } = request;
  const archive = await Archive.of(path, folder.days);
  const { before, stateAside, since, range, plan, sweep } = await loadAndPlan(request, archive);
  const comparison = new Comparison({ ...whenReported, archive, before, range, names });
  // Saved before the repair: afterwards nothing shows that a day was damaged.
  const saveDamage = async () => {
    const damaged = Object.fromEntries(archive.damageFound);
    // A state that cannot be read must not be overwritten before it is kept aside.
    if (stateAside === undefined) await writeState(path, { ...before, damaged });
  };
  const readingRequest = { ...request, range, delisted: before.delisted, saveDamage };
  const reading = new NightReading(readingRequest, archive, comparison);
  let failure: ReconError | undefined;
  let reached = readUpToAfterFailure(before.reached, yesterday);
  let swept = before.swept;
  try {
    await reading.read(plan);
    reached = yesterday;
    await reading.sweep(sweep);
    swept = sweep.at(-1) ?? swept;
  } catch (error) {
    if (!(error instanceof ReconError)) throw error;
    failure = error;
  }
  const { statuses, cache } = await comparison.statuses();
  const changes = await reading.changes();
  const days = daysRead(reading.results, changes.lost, archive, before);
  const isIntact = (day: string) => archive.conditionOf(day) !== 'damaged' && !days.unread.has(day);
  const found: NightFindings = {
    ...changes,
    ...days,
    statuses,
    delisted: reading.delisted,
    repaired: new Map([...archive.damageFound].filter(([day]) => isIntact(day))),
    lastRunFailed: request.lastRunFailed,
    bank: bank && (await findOnBank(archive, before, bank, whenReported.accepted)),
    failure: failure && { reason: reasonOf(failure), message: failure.message },
  };
  const news = newsOf(before, found, request.scope);
  const next: NightState = {
    ...nextState({ archive, before, found, changes, yesterday }),
    tellings: before.tellings + (news.length > 0 ? 1 : 0),
    since: since ?? null,
    reached,
    swept,
    damaged: Object.fromEntries([...archive.damageFound].filter(([day]) => !isIntact(day))),
    judged: cache,
  };
  const { results } = reading;
  return {
    summary: summarise({ path, names, range, archive, before, stateAside, found, news, results }),
    failure,
    markReported: () => writeState(path, next, stateAside),
  };
}

interface NextStateInput {
  readonly archive: Archive;
  readonly before: NightState;
  readonly found: NightFindings;
  readonly changes: Changes;
  readonly yesterday: string;
}

/** What is remembered of the findings once they are reported. */
function nextState({ archive, before, found, changes, yesterday }: NextStateInput): NightState {
  const { statuses, places, unread, failure, bank, delisted } = found;
  const { postponed } = changes;
  const current = new Set(statuses.map(({ status }) => status.id));
  const reportedLater = before.stands.filter(
    ({ id, day }) => !current.has(id) && postponed.has(day) && !places.has(id),
  );
  const days = new Set([...Object.keys(before.days), ...archive.days.keys()]);
  const digests = [...days].flatMap((day): readonly (readonly [string, string])[] => {
    // A wrong clock may have published days to come.
    if (day > yesterday) return [];
    const manifest = archive.days.get(day)?.manifest;
    // The changes of a damaged or postponed day are reported when it has been read again.
    const digest = manifest && !postponed.has(day) ? manifest.contentSha256 : before.days[day];
    return digest === undefined ? [] : [[day, digest]];
  });
  return {
    ...before,
    days: Object.fromEntries(digests),
    stands: [...statuses.map(({ status }) => ({ ...status })), ...reportedLater],
    bank: bank?.next ?? before.bank,
    looks: Object.fromEntries([...archive.days].map(([day, one]) => [day, one.fingerprint])),
    delisted: [...delisted].filter((day) => archive.days.has(day)),
    unread: Object.fromEntries([...unread].map(([day, { reason }]) => [day, [...reason]])),
    incomplete: archive.daysIn('incomplete'),
    failure: failure ? [...failure.reason] : null,
  };
}

/**
 * Which days could not be read, and which were at last. A day that has lost a settlement is not fully
 * read, unless the settlement's new day could not be read either.
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
