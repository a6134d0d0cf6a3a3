import { keysOf } from '../base/keys.ts';
import { Secret } from '../base/secrets.ts';
import { ignorableChecks } from '../reconcile/entry.ts';
import { identities } from '../reconcile/identity.ts';
import { parseBankCsv } from './bank-csv.ts';
import { parseBooks } from './books.ts';
import type { Given } from './origin.ts';
import { parseRules } from './rules.ts';
import {
  oneOf,
  parseConcurrency,
  parseNames,
  parseNotifyUrl,
  parsePath,
  parsePendingDays,
  parseRestatedDays,
  parseScales,
  parseServiceUrl,
  parseSweptDays,
  parseSwitch,
  parseTimeout,
  parseTimeZone,
  parseTolerance,
  parseTypes,
  someOf,
} from './setting-values.ts';

/**
 * A setting: how it is given, and what it means. Each can be in the environment: as RECON_KEY, or in
 * the file that RECON_KEY_FILE names.
 */
interface Setting<Value, Flag extends string = string> {
  /** How it is written in a profile. */
  readonly form: ProfileForm;
  /** The flag, as the command line's parser names it; none if it is not a flag. */
  readonly flag?: Flag;
  /** What counts where it isn't given, as it would be written in a flag; absent where it must be. */
  readonly default?: string;
  /** Another setting whose value counts where this one isn't given. */
  readonly sameAs?: 'auth';
  /** Understands its text. Throws ReconError. */
  parse(given: Given): Value;
}

/**
 * How a setting is written in a profile. What is to be filled in, a path and a secret may be left
 * empty. A relative path starts at the folder of the configuration file. A secret may be KEY_file
 * instead, the file that contains it, or KEY_command, the command that prints it.
 */
export type ProfileForm =
  | 'to_fill_in'
  | 'path'
  | 'secret'
  | 'text'
  | 'number'
  | 'switch'
  | 'list'
  | 'scales'
  | 'rules'
  | 'bank_csv'
  | 'books'
  | 'names';

type Table = Readonly<Record<string, Setting<unknown>>>;

const asItIs = ({ text }: Given) => text;
const asSecret = ({ text }: Given) => new Secret(text);

/** The ways to authenticate (doc 5): an access token, or a token signed for each request. */
const schemes = ['v2', 'v1'] as const;

export type Scheme = (typeof schemes)[number];

/**
 * What it takes to reach the service. None has a default; they are read only when the service is
 * asked.
 */
const connectionSettings = {
  base_url: { form: 'to_fill_in', parse: parseServiceUrl },
  auth_url: { form: 'to_fill_in', parse: parseServiceUrl },
  client_id: { form: 'to_fill_in', parse: asItIs },
  client_secret: { form: 'secret', parse: asSecret },
  audience: { form: 'to_fill_in', parse: asItIs },
  jwt_public_key: { form: 'to_fill_in', parse: asItIs },
  jwt_secret: { form: 'secret', parse: asSecret },
} as const satisfies Table;

/** Who hears of a night. It has no default, and is read only when a night is told. */
const notification = {
  notify_url: { form: 'secret', parse: parseNotifyUrl },
} as const satisfies Table;

/** All other settings: they are read and understood before a run begins. */
const preferences = {
  auth: { form: 'text', default: 'v2', parse: oneOf(schemes) },
  charge_auth: { form: 'text', flag: 'chargeAuth', sameAs: 'auth', parse: oneOf(schemes) },
  /** The name of each accounting token. */
  names: { form: 'names', default: '{}', parse: parseNames },
  identity: { form: 'text', flag: 'identity', default: identities[0], parse: oneOf(identities) },
  /** Minor units. */
  tolerance: { form: 'number', flag: 'tolerance', default: '0', parse: parseTolerance },
  ignore: { form: 'list', flag: 'ignore', default: '', parse: someOf(ignorableChecks) },
  /** The decimal places that are right for a currency, where they are not those of ISO 4217. */
  expected_scales: { form: 'scales', default: '', parse: parseScales },
  /** The path of the register of accepted differences; `undefined` for none. */
  accepted: { form: 'path', flag: 'accepted', default: '', parse: parsePath },
  /** What is normal here. */
  rules: { form: 'rules', default: '{}', parse: parseRules },
  time_zone: { form: 'text', default: 'UTC', parse: parseTimeZone },
  /** Days after its date that a settlement may be pending. */
  pending_days: { form: 'number', default: '14', parse: parsePendingDays },
  /** How many of the last days a night reads again. */
  restated_days: { form: 'number', default: '7', parse: parseRestatedDays },
  /** Within how many days nights see all older days again; 0 for never. */
  swept_days: { form: 'number', default: '30', parse: parseSweptDays },
  /** Whether exported days get tables for SQL engines too. */
  parquet: { form: 'switch', flag: 'parquet', default: 'false', parse: parseSwitch },
  /** Transaction types of refunds and purchases: the document names none (doc 2.8). */
  refund_types: { form: 'list', flag: 'refundTypes', default: '', parse: parseTypes },
  purchase_types: { form: 'list', flag: 'purchaseTypes', default: '', parse: parseTypes },
  /** The path of a bank statement, or of a folder of them; `undefined` for none. */
  statements: { form: 'path', default: '', parse: parsePath },
  /** How the bank writes CSV files; `undefined` where none are read. */
  bank_csv: { form: 'bank_csv', default: '{}', parse: parseBankCsv },
  /** IBANs or numbers of the accounts that the service pays from. */
  payout_accounts: { form: 'list', flag: 'payoutAccounts', default: '', parse: parseTypes },
  /** The accounts that settlements are booked to; `undefined` for none. */
  books: { form: 'books', default: '{}', parse: parseBooks },
  concurrency: { form: 'number', flag: 'concurrency', default: '8', parse: parseConcurrency },
  /** Milliseconds that the whole run may take; `undefined` is without bound. */
  timeout: { form: 'text', flag: 'timeout', default: 'none', parse: parseTimeout },
} as const satisfies Table;

const rows = { ...connectionSettings, ...preferences, ...notification };

export type ConnectionKey = keyof typeof connectionSettings;
type PreferenceKey = keyof typeof preferences;
export type SettingKey = keyof typeof rows;

/** What each setting is once it is understood. */
export type SettingValues = { [Key in SettingKey]: ReturnType<(typeof rows)[Key]['parse']> };

/** How to reconcile and to read, whatever the service is. */
export type Preferences = Pick<SettingValues, PreferenceKey>;

/** The settings that are flags, by the names that the command line's parser gives them. */
type FlagName = Extract<(typeof rows)[SettingKey], { readonly flag: string }>['flag'];

/** All settings, by the names that they have in a profile. */
export const settingTable: {
  readonly [Key in SettingKey]: Setting<SettingValues[Key], FlagName>;
} = rows;

type Flags = { readonly [Flag in FlagName]?: string | readonly string[] | true };

/** Flags of the command line, as they were written; a repeated one as a list. */
export interface SettingFlags extends Flags {
  readonly profile?: string;
  readonly config?: string;
}

/** The settings whose values stay hidden. */
export type SecretKey = {
  [Key in SettingKey]: (typeof rows)[Key]['form'] extends 'secret' ? Key : never;
}[SettingKey];

export const connectionKeys = keysOf(connectionSettings);
export const settingKeys = keysOf(settingTable);
export const preferenceKeys = keysOf(preferences);

export const secretKeys = settingKeys.filter(isSecretKey);

export function isSecretKey(key: SettingKey): key is SecretKey {
  return settingTable[key].form === 'secret';
}
