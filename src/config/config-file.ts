import { isAbsolute, join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import * as z from 'zod';
import { ReconError } from '../base/errors.ts';
import { readTextFile, type TextFile } from '../base/files.ts';
import { Secret } from '../base/secrets.ts';
import { shellWord, suggestion } from '../base/texts.ts';
import {
  anyText,
  type Environment,
  misfitIn,
  nonEmpty,
  type Origin,
  type ProfileOrigin,
  settingFault,
  strictTable,
  variable,
} from './raw.ts';
import {
  formatScales,
  isSecretKey,
  type ProfileForm,
  type SettingKey,
  settingKeys,
  settingTable,
} from './table.ts';

interface ConfigPlace {
  readonly path: string;
  readonly origin: Origin;
}

/** The path of the configuration file, and its origin. */
export function configPlace(flag: string | undefined, env: Environment, home: string): ConfigPlace {
  if (flag !== undefined) return { path: flag, origin: 'flag --config' };
  const named = variable(env, 'RECON_CONFIG');
  if (named) return { path: named, origin: 'environment RECON_CONFIG' };
  const folder = xdgFolder(env, 'XDG_CONFIG_HOME', join(home, '.config'));
  return { path: join(folder, 'recon', 'config.toml'), origin: 'default' };
}

/** The folder for state between runs. */
export function stateFolder(env: Environment, home: string): string {
  return xdgFolder(env, 'XDG_STATE_HOME', join(home, '.local', 'state'));
}

function xdgFolder(env: Environment, name: 'XDG_CONFIG_HOME' | 'XDG_STATE_HOME', fallback: string) {
  const folder = variable(env, name);
  // The XDG specification ignores relative paths.
  return folder && isAbsolute(folder) ? folder : fallback;
}

/** Reads the configuration file; the default one may be missing. `uid` is undefined if the system has none. */
export async function readConfigFile({ path, origin }: ConfigPlace, uid: number | undefined) {
  const file = await readTextFile(path);
  if (!file && origin === 'default') return undefined;
  if (!file) {
    const hint = `Name an existing file, leave it out to use the default file, or run: recon config init --config ${shellWord(path)}`;
    throw settingFault(origin, `Configuration file not found: ${path}.`, hint);
  }
  const parsed = parseProfileFile(file.text, path);
  if (uid !== undefined) refuseExposed(parsed, file, path, uid);
  return parsed;
}

/** Others could read a secret, redirect requests, or run a command. */
function refuseExposed(parsed: ProfileFile, file: TextFile, path: string, uid: number): void {
  const profiles = [...parsed.profiles.values()];
  const refuse = (message: string) => {
    const isForeign = file.owner !== uid && file.owner !== 0;
    const name = shellWord(path);
    const mend = isForeign ? `chown ${uid} ${name} && chmod 600 ${name}` : `chmod 600 ${name}`;
    throw new ReconError('configuration', message, { where: path, hint: `Run: ${mend}` });
  };
  if (isOpenToOthers(file, 'write', uid)) refuse('The configuration file is writable by others.');
  for (const key of secretKeys) {
    if (profiles.some((profile) => profile[key]) && isOpenToOthers(file, 'read', uid)) {
      refuse(`The configuration file contains a ${key} and is readable by others.`);
    }
  }
}

/** The profile in use, or the stored settings of an export. */
export interface ChosenProfile {
  readonly name: string | undefined;
  readonly values: ProfileValues;
  readonly origin: ProfileOrigin;
  readonly chosenBy: Origin;
}

/** Chooses the profile by flag, environment, default, or as the only one. ReconError if it is unknown. */
export function chooseProfile(
  flag: string | undefined,
  env: Environment,
  file: ProfileFile | undefined,
  path: string,
): ChosenProfile | undefined {
  const known = [...(file?.profiles.keys() ?? [])];
  const choices: readonly (readonly [string | undefined, Origin])[] = [
    [flag, 'flag --profile'],
    [variable(env, 'RECON_PROFILE'), 'environment RECON_PROFILE'],
    [file?.defaultProfile, `default_profile in ${path}`],
    [known.length === 1 ? known[0] : undefined, 'default'],
  ];
  for (const [name, chosenBy] of choices) {
    if (name === undefined) continue;
    const values = file?.profiles.get(name);
    if (values) return { name, values, chosenBy, origin: `profile ${name} in ${path}` };
    const isList = name === flag && name.split(',').every((one) => known.includes(one.trim()));
    const several = 'Name one: only recon settlements, bank, close and nightly take several. ';
    const hint = file
      ? `${isList ? several : ''}Profiles in ${path}: ${known.join(', ') || '(none)'}.`
      : `Run recon config init --profile ${shellWord(name)} to create ${path} with [profiles.${name}].`;
    throw settingFault(chosenBy, `Unknown profile ${name}.`, hint);
  }
  return undefined;
}

const wholeNumber = z.int('must be a whole number, without quotes');
/** Empty, as `recon config init` leaves it, means not set. */
const toFillIn = anyText.transform((plain) => plain || undefined);

type FormSchema = z.ZodType<string | Secret | undefined>;

/** What a profile may hold for each form, turned into the text of a flag. */
const forms: Readonly<Record<ProfileForm, FormSchema>> = {
  to_fill_in: toFillIn,
  path: toFillIn,
  secret: anyText.transform((plain) => (plain ? new Secret(plain) : undefined)),
  text: nonEmpty,
  number: wholeNumber.transform(String),
  switch: z.boolean('must be true or false, without quotes').transform(String),
  list: z.array(nonEmpty, 'must be a list of codes in [ ]').transform(String),
  scales: z
    .record(z.string(), wholeNumber, 'must be a table of currency = whole number')
    .transform(formatScales),
  // The name of a file, or the content of one.
  holidays: z.union(
    [
      nonEmpty.transform((path) => `file ${path}`),
      z.array(nonEmpty).transform((days) => days.join('\n')),
    ],
    'must be a list of days in [ ], or the name of a file',
  ),
};

const secretKeys = settingKeys.filter(isSecretKey);

const waysOf = (key: (typeof secretKeys)[number]) =>
  [key, `${key}_file`, `${key}_command`] as const;

const settings: Record<string, z.ZodOptional<FormSchema>> = {};
for (const key of settingKeys) {
  const { form } = settingTable[key];
  const schema =
    typeof form === 'string' ? forms[form] : form.transform((value) => JSON.stringify(value ?? {}));
  settings[key] = schema.optional();
  const [, ...others] = isSecretKey(key) ? waysOf(key) : [];
  for (const way of others) settings[way] = toFillIn.optional();
}

const profileSchema = strictTable(settings, 'must be a table of settings').superRefine(
  (profile, context) => {
    for (const key of secretKeys) {
      const ways = waysOf(key).filter((way) => profile[way]);
      const named = ways.join(', ').replace(/, (?=[^,]*$)/, ' and ');
      const message = `has ${named}; keep one of them`;
      if (ways.length > 1) context.addIssue({ code: 'custom', message });
    }
  },
);

export const profileKeys: readonly string[] = Object.keys(profileSchema.shape);

const fileKeys = {
  default_profile: nonEmpty.optional(),
  profiles: z
    .record(z.string(), profileSchema, 'must be written as tables, [profiles.NAME]')
    .optional(),
};

const fileSchema = z.strictObject(fileKeys, {
  error: (issue) => {
    const [key = ''] = issue.code === 'unrecognized_keys' ? issue.keys : [];
    return profileKeys.includes(key)
      ? 'Move it under a line [profiles.NAME]: it belongs to a profile.'
      : suggestion(key, Object.keys(fileKeys));
  },
});

type ProfileValues = Readonly<
  Partial<Record<SettingKey | ReturnType<typeof waysOf>[number], string | Secret>>
>;

type ProfileFile = ReturnType<typeof parseProfileFile>;

/** Parses a configuration file. Errors never repeat a value. */
export function parseProfileFile(toml: string, path: string) {
  const result = fileSchema.safeParse(parseToml(toml, path));
  if (!result.success) {
    const { message, hint = 'Correct it in that file.' } = misfitIn(result.error);
    throw new ReconError('configuration', message, { where: path, hint });
  }
  const { default_profile: defaultProfile, profiles = {} } = result.data;
  return { defaultProfile, profiles: new Map<string, ProfileValues>(Object.entries(profiles)) };
}

const notQuoted = 'the value must be in quotes, such as "14 days", or a number alone';
const notClosed = 'the quote at the start of the value is not closed on this line';

const textHint = 'Write text in quotes ("..."); start a profile with [profiles.NAME].';

/** Clearer messages than the parser's, and what to do. */
const tomlFaults: readonly (readonly [problem: RegExp, fault: string, hint: string])[] = [
  [/redefine|already defined/, 'this name is there already', 'Remove one of the two.'],
  [
    /escape/,
    'a backslash in double quotes stands for something else',
    'Write paths with /, as in "C:/bank", or in single quotes, as in \'C:\\bank\'.',
  ],
];

/** A clearer message than the parser's. */
function tomlFault(problem: string, line = ''): string {
  if (/[^\P{Cc}\t\r]/u.test(line)) return 'there is a character that cannot be seen on this line';
  if (/^\s*\[[^\]]*$/.test(line)) return 'the bracket ] after the name is missing';
  if (/^control characters|^unfinished string/.test(problem)) return notClosed;
  return /end-of-line$|numeric literal$|^invalid value/.test(problem) ? notQuoted : problem;
}

function parseToml(toml: string, path: string): unknown {
  try {
    const parsed = parse(toml);
    // It would be left out without a word.
    if (JSON.stringify(parsed).includes('"__proto__":')) {
      const message = 'Nothing in the configuration file can be called __proto__.';
      throw new ReconError('configuration', message, { where: path, hint: 'Choose another name.' });
    }
    return parsed;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The rest quotes the file and its secrets.
    const [problem = ''] = error.message.replace('Invalid TOML document: ', '').split('\n');
    const [, fault, hint = textHint] = tomlFaults.find(([form]) => form.test(problem)) ?? [];
    const what = fault ?? tomlFault(problem, toml.split('\n')[error.line - 1]);
    const message = `The configuration file is malformed at line ${error.line}, column ${error.column}: ${what}.`;
    const where = `${path}:${error.line}:${error.column}`;
    throw new ReconError('configuration', message, { where, hint });
  }
}

/** Whether others than the user `uid` and root may read or write the file. */
export function isOpenToOthers(
  file: Pick<TextFile, 'mode' | 'owner'>,
  action: 'read' | 'write',
  uid: number,
): boolean {
  const bits = action === 'read' ? 0o044 : 0o022;
  return (file.mode & bits) !== 0 || (file.owner !== uid && file.owner !== 0);
}
