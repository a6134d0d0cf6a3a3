import type { Posting } from '../model/journal-entry.ts';

/** A posting, and the account that it is booked against. */
export interface Pair {
  readonly posting: Posting;
  readonly against: string;
}

/**
 * An entry in pairs of accounts. All postings stand against one account: that of the only posting on its
 * side, or else that of the first posting. Since the entry comes to zero, the pairs come to exactly the
 * entry's own amounts on every account, on that one too.
 */
export function pairsOf(postings: readonly Posting[]): readonly Pair[] {
  const sides = [
    postings.filter(({ minor }) => minor < 0n),
    postings.filter(({ minor }) => minor > 0n),
  ];
  const hub = sides.find(({ length }) => length === 1)?.[0] ?? postings[0];
  return postings
    .filter(({ account }) => account !== hub?.account)
    .map((posting) => ({ posting, against: hub?.account ?? '' }));
}
