import type { CauseCandidate, RowCandidate } from './candidate.ts';
import type { Case } from './case.ts';
import { changeOf, type Delta, deltaKey, isSameDelta, minus, subtractAmounts } from './delta.ts';

/** A cause that changes what each row is in the header, and what it leaves of the target. */
interface Revaluing {
  readonly candidate: CauseCandidate;
  readonly revalue: NonNullable<CauseCandidate['revalue']>;
  readonly residual: Delta;
}

/** Candidates by what they leave of the target: whatever has that delta completes them. */
export class ResidualIndex {
  readonly #byResidual = new Map<string, CauseCandidate[]>();
  readonly #revaluing: Revaluing[] = [];
  readonly #subject: Case;

  constructor(subject: Case) {
    this.#subject = subject;
  }

  add(candidate: CauseCandidate): void {
    const residual = minus(this.#subject.target, candidate.delta);
    const { revalue } = candidate;
    if (revalue) {
      this.#revaluing.push({ candidate, revalue, residual });
      return;
    }
    const key = deltaKey(residual);
    const same = this.#byResidual.get(key);
    if (same) same.push(candidate);
    else this.#byResidual.set(key, [candidate]);
  }

  completedBy(delta: Delta): readonly CauseCandidate[] {
    return this.#byResidual.size === 0 ? [] : (this.#byResidual.get(deltaKey(delta)) ?? []);
  }

  /** What one row completes, and the row with what it makes of the difference beside that. */
  *completedByRow(row: RowCandidate): Iterable<readonly [CauseCandidate, RowCandidate]> {
    for (const other of this.completedBy(row.delta)) yield [other, row];
    for (const { candidate, revalue, residual } of this.#revaluing) {
      // Most rows are told apart by their gross, which no revaluing changes.
      if (row.delta.gross !== residual.gross || row.delta.count !== residual.count) continue;
      const amounts = subtractAmounts(revalue(row.reported), revalue(row.listed));
      const delta = changeOf(this.#subject.identity, row.delta.count, amounts);
      if (isSameDelta(delta, residual)) yield [candidate, { ...row, delta }];
    }
  }
}
