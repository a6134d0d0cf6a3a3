import type { Verdict } from '../reconcile/verdict.ts';

/**
 * What history may hold:
 * - `mixed_versions`: tables of a day that are not of one version
 * - `missing_day`: days between the first and the last that are not there
 * - `incomplete_day`: days that could not be read whole
 * - `conflicting_day`: a day of a profile that differs between two lakes
 * - `extra_file`: a file beside those of the tables
 * - `sums`: rows of a settlement that do not come to what was judged
 * - `differences`: a difference of a settlement that is not reported − computed
 * - `verdicts`: a verdict or a code of a settlement that the rest of it does not give
 * - `different_forms`: two forms of one value that disagree
 * - `unknown_settlement`: rows of a settlement that is not there
 * - `day_counts`: settlements, transactions or discrepancies of a day that are not as many as were judged
 * - `repeated_transaction`: a transaction in two settlements, on two days, or in two profiles
 * - `repeated_settlement`: a settlement on two days, or in two profiles
 * - `over_refunded`: a charge refunded more than it was paid
 * - `refund_without_purchase`: a refund whose purchase is not there
 * - `missing_type`: refund types, or purchase types, none of which any transaction has
 * - `changed_after_settled`: a settlement that changed after it was settled
 * - `never_settled`: a settlement that is pending for too long
 * - `silent_account`: an account without settlements for longer than ever before
 * - `repeated_day`: a day of a profile that is in two lakes, with the same data
 */
export type AuditCode =
  | 'mixed_versions'
  | 'missing_day'
  | 'incomplete_day'
  | 'conflicting_day'
  | 'extra_file'
  | 'sums'
  | 'differences'
  | 'verdicts'
  | 'different_forms'
  | 'unknown_settlement'
  | 'day_counts'
  | 'repeated_transaction'
  | 'repeated_settlement'
  | 'over_refunded'
  | 'refund_without_purchase'
  | 'missing_type'
  | 'changed_after_settled'
  | 'never_settled'
  | 'silent_account'
  | 'repeated_day';

/** What a finding does to the verdict of an audit. */
export type AuditWeight = 'discrepancy' | 'incomplete' | 'notice';

/** At most so many rows stand behind a finding. */
export const mostFoundRows = 1000;

/** One thing that was found, as often as it was, and the first of the rows behind it. */
export interface AuditFinding {
  readonly code: AuditCode;
  readonly weight: AuditWeight;
  readonly count: number;
  readonly rows: readonly FoundRow[];
}

/** A row behind a finding, as far as its question has it. */
export interface FoundRow {
  readonly profile: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly accountingToken: string;
  readonly settlementId: string;
  readonly transactionId: string;
  readonly chargeId: string;
  readonly currency: string;
  /** Of both amounts. */
  readonly decimalPlaces: number;
  /** What was found, in minor units, or a count. */
  readonly amount: bigint | undefined;
  /** What it should be: what was judged, or paid. */
  readonly expected: bigint | undefined;
  /** A measure, a table, a field, a status, a path. */
  readonly field: string;
  readonly change: string;
  readonly before: string;
  readonly after: string;
  /** The last of several days, of which `day` is the first. */
  readonly lastDay: string;
  /** Days of the lake without a settlement, now and the most before. */
  readonly days: number;
  readonly longestBefore: number;
  /** The numbers of two lakes, from 1. */
  readonly lake: number;
  readonly firstLake: number;
}

/** What there is of a profile. */
export interface AuditCoverage {
  readonly profile: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly days: number;
  readonly settlements: Readonly<Record<Verdict, number>>;
  readonly transactions: number;
}

/** The sums of one amount, in minor units; `computed` is absent where no identity gives it for some. */
export interface AuditAmounts {
  readonly reported: bigint;
  readonly computed: bigint | undefined;
}

/**
 * The totals of a profile's account in one currency: amounts of its balanced and out-of-balance
 * settlements, minor units at `decimalPlaces`.
 */
export interface AuditTotal {
  readonly profile: string;
  readonly accountingToken: string;
  /** As the export has it; empty without one. */
  readonly accountingName: string;
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly settlements: Readonly<Record<Verdict, number>>;
  /** Of the settlements in the sums. */
  readonly transactions: number;
  readonly gross: AuditAmounts;
  readonly fees: AuditAmounts;
  readonly tax: AuditAmounts;
  readonly payIn: AuditAmounts;
  /** Pay-in differences of the out-of-balance settlements, reported − computed. */
  readonly outOfBalance: { readonly net: bigint; readonly absolute: bigint } | undefined;
  readonly pendingPayIn: bigint;
}

/** What the rows of a payment type come to in a month; minor units at `decimalPlaces`. */
export interface AuditFeeRate {
  readonly profile: string;
  /** YYYY-MM. */
  readonly month: string;
  readonly paymentType: string;
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly transactions: number;
  readonly gross: bigint;
  readonly fees: bigint;
}

/** All that an audit has found. */
export interface Audit {
  readonly coverage: readonly AuditCoverage[];
  readonly totals: readonly AuditTotal[];
  readonly feeRates: readonly AuditFeeRate[];
  /** Only what was found, the weightiest first. */
  readonly findings: readonly AuditFinding[];
  /** What was not looked for, since it isn't known which types are refunds and purchases. */
  readonly notChecked: readonly AuditCode[];
}

/** The verdicts of the days, and what the audit found beside them; the worst first. */
export function auditVerdict({ coverage, findings }: Audit): Verdict {
  const has = (weight: AuditWeight) => findings.some((one) => one.weight === weight);
  const count = (verdict: Verdict) => countOf(coverage, verdict);
  if (has('incomplete') || count('incomplete') > 0) return 'incomplete';
  if (has('discrepancy') || count('out_of_balance') > 0) return 'out_of_balance';
  return count('pending') > 0 ? 'pending' : 'balanced';
}

/** How many settlements have a verdict. */
export function countOf(coverage: readonly AuditCoverage[], verdict: Verdict): number {
  return coverage.reduce((sum, { settlements }) => sum + settlements[verdict], 0);
}

/** By what an audit goes. */
export interface AuditSettings {
  /** YYYY-MM-DD. */
  readonly today: string;
  /** How many days a settlement may be pending. */
  readonly pendingDays: number;
  /** From how many days without a settlement an account can be silent. */
  readonly silentDays: number;
  /** As the service writes them; none: refunds are not checked. */
  readonly refundTypes: readonly string[];
  readonly purchaseTypes: readonly string[];
}
