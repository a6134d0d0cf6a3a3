import { type Entry, found } from '../entry.ts';
import { exampleLimit, smallest, smallestIds, smallestRecords } from '../examples.ts';
import { differingRowFields, differingSettlementFields } from '../service-fields.ts';
import type { Check, Subject } from '../subject.ts';

/** What is said by how reading the rows ended alone. */
type Reading = Pick<Subject, 'outcome'>;

/** `unreadable_record`: rows that don't decode. Their amounts are in no sum. */
export function unreadableRecord({
  outcome: { unreadable },
}: Reading): readonly Entry<'unreadable_record'>[] {
  return found('unreadable_record', unreadable.length, { examples: smallestRecords(unreadable) });
}

/** `unsteady_read`: the walks of the rows leave it open whether all were read. */
export function unsteadyRead({
  outcome: { unsteady: reason },
}: Reading): readonly Entry<'unsteady_read'>[] {
  return found('unsteady_read', 1, reason && { reason });
}

/** `not_read`: the rows could not be fetched. */
export const notRead: Check = ({ notRead: reason }) =>
  found('not_read', 1, reason === undefined ? undefined : { reason });

/** `conflicting_transaction`: one transaction id, different rows. One of them counts, once. */
export function conflictingTransaction({
  outcome: { conflicts },
}: Reading): readonly Entry<'conflicting_transaction'>[] {
  const examples = smallest(conflicts, ([row]) => row?.id ?? '').map((contents) => ({
    transactionId: contents[0]?.id ?? '',
    amounts: contents
      .slice(0, exampleLimit)
      .map(({ amount, scale, currency }) => ({ minor: amount, scale, currency })),
    fields: differingRowFields(contents),
  }));
  return found('conflicting_transaction', conflicts.length, { examples });
}

/** `conflicting_settlement`: one settlement id, different headers. */
export const conflictingSettlement: Check = ({ headerConflicts: contents }) =>
  found('conflicting_settlement', contents.length, {
    contents: contents.length,
    fields: differingSettlementFields(contents),
  });

/** `duplicate_transaction`: the service lists the same row more than once. It counts once. */
export const duplicateTransaction: Check = ({ outcome: { repeated } }) =>
  found('duplicate_transaction', repeated.length, {
    copies: repeated.reduce((sum, { copies }) => sum + copies, 0),
    examples: smallestIds(repeated.map(({ row }) => row.id)),
  });
