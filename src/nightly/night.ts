import { daysBetween } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { groupedBy } from '../base/keys.ts';
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
import { type NightState, readState, writeState } from './state.ts';
import { type NightSummary, summarise } from './summary.ts';
import { daysToSweep } from './sweep.ts';

/** How a night reads and judges. */
export interface NightRequest
  extends Omit<NightReadingRequest, 'reach' | 'delisted' | 'noteDamage'> {
  /** The folder of the days. */
  readonly path: string;
  /** The last day that is over, YYYY-MM-DD. */
  readonly yesterday: string;
  /** The first day that is wanted, YYYY-MM-DD; needed only where no day is in place. */
  readonly since: string | undefined;
  /** How many of the last days are read again. */
  readonly restatedDays: number;
  /** Within how many days all older ones are swept; 0 for never. */
  readonly sweptDays: number;
  /** Whether the last run failed, as far as that is written down elsewhere than with what was told. */
  readonly hadFailed: boolean;
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
  const { state, stateAside, since, reach, plan, sweep } = await dueDays(request, archive);
  const reported = { ...whenReported, names: request.names };
  const comparison = new Comparison(archive, state, reach, reported);
  // A night that is killed once such days are repaired leaves no other trace of them.
  const noteDamage = async () => {
    const damaged = Object.fromEntries(archive.damage);
    if (stateAside === undefined) await writeState(path, { ...state, damaged });
  };
  const asked = { ...request, reach, delisted: state.delisted, noteDamage };
  const reading = new NightReading(asked, archive, comparison);
  let failure: ReconError | undefined;
  let [reached, swept] = [reachedAfter(state.reached, yesterday, true), state.swept];
  try {
    await reading.read(plan);
    reached = yesterday;
    await reading.sweep(sweep);
    swept = sweep.at(-1) ?? swept;
  } catch (error) {
    if (!(error instanceof ReconError)) throw error;
    failure = error;
  }

  const stands = await comparison.stands();
  // Where the night ended before a settlement's other day was read, the next one has to see it again.
  const open = failure ? (await reading.sharing()).keys() : [];
  const { lost, untold, ...changes } = await comparison.changes(reading.elsewhere, open);
  const isStanding = new Set(stands.map(({ stand }) => stand.id));
  const noLonger = state.stands.filter(({ id }) => !isStanding.has(id));
  const places = await archive.placesOf(new Set(noLonger.map(({ id }) => id)));
  const days = daysRead(reading.days, lost, archive, state);
  const isIntact = (day: string) => archive.stateOf(day) !== 'damaged' && !days.unread.has(day);
  const found: Findings = {
    ...{ stands, ...changes, ...days, delisted: reading.delisted, hadFailed: request.hadFailed },
    repaired: new Map([...archive.damage].filter(([day]) => isIntact(day))),
    places: new Map([...places].map(([id, [day = '']]) => [id, day])),
    bank: bank && (await findOnBank(archive, state, bank, whenReported.accepted)),
    failure: failure?.message,
  };
  const news = newsOf(state, found, request.scope);
  const next: NightState = {
    ...state,
    tellings: state.tellings + (news.length > 0 ? 1 : 0),
    since: since ?? null,
    ...{ reached, swept },
    days: Object.fromEntries(
      [...new Set([...Object.keys(state.days), ...archive.days.keys()])].flatMap((day) => {
        const { manifest } = archive.days.get(day) ?? {};
        // What could not be followed up, or is damaged, is told when it has been read again.
        const content = manifest && !untold.has(day) ? manifest.contentSha256 : state.days[day];
        // What a wrong clock has published of days to come says nothing of them.
        return content === undefined || day > yesterday ? [] : [[day, content]];
      }),
    ),
    stands: [
      ...stands.map(({ stand }) => ({ ...stand })),
      ...noLonger.filter(({ id, day }) => untold.has(day) && !places.has(id)),
    ],
    bank: found.bank ? bankTold(found.bank) : state.bank,
    looks: Object.fromEntries([...archive.days].map(([day, { look }]) => [day, look])),
    damaged: Object.fromEntries([...archive.damage].filter(([day]) => !isIntact(day))),
    delisted: [...reading.delisted].filter((day) => archive.days.has(day)),
    unread: Object.fromEntries(found.unread),
    incomplete: archive.daysThatAre('incomplete'),
    failure: found.failure ?? null,
    judged: comparison.judged,
  };
  return {
    summary: {
      ...summarise({ path, reach, archive, state, found, news, read: reading.days }),
      stateAside,
    },
    failure,
    told: () => writeState(path, next, stateAside),
  };
}

/**
 * The days that are due in a folder, and those to sweep, what was told of it, the first day that anybody
 * has asked for, and the days that belong there. ReconError `configuration` where the first day isn't known.
 */
export async function dueDays(
  request: Pick<NightRequest, 'path' | 'since' | 'yesterday' | 'restatedDays' | 'sweptDays'>,
  archive: Archive,
) {
  const { path, since, yesterday, restatedDays, sweptDays } = request;
  const { state: told, stateAside } = await readState(path);
  const [first] = [since ?? [], told.since ?? []].flat().sort(byText);
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
  await archive.compare(told);
  // Somebody may have restored what nobody can read again.
  const isLost = (day: string) => !told.delisted.includes(day) || archive.stateOf(day) !== 'whole';
  const unread = Object.entries(told.unread).filter(([day]) => isLost(day));
  const state = { ...told, unread: Object.fromEntries(unread) };
  const plan = planNight({
    ...{ since: first, yesterday, restatedDays },
    days: new Map([...archive.days.keys()].map((day) => [day, archive.stateOf(day)])),
    reached: state.reached ?? undefined,
    unread: new Set(Object.keys(state.unread)),
  });
  const [from = yesterday] = [first ?? [], ...archive.days.keys()].flat().sort(byText);
  const isPlanned = new Set(plan.map(({ day }) => day));
  const older = [...archive.days.keys()].filter((day) => day <= yesterday && !isPlanned.has(day));
  const nights = Math.max(1, daysBetween(state.reached ?? yesterday, yesterday));
  const sweep = daysToSweep(older, state.swept, sweptDays, nights);
  return { state, stateAside, since: first, reach: { from, to: yesterday }, plan, sweep };
}

/**
 * Which days could not be read, and which were at last. Where the service lists a settlement neither
 * on its old day nor on the one that it names now, the old one isn't read whole.
 */
function daysRead(
  read: ReadonlyMap<string, NightDay>,
  lost: readonly LostSettlement[],
  archive: Archive,
  { unread: before, incomplete }: NightState,
): Pick<Findings, 'unread' | 'readAtLast'> {
  const unread = new Map(Object.entries(before).filter(([day]) => !read.has(day)));
  for (const [day, { exported }] of read) {
    // Somebody has decided that what could be read of it is enough for now.
    const isAccepted = archive.days.has(day) && archive.stateOf(day) === 'incomplete';
    if (exported.state === 'incomplete' && !isAccepted) unread.set(day, whyUnread(exported));
  }
  for (const [day, settlements] of groupedBy(lost, ({ from }) => from)) {
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
