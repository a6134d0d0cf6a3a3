import type { RowsOutcome } from '../../model/source.ts';
import { type Entry, entry } from '../entry.ts';
import { exampleLimit, smallest, smallestIds, smallestRecords } from '../examples.ts';
import { differingRowFields, differingSettlementFields } from '../service-fields.ts';
import type { Check, Subject } from '../subject.ts';

/** `unreadable_record`: rows that don't decode. Their amounts are in no sum. */
export function unreadableRecord({
  outcome: { unreadable },
}: Pick<Subject, 'outcome'>): readonly Entry<'unreadable_record'>[] {
  if (unreadable.length === 0) return [];
  const examples = smallestRecords(unreadable);
  return [entry('unreadable_record', unreadable.length, { examples })];
}

/** `unsteady_read`: the walks of the rows leave it open whether all were read. */
export function unsteadyRead({
  outcome: { unsteady },
}: Pick<Subject, 'outcome'>): readonly Entry<'unsteady_read'>[] {
  return unsteady === undefined ? [] : [entry('unsteady_read', 1, { reason: unsteady })];
}

/** `not_read`: the rows could not be fetched. */
export const notRead: Check = ({ notRead: reason }) =>
  reason === undefined ? [] : [entry('not_read', 1, { reason })];

/** `conflicting_transaction`: one transaction id, different rows. One of them counts, once. */
export const conflictingTransaction: Check = ({ outcome }) => conflictingRows(outcome);

/** `conflicting_transaction` by how reading the rows ended alone; none where no id has two contents. */
export function conflictingRows({
  conflicts,
}: Pick<RowsOutcome, 'conflicts'>): readonly Entry<'conflicting_transaction'>[] {
  if (conflicts.length === 0) return [];
  const examples = smallest(conflicts, ([row]) => row?.id ?? '').map((contents) => ({
    transactionId: contents[0]?.id ?? '',
    amounts: contents
      .slice(0, exampleLimit)
      .map(({ amount, scale, currency }) => ({ minor: amount, scale, currency })),
    fields: differingRowFields(contents),
  }));
  return [entry('conflicting_transaction', conflicts.length, { examples })];
}

/** `conflicting_settlement`: one settlement id, different headers. */
export const conflictingSettlement: Check = ({ headerConflicts: contents }) => {
  if (contents.length === 0) return [];
  const fields = differingSettlementFields(contents);
  return [entry('conflicting_settlement', contents.length, { contents: contents.length, fields })];
};

/** `duplicate_transaction`: the service lists the same row more than once. It counts once. */
export const duplicateTransaction: Check = ({ outcome: { repeated } }) => {
  if (repeated.length === 0) return [];
  return [
    entry('duplicate_transaction', repeated.length, {
      copies: repeated.reduce((sum, { copies }) => sum + copies, 0),
      examples: smallestIds(repeated.map(({ row }) => row.id)),
    }),
  ];
};
