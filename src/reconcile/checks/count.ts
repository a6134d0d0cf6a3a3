import { entry } from '../entry.ts';
import type { Check } from './check.ts';

/** `count`: `totalTransactions` is the number of unique transaction ids, of whatever currency. */
export const count: Check = ({ reported, computed, difference }) => {
  if (computed === undefined || difference === undefined || difference.transactions === 0)
    return [];
  return [
    entry('count', Math.abs(difference.transactions), {
      reported: reported.transactions,
      computed: computed.transactions,
      difference: difference.transactions,
    }),
  ];
};
