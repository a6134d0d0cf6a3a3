import { parse, TomlError } from 'smol-toml';
import * as z from 'zod';
import { ReconError } from '../base/errors.ts';
import { Secret } from '../base/secrets.ts';
import { suggestion } from './nearest.ts';
import { ruleKeys, rulesSchema } from './rules.ts';
import { formatScales } from './setting-values.ts';
import {
  isSecretKey,
  type ProfileForm,
  type SecretKey,
  type SettingKey,
  secretKeys,
  settingKeys,
  settingTable,
} from './table.ts';

const anyText = z.string('must be text in quotes');
const text = anyText.min(1, 'must not be empty');
const wholeNumber = z.int('must be a whole number, without quotes');
/** Empty, as `recon config init` leaves it, it is not set yet; so it is in the environment. */
const toFillIn = anyText.transform((plain) => plain || undefined);

type FormSchema = z.ZodType<string | Secret | undefined>;

/** What a setting of each form may be in a profile; it is understood as a flag would write it. */
const forms: Readonly<Record<ProfileForm, FormSchema>> = {
  to_fill_in: toFillIn,
  secret: anyText.transform((plain) => (plain ? new Secret(plain) : undefined)),
  text,
  number: wholeNumber.transform(String),
  list: z.array(text, 'must be a list of codes in [ ]').transform(String),
  scales: z
    .record(z.string(), wholeNumber, 'must be a table of currency = decimal places')
    .transform(formatScales),
  rules: rulesSchema.transform((rules) => JSON.stringify(rules)),
  names: z
    .record(z.string(), text, 'must be a table of token = "name"')
    .transform((names) => JSON.stringify(names)),
};

const settings: Record<string, z.ZodOptional<FormSchema>> = {};
for (const key of settingKeys) {
  settings[key] = forms[settingTable[key].form].optional();
  if (isSecretKey(key)) settings[`${key}_command`] = toFillIn.optional();
}

const profileSchema = secretKeys.reduce(
  (schema, key) =>
    schema.refine(
      (profile) => !(profile[key] && profile[`${key}_command`]),
      `has both ${key} and ${key}_command; keep one of them`,
    ),
  z.strictObject(settings, 'must be a table of settings'),
);

const fileSchema = z.strictObject({
  default_profile: text.optional(),
  profiles: z
    .record(z.string(), profileSchema, 'must be written as tables, [profiles.NAME]')
    .optional(),
});

/** All that a profile may hold. */
export const profileKeys: readonly string[] = Object.keys(profileSchema.shape);

/** The settings of a profile, by their names, as flags would write them. */
export type ProfileValues = Readonly<
  Partial<Record<SettingKey | `${SecretKey}_command`, string | Secret>>
>;

/** The configuration file, understood. */
export type ProfileFile = ReturnType<typeof parseProfileFile>;

/** Reads the text of a configuration file; `path` is for errors, which never repeat a value. */
export function parseProfileFile(toml: string, path: string) {
  const result = fileSchema.safeParse(parseToml(toml, path));
  if (!result.success) throw faultOf(result.error.issues[0], path);
  const { default_profile: defaultProfile, profiles = {} } = result.data;
  return { defaultProfile, profiles: new Map<string, ProfileValues>(Object.entries(profiles)) };
}

function parseToml(toml: string, path: string): unknown {
  try {
    return parse(toml);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // Only the first line: the others, and the error itself, quote the file and its secrets.
    const [problem] = error.message.replace('Invalid TOML document: ', '').split('\n');
    const message = `The configuration file is malformed at line ${error.line}, column ${error.column}: ${problem}.`;
    throw new ReconError('configuration', message, {
      where: `${path}:${error.line}:${error.column}`,
      hint: 'Write text in quotes ("..."); start a profile with [profiles.NAME].',
    });
  }
}

function faultOf(issue: z.core.$ZodIssue | undefined, path: string): ReconError {
  const { path: keys = [], message = '' } = issue ?? {};
  if (issue?.code !== 'unrecognized_keys') {
    const hint = 'Correct it in that file.';
    return new ReconError('configuration', `${keyPath(keys)} ${message}.`, { where: path, hint });
  }
  const [key = ''] = issue.keys;
  const isTopLevel = keys.length === 0;
  const hint =
    isTopLevel && profileKeys.includes(key)
      ? 'Move it under a line [profiles.NAME]: it belongs to a profile.'
      : suggestion(key, isTopLevel ? Object.keys(fileSchema.shape) : knownAt(keys));
  const unknown = `Unknown setting ${keyPath([...keys, key])}.`;
  return new ReconError('configuration', unknown, { where: path, hint });
}

/** What a table may hold, by its path in the file. */
function knownAt([, , table, list]: readonly PropertyKey[]): readonly string[] {
  return table === undefined ? profileKeys : ruleKeys(list);
}

/** As TOML writes it, but for the places in a list. */
function keyPath(path: readonly PropertyKey[]): string {
  const quoted = (key: string) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${quoted(String(part))}`))
    .join('')
    .replace(/^\./, '');
}
