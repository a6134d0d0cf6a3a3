import type { RowsOutcome } from '../../model/source.ts';
import { type Entry, entry } from '../entry.ts';
import { exampleLimit, smallest } from '../examples.ts';
import { differingRowFields, differingSettlementFields } from '../service-fields.ts';
import type { Check } from './check.ts';

/** `conflicting_transaction`: one transaction id, different rows. One of them counts, once. */
export const conflictingTransaction: Check = ({ outcome }) => conflictingRows(outcome);

/** The same by how reading the rows ended alone. */
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
