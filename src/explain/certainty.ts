import { bitsOfAny, bitsOfFigures } from './bits.ts';
import type { Case } from './case.ts';
import type { Certainty } from './explained.ts';
import type { Fit } from './fit.ts';
import { unknownOrigin } from './prior.ts';
import type { CountedFit } from './search-results.ts';

/** By so many bits the best explanation is ahead of all others together. */
const margins = { certain: 10, likely: 3 } as const;

/** How sure the first of the explanations is, and which keep it from being certain. */
export interface Standing {
  readonly certainty: Certainty | undefined;
  /** Whether nothing tells the best from what fits by chance. */
  readonly mayBeChance: boolean;
  /** How many of those behind the first come so close that it isn't certain. */
  readonly rivals: number;
}

/** A complete explanation by its lengths. */
type Ranked = Pick<CountedFit, 'bits' | 'bitsOfOthers'> & {
  readonly fit: Pick<Fit, 'bits' | 'assumes'>;
};

/** Where the first of the complete explanations stands among the others. */
export function standingOf({ target }: Case, [first, ...others]: readonly Ranked[]): Standing {
  if (first === undefined) return { certainty: undefined, mayBeChance: false, rivals: 0 };
  const hasEquals = first.bitsOfOthers < Infinity;
  const own = hasEquals ? first.fit.bits : first.bits;
  const unknown = unknownOrigin + bitsOfFigures(target);
  const against = [unknown, first.bitsOfOthers, ...others.map(({ bits }) => bits)];
  const margin = bitsOfAny(against.map((bits) => [bits, 1])) - own;
  // What nothing shows is never certain.
  const isCertain = margin >= margins.certain && !first.fit.assumes;
  const isLikely = margin >= margins.likely;
  const certainty = isCertain ? 'certain' : isLikely ? 'likely' : 'one_of_several';
  return {
    certainty,
    mayBeChance: unknown - first.bits < margins.likely,
    rivals: others.filter(({ bits }) => bits - first.bits < margins.certain).length,
  };
}
