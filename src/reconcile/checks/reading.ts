import { type Entry, entry } from '../entry.ts';
import { smallestRecords } from '../examples.ts';
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
