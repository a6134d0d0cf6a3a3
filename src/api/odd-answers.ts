import type { Secrets } from '../base/secrets.ts';
import type { OddAnswer } from '../model/source.ts';
import { quoted } from './decode.ts';

/** More of them than anybody reads: a service may have another word in each answer. */
const mostKept = 10;

/** Collects what answers have that the document doesn't show, each thing once. */
export class OddAnswers {
  readonly #found = new Map<string, OddAnswer>();
  readonly #secrets: Secrets;

  /** `secrets` are kept out of what is quoted. */
  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  readonly note = (odd: OddAnswer): void => {
    if (this.#found.size >= mostKept) return;
    const one = quoted(odd, this.#secrets);
    this.#found.set(`${one.field} ${one.found}`, one);
  };

  get all(): readonly OddAnswer[] {
    return [...this.#found.values()];
  }
}
