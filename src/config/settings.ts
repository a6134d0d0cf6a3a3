import {
  collectSchemes,
  type GivenSchemes,
  parseSchemes,
  type SchemeFlags,
  type Schemes,
  type Use,
} from './auth-schemes.ts';
import { type ConfigPlace, configPlace, readConfigFile } from './config-file.ts';
import { adviceOnMissing, type Connection, resolveConnection } from './connection.ts';
import type { Environment } from './origin.ts';
import {
  type Choices,
  collectPreferences,
  type GivenPreferences,
  type PreferenceFlags,
  type Preferences,
  parsePreferences,
  type StoredSettings,
} from './preferences.ts';
import { chooseProfile } from './profile.ts';
import { type SettingWithOrigin, showSettings } from './show.ts';

export type { StoredSettings } from './preferences.ts';

/** Flags of the command line, as they were written. */
export interface ConfigFlags extends PreferenceFlags, SchemeFlags {
  readonly config?: string | undefined;
  readonly profile?: string | undefined;
}

/** What the settings are made from. */
export interface SettingSources<Identity extends string, Check extends string> {
  readonly flags: ConfigFlags;
  readonly env: Environment;
  readonly home: string;
  /** The user's number, where the system has such; the permissions of files are judged by it. */
  readonly uid: number | undefined;
  /** Without the file, no profile is chosen either. The sandbox needs none. */
  readonly useFile?: boolean;
  /** They count where no file does. */
  readonly stored?: StoredSettings | undefined;
  readonly choices: Choices<Identity, Check>;
}

/** The settings of a run. What the sandbox doesn't need is looked up only when it is asked for. */
export interface Settings<Identity extends string = string, Check extends string = string> {
  readonly file: ConfigPlace;
  readonly hasFile: boolean;
  /** The profile in use, if there is one. */
  readonly profile: string | undefined;
  /** All profiles in the file. */
  readonly profiles: readonly string[];
  readonly preferences: Preferences<Identity, Check>;
  /** How settlements, and how charges, are asked for. */
  readonly schemes: Schemes;
  /** The preferences and schemes as they were written, and where. */
  readonly given: GivenPreferences & GivenSchemes;
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
export async function resolveSettings<Identity extends string, Check extends string>({
  flags,
  env,
  home,
  uid,
  useFile = true,
  stored,
  choices,
}: SettingSources<Identity, Check>): Promise<Settings<Identity, Check>> {
  const place = configPlace(flags.config, env, home);
  const file = useFile ? await readConfigFile(place, uid) : undefined;
  const profile = useFile ? chooseProfile(flags.profile, env, file, place.path) : undefined;
  const profiles = [...(file?.profiles.keys() ?? [])];
  const ofSchemes = await collectSchemes(flags, env, profile);
  const ofPreferences = collectPreferences(flags, profile, choices.identities[0], stored);
  const given = { ...ofSchemes, ...ofPreferences };
  const hasFile = file !== undefined;
  const schemes = parseSchemes(ofSchemes);
  const places = { env, profile, path: place.path, hasFile, profiles, schemes };
  return {
    file: place,
    hasFile,
    profile: profile?.name ?? stored?.profile,
    profiles,
    preferences: parsePreferences(given, profile, choices, stored),
    given,
    schemes,
    connection: (uses = ['settlements'], signal) => resolveConnection(places, uses, signal),
    show: () => showSettings(places, given),
    adviceOnMissing: () => adviceOnMissing(places),
  };
}
