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

/** Keeps of all fits with the same key the simplest, and their number. */
export class FitCounts {
  readonly #byKey = new Map<string, { fit: Fit; candidates: number }>();

  add(key: string, fit: Fit): void {
    const known = this.#byKey.get(key);
    if (known === undefined) {
      this.#byKey.set(key, { fit, candidates: 1 });
      return;
    }
    const order = bySimplicity(fit, known.fit);
    // The same fit can be come upon twice: two causes in the header, undone in either order.
    if (order !== 0) known.candidates += 1;
    if (order < 0) known.fit = fit;
  }

  /** The simplest first. */
  ranked(): readonly CountedFit[] {
    return [...this.#byKey.values()].sort((a, b) => bySimplicity(a.fit, b.fit));
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
  /** Fits that leave something: of each code, those that account for the most figures. */
  readonly #partial = new Map<CauseCode, { readonly figures: number; readonly tally: FitCounts }>();
  readonly #subject: Case;

  constructor(subject: Case) {
    this.#subject = subject;
  }

  /** Notes that a hypothesis is tested, even where it has no candidate here. */
  test(code: CauseCode): void {
    this.tried.set(code, this.tried.get(code) ?? 0);
  }

  /** Tries one candidate by itself; false where it makes no difference, and so is none. */
  try(candidate: CauseCandidate): boolean {
    const { cause, change } = candidate;
    if (isSame(change, noTally)) return false;
    if (!isSecondForm(candidate)) this.tried.set(cause.code, (this.tried.get(cause.code) ?? 0) + 1);
    const { target } = this.#subject;
    if (isSame(change, target)) this.explain([candidate]);
    else this.#help(candidate, figuresAccountedFor(target, change));
    return true;
  }

  /** Candidates that leave nothing. */
  explain(candidates: readonly CauseCandidate[]): void {
    const fit = fitOf(candidates);
    this.complete.add(fit.kind, fit);
  }

  hinder(code: CauseCode, obstacle: Obstacle): void {
    const isKnown = this.obstacles.some(
      (known) => known.code === code && known.obstacle.reason === obstacle.reason,
    );
    if (!isKnown) this.obstacles.push({ code, obstacle });
  }

  /** For each code, the candidate that accounts for the most figures; the most of all first. */
  partial(): readonly CountedFit[] {
    return [...this.#partial.values()]
      .flatMap(({ figures, tally }) => tally.ranked().map((counted) => ({ figures, counted })))
      .sort((a, b) => b.figures - a.figures || bySimplicity(a.counted.fit, b.counted.fit))
      .map(({ counted }) => counted);
  }

  #help(candidate: CauseCandidate, figures: number): void {
    if (figures === 0) return;
    const { code } = candidate.cause;
    const known = this.#partial.get(code);
    if (known && known.figures > figures) return;
    const best = known?.figures === figures ? known : { figures, tally: new FitCounts() };
    this.#partial.set(code, best);
    best.tally.add('', fitOf([candidate]));
  }
}

/** Whether this is a row that is tried a second time, with its amounts alone. */
function isSecondForm({ cause: { facts }, rows }: CauseCandidate): boolean {
  return rows?.of === 'row' && 'count' in facts && facts.count === 'stays';
}
