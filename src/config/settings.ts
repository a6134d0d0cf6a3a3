import { redacted } from '../base/secrets.ts';
import { ruleLines } from '../reconcile/rules.ts';
import { type ChosenProfile, chooseProfile, configPlace, readConfigFile } from './config-file.ts';
import { adviceOnMissing, resolveConnection, type Use } from './connection.ts';
import {
  findSetting,
  readSetting,
  type SettingPlaces,
  variableOf,
  type Warn,
} from './find-setting.ts';
import type { Environment } from './given.ts';
import { didYouMean } from './nearest.ts';
import { bookLines } from './profile-tables.ts';
import {
  isSecretKey,
  type Preferences,
  parseServiceUrl,
  preferenceKeys,
  type SettingFlags,
  type SettingKey,
  settingKeys,
  settingTable,
} from './table.ts';

interface SettingSources {
  readonly flags: SettingFlags;
  readonly env: Environment;
  readonly home: string;
  /** The user's number, if the system has one. */
  readonly uid: number | undefined;
  /** Whether file and profile count. */
  readonly useFile?: boolean;
  /** Counts instead of a profile. */
  readonly stored?: ChosenProfile | undefined;
}

/** The settings of a run. The connection is read only when needed. */
export type Settings = Awaited<ReturnType<typeof resolveSettings>>;

/** Resolves the settings: flag before environment before profile before default. */
export async function resolveSettings({
  flags,
  env,
  home,
  uid,
  useFile = true,
  stored,
}: SettingSources) {
  const place = configPlace(flags.config, env, home);
  const { path } = place;
  const file = useFile ? await readConfigFile(place, uid) : undefined;
  const profile = useFile ? chooseProfile(flags.profile, env, file, path) : stored;
  const profiles = [...(file?.profiles.keys() ?? [])];
  const hasFile = file !== undefined;
  const preferences = await readPreferences({ flags, env, profile, path });
  const schemes = { settlements: preferences.auth, charges: preferences.charge_auth };
  const places = { flags, env, profile, path, hasFile, profiles, schemes };
  return {
    file: place,
    hasFile,
    profile: profile?.name,
    profiles,
    preferences,
    schemes,
    /** Reads what the uses need, as `resolveConnection` does. */
    connection: (uses: readonly Use[] = ['settlements'], signal?: AbortSignal, warn?: Warn) =>
      resolveConnection(places, uses, signal, warn),
    notifyUrl: (signal?: AbortSignal, warn?: Warn) =>
      readSetting('notify_url', places, signal, warn),
    /** Every setting with its origin; secrets stay hidden. */
    show: () => showSettings(places, preferences),
    /** Sentences on missing settings and mistyped variables. */
    advice: () => [...adviceOnMissing(places), ...mistypedVariables(env)],
  };
}

async function readPreferences(places: SettingPlaces): Promise<Readonly<Preferences>> {
  const values: (readonly [SettingKey, unknown])[] = [];
  for (const key of preferenceKeys) values.push([key, await readSetting(key, places)]);
  // Every preference has a default.
  return Object.fromEntries(values) as Preferences;
}

const otherVariables = [
  'RECON_PROFILE',
  'RECON_CONFIG',
  'RECON_LISTEN_PATH',
  'RECON_LISTEN_PATH_FILE',
  'RECON_JOURNAL',
];

/** Other programs may use the prefix: only near misses count. */
function mistypedVariables(env: Environment): readonly string[] {
  const ofSettings = settingKeys.map(variableOf).flatMap((name) => [name, `${name}_FILE`]);
  const known = [...ofSettings, ...otherVariables];
  const others = Object.keys(env).filter(
    (name) => name.startsWith('RECON_') && !known.includes(name),
  );
  return others.flatMap((name) => {
    const question = didYouMean(name.replace(/_FILE$/, ''), known);
    return question ? [`${name} is not a setting. ${question}`] : [];
  });
}

export type SettingWithOrigin = Awaited<ReturnType<typeof showSettings>>[number];

async function showSettings(places: SettingPlaces, { names, rules, books = {} }: Preferences) {
  const { profile } = places;
  const originOf = (key: SettingKey) => findSetting(key, places)?.origin;
  const others = settingKeys.filter((key) => !['names', 'rules', 'books'].includes(key));
  return [
    { key: 'profile', value: profile?.name, origin: profile?.chosenBy },
    ...(await Promise.all(others.map((key) => showSetting(key, places)))),
    ...ruleLines(rules).map(([key, value]) => ({
      key: `rules.${key}`,
      value: typeof value === 'string' ? value : `[${value.join(', ')}]`,
      origin: originOf('rules'),
    })),
    ...bookLines(books).map(([key, value]) => ({ key, value, origin: originOf('books') })),
    ...[...names].map(([token, name]) => ({
      key: `names.${token}`,
      value: name,
      origin: originOf('names'),
    })),
  ];
}

async function showSetting(key: SettingKey, places: SettingPlaces) {
  const found = findSetting(key, places);
  if (!found) return { key, value: undefined, origin: undefined };
  const { origin } = found;
  if (isSecretKey(key)) return { key, value: redacted, origin };
  const given = { key, text: await found.read(), origin };
  // Refuses an address with a password.
  const isAddress = settingTable[key].parse === parseServiceUrl;
  return { key, value: isAddress ? parseServiceUrl(given) : given.text, origin };
}
