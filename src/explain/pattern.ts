import type { RoundingRule } from '../money/rate.ts';
import type { Returned } from './refunds.ts';
import { type amountFigures, noTally, type Tally } from './tally.ts';

export const traits = ['type', 'state', 'paymentType'] as const;
export type Trait = (typeof traits)[number];

const counts = ['settlements', 'months', 'rows', 'charges'] as const;
export const amounts = ['gross', 'fees', 'tax', 'fees_and_tax', 'pay_in'] as const;

export type PatternMeasure = (typeof counts)[number] | (typeof amounts)[number];
export type PatternFigure = 'count' | (typeof amountFigures)[number];

/** What a pattern is measured in: a number or an amount of each settlement. `months`: 1 in the first of each. */
export interface PatternBase {
  readonly measure: PatternMeasure;
  /** Whose amounts: the listed rows', the header's, or those of the purchases that rows refund. */
  readonly of: 'rows' | 'header' | Returned;
  /** If set, only rows with this value. */
  readonly trait?: Trait;
  readonly value?: string;
}

/** By how much one figure of all headers differs. */
export interface PatternTerm {
  /** `contradiction`: the pay-in, beyond what the other amounts make it. */
  readonly figure: PatternFigure;
  /**
   * The base so many times; a rate of it, rounded in total or row by row; the rounding of it to a step; what the
   * amount of each row lacks of a minimum, or has above a maximum.
   */
  readonly form: 'times' | 'rate' | 'rate_by_row' | 'step' | 'minimum' | 'maximum';
  readonly base: PatternBase;
  /** Minor units for each of a count; a factor; the rate in millionths; the step or limit in minor units. */
  readonly amount: bigint;
  readonly rounding?: RoundingRule | undefined;
}

/** What holds in all settlements of an account and currency of which it says something. */
export interface Pattern {
  readonly accountingToken: string;
  readonly currency: string;
  readonly scale: number;
  readonly terms: readonly PatternTerm[];
  /** Of how many it says something, of how many that were compared, and which. */
  readonly settlements: number;
  readonly tested: number;
  readonly settlementIds: readonly string[];
  /** In how many it leaves nothing, together with the others. */
  readonly wholly: number;
  /** Terms that say the same of these settlements as the first. */
  readonly alternatives: readonly PatternTerm[];
}

/** What a pattern explains of one settlement, at its scale. */
export interface PatternPart {
  readonly pattern: Pattern;
  readonly change: Tally;
}

/** Equal terms, and only those, have the same text. */
export function termText({ amount, ...term }: PatternTerm): string {
  return JSON.stringify([`${amount}`, term]);
}

/** Whether two terms are about the same rows in the same form. */
export function areBeside(
  one: Pick<PatternTerm, 'form' | 'base'>,
  other: Pick<PatternTerm, 'form' | 'base'>,
): boolean {
  const [a, b] = [one.base, other.base];
  const isCount = ({ measure }: PatternBase) =>
    (counts as readonly PatternMeasure[]).includes(measure);
  const isSameCount =
    !(isCount(a) || isCount(b)) || a.measure === b.measure || a.trait !== undefined;
  return (
    one.form === other.form &&
    a.trait === b.trait &&
    a.value === b.value &&
    a.of === b.of &&
    isSameCount
  );
}

/** Whether it is the header's amount and that of all its rows: they differ only where something else does. */
export function areSameSum(a: PatternBase, b: PatternBase): boolean {
  const isWhole = a.trait === undefined && b.trait === undefined && a.measure === b.measure;
  return isWhole && (a.of === 'header' || b.of === 'header');
}

/** A change of one figure. */
export function changed(figure: PatternFigure, change = 0n): Tally {
  return { ...noTally, [figure]: figure === 'count' ? Number(change) : change };
}
