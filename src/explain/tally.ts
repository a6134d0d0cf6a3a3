import type { Amounts } from '../model/settlement.ts';
import type { Figures } from '../reconcile/computed.ts';
import type { Measure } from '../reconcile/entry.ts';
import {
  deviation,
  type Identity,
  type IdentityName,
  payInOf,
  statesParts,
} from '../reconcile/identity.ts';

/** What a header reports or rows add up to, or a difference of the two; minor units at the scale of the case. */
export interface Tally extends Amounts {
  readonly count: number;
  /** By how much the pay-in differs from the other amounts: the header contradicts itself. */
  readonly contradiction: bigint;
}

/** A figure as it is shown; `payIn`: the header contradicts itself. */
export type Figure = 'count' | Measure;

export const amountFigures = ['gross', 'fees', 'tax', 'contradiction'] as const;
const figures = ['count', ...amountFigures] as const;

function tallyBy(
  count: number,
  minorOf: (figure: (typeof amountFigures)[number]) => bigint,
): Tally {
  return {
    count,
    gross: minorOf('gross'),
    fees: minorOf('fees'),
    tax: minorOf('tax'),
    contradiction: minorOf('contradiction'),
  };
}

export const noTally = tallyBy(0, () => 0n);

/** A tally whose pay-in follows from the amounts. */
export function tallyOf(count: number, { gross, fees, tax }: Amounts): Tally {
  return { count, gross, fees, tax, contradiction: 0n };
}

export function plus(a: Tally, b: Tally): Tally {
  return tallyBy(a.count + b.count, (figure) => a[figure] + b[figure]);
}

export function minus(a: Tally, b: Tally): Tally {
  return tallyBy(a.count - b.count, (figure) => a[figure] - b[figure]);
}

export function total(tallies: readonly Tally[]): Tally {
  return tallies.reduce(plus, noTally);
}

/** All amounts times 10^power; undefined if one would not be a whole number. */
export function shift(tally: Tally, power: number): Tally | undefined {
  if (power === 0) return tally;
  const factor = 10n ** BigInt(Math.abs(power));
  if (power > 0) return tallyBy(tally.count, (figure) => tally[figure] * factor);
  if (amountFigures.some((figure) => tally[figure] % factor !== 0n)) return undefined;
  return tallyBy(tally.count, (figure) => tally[figure] / factor);
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

/** Gross, fees and tax as numbers, to look rows up. */
export function inNumbers({ gross, fees, tax }: Amounts) {
  return [Number(gross), Number(fees), Number(tax)] as const;
}

export function hasAmounts({ gross, fees, tax }: Amounts): boolean {
  return gross !== 0n || fees !== 0n || tax !== 0n;
}

export function figuresIn(change: Tally): readonly Figure[] {
  return figures
    .filter((figure) => change[figure] !== noTally[figure])
    .map((figure) => (figure === 'contradiction' ? 'payIn' : figure));
}

/** How many figures of the target a change gives in full; 0 without an amount, or if it disturbs one that agreed. */
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

/** A text that only equal tallies have. */
export function tallyText({ count, gross, fees, tax, contradiction }: Tally): string {
  return `${count} ${gross} ${fees} ${tax} ${contradiction}`;
}

/** A difference (reported − computed), or a part of it, as it is shown; undefined where nothing was stated. */
export interface Delta extends Amounts<bigint | undefined> {
  readonly count: number | undefined;
  /** 0 if no identity gives a pay-in. */
  readonly payIn: bigint;
}

export function isNothing({ count, gross, fees, tax, payIn }: Delta): boolean {
  return !count && !gross && !fees && !tax && payIn === 0n;
}

/**
 * The figures of a settlement, with the part of the pay-in that follows from no other amount. If the parts of
 * the pay-in are not all stated, it is the only amount, in the place of the gross.
 */
export function tallyFrom(identity: Identity, figures: Figures): Tally {
  const { transactions: count = 0, gross = 0n, fees = 0n, tax = 0n, payIn = 0n } = figures;
  if (!statesParts(identity, figures)) return { ...noTally, count, gross: payIn };
  return { count, gross, fees, tax, contradiction: deviation(identity, { ...figures, payIn }) };
}

/** With `payInBy`, the pay-in that follows from the amounts is the only amount, in the place of the gross. */
export function inView(payInBy: IdentityName | undefined, tally: Tally): Tally {
  if (payInBy === undefined) return tally;
  const { count, gross, fees, tax, contradiction } = tally;
  return { ...noTally, count, gross: payInOf(payInBy, gross, fees, tax) + contradiction };
}

/** The change, with its effect on the pay-in. */
export function deltaOf(identity: Identity, change: Tally): Delta {
  const { count, gross, fees, tax, contradiction } = change;
  const following = identity === 'off' ? 0n : payInOf(identity, gross, fees, tax);
  return { count, gross, fees, tax, payIn: contradiction + following };
}
