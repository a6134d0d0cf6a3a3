import type { PartialSettlement } from '../../app/read-transactions.ts';
import { reasonText } from '../../base/failure-reason.ts';
import type { Settlement } from '../../model/settlement.ts';
import type { Code, Entry } from '../../reconcile/entry.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { capitalised, fewOfEach, firstOf, many, present, withoutStop } from './phrase.ts';
import { entryClause } from './words.ts';

interface Reason {
  readonly code: Code | 'changed_row';
  readonly message: string;
}

/** All reasons why the list of a settlement's rows may be incomplete or wrong. */
export function reasonsOf({ entries, changed, rows }: PartialSettlement): readonly Reason[] {
  const reasons: Reason[] = entries.map((entry) => ({
    code: entry.code,
    message:
      entry.code === 'not_read' && rows > 0
        ? `only ${many(rows, 'transaction')} could be read: ${withoutStop(reasonText(entry.facts.reason))}`
        : entryClause(entry),
  }));
  if (changed.count === 0) return reasons;
  const which = firstOf(changed.examples, changed.count);
  const count = many(changed.count, 'transaction');
  const message = `${count} changed after being listed here: ${which}`;
  return [...reasons, { code: 'changed_row', message }];
}

/** The settlements of a list of transactions that were not fully read, in a few sentences. */
export function partialSentences(partial: readonly PartialSettlement[]): readonly string[] {
  return sentences(partial.map((one) => ({ ...one, reasons: reasonsOf(one) })));
}

/** The incomplete settlements of a run, in a few sentences. */
export function incompleteSentences(all: readonly ReconciledSettlement[]): readonly string[] {
  const incomplete = all.filter(({ verdict }) => verdict === 'incomplete');
  return sentences(incomplete.map((one) => ({ ...one, reasons: incompleteReasons(one) })));
}

/** Why a settlement was not fully read, as a sentence; empty if it was. */
export function notFullyReadText(one: ReconciledSettlement): string {
  const reasons = incompleteReasons(one);
  return reasons.length === 0 ? '' : capitalised(joined(reasons));
}

function incompleteReasons({ discrepancies }: ReconciledSettlement): readonly Reason[] {
  return discrepancies
    .filter(({ weight }) => weight === 'incomplete')
    .map((entry) => ({ code: entry.code, message: entryClause(entry) }));
}

interface Unread {
  readonly settlement: Settlement;
  readonly isPending?: boolean;
  readonly reasons: readonly Reason[];
}

function sentences(all: readonly Unread[]): readonly string[] {
  const { few, more } = fewOfEach(all, ({ reasons }) => reasons[0]?.code);
  return [
    ...few.map(({ settlement: { id, date }, isPending, reasons }) => {
      return `Settlement ${id} (${date}${isPending ? ', pending' : ''}): ${joined(reasons)}`;
    }),
    ...more.map(({ kind, count }) => `${many(count, 'more settlement')} not fully read (${kind}).`),
  ];
}

function joined(reasons: readonly Reason[]): string {
  return `${reasons.map(({ message }) => message).join('; ')}.`;
}

interface Reading {
  /** The number of settlements that were not fully read, and of all. */
  readonly unread: number;
  readonly settlements: number;
  readonly findings: readonly Entry[];
  /** The ids of pending settlements that were not fully read. */
  readonly pendings?: readonly string[];
}

/** `1 of 9 settlements not fully read; the list of settlements may be incomplete`; empty if all was read. */
export function unreadText({ unread, settlements, findings, pendings = [] }: Reading): string {
  return present(
    unread > 0 && `${unread} of ${many(settlements, 'settlement')} not fully read`,
    findings.some(({ code }) => code === 'missing_files') &&
      'settlement files or transactions are missing',
    findings.some(({ code, weight }) => weight === 'incomplete' && code !== 'missing_files') &&
      'the list of settlements may be incomplete',
    pendings.length > 0 &&
      `${many(pendings.length, 'pending settlement')} not fully read: ${firstOf(pendings)}`,
  ).join('; ');
}

const unreadable: readonly Code[] = ['unreadable_record', 'unreadable_header'];

/** What to do if something is incomplete. Reading again does not help with invalid records. */
export function adviceForIncomplete(entries: readonly Entry[], readAgain: readonly string[]) {
  const codes = entries.filter(({ weight }) => weight === 'incomplete').map(({ code }) => code);
  return present(
    codes.includes('missing_files') && 'Add what is missing to the settlement files.',
    ...(codes.some((code) => ![...unreadable, 'missing_files'].includes(code)) ? readAgain : []),
    codes.some((code) => unreadable.includes(code)) &&
      'Report the record and the field to the provider. Reading again will not help.',
  );
}
