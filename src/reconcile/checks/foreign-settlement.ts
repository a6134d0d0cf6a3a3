import { isSameUuid } from '../../base/uuid.ts';
import { entry } from '../entry.ts';
import { smallestIds } from '../examples.ts';
import type { Check } from './check.ts';

/**
 * `foreign_settlement`: rows that say they belong to another settlement. The service lists them
 * under this one, so they stay in its sums. UUIDs are compared whatever the case of their letters;
 * a row that names no settlement isn't foreign.
 */
export const foreignSettlement: Check = ({ settlement, rows }) => {
  const isForeign = (id: string) => id !== '' && !isSameUuid(id, settlement.id);
  const found = rows.where((index) => isForeign(rows.settlementIds.get(index)));
  if (found.length === 0) return [];
  return [
    entry('foreign_settlement', found.length, {
      settlementIds: smallestIds(new Set(found.map((index) => rows.settlementIds.get(index)))),
      examples: smallestIds(found.map((index) => rows.ids.get(index))),
    }),
  ];
};
