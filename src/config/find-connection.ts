import { runCommand } from '../base/run-command.ts';
import type { Schemes } from './auth-schemes.ts';
import { type Found, findInEnvironment } from './environment.ts';
import type { Environment, Origin } from './origin.ts';
import type { ChosenProfile } from './profile.ts';
import { Secret } from './secret.ts';

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
