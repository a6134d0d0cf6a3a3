import type { AuditCode, AuditSettings, AuditWeight } from '../report/audit/report.ts';

/** What history is searched for. Its query is the file of `sql/` with the name of its code. */
export interface Question {
  readonly code: AuditCode;
  readonly weight: AuditWeight;
  /** Set where it can be asked only if it is known which types are refunds and purchases. */
  readonly needsTypes?: true;
  /** Whose ids the query holds in memory, where it takes those of a part. */
  readonly holds?: 'transactions' | 'refunds';
}

/** All questions, those with the weightiest answers first. */
const questions: readonly Question[] = [
  { code: 'mixed_versions', weight: 'incomplete' },
  { code: 'missing_day', weight: 'incomplete' },
  { code: 'incomplete_day', weight: 'incomplete' },
  { code: 'conflicting_day', weight: 'incomplete' },
  { code: 'sums', weight: 'discrepancy' },
  { code: 'day_counts', weight: 'discrepancy' },
  { code: 'repeated_transaction', weight: 'discrepancy', holds: 'transactions' },
  { code: 'repeated_settlement', weight: 'discrepancy' },
  { code: 'over_refunded', weight: 'discrepancy', needsTypes: true, holds: 'refunds' },
  // The purchase may be older than the lake.
  { code: 'refund_without_purchase', weight: 'notice', needsTypes: true, holds: 'refunds' },
  { code: 'missing_type', weight: 'notice', needsTypes: true },
  { code: 'changed_after_settled', weight: 'notice' },
  { code: 'never_settled', weight: 'notice' },
  { code: 'silent_account', weight: 'notice' },
  { code: 'repeated_day', weight: 'notice' },
];

/** The questions that can be asked by the settings, and those that can't. */
export function questionsBy({ refundTypes, purchaseTypes }: AuditSettings) {
  const hasTypes = refundTypes.length > 0 && purchaseTypes.length > 0;
  const asked = questions.filter(({ needsTypes }) => hasTypes || !needsTypes);
  return { asked, others: questions.filter((one) => !asked.includes(one)) };
}

/** The name of a question's query. */
export function queryName({ code }: Question): string {
  return code.replaceAll('_', '-');
}
