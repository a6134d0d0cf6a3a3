import { createHash } from 'node:crypto';
import { Random } from '../../support/random.ts';
import { businessDayAfter, dayAfter, daysBetween, isBusinessDay } from './calendar.ts';

/** MT940 states no charges and does not divide an entry. */
type BankFormat = 'camt' | 'mt940';

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  /** The weekdays on which it settles, from 0 for Sunday. */
  readonly weekdays: readonly number[];
}

export const decimals: Readonly<Record<string, number>> = { EUR: 2, JPY: 0, KWD: 3, USD: 2 };

export const tokens: readonly Token[] = [
  { id: idOf('token web'), name: 'Web', currency: 'EUR', weekdays: [1, 3, 5] },
  { id: idOf('token stores'), name: 'Stores', currency: 'EUR', weekdays: [3, 6] },
  { id: idOf('token japan'), name: 'Japan', currency: 'JPY', weekdays: [4] },
  { id: idOf('token kuwait'), name: 'Kuwait', currency: 'KWD', weekdays: [0] },
];

/** Minor units at the scale of the row's currency. */
export interface Row {
  readonly type: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
}

/** A settlement as it is in the end; what the service says of it before is in its dates. */
export interface Payout {
  readonly id: string;
  readonly endToEndId: string;
  readonly token: Token;
  readonly day: string;
  readonly rows: readonly Row[];
  readonly status: 'settled' | 'settled_out_of_balance';
  /** Pay-in as reported − as computed. */
  readonly off: bigint;
  readonly restated: { readonly on: string; readonly off: bigint } | undefined;
  /** The day from which the service lists it as settled. */
  readonly known: string;
  /** Before, it is listed as pending, or not at all. */
  readonly isPendingBefore: boolean;
  readonly story: string;
}

/** An entry of a bank statement. */
export interface Line {
  readonly kind: 'payout' | 'unknown' | 'unrelated';
  readonly currency: string;
  readonly day: string;
  readonly amount: bigint;
  /** Taken off, as the bank states it. */
  readonly charge: bigint;
  readonly parts: readonly { readonly payout: Payout; readonly amount: bigint }[];
  readonly text: string;
}

export interface Year {
  readonly year: number;
  readonly format: BankFormat;
  readonly from: string;
  readonly to: string;
  readonly payouts: readonly Payout[];
  /** In the order of the bank. */
  readonly lines: readonly Line[];
}

/** What can be known in the evening of a day: the service's list and the statements up to it. */
export interface Known {
  readonly until: string;
  readonly format: BankFormat;
  readonly settled: readonly SeenPayout[];
  readonly pending: readonly SeenPayout[];
  readonly lines: readonly Line[];
}

export interface SeenPayout {
  readonly payout: Payout;
  readonly off: bigint;
  readonly payIn: bigint;
}

/** A UUID that is always the same for a name. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), '4000', '8000', hex.slice(12, 24)].join('-');
}

export const sum = (values: readonly bigint[]): bigint =>
  values.reduce((all, one) => all + one, 0n);

/** Gross, fees and tax of the rows in the settlement's own currency. */
export function computedOf({ rows, token }: Payout) {
  const own = rows.filter(({ currency }) => currency === token.currency);
  const gross = sum(own.map(({ amount }) => amount));
  const fees = sum(own.map((row) => row.fees));
  const tax = sum(own.map((row) => row.tax));
  return { gross, fees, tax, payIn: gross - fees - tax };
}

export function knownAt({ payouts, lines, format }: Year, until: string): Known {
  const seen = (payout: Payout): SeenPayout => {
    const { restated } = payout;
    const off = restated && restated.on <= until ? restated.off : payout.off;
    return { payout, off, payIn: computedOf(payout).payIn + off };
  };
  const isPending = (one: Payout) => one.isPendingBefore && one.day <= until && one.known > until;
  return {
    until,
    format,
    settled: payouts.filter(({ known }) => known <= until).map(seen),
    pending: payouts.filter(isPending).map(seen),
    lines: lines.filter(({ day }) => day <= until),
  };
}

/** A year of a merchant: the same seed gives the same year. Odd seeds have camt, even ones MT940. */
export function makeYear(seed: number): Year {
  return new YearMaker(seed).make();
}

interface Story {
  /** How many of some 210 pay-outs. */
  readonly weight: number;
  /**
   * What the bank does: per cent of the pay-in, minor units more or less, a stated charge (`c`), and
   * after how many business days.
   */
  readonly bank?: string;
  readonly is?: 'negative' | 'zero' | 'foreign';
  /** What the service does, days after the settlement's date. */
  readonly service?: (random: Random, day: string) => Partial<Payout>;
}

const off = (random: Random) => BigInt(random.pick([-1, 1]) * random.int(1, 900));
const later = (random: Random, day: string, most: number) => dayAfter(day, random.int(2, most));

/** What happens to pay-outs. */
export const stories: Readonly<Record<string, Story>> = {
  whole: { weight: 60, bank: '100@1..3' },
  parts: { weight: 8, bank: '40@1 60@2..5' },
  three_parts: { weight: 4, bank: '10@1 30@1 60@3' },
  part_after_due: { weight: 5, bank: '70@1..5 30@6..25' },
  twice: { weight: 6, bank: '100@1 100@1..25' },
  twice_returned: { weight: 5, bank: '100@1 100@2 -100@3..25' },
  twice_all_returned: { weight: 4, bank: '100@1 100@2 -100@3..9 -100@10..25' },
  returned_before_due: { weight: 5, bank: '100@1..3 -100@4..5' },
  returned_after_due: { weight: 5, bank: '100@1 -100@6..25' },
  returned_in_parts: { weight: 4, bank: '100@1 -30@6..8 -70@8..20' },
  partly_returned: { weight: 3, bank: '100@1 -20@3' },
  partly_paid_again: { weight: 3, bank: '100@1 -20@3 20@4..12' },
  paid_again: { weight: 6, bank: '100@1 -100@2..9 100@10..25' },
  over: { weight: 5, bank: '100+77@1..4' },
  short: { weight: 6, bank: '100-333@1..5' },
  short_returned: { weight: 4, bank: '100-250@1 -100+250@6..15 100@16..25' },
  charged: { weight: 8, bank: '100-150c150@1..5' },
  charged_late: { weight: 3, bank: '100-150c150@7..12' },
  charged_returned: { weight: 3, bank: '100-150c150@1 -100+150@3..9 100-150@10..25' },
  other_charge: { weight: 3, bank: '100-150c151@2' },
  missing: { weight: 5 },
  late: { weight: 6, bank: '100@6..40' },
  late_short: { weight: 3, bank: '100-99@6..12' },
  early: { weight: 4, bank: '100@-1' },
  negative: { weight: 4, is: 'negative', bank: '100@1..3' },
  negative_twice: { weight: 3, is: 'negative', bank: '100@1 100@3' },
  negative_returned: { weight: 3, is: 'negative', bank: '100@1 100@3 -100@8..12 -100@9..20' },
  negative_short: { weight: 3, is: 'negative', bank: '100-70@1' },
  negative_missing: { weight: 2, is: 'negative' },
  zero: { weight: 2, is: 'zero' },
  foreign: { weight: 3, is: 'foreign', bank: '100@1..3' },
  off: {
    weight: 6,
    bank: '100@1..3',
    service: (random) => ({ off: off(random), status: 'settled_out_of_balance' }),
  },
  restated: {
    weight: 8,
    bank: '100@1..3',
    service: (random, day) => ({ restated: { on: later(random, day, 60), off: off(random) } }),
  },
  pending: {
    weight: 5,
    bank: '100@1..18',
    service: (random, day) => ({ known: later(random, day, 20), isPendingBefore: true }),
  },
  unlisted: {
    weight: 5,
    bank: '100@1..3',
    service: (random, day) => ({ known: later(random, day, 40) }),
  },
};

/** A word of a story of the bank: `-100+250@6..15`. */
const step = /^(-?\d+)([+-]\d+)?(?:c(\d+))?@(-?\d+)(?:\.\.(\d+))?$/;

class YearMaker {
  readonly #random: Random;
  readonly #seed: number;
  readonly #format: BankFormat;
  readonly #from: string;
  readonly #to: string;
  readonly #payouts: Payout[] = [];
  readonly #lines: Line[] = [];
  #deck: string[] = [];

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = new Random(seed);
    this.#format = seed % 2 === 1 ? 'camt' : 'mt940';
    this.#from = `${2024 + (seed % 4)}-01-01`;
    this.#to = `${this.#from.slice(0, 4)}-12-31`;
  }

  make(): Year {
    for (const day of daysBetween(this.#from, this.#to)) {
      const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
      const settling = tokens.filter(({ weekdays }) => weekdays.includes(weekday));
      const [one, other] = settling.filter(({ currency }) => currency === 'EUR');
      if (one && other && this.#random.chance(25)) this.#pair(one, other, day);
      else for (const token of settling) this.#single(token, day);
      if (this.#random.chance(8)) this.#other('unknown', day);
      if (this.#random.chance(10)) this.#other('unrelated', day);
    }
    const format = this.#format;
    const lines = this.#lines.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
    const [from, to] = [this.#from, this.#to];
    return { year: Number(from.slice(0, 4)), format, from, to, payouts: this.#payouts, lines };
  }

  #single(token: Token, day: string): void {
    // Dealt like cards, so that each year has every story.
    if (this.#deck.length === 0) {
      const cards = Object.entries(stories).flatMap(([name, { weight }]) =>
        Array<string>(weight).fill(name),
      );
      this.#deck = [...this.#random.shuffled(cards)];
    }
    const name = this.#deck.pop() ?? '';
    const { is, service, bank = '' }: Partial<Story> = stories[name] ?? {};
    const payout = this.#payout(token, day, name, is, service?.(this.#random, day));
    const payIn = computedOf(payout).payIn + payout.off;
    for (const word of bank.split(' ').filter((word) => word !== '')) {
      const [, percent, more = 0, charge = 0, first, last = first] = step.exec(word) ?? [];
      const amount = part(payIn, Number(percent)) + (payIn < 0n ? -1n : 1n) * BigInt(more);
      const after = this.#random.int(Number(first), Number(last));
      this.#receive([{ payout, amount }], after, BigInt(charge));
    }
  }

  /** Two pay-outs in one entry. Where the bank divides it, a part may be short. */
  #pair(one: Token, other: Token, day: string): void {
    const isShort = this.#format === 'camt' && this.#random.chance(40);
    const story = isShort ? 'shared_short' : 'shared';
    const parts = [one, other].map((token, index) => {
      const payout = this.#payout(token, day, story);
      return { payout, amount: computedOf(payout).payIn - (isShort ? BigInt(index * 77) : 0n) };
    });
    this.#receive(parts, this.#random.int(1, 4));
  }

  #payout(
    token: Token,
    day: string,
    story: string,
    is: Story['is'] = undefined,
    service: Partial<Payout> = {},
  ): Payout {
    const id = idOf(`${this.#seed} ${token.name} ${day}`);
    const payout: Payout = {
      ...{ id, token, day, story },
      endToEndId: `E2E${id.replaceAll('-', '').slice(0, 16).toUpperCase()}`,
      rows: is === 'zero' ? [] : this.#rows(token.currency, is),
      status: 'settled',
      off: 0n,
      restated: undefined,
      known: day,
      isPendingBefore: false,
      ...service,
    };
    this.#payouts.push(payout);
    return payout;
  }

  #rows(currency: string, is: Story['is']): Row[] {
    const row = (type: string, amount: bigint, own = currency): Row => {
      const fees = type === 'purchase' ? amount / 70n + 3n : 0n;
      return { type, currency: own, amount, fees, tax: fees / 5n };
    };
    const amount = () => BigInt(this.#random.int(8_000, 400_000));
    const rows = [row('purchase', amount())];
    if (this.#random.chance(50)) rows.push(row('purchase', amount()));
    if (is === 'negative') rows.push(row('refund', -1_200_000n));
    if (is === 'foreign') rows.push(row('purchase', amount(), 'USD'));
    return rows;
  }

  #receive(parts: Line['parts'], after: number, charge = 0n): void {
    const [{ payout }] = parts as readonly [Line['parts'][number]];
    const { currency } = payout.token;
    this.#lines.push({
      kind: 'payout',
      currency,
      day: businessDayAfter(payout.day, after, currency),
      amount: sum(parts.map(({ amount }) => amount)),
      charge: this.#format === 'camt' ? charge : 0n,
      parts,
      text: `Payout ${payout.day}`,
    });
  }

  #other(kind: 'unknown' | 'unrelated', day: string): void {
    const currency = this.#random.pick(['EUR', 'EUR', 'JPY', 'KWD']);
    const isIn = kind === 'unknown' || this.#random.chance(40);
    const amount = BigInt(this.#random.int(1_000, 250_000)) * (isIn ? 1n : -1n);
    const on = isBusinessDay(day, currency) ? day : businessDayAfter(day, 1, currency);
    const text = kind === 'unknown' ? 'Payment' : 'Rent';
    this.#lines.push({ kind, currency, day: on, amount, charge: 0n, parts: [], text });
  }
}

/** So many per cent. Of two parts, the larger is what the smaller one leaves. */
function part(amount: bigint, percent: number): bigint {
  const size = Math.abs(percent);
  const share = size > 50 ? amount - part(amount, 100 - size) : (amount * BigInt(size)) / 100n;
  return percent < 0 ? -share : share;
}
