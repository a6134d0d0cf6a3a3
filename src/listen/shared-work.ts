/**
 * Reads so much at a time, and once for all who ask for the same before it is read. What is asked
 * for while it is being read is read once more: a reading may not see what a later event speaks of.
 */
export class Readings<Answer> {
  readonly #most: number;
  /** What waits for its turn, in the order in which it was asked for. */
  readonly #waiting = new Map<
    string,
    { readonly begin: () => void; readonly answer: Promise<Answer> }
  >();
  readonly #running = new Set<string>();

  /** `most`: readings at a time. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The answer to what `subject` stands for, which `read` gives. */
  ask(subject: string, read: () => Promise<Answer>): Promise<Answer> {
    const waiting = this.#waiting.get(subject);
    if (waiting) return waiting.answer;
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const answer = begun.then(read).finally(() => {
      this.#running.delete(subject);
      this.#beginNext();
    });
    this.#waiting.set(subject, { begin, answer });
    this.#beginNext();
    return answer;
  }

  #beginNext(): void {
    for (const [subject, { begin }] of this.#waiting) {
      if (this.#running.size >= this.#most) return;
      if (this.#running.has(subject)) continue;
      this.#waiting.delete(subject);
      this.#running.add(subject);
      begin();
    }
  }
}
