/** A JSON Schema (draft 2020-12), or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

/** The fields of an object by name; a name with `?` at its end may be absent. */
export type Fields = Readonly<Record<string, Schema>>;

const definition = Symbol('definition');

type Definition = readonly [name: string, schema: Schema, isShared: boolean];
type Definitions = Map<string, Schema>;

/** Of shared schemas: to be shared, too. */
const withNull = new Map<Schema, Schema>();

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const change: Schema = { type: 'integer' };
export const number: Schema = { type: 'number' };
export const nothing: Schema = { type: 'null' };

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
  const known = withNull.get(schema);
  if (known) return known;
  const { type } = schema;
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] };
  const { [definition]: [name, , isShared] = [] } = schema as { [definition]?: Definition };
  const own = either(schema, nothing);
  const made = name !== undefined && isShared ? shared(`${name}OrNull`, own) : own;
  withNull.set(schema, made);
  return made;
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

/** What an open schema says with these fields beside it. */
export function beside(schema: Schema, fields: Fields): Schema {
  const [more, known] = [open(fields), schema as Partial<Open>];
  const required = [...more.required, ...(known.required ?? [])];
  return {
    ...schema,
    properties: { ...more.properties, ...known.properties },
    ...(required.length > 0 && { required }),
  };
}

/** What an open schema says with these fields beside it, and no others. */
export function closed(schema: Schema, fields?: Fields): Schema {
  return { ...(fields ? beside(schema, fields) : schema), unevaluatedProperties: false };
}

/** An object with a value for each of any names, or of these. */
export function table(values: Schema, names?: Schema): Schema {
  const keys = names && { propertyNames: names };
  return { type: 'object', ...keys, additionalProperties: values };
}

/** A schema that is written once in a file, and referred to by this name. */
export function named(name: string, schema: Schema): Schema {
  return { $ref: `#/$defs/${name}`, [definition]: [name, schema, false] satisfies Definition };
}

/** A schema that is written once for all files, in `common.schema.json`. */
export function shared(name: string, schema: Schema): Schema {
  const $ref = `${fileOf('common')}#/$defs/${name}`;
  return { $ref, [definition]: [name, schema, true] satisfies Definition };
}

/** The name of a file in `docs/schema`, which is also the `$id` of its schema. */
export function fileOf(title: string): string {
  return `${title}.schema.json`;
}

/** Adds what a schema refers to: to the definitions of its own file, or to those of all files. */
function collect(part: unknown, own: Definitions, common: Definitions): void {
  if (typeof part !== 'object' || part === null) return;
  if (definition in part) {
    const [name, defined, isShared] = part[definition] as Definition;
    const found = isShared ? common : own;
    const known = found.get(name);
    if (known && known !== defined) throw new Error(`There are two definitions of ${name}.`);
    if (known) return;
    found.set(name, defined);
    collect(defined, own, common);
  }
  for (const value of Object.values(part)) collect(value, own, common);
}

/** A schema as a file of its own, with definitions. */
function asFile(title: string, schema: Schema, definitions: Definitions): Schema {
  const { $defs: own, ...rest } = schema as { readonly $defs?: Fields };
  const sorted = [...definitions].sort(([a], [b]) => (a < b ? -1 : 1));
  const clash = sorted.find(([name]) => own && name in own);
  if (clash) throw new Error(`${title} has two definitions of ${clash[0]}.`);
  const $defs = { ...own, ...Object.fromEntries(sorted) };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: fileOf(title),
    title: `recon ${title}`,
    ...rest,
    ...(Object.keys($defs).length > 0 && { $defs }),
  };
}

/** Schemas as files, and `common` with the definitions that they share. */
export function asFiles(schemas: Fields): Fields {
  const common: Definitions = new Map();
  const files = Object.entries(schemas).map(([title, schema]) => {
    const own: Definitions = new Map();
    collect(schema, own, common);
    return [title, asFile(title, schema, own)] as const;
  });
  return { ...Object.fromEntries(files), common: asFile('common', {}, common) };
}

export const count = shared('count', { type: 'integer', minimum: 0 });
export const texts = shared('texts', listOf(text));
withNull.set(text, shared('textOrNull', { type: ['string', 'null'] }));
