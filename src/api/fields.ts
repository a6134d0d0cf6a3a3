import { exactJson, isObject, plainText, type Replacer } from '../base/json.ts';
import type { Secrets } from '../base/secrets.ts';
import type { Note } from '../model/row.ts';
import type { OddAnswer } from '../model/source.ts';

/** A field, its whole content, and what was expected there. */
export function oddField<Expected extends string>(
  raw: unknown,
  { field, expected }: { readonly field: string; readonly expected: Expected },
  replace?: Replacer,
): OddAnswer & { readonly expected: Expected } {
  const path = field === '' ? [] : field.split('.');
  const value = path.reduce<unknown>(
    (outer, key) => (typeof outer === 'object' && outer !== null ? Reflect.get(outer, key) : outer),
    raw,
  );
  return { field, found: value === undefined ? 'nothing' : jsonOf(value, replace), expected };
}

/** No more characters of a field's content are quoted. */
const longestFound = 80;

/** A fault whose content is quoted without the secrets, and shortened. */
export function quoted<Fault extends Pick<OddAnswer, 'found'>>(fault: Fault, secrets: Secrets) {
  return { ...fault, found: secrets.quote(fault.found, longestFound) };
}

/** JSON text, with the digits of numbers as they came. */
export function jsonOf(value: unknown, replace?: Replacer): string {
  try {
    return exactJson(value, undefined, replace);
  } catch {
    return '[nested too deeply]';
  }
}

/** A text, number or boolean as text; empty for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return plainText(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Keys and values; anything else is left out. */
export function notesOf(value: unknown): readonly Note[] {
  const found = Array.isArray(value) ? value.filter(isObject) : [];
  return found.map((note) => ({ key: textOf(note['key']), value: textOf(note['value']) }));
}
