import { ReconError } from '../base/errors.ts';
import { runCommand } from '../base/run-command.ts';
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
] as const;

export type ConnectionKey = (typeof connectionKeys)[number];

/** All that it takes to reach the service, and where each part came from. */
export interface Connection {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly audience: string;
  readonly origins: Readonly<Record<ConnectionKey, Origin>>;
}

/** Where the settings of the connection are looked for. */
export interface ConnectionPlaces {
  readonly env: Environment;
  readonly profile: ChosenProfile | undefined;
  /** For advice: the configuration file, and the profiles in it. */
  readonly path: string;
  readonly hasFile: boolean;
  readonly profiles: readonly string[];
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
  const command = profile?.settings.client_secret_command;
  if (key !== 'client_secret' || !profile || command === undefined) return undefined;
  const origin: Origin = `${profile.origin} (client_secret_command)`;
  return { origin, read: (signal) => runCommand(command, { env, where: origin, signal }) };
}

/**
 * Reads and checks the connection. Only this runs the command that knows the secret; `signal` ends
 * it, and its reason is thrown.
 */
export async function resolveConnection(
  places: ConnectionPlaces,
  signal?: AbortSignal,
): Promise<Connection> {
  const found = findConnection(places);
  const { base_url, auth_url, client_id, client_secret, audience } = found;
  if (!base_url || !auth_url || !client_id || !client_secret || !audience) {
    const keys = missingKeys(found);
    throw new ReconError('configuration', `Settings are missing: ${keys.join(', ')}.`, {
      where: places.profile?.origin ?? places.path,
      hint: adviceOn(keys, places).join(' '),
    });
  }
  return {
    baseUrl: await readUrl('base_url', base_url),
    authUrl: await readUrl('auth_url', auth_url),
    clientId: await client_id.read(),
    audience: await audience.read(),
    clientSecret: new Secret(await client_secret.read(signal)),
    origins: {
      base_url: base_url.origin,
      auth_url: auth_url.origin,
      client_id: client_id.origin,
      client_secret: client_secret.origin,
      audience: audience.origin,
    },
  };
}

async function readUrl(key: ConnectionKey, { origin, read }: Found): Promise<string> {
  return parseServiceUrl({ key, origin, text: await read() });
}

function missingKeys(found: FoundSettings): readonly ConnectionKey[] {
  return connectionKeys.filter((key) => !found[key]);
}

/** Where to set what the connection lacks, in sentences; none where it lacks nothing. */
export function adviceOnMissing(places: ConnectionPlaces): readonly string[] {
  const keys = missingKeys(findConnection(places));
  return keys.length === 0 ? [] : adviceOn(keys, places);
}

function adviceOn(
  keys: readonly ConnectionKey[],
  { path, hasFile, profile, profiles }: ConnectionPlaces,
): readonly string[] {
  const inProfile = keys.map((key) =>
    key === 'client_secret' ? 'client_secret or client_secret_command' : key,
  );
  const place = `[profiles.${profile?.name ?? 'NAME'}] in ${path}`;
  const variables = keys.map((key) => `RECON_${key.toUpperCase()}`);
  return [
    ...(!profile && profiles.length > 0
      ? [`Choose a profile with --profile: ${profiles.join(', ')}.`]
      : []),
    ...(hasFile ? [] : [`Run recon config init: it writes ${path} for you to fill in.`]),
    `Set ${inProfile.join(', ')} under ${place},`,
    `or ${variables.join(', ')} in the environment (with _FILE added, the name of a file that holds the value).`,
    'To try recon without credentials: recon settlements --sandbox',
  ];
}
