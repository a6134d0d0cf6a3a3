import { dirname, join, resolve } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { readTextFile } from '../base/files.ts';
import { runCommand } from '../base/run-command.ts';
import { redacted, Secret } from '../base/secrets.ts';
import { didYouMean, enumerate, shellWord } from '../base/texts.ts';
import { ruleLines } from '../reconcile/rules.ts';
import {
  type ChosenProfile,
  chooseProfile,
  configPlace,
  readConfigFile,
  stateFolder,
} from './config-file.ts';
import { type Environment, type Origin, settingFault, variable, variableOf } from './raw.ts';
import {
  connectionKeys,
  isSecretKey,
  preferenceKeys,
  type SettingFlags,
  type SettingKey,
  type SettingValues,
  settingKeys,
  settingTable,
} from './table.ts';

type Preferences = Pick<SettingValues, (typeof preferenceKeys)[number]>;

interface SettingSources {
  readonly flags: SettingFlags;
  readonly env: Environment;
  readonly home: string;
  readonly uid: number | undefined;
  readonly useFile?: boolean;
  readonly stored?: ChosenProfile | undefined;
}

/** The settings of a run. The connection is read only when needed. */
export type Settings = Awaited<ReturnType<typeof resolveSettings>>;

/** Resolves the settings: flag before environment before profile before default. */
export async function resolveSettings({ flags, env, useFile = true, ...others }: SettingSources) {
  const { home, uid, stored } = others;
  const place = configPlace(flags.config, env, home);
  const { path } = place;
  const file = useFile ? await readConfigFile(place, uid) : undefined;
  const profile = useFile ? chooseProfile(flags.profile, env, file, path) : stored;
  const profiles = [...(file?.profiles.keys() ?? [])];
  const hasFile = file !== undefined;
  const preferences = await readPreferences({ flags, env, profile, path });
  const schemes = { settlements: preferences.auth, charges: preferences.charge_auth };
  const places = { flags, env, profile, path, hasFile, profiles, schemes };
  return {
    file: place,
    hasFile,
    profile: profile?.name,
    profiles,
    preferences,
    schemes,
    connection: (uses: readonly Use[] = ['settlements'], signal?: AbortSignal, warn?: Warn) =>
      resolveConnection(places, uses, signal, warn),
    notifyUrl: (signal?: AbortSignal, warn?: Warn) =>
      readSetting('notify_url', places, signal, warn),
    heartbeatUrl: (signal?: AbortSignal, warn?: Warn) =>
      readSetting('heartbeat_url', places, signal, warn),
    originOf: (key: SettingKey) => findSetting(key, places)?.origin,
    /** Every setting with its origin; secrets stay hidden. */
    show: () => showSettings(places, preferences),
    /** Sentences on missing settings and mistyped variables. */
    advice: () => [
      ...adviceOn(missingKeys(places, ['settlements', 'charges']), places),
      ...mistypedVariables(env),
    ],
  };
}

async function readPreferences(places: SettingPlaces): Promise<Readonly<Preferences>> {
  const values: (readonly [SettingKey, unknown])[] = [];
  for (const key of preferenceKeys) values.push([key, await readSetting(key, places)]);
  return Object.fromEntries(values) as Preferences;
}

const otherVariables = [
  'RECON_PROFILE',
  'RECON_CONFIG',
  'RECON_LISTEN_PATH',
  'RECON_LISTEN_PATH_FILE',
  'RECON_JOURNAL',
];

/** Other programs may use the prefix: only near misses count. */
function mistypedVariables(env: Environment): readonly string[] {
  const ofSettings = settingKeys.map(variableOf).flatMap((name) => [name, `${name}_FILE`]);
  const known = [...ofSettings, ...otherVariables];
  const others = Object.keys(env).filter(
    (name) => name.startsWith('RECON_') && !known.includes(name),
  );
  return others.flatMap((name) => {
    const question = didYouMean(name.replace(/_FILE$/, ''), known);
    return question ? [`${name} is not a setting. ${question}`] : [];
  });
}

export type SettingWithOrigin = Awaited<ReturnType<typeof showSettings>>[number];

async function showSettings(places: SettingPlaces, { names, rules, books = {} }: Preferences) {
  const { profile } = places;
  const line = (of: SettingKey, key: string, value: string) => ({
    key,
    value,
    origin: findSetting(of, places)?.origin,
  });
  const others = settingKeys.filter((key) => !['names', 'rules', 'books'].includes(key));
  return [
    { key: 'profile', value: profile?.name, origin: profile?.chosenBy },
    ...(await Promise.all(others.map((key) => showSetting(key, places)))),
    ...ruleLines(rules).map(([key, value]) =>
      line('rules', `rules.${key}`, typeof value === 'string' ? value : `[${value.join(', ')}]`),
    ),
    ...linesOf(books, 'books.').map(([key, value]) => line('books', key, value)),
    ...[...names].map(([token, name]) => line('names', `names.${token}`, name)),
  ];
}

/** A table as lines of key and value, nested keys joined by dots. */
function linesOf(
  table: object,
  before: string,
): readonly (readonly [key: string, value: string])[] {
  return Object.entries(table).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? linesOf(value, `${before}${key}.`)
      : [[`${before}${key}`, String(value)] as const],
  );
}

async function showSetting(key: SettingKey, places: SettingPlaces) {
  const found = findSetting(key, places);
  if (!found) return { key, value: undefined, origin: undefined };
  const { origin } = found;
  if (isSecretKey(key)) return { key, value: redacted, origin };
  const text = await found.read();
  // Refuses an address with a password.
  const value = settingTable[key].parse({ key, text, origin });
  return { key, value: typeof value === 'string' ? value : text, origin };
}

/** What a run reads. The scheme of each is not documented (doc 5.4). */
type Use = 'settlements' | 'charges';

type Scheme = SettingValues['auth'];
type Schemes = Readonly<Record<Use, Scheme>>;
type ConnectionKey = (typeof connectionKeys)[number];

interface ConnectionPlaces extends SettingPlaces {
  readonly hasFile: boolean;
  readonly profiles: readonly string[];
  readonly schemes: Schemes;
}

/** What each scheme needs (doc 4.1, 5.1). */
const neededBy: Readonly<Record<Scheme, readonly ConnectionKey[]>> = {
  v2: ['auth_url', 'client_id', 'client_secret', 'audience'],
  v1: ['jwt_public_key', 'jwt_secret'],
};

function missingKeys(places: ConnectionPlaces, uses: readonly Use[]): readonly ConnectionKey[] {
  const needed = new Set(['base_url', ...uses.flatMap((use) => neededBy[places.schemes[use]])]);
  return connectionKeys.filter((key) => needed.has(key) && !findSetting(key, places));
}

/** Where to set what is missing, in sentences. */
function adviceOn(keys: readonly ConnectionKey[], places: ConnectionPlaces): readonly string[] {
  if (keys.length === 0) return [];
  const { path, hasFile, profile, profiles } = places;
  const them = keys.length === 1 ? 'it' : 'them';
  const variables = enumerate(keys.map(variableOf));
  const secret = keys.find(isSecretKey);
  const hasOnlyV1 = keys.includes('client_secret') && findSetting('jwt_secret', places);
  return [
    ...(hasOnlyV1 ? ['If you only have V1 keys, set auth = "v1" (RECON_AUTH).'] : []),
    ...(!profile && profiles.length > 0
      ? [`Choose a profile with --profile: ${profiles.join(', ')}.`]
      : []),
    hasFile
      ? `Set ${them} under [profiles.${profile?.name ?? 'NAME'}] in that file, or in the environment as ${variables}.`
      : `Run recon config init: it asks for ${them} and writes ${path}. Or set ${them} in the environment, as ${variables}.`,
    ...(secret
      ? [`The secret may be in a file (${secret}_file) or from a command (${secret}_command).`]
      : []),
    'Without credentials: recon settlements --sandbox',
  ];
}

/** Refuses settings that the environment would override in several profiles: their figures would be mixed up. */
export function refuseSharedSettings(
  profiles: readonly (ChosenProfile | undefined)[],
  path: string,
  env: Environment,
): void {
  for (const key of connectionKeys) {
    const everywhere = findSetting(key, { flags: {}, env, profile: undefined, path });
    const isSet = profiles.some((profile) =>
      findSetting(key, { flags: {}, env: {}, profile, path }),
    );
    if (!everywhere || !isSet) continue;
    const message = `${variableOf(key)} overrides ${key} in every profile.`;
    const hint = 'Unset it to read several profiles.';
    throw new ReconError('configuration', message, { where: everywhere.origin, hint });
  }
}

/** Reads what the uses need, and runs the commands for secrets. Throws ReconError. */
async function resolveConnection(
  places: ConnectionPlaces,
  uses: readonly Use[],
  signal?: AbortSignal,
  warn?: Warn,
) {
  const { schemes } = places;
  const missing = missingKeys(places, uses);
  if (missing.length > 0) throw missingFault(missing, places);
  const read = async <Key extends ConnectionKey>(key: Key) => {
    const value = await readSetting(key, places, signal, warn);
    if (value === undefined) throw missingFault([key], places);
    return value;
  };
  const originOf = (...keys: readonly ConnectionKey[]) => {
    const origins = keys.map((key) => findSetting(key, places)?.origin);
    const [first, ...others] = new Set(origins);
    return others.length === 0
      ? `all from ${first}`
      : keys.map((key, at) => `${key} is from ${origins[at]}`).join(', ');
  };
  const isUsed = (scheme: Scheme) => uses.some((use) => schemes[use] === scheme);
  return {
    baseUrl: await read('base_url'),
    baseUrlFrom: findSetting('base_url', places)?.origin,
    schemes,
    ...(isUsed('v2') && {
      v2: {
        authUrl: await read('auth_url'),
        authUrlFrom: findSetting('auth_url', places)?.origin,
        clientId: await read('client_id'),
        audience: await read('audience'),
        clientSecret: await read('client_secret'),
        origin: originOf('client_id', 'client_secret', 'audience'),
      },
    }),
    ...(isUsed('v1') && {
      v1: {
        publicKey: await read('jwt_public_key'),
        secret: await read('jwt_secret'),
        origin: originOf('jwt_public_key', 'jwt_secret'),
      },
    }),
  };
}

function missingFault(keys: readonly ConnectionKey[], places: ConnectionPlaces): ReconError {
  const { profile, profiles, path } = places;
  if (!profile && profiles.length > 1) {
    const named = profiles.join(', ');
    const hint = `Choose one with --profile NAME, RECON_PROFILE, or default_profile = "NAME" at the top of ${path}.`;
    return new ReconError('configuration', `No profile chosen: ${named}.`, { where: path, hint });
  }
  return new ReconError('configuration', `Not set: ${keys.join(', ')}.`, {
    where: places.profile?.origin ?? places.path,
    hint: adviceOn(keys, places).join(' '),
  });
}

/** `signal` ends a command; `warn` is called for readable secrets. Throws ReconError. */
async function readSetting<Key extends SettingKey>(
  key: Key,
  places: SettingPlaces,
  signal?: AbortSignal,
  warn?: Warn,
): Promise<SettingValues[Key] | undefined> {
  const found = findSetting(key, places);
  if (!found) return undefined;
  const text = await found.read(signal, isSecretKey(key) ? warn : undefined);
  return settingTable[key].parse({ key, text, origin: found.origin });
}

interface SettingPlaces {
  readonly flags: SettingFlags;
  readonly env: Environment;
  readonly profile: ChosenProfile | undefined;
  readonly path: string;
}

/** Finds a setting by flag, environment, profile, default, without reading files or running commands. */
function findSetting(key: SettingKey, places: SettingPlaces): Found | undefined {
  const { flag, default: text, sameAs } = settingTable[key];
  const written = flag && places.flags[flag];
  if (written !== undefined) {
    return { origin: `flag --${key.replaceAll('_', '-')}`, read: async () => String(written) };
  }
  const found = findInEnvironment(places.env, variableOf(key)) ?? findInProfile(key, places);
  if (found) return found;
  if (text !== undefined) return { origin: 'default', read: async () => text };
  const other = sameAs && findSetting(sameAs, places);
  return other && { ...other, origin: 'default' };
}

function findInProfile(key: SettingKey, { profile, env, path }: SettingPlaces): Found | undefined {
  if (!profile) return undefined;
  const { values, origin } = profile;
  const inFolder = (file: string) => resolve(dirname(path), file);
  const value = values[key];
  if (value instanceof Secret) return { origin, read: async () => value.reveal() };
  const { form } = settingTable[key];
  const named = form === 'holidays' ? value?.match(/^file (.+)$/)?.[1] : undefined;
  if (named !== undefined) return inFile(inFolder(named), key, origin);
  if (value !== undefined) {
    const text = form === 'path' ? inFolder(value) : value;
    return { origin, read: async () => text };
  }
  if (!isSecretKey(key)) return undefined;
  const { [`${key}_file` as const]: file, [`${key}_command` as const]: command } = values;
  if (typeof file === 'string')
    return inFile(inFolder(file), `${key}_file`, `${origin} (${key}_file)`);
  if (typeof command !== 'string') return undefined;
  const where: Origin = `${origin} (${key}_command)`;
  return { origin: where, read: (signal) => runCommand(command, { env, where, signal }) };
}

/** Reports problems that do not end the run, in sentences. */
type Warn = (sentence: string) => void;

interface Found {
  readonly origin: Origin;
  read(signal?: AbortSignal, warn?: Warn): Promise<string>;
}

function findInEnvironment(env: Environment, name: string): Found | undefined {
  const fileName = `${name}_FILE`;
  const value = variable(env, name);
  const path = variable(env, fileName);
  if (value && path) {
    const hint = 'Unset one of them.';
    throw settingFault(`environment ${name}`, `Both ${name} and ${fileName} are set.`, hint);
  }
  if (value) return { origin: `environment ${name}`, read: async () => value };
  return path ? inFile(path, fileName, `environment ${fileName} (${path})`) : undefined;
}

const writableByOthers = 0o022;
const readableByAll = 0o004;

/**
 * A setting in a file. Containers mount secrets readable by all and owned by anyone, so neither is
 * refused; files that others can change are.
 */
function inFile(path: string, name: string, origin: Origin): Found {
  return {
    origin,
    read: async (_, warn) => {
      const file = await readTextFile(path);
      if (file && (file.mode & writableByOthers) !== 0) {
        const hint = `Run: chmod go-w ${shellWord(path)}`;
        throw settingFault(origin, `The file ${path} is writable by others.`, hint);
      }
      const value = file?.text.replace(/\r?\n$/, '');
      if (!file || !value) {
        const message = file ? `The file ${path} is empty.` : `File not found: ${path}.`;
        throw settingFault(origin, message, 'Write the value to that file, or name another.');
      }
      if ((file.mode & readableByAll) !== 0) {
        const mend = `chmod 600 ${shellWord(path)}`;
        warn?.(`The file in ${name} is readable by all users of this machine. Run: ${mend}`);
      }
      return value;
    },
  };
}

export const defaultPath = '/hook';

/** The path of the address, and the folder of the journal, of which each `owner` has its own. Throws ReconError. */
export async function readListenSettings(
  flags: { readonly path?: string | undefined; readonly journal?: string | undefined },
  env: Environment,
  home: string,
  owner: string,
  warn: Warn,
) {
  const found = findInEnvironment(env, 'RECON_LISTEN_PATH');
  const path = flags.path ?? (await found?.read(undefined, warn)) ?? defaultPath;
  if (!/^\/[\w.~/-]*$/.test(path)) {
    const origin = flags.path === undefined && found ? found.origin : 'flag --path';
    const hint = 'Start it with / and use only letters, digits and the characters - _ . ~ /';
    throw settingFault(origin, 'Invalid path.', hint);
  }
  const given = flags.journal ?? variable(env, 'RECON_JOURNAL');
  const journal =
    given || join(stateFolder(env, home), 'recon', 'webhooks', encodeURIComponent(owner));
  return { path, journal };
}
