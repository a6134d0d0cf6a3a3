import { isDay } from '../base/calendar.ts';
import { keysOf } from '../base/lists.ts';
import { Secret } from '../base/secrets.ts';
import { suggestion } from '../base/texts.ts';
import type { Holidays } from '../model/bank.ts';
import { ignorableChecks } from '../reconcile/entry.ts';
import { identities } from '../reconcile/identity.ts';
import { csvTables } from './csv-mappings.ts';
import { profileTables } from './profile-tables.ts';
import { isTimeZone, type ProfileTable, type RawSetting, settingFault, variableOf } from './raw.ts';

function unfit({ key, text, origin }: RawSetting, what: string, hint: string) {
  return settingFault(origin, `${key} must be ${what}, not "${text}".`, hint);
}

/** Parses one word of a list. Throws ReconError. */
function oneOf<Word extends string>(words: readonly Word[]): (raw: RawSetting) => Word {
  return ({ key, text, origin }) => {
    const word = words.find((candidate) => candidate === text);
    if (word !== undefined) return word;
    throw settingFault(origin, `Unknown value for ${key}: "${text}".`, suggestion(text, words));
  };
}

/** Parses words separated by commas, in any order. */
function someOf<Word extends string>(words: readonly Word[]) {
  return (raw: RawSetting): readonly Word[] => {
    const chosen = listed(raw.text).map((text) => oneOf(words)({ ...raw, text }));
    return words.filter((word) => chosen.includes(word));
  };
}

function parseSwitch(raw: RawSetting): boolean {
  return oneOf(['true', 'false'])(raw) === 'true';
}

function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Parses words of the service, separated by commas. They go into SQL. */
function parseTypes({ key, text, origin }: RawSetting): readonly string[] {
  const types = listed(text);
  const unsafe = types.find((type) => /['"\\\p{C}]/u.test(type));
  if (unsafe === undefined) return types;
  const message = `${key} must not contain quotes, backslashes or control characters.`;
  throw settingFault(origin, message, 'Write each type as the service does.');
}

/** Minor units. Throws ReconError. */
function parseTolerance(raw: RawSetting): bigint {
  if (/^\d{1,18}$/.test(raw.text)) return BigInt(raw.text);
  const hint = 'For 0.05 in a currency with two decimals, write 5.';
  throw unfit(raw, 'a whole number of cents or the smallest unit, 0 or more', hint);
}

/** Numbers by currency, from `JPY=2,KWD=2`. */
function byCurrency(form: RegExp, what: string) {
  return ({ key, text, origin }: RawSetting): ReadonlyMap<string, number> =>
    new Map(
      listed(text).map((entry) => {
        const [currency = '', number = ''] = entry.split('=');
        if (/^[A-Z]{3}$/.test(currency) && form.test(number)) return [currency, Number(number)];
        const message = `${key} must list currencies with ${what}, not "${entry}".`;
        const hint = 'Write it as { JPY = 2 } in a profile, as JPY=2 in the environment.';
        throw settingFault(origin, message, hint);
      }),
    );
}

const parseScales = byCurrency(/^(?:\d|1[0-8])$/, '0 to 18 decimal places');

/** Days on which banks are closed: a currency holds for the days after it on its line. Throws ReconError. */
function parseHolidays({ key, text, origin }: RawSetting): Holidays {
  const holidays = new Map<string, Set<string>>();
  for (const line of text.split(/\r?\n/)) {
    let currency = '';
    for (const word of line
      .replace(/#.*/, '')
      .split(/[\s,;:=]+/)
      .filter(Boolean)) {
      const isCurrency = /^[A-Z]{3}$/.test(word);
      if (!isCurrency && !isDay(word)) {
        const message = `${key} must list days, such as 2026-03-20 or JPY 2026-03-20, not "${word}".`;
        throw settingFault(origin, message, 'Write each day as YYYY-MM-DD, after its currency.');
      }
      if (isCurrency) currency = word;
      else holidays.set(currency, (holidays.get(currency) ?? new Set()).add(word));
    }
  }
  return holidays;
}

/** The text that `parseScales` reads. */
export function formatScales(scales: Readonly<Record<string, number>>): string {
  const entries = Object.entries(scales).map(([currency, places]) => `${currency}=${places}`);
  return entries.sort().join();
}

/** `what` says what to set. */
function wholeNumber(least: number, most: number, what: string, unit = '') {
  return (raw: RawSetting): number => {
    const number = /^\d{1,9}$/.test(raw.text) ? Number(raw.text) : -1;
    if (least <= number && number <= most) return number;
    throw unfit(raw, `a whole number${unit} from ${least} to ${most}`, `Set ${what}.`);
  };
}

const days = (most: number, usual: string, what: string) =>
  ({ form: 'number', default: usual, parse: wholeNumber(0, most, what, ' of days') }) as const;

function parsePath({ key, text, origin }: RawSetting): string | undefined {
  if (!/[\r\n]/.test(text)) return text || undefined;
  const name = variableOf(key);
  const hint = `Set ${name} to the path. ${name}_FILE names a file that contains that path.`;
  throw settingFault(origin, `${key} must be a path, on one line.`, hint);
}

/** A day, YYYY-MM-DD; undefined for `none`. Throws ReconError. */
function parseClosedThrough(raw: RawSetting): string | undefined {
  const { text } = raw;
  if (text === 'none' || isDay(text)) return text === 'none' ? undefined : text;
  throw unfit(raw, 'a day', 'Write it as year, month and day: 2026-03-31.');
}

function parseTimeZone(raw: RawSetting): string {
  if (isTimeZone(raw.text)) return raw.text;
  const city = raw.text.trim().replaceAll(' ', '_').toLowerCase();
  const near = Intl.supportedValuesOf('timeZone').find((one) =>
    one.toLowerCase().endsWith(`/${city}`),
  );
  const other = 'Use UTC, or a region and a city such as Europe/Berlin.';
  throw unfit(raw, 'a time zone', near ? `Did you mean ${near}?` : other);
}

const longestSeconds = 24 * 24 * 3_600;

/** Milliseconds of `90s`, `15m` or `1h30m`; undefined for `none`. Throws ReconError. */
function parseTimeout(raw: RawSetting): number | undefined {
  if (raw.text === 'none') return undefined;
  const parts = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/.exec(raw.text) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  const whole = (hours * 60 + minutes) * 60 + seconds;
  if (whole > 0 && whole <= longestSeconds) return whole * 1_000;
  const hint = 'Write a duration such as 90s, 15m or 1h30m (up to 24 days), or none.';
  throw unfit(raw, 'a duration', hint);
}

const urlExample =
  'Write the full URL, such as https://api.example.com. A path after the host is allowed.';

/** A service URL without trailing slashes. */
function parseServiceUrl(raw: RawSetting): string {
  const { key, origin } = raw;
  const hint = 'Remove them from the URL; set client_id and client_secret instead.';
  const url = parseUrl(raw, hint);
  if (url.search || url.hash) {
    throw settingFault(origin, `${key} must not have a part after ? or #.`, urlExample);
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** A secret: with it, anyone can send there. */
function parseSecretUrl(raw: RawSetting): Secret {
  return new Secret(parseUrl(raw, 'Remove them from the URL.').href);
}

/** What is added to the address of the heartbeat if a night failed: a path, parameters, or both. */
function parseHeartbeatFailure({ key, text, origin }: RawSetting): string {
  const filled = text.replace(/\{(code|cause)\}/g, 'x');
  if (/^[/?][\w\-./?&=%+:,~]*$/.test(filled) && filled.split('?').length < 3) return text;
  const message = `${key} must start with / or ?, such as /fail or ?status=down&msg={cause}.`;
  throw settingFault(
    origin,
    message,
    'It may contain {code} and {cause}, and nothing else in braces.',
  );
}

/** Only https, or http on this machine. Errors never repeat the address: it may contain a password. */
function parseUrl({ key, text, origin }: RawSetting, withoutUser: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const mayBePlain =
    url?.protocol === 'http:' && /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(url.hostname);
  if (!url?.hostname) throw settingFault(origin, `${key} is not a URL.`, urlExample);
  if (url.protocol !== 'https:' && !mayBePlain) {
    throw settingFault(
      origin,
      `${key} must start with https://, so credentials are not sent unencrypted.`,
      'Use plain http:// only for a service on this machine (localhost, 127.0.0.1, [::1]).',
    );
  }
  if (url.username || url.password) {
    throw settingFault(origin, `${key} contains a user name or password.`, withoutUser);
  }
  return url;
}

/** A setting. Each can also be in the environment: RECON_KEY, or RECON_KEY_FILE for a file. */
interface Setting<Value, Flag extends string = string> {
  readonly form: ProfileForm | ProfileTable;
  readonly flag?: Flag;
  /** As a flag would write it; absent if it must be set. */
  readonly default?: string;
  readonly sameAs?: 'auth';
  parse(raw: RawSetting): Value;
}

/** Relative paths start at the configuration file. A secret may be KEY_file or KEY_command. */
export type ProfileForm =
  | 'to_fill_in'
  | 'path'
  | 'secret'
  | 'text'
  | 'number'
  | 'switch'
  | 'list'
  | 'scales'
  | 'holidays';

type Table = Readonly<Record<string, Setting<unknown>>>;

const asText = ({ text }: RawSetting) => text;
const asSecret = ({ text }: RawSetting) => new Secret(text);

/** Token, or signature of each request (doc 5). */
const schemes = ['v2', 'v1'] as const;

/** Read only to connect; no defaults. */
const connectionSettings = {
  base_url: { form: 'to_fill_in', parse: parseServiceUrl },
  auth_url: { form: 'to_fill_in', parse: parseServiceUrl },
  client_id: { form: 'to_fill_in', parse: asText },
  client_secret: { form: 'secret', parse: asSecret },
  audience: { form: 'to_fill_in', parse: asText },
  jwt_public_key: { form: 'to_fill_in', parse: asText },
  jwt_secret: { form: 'secret', parse: asSecret },
} as const satisfies Table;

const notification = {
  notify_url: { form: 'secret', parse: parseSecretUrl },
  heartbeat_url: { form: 'secret', parse: parseSecretUrl },
} as const satisfies Table;

const preferences = {
  auth: { form: 'text', default: 'v2', parse: oneOf(schemes) },
  charge_auth: { form: 'text', flag: 'chargeAuth', sameAs: 'auth', parse: oneOf(schemes) },
  names: profileTables.names,
  identity: { form: 'text', flag: 'identity', default: identities[0], parse: oneOf(identities) },
  tolerance: { form: 'number', flag: 'tolerance', default: '0', parse: parseTolerance },
  ignore: { form: 'list', flag: 'ignore', default: '', parse: someOf(ignorableChecks) },
  /** Where they differ from ISO 4217. */
  expected_scales: { form: 'scales', default: '', parse: parseScales },
  accepted: { form: 'path', flag: 'accepted', default: '', parse: parsePath },
  rules: profileTables.rules,
  time_zone: { form: 'text', default: 'UTC', parse: parseTimeZone },
  pending_days: days(9999, '14', 'how many days a settlement may be pending'),
  restated_days: days(366, '7', 'how many of the last days recon nightly reads again'),
  swept_days: days(
    366,
    '30',
    'within how many days recon nightly lists the settlements of all older days again',
  ),
  heartbeat_failure: { form: 'text', default: '/fail', parse: parseHeartbeatFailure },
  parquet: { form: 'switch', flag: 'parquet', default: 'false', parse: parseSwitch },
  /** The document names no types (doc 2.8). */
  refund_types: { form: 'list', flag: 'refundTypes', default: '', parse: parseTypes },
  purchase_types: { form: 'list', flag: 'purchaseTypes', default: '', parse: parseTypes },
  chargeback_types: { form: 'list', default: '', parse: parseTypes },
  settlement_files: { form: 'path', default: '', parse: parsePath },
  settlements_csv: csvTables.settlements_csv,
  statements: { form: 'path', default: '', parse: parsePath },
  bank_csv: csvTables.bank_csv,
  bank_rules: profileTables.bank_rules,
  payout_accounts: { form: 'list', flag: 'payoutAccounts', default: '', parse: parseTypes },
  holidays: { form: 'holidays', default: '', parse: parseHolidays },
  orders: { form: 'path', default: '', parse: parsePath },
  orders_csv: csvTables.orders_csv,
  settle_days: days(366, '7', 'within how many days orders should be settled'),
  order_tolerance: {
    form: 'scales',
    default: '',
    parse: byCurrency(/^\d{1,15}$/, 'a whole number of the smallest unit, such as cents'),
  },
  agreed_rates: profileTables.agreed_rates,
  agreed_fees: profileTables.agreed_fees,
  books: profileTables.books,
  books_from: profileTables.books_from,
  booked: {
    form: 'path',
    flag: 'booked',
    default: '',
    parse: (raw) => (raw.text === 'none' ? undefined : parsePath(raw)),
  },
  closes: { form: 'path', flag: 'closes', default: '', parse: parsePath },
  closed_through: {
    form: 'text',
    flag: 'closedThrough',
    default: 'none',
    parse: parseClosedThrough,
  },
  concurrency: {
    form: 'number',
    flag: 'concurrency',
    default: '8',
    parse: wholeNumber(1, 64, 'how many requests run in parallel'),
  },
  timeout: { form: 'text', flag: 'timeout', default: 'none', parse: parseTimeout },
} as const satisfies Table;

const rows = { ...connectionSettings, ...preferences, ...notification };

export type SettingKey = keyof typeof rows;

export type SettingValues = { [Key in SettingKey]: ReturnType<(typeof rows)[Key]['parse']> };

type FlagName = Extract<(typeof rows)[SettingKey], { readonly flag: string }>['flag'];

export const settingTable: {
  readonly [Key in SettingKey]: Setting<SettingValues[Key], FlagName>;
} = rows;

type Flags = { readonly [Flag in FlagName]?: string | readonly string[] | true };

export interface SettingFlags extends Flags {
  readonly profile?: string;
  readonly config?: string;
}

type SecretKey = {
  [Key in SettingKey]: (typeof rows)[Key]['form'] extends 'secret' ? Key : never;
}[SettingKey];

export const connectionKeys = keysOf(connectionSettings);
export const settingKeys = keysOf(settingTable);
export const preferenceKeys = keysOf(preferences);

/** Whether the value of a setting stays hidden. */
export function isSecretKey(key: SettingKey): key is SecretKey {
  return settingTable[key].form === 'secret';
}
