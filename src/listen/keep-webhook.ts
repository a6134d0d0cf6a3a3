import { isObject, parseJson } from '../base/json.ts';
import { payloadIdOf, readWebhook, type Webhook } from '../model/webhook.ts';
import type { Journal, JournalEvent } from './journal.ts';

/** What became of a body: kept, known already, or nothing that a webhook sends. */
export type Taken = 'kept' | 'known' | 'no_object';

/** Takes what comes in. What it has taken is on the disk. */
export class WebhookIntake {
  readonly #journal: Pick<Journal, 'keep' | 'knows'>;
  readonly #onKept: (event: JournalEvent) => void;
  /** By id, what is being written: who sends one again has to wait for the same. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor(journal: Pick<Journal, 'keep' | 'knows'>, onKept: (event: JournalEvent) => void) {
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
    const webhook = readWebhook(payload);
    const id = payloadIdOf(webhook);
    if (id === '') {
      await this.#keep(text, webhook);
      return 'kept';
    }
    if (this.#journal.knows(id)) return 'known';
    const writing = this.#writing.get(id);
    if (writing) {
      await writing;
      return 'known';
    }
    const keeping = this.#keep(text, webhook).finally(() => this.#writing.delete(id));
    this.#writing.set(id, keeping);
    await keeping;
    return 'kept';
  }

  async #keep(text: string, webhook: Webhook): Promise<void> {
    this.#onKept(await this.#journal.keep(text, webhook));
  }
}
