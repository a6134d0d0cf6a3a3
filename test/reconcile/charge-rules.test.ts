import { describe, expect, test } from 'vitest';
import { chargeRule, isApproved, wasCompleted } from '../../src/reconcile/charges.ts';

/** Doc 3.1 line by line, with the approval of doc 3.3; written from the document, not from the code. */
const statuses = `
  created                | in_progress | webhook    | hold               |
  pending_validation     | in_progress | no webhook | hold_until_timeout |
  validated              | in_progress | no webhook | hold_until_timeout |
  pending_authorisation  | in_progress | no webhook | hold_until_timeout |
  authorised             | in_progress | no webhook | hold_until_timeout |
  pending_completion     | in_progress | no webhook | hold_until_timeout |
  completed              | success     | webhook    | fulfil             | approved
  settled                | success     | no webhook | settled            | had been completed
  settled_out_of_balance | success     | no webhook | settled            | had been completed
  not_created            | failure     | webhook    | release            |
  not_validated          | failure     | webhook    | release            |
  not_authorised         | failure     | webhook    | release            |
  not_completed          | failure     | webhook    | release            |
  cancelled              | failure     | webhook    | release            |
  refunded               | refunded    | webhook    | refunded           | had been completed
  under_review           | in_progress | no webhook | as_pending         |
  COMPLETED              | in_progress | no webhook | as_pending         |
  toString               | in_progress | no webhook | as_pending         |
                         | in_progress | no webhook | as_pending         |
`;

const lines = statuses.split('\n').filter((line) => line.includes('|'));

describe('the status of a charge', () => {
  test.each(lines.map((line) => line.split('|').map((cell) => cell.trim())))(
    '"%s": %s, %s, %s; %s',
    (status = '', outcome, webhook, handling, approval) => {
      expect(chargeRule(status)).toEqual({
        outcome,
        webhookByDefault: webhook === 'webhook',
        handling,
      });
      expect(isApproved(status)).toBe(approval === 'approved');
      expect(wasCompleted(status)).toBe(approval === 'had been completed');
    },
  );
});
