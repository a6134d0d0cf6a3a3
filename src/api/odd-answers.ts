import type { OddAnswer } from '../model/source.ts';

/** More of them than anybody reads: a service may have another word in each answer. */
const mostKept = 10;

/** Collects what answers have that the document doesn't show, each thing once. */
export class OddAnswers {
  readonly #found = new Map<string, OddAnswer>();

  readonly note = (odd: OddAnswer): void => {
    if (this.#found.size < mostKept) this.#found.set(`${odd.field} ${odd.found}`, odd);
  };

  get all(): readonly OddAnswer[] {
    return [...this.#found.values()];
  }
}
