import type { BatchPlan } from '../../books/plan-batch.ts';
import type { FinishedBatch } from '../../register/book-batch.ts';
import type { BookedBatch } from '../../register/booked-register.ts';
import { firstOf, many, present } from '../common/phrase.ts';

/** What a batch has. */
export function batchSentence({
  number,
  entries,
}: Pick<BookedBatch, 'number' | 'entries'>): string {
  const reversals = entries.filter(({ reverses }) => reverses !== undefined).length;
  const reversed = reversals === 0 ? '' : ` (${many(reversals, 'reversal')})`;
  return `Batch ${number}: ${many(entries.length, 'entry', 'entries')}${reversed}.`;
}

/** That a batch of an earlier run was completed first. */
export function finishedSentence({ number, output }: FinishedBatch): string {
  return `Completed batch ${number} of an earlier run, which was interrupted: ${output}. Import it if you have not done so.`;
}

/** That a run has nothing to book. */
export const nothingNew = 'Nothing new to book. Nothing was written.';

/** What stays as it is booked, though the mapping has changed. */
export function keptSentences({ onOtherAccounts }: BatchPlan): readonly string[] {
  const count = onOtherAccounts.length;
  return present(
    count > 0 &&
      `The accounts have changed. ${many(count, 'booked entry stays', 'booked entries stay')} unchanged.`,
  );
}

/** What has to be looked at: settlements that are booked and no longer listed, and what they hold back. */
export function missingSentences({ missing, heldBack }: BatchPlan): readonly string[] {
  const named = missing.map(({ id, date }) => `${id} (${date})`);
  const days = [...new Set(heldBack.map(({ date }) => date))];
  return present(
    missing.length > 0 &&
      `Booked, but no longer listed as settled: ${many(missing.length, 'settlement')}: ${firstOf(named)}. Nothing was reversed. Check with the provider. To reverse them, add --reverse-missing.`,
    heldBack.length > 0 &&
      `Not booked: ${many(heldBack.length, 'changed entry', 'changed entries')} (${firstOf(days)}). The booked entries also include settlements or bank entries that are not in this run.`,
  );
}
