import { type AcceptedDifferences, withAcceptance } from './acceptance.ts';
import { type Ageing, withAge } from './overdue.ts';
import type { ReconciledSettlement } from './reconciled.ts';

/**
 * What counts only in a report that is made now, never in the files of a day: these must not change
 * as time passes, or as people accept differences.
 */
export interface WhenReported {
  /** By what the age of pending settlements is judged. */
  readonly ageing?: Ageing | undefined;
  /** What people have accepted; absent where no register is kept. */
  readonly accepted?: AcceptedDifferences | undefined;
}

/** A settlement as a report tells it: as it was judged, with its age and what was accepted of it. */
export function asReported(
  judged: ReconciledSettlement,
  { ageing, accepted }: WhenReported = {},
): ReconciledSettlement {
  return withAge(withAcceptance(judged, accepted), ageing);
}
