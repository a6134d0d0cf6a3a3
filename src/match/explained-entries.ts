import type { BankMatch, EntryShare } from './match.ts';

/** The id of an entry, or of the part of it that is meant. */
export function entryKey({ entry, part }: EntryShare): string {
  return part === undefined ? entry.id : `${entry.id}#${part}`;
}

/** Whether the entries of a match count for its settlements. */
export function isExplained({ settlements, difference }: BankMatch): boolean {
  return settlements.length > 0 && difference !== undefined;
}

/** The entries that count for pay-outs. */
export function explainedEntries(matches: readonly BankMatch[]): ReadonlySet<string> {
  return new Set(matches.filter(isExplained).flatMap(({ entries }) => entries.map(entryKey)));
}
