import type { PartialSettlement } from '../../app/read-transactions.ts';
import type { Settlement } from '../../model/settlement.ts';
import type { Code } from '../../reconcile/entry.ts';
import type { ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { capitalised, fewOfEach, firstOf, many, withoutStop } from './phrase.ts';
import { sentence } from './words.ts';

/** Why the rows of a settlement need not be all, or not right: a code for programs, and a sentence. */
interface Reason {
  readonly code: Code | 'changed_row';
  readonly message: string;
}

/** All that is to be said of how a settlement's rows ended. */
export function reasonsOf({ entries, changed, rows }: PartialSettlement): readonly Reason[] {
  const reasons: Reason[] = entries.map((entry) => ({
    code: entry.code,
    message:
      entry.code === 'not_read' && rows > 0
        ? `only ${many(rows, 'row')} could be read: ${withoutStop(entry.facts.reason)}`
        : sentence(entry),
  }));
  if (changed.count === 0) return reasons;
  const which = firstOf(changed.examples, changed.count);
  const count = many(changed.count, 'transaction');
  const message = `${count} changed after being listed here: ${which}`;
  return [...reasons, { code: 'changed_row', message }];
}

/** The settlements of a list of transactions that were not read whole, in a few sentences. */
export function partialSentences(partial: readonly PartialSettlement[]): readonly string[] {
  return sentences(partial, reasonsOf);
}

/** The incomplete settlements of a run, in a few sentences. */
export function incompleteSentences(all: readonly ReconciledSettlement[]): readonly string[] {
  return sentences(
    all.filter(({ verdict }) => verdict === 'incomplete'),
    obstaclesOf,
  );
}

/** Why a settlement was not read whole, as sentences of its own; empty where it was. */
export function whyNotWhole(one: ReconciledSettlement): string {
  const reasons = obstaclesOf(one);
  return reasons.length === 0 ? '' : capitalised(joined(reasons));
}

function obstaclesOf({ discrepancies }: ReconciledSettlement): readonly Reason[] {
  return discrepancies
    .filter(({ weight }) => weight === 'incomplete')
    .map((entry) => ({ code: entry.code, message: sentence(entry) }));
}

/** So many can't be read for one reason that only the first few are named, and the others counted. */
function sentences<One extends { readonly settlement: Settlement; readonly isPending?: boolean }>(
  all: readonly One[],
  reasonsOf: (one: One) => readonly Reason[],
): readonly string[] {
  const { few, more } = fewOfEach(all, (one) => reasonsOf(one)[0]?.code);
  return [
    ...few.map((one) => {
      const { id, date } = one.settlement;
      return `Settlement ${id} (${date}${one.isPending ? ', pending' : ''}): ${joined(reasonsOf(one))}`;
    }),
    ...more.map(({ kind, count }) => `${many(count, 'more settlement')} not fully read (${kind}).`),
  ];
}

function joined(reasons: readonly Reason[]): string {
  return `${reasons.map(({ message }) => message).join('; ')}.`;
}
