import type { Amounts } from '../model/settlement.ts';
import type { Figures } from '../reconcile/computed.ts';
import type { Measure } from '../reconcile/entry.ts';
import { deviation, type Identity, payInOf } from '../reconcile/identity.ts';

/** What a header reports, rows add up to, or a difference of two such; minor units at the scale of the case. */
export interface Tally extends Amounts {
  readonly count: number;
  /** What of the pay-in follows from no other amount: by how much a header contradicts itself. */
  readonly contradiction: bigint;
}

/** A figure as it is told; `payIn`: the header contradicts itself. */
export type Figure = 'count' | Measure;

export const noTally: Tally = { count: 0, gross: 0n, fees: 0n, tax: 0n, contradiction: 0n };

/** Transactions and amounts that the pay-in follows. */
export function tallyOf(count: number, { gross, fees, tax }: Amounts): Tally {
  return { count, gross, fees, tax, contradiction: 0n };
}

export function plus(a: Tally, b: Tally): Tally {
  return {
    count: a.count + b.count,
    gross: a.gross + b.gross,
    fees: a.fees + b.fees,
    tax: a.tax + b.tax,
    contradiction: a.contradiction + b.contradiction,
  };
}

export function minus(a: Tally, b: Tally): Tally {
  return {
    count: a.count - b.count,
    gross: a.gross - b.gross,
    fees: a.fees - b.fees,
    tax: a.tax - b.tax,
    contradiction: a.contradiction - b.contradiction,
  };
}

/** What all of them come to. */
export function total(tallies: readonly Tally[]): Tally {
  return tallies.reduce(plus, noTally);
}

/** All amounts times 10^power; nothing where one of them is no whole number then. */
export function shift(tally: Tally, power: number): Tally | undefined {
  if (power === 0) return tally;
  const { gross, fees, tax, contradiction } = tally;
  const factor = 10n ** BigInt(Math.abs(power));
  if (power > 0) return mapped(tally, (minor) => minor * factor);
  if (gross % factor || fees % factor || tax % factor || contradiction % factor) return undefined;
  return mapped(tally, (minor) => minor / factor);
}

function mapped(tally: Tally, to: (minor: bigint) => bigint): Tally {
  const { count, gross, fees, tax, contradiction } = tally;
  return {
    count,
    gross: to(gross),
    fees: to(fees),
    tax: to(tax),
    contradiction: to(contradiction),
  };
}

export function isSame(a: Tally, b: Tally): boolean {
  return (
    a.gross === b.gross &&
    a.fees === b.fees &&
    a.tax === b.tax &&
    a.contradiction === b.contradiction &&
    a.count === b.count
  );
}

export const amountFigures = ['gross', 'fees', 'tax', 'contradiction'] as const;
const figures = ['count', ...amountFigures] as const;

/** Gross, fees and tax in numbers, by which rows are looked up. */
export function inNumbers({ gross, fees, tax }: Amounts) {
  return [Number(gross), Number(fees), Number(tax)] as const;
}

/** Whether any amount of rows is not 0. */
export function hasAmounts({ gross, fees, tax }: Amounts): boolean {
  return gross !== 0n || fees !== 0n || tax !== 0n;
}

/** The figures that change. */
export function figuresIn(change: Tally): readonly Figure[] {
  return figures
    .filter((figure) => change[figure] !== noTally[figure])
    .map((figure) => (figure === 'contradiction' ? 'payIn' : figure));
}

/** How many figures of the target a change gives in full; 0 without an amount, or if it puts out one that agreed. */
export function figuresAccountedFor(target: Tally, change: Tally): number {
  let accountedFor = 0;
  let hasAmount = false;
  for (const figure of figures) {
    const [due, made, none] = [target[figure], change[figure], noTally[figure]];
    if (due === none && made !== none) return 0;
    if (due === none || made !== due) continue;
    accountedFor += 1;
    hasAmount ||= figure !== 'count';
  }
  return hasAmount ? accountedFor : 0;
}

/** Values by the change that leads to them. */
export class TallyIndex<Value> {
  readonly #byHash = new Map<number, { readonly change: Tally; readonly value: Value }[]>();

  add(change: Tally, value: Value): void {
    const same = this.#byHash.get(hashOf(change));
    if (same) same.push({ change, value });
    else this.#byHash.set(hashOf(change), [{ change, value }]);
  }

  get(change: Tally): readonly Value[] {
    const same = this.#byHash.get(hashOf(change));
    return same ? same.filter((one) => isSame(one.change, change)).map(({ value }) => value) : [];
  }
}

/** The same for the same tally, and for few others. */
function hashOf({ count, gross, fees, tax, contradiction }: Tally): number {
  const payIn = 31 * Number(tax) + Number(contradiction);
  return 31 * (31 * Number(gross) + Number(fees)) + 17 * payIn + count;
}

/** A difference (reported − computed), or a part of it, as it is told. */
export interface Delta extends Amounts {
  readonly count: number;
  /** 0 where no identity gives a pay-in. */
  readonly payIn: bigint;
}

export function isNothing({ count, gross, fees, tax, payIn }: Delta): boolean {
  return count === 0 && gross === 0n && fees === 0n && tax === 0n && payIn === 0n;
}

/** The figures of a settlement, with the part of the pay-in that follows from no other amount. */
export function tallyFrom(identity: Identity, figures: Figures): Tally {
  const { transactions: count, gross, fees, tax, payIn = 0n } = figures;
  return { count, gross, fees, tax, contradiction: deviation(identity, { ...figures, payIn }) };
}

/** The change with all that it makes of the pay-in. */
export function deltaOf(identity: Identity, change: Tally): Delta {
  const { count, gross, fees, tax, contradiction } = change;
  const following = identity === 'off' ? 0n : payInOf(identity, gross, fees, tax);
  return { count, gross, fees, tax, payIn: contradiction + following };
}
