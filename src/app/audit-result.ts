import type { Verdict } from '../reconcile/verdict.ts';

/** How a finding changes the verdict of an audit. */
type AuditWeight = 'discrepancy' | 'incomplete' | 'notice';

/** What an audit can find, in the order of reports. */
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

/** The most rows that are kept of a finding. */
export const mostFoundRows = 1000;

/** A finding with its count and its first rows. */
export interface AuditFinding {
  readonly code: AuditCode;
  readonly weight: AuditWeight;
  readonly count: number;
  readonly rows: readonly FoundRow[];
}

/** A row of a finding, with the fields that its query returns. */
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
  /** The value expected: what was judged, or paid. */
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

/** The days and settlements of a profile. */
export interface AuditCoverage {
  readonly profile: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly days: number;
  readonly settlements: Readonly<Record<Verdict, number>>;
  readonly transactions: number;
}

/** The sums of one amount, in minor units; `computed` is absent if some settlements have no computed value. */
export interface AuditAmounts {
  readonly reported: bigint;
  readonly computed: bigint | undefined;
}

/** The totals of an account in a currency, over balanced and out-of-balance settlements; minor units at `decimalPlaces`. */
export interface AuditTotal {
  readonly profile: string;
  readonly accountingToken: string;
  /** As in the export; empty if it has none. */
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

/** The sums of a payment type in a month; minor units at `decimalPlaces`. */
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

export interface Audit {
  readonly coverage: readonly AuditCoverage[];
  readonly totals: readonly AuditTotal[];
  readonly feeRates: readonly AuditFeeRate[];
  /** The most serious first. */
  readonly findings: readonly AuditFinding[];
  /** Not checked, because the types of refunds and purchases are not set. */
  readonly notChecked: readonly AuditCode[];
}

/** The worst of the verdicts of the days and the findings of the audit. */
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

export interface AuditSettings {
  readonly today: string;
  readonly pendingDays: number;
  /** After this many days without a settlement, an account counts as silent. */
  readonly silentDays: number;
  /** As the service writes them; none: refunds are not checked. */
  readonly refundTypes: readonly string[];
  readonly purchaseTypes: readonly string[];
}
