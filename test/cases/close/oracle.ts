import { daysFrom, dueDay } from './calendar.ts';
import {
  computedOf,
  type Known,
  type Line,
  type SeenPayout,
  sum,
  type Token,
  tokens,
} from './year.ts';

/** Where a pay-out stands at a cut-off. All but `open` and `date` are in the pay-in's direction. */
interface Standing {
  readonly received: bigint;
  readonly charges: bigint;
  readonly over: bigint;
  readonly short: bigint;
  /** What is still in transit, as an amount of the books. */
  readonly open: bigint;
}

/** A line of the roll-forward; all are amounts of the books, with their signs. */
export interface RollForward {
  readonly token: Token;
  readonly opening: bigint;
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  readonly payInDifference: bigint;
  readonly settled: bigint;
  readonly received: bigint;
  readonly bankCharges: bigint;
  readonly over: bigint;
  readonly short: bigint;
  readonly closing: bigint;
}

export interface OpenItem {
  readonly settlementId: string;
  readonly date: string;
  readonly dueUntil: string;
  readonly payIn: bigint;
  readonly open: bigint;
  readonly ageDays: number;
  readonly daysLate: number;
}

export interface Bridge {
  readonly currency: string;
  readonly movement: bigint;
  readonly cleared: bigint;
  readonly over: bigint;
  readonly bankCharges: bigint;
  readonly suspense: bigint;
  readonly unrelated: bigint;
}

interface Receipt {
  readonly booked: string;
  /** An entry from before the settlement's date is unknown until then (CLOSING 3). */
  readonly day: string;
  readonly amount: bigint;
  readonly charge: bigint;
}

const max = (a: bigint, b: bigint) => (a > b ? a : b);

/** The answers of CLOSING 0 to 3, 5 and 9, each from its definition alone and from all that is known. */
export class Oracle {
  readonly known: Known;
  readonly #receipts: ReadonlyMap<string, readonly Receipt[]>;

  constructor(known: Known) {
    this.known = known;
    const receipts = new Map<string, Receipt[]>(known.settled.map(({ payout }) => [payout.id, []]));
    for (const { day: booked, charge, parts } of known.lines) {
      for (const { payout, amount } of parts) {
        const day = booked < payout.day ? payout.day : booked;
        receipts.get(payout.id)?.push({ booked, day, amount, charge });
      }
    }
    this.#receipts = receipts;
  }

  /** CLOSING 1, at the end of a day. */
  standing({ payout, payIn }: SeenPayout, cutOff: string): Standing {
    if (payout.day > cutOff) return { received: 0n, charges: 0n, over: 0n, short: 0n, open: 0n };
    const sign = payIn < 0n ? -1n : 1n;
    const all = this.#receipts.get(payout.id) ?? [];
    const until = (day: string) =>
      sign * sum(all.filter((one) => one.day <= day).map(({ amount }) => amount));
    const due = dueDay(payout.day, payout.token.currency);
    const wanted = sign * payIn;
    const chargesAt = (day: string) => {
      const explained = all.findIndex(
        ({ charge }, index) =>
          charge > 0n &&
          sign * sum(all.slice(0, index + 1).map(({ amount }) => amount)) + charge === wanted,
      );
      const receipt = all[explained];
      return receipt && receipt.day <= day ? receipt.charge : 0n;
    };
    const received = until(cutOff);
    const charges = chargesAt(cutOff);
    const isOver = due <= cutOff && due <= this.known.until;
    const missed = until(due) > 0n ? max(wanted - until(due) - chargesAt(due), 0n) : 0n;
    const short = isOver ? missed : 0n;
    const over = max(received - (wanted - short - charges), 0n);
    const open = sign * (wanted - received - charges - short + over);
    return { received, charges, over, short, open };
  }

  /** Below the roll-forward: the pay-outs that are not settled yet. */
  pending(currency: string, to: string): bigint {
    const own = this.known.pending.filter(
      ({ payout }) => payout.token.currency === currency && payout.day <= to,
    );
    return sum(own.map(({ payIn }) => payIn));
  }

  closing(token: Token, cutOff: string): bigint {
    return sum(this.#of(token).map((seen) => this.standing(seen, cutOff).open));
  }

  rollForward(token: Token, before: string, to: string): RollForward {
    const own = this.#of(token);
    const inRange = own.filter(({ payout }) => payout.day > before && payout.day <= to);
    const computed = inRange.map(({ payout }) => computedOf(payout));
    const moved = (field: 'received' | 'charges' | 'over' | 'short') =>
      sum(
        own.map((seen) => {
          const sign = seen.payIn < 0n ? -1n : 1n;
          return sign * (this.standing(seen, to)[field] - this.standing(seen, before)[field]);
        }),
      );
    return {
      token,
      opening: this.closing(token, before),
      gross: sum(computed.map(({ gross }) => gross)),
      fees: sum(computed.map(({ fees }) => fees)),
      tax: sum(computed.map(({ tax }) => tax)),
      payInDifference: sum(inRange.map(({ off }) => off)),
      settled: sum(inRange.map(({ payIn }) => payIn)),
      received: moved('received'),
      bankCharges: moved('charges'),
      over: moved('over'),
      short: moved('short'),
      closing: this.closing(token, to),
    };
  }

  openItems(cutOff: string): readonly OpenItem[] {
    return this.known.settled.flatMap((seen) => {
      const { open } = this.standing(seen, cutOff);
      if (open === 0n) return [];
      const { id, day, token } = seen.payout;
      const dueUntil = dueDay(day, token.currency);
      return {
        settlementId: id,
        date: day,
        dueUntil,
        payIn: seen.payIn,
        open,
        ageDays: daysFrom(day, cutOff),
        daysLate: Math.max(0, daysFrom(dueUntil, cutOff)),
      };
    });
  }

  /** CLOSING 2: how each entry of the bank was booked on its own day. */
  bridge(currency: string, before: string, to: string): Bridge {
    const lines = this.known.lines.filter(
      (line) => line.currency === currency && line.day > before && line.day <= to,
    );
    const unknown = (line: Line) =>
      line.kind === 'unknown'
        ? line.amount
        : sum(line.parts.filter((one) => !this.#isKnown(one.payout.id)).map((one) => one.amount));
    const all = tokens.filter((token) => token.currency === currency);
    const rolled = all.map((token) => this.rollForward(token, before, to));
    const total = (field: 'received' | 'bankCharges' | 'over') =>
      sum(rolled.map((one) => one[field]));
    const early = all
      .flatMap((token) => this.#of(token))
      .flatMap(({ payout }) =>
        (this.#receipts.get(payout.id) ?? []).filter(({ booked, day }) => booked < day),
      );
    const within = (day: string) => day > before && day <= to;
    const transferred = sum(early.filter(({ day }) => within(day)).map(({ amount }) => amount));
    const parked = sum(early.filter(({ booked }) => within(booked)).map(({ amount }) => amount));
    return {
      currency,
      movement: sum(lines.map(({ amount }) => amount)),
      cleared: total('received') + total('bankCharges') - total('over') - transferred,
      over: total('over'),
      bankCharges: -total('bankCharges'),
      suspense: sum(lines.map(unknown)) + parked,
      unrelated: sum(lines.filter(({ kind }) => kind === 'unrelated').map(({ amount }) => amount)),
    };
  }

  #of(token: Token): readonly SeenPayout[] {
    return this.known.settled.filter(({ payout }) => payout.token === token);
  }

  #isKnown(id: string): boolean {
    return this.#receipts.has(id);
  }
}
