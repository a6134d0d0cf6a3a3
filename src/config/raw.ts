import * as z from 'zod';
import { ReconError } from '../base/errors.ts';
import { suggestion } from '../base/texts.ts';

export type Origin =
  | `flag --${string}`
  | `environment ${string}`
  | ProfileOrigin
  | `default_profile in ${string}`
  | 'default';

export type ProfileOrigin = `profile ${string} in ${string}` | `export in ${string}`;

export interface RawSetting {
  readonly key: string;
  readonly text: string;
  readonly origin: Origin;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** An environment variable; an empty one counts as not set. */
export function variable(env: Environment, name: string): string | undefined {
  return env[name] || undefined;
}

export function variableOf(key: string): string {
  return `RECON_${key.toUpperCase()}`;
}

/** ReconError `usage` for a flag, else `configuration`. */
export function settingFault(origin: Origin, message: string, hint: string): ReconError {
  const failure = origin.startsWith('flag ') ? 'usage' : 'configuration';
  return new ReconError(failure, message, { where: origin, hint });
}

export const anyText = z.string('must be text in quotes');
export const nonEmpty = anyText.min(1, 'must not be empty');

export function isTimeZone(timeZone = 'UTC'): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}

/** What a profile holds for a setting that is a table or a list. */
export type ProfileTable = z.ZodType<Structure>;

type Structure = object | undefined;

/** A table of these keys; `message` is for any other value, a suggestion for any other key. */
export function strictTable<Shape extends z.ZodRawShape>(shape: Shape, message: string) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? suggestion(issue.keys[0] ?? '', Object.keys(shape))
        : message,
  });
}

/** The first problem of a schema, without any value; `at` is the path of the object. */
export function misfitIn({ issues: [issue] }: z.ZodError, at: readonly PropertyKey[] = []) {
  const { path = [], message = '' } = issue ?? {};
  const table = [...at, ...path];
  if (issue?.code !== 'unrecognized_keys') return { message: `${keyPath(table)} ${message}.` };
  const [key = ''] = issue.keys;
  return { message: `Unknown setting ${keyPath([...table, key])}.`, hint: message };
}

function keyPath(path: readonly PropertyKey[]): string {
  const quoted = (key: string) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));
  return path
    .filter((part) => part !== '')
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${quoted(String(part))}`))
    .join('')
    .replace(/^\./, '');
}

/** A setting that is a table or a list in a profile, and JSON as in `example` elsewhere. */
export function structured<Value extends Structure>(schema: z.ZodType<Value>, example: string) {
  const isList = example.startsWith('[');
  const parse = ({ key, text, origin }: RawSetting): Value => {
    const form = `Write it as ${example}.`;
    const json = jsonValue(text);
    if (!json || Array.isArray(json) !== isList) {
      const what = isList ? 'list' : 'object';
      throw settingFault(origin, `${key} must be a JSON ${what}.`, form);
    }
    const result = schema.safeParse(json);
    if (result.success) return result.data;
    const { message, hint = form } = misfitIn(result.error, [key]);
    throw settingFault(origin, message, hint);
  };
  return { form: schema, default: isList ? '[]' : '{}', parse } as const;
}

function jsonValue(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
