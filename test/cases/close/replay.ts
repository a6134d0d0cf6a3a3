import { daysBetween, dueDay } from './calendar.ts';
import { computedOf, type Known, type Line, type SeenPayout } from './year.ts';

/** What is held on an account, as `bank EUR` or `in_transit EUR Web`, at the end of a day. */
export type Held = ReadonlyMap<string, bigint>;

interface Left {
  /** Of the pay-in, in its own direction. */
  left: bigint;
  received: bigint;
  over: bigint;
}

/** Books what is known, day by day and entry by entry, as a bookkeeper does who has read CLOSING. */
export function replay(known: Known, from: string, to: string): ReadonlyMap<string, Held> {
  const held = new Map<string, bigint>();
  const add = (account: string, amount: bigint) =>
    held.set(account, (held.get(account) ?? 0n) + amount);
  const left = new Map<string, Left>();
  const waiting = new Map<string, bigint>();
  const seen = new Map(known.settled.map((one) => [one.payout.id, one]));
  const signOf = ({ payIn }: SeenPayout) => (payIn < 0n ? -1n : 1n);
  const transit = ({ payout }: SeenPayout) =>
    `in_transit ${payout.token.currency} ${payout.token.name}`;

  const settle = (one: SeenPayout) => {
    const { payout, payIn, off } = one;
    const { currency } = payout.token;
    add(transit(one), payIn);
    add(`suspense ${currency}`, -off);
    const { gross, fees, tax } = computedOf(payout);
    add(`fees ${currency}`, fees);
    add(`tax ${currency}`, tax);
    add(`receivable ${currency}`, -gross);
    for (const row of payout.rows.filter((row) => row.currency !== currency)) {
      add(`receivable ${row.currency}`, -row.amount);
      add(`fees ${row.currency}`, row.fees);
      add(`tax ${row.currency}`, row.tax);
      add(`suspense ${row.currency}`, row.amount - row.fees - row.tax);
    }
    left.set(payout.id, { left: payIn * signOf(one), received: 0n, over: 0n });
    const early = waiting.get(payout.id);
    if (early === undefined) return;
    add(`suspense ${currency}`, early);
    clear(one, early, 0n);
  };

  /** From the bank, or from suspense, to what is in transit and what is over. */
  const clear = (one: SeenPayout, amount: bigint, charge: bigint) => {
    const sign = signOf(one);
    const state = left.get(one.payout.id);
    if (!state) throw new Error('Not settled yet.');
    const { currency } = one.payout.token;
    let rest = amount * sign;
    state.received += rest;
    if (charge > 0n && state.received + charge === one.payIn * sign) {
      add(`bank_fees ${currency}`, charge);
      add(transit(one), -charge);
      state.left -= charge;
    }
    // A return undoes what is over first, a receipt fills what is left first.
    const ofOver = rest < 0n ? -least(state.over, -rest) : rest - least(state.left, rest);
    rest -= ofOver;
    state.over += ofOver;
    state.left -= rest;
    add(`suspense ${currency}`, -ofOver * sign);
    add(transit(one), -rest * sign);
  };

  const book = (line: Line) => {
    if (line.kind === 'unrelated') return;
    add(`bank ${line.currency}`, line.amount);
    if (line.kind === 'unknown') add(`suspense ${line.currency}`, -line.amount);
    for (const { payout, amount } of line.parts) {
      const one = seen.get(payout.id);
      if (one && left.has(payout.id)) {
        clear(one, amount, line.charge);
        continue;
      }
      add(`suspense ${line.currency}`, -amount);
      if (one) waiting.set(payout.id, (waiting.get(payout.id) ?? 0n) + amount);
    }
  };

  const shorten = (one: SeenPayout) => {
    const state = left.get(one.payout.id);
    if (!state || state.received <= 0n || state.left <= 0n) return;
    add(`suspense ${one.payout.token.currency}`, state.left * signOf(one));
    add(transit(one), -state.left * signOf(one));
    state.left = 0n;
  };

  const byDay = <Value>(values: readonly Value[], dayOf: (value: Value) => string) => {
    const groups = new Map<string, Value[]>();
    for (const value of values) {
      const group = groups.get(dayOf(value));
      if (group) group.push(value);
      else groups.set(dayOf(value), [value]);
    }
    return (day: string) => groups.get(day) ?? [];
  };
  const settling = byDay(known.settled, ({ payout }) => payout.day);
  const booking = byDay(known.lines, ({ day }) => day);
  const due = byDay(known.settled, ({ payout }) => dueDay(payout.day, payout.token.currency));

  const days = new Map<string, Held>();
  for (const day of daysBetween(from, to)) {
    settling(day).forEach(settle);
    booking(day).forEach(book);
    if (day <= known.until) due(day).forEach(shorten);
    days.set(day, new Map(held));
  }
  return days;
}

const least = (a: bigint, b: bigint) => (a < b ? a : b);
