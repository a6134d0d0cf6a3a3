import type { Scheme, Schemes, Use } from './auth-schemes.ts';
import {
  type ConnectionKey,
  type ConnectionPlaces,
  connectionKeys,
  type FoundSettings,
  findConnection,
  isSecretKey,
} from './find-connection.ts';

/** What each scheme needs (doc 4.1, 5.1). */
const keysOf: Readonly<Record<Scheme, readonly ConnectionKey[]>> = {
  v2: ['auth_url', 'client_id', 'client_secret', 'audience'],
  v1: ['jwt_public_key', 'jwt_secret'],
};

/** What is not set, of what the uses of a run need. */
export function missingKeys(
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
export function adviceOn(
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
