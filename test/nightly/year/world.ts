import { addDays } from '../../../src/base/calendar.ts';
import type { Scenario, ScenarioSettlement } from '../../../src/sandbox/scenario.ts';
import type { Random } from '../../support/random.ts';
import { type Account, type Settlement, textOf, verdictOf, wireOf } from './settlement.ts';

const accounts: readonly Account[] = [
  { token: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601', currency: 'EUR', scale: 2 },
  { token: '9a41c0de-58b2-4f6e-8d17-c3b5e2a70942', currency: 'EUR', scale: 2 },
  { token: 'c27e9b14-08d3-4f6a-8e52-94b1f7603d03', currency: 'JPY', scale: 0 },
];

/** The service changes what it said of the days of so many days before today. */
const restatedFor = 5;
/** Days that are older than this are not read again every night, and those that are much older may go. */
const old = 12;
const veryOld = 45;

type Change = Partial<Pick<Settlement, 'status' | 'off' | 'rows' | 'day' | 'broken'>>;

/**
 * What the service says, from day to day. It changes what it said of settlements of the last days,
 * and of pending ones whatever their age, and others come to the last days: that is to be noticed the next
 * night. Now and then it does the same with older days, and stops listing one: that is to be noticed some day.
 */
export class World {
  readonly #random: Random;
  /** The first day of all. */
  readonly #since: string;
  #today: string;
  #count = 0;
  #rowCount = 0;
  #awaited: ReadonlySet<string> = new Set();
  /** What is bound to happen, by day. */
  readonly #due = new Map<string, (() => void)[]>();
  readonly #settlements = new Map<string, Settlement>();
  readonly #wire = new Map<string, ScenarioSettlement>();
  /** Whatever it said of a settlement at any time, by its text. */
  readonly #versions = new Map<string, Settlement>();
  /** When it changed last what it said of a settlement of an older day, by id. */
  readonly late = new Map<string, string>();
  /** Older days of which it lists nothing any more, and since when. */
  readonly delisted = new Map<string, string>();
  /** How often what happened. */
  readonly happened = new Map<string, number>();

  constructor(random: Random, since: string) {
    this.#random = random;
    this.#since = since;
    this.#today = since;
  }

  /** What it lists now, by id. */
  get settlements(): ReadonlyMap<string, Settlement> {
    return this.#settlements;
  }

  /** The settlement of which it said this at any time; all of it, or its header alone. */
  saidOnce(text: string): Settlement | undefined {
    const [header = ''] = text.split('\n');
    return this.#versions.get(text) ?? this.#versions.get(header);
  }

  get scenario(): Scenario {
    return {
      name: 'year',
      about: 'a year of settlements',
      period: { from: this.#since, to: this.#today },
      names: {},
      settlements: [...this.#wire.values()],
    };
  }

  /**
   * It becomes another day: `today` begins, and the day before is over. `awaited`: the settlements that
   * somebody knows to be pending. No others go to a day of long ago.
   */
  advance(today: string, awaited: ReadonlySet<string>): void {
    const random = this.#random;
    this.#today = today;
    this.#awaited = awaited;
    for (const happens of this.#due.get(today) ?? []) happens();
    const yesterday = addDays(today, -1);
    const settlements = random.pick([0, 1, 1, 2, 2, 3, 4]);
    for (let n = 0; n < settlements; n++) this.#arrive(yesterday);
    // The day that has just begun isn't over: some of its settlements are listed already.
    if (random.chance(20)) this.#arrive(today);
    for (const [percent, change] of this.#changes) if (random.chance(percent)) change();
  }

  readonly #changes: readonly (readonly [percent: number, change: () => void])[] = [
    [25, () => this.#pick(this.#recent(), (one) => this.#restate(one))],
    [8, () => this.#arrive(this.#recentDay())],
    [4, () => this.#pick(this.#recent(), (one) => this.#remove(one))],
    [4, () => this.#pick(this.#recent(), (one) => this.#move(one, this.#recentDay()))],
    // From however long ago, it is noticed where it comes to.
    [3, () => this.#pick(this.#settled(), (one) => this.#move(one, this.#recentDay()))],
    [4, () => this.#pick(this.#recent(), (one) => this.#break(one))],
    [
      2,
      () => this.#pick(this.#recent(), (one) => this.#await({ ...one, off: 0, broken: undefined })),
    ],
    [6, () => this.#pick(this.#pending(), (one) => this.#move(one, this.#anyDay(one)))],
    [4, () => this.#pick(this.#pending(), (one) => this.#set('changed', one, this.#rows(one)))],
    [2, () => this.#pick(this.#pending(), (one) => this.#remove(one))],
    [6, () => this.#pick(this.#old(), (one) => this.#restate(this.#asLate(one)))],
    [5, () => this.#pick(this.#old(), (one) => this.#arriveLate(one.day))],
    [2, () => this.#pick(this.#old(), (one) => this.#moveLate(one))],
    [
      2,
      () =>
        this.#pick(
          this.#old().filter((one) => !this.#isAlone(one)),
          (one) => this.#remove(this.#asLate(one)),
        ),
    ],
    [
      3,
      () =>
        this.#pick(
          this.#old().filter(({ day }) => this.#isDelistable(day)),
          (one) => this.#delist(one.day),
        ),
    ],
  ];

  /** Notes that it is changed now, long after its day. */
  #asLate(one: Settlement): Settlement {
    this.late.set(one.id, this.#today);
    this.#note('late');
    return one;
  }

  #arriveLate(day: string): void {
    const before = new Set(this.#settlements.keys());
    this.#arrive(day, 'settled');
    for (const [id, one] of this.#settlements) if (!before.has(id)) this.#asLate(one);
  }

  #moveLate(one: Settlement): void {
    this.#pick(this.#old(), ({ day }) => this.#move(this.#asLate(one), day));
  }

  #delist(day: string): void {
    for (const one of this.#on(day)) this.#remove(one);
    this.delisted.set(day, this.#today);
    this.#note('delisted');
  }

  #isAlone({ day }: Settlement): boolean {
    return this.#on(day).length === 1;
  }

  /** Nobody asks for the settlements of such a day by their ids. */
  #isDelistable(day: string): boolean {
    const isSettled = this.#on(day).every((one) => verdictOf(one) !== 'pending');
    return isSettled && day < addDays(this.#today, -veryOld);
  }

  #on(day: string): readonly Settlement[] {
    return [...this.#settlements.values()].filter((one) => one.day === day);
  }

  /** Settled ones of long ago that can be read. */
  #old(): readonly Settlement[] {
    const before = addDays(this.#today, -old);
    return this.#settled().filter(({ day, broken }) => day < before && !broken);
  }

  #arrive(day: string, as?: 'settled'): void {
    const random = this.#random;
    this.#count += 1;
    const one: Settlement = {
      id: `${String(this.#count).padStart(8, '0')}-0000-4000-8000-000000000000`,
      day,
      account: random.pick(accounts),
      status: random.chance(4) ? 'settled_out_of_balance' : 'settled',
      off: random.chance(10) ? random.pick([-500, -1, 1, 250]) : 0,
      rows: [],
    };
    const rows = Array.from({ length: random.int(1, 4) }, () => this.#row());
    if (as) this.#tell('arrived late', { ...one, rows });
    else if (random.chance(25)) this.#await({ ...one, off: 0, rows });
    else this.#tell('listed', { ...one, rows });
    if (!as && random.chance(3)) this.#break(one);
  }

  #row() {
    const amount = this.#random.int(100, 90_000);
    this.#rowCount += 1;
    return {
      id: `00000000-0001-4000-8000-${String(this.#rowCount).padStart(12, '0')}`,
      amount,
      fees: 25 + Math.trunc(amount / 100),
      tax: Math.trunc(amount / 500),
    };
  }

  /** It is pending, and settles some day. */
  #await(one: Settlement): void {
    const random = this.#random;
    this.#tell('pending', {
      ...one,
      status: random.pick(['pending_settlement', 'validated'] as const),
    });
    const days = random.chance(10) ? random.int(15, 60) : random.int(1, 40);
    this.#later(days, one, (now) => {
      if (verdictOf(now) !== 'pending') return;
      const how = random.int(1, 10);
      this.#set('settled', now, {
        status: how === 1 ? 'settled_out_of_balance' : 'settled',
        off: how === 2 || how === 3 ? random.pick([-40, 7]) : 0,
        ...(how > 7 && this.#rows(now)),
      });
    });
  }

  #restate(one: Settlement): void {
    const random = this.#random;
    const how = random.int(1, 5);
    if (how === 1) this.#set('restated: off', one, { off: one.off + random.pick([-3, 11]) });
    else if (how === 2) this.#set('restated: in balance', one, { status: 'settled', off: 0 });
    else if (how === 3) {
      const { off, rows, status } = one;
      this.#set('restated: for a while', one, this.#rows(one));
      this.#later(2, one, (now) => {
        if (verdictOf(now) === 'pending') return;
        this.#set('restated: back', now, { off, rows, status, broken: undefined });
      });
    } else this.#set('restated: rows', one, this.#rows(one));
  }

  /** Some of its rows are others. */
  #rows(one: Settlement): Change {
    const rows = one.rows.slice(0, this.#random.int(1, one.rows.length));
    const [first, ...rest] = rows;
    if (!first) throw new RangeError('a settlement has rows');
    const others = this.#random.chance(50) ? [...rest, this.#row()] : rest;
    return { rows: [{ ...first, amount: first.amount + this.#random.int(1, 99) }, ...others] };
  }

  #move(one: Settlement, day: string): void {
    if (day === one.day) return;
    this.#set(day > one.day ? 'moved on' : 'moved back', one, { day });
  }

  #remove(one: Settlement): void {
    this.#note('removed');
    this.#settlements.delete(one.id);
    this.#wire.delete(one.id);
  }

  /**
   * Something of it can't be read, for some days. Its header tells of it: rows are not read again where
   * no header has changed.
   */
  #break(one: Settlement): void {
    const now = this.#settlements.get(one.id) ?? one;
    if (verdictOf(now) === 'pending') return;
    const broken = this.#random.pick(['row', 'header'] as const);
    this.#set('broken', now, { ...this.#rows(now), broken });
    this.#later(this.#random.int(1, 6), now, (then) =>
      this.#set('mended', then, { broken: undefined }),
    );
  }

  #set(what: string, one: Settlement, change: Change): void {
    this.#tell(what, { ...one, ...change });
  }

  #tell(what: string, one: Settlement): void {
    this.#note(what);
    this.#settlements.set(one.id, one);
    this.#wire.set(one.id, wireOf(one));
    const pending = verdictOf(one) === 'pending' ? [{ ...one, hasHeaderOnly: true }] : [];
    for (const version of [one, ...pending]) this.#versions.set(textOf(version), version);
  }

  #note(what: string): void {
    this.happened.set(what, (this.happened.get(what) ?? 0) + 1);
  }

  /** In so many days, if it is listed then. */
  #later(days: number, { id }: Settlement, happens: (now: Settlement) => void): void {
    const day = addDays(this.#today, days);
    const event = () => {
      const now = this.#settlements.get(id);
      if (now) happens(now);
    };
    this.#due.set(day, [...(this.#due.get(day) ?? []), event]);
  }

  #pick(candidates: readonly Settlement[], change: (one: Settlement) => void): void {
    if (candidates.length > 0) change(this.#random.pick(candidates));
  }

  /** Settled ones of the last days. */
  #recent(): readonly Settlement[] {
    const from = addDays(this.#today, -restatedFor);
    return this.#settled().filter(({ day }) => day >= from && day < this.#today);
  }

  #settled(): readonly Settlement[] {
    return [...this.#settlements.values()].filter((one) => verdictOf(one) !== 'pending');
  }

  #pending(): readonly Settlement[] {
    return [...this.#settlements.values()].filter((one) => verdictOf(one) === 'pending');
  }

  #recentDay(): string {
    return this.#within(addDays(this.#today, -this.#random.int(1, restatedFor)));
  }

  /** A day of the last weeks, or one to come. */
  #anyDay({ id }: Settlement): string {
    const oldest = this.#awaited.has(id) ? 30 : restatedFor;
    return this.#within(addDays(this.#today, this.#random.int(-oldest, 3)));
  }

  #within(day: string): string {
    return day < this.#since ? this.#since : day;
  }
}
