import { createHash } from 'node:crypto';
import { Random } from '../../../support/random.ts';
import { businessDayAfter, dayAfter, daysBetween, daysFrom, dueDay } from '../calendar.ts';
import { sum, type Token, tokens } from '../year.ts';

/** The two months that are closed, one after another. */
export const months = [
  { name: '2026-03', from: '2026-03-01', to: '2026-03-31' },
  { name: '2026-04', from: '2026-04-01', to: '2026-04-30' },
] as const;

/** Whether what the program is known to get wrong is made too: see the list in the README. */
const isWhole = process.env['LADDER_FAULTS'] === '1';

export type Month = (typeof months)[number];

const firstDay = months[0].from;
const lastDay = '2026-05-12';

/** As the shop exports it. `kind` is the story of the order, which the program does not see. */
export interface Order {
  readonly kind: OrderKind;
  readonly ref: string;
  readonly token: Token;
  readonly day: string;
  readonly total: bigint;
  readonly refund?: { readonly day: string; readonly amount: bigint };
}

/** A transaction. `day` is where the merchant is, `time` in UTC. */
export interface Row {
  readonly id: string;
  readonly type: 'purchase' | 'refund' | 'chargeback';
  readonly ref: string;
  readonly day: string;
  readonly time: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  /** Of fees and tax: what is above the contract. */
  readonly over: bigint;
}

export interface Settlement {
  readonly id: string;
  readonly endToEndId: string;
  readonly token: Token;
  readonly day: string;
  readonly rows: Row[];
  /** In the header, and not listed. */
  hidden?: Row;
  header: 'right' | 'fees' | 'pay_in' | 'gross' | 'service_says';
  /** The first row is listed twice. */
  isDoubled?: true;
  /** By how much the header is off, in minor units. */
  off: bigint;
  /** The first day on which it is no longer pending. */
  settledOn: string;
  /** From that day, the fees of the first row are so much more. */
  restated?: { readonly on: string; readonly fees: bigint };
  story: Story;
}

/** An entry of the bank. */
interface Line {
  readonly kind: 'payout' | 'unknown' | 'unrelated';
  readonly currency: string;
  readonly day: string;
  readonly amount: bigint;
  readonly charge: bigint;
  readonly parts: readonly { readonly payout: Settlement; readonly amount: bigint }[];
  readonly text: string;
}

/** What becomes of a pay-out in transit, each on its day. */
interface Move {
  readonly settlement: Settlement;
  readonly day: string;
  readonly what: 'received' | 'charged' | 'over' | 'short';
  readonly amount: bigint;
}

type OrderKind = (typeof orderKinds)[number] | 'plain' | 'slow' | 'lost_late';

/** Stories of orders that are sold in the first three weeks of a month. */
const orderKinds = [
  ...(['parts', 'refunded', 'refunded_later', 'cancelled', 'unpaid', 'other_method'] as const),
  ...(['charged_back', 'refund_unknown', 'two_purchases_one_refunded'] as const),
  ...(['missing', 'twice', 'more', 'less', 'refund_missing', 'refund_late'] as const),
  ...(['cancelled_settled', 'unpaid_settled', 'foreign'] as const),
];

/** Of these, a month needs no decision. */
const quietOrders: ReadonlySet<string> = new Set(orderKinds.slice(0, 9));

type Story = (typeof stories)[number] | (typeof laterStories)[number] | 'plain' | 'restated';

/** Stories of the last days of a month, which end in the next. */
const laterStories = ['halves', 'short_later', 'twice_later', 'returned_later'] as const;

const stories = [
  ...(['halves', 'shared', 'charged', 'returned_paid'] as const),
  ...(['short', 'over', 'twice', 'returned', 'late', 'missing'] as const),
];

const quietStories: ReadonlySet<string> = new Set(stories.slice(0, 4));

const headers = ['fees', 'pay_in', 'gross', 'service_says', 'hidden', 'doubled'] as const;

export interface Merchant {
  readonly seed: number;
  /** Nothing needs a decision. */
  readonly isQuiet: boolean;
  readonly timeZone: 'UTC' | 'Europe/Madrid';
  readonly format: 'camt' | 'mt940';
  readonly tokens: readonly Token[];
  readonly orders: readonly Order[];
  /** Whether the orders of February are in a file too. */
  readonly hasEarlierFile: boolean;
  readonly settlements: readonly Settlement[];
  readonly lines: readonly Line[];
  readonly moves: readonly Move[];
  /** The evening on which each month is closed. */
  readonly evenings: readonly [string, string];
}

/** The contract: per ten thousand, and a fixed part in minor units; a chargeback costs `back`. */
export const contracts: Readonly<Record<string, { part: bigint; fixed: bigint; back: bigint }>> = {
  EUR: { part: 140n, fixed: 25n, back: 1500n },
  JPY: { part: 160n, fixed: 30n, back: 2000n },
  KWD: { part: 210n, fixed: 75n, back: 4500n },
};

function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), '4000', '8000', hex.slice(12, 24)].join('-');
}

const unit: Readonly<Record<string, number>> = { EUR: 1, JPY: 1, KWD: 10 };

/** Two months of a merchant, with the days around them: the same seed gives the same ones. */
export function makeMonths(seed: number): Merchant {
  return new Maker(seed).make();
}

class Maker {
  readonly #seed: number;
  readonly #random: Random;
  readonly #isQuiet: boolean;
  readonly #tokens: readonly Token[];
  readonly #timeZone: Merchant['timeZone'];
  readonly #format: Merchant['format'];
  readonly #evenings: readonly [string, string];
  readonly #orders: Order[] = [];
  readonly #settlements = new Map<string, Settlement>();
  readonly #lines: Line[] = [];
  readonly #moves: Move[] = [];
  #count = 0;

  constructor(seed: number) {
    this.#seed = seed;
    const random = new Random(seed * 7919);
    this.#random = random;
    this.#isQuiet = seed % 5 === 0;
    const third = seed % 2 === 1 ? 'JPY' : 'KWD';
    const isOurs = ({ name, currency }: Token) =>
      name === 'Web' || currency === third || (name === 'Stores' && seed % 3 !== 0);
    this.#tokens = tokens.filter(isOurs);
    this.#timeZone = random.chance(50) ? 'UTC' : 'Europe/Madrid';
    this.#format = random.chance(60) ? 'camt' : 'mt940';
    const [march, april] = months;
    // If nothing is to need a decision, all orders of the month must have had their days.
    const days = this.#isQuiet ? [8, 10] : [3, 8, 10];
    this.#evenings = [
      dayAfter(march.to, random.pick(days)),
      dayAfter(april.to, random.pick([8, 10])),
    ];
  }

  make(): Merchant {
    for (const token of this.#tokens) this.#sell(token);
    for (const month of months) this.#strangers(month);
    if (!this.#isQuiet) for (const month of months) this.#owe(month);
    for (const month of months) this.#misreport(month);
    for (const month of months) this.#delay(month);
    if (!this.#isQuiet) this.#restate();
    this.#pay();
    for (const month of months) this.#others(month);
    return {
      ...{ seed: this.#seed, isQuiet: this.#isQuiet, evenings: this.#evenings },
      ...{ timeZone: this.#timeZone, format: this.#format, tokens: this.#tokens },
      orders: this.#orders,
      hasEarlierFile: this.#random.chance(50),
      settlements: [...this.#settlements.values()].sort((a, b) => (a.day < b.day ? -1 : 1)),
      lines: this.#lines.sort((a, b) => (a.day < b.day ? -1 : 1)),
      moves: this.#moves,
    };
  }

  /** Orders of all days, each with its story, and their rows. */
  #sell(token: Token): void {
    const random = this.#random;
    const days = daysBetween('2026-02-23', '2026-05-06').flatMap((day) =>
      random.chance(token.name === 'Web' ? 90 : 45) ? [day] : [],
    );
    const kinds = new Map<string, OrderKind>();
    for (const { name, to } of months) {
      const early = days.filter((day) => day.startsWith(name) && day.slice(8) <= '19');
      const wanted = orderKinds.filter((kind) => !this.#isQuiet || quietOrders.has(kind));
      random.sample(early, random.int(6, 12)).forEach((day) => {
        kinds.set(day, random.pick(wanted));
      });
      const tail = days.filter((day) => day >= dayAfter(to, -3) && day <= to);
      if (this.#isQuiet || tail.length === 0) continue;
      if (random.chance(60)) kinds.set(random.pick(tail), 'slow');
      if (random.chance(40)) kinds.set(random.pick(tail), 'lost_late');
    }
    for (const day of days) this.#order(token, day, kinds.get(day) ?? 'plain');
  }

  #order(token: Token, day: string, kind: OrderKind): void {
    const random = this.#random;
    const total = BigInt(random.int(1200, 48_000) * (unit[token.currency] ?? 1));
    const part = total / BigInt(random.int(2, 5));
    const few = BigInt(random.int(1, 40));
    const ref = `A${String(++this.#count).padStart(5, '0')}`;
    const month = months.find(({ name }) => day.startsWith(name));
    const monthEnd = month?.to ?? day;
    const first = this.#nextDay(token, day);
    const buy = (amount: bigint, on = first, currency = token.currency) =>
      this.#row(token, on, { type: 'purchase', ref, day, amount, currency });
    const back = (amount: bigint, refunded: string, type: Row['type'] = 'refund') =>
      this.#row(token, this.#nextDay(token, refunded), {
        type,
        ref,
        day: refunded,
        amount: -amount,
      });
    const order: Order = { kind, ref, token, day, total };
    const later = dayAfter(day, random.int(1, 3));
    const write = (refund?: Order['refund']) =>
      this.#orders.push(refund ? { ...order, refund } : order);
    switch (kind) {
      case 'missing':
      case 'lost_late':
      case 'cancelled':
      case 'unpaid':
      case 'other_method':
        write();
        return;
      case 'slow':
        buy(total, this.#nextDay(token, dayAfter(monthEnd, 9)));
        write();
        return;
      case 'parts':
        buy(part);
        buy(total - part, this.#nextDay(token, later));
        write();
        return;
      case 'refunded':
        buy(total);
        back(part, later);
        write({ day: later, amount: part });
        return;
      case 'refunded_later': {
        const refunded = dayAfter(monthEnd, -random.int(0, 1));
        buy(total);
        back(total, refunded);
        write({ day: refunded, amount: total });
        return;
      }
      case 'refund_missing':
        buy(total);
        write({ day: later, amount: part });
        return;
      case 'refund_late':
        buy(total);
        write({ day: dayAfter(monthEnd, -1), amount: part });
        return;
      case 'refund_unknown':
        buy(total);
        back(part, later);
        write();
        return;
      case 'charged_back':
        buy(total);
        back(total, later, 'chargeback');
        write();
        return;
      case 'two_purchases_one_refunded':
        buy(total);
        buy(total);
        back(total, later);
        write();
        return;
      case 'twice':
        buy(total);
        buy(total);
        write();
        return;
      case 'more':
        buy(total + few);
        write();
        return;
      case 'less':
        buy(total - few);
        write();
        return;
      case 'foreign':
        buy(total, first, 'USD');
        write();
        return;
      default:
        buy(total);
        write();
    }
  }

  /** The first day of settlement after a day. */
  #nextDay({ weekdays }: Token, day: string): string {
    const isOne = (on: string) => weekdays.includes(new Date(`${on}T00:00:00Z`).getUTCDay());
    return daysBetween(dayAfter(day, 1), dayAfter(day, 8)).find(isOne) ?? day;
  }

  #settlement(token: Token, day: string): Settlement {
    const name = `${this.#seed} ${token.name} ${day}`;
    const found = this.#settlements.get(name);
    if (found) return found;
    const made: Settlement = {
      ...{ id: idOf(name), endToEndId: `E2E${idOf(name).replaceAll('-', '').slice(0, 20)}` },
      ...{ token, day, rows: [], settledOn: day },
      ...{ header: 'right' as const, off: 0n, story: 'plain' as const },
    };
    this.#settlements.set(name, made);
    return made;
  }

  /** Most are at noon, some just before or after midnight where the merchant is. */
  #time(day: string): string {
    const clock = this.#random.pick(['12:00', '12:00', '00:10', '23:50']);
    const summer = day >= '2026-03-29';
    const ahead = this.#timeZone === 'UTC' ? 0 : summer ? 2 : 1;
    return new Date(Date.parse(`${day}T${clock}:00Z`) - ahead * 3_600_000).toISOString();
  }

  #row(
    token: Token,
    on: string,
    row: Pick<Row, 'type' | 'ref' | 'day' | 'amount'> & { currency?: string },
  ): void {
    if (on > lastDay) return;
    const { type, amount, currency = token.currency } = row;
    const { part = 0n, fixed = 0n, back = 0n } = contracts[currency] ?? {};
    const agreed =
      type === 'purchase' ? (amount * part) / 10_000n + fixed : type === 'refund' ? 0n : back;
    const isDear = !this.#isQuiet && type === 'purchase' && this.#random.chance(3);
    const fees = agreed + (isDear && currency !== 'USD' ? BigInt(this.#random.int(1, 30)) : 0n);
    const tax = fees / 5n;
    this.#settlement(token, on).rows.push({
      ...{ id: idOf(`${this.#seed} row ${++this.#count}`), type, ref: row.ref, day: row.day },
      ...{ time: this.#time(row.day), currency, amount, fees, tax },
      over: fees + tax - (agreed + agreed / 5n),
    });
  }

  /** Rows that no order of the files has: purchases of these days, and refunds of long ago. */
  #strangers({ name, to }: Month): void {
    for (const token of this.#tokens) {
      const amount = () => BigInt(this.#random.int(900, 3000) * (unit[token.currency] ?? 1));
      const day = `${name}-${this.#random.pick(['05', '11', '16'])}`;
      const on = this.#nextDay(token, day);
      if (this.#random.chance(50))
        this.#row(token, on, { type: 'purchase', ref: `X${++this.#count}`, day, amount: amount() });
      if (this.#random.chance(50))
        this.#row(token, on, { type: 'refund', ref: `B${++this.#count}`, day, amount: -amount() });
      // The same, after the month.
      const next = this.#nextDay(token, to);
      if (this.#random.chance(30))
        this.#row(token, next, {
          type: 'refund',
          ref: `C${++this.#count}`,
          day: to,
          amount: -amount(),
        });
    }
    // None is to be negative.
    for (const settlement of this.#settlements.values()) {
      const { currency } = settlement.token;
      const left = sum(settlement.rows.filter((row) => row.currency === currency).map(netOf));
      if (left > 0n) continue;
      const ref = `A${String(++this.#count).padStart(5, '0')}`;
      const total = -left * 2n + 100_000n;
      const day = dayAfter(settlement.day, -1);
      this.#orders.push({ kind: 'plain', ref, token: settlement.token, day, total });
      this.#row(settlement.token, settlement.day, { type: 'purchase', ref, day, amount: total });
    }
  }

  /** A settlement of which the service takes money back. */
  #owe(month: Month): void {
    const random = this.#random;
    const early = this.#early(month);
    if (early.length === 0 || !random.chance(40)) return;
    const { token, day, rows } = random.pick(early);
    const amount = -2n * sum(rows.map(netOf).map(abs));
    const ref = `B${++this.#count}`;
    this.#row(token, day, { type: 'refund', ref, day: dayAfter(day, -1), amount });
  }

  /** Settlements of the first three weeks of a month. */
  #early({ name }: Month): readonly Settlement[] {
    return [...this.#settlements.values()].filter(
      ({ day, rows, settledOn }) =>
        day.startsWith(name) && day.slice(8) <= '20' && settledOn === day && rows.length > 0,
    );
  }

  #misreport(month: Month): void {
    const random = this.#random;
    const all = random.shuffled(this.#early(month));
    const wanted = this.#isQuiet ? (['doubled'] as const) : headers;
    wanted.forEach((header, at) => {
      const settlement = all[at];
      if (!settlement || !random.chance(60)) return;
      const off = BigInt(random.int(1, 900)) * (random.chance(50) ? 1n : -1n);
      if (header === 'doubled') settlement.isDoubled = true;
      else if (header === 'hidden') {
        const plain = (ref: string) =>
          this.#orders.find((one) => one.ref === ref)?.kind === 'plain';
        const row = settlement.rows.find(({ ref, over }) => plain(ref) && over === 0n);
        if (!row || settlement.rows.length < 2) return;
        settlement.hidden = row;
        settlement.rows.splice(settlement.rows.indexOf(row), 1);
      } else {
        settlement.header = header;
        settlement.off = header === 'fees' ? (off < 0n ? -off : off) : off;
      }
    });
  }

  /** Settlements that are pending when the month is closed. */
  #delay(month: Month): void {
    const random = this.#random;
    const [first, second] = this.#evenings;
    const settledOn = month.name === months[0].name ? dayAfter(first, 4) : dayAfter(second, 4);
    const last = [...this.#settlements.values()].filter(
      ({ day }) => day >= dayAfter(month.to, -3) && day <= month.to,
    );
    for (const settlement of last) if (random.chance(35)) settlement.settledOn = settledOn;
    if (this.#isQuiet || !random.chance(40)) return;
    const plain = this.#early(month).filter(
      ({ day, header, hidden, isDoubled }) =>
        day.slice(8) <= '12' && header === 'right' && !hidden && !isDoubled,
    );
    if (plain.length > 0) random.pick(plain).settledOn = settledOn;
  }

  /** After March is closed, the service corrects fees of it. */
  #restate(): void {
    const plain = this.#early(months[0]).filter(
      ({ header, hidden, isDoubled }) => header === 'right' && !hidden && !isDoubled,
    );
    const on = dayAfter(this.#evenings[0], 2);
    for (const settlement of this.#random.sample(plain, this.#random.int(0, 2))) {
      settlement.story = 'restated';
      const amount =
        BigInt(this.#random.int(1, 20)) * (this.#random.chance(50) || !isWhole ? 1n : -1n);
      // More fees are a smaller pay-out; of one that the bank debits, a larger one.
      const isDebit = payInOf(settlement, on) < 0n;
      settlement.restated = { on, fees: isDebit ? -amount : amount };
    }
  }

  #pay(): void {
    const random = this.#random;
    for (const month of months) {
      const early = this.#early(month).filter(
        (one) =>
          one.story === 'plain' &&
          dueDay(one.day, one.token.currency) <= month.to &&
          payInOf(one, one.day) > 0n,
      );
      const wanted = stories.filter((story) => !this.#isQuiet || quietStories.has(story));
      const chosen = random.shuffled(wanted).filter(() => random.chance(60));
      const left = [...random.shuffled(early)];
      for (const story of chosen) {
        const settlement = left.pop();
        if (settlement) settlement.story = story === 'charged' && this.#isQuiet ? 'plain' : story;
      }
    }
    const all = [...this.#settlements.values()];
    for (const { to } of months) {
      const last = all.filter(
        ({ day, settledOn }) => day > dayAfter(to, -4) && day <= to && day === settledOn,
      );
      if (!this.#isQuiet)
        for (const one of random.sample(last, random.int(0, 2)))
          one.story = random.pick(laterStories);
    }
    for (const settlement of all) {
      if (this.#moves.some((move) => move.settlement === settlement)) continue;
      if (settlement.story !== 'shared') this.#arrive(settlement);
      else {
        const { token, day } = settlement;
        const isOther = (one: Settlement) =>
          one.token !== token &&
          one.token.currency === token.currency &&
          one.story === 'plain' &&
          one.settledOn === one.day &&
          abs(BigInt(daysFrom(day, one.day))) < 3n &&
          one.day.slice(0, 7) === day.slice(0, 7) &&
          !this.#moves.some((move) => move.settlement === one);
        const other = all.find(isOther);
        if (other) this.#arriveTogether(settlement, other);
        else this.#arrive(settlement);
      }
    }
  }

  /** One entry of the bank for the pay-outs of two accounts. */
  #arriveTogether(one: Settlement, other: Settlement): void {
    other.story = 'shared';
    const both = [one, other];
    const { currency } = one.token;
    const last = one.day < other.day ? other.day : one.day;
    const day = businessDayAfter(last, 1, currency);
    const parts = both.map((payout) => ({ payout, amount: payInOf(payout, day) }));
    const amount = sum(parts.map((part) => part.amount));
    this.#lines.push({ kind: 'payout', currency, day, amount, charge: 0n, parts, text: 'Payouts' });
    for (const part of parts)
      this.#moves.push({ settlement: part.payout, day, what: 'received', amount: part.amount });
  }

  #arrive(settlement: Settlement): void {
    const random = this.#random;
    const { token, day, settledOn, story, endToEndId } = settlement;
    const { currency } = token;
    const isLate = settledOn > day;
    const amount = payInOf(settlement, isLate ? settledOn : day);
    // Those of before the books arrive in their first days.
    const from = day < firstDay ? '2026-03-01' : isLate ? settledOn : day;
    const on = businessDayAfter(from, random.int(1, 3), currency);
    const due = dueDay(day, currency);
    const line = (when: string, money: bigint, charge = 0n) => {
      const parts = [{ payout: settlement, amount: money }];
      const text = `Payout ${day} ${endToEndId.slice(3, 9)}`;
      this.#lines.push({ kind: 'payout', currency, day: when, amount: money, charge, parts, text });
    };
    const move = (what: Move['what'], when: string, money: bigint) =>
      this.#moves.push({ settlement, day: when, what, amount: money });
    const receive = (when: string, money: bigint) => {
      line(when, money);
      move('received', when, money);
    };
    const few = BigInt(random.int(1, 300));
    const next = businessDayAfter(on, 1, currency);
    // Late: in the month, or after the evening on which it is closed; what is between is not judged.
    const closed = months.findIndex(({ to }) => day <= to);
    const evening = this.#evenings[closed] ?? lastDay;
    const soon = businessDayAfter(due, random.int(2, 4), currency);
    const afterwards = businessDayAfter(evening, random.int(1, 3), currency);
    const isInMonth = soon <= (months[closed]?.to ?? soon);
    const late = isInMonth ? soon : businessDayAfter(evening, random.int(1, 3), currency);
    switch (story) {
      case 'halves':
        receive(on, amount / 3n);
        receive(next, amount - amount / 3n);
        return;
      case 'charged': {
        const charge = amount > few * 4n ? few : 1n;
        line(on, amount - charge, this.#format === 'camt' ? charge : 0n);
        move('received', on, amount - charge);
        if (this.#format === 'camt') move('charged', on, charge);
        else move('short', due, charge);
        return;
      }
      case 'short': {
        const less = amount > few * 4n ? few : 1n;
        receive(on, amount - less);
        move('short', due, less);
        return;
      }
      case 'over':
        receive(on, amount + few);
        move('over', on, few);
        return;
      case 'twice':
        receive(on, amount);
        receive(next, amount);
        move('over', next, amount);
        return;
      case 'short_later':
        receive(on, amount - 1n);
        move('short', due, 1n);
        return;
      case 'twice_later':
        receive(on, amount);
        receive(afterwards, amount);
        move('over', afterwards, amount);
        return;
      case 'returned_later':
        receive(on, amount);
        receive(afterwards, -amount);
        return;
      case 'returned':
        receive(on, amount);
        receive(next, -amount);
        return;
      case 'returned_paid':
        receive(on, amount);
        receive(next, -amount);
        receive(businessDayAfter(on, 2, currency), amount);
        return;
      case 'late':
        receive(late, amount);
        return;
      case 'missing':
        return;
      case 'restated': {
        receive(on, amount);
        const { on: known, fees } = settlement.restated ?? { on: day, fees: 0n };
        // A smaller pay-out: what was received is too much. It moves on the first day that is not closed.
        const then = dayAfter(months[0].to, 1);
        const isSmaller = fees > 0n === amount > 0n;
        if (known > this.#evenings[0])
          move(isSmaller ? 'over' : 'short', then, isSmaller ? fees : -fees);
        return;
      }
      default:
        receive(on, amount);
    }
  }

  /** What others pay and receive, and what the service pays without a reason. */
  #others({ name }: Month): void {
    const random = this.#random;
    for (const currency of new Set(this.#tokens.map((token) => token.currency))) {
      const scale = unit[currency] ?? 1;
      const one = (kind: Line['kind'], day: string, amount: bigint, text: string) =>
        this.#lines.push({
          kind,
          currency,
          day: `${name}-${day}`,
          amount,
          charge: 0n,
          parts: [],
          text,
        });
      one('unrelated', '10', BigInt(-random.int(100_000, 200_000) * scale), 'Rent');
      one('unrelated', '30', BigInt(-random.int(500, 990) * scale), 'Account fee');
      if (!this.#isQuiet && random.chance(60))
        one('unknown', '17', BigInt(random.int(1_000_001, 1_999_999) * scale), 'Bonus');
    }
  }
}

export const abs = (value: bigint) => (value < 0n ? -value : value);

const netOf = ({ amount, fees, tax }: Row) => amount - fees - tax;

/** The rows in the settlement's own currency, as they are known in an evening. */
export function ownRows({ rows, token, restated }: Settlement, evening: string): readonly Row[] {
  const own = rows.filter(({ currency }) => currency === token.currency);
  const [first, ...others] = own;
  if (!first || !restated || restated.on > evening) return own;
  return [{ ...first, fees: first.fees + restated.fees }, ...others];
}

/** Net pay-out as reported − as computed from the rows. */
export function payInDifferenceOf({ header, off, hidden }: Settlement): bigint {
  const ofHeader = header === 'fees' ? -off : header === 'pay_in' ? off : 0n;
  return ofHeader + (hidden ? netOf(hidden) : 0n);
}

/** Net pay-out as reported in an evening. */
export function payInOf(settlement: Settlement, evening: string): bigint {
  return sum(ownRows(settlement, evening).map(netOf)) + payInDifferenceOf(settlement);
}
