import { ReconError } from '../base/errors.ts';
import { byText } from '../base/texts.ts';
import type { WhenReported } from '../reconcile/when-reported.ts';
import type { ExportedDay } from '../report/export/report.ts';
import { lostText } from '../report/nightly/words.ts';
import { Archive } from './archive.ts';
import { type BankOfNight, bankTold, findOnBank } from './bank.ts';
import { Comparison } from './comparison.ts';
import { type Findings, type LostSettlement, newsOf } from './news.ts';
import { planNight, reachedAfter } from './plan.ts';
import { type NightDay, NightReading, type NightReadingRequest } from './reading.ts';
import { type NightState, noState, readState, writeState } from './state.ts';
import { type NightSummary, summarise } from './summary.ts';

/** How a night reads and judges. */
export interface NightRequest extends Omit<NightReadingRequest, 'reach'> {
  /** The folder of the days. */
  readonly path: string;
  /** The last day that is over, YYYY-MM-DD. */
  readonly yesterday: string;
  /** The first day that is wanted, YYYY-MM-DD; needed only where no day is in place. */
  readonly since: string | undefined;
  /** How many of the last days are read again. */
  readonly restatedDays: number;
  readonly whenReported: WhenReported;
  /** The bank statements that the days in place are matched with; absent where none are kept. */
  readonly bank: BankOfNight | undefined;
}

/** A night that is over and not yet told. */
export interface Night {
  readonly summary: NightSummary;
  /** Why it ended early, if it did. */
  readonly failure: ReconError | undefined;
  /** Writes down that it was told. Throws ReconError `output`. */
  readonly told: () => Promise<void>;
}

/**
 * Reads all that is due in the folder of an export, which this process holds, and finds out what is new
 * since it was told last. A failure of the reading is part of the night: what was read stands. Before
 * anything is read, ReconError `configuration` is thrown where the first day isn't known.
 */
export async function readNight(request: NightRequest): Promise<Night> {
  const { path, folder, yesterday, whenReported, bank } = request;
  const archive = await Archive.of(path, folder.days);
  const { state, since, reach, plan } = await dueDays(request, archive);
  const comparison = new Comparison(archive, state, reach, whenReported);
  const reading = new NightReading({ ...request, reach }, archive, comparison);
  let failure: ReconError | undefined;
  try {
    await reading.read(plan);
  } catch (error) {
    if (!(error instanceof ReconError)) throw error;
    failure = error;
  }

  const stands = await comparison.stands();
  // Where the night ended before a settlement's other day was read, the next one has to see it again.
  const open = new Set(failure ? (await reading.sharing()).keys() : []);
  const { lost, ...changes } = await comparison.changes(reading.elsewhere, open);
  const isStanding = new Set(stands.map(({ stand }) => stand.id));
  const noLonger = state.stands.filter(({ id }) => !isStanding.has(id));
  const places = await archive.placesOf(new Set(noLonger.map(({ id }) => id)));
  const found: Findings = {
    ...{ stands, ...changes, ...daysRead(reading.days, lost, archive, state) },
    places: new Map([...places].map(([id, [day = '']]) => [id, day])),
    bank: bank && (await findOnBank(archive, state, bank, whenReported.accepted)),
    failure: failure?.message,
  };
  const news = newsOf(state, found, request.scope);
  const next: NightState = {
    ...state,
    tellings: state.tellings + (news.length > 0 ? 1 : 0),
    since: since ?? null,
    reached: reachedAfter(state.reached, yesterday, failure !== undefined),
    days: Object.fromEntries(
      [...new Set([...Object.keys(state.days), ...archive.days.keys()])].flatMap((day) => {
        const { manifest } = archive.days.get(day) ?? {};
        // What could not be followed up, or is damaged, is told when it has been read again.
        const isOpen = lost.has(day) || open.has(day);
        const content = manifest && !isOpen ? manifest.contentSha256 : state.days[day];
        // What a wrong clock has published of days to come says nothing of them.
        return content === undefined || day > yesterday ? [] : [[day, content]];
      }),
    ),
    stands: [
      ...stands.map(({ stand }) => ({ ...stand })),
      ...noLonger.filter(({ id, day }) => (lost.has(day) || open.has(day)) && !places.has(id)),
    ],
    bank: found.bank ? bankTold(found.bank) : state.bank,
    unread: Object.fromEntries(found.unread),
    incomplete: archive.daysThatAre('incomplete'),
    failure: found.failure ?? null,
    judged: comparison.judged,
  };
  return {
    summary: summarise({ path, reach, archive, state, found, news, read: reading.days }),
    failure,
    told: () => writeState(path, next),
  };
}

/**
 * The days that are due in a folder, what was told of it, the first day that anybody has asked for, and
 * the days that belong there. ReconError `configuration` where the first day isn't known.
 */
export async function dueDays(
  {
    path,
    since,
    yesterday,
    restatedDays,
  }: Pick<NightRequest, 'path' | 'since' | 'yesterday' | 'restatedDays'>,
  archive: Archive,
) {
  const state = (await readState(path)) ?? noState;
  const [first] = [since ?? [], state.since ?? []].flat().sort(byText);
  if (first === undefined && archive.days.size === 0) {
    throw new ReconError(
      'configuration',
      'The folder has no days yet, so the first day is unknown.',
      {
        where: path,
        hint: 'Add --since with the first day to read, for example --since 2026-01-01.',
      },
    );
  }
  const plan = planNight({
    ...{ since: first, yesterday, restatedDays },
    days: new Map([...archive.days.keys()].map((day) => [day, archive.stateOf(day)])),
    reached: state.reached ?? undefined,
    unread: new Set(Object.keys(state.unread)),
  });
  const [from = yesterday] = [...(first === undefined ? [] : [first]), ...archive.days.keys()].sort(
    byText,
  );
  return { state, since: first, reach: { from, to: yesterday }, plan };
}

/**
 * Which days could not be read, and which were at last. Where the service lists a settlement neither
 * on its old day nor on the one that it names now, the old one isn't read whole.
 */
function daysRead(
  read: ReadonlyMap<string, NightDay>,
  lost: ReadonlyMap<string, readonly LostSettlement[]>,
  archive: Archive,
  { unread: before, incomplete }: NightState,
): Pick<Findings, 'unread' | 'readAtLast'> {
  const unread = new Map(Object.entries(before).filter(([day]) => !read.has(day)));
  for (const [day, { exported }] of read) {
    // Somebody has decided that what could be read of it is enough for now.
    const isAccepted = archive.days.has(day) && archive.stateOf(day) === 'incomplete';
    if (exported.state === 'incomplete' && !isAccepted) unread.set(day, whyUnread(exported));
  }
  for (const [day, settlements] of lost) {
    const ids = settlements.flatMap(({ id, to }) => (to === 'missing' || unread.has(to) ? [] : id));
    if (ids.length > 0 && !unread.has(day)) unread.set(day, lostText(ids.sort(byText)));
  }
  const waited = [...new Set([...Object.keys(before), ...incomplete])].sort(byText);
  const isRead = (day: string) =>
    read.has(day) && ['whole', 'pending_unread'].includes(archive.stateOf(day));
  return { unread, readAtLast: waited.filter((day) => !unread.has(day) && isRead(day)) };
}

/** Why a day could not be read: the same text for the same reason. */
function whyUnread({ problems }: ExportedDay): string {
  const obstacles = problems.filter(({ obstacle }) => obstacle !== undefined);
  const texts = (obstacles.length > 0 ? obstacles : problems).map(({ text }) => text);
  return texts.join('; ');
}
