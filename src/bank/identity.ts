import { groupedBy } from '../base/keys.ts';
import { inOrderOf } from '../base/texts.ts';
import { type BankEntry, plainEntry } from '../model/bank.ts';
import type { WrittenStatement } from './written.ts';

/** A statement and where it stands in a chain of statements that follow on each other. */
export interface ChainedStatement {
  readonly statement: WrittenStatement;
  /** Statements of one chain have different entries; those of several may repeat each other's. */
  readonly chain: number;
  /** The same for several copies of one statement. */
  readonly link: number;
  /** Whether another one of the same link comes before it. */
  readonly isCopy: boolean;
}

/**
 * Entries of statements of one kind, each once: what several statements have counts as often as it occurs
 * in the one that has it most often, since two entries of one statement are two payments, however equal.
 */
export function distinctEntries(statements: readonly ChainedStatement[]): readonly BankEntry[] {
  const all: Listed[] = [];
  for (const from of statements) {
    const { length } = from.statement.entries;
    for (let row = 0; row < length; row += 1) all.push({ from, row });
  }
  all.sort(byId);
  const found: BankEntry[] = [];
  for (let from = 0, to = 0; from < all.length; from = to) {
    while (to < all.length && byId(all[from], all[to]) === 0) to += 1;
    for (const [index, one] of withoutCopies(all.slice(from, to)).entries()) {
      found.push(entryOf(one, index));
    }
  }
  return found;
}

/** An entry of a statement by its number in it. */
interface Listed {
  readonly from: ChainedStatement;
  readonly row: number;
}

function byId(one: Listed | undefined, other: Listed | undefined): number {
  const compare = (half: 0 | 1) => wordOf(one, half) - wordOf(other, half);
  return compare(0) || compare(1);
}

function wordOf(listed: Listed | undefined, half: 0 | 1): number {
  return listed?.from.statement.entries.idWord(listed.row, half) ?? 0;
}

/** Of equal entries in several statements those that are not copies of each other. */
function withoutCopies(equal: readonly Listed[]): readonly Listed[] {
  if (equal.length === 1) return equal;
  const chains = [...groupedBy(equal, ({ from }) => from.chain).values()].map((inChain) =>
    [...groupedBy(inChain, ({ from }) => from.link).values()].flatMap((inLink) => {
      const copies = [...groupedBy(inLink, ({ from }) => from.statement).values()];
      return fullest(copies.map(inOrder));
    }),
  );
  return fullest(chains);
}

/** Equal entries in an order that doesn't depend on where they stand. */
function inOrder(entries: readonly Listed[]): readonly Listed[] {
  return entries
    .map((entry) => ({ entry, content: contentOf(entry) }))
    .sort(inOrderOf(({ content }) => [content]))
    .map(({ entry }) => entry);
}

/** Of several lists of the same entries the longest, then that which says most, then the first by content. */
function fullest(lists: readonly (readonly Listed[])[]): readonly Listed[] {
  const [only = [], ...others] = lists;
  if (others.length === 0) return only;
  const [best] = lists
    .map((entries) => ({ entries, content: entries.map(contentOf).join('\n') }))
    .sort(
      inOrderOf(({ entries, content }) => {
        const { file = '', line = 0 } = entries[0] ? entryOf(entries[0]).place : {};
        return [-entries.length, -content.length, content, file, line];
      }),
    );
  return best?.entries ?? [];
}

const entryOf = ({ from, row }: Listed, repetition = 0) =>
  from.statement.entries.entry(row, repetition);

/** All that is said of an entry, but for where. */
function contentOf(listed: Listed): string {
  const { id: _, place: __, ...entry } = plainEntry(entryOf(listed));
  return JSON.stringify(entry, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
