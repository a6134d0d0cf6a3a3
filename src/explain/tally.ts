import { bySimplicity, type Fit } from './fit.ts';

/** The simplest of some fits that count as equal, and how many there are. */
export interface Counted {
  readonly fit: Fit;
  readonly candidates: number;
}

/** Keeps of all fits with the same key the simplest, and their number. */
export class Tally {
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
  ranked(): readonly Counted[] {
    return [...this.#byKey.values()].sort((a, b) => bySimplicity(a.fit, b.fit));
  }
}
