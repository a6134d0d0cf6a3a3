import { bitsOfAny } from './bits.ts';
import type { CauseCandidate } from './candidate.ts';
import type { Case } from './case.ts';
import type { Explained } from './explained.ts';
import type { Fit } from './fit.ts';
import type { CountedFit } from './search-results.ts';
import { bitsOfUnknown } from './unknown.ts';

/** By so many bits the best explanation is ahead of all others together. */
const margins = { certain: 10, likely: 4 } as const;

/** How sure the first of the explanations is, and which keep it from being certain. */
export interface Standing extends Pick<Explained, 'certainty' | 'mayBeChance'> {
  /** How many of those behind the first come so close that it isn't certain. */
  readonly rivals: number;
}

/** A complete explanation by its lengths. */
type Ranked = Pick<CountedFit, 'bits' | 'bitsOfOthers'> & {
  readonly fit: Pick<Fit, 'bits' | 'assumes' | 'inLine' | 'parts'>;
};

/** Where the first of the complete explanations stands among the others. */
export function standingOf(subject: Case, [first, ...others]: readonly Ranked[]): Standing {
  if (first === undefined) return { certainty: undefined, mayBeChance: false, rivals: 0 };
  const { fit, bits, bitsOfOthers } = first;
  const own = bitsOfOthers < Infinity ? fit.bits : bits;
  const unknown = bitsOfUnknown(subject);
  const against = [unknown, bitsOfOthers, ...others.map((other) => other.bits)];
  const margin = bitsOfAny(against.map((bits) => [bits, 1])) - own;
  // What no row shows is never certain, and no more than possible if it is unlike the rows.
  const isCertain = margin >= margins.certain && !fit.assumes;
  const isLikely = margin >= margins.likely && (!fit.assumes || fit.inLine);
  const certainty = isCertain ? 'certain' : isLikely ? 'likely' : 'one_of_several';
  return {
    certainty,
    mayBeChance: unknown - own < (fit.parts.some(isOfOneRow) ? margins.certain : 0),
    rivals: others.filter((other) => other.bits - bits < margins.certain).length,
  };
}

function isOfOneRow({ rows }: CauseCandidate): boolean {
  return rows?.of === 'row';
}
