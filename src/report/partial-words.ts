import type { PartialSettlement } from '../app/read-transactions.ts';
import { firstOf, many } from './phrase.ts';
import { sentence } from './wording.ts';

/** Why the rows of a settlement need not be all, or not right: a code for programs, and a sentence. */
interface Reason {
  readonly code: PartialSettlement['entries'][number]['code'] | 'changed_row';
  readonly message: string;
}

/** All that is to be said of how a settlement's rows ended. */
export function reasonsOf({
  entries,
  changed,
  rows,
}: Pick<PartialSettlement, 'entries' | 'changed' | 'rows'>): readonly Reason[] {
  const reasons: Reason[] = entries.map((entry) => ({
    code: entry.code,
    message:
      entry.code === 'not_read' && rows > 0
        ? `only ${many(rows, 'row')} could be read: ${entry.facts.reason}`
        : sentence(entry),
  }));
  if (changed.count === 0) return reasons;
  const which = firstOf(changed.examples, changed.count);
  const count = many(changed.count, 'transaction');
  const message = `${count} read otherwise after being listed here: ${which}`;
  return [...reasons, { code: 'changed_row', message }];
}

/** A settlement and the reasons, as a sentence of its own. */
export function partialSentence(partial: PartialSettlement): string {
  const { id, date } = partial.settlement;
  const pending = partial.isPending ? ', pending' : '';
  const reasons = reasonsOf(partial).map(({ message }) => message.replace(/\.$/, ''));
  return `Settlement ${id} (${date}${pending}): ${reasons.join('; ')}.`;
}
