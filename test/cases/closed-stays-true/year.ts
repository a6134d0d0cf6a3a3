import { createHash } from 'node:crypto';
import { Random } from '../../support/random.ts';
import { dayAfter, isBusinessDay, lastOfMonth } from '../close/calendar.ts';
import {
  abroad,
  type Entry,
  endToEndIdOf,
  type Listed,
  type Row,
  stores,
  sumsOf,
  type Token,
  web,
} from './company.ts';

/** What an accounting token settles in. */
interface Shop {
  readonly token: Token;
  readonly currency: string;
  /** What stands before a row's amounts, so that amounts are those of the currency. */
  readonly unit: number;
}

/** Three tokens, three currencies; the second token has two of them. */
export const shops: readonly Shop[] = [
  { token: web, currency: 'EUR', unit: 1 },
  { token: stores, currency: 'EUR', unit: 1 },
  { token: stores, currency: 'JPY', unit: 1 },
  { token: abroad, currency: 'KWD', unit: 10 },
];

/** The company's bank account in each currency. */
export const accounts: Readonly<Record<string, string>> = {
  EUR: 'DE79123456780000143027',
  JPY: 'DE50123456780000192534',
  KWD: 'DE89370400440532013000',
};

/** A settlement, and all that happens to it. */
export interface Payout {
  readonly id: string;
  readonly shop: Shop;
  readonly day: string;
  rows: readonly Row[];
  /** From which month on, counted from 0, the service lists it; from which it is settled. */
  readonly listedFrom: number;
  readonly settledFrom: number;
  isGone: boolean;
  /** What the bank books for it, by day; days to come are a plan. */
  entries: readonly Booked[];
  readonly story: string;
}

interface Booked extends Entry {
  readonly currency: string;
}

/** How a settlement of an earlier month is restated. */
export const restatements = [
  'gross up',
  'gross down',
  'fees up',
  'fees down',
  'tax up',
  'tax down',
  'same pay-in',
  'type of a row',
  'gone',
] as const;

type Restatement = (typeof restatements)[number];

/** What happened, in the order of happening: for whoever looks for the cause of a failure. */
export interface Happened {
  readonly month: string;
  readonly what: string;
}

/** A year that is made month by month, while it is booked and closed. */
export class Year {
  readonly months: readonly string[];
  readonly payouts: Payout[] = [];
  readonly happened: Happened[] = [];
  readonly #random: Random;
  #ids = 0;
  readonly #seed: number;
  /** Every other year has nothing that needs a decision, but for what is restated. */
  readonly #isQuiet: boolean;

  constructor(seed: number, count: number) {
    this.#seed = seed;
    this.#isQuiet = seed % 2 === 1;
    this.#random = new Random(seed);
    this.months = Array.from({ length: count }, (_, index) => monthAt(index));
  }

  /** Makes the settlements of a month, and what the bank will book for them. */
  begin(index: number): void {
    for (const shop of shops) {
      const stories = this.#random.sample(
        this.#isQuiet
          ? ['paid', 'paid', 'at the end', 'negative']
          : ['paid', 'paid', 'paid', 'at the end', 'missing', 'negative', 'returned'],
        this.#random.int(1, 3),
      );
      for (const story of stories) this.#make(index, shop, story);
    }
    // Two of the year's kinds that come with a month's close, not with its days.
    if (this.#random.chance(40)) this.#make(index, this.#random.pick(shops), 'pending');
    if (this.#random.chance(40)) this.#make(index, this.#random.pick(shops), 'late');
  }

  /** Restates settlements of months up to this one: a paid one, an unpaid one, and one that goes. */
  restate(index: number): void {
    const last = lastOfMonth(this.#month(index));
    const known = this.payouts.filter(
      ({ day, isGone, settledFrom }) => day <= last && !isGone && settledFrom <= index,
    );
    const isPaid = (one: Payout) => receivedOf(one, last) !== 0;
    // Recent ones more often: they're the ones that a service restates.
    const recent = known.filter(({ day }) => day > dayAfter(last, -75));
    const pools: readonly (readonly [readonly Payout[], number])[] = [
      [recent.filter(isPaid), 100],
      [recent.filter((one) => !isPaid(one)), 70],
      [known, 25],
    ];
    const touched = new Set<Payout>();
    for (const [pool, percent] of pools) {
      const free = pool.filter((one) => !touched.has(one));
      if (free.length === 0 || !this.#random.chance(percent)) continue;
      const one = this.#random.pick(free);
      touched.add(one);
      this.#restate(index, one, this.#random.pick(this.#kindsFor(one, isPaid(one))));
    }
    // What was paid and goes never comes in order again: not in a quiet year.
    const leaving = recent.filter((one) => !touched.has(one) && !(this.#isQuiet && isPaid(one)));
    if (leaving.length > 0 && this.#random.chance(35)) {
      this.#restate(index, this.#random.pick(leaving), 'gone');
    }
  }

  /** In a quiet year what was paid is only raised, so that what follows can be paid. */
  #kindsFor({ rows }: Payout, isPaid: boolean): readonly Restatement[] {
    const kinds = restatements.filter((kind) => kind !== 'gone');
    if (!this.#isQuiet || !isPaid) return kinds;
    const sign = Math.sign(sumsOf({ rows }).payIn);
    return kinds.filter((kind) => {
      const change = sumsOf({ rows: restated(rows, kind, 1) }).payIn - sumsOf({ rows }).payIn;
      return change * sign >= 0;
    });
  }

  /** What the service lists in the evening of a month's close. */
  listed(index: number): readonly Listed[] {
    return this.payouts
      .filter(({ isGone, listedFrom }) => !isGone && listedFrom <= index)
      .map(({ id, shop, day, rows, settledFrom }) => ({
        ...{ id, day, rows, token: shop.token, currency: shop.currency },
        isPending: settledFrom > index,
      }));
  }

  /** What the bank books in a month, in a currency, in the order of days. */
  entries(index: number, currency: string): readonly Entry[] {
    const month = this.#month(index);
    return this.payouts
      .flatMap(({ entries }) => entries)
      .filter((entry) => entry.currency === currency && entry.day.startsWith(month))
      .sort((a, b) => (a.day + a.ref < b.day + b.ref ? -1 : 1));
  }

  #month(index: number): string {
    const month = this.months[index];
    if (month === undefined) throw new RangeError(`No month ${index}`);
    return month;
  }

  #make(index: number, shop: Shop, story: string): void {
    const month = this.#month(index);
    const random = this.#random;
    const number = this.#ids++;
    const id = idOf(`${this.#seed} ${number}`);
    const at = story === 'at the end' ? random.int(27, 28) : random.int(2, 20);
    const day = `${month}-${String(at).padStart(2, '0')}`;
    const amount = () => random.int(40, 900) * 10 * shop.unit;
    const sale = (): Row => {
      const a = amount();
      return { a, f: Math.floor(a / 50), t: Math.floor(a / 250) };
    };
    const rows: Row[] = [sale(), sale()];
    if (random.chance(50))
      rows.push({ a: -random.int(5, 30) * shop.unit, f: 0, t: 0, type: 'refund' });
    if (story === 'negative') {
      rows.push({ a: -2 * (sumsOf({ rows }).gross + amount()), f: 0, t: 0, type: 'refund' });
    }
    const waits = story === 'pending' || story === 'late';
    const payout: Payout = {
      ...{ id, shop, day, rows, story, isGone: false, entries: [] },
      listedFrom: story === 'late' ? index + 1 : index,
      settledFrom: waits ? index + 1 : index,
    };
    this.payouts.push(payout);
    const next = monthAt(index + 1);
    const arrival = waits
      ? businessDay(`${next}-0${random.int(2, 9)}`)
      : businessDay(dayAfter(day, random.int(1, 3)));
    const { payIn } = sumsOf(payout);
    const entry = (on: string, minor: number) => this.#add(payout, on, minor);
    if (story === 'missing') {
      // Half of them come after two months.
      if (random.chance(50)) entry(businessDay(dayAfter(day, 60)), payIn);
      return;
    }
    entry(story === 'at the end' ? businessDay(`${next}-0${random.int(1, 3)}`) : arrival, payIn);
    if (story === 'returned') {
      const back = businessDay(dayAfter(arrival, random.int(1, 3)));
      entry(back, -payIn);
      entry(businessDay(dayAfter(back, random.int(1, 25))), payIn);
    }
  }

  #add(payout: Payout, day: string, amount: number): void {
    const { currency } = payout.shop;
    const ref = `${payout.id.slice(0, 8)}-${payout.entries.length}`;
    payout.entries = [...payout.entries, { day, amount, currency, ref, id: endToEndIdOf(payout) }];
  }

  #restate(index: number, one: Payout, kind: Restatement): void {
    const last = lastOfMonth(this.#month(index));
    const random = this.#random;
    this.happened.push({
      month: this.#month(index),
      what: `${kind}: ${one.id.slice(0, 8)} of ${one.day}, ${one.story}, ${one.shop.currency}`,
    });
    const isPaid = receivedOf(one, last) !== 0;
    if (kind === 'gone') {
      one.isGone = true;
      one.entries = one.entries.filter(({ day }) => day <= last);
      return;
    }
    const before = sumsOf(one).payIn;
    one.rows = restated(one.rows, kind, random.int(1, 9) * one.shop.unit);
    const { payIn } = sumsOf(one);
    if (payIn === before) return;
    const left = payIn - receivedOf(one, last);
    const planned = one.entries.filter(({ day }) => day > last);
    one.entries = one.entries.filter(({ day }) => day <= last);
    // What is too much is never taken back by an entry of its own: only what is still owed comes.
    if (left === 0 || Math.sign(left) !== Math.sign(payIn)) return;
    const at = planned.at(-1)?.day;
    if (at) this.#add(one, at, left);
    else if (isPaid && random.chance(this.#isQuiet ? 100 : 60)) {
      const next = monthAt(index + 1);
      this.#add(one, businessDay(`${next}-${String(random.int(8, 24)).padStart(2, '0')}`), left);
    }
  }
}

/** What has been booked for a pay-out up to a day. */
export function receivedOf({ entries }: Pick<Payout, 'entries'>, until: string): number {
  return entries.filter(({ day }) => day <= until).reduce((all, { amount }) => all + amount, 0);
}

function restated(rows: readonly Row[], kind: Restatement, by: number): readonly Row[] {
  const [first, ...rest] = rows;
  if (!first) throw new RangeError('A settlement without rows');
  const { a, f, t } = first;
  switch (kind) {
    case 'gross up':
      return [{ ...first, a: a + by }, ...rest];
    case 'gross down':
      return [{ ...first, a: a - by }, ...rest];
    case 'fees up':
      return [{ ...first, f: f + by }, ...rest];
    case 'fees down':
      return [{ ...first, f: f - by }, ...rest];
    case 'tax up':
      return [{ ...first, t: t + by }, ...rest];
    case 'tax down':
      return [{ ...first, t: t - by }, ...rest];
    case 'same pay-in':
      return [{ ...first, a: a + by, f: f + by }, ...rest];
    case 'type of a row': {
      const type = first.type === 'adjustment' ? 'purchase' : 'adjustment';
      return [{ ...first, type }, ...rest];
    }
    case 'gone':
      return rows;
  }
}

/** From October 2025 on, so that a year has the end of another one in it. */
function monthAt(index: number): string {
  const at = 9 + index;
  return `${2025 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
}

function businessDay(day: string): string {
  let at = day;
  while (!isBusinessDay(at, 'EUR')) at = dayAfter(at, 1);
  return at;
}

function idOf(text: string): string {
  const hex = createHash('sha256').update(`closed ${text}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
