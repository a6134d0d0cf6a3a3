import { createHash } from 'node:crypto';
import { groupedBy } from '../base/keys.ts';
import { inOrderOf } from '../base/texts.ts';
import type { BankEntry, PaymentDetails } from '../model/bank.ts';
import { maxScale, rescale } from '../money/money.ts';
import type { WrittenEntry, WrittenStatement } from './written.ts';

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
  const all = statements.flatMap((one) =>
    one.statement.entries.map((entry): Listed => ({ ...one, entry, key: keyOf(entry) })),
  );
  const groups = groupedBy(all, ({ key }) => key);
  return [...groups].flatMap(([key, group]) => {
    const hash = createHash('sha256').update(key).digest('hex').slice(0, 16);
    return withoutCopies(group).map((entry, index) => ({
      ...entry,
      id: index === 0 ? hash : `${hash}-${index + 1}`,
    }));
  });
}

/** What a statement has, and where it stands. */
interface Listed extends ChainedStatement {
  readonly entry: WrittenEntry;
  readonly key: string;
}

/** Of equal entries in several statements those that are not copies of each other. */
function withoutCopies(equal: readonly Listed[]): readonly WrittenEntry[] {
  const [only, ...others] = equal;
  if (only && others.length === 0) return [only.entry];
  const chains = [...groupedBy(equal, ({ chain }) => chain).values()].map((inChain) =>
    [...groupedBy(inChain, ({ link }) => link).values()].flatMap((inLink) => {
      const copies = [...groupedBy(inLink, ({ statement }) => statement).values()];
      return fullest(copies.map((copy) => inOrder(copy.map(({ entry }) => entry))));
    }),
  );
  return fullest(chains);
}

/**
 * What makes an entry the same in several files: the bank's reference (which banks use again, so amount
 * and day belong to it), else all that is said of it. A pending entry may change its day.
 */
function keyOf(entry: WrittenEntry): string {
  const { account, currency, status, date, valueDate, bankReference, details, parts } = entry;
  const known = [account, currency, status, plainAmount(entry)];
  const days = status === 'pending' ? [] : [date];
  if (bankReference !== '') return JSON.stringify([...known, ...days, bankReference]);
  return JSON.stringify([...known, ...days, valueDate, details, parts.map(detailsAlone)]);
}

const detailsAlone = ({ endToEndIds, texts }: PaymentDetails) => [endToEndIds, texts];

/** The amount, the same whatever the scale. */
export function plainAmount({ amount, scale }: Pick<BankEntry, 'amount' | 'scale'>): string {
  return String(rescale(amount, scale, maxScale));
}

/** Equal entries in an order that doesn't depend on where they stand. */
function inOrder(entries: readonly WrittenEntry[]): readonly WrittenEntry[] {
  return entries
    .map((entry) => ({ entry, content: contentOf(entry) }))
    .sort(inOrderOf(({ content }) => [content]))
    .map(({ entry }) => entry);
}

/** Of several lists of the same entries the longest, then that which says most, then the first by content. */
function fullest(lists: readonly (readonly WrittenEntry[])[]): readonly WrittenEntry[] {
  const [best] = lists
    .map((entries) => ({ entries, content: entries.map(contentOf).join('\n') }))
    .sort(
      inOrderOf(({ entries, content }) => [
        ...[-entries.length, -content.length, content],
        ...[entries[0]?.place.file ?? '', entries[0]?.place.line ?? 0],
      ]),
    );
  return best?.entries ?? [];
}

/** All that is said of an entry, but for where. */
function contentOf({ place: _, ...entry }: WrittenEntry): string {
  return JSON.stringify(entry, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
