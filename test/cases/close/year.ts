import { createHash } from 'node:crypto';
import { Random } from '../../support/random.ts';
import { businessDayAfter, dayAfter, daysBetween, isBusinessDay } from './calendar.ts';

/** MT940 states no charges and does not divide an entry. */
export type BankFormat = 'camt' | 'mt940';

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  /** The weekdays on which it settles, from 0 for Sunday. */
  readonly weekdays: readonly number[];
}

export const decimals: Readonly<Record<string, number>> = { EUR: 2, JPY: 0, KWD: 3, USD: 2 };

export const tokens: readonly Token[] = [
  { id: idOf('token web'), name: 'Web', currency: 'EUR', weekdays: [1, 2, 3, 4, 5] },
  { id: idOf('token stores'), name: 'Stores', currency: 'EUR', weekdays: [2, 3, 5, 6] },
  { id: idOf('token japan'), name: 'Japan', currency: 'JPY', weekdays: [1, 4] },
  { id: idOf('token kuwait'), name: 'Kuwait', currency: 'KWD', weekdays: [0, 3] },
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
export function idOf(name: string): string {
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
  /** How many of 200 pay-outs. */
  readonly weight: number;
  readonly is?: 'negative' | 'zero' | 'foreign';
  /** What the service does, days after the settlement's date. */
  readonly service?: (random: Random, day: string) => Partial<Payout>;
  /** What the bank does. Amounts are in per cent of the pay-in, days are business days. */
  readonly bank?: (random: Random) => readonly Paid[];
}

type Paid = readonly [
  percent: number,
  day: number,
  more?: { readonly plus?: number; readonly charge?: number },
];

const whole = (random: Random): readonly Paid[] => [[100, random.int(1, 3)]];
const off = (random: Random) => BigInt(random.pick([-1, 1]) * random.int(1, 900));

/** What happens to pay-outs. `plus` and `charge` are minor units. */
export const stories: Readonly<Record<string, Story>> = {
  whole: { weight: 60, bank: whole },
  parts: {
    weight: 8,
    bank: (r) => [
      [40, 1],
      [60, r.int(2, 5)],
    ],
  },
  three_parts: {
    weight: 4,
    bank: () => [
      [10, 1],
      [20, 1],
      [70, 3],
    ],
  },
  part_after_due: {
    weight: 5,
    bank: (r) => [
      [70, r.int(1, 5)],
      [30, r.int(6, 25)],
    ],
  },
  twice: {
    weight: 6,
    bank: (r) => [
      [100, 1],
      [100, r.int(1, 25)],
    ],
  },
  twice_returned: {
    weight: 5,
    bank: (r) => [
      [100, 1],
      [100, 2],
      [-100, r.int(3, 25)],
    ],
  },
  twice_all_returned: {
    weight: 4,
    bank: (r) => [
      [100, 1],
      [100, 2],
      [-100, r.int(3, 9)],
      [-100, r.int(10, 25)],
    ],
  },
  returned_before_due: { weight: 5, bank: (r) => [whole(r)[0] ?? [100, 1], [-100, r.int(4, 5)]] },
  returned_after_due: {
    weight: 5,
    bank: (r) => [
      [100, 1],
      [-100, r.int(6, 25)],
    ],
  },
  returned_in_parts: {
    weight: 4,
    bank: (r) => [
      [100, 1],
      [-30, r.int(6, 8)],
      [-70, r.int(8, 20)],
    ],
  },
  partly_returned_before_due: {
    weight: 4,
    bank: (r) => [[100, 1], [-20, 3], ...(r.chance(50) ? [[20, r.int(4, 12)] as const] : [])],
  },
  paid_again: {
    weight: 6,
    bank: (r) => {
      const back = r.int(2, 9);
      return [
        [100, 1],
        [-100, back],
        [100, r.int(back + 1, 25)],
      ];
    },
  },
  over: { weight: 5, bank: (r) => [[100, r.int(1, 4), { plus: r.int(1, 900) }]] },
  short: { weight: 6, bank: (r) => [[100, r.int(1, 5), { plus: -r.int(1, 900) }]] },
  short_returned: {
    weight: 4,
    bank: (r) => [
      [100, 1, { plus: -250 }],
      [-100, r.int(6, 15), { plus: 250 }],
      [100, r.int(16, 25)],
    ],
  },
  charged: { weight: 8, bank: (r) => [[100, r.int(1, 5), { plus: -150, charge: 150 }]] },
  charged_late: { weight: 3, bank: (r) => [[100, r.int(7, 12), { plus: -150, charge: 150 }]] },
  charged_returned: {
    weight: 3,
    bank: (r) => [
      [100, 1, { plus: -150, charge: 150 }],
      [-100, r.int(3, 9), { plus: 150 }],
      [100, r.int(10, 25), { plus: -150 }],
    ],
  },
  other_charge: { weight: 3, bank: () => [[100, 2, { plus: -150, charge: 151 }]] },
  missing: { weight: 5 },
  late: { weight: 6, bank: (r) => [[100, r.int(6, 40)]] },
  late_short: { weight: 3, bank: (r) => [[100, r.int(6, 12), { plus: -99 }]] },
  early: { weight: 4, bank: () => [[100, -1]] },
  negative: { weight: 4, is: 'negative', bank: whole },
  negative_twice: {
    weight: 3,
    is: 'negative',
    bank: (r) => [[100, 1], [100, 3], ...(r.chance(50) ? [[-100, 8] as const] : [])],
  },
  negative_short: { weight: 3, is: 'negative', bank: () => [[100, 1, { plus: -70 }]] },
  negative_missing: { weight: 2, is: 'negative' },
  zero: { weight: 2, is: 'zero' },
  foreign: { weight: 3, is: 'foreign', bank: whole },
  off: {
    weight: 6,
    service: (r) => ({ off: off(r), status: 'settled_out_of_balance' }),
    bank: whole,
  },
  restated: {
    weight: 8,
    service: (r, day) => ({ restated: { on: dayAfter(day, r.int(3, 60)), off: off(r) } }),
    bank: whole,
  },
  pending: {
    weight: 5,
    service: (r, day) => ({ known: dayAfter(day, r.int(2, 20)), isPendingBefore: true }),
    bank: (r) => [[100, r.int(1, 18)]],
  },
  unlisted: {
    weight: 5,
    service: (r, day) => ({ known: dayAfter(day, r.int(2, 40)) }),
    bank: whole,
  },
};

class YearMaker {
  readonly #random: Random;
  readonly #seed: number;
  readonly #format: BankFormat;
  readonly #from: string;
  readonly #to: string;
  readonly #payouts: Payout[] = [];
  readonly #lines: Line[] = [];

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
      if (one && other && this.#random.chance(15)) this.#pair(one, other, day);
      else for (const token of settling) this.#single(token, day);
      if (this.#random.chance(6)) this.#other('unknown', day);
      if (this.#random.chance(10)) this.#other('unrelated', day);
    }
    const format = this.#format;
    const lines = this.#lines.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
    const [from, to] = [this.#from, this.#to];
    return { year: Number(from.slice(0, 4)), format, from, to, payouts: this.#payouts, lines };
  }

  #single(token: Token, day: string): void {
    const name = this.#random.pick(
      Object.entries(stories).flatMap(([name, { weight }]) => Array<string>(weight).fill(name)),
    );
    const { is, service, bank } = stories[name] ?? stories['whole'] ?? { weight: 0 };
    const payout = this.#payout(token, day, name, is, service?.(this.#random, day));
    const { payIn } = knownAt({ ...this.#bare, payouts: [payout] }, payout.known).settled[0] ?? {
      payIn: 0n,
    };
    for (const [percent, after, { plus = 0, charge = 0 } = {}] of bank?.(this.#random) ?? []) {
      const sign = payIn < 0n ? -1n : 1n;
      const amount = part(payIn, percent) + sign * BigInt(plus);
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

  get #bare() {
    return { year: 0, format: this.#format, from: '', to: '', payouts: [], lines: [] };
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
