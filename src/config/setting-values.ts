import { Secret } from '../base/secrets.ts';
import { suggestion } from './nearest.ts';
import { type Given, settingFault } from './origin.ts';
import { namesSchema, parseTable } from './schema.ts';

/** Understands a setting that is one of the words. */
export function oneOf<Word extends string>(words: readonly Word[]): (given: Given) => Word {
  return ({ key, text, origin }) => {
    const word = words.find((candidate) => candidate === text);
    if (word !== undefined) return word;
    throw settingFault(origin, `Unknown value for ${key}: "${text}".`, suggestion(text, words));
  };
}

/**
 * Understands a setting that is any of the words, with commas between them; their order and
 * repetitions don't matter.
 */
export function someOf<Word extends string>(words: readonly Word[]) {
  return (given: Given): readonly Word[] => {
    const chosen = listed(given.text).map((text) => oneOf(words)({ ...given, text }));
    return words.filter((word) => chosen.includes(word));
  };
}

/** Understands a setting that is on or off. */
export function parseSwitch(given: Given): boolean {
  return oneOf(['true', 'false'])(given) === 'true';
}

function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/**
 * Understands words of the service, with commas between. They go into SQL, whose engines read quotes
 * and backslashes in different ways.
 */
export function parseTypes({ key, text, origin }: Given): readonly string[] {
  const types = listed(text);
  const unsafe = types.find((type) => /['"\\\p{C}]/u.test(type));
  if (unsafe === undefined) return types;
  const message = `${key} must not contain quotes, backslashes or control characters.`;
  throw settingFault(origin, message, 'Write each type as the service does.');
}

export function parseTolerance({ key, text, origin }: Given): bigint {
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  const message = `${key} must be a whole number of minor units, 0 or more, not "${text}".`;
  throw settingFault(origin, message, 'For 0.05 in a currency with two decimals, write 5.');
}

/** Decimal places by currency, of `JPY=2,KWD=2`. */
export function parseScales({ key, text, origin }: Given): ReadonlyMap<string, number> {
  return new Map(
    listed(text).map((entry) => {
      const [, currency, places] = /^([A-Z]{3})=(\d|1[0-8])$/.exec(entry) ?? [];
      if (currency !== undefined) return [currency, Number(places)];
      const message = `${key} must list currencies with 0 to 18 decimal places, not "${entry}".`;
      const hint = 'Write it as { JPY = 2 } in a profile, as JPY=2 in the environment.';
      throw settingFault(origin, message, hint);
    }),
  );
}

/** The text that `parseScales` reads, of decimal places by currency. */
export function formatScales(scales: Readonly<Record<string, number>>): string {
  const entries = Object.entries(scales).map(([currency, places]) => `${currency}=${places}`);
  return entries.sort().join();
}

/** Names by accounting token, of a JSON object. */
export function parseNames(given: Given): ReadonlyMap<string, string> {
  const names = parseTable(namesSchema, given, '{"TOKEN": "Shop in Madrid"}');
  return new Map(Object.entries(names));
}

/** Understands a whole number from `least` to `most`; `what` says what to set. */
function wholeNumber(least: number, most: number, what: string, unit = '') {
  return ({ key, text, origin }: Given): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : -1;
    if (least <= number && number <= most) return number;
    const message = `${key} must be a whole number${unit} from ${least} to ${most}, not "${text}".`;
    throw settingFault(origin, message, `Set ${what}.`);
  };
}

const days = (most: number, what: string) => wholeNumber(0, most, what, ' of days');

export const parsePendingDays = days(9999, 'how many days a settlement may be pending');

export const parseRestatedDays = days(366, 'how many of the last days recon nightly reads again');

export const parseSweptDays = days(
  366,
  'within how many days recon nightly lists the settlements of all older days again',
);

export const parseConcurrency = wholeNumber(1, 64, 'how many requests run in parallel');

/** A path; `undefined` for an empty one. Several lines are what stands in the file. */
export function parsePath({ key, text, origin }: Given): string | undefined {
  if (!/[\r\n]/.test(text)) return text || undefined;
  const name = `RECON_${key.toUpperCase()}`;
  const hint = `Set ${name} to the path. ${name}_FILE names a file that contains that path.`;
  throw settingFault(origin, `${key} must be a path, on one line.`, hint);
}

export function parseTimeZone({ key, text, origin }: Given): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text;
  } catch {
    const hint = 'Use a name from the IANA list, such as UTC or Europe/Berlin.';
    throw settingFault(origin, `${key} must be a time zone, not "${text}".`, hint);
  }
}

/** Milliseconds; `undefined` for `none`. */
export function parseTimeout({ key, text, origin }: Given): number | undefined {
  if (text === 'none') return undefined;
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  const hint = 'Write a duration such as 90s, 15m or 1h30m (up to 24 days), or none.';
  throw settingFault(origin, `${key} must be a duration, not "${text}".`, hint);
}

const unitMs = { h: 3_600_000, m: 60_000, s: 1_000 };

/** The longest wait that a timer can hold is a little longer. */
const longestMs = 24 * 24 * unitMs.h;

/** Milliseconds of a duration such as `90s`, `15m` or `1h30m`; `undefined` if it isn't one. */
export function parseDuration(text: string): number | undefined {
  const parts = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/.exec(text);
  if (!parts) return undefined;
  const [, hours, minutes, seconds] = parts.map((part) => Number(part ?? 0));
  const ms = (hours ?? 0) * unitMs.h + (minutes ?? 0) * unitMs.m + (seconds ?? 0) * unitMs.s;
  return ms > 0 && ms <= longestMs ? ms : undefined;
}

const urlExample =
  'Write the full URL, such as https://api.example.com. A path after the host is allowed.';

/** Checks the address of a service and takes its trailing slashes off. */
export function parseServiceUrl(given: Given): string {
  const { key, origin } = given;
  const hint = 'Remove them from the URL; set client_id and client_secret instead.';
  const url = parseUrl(given, hint);
  if (url.search || url.hash) {
    throw settingFault(origin, `${key} must not have a part after ? or #.`, urlExample);
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Checks the address that gets notifications: who knows it can send them, so it is a secret. */
export function parseNotifyUrl(given: Given): Secret {
  return new Secret(parseUrl(given, 'Remove them from the URL.').href);
}

/**
 * Checks an address. Only https is taken, since secrets travel there; a service on this machine may
 * do without. The address isn't repeated in an error: it may hold a password, or be one.
 */
function parseUrl({ key, text, origin }: Given, withoutUser: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const mayBePlain = url?.protocol === 'http:' && isLoopback(url.hostname);
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

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
