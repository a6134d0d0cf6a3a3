import { entry } from '../entry.ts';
import { smallestRecords } from '../examples.ts';
import type { Check } from '../subject.ts';

/** `unreadable_record`: rows that don't decode. Their amounts are in no sum. */
export const unreadableRecord: Check = ({ outcome: { unreadable } }) => {
  if (unreadable.length === 0) return [];
  const examples = smallestRecords(unreadable);
  return [entry('unreadable_record', unreadable.length, { examples })];
};

/** `unsteady_read`: the walks of the rows leave it open whether all were read. */
export const unsteadyRead: Check = ({ outcome: { unsteady } }) =>
  unsteady === undefined ? [] : [entry('unsteady_read', 1, { reason: unsteady })];

/** `not_read`: the rows could not be fetched. */
export const notRead: Check = ({ notRead: reason }) =>
  reason === undefined ? [] : [entry('not_read', 1, { reason })];
