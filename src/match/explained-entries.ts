import type { BankMatch, EntryShare } from './match.ts';

/** The id of an entry, or of the part of it that is meant. */
export function entryKey({ entry, part }: EntryShare): string {
  return part === undefined ? entry.id : `${entry.id}#${part}`;
}

/** The entries that count for pay-outs. */
export function explainedEntries(matches: readonly BankMatch[]): ReadonlySet<string> {
  const own = matches.filter(
    ({ settlements, difference }) => settlements.length > 0 && difference !== undefined,
  );
  return new Set(own.flatMap(({ entries }) => entries.map(entryKey)));
}
