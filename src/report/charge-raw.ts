import { isObject } from '../base/json.ts';

/** The people of a charge (doc 2.3, 2.4), and what describes them wherever it may stand. */
const personal: readonly string[] = ['customer', 'payer', 'entity_details'];

/** Payment details are encrypted and never shown (doc 2.4); `instrument` holds nothing else. */
function isEncrypted(key: string): boolean {
  return key === 'instrument' || /encrypt/i.test(key);
}

/**
 * A charge's document without encrypted payment details, and without the people in it unless they
 * are asked for. Everything else stays as it came.
 */
export function withoutSecrets(document: unknown, withPersons: boolean): unknown {
  if (Array.isArray(document)) return document.map((item) => withoutSecrets(item, withPersons));
  if (!isObject(document)) return document;
  return Object.fromEntries(
    Object.entries(document)
      .filter(([key]) => !isEncrypted(key) && (withPersons || !personal.includes(key)))
      .map(([key, value]) => [key, withoutSecrets(value, withPersons)]),
  );
}
