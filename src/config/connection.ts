import { ReconError } from '../base/errors.ts';
import type { Scheme, Schemes, Use } from './auth-schemes.ts';
import {
  type ConnectionKey,
  type ConnectionPlaces,
  connectionKeys,
  type FoundSettings,
  findConnection,
  isSecretKey,
} from './find-connection.ts';
import { adviceOn, missingKeys } from './missing-settings.ts';
import type { Origin } from './origin.ts';
import { Secret } from './secret.ts';
import { parseServiceUrl } from './service-url.ts';

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
