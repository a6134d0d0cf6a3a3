import type { Given, Origin } from './origin.ts';
import type { ChosenProfile } from './profile.ts';
import {
  formatScales,
  parseConcurrency,
  parseOne,
  parseScales,
  parseSome,
  parseTimeout,
  parseTimeZone,
  parseTolerance,
} from './setting-values.ts';

/** The words that a setting may take; they are given, since this floor doesn't know their meaning. */
export interface Choices<Identity extends string, Check extends string> {
  /** The first is the default. */
  readonly identities: readonly [Identity, ...Identity[]];
  /** The checks that may be ignored. */
  readonly checks: readonly Check[];
}

/** Flags of the command line, as they were written. */
export interface PreferenceFlags {
  readonly identity?: string | undefined;
  readonly tolerance?: string | undefined;
  /** Codes, or lists of codes with commas. */
  readonly ignore?: readonly string[] | undefined;
  readonly concurrency?: string | undefined;
  readonly timeout?: string | undefined;
}

/** How to reconcile and to read, whatever the service is. */
export interface Preferences<Identity extends string = string, Check extends string = string> {
  /** Names of accounting tokens. */
  readonly names: ReadonlyMap<string, string>;
  readonly identity: Identity;
  /** In minor units. */
  readonly tolerance: bigint;
  readonly ignore: readonly Check[];
  /** The decimal places that are right for a currency, where they are not those of ISO 4217. */
  readonly expectedScales: ReadonlyMap<string, number>;
  readonly timeZone: string;
  readonly concurrency: number;
  /** Of the whole run; `undefined` is without bound. */
  readonly timeoutMs: number | undefined;
}

type PreferenceKey =
  | 'identity'
  | 'tolerance'
  | 'ignore'
  | 'expected_scales'
  | 'time_zone'
  | 'concurrency'
  | 'timeout';

/** Each preference as text, from wherever it has precedence. */
export type GivenPreferences = Readonly<Record<PreferenceKey, Given>>;

/** Settings that were written down with data that are read again. */
export interface StoredSettings {
  readonly origin: Origin;
  /** The name of the profile, if one was used. */
  readonly profile: string | undefined;
  /** Names of accounting tokens. */
  readonly names: ReadonlyMap<string, string>;
  readonly preferences: Readonly<Partial<Record<PreferenceKey, string>>>;
}

/** Collects the preferences: flag, then profile, then what was stored, then default. */
export function collectPreferences(
  flags: PreferenceFlags,
  profile: ChosenProfile | undefined,
  defaultIdentity: string,
  stored?: StoredSettings,
): GivenPreferences {
  const settings = profile?.settings;
  const scales = settings?.expected_scales && formatScales(settings.expected_scales);
  const first = (
    key: PreferenceKey,
    flag: string | undefined,
    inProfile: string | number | undefined,
    fallback: string,
  ): Given => {
    if (flag !== undefined) return { key, text: flag, origin: `flag --${key}` };
    if (profile && inProfile !== undefined) {
      return { key, text: String(inProfile), origin: profile.origin };
    }
    const text = stored?.preferences[key];
    if (stored && text !== undefined) return { key, text, origin: stored.origin };
    return { key, text: fallback, origin: 'default' };
  };
  return {
    identity: first('identity', flags.identity, settings?.identity, defaultIdentity),
    tolerance: first('tolerance', flags.tolerance, settings?.tolerance, '0'),
    ignore: first('ignore', flags.ignore?.join(), settings?.ignore?.join(), ''),
    expected_scales: first('expected_scales', undefined, scales, ''),
    time_zone: first('time_zone', undefined, settings?.time_zone, 'UTC'),
    concurrency: first('concurrency', flags.concurrency, settings?.concurrency, '8'),
    timeout: first('timeout', flags.timeout, settings?.timeout, 'none'),
  };
}

/** Understands the preferences, once they are collected. */
export function parsePreferences<Identity extends string, Check extends string>(
  given: GivenPreferences,
  profile: ChosenProfile | undefined,
  choices: Choices<Identity, Check>,
  stored?: StoredSettings,
): Preferences<Identity, Check> {
  return {
    names: new Map([...(stored?.names ?? []), ...Object.entries(profile?.settings.names ?? {})]),
    identity: parseOne(choices.identities, given.identity),
    tolerance: parseTolerance(given.tolerance),
    ignore: parseSome(choices.checks, given.ignore),
    expectedScales: parseScales(given.expected_scales),
    timeZone: parseTimeZone(given.time_zone),
    concurrency: parseConcurrency(given.concurrency),
    timeoutMs: parseTimeout(given.timeout),
  };
}
