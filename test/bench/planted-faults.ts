import type { AuditCode } from '../../src/app/audit-result.ts';

/** When a fault is planted: in the rows, in the settlements drawn from them, or in the counts of the day. */
export type Stage = 'rows' | 'judged' | 'counted';

/** A fault in the tables of a day, before they are written. */
export interface Fault {
  readonly code: AuditCode;
  readonly profile: 'spain' | 'portugal';
  /** From 0. */
  readonly day: number;
  readonly stage: Stage;
  readonly sql: readonly string[];
  /** How often it is to be found; absent for as often as the last statement changes a row. */
  readonly count?: number;
}

/** Numbers are those of settlements on the day, turns those of rows in a settlement; each has both. */
export const faults: readonly Fault[] = [
  {
    code: 'mixed_versions',
    ...{ profile: 'spain', day: 40, stage: 'counted' },
    sql: ["UPDATE transactions SET day_version = 'earlier'"],
    count: 1,
  },
  {
    code: 'incomplete_day',
    ...{ profile: 'spain', day: 60, stage: 'judged' },
    sql: [
      `UPDATE settlements SET verdict = 'incomplete', sums_say = 'incomplete', complete = FALSE,
         transactions_computed = NULL, gross_computed_minor = NULL, fees_computed_minor = NULL,
         tax_computed_minor = NULL, pay_in_computed_minor = NULL,
         transactions_difference = NULL, gross_difference_minor = NULL, fees_difference_minor = NULL,
         tax_difference_minor = NULL, pay_in_difference_minor = NULL,
         discrepancies = '["not_read"]'
       WHERE number = 2`,
    ],
  },
  {
    code: 'sums',
    ...{ profile: 'spain', day: 70, stage: 'judged' },
    sql: ['UPDATE transactions SET tax_minor = 1000, tax = 10 WHERE number < 4 AND turn = 0'],
    // The tax and the pay-in of each.
    count: 4 * 2,
  },
  {
    code: 'differences',
    ...{ profile: 'spain', day: 72, stage: 'judged' },
    sql: ['UPDATE settlements SET gross_difference_minor = 1 WHERE number < 3'],
  },
  {
    code: 'verdicts',
    ...{ profile: 'portugal', day: 73, stage: 'judged' },
    sql: ['UPDATE settlements SET complete = FALSE WHERE number < 5'],
  },
  {
    code: 'different_forms',
    ...{ profile: 'spain', day: 74, stage: 'counted' },
    sql: ['UPDATE transactions SET amount = amount + 1 WHERE number < 7 AND turn = 3'],
  },
  {
    code: 'unknown_settlement',
    ...{ profile: 'portugal', day: 75, stage: 'counted' },
    sql: [
      `INSERT INTO transactions BY NAME
       SELECT * REPLACE ('nobody' AS settlement_id, 'of nobody' AS transaction_id)
       FROM transactions WHERE number = 0 AND turn = 3`,
    ],
  },
  {
    code: 'sums',
    ...{ profile: 'portugal', day: 71, stage: 'judged' },
    // Their numbers, and four amounts of each: large ones have tax. First turns are refunded.
    sql: [
      `DELETE FROM transactions WHERE row IN (
         SELECT arg_max(row, amount_minor) FROM transactions
         WHERE number BETWEEN 3 AND 6 AND turn % 50 > 1 GROUP BY number)`,
    ],
    count: 4 * 5,
  },
  {
    code: 'day_counts',
    ...{ profile: 'portugal', day: 80, stage: 'counted' },
    sql: ['UPDATE days SET settlements_balanced = settlements_balanced + 1'],
  },
  {
    code: 'repeated_transaction',
    ...{ profile: 'spain', day: 90, stage: 'rows' },
    sql: [
      `UPDATE transactions SET transaction_id = upper(id_of('transaction', 'spain', 20, row))
       WHERE turn % 7 = 3`,
    ],
  },
  {
    code: 'repeated_transaction',
    ...{ profile: 'portugal', day: 350, stage: 'rows' },
    sql: [
      `UPDATE transactions SET transaction_id = id_of('transaction', 'spain', 0, row) WHERE turn = 5`,
    ],
  },
  {
    code: 'repeated_settlement',
    ...{ profile: 'spain', day: 100, stage: 'rows' },
    sql: [
      `UPDATE transactions SET settlement_id = id_of('settlement', 'spain', 99, number),
         own_settlement_id = id_of('settlement', 'spain', 99, number)
       WHERE number < 5`,
    ],
    count: 5,
  },
  {
    code: 'over_refunded',
    ...{ profile: 'portugal', day: 110, stage: 'rows' },
    sql: [
      `UPDATE transactions SET amount_minor = amount_minor * 2 - 2, amount = amount * 2 - 0.02
       WHERE transaction_type = 'refund' AND number < 3`,
    ],
  },
  {
    code: 'refund_without_purchase',
    ...{ profile: 'spain', day: 120, stage: 'rows' },
    sql: [
      `UPDATE transactions SET charge_id = id_of('unknown', 'spain', 120, row)
       WHERE transaction_type = 'refund'`,
    ],
  },
  {
    code: 'changed_after_settled',
    ...{ profile: 'spain', day: 131, stage: 'counted' },
    sql: [
      `INSERT INTO changes BY NAME
       SELECT profile, day_version, settlement_id, '' AS transaction_id,
         'settlement_changed' AS change, 'fees' AS field, '1.00' AS before, '2.00' AS after
       FROM settlements WHERE number < 6`,
    ],
  },
  {
    code: 'never_settled',
    ...{ profile: 'portugal', day: 141, stage: 'judged' },
    sql: [
      `UPDATE settlements SET verdict = 'pending', settlement_status = 'pending_settlement',
         service_says = 'pending'
       WHERE number < 7`,
    ],
  },
];
