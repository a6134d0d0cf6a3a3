/**
 * Does so much at a time, and each thing once for all who ask for it before it is begun. What is asked
 * for while it is being done is done once more: it may not see what a later asker knows of.
 */
export class SharedWork<Result> {
  readonly #most: number;
  /** What waits for its turn, in the order in which it was asked for. */
  readonly #waiting = new Map<
    string,
    { readonly begin: () => void; readonly result: Promise<Result> }
  >();
  readonly #running = new Set<string>();

  /** `most`: how much at a time. */
  constructor(most: number) {
    this.#most = most;
  }

  /** What `work` gives, which does what `subject` stands for. */
  do(subject: string, work: () => Promise<Result>): Promise<Result> {
    const waiting = this.#waiting.get(subject);
    if (waiting) return waiting.result;
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const result = begun.then(work).finally(() => {
      this.#running.delete(subject);
      this.#beginNext();
    });
    this.#waiting.set(subject, { begin, result });
    this.#beginNext();
    return result;
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
