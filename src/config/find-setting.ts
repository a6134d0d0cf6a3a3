import { runCommand } from '../base/run-command.ts';
import { Secret } from '../base/secrets.ts';
import type { ChosenProfile } from './config-file.ts';
import { type Found, findInEnvironment } from './environment.ts';
import type { Environment, Origin } from './origin.ts';
import { isSecretKey, type SettingFlags, type SettingKey, settingTable } from './table.ts';

/** Where settings are looked for. */
export interface SettingPlaces {
  readonly flags: SettingFlags;
  readonly env: Environment;
  readonly profile: ChosenProfile | undefined;
}

/** The environment variable of a setting. */
export function variableOf(key: SettingKey): string {
  return `RECON_${key.toUpperCase()}`;
}

/**
 * Finds a setting: flag before environment before profile before default. Reads no file and runs no
 * command; the value that is found does that when it is read.
 */
export function findSetting(key: SettingKey, places: SettingPlaces): Found | undefined {
  const { flag, env: mayBeVariable, default: text, sameAs } = settingTable[key];
  const written = flag && places.flags[flag];
  if (written !== undefined) {
    return { origin: `flag --${key.replaceAll('_', '-')}`, read: async () => String(written) };
  }
  const found =
    (mayBeVariable && findInEnvironment(places.env, variableOf(key))) ?? findInProfile(key, places);
  if (found) return found;
  if (text !== undefined) return { origin: 'default', read: async () => text };
  const other = sameAs && findSetting(sameAs, places);
  return other && { ...other, origin: 'default' };
}

function findInProfile(key: SettingKey, { profile, env }: SettingPlaces): Found | undefined {
  if (!profile) return undefined;
  const value = profile.values[key];
  if (value !== undefined) {
    const read = async () => (value instanceof Secret ? value.reveal() : value);
    return { origin: profile.origin, read };
  }
  const command = isSecretKey(key) ? profile.values[`${key}_command`] : undefined;
  if (typeof command !== 'string') return undefined;
  const origin: Origin = `${profile.origin} (${key}_command)`;
  return { origin, read: (signal) => runCommand(command, { env, where: origin, signal }) };
}
