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
  const count = statements.reduce((sum, { statement }) => sum + statement.entries.length, 0);
  // Of each entry the number of its statement, its own in that, and the words of its id.
  const columns = [0, 1, 2, 3].map(() => new Uint32Array(count));
  const [owners, rows, first, second] = columns as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  let at = 0;
  for (const [
    number,
    {
      statement: { entries },
    },
  ] of statements.entries()) {
    for (let row = 0; row < entries.length; row += 1, at += 1) {
      owners[at] = number;
      rows[at] = row;
      first[at] = entries.idWord(row, 0);
      second[at] = entries.idWord(row, 1);
    }
  }
  const compare = (one: number, other: number) =>
    (first[one] ?? 0) - (first[other] ?? 0) || (second[one] ?? 0) - (second[other] ?? 0);
  const order = new Uint32Array(count).map((_, place) => place).sort(compare);
  const found: BankEntry[] = [];
  for (let from = 0, to = 0; from < count; from = to) {
    while (to < count && compare(order[from] ?? 0, order[to] ?? 0) === 0) to += 1;
    const equal = Array.from(order.subarray(from, to)).flatMap((place): Listed | [] => {
      const one = statements[owners[place] ?? 0];
      return one ? { ...one, row: rows[place] ?? 0 } : [];
    });
    for (const [index, { statement, row }] of withoutCopies(equal).entries()) {
      found.push(statement.entries.entry(row, index));
    }
  }
  return found;
}

/** An entry of a statement by its number, and where the statement stands. */
interface Listed extends ChainedStatement {
  readonly row: number;
}

/** Of equal entries in several statements those that are not copies of each other. */
function withoutCopies(equal: readonly Listed[]): readonly Listed[] {
  if (equal.length === 1) return equal;
  const chains = [...groupedBy(equal, ({ chain }) => chain).values()].map((inChain) =>
    [...groupedBy(inChain, ({ link }) => link).values()].flatMap((inLink) => {
      const copies = [...groupedBy(inLink, ({ statement }) => statement).values()];
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

const entryOf = ({ statement, row }: Listed) => statement.entries.entry(row);

/** All that is said of an entry, but for where. */
function contentOf(listed: Listed): string {
  const { id: _, place: __, ...entry } = plainEntry(entryOf(listed));
  return JSON.stringify(entry, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
