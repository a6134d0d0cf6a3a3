import type { UnsteadyReason } from '../../model/source.ts';
import { isSameDigest } from '../digest.ts';
import type { WalkSummary } from './walk-records.ts';

/** Whether everything was read, or why that stays open; `walk_again` where another walk may tell. */
export type Judgement = 'complete' | 'walk_again' | UnsteadyReason;

export interface WalkEvidence {
  /** In the order in which they were walked; one at least. */
  readonly walks: readonly WalkSummary[];
  /** Distinct records over all walks. */
  readonly union: number;
  /** The number of records that the service announces, where it announces one. */
  readonly total: number | undefined;
  /** One walk has to be enough, that came to as many as announced or to its end. */
  readonly asAnnounced?: boolean;
}

const mostWalks = 3;

/**
 * Judges the walks of a list. Neither a count nor an end proves that all was read: a list without a
 * promised order can repeat and miss records while the count looks right. Since what was handed on
 * can't be taken back, it is always the union of the walks that has to be complete.
 */
export function judge(evidence: WalkEvidence): Judgement {
  const last = evidence.walks.at(-1);
  if (evidence.asAnnounced) {
    const isAllThere = last?.ended || evidence.union === evidence.total;
    return isAllThere && !last?.irregular ? 'complete' : 'walks_disagree';
  }
  const isComplete = announcedIsThere(evidence) || walksAgree(evidence);
  if (isComplete && !last?.lostContents) return 'complete';
  // A list that is too long stays so.
  const isHopeless = last?.stopped === 'too_long';
  if (evidence.walks.length < mostWalks && !isHopeless) return 'walk_again';
  return last?.stopped ?? 'walks_disagree';
}

/** As many records as announced: at the end of one clean walk, or from several together. */
function announcedIsThere({ walks, union, total }: WalkEvidence): boolean {
  const [first] = walks;
  const isClean = first?.ended === true && !first.irregular;
  return union === total && (isClean || walks.length > 1);
}

/**
 * Two walks that ended by themselves saw the same records with the same contents, and no walk saw
 * any other record.
 */
function walksAgree({ walks, union }: WalkEvidence): boolean {
  const whole = walks.filter((walk) => walk.ended && walk.unique === union);
  return whole.some((one, at) =>
    whole.slice(at + 1).some((other) => isSameDigest(one.digest, other.digest)),
  );
}
