import { ReconError } from '../base/errors.ts';
import {
  findSetting,
  readSetting,
  type SettingPlaces,
  variableOf,
  type Warn,
} from './find-setting.ts';
import { type ConnectionKey, connectionKeys, isSecretKey, type Scheme } from './table.ts';

/** What a run reads. The scheme of each is not documented (doc 5.4). */
export type Use = 'settlements' | 'charges';

type Schemes = Readonly<Record<Use, Scheme>>;

export interface ConnectionPlaces extends SettingPlaces {
  /** For hints. */
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
export function adviceOnMissing(places: ConnectionPlaces): readonly string[] {
  const keys = missingKeys(places, ['settlements', 'charges']);
  return keys.length === 0 ? [] : adviceOn(keys, places);
}

function adviceOn(keys: readonly ConnectionKey[], places: ConnectionPlaces): readonly string[] {
  const { path, hasFile, profile, profiles } = places;
  const inProfile = keys.map((key) =>
    isSecretKey(key) ? `${key} (or ${key}_file, ${key}_command)` : key,
  );
  const place = `[profiles.${profile?.name ?? 'NAME'}] in ${path}`;
  const hasOnlyV1 = keys.includes('client_secret') && findSetting('jwt_secret', places);
  return [
    ...(hasOnlyV1 ? ['If you only have V1 keys, set auth = "v1" (RECON_AUTH).'] : []),
    ...(!profile && profiles.length > 0
      ? [`Choose a profile with --profile: ${profiles.join(', ')}.`]
      : []),
    ...(hasFile ? [] : [`Run recon config init to create ${path}, then fill it in.`]),
    `Set ${inProfile.join(', ')} under ${place},`,
    `or ${keys.map(variableOf).join(', ')} in the environment (or add _FILE to a name to read the value from a file).`,
    'To try recon without credentials: recon settlements --sandbox',
  ];
}

/** The connection. `v2` or `v1` is absent if not needed; `origin` says where credentials came from. */
export type Connection = Awaited<ReturnType<typeof resolveConnection>>;

/**
 * Reads what the uses need. Runs the commands for secrets until `signal`; `warn` hears of readable ones.
 * Throws ReconError.
 */
export async function resolveConnection(
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
  const originOf = (...keys: readonly ConnectionKey[]) =>
    keys.map((key) => `${key} is from ${findSetting(key, places)?.origin}`).join(', ');
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
    return new ReconError('configuration', `No profile chosen: ${named}.`, {
      where: path,
      hint: `Choose one with --profile NAME, RECON_PROFILE, or default_profile = "NAME" at the top of ${path}.`,
    });
  }
  return new ReconError('configuration', `Not set: ${keys.join(', ')}.`, {
    where: places.profile?.origin ?? places.path,
    hint: adviceOn(keys, places).join(' '),
  });
}
