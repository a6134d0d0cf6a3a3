import { bitsOfAny, bitsOfFigures } from './bits.ts';
import type { CauseCandidate } from './candidate.ts';
import type { Case } from './case.ts';
import type { Explained } from './explained.ts';
import type { Fit } from './fit.ts';
import { unknownOrigin } from './prior.ts';
import { bitsOfRowsLike } from './rows-like.ts';
import type { CountedFit } from './search-results.ts';
import { isSame, noTally } from './tally.ts';

/** By so many bits the best explanation is ahead of all others together. */
const margins = { certain: 7, likely: 3 } as const;

/** How sure the first of the explanations is, and which keep it from being certain. */
export interface Standing extends Pick<Explained, 'certainty' | 'mayBeChance'> {
  /** How many of those behind the first come so close that it isn't certain. */
  readonly rivals: number;
}

/** A complete explanation by its lengths. */
type Ranked = Pick<CountedFit, 'bits' | 'bitsOfOthers'> & {
  readonly fit: Pick<Fit, 'bits' | 'assumes' | 'parts'>;
};

/** Where the first of the complete explanations stands among the others. */
export function standingOf(subject: Case, [first, ...others]: readonly Ranked[]): Standing {
  if (first === undefined) return { certainty: undefined, mayBeChance: false, rivals: 0 };
  const { fit, bits, bitsOfOthers } = first;
  const own = bitsOfOthers < Infinity ? fit.bits : bits;
  const unknown = bitsOfUnknown(subject);
  const against = [unknown, bitsOfOthers, ...others.map((other) => other.bits)];
  const margin = bitsOfAny(against.map((bits) => [bits, 1])) - own;
  // What nothing shows is never certain.
  const isCertain = margin >= margins.certain && !fit.assumes;
  const isLikely = margin >= margins.likely;
  const certainty = isCertain ? 'certain' : isLikely ? 'likely' : 'one_of_several';
  return {
    certainty,
    mayBeChance: unknown - own < (fit.parts.some(isOfOneRow) ? margins.certain : 0),
    rivals: others.filter((other) => other.bits - bits < margins.certain).length,
  };
}

/** What it takes to say amounts of unknown origin, as they are or like those of rows. */
function bitsOfUnknown(subject: Case): number {
  const { count, ...amounts } = subject.target;
  // A count by itself is no amount: that it is wrong is a cause of its own.
  if (isSame({ ...amounts, count: 0 }, noTally)) return Infinity;
  const asRows = amounts.contradiction === 0n ? bitsOfRowsLike(subject) : Infinity;
  return unknownOrigin + Math.min(bitsOfFigures(subject.target), asRows);
}

function isOfOneRow({ rows }: CauseCandidate): boolean {
  return rows?.of === 'row';
}
