import { countSettlements, type ExportedDay } from '../app/export-result.ts';
import { checkFees, type FeesAgreed } from '../app/fees-report.ts';
import type { News, NightDay, ProfileNight } from '../app/night-result.ts';
import { daysOf, spanOf } from '../base/calendar.ts';
import { faultOf, ReconError } from '../base/errors.ts';
import { groupedBy } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import type { ExportRequest } from '../export/export-days.ts';
import { ExportSource } from '../export/export-source.ts';
import { reconcileSettings } from '../export/manifest.ts';
import type { CloseRecord } from '../model/close.ts';
import { absoluteSums } from '../money/money.ts';
import { aboveAgreed } from '../reconcile/agreed/check-fees.ts';
import type { Entry } from '../reconcile/entry.ts';
import type { Verdict } from '../reconcile/verdict.ts';
import type { WhenReported } from '../reconcile/when-reported.ts';
import { Archive } from './archive.ts';
import { type BankOfNight, findOnBank } from './bank.ts';
import { type Changes, Comparison } from './comparison.ts';
import { type NightFindings, newsOf } from './news.ts';
import { loadAndPlan } from './plan.ts';
import { NightReading } from './reading.ts';
import { isSameReason, type NightState, reasonOf, shortDigest, writeState } from './state.ts';

type DueRequest = Parameters<typeof loadAndPlan>[0];

interface NightRequest extends DueRequest, ExportRequest {
  readonly lastRunFailed: boolean;
  readonly whenReported: WhenReported;
  /** Absent if there are no bank statements to match the days in place with. */
  readonly bank: BankOfNight | undefined;
  readonly fees: FeesOfNight | undefined;
  readonly closes: readonly CloseRecord[];
}

/**
 * Reads all that is due in the folder of an export, which this process holds, and finds what is new
 * since the last report. A failure of the reading is part of the night: the days that were read count. Throws
 * ReconError `configuration`, before anything is read, if the first day is not known.
 */
export async function readNight(request: NightRequest) {
  const { path, folder, yesterday, whenReported, bank, fees, names } = request;
  const archive = await Archive.of(path, folder.days);
  const loaded = await loadAndPlan(request, archive);
  const { before, stateKeptAs, since, range, plan, sweep } = loaded;
  const comparison = new Comparison({ ...whenReported, archive, before, range, names });
  // A repair leaves no trace, so the damage is saved before it.
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
  const isNowRead = (day: string) =>
    results.has(day) &&
    !unread.has(day) &&
    ['whole', 'pending_unread'].includes(archive.conditionOf(day));
  const waited = new Set([...Object.keys(before.unread), ...before.incomplete]);
  const found = {
    ...changes,
    statuses,
    unread,
    nowRead: [...waited].filter(isNowRead),
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
    unread: Object.fromEntries([...unread].map(([day, { reason }]) => [day, reason])),
    incomplete: archive.daysIn('incomplete'),
    failure: found.failure?.reason ?? null,
    judged: cache,
  };
  return {
    summary: { folder: path, names, ...summarise(loaded, archive, found, news, results) },
    failure,
    /** Saves that it was reported. Throws ReconError `output`. */
    markReported: () => writeState(path, next, stateKeptAs),
  };
}

function summarise(
  { before, stateKeptAs, range }: Awaited<ReturnType<typeof loadAndPlan>>,
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

/** For damaged and held days, the reported digests stay. */
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
  const obstacles = problems.filter(({ obstacle }) => obstacle !== undefined);
  const facts = obstacles.map(({ obstacle, obstacleFacts = obstacle ?? '' }) => obstacleFacts);
  const texts = (obstacles.length > 0 ? obstacles : problems).map(({ text }) => text);
  return {
    reason: unlisted ? ['unlisted', ...reasonOf(unlisted)] : ['unread', ...facts],
    detail: { about: 'text', text: texts.join('; ') },
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
    overdue: 0,
    accepted: 0,
    knownUnread: [],
    publishable: undefined,
    incompleteDays: [],
    failure: faultOf(error),
  };
}
