import { redacted } from '../base/secrets.ts';
import { findSetting, type SettingPlaces } from './find-setting.ts';
import type { Origin } from './origin.ts';
import { parseServiceUrl } from './service-url.ts';
import { isSecretKey, type SettingKey, settingKeys, settingTable } from './table.ts';

/** A setting as `recon config show` prints it; `undefined` where it isn't set. */
export interface SettingWithOrigin {
  readonly key: string;
  readonly value: string | undefined;
  readonly origin: Origin | undefined;
}

/** Lists every setting with its value, where that may be shown, and its origin; names one by one. */
export async function showSettings(
  places: SettingPlaces,
  names: ReadonlyMap<string, string>,
): Promise<readonly SettingWithOrigin[]> {
  const { profile } = places;
  const origin = findSetting('names', places)?.origin;
  const others = settingKeys.filter((key) => key !== 'names');
  return [
    { key: 'profile', value: profile?.name, origin: profile?.chosenBy },
    ...(await Promise.all(others.map((key) => showSetting(key, places)))),
    ...[...names].map(([token, name]) => ({ key: `names.${token}`, value: name, origin })),
  ];
}

async function showSetting(key: SettingKey, places: SettingPlaces): Promise<SettingWithOrigin> {
  const found = findSetting(key, places);
  const origin = found?.origin;
  if (!found) return { key, value: undefined, origin };
  if (isSecretKey(key)) return { key, value: redacted, origin };
  const given = { key, text: await found.read(), origin: found.origin };
  // An address with a password in it is refused rather than shown.
  const isAddress = settingTable[key].parse === parseServiceUrl;
  return { key, value: isAddress ? parseServiceUrl(given) : given.text, origin };
}
