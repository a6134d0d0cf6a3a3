import type { CauseCandidate } from './candidate.ts';
import type { Case, Obstacle } from './case.ts';
import type { CauseCode } from './cause.ts';
import { bySimplicity, type Fit, fitOf } from './fit.ts';
import { figuresAccountedFor, isSame, noTally } from './tally.ts';

/** The simplest of some fits that count as equal, and how many there are. */
export interface CountedFit {
  readonly fit: Fit;
  readonly candidates: number;
}

/** Keeps of all fits with the same key those that solve the most figures: the simplest, and their number. */
class FitCounts {
  readonly #byKey = new Map<string, { figures: number; fit: Fit; candidates: number }>();

  /** `candidates`: how many fits there are that differ from this one by nothing but the rows. */
  add(key: string, fit: Fit, figures: number, candidates: number): void {
    const known = this.#byKey.get(key);
    if (known === undefined || known.figures < figures) {
      this.#byKey.set(key, { figures, fit, candidates });
      return;
    }
    if (known.figures > figures) return;
    const order = bySimplicity(fit, known.fit);
    // The same fit can be come upon twice: two causes in the header, undone in either order.
    if (order !== 0) known.candidates += candidates;
    if (order < 0) known.fit = fit;
  }

  /** Those that solve the most first, the simplest before the others. */
  ranked(): readonly CountedFit[] {
    return [...this.#byKey.values()].sort(
      (a, b) => b.figures - a.figures || bySimplicity(a.fit, b.fit),
    );
  }
}

/** What the search has come upon. */
export class SearchResults {
  /** Fits that leave nothing, by kind. */
  readonly complete = new FitCounts();
  /**
   * How many candidates were tried, by the code of each hypothesis that was tested. A row counts
   * once, though it is tried with the count and without.
   */
  readonly tried = new Map<CauseCode, number>();
  readonly obstacles: { readonly code: CauseCode; readonly obstacle: Obstacle }[] = [];
  /** Why not all pairs of causes were tried. */
  readonly pairObstacles: Obstacle[] = [];
  /** Fits that leave something, by code. */
  readonly partial = new FitCounts();
  readonly #subject: Case;

  constructor(subject: Case) {
    this.#subject = subject;
  }

  /** Notes that a hypothesis is tested, even where it has no candidate here. */
  test(code: CauseCode): void {
    this.count(code, 0);
  }

  /** Notes that candidates were tried and don't fit. */
  count(code: CauseCode, candidates: number): void {
    this.tried.set(code, (this.tried.get(code) ?? 0) + candidates);
  }

  /**
   * Tries one candidate by itself, in the place of so many that are alike; false where it makes no
   * difference, and so is none.
   */
  try(candidate: CauseCandidate, alike = 1): boolean {
    const { cause, change, isSecond } = candidate;
    if (isSame(change, noTally)) return false;
    if (!isSecond) this.count(cause.code, alike);
    const { target } = this.#subject;
    const figures = figuresAccountedFor(target, change);
    if (isSame(change, target)) this.explain([candidate], alike);
    else if (figures > 0) this.partial.add(cause.code, fitOf([candidate]), figures, alike);
    return true;
  }

  /** Candidates that leave nothing, in the place of so many sets of them that are alike. */
  explain(candidates: readonly CauseCandidate[], alike = 1): void {
    const fit = fitOf(candidates);
    this.complete.add(fit.kind, fit, 0, alike);
  }

  hinder(code: CauseCode, obstacle: Obstacle): void {
    const isKnown = this.obstacles.some(
      (known) => known.code === code && known.obstacle.reason === obstacle.reason,
    );
    if (!isKnown) this.obstacles.push({ code, obstacle });
  }
}
