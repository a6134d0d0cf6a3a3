import { redacted } from '../base/secrets.ts';
import type { GivenSchemes } from './auth-schemes.ts';
import {
  type ConnectionKey,
  type ConnectionPlaces,
  connectionKeys,
  findConnection,
  isSecretKey,
} from './connection.ts';
import type { Found } from './environment.ts';
import type { Origin } from './origin.ts';
import type { GivenPreferences } from './preferences.ts';
import { parseServiceUrl } from './service-url.ts';

/** A setting as `recon config show` prints it; `undefined` where it isn't set. */
export interface SettingWithOrigin {
  readonly key: string;
  readonly value: string | undefined;
  readonly origin: Origin | undefined;
}

/** Lists every setting with its value, where that may be shown, and its origin. */
export async function showSettings(
  places: ConnectionPlaces,
  given: GivenPreferences & GivenSchemes,
): Promise<readonly SettingWithOrigin[]> {
  const { profile } = places;
  const found = findConnection(places);
  const connection = connectionKeys.map(async (key) => ({
    key,
    value: await shownValue(key, found[key]),
    origin: found[key]?.origin,
  }));
  return [
    { key: 'profile', value: profile?.name, origin: profile?.chosenBy },
    ...(await Promise.all(connection)),
    ...Object.values(given).map(({ key, text, origin }) => ({ key, value: text, origin })),
    ...Object.entries(profile?.settings.names ?? {}).map(([token, name]) => ({
      key: `names.${token}`,
      value: name,
      origin: profile?.origin,
    })),
  ];
}

async function shownValue(key: ConnectionKey, found: Found | undefined) {
  if (!found) return undefined;
  if (isSecretKey(key)) return redacted;
  const text = await found.read();
  // An address with a password in it is refused rather than shown.
  return key.endsWith('_url') ? parseServiceUrl({ key, text, origin: found.origin }) : text;
}
