import type { Purpose } from '../model/account-mapping.ts';
import type { Posting } from '../model/journal-entry.ts';

/** A posting, and the account that it is booked against. */
export interface Pair {
  readonly posting: Posting;
  readonly against: string;
}

/**
 * An entry in pairs of accounts. All postings stand against one account: that of the only posting on its
 * side, or else that of the first posting; of one without a tax key if possible, as a key is lost there.
 * Since the entry comes to zero, the pairs come to exactly the entry's own amounts on every account, on
 * that one too.
 */
export function pairsOf(
  postings: readonly Posting[],
  taxKeys: { readonly [One in Purpose]?: string | undefined } = {},
): readonly Pair[] {
  const sides = [
    postings.filter(({ minor }) => minor < 0n),
    postings.filter(({ minor }) => minor > 0n),
  ];
  const alone = sides.flatMap((side) => (side.length === 1 ? side : []));
  const candidates = [...alone, ...postings];
  const hub = candidates.find(({ purpose }) => !taxKeys[purpose]) ?? candidates[0];
  return postings
    .filter(({ account }) => account !== hub?.account)
    .map((posting) => ({ posting, against: hub?.account ?? '' }));
}
