import type { Verdict } from '../reconcile/verdict.ts';

/** What a finding does to the verdict of an audit. */
type AuditWeight = 'discrepancy' | 'incomplete' | 'notice';

/** What history may hold, in the order of reports; the words and the query of each say what it is. */
export const auditWeights = {
  extra_file: 'incomplete',
  mixed_versions: 'incomplete',
  missing_day: 'incomplete',
  incomplete_day: 'incomplete',
  conflicting_day: 'incomplete',
  sums: 'discrepancy',
  differences: 'discrepancy',
  verdicts: 'discrepancy',
  different_forms: 'discrepancy',
  unknown_settlement: 'discrepancy',
  day_counts: 'discrepancy',
  repeated_transaction: 'discrepancy',
  repeated_settlement: 'discrepancy',
  over_refunded: 'discrepancy',
  // The purchase may be older than the lake.
  refund_without_purchase: 'notice',
  missing_type: 'notice',
  changed_after_settled: 'notice',
  never_settled: 'notice',
  silent_account: 'notice',
  repeated_day: 'notice',
} as const satisfies Readonly<Record<string, AuditWeight>>;

export type AuditCode = keyof typeof auditWeights;

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

/** The totals of an account in a currency, over balanced and out-of-balance settlements; minor units at `decimalPlaces`. */
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
  readonly today: string;
  readonly pendingDays: number;
  /** From how many days without a settlement an account can be silent. */
  readonly silentDays: number;
  /** As the service writes them; none: refunds are not checked. */
  readonly refundTypes: readonly string[];
  readonly purchaseTypes: readonly string[];
}
