import type { AuditCode, AuditWeight } from '../report/audit/report.ts';

/** What history is searched for. Its query is the file of `sql/` with the name of its code. */
export interface Question {
  readonly code: AuditCode;
  readonly weight: AuditWeight;
  /** Set where it can be asked only if it is known which types are refunds and purchases. */
  readonly needsTypes?: true;
  /** Set where the query holds ids in memory, and takes those of a part. */
  readonly inParts?: true;
}

/** All questions, those with the weightiest answers first. */
export const questions: readonly Question[] = [
  { code: 'mixed_versions', weight: 'incomplete' },
  { code: 'missing_day', weight: 'incomplete' },
  { code: 'incomplete_day', weight: 'incomplete' },
  { code: 'sums', weight: 'discrepancy' },
  { code: 'day_counts', weight: 'discrepancy' },
  { code: 'repeated_transaction', weight: 'discrepancy', inParts: true },
  { code: 'repeated_settlement', weight: 'discrepancy' },
  { code: 'over_refunded', weight: 'discrepancy', needsTypes: true, inParts: true },
  // The purchase may be older than the lake.
  { code: 'refund_without_purchase', weight: 'notice', needsTypes: true, inParts: true },
  { code: 'changed_after_settled', weight: 'notice' },
  { code: 'never_settled', weight: 'notice' },
  { code: 'silent_account', weight: 'notice' },
  { code: 'repeated_day', weight: 'notice' },
];

/** The name of a question's query. */
export function queryName({ code }: Question): string {
  return code.replaceAll('_', '-');
}
