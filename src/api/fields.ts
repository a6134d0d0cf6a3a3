import * as z from 'zod';
import { exactJson, isObject, plainText, type Replacer } from '../base/json.ts';
import type { Secrets } from '../base/secrets.ts';
import type { Note } from '../model/row.ts';
import type { OddAnswer } from '../model/source.ts';

/** What a field must hold, and what the model makes of it. */
export interface Form<Value> {
  readonly schema: z.ZodType;
  read(found: unknown): Value;
}

/** The fields of a record in the model, each with its name on the wire and its form there. */
export type Fields<Item> = {
  readonly [Field in keyof Item]: readonly [name: string, form: Form<Item[Field]>];
};

/** The names of the fields on the wire. */
export function namesOf(fields: Fields<Record<string, unknown>>): readonly string[] {
  return [...new Set(Object.values(fields).map(([name]) => name))];
}

/** An object with these fields; others are ignored. */
export function objectOf<Item>(fields: Fields<Item>): Form<Item> {
  const entries = Object.entries<readonly [string, Form<unknown>]>(fields);
  const schemas = Object.fromEntries(entries.map(([, [name, { schema }]]) => [name, schema]));
  return {
    schema: z.object(schemas, 'an object'),
    read: (found: Readonly<Record<string, unknown>>) => {
      const item: Record<string, unknown> = {};
      for (const [field, [name, form]] of entries) item[field] = form.read(found[name]);
      return item as Item;
    },
  };
}

export const anything = z.unknown().optional();

/** A field that is read whatever it holds. */
export function liberal<Value>(read: (found: unknown) => Value): Form<Value> {
  return { schema: anything, read };
}

/** A field that must match a schema; the schema's message says what is expected. */
export function strict<Found, Value>(
  schema: z.ZodType<Found>,
  read: (found: Found) => Value,
): Form<Value> {
  return { schema, read };
}

export const text = liberal(textOf);
export const notes = liberal(notesOf);
export const minorUnits = z.int('a whole number of minor units within ±(2^53 − 1)');

/** A record by its form, or the first field that cannot be read. */
export function readRecord<Item extends object>(
  form: Form<Item>,
  record: unknown,
  replace?: Replacer,
): { readonly item: Item } | { readonly fault: OddAnswer } {
  const { data, error } = form.schema.safeParse(record);
  if (!error) return { item: form.read(data) };
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  return { fault: oddField(record, { field, expected: issue?.message ?? '' }, replace) };
}

/** A field, its whole content, and what was expected there. */
export function oddField(
  raw: unknown,
  { field, expected }: Pick<OddAnswer, 'field' | 'expected'>,
  replace?: Replacer,
): OddAnswer {
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
export function quoted<Fault extends Pick<OddAnswer, 'found'>>(
  fault: Fault,
  secrets: Secrets,
): Fault {
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

/** Keys and values; what is no note is left out. */
export function notesOf(value: unknown): readonly Note[] {
  const found = Array.isArray(value) ? value.filter(isObject) : [];
  return found.map((note) => ({ key: textOf(note['key']), value: textOf(note['value']) }));
}
