import { isObject, parseJson } from '../base/json.ts';
import { payloadIdOf, readWebhook } from '../model/webhook.ts';
import type { Journal, JournalEvent } from './journal.ts';

/** What became of a body: kept, known already, or nothing that a webhook sends. */
export type KeepOutcome = 'kept' | 'known' | 'no_object';

/**
 * What keeps the text of a body in the journal and hands the event to `onKept`. A settlement payload
 * has an id (doc 6.2): one that came before isn't repeated. Charge events have none, and are not told
 * apart (doc 6.1). Once it resolves, the event is on the disk; it throws ReconError where that fails.
 */
export function webhookKeeper(
  journal: Pick<Journal, 'keep' | 'knows'>,
  onKept: (event: JournalEvent) => void,
): (text: string) => Promise<KeepOutcome> {
  /** By id, what is being written: who sends one again has to wait for the same. */
  const writing = new Map<string, Promise<void>>();
  return async (text) => {
    const payload = parseJson(text);
    if (!isObject(payload)) return 'no_object';
    const webhook = readWebhook(payload);
    const id = payloadIdOf(webhook);
    if (id !== '' && (journal.knows(id) || writing.has(id))) {
      await writing.get(id);
      return 'known';
    }
    const keeping = journal
      .keep(text, webhook)
      .then(onKept)
      .finally(() => writing.delete(id));
    if (id !== '') writing.set(id, keeping);
    await keeping;
    return 'kept';
  };
}
