import { countSettlements, type ExportedDay, obstacleOf } from '../app/export-result.ts';
import { checkFees, type FeesAgreed } from '../app/fees-report.ts';
import type { News, NightDay, ProfileNight } from '../app/night-result.ts';
import { addDays, daysOf, spanOf } from '../base/calendar.ts';
import { faultOf, ReconError } from '../base/errors.ts';
import { groupedBy } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import type { ExportRequest } from '../export/export-days.ts';
import { ExportSource } from '../export/export-source.ts';
import { reconcileSettings } from '../export/manifest.ts';
import type { CloseRecord } from '../model/close.ts';
import { absoluteSums } from '../money/money.ts';
import { aboveAgreed } from '../reconcile/agreed/check-fees.ts';
import type { AgeingAndAccepted } from '../reconcile/as-reported.ts';
import type { Entry } from '../reconcile/entry.ts';
import type { Verdict } from '../reconcile/verdict.ts';
import { Archive } from './archive.ts';
import { type BankOfNight, findOnBank } from './bank.ts';
import { type Changes, Comparison } from './comparison.ts';
import { explainDays } from './explanations.ts';
import { daysOfPatterns, daysToExplain, type NightFindings, newsOf } from './news.ts';
import { loadAndPlan } from './plan.ts';
import { NightReading } from './reading.ts';
import { isSameReason, type NightState, reasonOf, shortDigest, writeState } from './state.ts';

type DueRequest = Parameters<typeof loadAndPlan>[0];

interface NightRequest extends DueRequest, ExportRequest {
  readonly lastRunFailed: boolean;
  readonly ageingAndAccepted: AgeingAndAccepted;
  /** Absent if there are no bank statements to match the days in place with. */
  readonly bank: BankOfNight | undefined;
  readonly fees: FeesOfNight | undefined;
  readonly closes: readonly CloseRecord[];
}

type LoadedPlan = Awaited<ReturnType<typeof loadAndPlan>>;

/**
 * Reads all that is due in the folder of an export, which this process holds, and finds what is new
 * since the last report. A failure of the reading is part of the night: the days that were read count. Throws
 * ReconError `configuration`, before anything is read, if the first day is not known.
 */
export async function readNight(request: NightRequest) {
  const { path, folder, ageingAndAccepted, fees, names, scope } = request;
  const archive = await Archive.of(path, folder.days);
  const loaded = await loadAndPlan(request, archive);
  const { before, stateKeptAs, range } = loaded;
  const comparison = new Comparison({ ...ageingAndAccepted, archive, before, range, names });
  // A repair leaves no trace, so the damage is saved before it.
  const saveDamage = async () => {
    const damaged = Object.fromEntries(archive.damageFound);
    // A state that cannot be read must not be overwritten before it is kept aside.
    if (stateKeptAs === undefined) await writeState(path, { ...before, damaged });
  };
  const delisted = new Set(before.delisted);
  const own = { archive, comparison, range, delisted, saveDamage };
  const reading = new NightReading({ ...request, ...own });
  const ended = await readPlanned(reading, loaded, archive, fees);
  const { results } = reading;
  const compared = { ...(await comparison.statuses()), ...(await reading.changes()) };
  const explanations = await explainDays(archive, daysToExplain(before, compared.statuses));
  const read = { ...ended, ...compared, ...explanations, results, delisted };
  const found = await findingsOf(read, before, archive, request);
  const news = newsOf(before, found, scope);
  const next = stateAfter(loaded, found, archive, news);
  return {
    summary: { folder: path, names, ...summarise(loaded, archive, found, news, results) },
    failure: ended.failure,
    /** Saves that it was reported. Throws ReconError `output`. */
    markReported: () => writeState(path, next, stateKeptAs),
  };
}

/** Reads what is planned. Returns how far that went, and the failure that ended it, if any. */
async function readPlanned(
  reading: NightReading,
  { before, range, plan, sweep }: LoadedPlan,
  archive: Archive,
  fees: FeesOfNight | undefined,
) {
  let failure: ReconError | undefined;
  let readUpTo = readUpToAfterFailure(before.readUpTo, range.to);
  let { lastSwept } = before;
  let overcharged: NightFindings['overcharged'] = new Map();
  try {
    await reading.read(plan);
    readUpTo = range.to;
    await reading.sweep(sweep);
    lastSwept = sweep.at(-1) ?? lastSwept;
    if (fees) overcharged = await findOvercharges(archive, before, fees);
  } catch (error) {
    if (!(error instanceof ReconError)) throw error;
    failure = error;
  }
  return { failure, readUpTo, lastSwept, overcharged };
}

interface NightRead
  extends Changes,
    Awaited<ReturnType<typeof readPlanned>>,
    Awaited<ReturnType<Comparison['statuses']>>,
    Awaited<ReturnType<typeof explainDays>>,
    Pick<NightReading, 'results'> {
  readonly delisted: ReadonlySet<string>;
}

async function findingsOf(
  read: NightRead,
  before: NightState,
  archive: Archive,
  { ageingAndAccepted, bank, lastRunFailed, closes, names }: NightRequest,
) {
  const { results, failure } = read;
  const unread = unreadDays(results, read.lost, archive, before);
  const isNowRead = (day: string) =>
    results.has(day) &&
    !unread.has(day) &&
    ['whole', 'pending_unread'].includes(archive.conditionOf(day));
  const waited = new Set([...Object.keys(before.unread), ...before.incomplete]);
  const damage = [...archive.damageFound];
  return {
    ...read,
    unread,
    nowRead: [...waited].filter(isNowRead),
    repaired: new Map(damage.filter(([day]) => isIntact(day, archive, unread))),
    lastRunFailed,
    names,
    closes,
    bank: bank && (await findOnBank(archive, before, bank, ageingAndAccepted.accepted)),
    failure: failure && { reason: reasonOf(failure), message: failure.message },
  } satisfies NightFindings;
}

function isIntact(day: string, archive: Archive, unread: NightFindings['unread']): boolean {
  return archive.conditionOf(day) !== 'damaged' && !unread.has(day);
}

/** The state once all this is reported. */
function stateAfter(
  { before, since, range }: LoadedPlan,
  found: Awaited<ReturnType<typeof findingsOf>>,
  archive: Archive,
  news: readonly News[],
): NightState {
  const { unread, overcharged, delisted } = found;
  const damaged = [...archive.damageFound].filter(([day]) => !isIntact(day, archive, unread));
  return {
    schema: before.schema,
    nightsWithNews: before.nightsWithNews + (news.length > 0 ? 1 : 0),
    since: since ?? null,
    readUpTo: found.readUpTo,
    days: digestsReported(archive, before, found, range.to),
    reportedStatuses: statusesReported(before, found),
    bank: found.bank?.next ?? before.bank,
    overcharged: {
      ...before.overcharged,
      ...Object.fromEntries([...overcharged].map(([day, { mark }]) => [day, mark])),
    },
    patterns: { ...before.patterns, ...daysOfPatterns(found.patterns) },
    fingerprints: Object.fromEntries(
      [...archive.days].map(([day, { fingerprint }]) => [day, fingerprint]),
    ),
    damaged: Object.fromEntries(damaged),
    lastSwept: found.lastSwept,
    delisted: [...delisted].filter((day) => archive.days.has(day)),
    unread: Object.fromEntries([...unread].map(([day, { reason }]) => [day, reason])),
    incomplete: archive.daysIn('incomplete'),
    failure: found.failure?.reason ?? null,
    unbalancedByDay: found.unbalancedByDay,
  };
}

function summarise(
  { before, stateKeptAs, range }: LoadedPlan,
  archive: Archive,
  found: NightFindings,
  news: readonly News[],
  results: ReadonlyMap<string, NightDay>,
) {
  const { statuses, unread } = found;
  const alarming = statuses.filter(({ status }) => status.alarm !== 'none');
  const newIds = new Set(news.map(({ settlement }) => settlement?.id));
  const known = alarming.filter(({ status }) => !newIds.has(status.id));
  const pending = statuses.filter(({ status }) => status.verdict === 'pending');
  const unbalanced = statuses.filter(({ status }) => status.verdict === 'out_of_balance');
  const newest = [...archive.days.keys()].sort(byText).at(-1) ?? '';
  const wanted = [...daysOf(range)];
  const lacking = wanted.filter((day) => !archive.days.has(day));
  const withoutGap = lacking[0] ? wanted.slice(0, wanted.indexOf(lacking[0])) : wanted;
  const knownUnread = [...unread]
    .flatMap(([day, { reason }]) => (isSameReason(before.unread[day], reason) ? [day] : []))
    .sort(byText);
  const days = [...results.values()].sort((one, other) => byText(one.day, other.day));
  const exported = days.map((one) => one.exported);
  return {
    verdict: verdictOf(found, alarming.length, pending.length),
    days,
    publishedTo: withoutGap.at(-1),
    // A day that is not over may have been exported by hand.
    aheadTo: newest > addDays(range.to, 1) ? newest : undefined,
    lagDays: lacking.length,
    news,
    known: {
      settlements: known.length,
      absolute: absoluteSums(known.flatMap(({ settlement }) => settlement.difference ?? [])),
      from: undefined,
      to: undefined,
      ...spanOf(known.map(({ status }) => status.day)),
    },
    pending: pending.length,
    pendingUnread: pending.flatMap(({ status, isRead }) => (isRead ? [] : status)),
    overdue: pending.filter(({ status }) => status.isOverdue).length,
    accepted: unbalanced.length - alarming.length,
    knownUnread,
    publishable: knownUnread.find((day) => !archive.days.has(day)),
    incompleteDays: archive.daysIn('incomplete'),
    stateKeptAs,
    bank: found.bank?.onBank,
    settlements: countSettlements(exported),
    /** Settlements of all days that are pending because the document does not name their status. */
    unknownStatuses: pending.filter(({ hasUnknownStatus }) => hasUnknownStatus).length,
    /** Settlements of the days that were read with decimal places that their currency does not have. */
    unusualScales: exported.reduce((sum, { unusualScales }) => sum + unusualScales, 0),
  };
}

function verdictOf(
  { unread, failure, bank }: NightFindings,
  alarming: number,
  pending: number,
): Verdict {
  const isRead = unread.size === 0 && bank?.onBank.isRead !== false;
  if (!isRead || failure !== undefined) return 'incomplete';
  if (alarming > 0) return 'out_of_balance';
  return pending > 0 ? 'pending' : 'balanced';
}

/** For damaged and postponed days, the reported digests stay. */
function digestsReported(
  archive: Archive,
  before: NightState,
  { postponed }: Pick<Changes, 'postponed'>,
  lastDay: string,
): NightState['days'] {
  const now = [...archive.days].flatMap(([day, { manifest }]) =>
    manifest && !postponed.has(day) ? [[day, manifest.contentSha256] as const] : [],
  );
  const all = Object.entries({ ...before.days, ...Object.fromEntries(now) });
  // A wrong clock may have published days to come.
  return Object.fromEntries(all.filter(([day]) => day <= lastDay));
}

function statusesReported(
  before: NightState,
  { statuses, places, postponed }: NightFindings & Pick<Changes, 'postponed'>,
): NightState['reportedStatuses'] {
  const now = statuses.map(({ status }) => status);
  const ids = new Set(now.map(({ id }) => id));
  const reportedLater = before.reportedStatuses.filter(
    ({ id, day }) => postponed.has(day) && !ids.has(id) && !places.has(id),
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
    // Not shown: it was reported with this reason.
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
  const obstacles = problems.filter((one) => obstacleOf(one) !== undefined);
  const facts = obstacles.flatMap((one) => obstacleOf(one)?.facts ?? []);
  return {
    reason: unlisted ? ['unlisted', ...reasonOf(unlisted)] : ['unread', ...facts],
    detail: { about: 'problems', problems: obstacles.length > 0 ? obstacles : problems },
  };
}

/**
 * The day up to which all days are known to be read after a night that failed: as before,
 * but at most yesterday, in case the clock was ahead then. Null if that is not known.
 */
export function readUpToAfterFailure(before: string | null, yesterday: string): string | null {
  return before === null || before < yesterday ? before : yesterday;
}

/** The rates of a profile, and the number of days in which its rows are settled. */
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

/**
 * A night that could not begin, on a day YYYY-MM-DD. No state can be written, so it is news each day;
 * but if another run holds the folder, that run reports what is new.
 */
export function nightNotBegun(
  error: ReconError,
  of: Pick<ProfileNight, 'profile' | 'folder' | 'exitCode'>,
  today: string,
): ProfileNight {
  const { message, failure } = error;
  const failed: News = {
    id: shortDigest(JSON.stringify([of.profile, message, today])),
    kind: 'failed',
    also: [],
    day: undefined,
    settlement: undefined,
    details: [{ about: 'text', text: message }],
  };
  return {
    ...of,
    names: new Map(),
    verdict: 'incomplete',
    days: [],
    publishedTo: undefined,
    lagDays: undefined,
    news: failure === 'locked' ? [] : [failed],
    known: { settlements: 0, absolute: [], from: undefined, to: undefined },
    pending: 0,
    pendingUnread: [],
    overdue: 0,
    accepted: 0,
    knownUnread: [],
    publishable: undefined,
    incompleteDays: [],
    failure: faultOf(error),
  };
}
