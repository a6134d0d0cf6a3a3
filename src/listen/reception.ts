import { isObject, parseJson } from '../base/json.ts';
import { recogniseWebhook } from '../model/webhook.ts';
import type { Journal } from './journal.ts';

/** What became of a body: kept, known already, or nothing that a webhook sends. */
export type Taken = 'kept' | 'known' | 'no_object';

/** Takes what comes in. What it has taken is on the disk. */
export class Reception {
  readonly #journal: Pick<Journal, 'append' | 'recentIds'>;
  readonly #onKept: () => void;
  /** Ids that are being written: who sends one again has to wait for the same flush. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor(journal: Pick<Journal, 'append' | 'recentIds'>, onKept: () => void) {
    this.#journal = journal;
    this.#onKept = onKept;
  }

  /**
   * Takes the text of a body. A settlement payload has an id (doc 6.2): one that came before isn't
   * repeated. Charge events have none, and are not told apart (doc 6.1). Throws ReconError where it
   * can't be kept.
   */
  async take(text: string): Promise<Taken> {
    const payload = parseJson(text);
    if (!isObject(payload)) return 'no_object';
    const webhook = recogniseWebhook(payload);
    const id = webhook.kind === 'settlement' ? webhook.payloadId : '';
    if (id === '') await this.#keep(text);
    else if (this.#journal.recentIds.has(id)) return 'known';
    else if (this.#writing.has(id)) {
      await this.#writing.get(id);
      return 'known';
    } else await this.#keepOnce(id, text);
    return 'kept';
  }

  async #keepOnce(id: string, text: string): Promise<void> {
    const writing = this.#keep(text);
    this.#writing.set(id, writing);
    try {
      await writing;
      this.#journal.recentIds.add(id);
    } finally {
      this.#writing.delete(id);
    }
  }

  async #keep(text: string): Promise<void> {
    await this.#journal.append(text);
    this.#onKept();
  }
}
