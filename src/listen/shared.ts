/**
 * Work that several ask for at the same time and that need be done only once: what is asked for
 * while it is being done is done once more, for all who have asked by then.
 */
export class Shared {
  readonly #work: () => Promise<void>;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves once the work has been done from beginning to end after this was called. */
  done(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        this.#running = this.#work();
        return this.#running;
      });
    return this.#next;
  }
}
