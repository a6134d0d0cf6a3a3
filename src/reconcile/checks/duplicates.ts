import { entry } from '../entry.ts';
import { smallestIds } from '../examples.ts';
import type { Check } from './check.ts';

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
