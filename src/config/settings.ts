import { type ConfigPlace, configPlace, readConfigFile } from './config-file.ts';
import {
  adviceOnMissing,
  type Connection,
  resolveConnection,
  type Schemes,
  type Use,
} from './connection.ts';
import { findSetting, type SettingPlaces } from './find-setting.ts';
import type { Environment, Given } from './origin.ts';
import { type ChosenProfile, chooseProfile } from './profile.ts';
import { type SettingWithOrigin, showSettings } from './show.ts';
import {
  type PreferenceKey,
  type Preferences,
  preferenceKeys,
  type SettingFlags,
  settingTable,
} from './table.ts';

/** What the settings are made from. */
interface SettingSources {
  readonly flags: SettingFlags;
  readonly env: Environment;
  readonly home: string;
  /** The user's number, where the system has such; the permissions of files are judged by it. */
  readonly uid: number | undefined;
  /** Without the file, no profile of it is chosen either. The sandbox needs none. */
  readonly useFile?: boolean;
  /** What counts in the place of a profile where the file is not used. */
  readonly stored?: ChosenProfile | undefined;
}

/** The settings of a run. What the sandbox doesn't need is looked up only when it is asked for. */
export interface Settings {
  readonly file: ConfigPlace;
  readonly hasFile: boolean;
  /** The profile in use, if there is one. */
  readonly profile: string | undefined;
  /** All profiles in the file. */
  readonly profiles: readonly string[];
  readonly preferences: Readonly<Preferences>;
  /** How settlements, and how charges, are asked for. */
  readonly schemes: Schemes;
  /**
   * What the uses need. Fails if a setting is missing or wrong; may read files and run a command
   * for a secret, until the signal ends that.
   */
  connection(uses?: readonly Use[], signal?: AbortSignal): Promise<Connection>;
  /** Every setting with its origin, for people; secrets stay hidden and unread. */
  show(): Promise<readonly SettingWithOrigin[]>;
  /** Where to set what the connection lacks, in sentences; none where it lacks nothing. */
  adviceOnMissing(): readonly string[];
}

/** Collects the settings: flag before environment before profile before default. */
export async function resolveSettings({
  flags,
  env,
  home,
  uid,
  useFile = true,
  stored,
}: SettingSources): Promise<Settings> {
  const place = configPlace(flags.config, env, home);
  const { path } = place;
  const file = useFile ? await readConfigFile(place, uid) : undefined;
  const profile = useFile ? chooseProfile(flags.profile, env, file, path) : stored;
  const profiles = [...(file?.profiles.keys() ?? [])];
  const hasFile = file !== undefined;
  const preferences = await readPreferences({ flags, env, profile });
  const schemes = { settlements: preferences.auth, charges: preferences.charge_auth };
  const places = { flags, env, profile, path, hasFile, profiles, schemes };
  return {
    file: place,
    hasFile,
    profile: profile?.name,
    profiles,
    preferences,
    schemes,
    connection: (uses = ['settlements'], signal) => resolveConnection(places, uses, signal),
    show: () => showSettings(places, preferences.names),
    adviceOnMissing: () => adviceOnMissing(places),
  };
}

/** Reads all of them before any is understood. */
async function readPreferences(places: SettingPlaces): Promise<Readonly<Preferences>> {
  const all = await Promise.all(
    preferenceKeys.map(async (key) => {
      const found = findSetting(key, places);
      return found && { key, text: await found.read(), origin: found.origin };
    }),
  );
  const values: Partial<Preferences> = {};
  const understand = <Key extends PreferenceKey>(key: Key, given: Given) => {
    values[key] = settingTable[key].parse(given);
  };
  for (const given of all) if (given) understand(given.key, given);
  if (!isWhole(values)) throw new TypeError('A preference has no default.');
  return values;
}

function isWhole(values: Partial<Preferences>): values is Preferences {
  return preferenceKeys.every((key) => key in values);
}
