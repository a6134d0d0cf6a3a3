import type { FailureReason } from '../base/failure-reason.ts';
import { keysOf } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import type { Settlement } from '../model/settlement.ts';
import type {
  DateRange,
  FileGap,
  OddAnswer,
  RepeatedFile,
  UnreadableRecord,
  UnsteadyReason,
} from '../model/source.ts';
import type { Money } from '../money/money.ts';
import type { IdentityName } from './identity.ts';
import type { RowSums } from './sums.ts';

/** How an entry affects the verdict. `ignored`: a discrepancy whose check is switched off. */
export type Weight = 'discrepancy' | 'notice' | 'incomplete' | 'ignored';

/** `difference` = reported − computed. */
interface Comparison<Value> {
  readonly reported: Value;
  readonly computed: Value;
  readonly difference: Value;
}

/** The facts of each code, from which its sentence is made. `examples` have at most 10. */
export interface Facts {
  gross: Comparison<Money>;
  fees: Comparison<Money>;
  tax: Comparison<Money>;
  /** Only without the amounts from which the pay-in follows, of which `identity` is said otherwise. */
  pay_in: Comparison<Money>;
  /** `listed`: all rows, if rules leave some out of `computed`. */
  count: Comparison<number> & { readonly listed?: number };
  /** `computed` is the pay-in that the identity gives for the header's own gross, fees and tax. */
  identity: Comparison<Money> & { readonly identity: IdentityName };
  reported_by_service: { readonly status: string };
  currency: { readonly totals: readonly RowSums[]; readonly examples: readonly string[] };
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
  /** `copies`: listings after the first. */
  duplicate_transaction: { readonly copies: number; readonly examples: readonly string[] };
  scale: {
    readonly decimalPlaces: number;
    readonly others: readonly number[];
    readonly examples: readonly string[];
  };
  unusual_scale: UnusualScale;
  unknown_value: { readonly examples: readonly OddValue[] };
  outside_range: { readonly date: string; readonly range: DateRange };
  /** `days`: from the settlement date to `today`; more than `pendingDays`. */
  overdue: {
    readonly today: string;
    readonly pendingDays: number;
    readonly days: number;
    readonly payIn: Money;
  };
  unreadable_record: { readonly examples: readonly UnreadableRecord[] };
  unsteady_read: { readonly reason: UnsteadyReason };
  not_read: { readonly reason: FailureReason };
  /** One transaction in two or more settlements of the run. */
  shared_transaction: {
    readonly examples: readonly {
      readonly transactionId: string;
      readonly settlementIds: readonly string[];
    }[];
  };
  unsteady_headers: { readonly reason: UnsteadyReason };
  unreadable_header: { readonly examples: readonly UnreadableRecord[] };
  /** Deviations of answers from the document that change no figure. */
  unusual_answer: { readonly examples: readonly OddAnswer[] };
  /** Days of the range that an export does not have. */
  missing_day: { readonly examples: readonly DateRange[] };
  /** Days of the range that an export has, but not completely. */
  incomplete_day: { readonly examples: readonly DateRange[] };
  /** What the settlement files of a provider lack, or do not agree on. */
  missing_files: { readonly examples: readonly FileGap[] };
  repeated_files: { readonly examples: readonly RepeatedFile[] };
  fee_drift: FeeDrift;
  /** Rows that cost more than agreed, with the claim by currency. */
  above_agreed_rate: {
    readonly claim: readonly Money[];
    readonly rates: readonly string[];
    readonly examples: readonly string[];
  };
}

export interface OddValue {
  readonly field: string;
  readonly value: string;
}

/** Decimal places other than those expected for a currency. */
export interface UnusualScale {
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly expected: number;
}

/** What fees are charged for. Rates are compared only within one key. */
export interface RateKey extends Pick<Settlement, 'accountingToken' | 'currency'> {
  readonly paymentType: string;
}

/** Totals of rows, by the rules; both amounts at one scale. Their ratio is the fee rate. */
export interface FeesCharged {
  readonly transactions: number;
  readonly gross: Money;
  readonly fees: Money;
}

/** A payment type whose fee rate has changed by more than the limit. Rates are decimal texts. */
export interface FeeDrift extends RateKey {
  readonly earlier: FeesCharged & { readonly feesPercent: string };
  readonly now: FeesCharged & { readonly feesPercent: string };
  /** Percentage points, now − earlier. */
  readonly change: string;
  readonly limit: string;
  /** The fees of now at the earlier rate, rounded half away from zero. */
  readonly atEarlierRate: Money;
  /** The fees of now − those at the earlier rate. */
  readonly difference: Money;
  /** Transactions with fees far from the earlier rate; amounts by the rules. */
  readonly examples: readonly {
    readonly transactionId: string;
    readonly settlementId: string;
    readonly amount: Money;
    readonly fees: Money;
  }[];
}

export type Code = keyof Facts;

export type Measure = 'gross' | 'fees' | 'tax' | 'payIn';

/** A finding about a settlement or a run: a code with its facts. */
export type Entry<Codes extends Code = Code> = {
  [C in Codes]: {
    readonly code: C;
    readonly weight: Weight;
    /** Number of rows, records or amounts. */
    readonly count: number;
    readonly facts: Facts[C];
  };
}[Codes];

/** The weight of each code, in the order in which entries are listed. */
export const weights: Readonly<Record<Code, Weight>> = {
  gross: 'discrepancy',
  fees: 'discrepancy',
  tax: 'discrepancy',
  pay_in: 'discrepancy',
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
  // What could not be read has an entry of its own.
  incomplete_day: 'notice',
  missing_files: 'incomplete',
  repeated_files: 'notice',
  fee_drift: 'notice',
  above_agreed_rate: 'notice',
};

export const ignorableChecks = keysOf(weights).filter((code) => weights[code] === 'discrepancy');

/** An entry with the weight of its code. */
export function entry<C extends Code>(code: C, count: number, facts: Facts[C]): Entry<C> {
  return { code, weight: weights[code], count, facts };
}

/** The entry of a check in a list; an empty list if the check found nothing. */
export function found<C extends Code>(
  code: C,
  count: number,
  facts: Facts[C] | undefined,
): readonly Entry<C>[] {
  return count === 0 || facts === undefined ? [] : [entry(code, count, facts)];
}

/** The entry with weight `ignored` if its check is switched off. */
export function weighed(entry: Entry, ignored: readonly Code[]): Entry {
  const isIgnored = entry.weight === 'discrepancy' && ignored.includes(entry.code);
  return isIgnored ? { ...entry, weight: 'ignored' } : entry;
}

/** Reported − computed; undefined if the entry compares nothing. */
export function differenceIn({ facts }: Entry): Pick<Money, 'minor' | 'scale'> | undefined {
  if (!('difference' in facts)) return undefined;
  const { difference } = facts;
  return typeof difference === 'number' ? { minor: BigInt(difference), scale: 0 } : difference;
}

/** The most examples that an entry has. */
export const exampleLimit = 10;

/** The first `exampleLimit` values, sorted by the text of `keyOf`. */
export function smallest<Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => string,
): readonly Value[] {
  return [...values].sort((a, b) => byText(keyOf(a), keyOf(b))).slice(0, exampleLimit);
}

/** The first `exampleLimit` ids, sorted. */
export function smallestIds(ids: Iterable<string>): readonly string[] {
  return smallest(ids, (id) => id);
}

/** The first `exampleLimit` unreadable records by id; those without an id by their content. */
export function smallestRecords(records: Iterable<UnreadableRecord>): readonly UnreadableRecord[] {
  return smallest(
    records,
    ({ record, field, found, expected }) => `${record} ${field} ${found} ${expected}`,
  );
}

/** A map that keeps only the `exampleLimit` smallest keys. */
export class SmallestKeys<Value> {
  readonly #values = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.set(key, value);
    if (this.#values.size <= exampleLimit) return;
    let largest = key;
    for (const other of this.#values.keys()) {
      if (other > largest) largest = other;
    }
    this.#values.delete(largest);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  /** Sorted by key. */
  entries(): readonly (readonly [key: string, value: Value])[] {
    return [...this.#values].sort(([a], [b]) => byText(a, b));
  }
}
