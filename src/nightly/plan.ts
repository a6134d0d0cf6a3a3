import { join } from 'node:path';
import type { NightPreview } from '../app/night-result.ts';
import { requestsForRows, timeFor } from '../app/plan-run.ts';
import { contentsOf } from '../app/read-settlements.ts';
import { addDays, daysBetween, daysOf, spanOf } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { mapOrdered } from '../base/ordered.ts';
import { byText } from '../base/texts.ts';
import { currentVersion, reusableVersion } from '../export/check-day.ts';
import { readDaysAndIntents } from '../export/listing.ts';
import { headerLine, type SourceHeaders } from '../export/source-line.ts';
import type { DayReason, PlannedDay } from '../model/night.ts';
import { announcedRows } from '../model/settlement.ts';
import {
  type DateRange,
  type HeaderList,
  type PagedSource,
  pageSizes,
  type SettlementFilters,
  type Source,
} from '../model/source.ts';
import { Archive } from './archive.ts';
import { type Reason, readState } from './state.ts';

interface DueRequest {
  readonly path: string;
  readonly yesterday: string;
  /** The first day, YYYY-MM-DD. Needed only if no day is in place. */
  readonly since: string | undefined;
  readonly restatedDays: number;
  /** Within how many days each older day is swept. 0: never. */
  readonly sweptDays: number;
}

/**
 * Reads the state, verifies the files of days that look different, and plans which days to read and
 * to sweep. `since`: the first day that was ever asked for. `range`: the days that belong in the folder.
 * Throws ReconError `configuration` if the first day is not known.
 */
export async function loadAndPlan(request: DueRequest, archive: Archive) {
  const { path, since, yesterday, sweptDays } = request;
  const { state: saved, stateKeptAs } = await readState(path);
  const [first] = [since ?? [], saved.since ?? []].flat().sort(byText);
  if (first === undefined && archive.days.size === 0) {
    const message = 'The folder has no days yet, so the first day is unknown.';
    const hint = 'Add --since with the first day to read, for example --since 2026-01-01.';
    throw new ReconError('configuration', message, { where: path, hint });
  }
  await archive.verifyChangedFiles(saved);
  // A delisted day that is whole again was restored by hand: it is no longer unread.
  const isStillUnread = ([day]: readonly [string, Reason]) =>
    !saved.delisted.includes(day) || archive.conditionOf(day) !== 'whole';
  const unread = Object.fromEntries(Object.entries(saved.unread).filter(isStillUnread));
  const before = { ...saved, unread };
  const days = [...archive.days.keys()];
  const [from = yesterday] = [first ?? [], ...days].flat().sort(byText);
  if (daysBetween(from, yesterday) - days.length > mostDays) {
    const message = `More than 10,000 days are due, from ${from} to ${yesterday}.`;
    const hint = `By the clock of this machine, it is ${addDays(yesterday, 1)}. Correct the clock, or --since.`;
    throw new ReconError('configuration', message, { where: path, hint });
  }
  const plan = planNight({
    ...request,
    since: first,
    days: new Map(days.map((day) => [day, archive.conditionOf(day)])),
    readUpTo: before.readUpTo ?? undefined,
    unread: new Set(Object.keys(unread)),
  });
  const isPlanned = new Set(plan.map(({ day }) => day));
  const older = days.filter((day) => day <= yesterday && !isPlanned.has(day));
  const nights = Math.max(1, daysBetween(before.readUpTo ?? yesterday, yesterday));
  const sweep = daysToSweep(older, before.lastSwept, sweptDays, nights);
  return { before, stateKeptAs, since: first, range: { from, to: yesterday }, plan, sweep };
}

/** About 27 years: more are due only by a wrong clock or a mistyped first day. */
const mostDays = 10_000;

/** What decides which days a night reads. Days are YYYY-MM-DD. */
interface PlanInput extends Pick<DueRequest, 'since' | 'yesterday' | 'restatedDays'> {
  readonly days: ReadonlyMap<string, ReturnType<Archive['conditionOf']>>;
  /** The day up to which the last night has read. Absent if it is not known. */
  readonly readUpTo: string | undefined;
  readonly unread: ReadonlySet<string>;
}

/**
 * The days that a night reads, in order, each with the reason: all past days that are not in place, all
 * that were not fully read, and the last ones again. These count back from where the last night ended:
 * so a day is read again until it is `restatedDays` old, even if nights were missed. Days after
 * yesterday are never read, even if a wrong clock had them published.
 */
export function planNight(input: PlanInput): readonly PlannedDay[] {
  const { days, since, yesterday, unread, restatedDays } = input;
  const past = [...days.keys()].filter((day) => day <= yesterday).sort();
  const [first] = [...past, since ?? []].flat().sort();
  if (first === undefined) return [];
  const last = past.at(-1) ?? '';
  const { readUpTo = last } = input;
  const reasonFor = (day: string): DayReason | undefined => {
    const condition = days.get(day);
    if (unread.has(day)) return 'unread';
    if (condition === undefined) return day < last ? 'missing' : 'new';
    // The other conditions are reasons of the same name.
    if (condition !== 'whole') return condition;
    const end = readUpTo < yesterday ? readUpTo : yesterday;
    return day > addDays(end, -restatedDays) ? 'recent' : undefined;
  };
  return [...daysOf({ from: first, to: yesterday })].flatMap((day) => {
    const reason = reasonFor(day);
    return reason === undefined ? [] : [{ day, reason }];
  });
}

/**
 * The older days that a night sweeps: the next ones after the last swept, so many that each has its
 * turn within `sweptDays` (0: never), and more after missed nights.
 * @param days those in place that the night does not read anyway, in order
 * @param lastSwept a cursor: the last day that had its turn
 * @param nights days since the last night, at least 1
 */
export function daysToSweep(
  days: readonly string[],
  lastSwept: string | null,
  sweptDays: number,
  nights: number,
): readonly string[] {
  if (sweptDays === 0) return [];
  // One more, for the day that each night adds.
  const count = nights * (Math.ceil(days.length / sweptDays) + 1);
  if (count >= days.length) return days;
  const next = days.filter((day) => day > (lastSwept ?? ''));
  return [...next, ...days].slice(0, count);
}

/** The ranges to list for days that are swept: one, or two if they wrap around to the oldest day. */
function rangesToList(days: readonly string[]): readonly DateRange[] {
  const wrap = days.findIndex((day, index) => day < (days[index - 1] ?? ''));
  const parts = wrap === -1 ? [days] : [days.slice(0, wrap), days.slice(wrap)];
  return parts.flatMap((part) => spanOf(part) ?? []);
}

/** Lists days again. `empty`: the days that list nothing now. `changed`: the others that differ. */
export async function compareHeaders(
  stored: ReadonlyMap<string, SourceHeaders>,
  { source, filters }: { readonly source: Source; readonly filters: SettlementFilters },
) {
  const lists: HeaderList[] = [];
  for (const range of rangesToList([...stored.keys()])) {
    lists.push(await source.headers({ range, filters }));
  }
  const isSure = lists.every(({ unsteady, unreadable }) => !unsteady && unreadable.length === 0);
  const settlements = lists.flatMap((list) => list.settlements);
  const now = textsOf({ settlements, conflicts: lists.flatMap(({ conflicts }) => conflicts) });
  const known = new Set([...stored.values()].flatMap((one) => one.settlements.map(({ id }) => id)));
  const arrived = new Set(settlements.flatMap(({ id, date }) => (known.has(id) ? [] : date)));
  const changed: string[] = [];
  const empty: string[] = [];
  for (const [day, headers] of stored) {
    const texts = [...textsOf(headers)];
    const isSame = texts.every(([id, text]) => now.get(id) === text);
    if (isSame && !arrived.has(day)) continue;
    const isEmpty = isSure && !arrived.has(day) && !texts.some(([id]) => now.has(id));
    (isEmpty ? empty : changed).push(day);
  }
  return { changed, empty };
}

/** The lines of a list, by the ids of settlements. */
function textsOf(list: Pick<SourceHeaders, 'settlements' | 'conflicts'>) {
  return new Map(contentsOf(list).map((all) => [all[0]?.id ?? '', all.map(headerLine).join()]));
}

interface PreviewRequest extends DueRequest {
  readonly ahead: number;
  readonly source: PagedSource;
  readonly filters: SettlementFilters;
}

/** What a night would read, and the requests and time for that. Does not change the folder. Throws ReconError. */
export async function previewNight(request: PreviewRequest): Promise<NightPreview> {
  const { path, source, filters, ahead, yesterday } = request;
  const { days } = await readDaysAndIntents(path);
  const archive = await Archive.of(path, new Map(days.map((day) => [day, join(path, day)])));
  const { plan, sweep, before } = await loadAndPlan(request, archive);
  const isPlanned = new Set(plan.map(({ day }) => day));
  const waiting = await archive.pendingSettlements(
    (day) => day <= yesterday && !isPlanned.has(day),
  );
  const listing = mapOrdered(plan, ahead, async ({ day, reason }) => {
    const headers = await source.headers({ range: { from: day, to: day }, filters });
    const previous = await currentVersion(archive.days.get(day)?.folder, day);
    const isKnown = reusableVersion(previous, headers) !== undefined;
    return { day, reason, settlements: headers.settlements, isKnown };
  });
  const lists = [];
  for await (const list of listing) lists.push(list);
  const tempo = source.tempo();
  const perList = plan.length === 0 ? 0 : Math.ceil(tempo.pages / plan.length);
  const readDays = lists.map(({ day, reason, settlements, isKnown }) => {
    const { rows, proofs } = requestsForRows(isKnown ? [] : settlements, tempo);
    const [count, transactions] = [settlements.length, announcedRows(settlements)];
    return { day, reason, settlements: count, transactions, requests: perList + rows + proofs };
  });
  const forWaiting = waiting.length * perList;
  const listed = sweep.filter((day) => !before.delisted.includes(day));
  const headers = listed
    .flatMap((day) => Object.values(archive.days.get(day)?.manifest?.counts.settlements ?? {}))
    .reduce((sum, count) => sum + count, 0);
  // Two walks, each of which ends at an empty page.
  const swept = rangesToList(listed);
  const forSweep = 2 * (Math.ceil(headers / pageSizes.headers) + swept.length);
  const requests = readDays.reduce((sum, one) => sum + one.requests, forWaiting + forSweep);
  return {
    folder: path,
    days: readDays,
    swept,
    waiting: waiting.length,
    requests,
    ms: timeFor(requests, tempo),
  };
}
