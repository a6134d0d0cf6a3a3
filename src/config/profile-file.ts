import { parse, TomlError } from 'smol-toml';
import * as z from 'zod';
import { ReconError } from '../base/errors.ts';
import { suggestion } from './nearest.ts';
import { Secret } from './secret.ts';

const anyText = z.string('must be text in quotes');
const text = anyText.min(1, 'must not be empty');
/** Empty, as `recon config init` leaves it, it is not set yet; so it is in the environment. */
const toFillIn = anyText.transform((plain) => plain || undefined).optional();
const secret = anyText.transform((plain) => (plain ? new Secret(plain) : undefined)).optional();
const wholeNumber = z.int('must be a whole number, without quotes');

const profileSchema = z
  .strictObject(
    {
      base_url: toFillIn,
      auth_url: toFillIn,
      client_id: toFillIn,
      client_secret: secret,
      client_secret_command: toFillIn,
      audience: toFillIn,
      jwt_public_key: toFillIn,
      jwt_secret: secret,
      jwt_secret_command: toFillIn,
      auth: text.optional(),
      charge_auth: text.optional(),
      names: z.record(z.string(), text, 'must be a table of token = "name"').optional(),
      identity: text.optional(),
      tolerance: wholeNumber.optional(),
      ignore: z.array(text, 'must be a list of codes in [ ]').optional(),
      expected_scales: z
        .record(z.string(), wholeNumber, 'must be a table of currency = decimal places')
        .optional(),
      time_zone: text.optional(),
      concurrency: wholeNumber.optional(),
      timeout: text.optional(),
    },
    'must be a table of settings',
  )
  .refine(
    (profile) => !(profile.client_secret && profile.client_secret_command),
    'has both client_secret and client_secret_command; keep one of them',
  )
  .refine(
    (profile) => !(profile.jwt_secret && profile.jwt_secret_command),
    'has both jwt_secret and jwt_secret_command; keep one of them',
  );

const fileSchema = z.strictObject({
  default_profile: text.optional(),
  profiles: z
    .record(z.string(), profileSchema, 'must be written as tables, [profiles.NAME]')
    .optional(),
});

/** All that a profile may hold. */
export const profileKeys: readonly string[] = Object.keys(profileSchema.shape);

export type Profile = z.infer<typeof profileSchema>;

/** The configuration file, understood. */
export interface ProfileFile {
  readonly defaultProfile: string | undefined;
  readonly profiles: ReadonlyMap<string, Profile>;
}

/** Reads the text of a configuration file; `path` is for errors, which never repeat a value. */
export function parseProfileFile(toml: string, path: string): ProfileFile {
  const result = fileSchema.safeParse(parseToml(toml, path));
  if (!result.success) throw faultOf(result.error.issues, path);
  const { default_profile: defaultProfile, profiles = {} } = result.data;
  return { defaultProfile, profiles: new Map(Object.entries(profiles)) };
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
      hint: 'Text stands in quotes ("..."), a profile begins with [profiles.NAME].',
    });
  }
}

function faultOf(issues: readonly z.core.$ZodIssue[], path: string): ReconError {
  const [issue] = issues;
  if (issue?.code === 'unrecognized_keys') return unknownKey(issue, path);
  const message = `${keyPath(issue?.path ?? [])} ${issue?.message}.`;
  return new ReconError('configuration', message, { where: path, hint: 'Mend it in that file.' });
}

function unknownKey(issue: z.core.$ZodIssueUnrecognizedKeys, path: string): ReconError {
  const key = issue.keys[0] ?? '';
  const isTopLevel = issue.path.length === 0;
  const hint =
    isTopLevel && profileKeys.includes(key)
      ? 'It belongs to a profile: put it under a line [profiles.NAME].'
      : suggestion(key, isTopLevel ? Object.keys(fileSchema.shape) : profileKeys);
  const message = `There is no setting ${keyPath([...issue.path, key])}.`;
  return new ReconError('configuration', message, { where: path, hint });
}

function keyPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${quotedIfNeeded(String(part))}`))
    .join('')
    .replace(/^\./, '');
}

function quotedIfNeeded(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}
