/** A JSON Schema (draft 2020-12), or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

/** The fields of an object by name; a name with `?` at its end may be absent. */
export type Fields = Readonly<Record<string, Schema>>;

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const count: Schema = { type: 'integer', minimum: 0 };
export const change: Schema = { type: 'integer' };
export const number: Schema = { type: 'number' };
export const nothing: Schema = { type: 'null' };
export const texts = listOf(text);

export function matching(pattern: string): Schema {
  return { type: 'string', pattern };
}

export function only(value: string | number | boolean): Schema {
  return { const: value };
}

export function oneOf(...values: readonly string[]): Schema {
  return { enum: values };
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

export function either(...schemas: readonly Schema[]): Schema {
  return { anyOf: schemas };
}

export function orNull(schema: Schema): Schema {
  return either(schema, nothing);
}

/** A schema with what it means, where its name does not say. */
export function about(description: string, schema: Schema): Schema {
  return { description, ...schema };
}

interface Open extends Schema {
  readonly type: 'object';
  readonly properties: Fields;
  readonly required: readonly string[];
}

/** An object with these fields, to which more may be added. */
export function open(fields: Fields): Open {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, schema]) => [name.replace('?', ''), schema]),
    ),
    required: entries.flatMap(([name]) => (name.endsWith('?') ? [] : [name])),
  };
}

/** An object with these fields and no others. */
export function object(fields: Fields): Schema {
  return { ...open(fields), additionalProperties: false };
}

/** What an open schema says with these fields beside it, and no others. */
export function closed(schema: Schema, fields?: Fields): Schema {
  const own = { ...schema, unevaluatedProperties: false };
  if (!fields) return own;
  const [more, { properties = {}, required = [] }] = [open(fields), schema as Partial<Open>];
  return {
    ...own,
    ...more,
    properties: { ...more.properties, ...properties },
    required: [...more.required, ...required],
  };
}

/** An object with a value for each of any names, or of these. */
export function table(values: Schema, names?: readonly string[]): Schema {
  const keys = names && { propertyNames: oneOf(...names) };
  return { type: 'object', ...keys, additionalProperties: values };
}

const definition = Symbol('definition');

/** A schema that is written once in a file, and referred to by this name. */
export function named(name: string, schema: Schema): Schema {
  return { $ref: `#/$defs/${name}`, [definition]: [name, schema] };
}

/** A schema as a file of its own, with the definitions that it refers to. */
export function asFile(title: string, schema: Schema): Schema {
  const found = new Map<string, Schema>();
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if (definition in part) {
      const [name, defined] = part[definition] as [string, Schema];
      const known = found.get(name);
      if (known && known !== defined) throw new Error(`${title} has two definitions of ${name}.`);
      if (known) return;
      found.set(name, defined);
      collect(defined);
    }
    Object.values(part).forEach(collect);
  };
  collect(schema);
  const $defs = {
    ...(schema['$defs'] as object | undefined),
    ...Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  const isAny = Object.keys($defs).length > 0;
  return {
    $schema,
    $id: `recon:${title}`,
    title: `recon ${title}`,
    ...schema,
    ...(isAny && { $defs }),
  };
}
