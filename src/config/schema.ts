import * as z from 'zod';
import { suggestion } from './nearest.ts';
import { type Given, settingFault } from './origin.ts';

export const anyText = z.string('must be text in quotes');
export const nonEmpty = anyText.min(1, 'must not be empty');

/** The table `names` of a profile. */
export const namesSchema = z.record(z.string(), nonEmpty, 'must be a table of token = "name"');

/** What a schema refuses first: a sentence, and the key that `table` can't have, if it is that. */
interface Misfit {
  readonly message: string;
  readonly unknown?: { readonly key: string; readonly table: readonly PropertyKey[] };
}

/** What a schema refuses first, of what stands at the path `at`. No value is repeated. */
export function misfitIn({ issues: [issue] }: z.ZodError, at: readonly PropertyKey[] = []): Misfit {
  const { path = [], message = '' } = issue ?? {};
  const table = [...at, ...path];
  if (issue?.code !== 'unrecognized_keys') return { message: `${keyPath(table)} ${message}.` };
  const [key = ''] = issue.keys;
  return { message: `Unknown setting ${keyPath([...table, key])}.`, unknown: { key, table } };
}

/** As TOML writes it, but for the places in a list. */
function keyPath(path: readonly PropertyKey[]): string {
  const quoted = (key: string) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${quoted(String(part))}`))
    .join('')
    .replace(/^\./, '');
}

/**
 * Understands a table that is written as a JSON object, as the environment holds it. `example` shows
 * how; `keysIn` lists what it may hold, or an entry of one of its lists. Throws ReconError.
 */
export function parseTable<Table>(
  schema: z.ZodType<Table>,
  { key, text, origin }: Given,
  example: string,
  keysIn: (list?: PropertyKey) => readonly string[] = () => [],
): Table {
  const form = `Write it as ${example}.`;
  const json = jsonObject(text);
  if (!json) throw settingFault(origin, `${key} must be a JSON object.`, form);
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const { message, unknown } = misfitIn(result.error, [key]);
  const hint = unknown ? suggestion(unknown.key, keysIn(unknown.table[1])) : form;
  throw settingFault(origin, message, hint);
}

function jsonObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
