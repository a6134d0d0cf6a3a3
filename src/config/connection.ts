import { ReconError } from '../base/errors.ts';
import { runCommand } from '../base/run-command.ts';
import type { Scheme, Schemes, Use } from './auth-schemes.ts';
import { type Found, findInEnvironment } from './environment.ts';
import type { Environment, Origin } from './origin.ts';
import type { ChosenProfile } from './profile.ts';
import { Secret } from './secret.ts';
import { parseServiceUrl } from './service-url.ts';

export const connectionKeys = [
  'base_url',
  'auth_url',
  'client_id',
  'client_secret',
  'audience',
  'jwt_public_key',
  'jwt_secret',
] as const;

export type ConnectionKey = (typeof connectionKeys)[number];

/** Whether the value is a secret: then it may come from a command too. */
export function isSecretKey(key: ConnectionKey): key is 'client_secret' | 'jwt_secret' {
  return key === 'client_secret' || key === 'jwt_secret';
}

/** Where the settings of the connection are looked for. */
export interface ConnectionPlaces {
  readonly env: Environment;
  readonly profile: ChosenProfile | undefined;
  /** For advice: the configuration file, and the profiles in it. */
  readonly path: string;
  readonly hasFile: boolean;
  readonly profiles: readonly string[];
  readonly schemes: Schemes;
}

export type FoundSettings = { readonly [Key in ConnectionKey]: Found | undefined };

/** Finds the settings of the connection, environment before profile, without reading secrets. */
export function findConnection({ env, profile }: ConnectionPlaces): FoundSettings {
  const find = (key: ConnectionKey) =>
    findInEnvironment(env, `RECON_${key.toUpperCase()}`) ?? findInProfile(key, profile, env);
  return {
    base_url: find('base_url'),
    auth_url: find('auth_url'),
    client_id: find('client_id'),
    client_secret: find('client_secret'),
    audience: find('audience'),
    jwt_public_key: find('jwt_public_key'),
    jwt_secret: find('jwt_secret'),
  };
}

function findInProfile(
  key: ConnectionKey,
  profile: ChosenProfile | undefined,
  env: Environment,
): Found | undefined {
  const value = profile?.settings[key];
  if (profile && value !== undefined) {
    const read = async () => (value instanceof Secret ? value.reveal() : value);
    return { origin: profile.origin, read };
  }
  if (!profile || !isSecretKey(key)) return undefined;
  const command = profile.settings[`${key}_command`];
  if (command === undefined) return undefined;
  const origin: Origin = `${profile.origin} (${key}_command)`;
  return { origin, read: (signal) => runCommand(command, { env, where: origin, signal }) };
}

/** What each scheme needs (doc 4.1, 5.1). */
const keysOf: Readonly<Record<Scheme, readonly ConnectionKey[]>> = {
  v2: ['auth_url', 'client_id', 'client_secret', 'audience'],
  v1: ['jwt_public_key', 'jwt_secret'],
};

/** What is not set, of what the uses of a run need. */
function missingKeys(
  found: FoundSettings,
  schemes: Schemes,
  uses: readonly Use[],
): readonly ConnectionKey[] {
  const needed = new Set(['base_url', ...uses.flatMap((use) => keysOf[schemes[use]])]);
  return connectionKeys.filter((key) => needed.has(key) && !found[key]);
}

/** Where to set what the connection lacks, in sentences; none where it lacks nothing. */
export function adviceOnMissing(places: ConnectionPlaces): readonly string[] {
  const found = findConnection(places);
  const keys = missingKeys(found, places.schemes, ['settlements', 'charges']);
  return keys.length === 0 ? [] : adviceOn(keys, found, places);
}

/** Where to set these, in sentences. */
function adviceOn(
  keys: readonly ConnectionKey[],
  found: FoundSettings,
  { path, hasFile, profile, profiles }: ConnectionPlaces,
): readonly string[] {
  const inProfile = keys.map((key) => (isSecretKey(key) ? `${key} or ${key}_command` : key));
  const place = `[profiles.${profile?.name ?? 'NAME'}] in ${path}`;
  const variables = keys.map((key) => `RECON_${key.toUpperCase()}`);
  const hasOnlyV1 = found.jwt_secret !== undefined && keys.includes('client_secret');
  return [
    ...(hasOnlyV1 ? ['If the keys of V1 are all you have, set auth = "v1" (RECON_AUTH).'] : []),
    ...(!profile && profiles.length > 0
      ? [`Choose a profile with --profile: ${profiles.join(', ')}.`]
      : []),
    ...(hasFile ? [] : [`Run recon config init: it writes ${path} for you to fill in.`]),
    `Set ${inProfile.join(', ')} under ${place},`,
    `or ${variables.join(', ')} in the environment (with _FILE added, the name of a file that holds the value).`,
    'To try recon without credentials: recon settlements --sandbox',
  ];
}

/** What the token exchange takes. */
interface V2Settings {
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly audience: string;
}

/** What tokens are signed with. */
interface V1Settings {
  readonly publicKey: string;
  readonly secret: Secret;
}

/** All that it takes to reach the service, and where each part came from. */
export interface Connection {
  readonly baseUrl: string;
  readonly schemes: Schemes;
  /** Absent where nothing that the run asks for takes the scheme; so is the other. */
  readonly v2?: V2Settings;
  readonly v1?: V1Settings;
  readonly origins: Readonly<Partial<Record<ConnectionKey, Origin>>>;
  /** What is wrong with it though it is taken, in sentences. */
  readonly warnings: readonly string[];
}

/**
 * Reads and checks what the uses of a run need. Only this runs the commands that know the secrets;
 * `signal` ends them, and its reason is thrown. Throws ReconError.
 */
export async function resolveConnection(
  places: ConnectionPlaces,
  uses: readonly Use[],
  signal?: AbortSignal,
): Promise<Connection> {
  const { schemes } = places;
  const found = findConnection(places);
  const missing = missingKeys(found, schemes, uses);
  if (missing.length > 0) {
    throw new ReconError('configuration', `Settings are missing: ${missing.join(', ')}.`, {
      where: places.profile?.origin ?? places.path,
      hint: adviceOn(missing, found, places).join(' '),
    });
  }
  const warnings: string[] = [];
  const warn = (sentence: string) => warnings.push(sentence);
  const read = async (key: ConnectionKey) =>
    (await found[key]?.read(signal, isSecretKey(key) ? warn : undefined)) ?? '';
  const isUsed = (scheme: Scheme) => uses.some((use) => schemes[use] === scheme);
  return {
    baseUrl: await readUrl('base_url', found),
    schemes,
    ...(isUsed('v2') && {
      v2: {
        authUrl: await readUrl('auth_url', found),
        clientId: await read('client_id'),
        audience: await read('audience'),
        clientSecret: new Secret(await read('client_secret')),
      },
    }),
    ...(isUsed('v1') && {
      v1: {
        publicKey: await read('jwt_public_key'),
        secret: new Secret(await read('jwt_secret')),
      },
    }),
    origins: Object.fromEntries(
      connectionKeys.flatMap((key) => {
        const origin = found[key]?.origin;
        return origin ? [[key, origin]] : [];
      }),
    ),
    warnings,
  };
}

async function readUrl(key: ConnectionKey, settings: FoundSettings): Promise<string> {
  const found = settings[key];
  return found ? parseServiceUrl({ key, origin: found.origin, text: await found.read() }) : '';
}
