import { isObject } from '../../base/json.ts';
import { isEncrypted, isPersonal } from '../../model/charge.ts';

/**
 * A charge's document without encrypted payment details, and without the people in it unless they
 * are asked for. Everything else stays as it came.
 */
export function withoutSecrets(document: unknown, withPersons: boolean): unknown {
  if (Array.isArray(document)) return document.map((item) => withoutSecrets(item, withPersons));
  if (!isObject(document)) return document;
  return Object.fromEntries(
    Object.entries(document)
      .filter(([key]) => !isEncrypted(key) && (withPersons || !isPersonal(key)))
      .map(([key, value]) => [key, withoutSecrets(value, withPersons)]),
  );
}
