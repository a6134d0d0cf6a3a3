import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { addDays, dayAt, daysOf } from '../../../src/base/calendar.ts';
import { verifyExport } from '../../../src/export/verify-export.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { Random } from '../../support/random.ts';
import { Archive } from './archive.ts';
import { type Filed, isOverdue, type Places } from './book.ts';
import { drawNight, type Night } from './calendar.ts';
import { Listener } from './listener.ts';
import { type Ended, Machine, type Trouble } from './machine.ts';
import type { NightReport } from './report.ts';
import { type Settlement, textOf, verdictOf } from './settlement.ts';
import { World } from './world.ts';

/** The first day of a year. */
const since = '2026-01-01';

/** What a year came to. */
export interface Figures {
  readonly counts: Readonly<Record<string, number>>;
  readonly nights: Readonly<Record<string, number>>;
  readonly events: Readonly<Record<string, number>>;
}

/** Lives through so many days of a world, and a night after each. Throws where one goes wrong. */
export async function liveThrough(seed: number, days: number): Promise<Figures> {
  const year = await Year.of(seed);
  for (let n = 1; n <= days; n++) await year.night(addDays(since, n), n === days);
  return year.figures();
}

/** A world, a machine that looks at it every night, and somebody who hears what it tells. */
class Year {
  readonly #random: Random;
  readonly #world: World;
  readonly #machine: Machine;
  readonly #folder: string;
  readonly #archive: Archive;
  readonly #listener = new Listener();
  #missed = 0;
  #mustBeCalm = true;
  /** Changes of files that an ordinary night makes. */
  #actions = 100;
  /** The last nights, for whoever looks into a failure. */
  readonly #diary: string[] = [];
  readonly #nights = new Map<string, number>();
  readonly #counts = new Map<string, number>();

  private constructor(random: Random, machine: Machine, folder: string) {
    this.#random = random;
    this.#world = new World(random, since);
    this.#machine = machine;
    this.#folder = folder;
    this.#archive = new Archive(folder);
  }

  static async of(seed: number): Promise<Year> {
    const random = new Random(seed);
    const folder = join(await temporaryFolder(), 'days');
    const args = ['nightly', '--out', folder, '--since', since, '--format', 'json'];
    const machine = await Machine.of(new World(random, since).scenario, args);
    return new Year(random, machine, folder);
  }

  figures(): Figures {
    const sorted = (counts: ReadonlyMap<string, number>) =>
      Object.fromEntries([...counts].sort(([, one], [, other]) => other - one));
    return {
      counts: Object.fromEntries(this.#counts),
      nights: sorted(this.#nights),
      events: sorted(this.#world.happened),
    };
  }

  /** The night after the day before `today`. */
  async night(today: string, isLast: boolean): Promise<void> {
    this.#world.advance(today, this.#awaited());
    const drawn = drawNight(this.#random, this.#actions);
    if (this.#missed > 0) {
      this.#missed -= 1;
      if (!isLast) return;
    }
    const night = this.#mustBeCalm || isLast ? { name: 'calm', isCalm: true } : drawn;
    this.#mustBeCalm = (night.clockAhead ?? 0) > 0;
    this.#nights.set(night.name, (this.#nights.get(night.name) ?? 0) + 1);
    this.#diary.push(`${today} ${night.name} ${JSON.stringify({ ...night, name: undefined })}`);
    if (night.missed !== undefined) {
      this.#missed = night.missed - 1;
      return;
    }
    const now = Date.parse(`${today}T00:30:00Z`) + (night.clockAhead ?? 0);
    try {
      await this.#live(night, now);
      if (isLast) {
        const { problems } = await verifyExport(this.#folder);
        if (problems.length > 0) throw new Error(JSON.stringify(problems));
      }
    } catch (error) {
      if (error instanceof Error) error.message += `\n${this.#diary.slice(-12).join('\n')}`;
      throw error;
    }
  }

  async #live(night: Night, now: number): Promise<void> {
    const { trouble, isCalm } = night;
    if (night.forgets && !this.#listener.knowsUnread) {
      rmSync(join(this.#folder, 'nightly.json'));
      this.#listener.forget();
    }
    const before = this.#places();
    const ended = await this.#machine.run(this.#world.scenario, now, trouble);
    if (night.name === 'calm') this.#actions = ended.actions;
    this.#count('runs');
    this.#count('requests', ended.requests);
    const { exitCode, stderr, isKilled } = ended;
    this.#diary.push(`  ended ${exitCode}${isKilled ? ', killed' : ''}: ${stderr.slice(0, 500)}`);
    const places = this.#places();
    this.#expectSaid(before, places);
    if (ended.twin && ended.twin.exitCode !== 75) throw new Error('two ran at once');
    const filed = this.#filed(places, now);
    if (isCalm) this.#expectAll(places, filed);
    if (ended.report === undefined) {
      if (isCalm) throw new Error('nothing was told');
      return;
    }
    const report = JSON.parse(ended.report) as NightReport;
    if (process.env['YEAR_SHOW'])
      this.#diary.push(
        JSON.stringify(report.news),
        JSON.stringify(report.profiles[0]?.days.map((d) => `${d.day} ${d.reason} ${d.state}`)),
      );
    const counts = hasCounted(ended, report, trouble);
    const listed = this.#world.settlements;
    this.#listener.hear({ report, listed, filed, isCalm, counts });
    this.#count('news', report.news.length);
    if (isCalm) expectFigures(report, exitCode, filed);
  }

  /** The days of each settlement in the folder, with what each says of it. */
  #places(): Places {
    const places = new Map<string, Settlement[]>();
    for (const [day, settlements] of this.#archive.read()) {
      for (const { id, text } of settlements) {
        const version = this.#world.saidOnce(text);
        if (!version) throw new Error(`nobody ever said what is told of ${day}:\n${text}`);
        if (version.day !== day) throw new Error(`${id} lies on ${day}, not on ${version.day}`);
        places.set(id, [...(places.get(id) ?? []), version]);
      }
    }
    return places;
  }

  /** The settlements that lie in the folder as pending. */
  #awaited(): ReadonlySet<string> {
    const pending = [...this.#places()].filter(([, versions]) =>
      versions.some((one) => verdictOf(one) === 'pending'),
    );
    return new Set(pending.map(([id]) => id));
  }

  /** Whatever has come into the folder is what the service says now. */
  #expectSaid(before: Places, after: Places): void {
    for (const [id, versions] of after) {
      const now = this.#world.settlements.get(id);
      for (const version of versions) {
        const isNew = !before.get(id)?.some((one) => textOf(one) === textOf(version));
        const { hasHeaderOnly = false } = version;
        if (isNew && (!now || textOf({ ...now, hasHeaderOnly }) !== textOf(version))) {
          throw new Error(`written, and not said: ${textOf(version)}`);
        }
      }
    }
  }

  /** What lies in the folder, and what can't be read for it. */
  #filed(places: Places, now: number): Filed {
    const today = dayAt(now, 'UTC');
    const unread = new Map<string, string>();
    for (const { id, day, broken } of this.#world.settlements.values()) {
      if (broken && day < today) unread.set(day, `${unread.get(day) ?? ''} ${id} ${broken}`);
    }
    return { places, days: new Set(this.#archive.read().keys()), unread, today };
  }

  /** All that the service says of days that are over and can be read is there once. */
  #expectAll(places: Places, { unread, today, days }: Filed): void {
    const isMeant = ({ day }: Settlement) => day >= since && day < today && !unread.has(day);
    for (const [id, one] of this.#world.settlements) {
      const filed = (places.get(id) ?? []).filter(isMeant);
      if (!isMeant(one)) continue;
      const [first] = filed;
      // Rows of a pending one are read again while its day is, and when it settles.
      const hasHeaderOnly = first?.hasHeaderOnly === true && one.day < addDays(today, -7);
      if (!first || filed.length > 1 || textOf(first) !== textOf({ ...one, hasHeaderOnly })) {
        const found = filed.map(textOf).join('\n  and\n');
        throw new Error(`said:\n${textOf(one)}\n  and not written, but\n${found}`);
      }
    }
    for (const [id, versions] of places) {
      const now = this.#world.settlements.get(id);
      for (const one of versions.filter(isMeant)) {
        if (!now || now.day !== one.day) throw new Error(`no longer there:\n${textOf(one)}`);
      }
    }
    const missing = [...daysOf({ from: since, to: addDays(today, -1) })].filter(
      (day) => !days.has(day) && !unread.has(day),
    );
    if (missing.length > 0) throw new Error(`missing days: ${missing.join(' ')}`);
  }

  #count(what: string, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by);
  }
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

/** What the report says of all days, and the exit code. */
function expectFigures({ profiles, news }: NightReport, exitCode: number, filed: Filed): void {
  const { places, unread, today, days } = filed;
  const settlements = [...places.values()].flat();
  const out = settlements.filter((one) => verdictOf(one) === 'out_of_balance');
  const pending = settlements.filter((one) => verdictOf(one) === 'pending');
  const isNew = new Set(news.map(({ settlement }) => settlement?.id));
  const [report] = profiles;
  if (!report) throw new Error('a report of nobody');
  const wanted = [...daysOf({ from: since, to: addDays(today, -1) })];
  const lacking = wanted.filter((day) => !days.has(day));
  const expected = {
    exitCode: unread.size > 0 ? 4 : out.length > 0 ? 1 : 0,
    known: out.filter(({ id }) => !isNew.has(id)).length,
    pending: pending.length,
    overdue: pending.filter((one) => isOverdue(one, today)).length,
    lagDays: lacking.length,
    publishedTo: lacking[0] === undefined ? wanted.at(-1) : addDays(lacking[0], -1),
  };
  const { pending: waiting, overdue, lagDays, publishedTo, known } = report;
  const found = {
    ...{ exitCode, known: known.settlements, pending: waiting, overdue, lagDays, publishedTo },
  };
  if (exitCode !== report.exitCode) throw new Error('the report tells another exit code');
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`${JSON.stringify(found)} in place of ${JSON.stringify(expected)}`);
  }
}
