import type { Candidate, CandidateRows } from './candidate.ts';
import type { Case } from './case.ts';
import { traitsOf } from './cells.ts';

/**
 * Whether two candidates can be true together as they stand. Deltas of the same row don't add up: a
 * row that was left out with its state can't be left out, or counted twice, once more.
 */
export function areCompatible(subject: Case, a: Candidate, b: Candidate): boolean {
  return areApart(subject, a.rows, b.rows) && areApart(subject, b.rows, a.rows);
}

function areApart({ rows }: Case, a: CandidateRows, b: CandidateRows): boolean {
  if (a.of === 'row' && b.of === 'row') return a.slot !== b.slot;
  if (a.of === 'row' && b.of === 'group') {
    return a.columns !== rows || !b.has(traitsOf(rows, a.index));
  }
  if (a.of === 'list' && b.of === 'list') {
    return !a.rows.some(({ id }) => b.rows.some((other) => other.id === id));
  }
  return true;
}
