import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { addDays, dayAt, daysBetween } from '../../../src/base/calendar.ts';
import { verifyExport } from '../../../src/export/verify-export.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import type { Random } from '../../support/random.ts';
import { Archive } from './archive.ts';
import type { Filed, Places } from './book.ts';
import { drawNight, type Night } from './calendar.ts';
import { expectAll, expectFigures, expectSaid, expectStatus } from './checks.ts';
import { Listener } from './listener.ts';
import { type Ended, Machine, type Trouble } from './machine.ts';
import type { NightReport } from './report.ts';
import { type Settlement, verdictOf } from './settlement.ts';
import { World } from './world.ts';

/** The first day of a year. */
const since = '2026-01-01';

const calm: Night = { name: 'calm', isCalm: true };

/** Within so many days all older ones are to be seen again, by default. */
const sweptDays = 30;

type Counts = Readonly<Record<string, number>>;

/** What a year came to. */
export interface Figures {
  readonly sums: Counts;
  /** How many nights there were of each kind. */
  readonly nights: Counts;
  /** How often the service changed what. */
  readonly events: Counts;
}

/**
 * Lives through so many days of a world and the night after each, of which the last one is calm. Throws
 * where something is not filed once or not told once, and says what the nights before were.
 */
export async function liveThrough(random: Random, days: number): Promise<Figures> {
  const world = new World(random, since);
  const folder = join(await temporaryFolder(), 'days');
  const args = ['nightly', '--out', folder, '--since', since, '--format', 'json'];
  const machine = await Machine.of(world.scenario, args);
  const year = new Year(world, machine, folder);
  let night: Night = calm;
  let nights = 1;
  for (let n = 1; n <= days; n += 1) {
    const today = addDays(since, n);
    world.advance(today, year.awaited);
    const drawn = drawNight(random, year.actions);
    if (n === days) night = calm;
    else if (nights > 0) nights -= 1;
    // A clock that was ahead is set right for a night at least: later nobody could know of it.
    else if ((night.clockAhead ?? 0) > 0) night = calm;
    else {
      night = drawn;
      nights = (drawn.nights ?? 1) - 1;
    }
    await year.live(today, night);
  }
  const { problems } = await verifyExport(folder);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return year.figures(days);
}

/** What the machine does night by night, and whether it is right. */
class Year {
  readonly #world: World;
  readonly #machine: Machine;
  readonly #folder: string;
  readonly #archive: Archive;
  readonly #listener = new Listener();
  #places: Places = new Map();
  /** Changes of files that a calm night makes. */
  actions = 100;
  /** The last nights, for whoever looks into a failure. */
  readonly #diary: string[] = [];
  readonly #nights: Record<string, number> = {};
  /** Nights on which older days may not have had their turn. */
  readonly #disturbed: string[] = [];
  /** The night that may have forgotten last what was told, and whose turn it was. */
  #forgotten = '';
  readonly #sums = { 'nights that ran': 0, requests: 0, news: 0, killed: 0 };

  constructor(world: World, machine: Machine, folder: string) {
    this.#world = world;
    this.#machine = machine;
    this.#folder = folder;
    this.#archive = new Archive(folder);
  }

  /** The settlements that lie in the folder as pending. */
  get awaited(): ReadonlySet<string> {
    const isPending = (one: Settlement) => verdictOf(one) === 'pending';
    return new Set([...this.#places].flatMap(([id, all]) => (all.some(isPending) ? [id] : [])));
  }

  figures(days: number): Figures {
    const { happened, settlements } = this.#world;
    const told = { 'told twice': this.#listener.toldTwice };
    const sums = { days, settlements: settlements.size, ...this.#sums, ...told };
    return { sums, nights: this.#nights, events: Object.fromEntries(happened) };
  }

  /** A night early on the day `today`. */
  async live(today: string, night: Night): Promise<void> {
    this.#nights[night.name] = (this.#nights[night.name] ?? 0) + 1;
    this.#diary.push(`${today} ${night.name} ${JSON.stringify(night.trouble ?? {})}`);
    if (!night.isCalm) this.#disturbed.push(today);
    if (night.forgets) this.#forgotten = today;
    if (night.isMissed) return;
    try {
      await this.#run(night, today, Date.parse(`${today}T00:30:00Z`) + (night.clockAhead ?? 0));
    } catch (error) {
      if (error instanceof Error) error.message += `\n${this.#diary.slice(-24).join('\n')}`;
      throw error;
    }
  }

  async #run({ trouble, isCalm, forgets = false }: Night, day: string, now: number): Promise<void> {
    const world = this.#world;
    const hadFailed = failureIn(this.#folder) !== null;
    // Nobody but the state knows which days could not be read.
    if (forgets && !this.#listener.knowsUnread) {
      rmSync(join(this.#folder, 'nightly.json'));
      this.#listener.forget();
    }
    const ended = await this.#machine.run(world.scenario, now, trouble);
    const { exitCode, stderr, isKilled, requests, twin } = ended;
    if (isCalm) this.actions = ended.actions;
    this.#sums['nights that ran'] += 1;
    this.#sums.requests += requests;
    this.#sums.killed += isKilled ? 1 : 0;
    this.#diary.push(`  ended ${isKilled ? 'killed' : exitCode}. ${stderr.slice(0, 400)}`);
    if (twin && twin.exitCode !== 75) throw new Error(`the second at once: ${twin.exitCode}`);

    const before = this.#places;
    const filed = this.#look(now);
    this.#places = filed.places;
    expectSaid(before, filed.places, world.settlements);
    const isDue = (then: string) => this.#isDue(then, day);
    const late = [...world.late].flatMap(([id, then]) => (isDue(then) ? [] : id));
    if (isCalm) expectAll(filed, world.settlements, since, new Set(late));
    if (ended.report === undefined) {
      if (isCalm) throw new Error('nothing was told');
      return;
    }
    const report = JSON.parse(ended.report) as NightReport;
    this.#diary.push(...report.news.map((one) => `  ${JSON.stringify(one).slice(0, 300)}`));
    this.#sums.news += report.news.length;
    const counts = hasCounted(ended, report, trouble);
    const overdueDelisted = [...world.delisted].flatMap(([one, then]) =>
      isDue(then) && filed.days.has(one) ? one : [],
    );
    const listed = world.settlements;
    this.#listener.hear({ report, listed, filed, isCalm, counts, hadFailed, overdueDelisted });
    if (!isCalm) return;
    expectFigures(report, exitCode, filed, since);
    expectStatus(this.#folder, exitCode);
  }

  /** Whether what has happened to an older day has to be known by now: each has its turn in so many days. */
  #isDue(then: string, today: string): boolean {
    const start = then > this.#forgotten ? then : this.#forgotten;
    const disturbed = this.#disturbed.filter((night) => night >= start).length;
    return daysBetween(start, today) > sweptDays + disturbed;
  }

  /** What lies in the folder, and what can't be read for it. */
  #look(now: number): Filed {
    const days = this.#archive.read();
    const places = new Map<string, Settlement[]>();
    for (const [day, settlements] of days) {
      for (const { id, text } of settlements) {
        const version = this.#world.saidOnce(text);
        if (!version) throw new Error(`nobody ever said what is told of ${day}:\n${text}`);
        if (version.day !== day) throw new Error(`${id} lies on ${day}, not on ${version.day}`);
        places.set(id, [...(places.get(id) ?? []), version]);
      }
    }
    const today = dayAt(now, 'UTC');
    const unread = new Map<string, string>();
    for (const { id, day, broken } of this.#world.settlements.values()) {
      if (broken && day < today) unread.set(day, `${unread.get(day) ?? ''} ${id} ${broken}`);
    }
    return { places, days: new Set(days.keys()), unread, today };
  }
}

/** Why the last run failed, as it is written down for monitoring; null where it did not. */
function failureIn(folder: string): unknown {
  const path = join(folder, 'status.json');
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')).profiles[0]?.failure ?? null)
    : null;
}

/** Whether a report counts as told; undefined where it was taken, and nobody knows if that is known. */
function hasCounted(
  { exitCode, isKilled, notification }: Ended,
  { news }: NightReport,
  { fullAt }: Trouble = {},
): boolean | undefined {
  // Where nothing is new nobody is notified.
  if (news.length > 0 && notification === undefined) return false;
  return isKilled || exitCode >= 128 || fullAt !== undefined ? undefined : true;
}
