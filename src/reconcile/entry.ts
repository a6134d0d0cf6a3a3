import { keysOf } from '../base/keys.ts';
import type { DateRange, OddAnswer, UnreadableRecord, UnsteadyReason } from '../model/source.ts';
import type { Money } from '../money/money.ts';
import type { FeeDrift } from './fee-drift.ts';
import type { IdentityName } from './identity.ts';
import type { OddValue } from './odd-values.ts';
import type { Ageing } from './overdue.ts';
import type { RowSums } from './sums.ts';
import type { UnusualScale } from './unusual-scales.ts';

/** What an entry does to the verdict of its settlement; `ignored` would be a discrepancy. */
export type Weight = 'discrepancy' | 'notice' | 'incomplete' | 'ignored';

/** A measured amount against what the rows give. `difference` = reported − computed. */
interface Comparison<Value> {
  readonly reported: Value;
  readonly computed: Value;
  readonly difference: Value;
}

/** The facts of each code: what its sentence is made of. Lists of examples hold at most 10. */
export interface Facts {
  gross: Comparison<Money>;
  fees: Comparison<Money>;
  tax: Comparison<Money>;
  /** `listed`: where rules leave rows out of `computed`, how many rows there are. */
  count: Comparison<number> & { readonly listed?: number };
  /** `computed` is the pay-in that the identity gives for the header's own gross, fees and tax. */
  identity: Comparison<Money> & { readonly identity: IdentityName };
  reported_by_service: { readonly status: string };
  currency: {
    readonly totals: readonly RowSums[];
    readonly examples: readonly string[];
  };
  conflicting_transaction: {
    readonly examples: readonly {
      readonly transactionId: string;
      readonly amounts: readonly Money[];
      readonly fields: readonly string[];
    }[];
  };
  conflicting_settlement: { readonly contents: number; readonly fields: readonly string[] };
  foreign_settlement: {
    readonly settlementIds: readonly string[];
    readonly examples: readonly string[];
  };
  within_tolerance: {
    readonly tolerance: Money;
    readonly differences: readonly { readonly measure: Measure; readonly difference: Money }[];
  };
  /** `copies`: the listings beyond the first. */
  duplicate_transaction: { readonly copies: number; readonly examples: readonly string[] };
  scale: {
    readonly decimalPlaces: number;
    readonly others: readonly number[];
    readonly examples: readonly string[];
  };
  unusual_scale: UnusualScale;
  unknown_value: { readonly examples: readonly OddValue[] };
  outside_range: { readonly date: string; readonly range: DateRange };
  /** `days`: from its date to the day `today`, more than the `pendingDays` that are allowed. */
  overdue: Ageing & { readonly days: number; readonly payIn: Money };
  unreadable_record: { readonly examples: readonly UnreadableRecord[] };
  unsteady_read: { readonly reason: UnsteadyReason };
  not_read: { readonly reason: string };
  /** One transaction id in two or more settlements of the run. */
  shared_transaction: {
    readonly examples: readonly {
      readonly transactionId: string;
      readonly settlementIds: readonly string[];
    }[];
  };
  unsteady_headers: { readonly reason: UnsteadyReason };
  unreadable_header: { readonly examples: readonly UnreadableRecord[] };
  /** What the service's answers have that its document doesn't show, and that changes no figure. */
  unusual_answer: { readonly examples: readonly OddAnswer[] };
  /** Days of the range that an export doesn't hold: those that follow on each other together. */
  missing_day: { readonly examples: readonly DateRange[] };
  /** Days of the range that are in an export though not all of them could be read: as with missing ones. */
  incomplete_day: { readonly examples: readonly DateRange[] };
  /** A payment type whose fee rate has changed. */
  fee_drift: FeeDrift;
}

export type Code = keyof Facts;

/** The four amounts of a settlement. */
export type Measure = 'gross' | 'fees' | 'tax' | 'payIn';

/** Something found in a settlement or a run: a code plus facts; `report/wording.ts` has the words. */
export type Entry<Codes extends Code = Code> = {
  [C in Codes]: {
    readonly code: C;
    readonly weight: Weight;
    /** How many rows, records or amounts it is about. */
    readonly count: number;
    readonly facts: Facts[C];
  };
}[Codes];

/** What each code does to a verdict. The codes of weight discrepancy can be ignored. */
export const weights: Readonly<Record<Code, Weight>> = {
  gross: 'discrepancy',
  fees: 'discrepancy',
  tax: 'discrepancy',
  count: 'discrepancy',
  identity: 'discrepancy',
  reported_by_service: 'discrepancy',
  currency: 'discrepancy',
  conflicting_transaction: 'discrepancy',
  conflicting_settlement: 'discrepancy',
  foreign_settlement: 'discrepancy',
  within_tolerance: 'notice',
  duplicate_transaction: 'notice',
  scale: 'notice',
  unusual_scale: 'notice',
  unknown_value: 'notice',
  outside_range: 'notice',
  overdue: 'notice',
  unreadable_record: 'incomplete',
  unsteady_read: 'incomplete',
  not_read: 'incomplete',
  shared_transaction: 'discrepancy',
  unsteady_headers: 'incomplete',
  unreadable_header: 'incomplete',
  unusual_answer: 'notice',
  missing_day: 'incomplete',
  // The verdict follows from what could not be read: that is told again.
  incomplete_day: 'notice',
  fee_drift: 'notice',
};

/** The checks that can be switched off: those whose entries are discrepancies. */
export const ignorableChecks = keysOf(weights).filter((code) => weights[code] === 'discrepancy');

/** An entry of the weight that its code has. */
export function entry<C extends Code>(code: C, count: number, facts: Facts[C]): Entry<C> {
  return { code, weight: weights[code], count, facts };
}

/** The entry of what a check has found, or none where that is nothing. */
export function found<C extends Code>(
  code: C,
  count: number,
  facts: Facts[C] | undefined,
): readonly Entry<C>[] {
  return count === 0 || facts === undefined ? [] : [entry(code, count, facts)];
}

/** An entry as it counts: that of an ignored check keeps its facts, and is no discrepancy. */
export function weighed(entry: Entry, ignored: readonly Code[]): Entry {
  const isIgnored = entry.weight === 'discrepancy' && ignored.includes(entry.code);
  return isIgnored ? { ...entry, weight: 'ignored' } : entry;
}
