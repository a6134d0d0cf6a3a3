import { bitsOfAny } from './bits.ts';
import type { Explained, Explanation } from './explained.ts';

/** By so many bits the best explanation is ahead of all others together. */
const margins = { certain: 10, likely: 4 } as const;

/** The first of the complete explanations, and where it stands among the others and the unknown one. */
export function standingOf(
  bitsOfUnknown: number,
  [best, ...others]: readonly Explanation[],
): Pick<Explained, 'best' | 'certainty' | 'mayBeChance' | 'rivals'> {
  if (best === undefined) {
    return { best, certainty: undefined, mayBeChance: false, rivals: [] };
  }
  const { bits: own, ofOthers } = best.lengths;
  const against = [bitsOfUnknown, ofOthers, ...others.map((other) => other.bits)];
  const margin = bitsOfAny(against.map((bits) => [bits, 1])) - own;
  // What no row shows is never certain, and no more than possible if it is unlike the rows. How the
  // service rounds is no more than likely by one settlement.
  const isCertain =
    margin >= margins.certain && !best.assumesAmounts && !best.codes.includes('rounding');
  const isLikely = margin >= margins.likely && (!best.assumesAmounts || best.inLine);
  return {
    best,
    certainty: isCertain ? 'certain' : isLikely ? 'likely' : 'one_of_several',
    mayBeChance: bitsOfUnknown - own < (best.namesRow ? margins.certain : 0),
    rivals: others.filter((other) => other.bits - best.bits < margins.certain),
  };
}
