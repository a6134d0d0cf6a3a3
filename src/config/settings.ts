import { redacted } from '../base/secrets.ts';
import { ruleLines } from '../reconcile/rules.ts';
import { bookLines } from './books.ts';
import { type ChosenProfile, chooseProfile, configPlace, readConfigFile } from './config-file.ts';
import { adviceOnMissing, resolveConnection, type Use } from './connection.ts';
import {
  findSetting,
  readSetting,
  type SettingPlaces,
  variableOf,
  type Warn,
} from './find-setting.ts';
import { didYouMean } from './nearest.ts';
import type { Environment } from './origin.ts';
import { parseServiceUrl } from './setting-values.ts';
import {
  isSecretKey,
  type Preferences,
  preferenceKeys,
  type SettingFlags,
  type SettingKey,
  settingKeys,
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
export type Settings = Awaited<ReturnType<typeof resolveSettings>>;

/** Collects the settings: flag before environment before profile before default. */
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
    /** The profile in use, if there is one. */
    profile: profile?.name,
    /** All profiles in the file. */
    profiles,
    preferences,
    /** How settlements, and how charges, are asked for. */
    schemes,
    /**
     * What the uses need. Fails if a setting is missing or wrong; may read files and run a command
     * for a secret, until the signal ends that. `warn` hears of secrets that others can read.
     */
    connection: (uses: readonly Use[] = ['settlements'], signal?: AbortSignal, warn?: Warn) =>
      resolveConnection(places, uses, signal, warn),
    /** The address that gets notifications, if one is set; found, read and refused in the same way. */
    notifyUrl: (signal?: AbortSignal, warn?: Warn) =>
      readSetting('notify_url', places, signal, warn),
    /** Every setting with its origin, for people; secrets stay hidden and unread. */
    show: () => showSettings(places, preferences),
    /** Where to set what the connection lacks, and which variables may be mistyped, in sentences. */
    advice: () => [...adviceOnMissing(places), ...mistypedVariables(env)],
  };
}

async function readPreferences(places: SettingPlaces): Promise<Readonly<Preferences>> {
  const values: (readonly [SettingKey, unknown])[] = [];
  for (const key of preferenceKeys) values.push([key, await readSetting(key, places)]);
  // Every preference has a default.
  return Object.fromEntries(values) as Preferences;
}

/** Variables that hold no setting of a profile. */
const otherVariables = [
  'RECON_PROFILE',
  'RECON_CONFIG',
  'RECON_LISTEN_PATH',
  'RECON_LISTEN_PATH_FILE',
  'RECON_JOURNAL',
];

/** Others may have variables that begin like ours: only what is near to one of ours is told. */
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

/** A setting as `recon config show` prints it; `undefined` where it isn't set. */
export type SettingWithOrigin = Awaited<ReturnType<typeof showSettings>>[number];

/** Lists every setting with its value, where that may be shown, and its origin; rules, accounts and names one by one. */
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
  // An address with a password in it is refused rather than shown.
  const isAddress = settingTable[key].parse === parseServiceUrl;
  return { key, value: isAddress ? parseServiceUrl(given) : given.text, origin };
}
