import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat.js';
import utc from 'dayjs/plugin/utc.js';

dayjs.extend(utc);
// Without it the strict format is ignored and 2026-02-31 becomes 2026-03-03.
dayjs.extend(customParseFormat);

const dayFormat = 'YYYY-MM-DD';

/** Years below 100 are taken for typing errors. */
const dayForm = /^(?!00)\d{4}-\d\d-\d\d$/;

/** Whether `text` is a real day, YYYY-MM-DD. Called for every record: dayjs is too slow. */
export function isDay(text: string): boolean {
  // Date reads 2026-02-31 as 2026-03-03.
  return dayForm.test(text) && new Date(text).getUTCDate() === Number(text.slice(8));
}

/** Cached, because a file has few days. */
const daysByText = new Map<string, string | undefined>();
const mostCachedDays = 1_000;

/** The day of a text in a format such as `DD.MM.YYYY`; a time may follow. */
export function dayIn(text: string, format: string): string | undefined {
  const written = withoutTime(text.trim());
  const key = `${format} ${written}`;
  if (daysByText.has(key)) return daysByText.get(key);
  if (daysByText.size > mostCachedDays) daysByText.clear();
  const day = format.includes('MMM')
    ? parse(withMonthNumber(written), format.replace('MMM', 'MM'))
    : parse(written, format);
  daysByText.set(key, day?.format(dayFormat));
  return day?.format(dayFormat);
}

let numbersByMonth: ReadonlyMap<string, string> | undefined;

/** A text with the number of the month in place of its name, short or long, in any case. */
function withMonthNumber(text: string): string {
  numbersByMonth ??= monthNumbers();
  const [written = ''] = /[\p{L}\p{M}]+\.?/u.exec(text) ?? [];
  return text.replace(written, numbersByMonth.get(plainMonth(written)) ?? written);
}

function monthNumbers(): ReadonlyMap<string, string> {
  const months = Array.from({ length: 12 }, (_, at) => at);
  const names = ['en', 'de', 'fr', 'es', 'it', 'nl'].flatMap((language) =>
    (['short', 'long'] as const).flatMap((month) => {
      const form = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
      return months.map((at) => {
        const name = plainMonth(form.format(Date.UTC(2026, at)));
        return [name, String(at + 1).padStart(2, '0')] as const;
      });
    }),
  );
  return new Map([...names, ...otherNames]);
}

/** What programs write that go by shorter lists: `Mrz` in German. */
const otherNames = [['mrz', '03']] as const;

function plainMonth(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase();
}

/** A day, YYYY-MM-DD, as `dayIn` reads it with the same format. */
export function dayAs(day: string, format: string): string {
  return isDay(day) ? dayjs.utc(day).format(format) : day;
}

/**
 * As `dayIn`; a text with a time and an offset from UTC is a moment, whose day in `timeZone` counts. `usualZone` is that
 * of times without an offset, such as `Z`; empty if they are of `timeZone`.
 */
export function dayOfMoment(
  text: string,
  format: string,
  timeZone: string,
  usualZone = '',
): string | undefined {
  const day = dayIn(text, format);
  const zone = writtenZone(text.trim()) || usualZone;
  const [, written = '', minute] = /[T ](\d{1,2}):(\d\d)/.exec(text) ?? [];
  if (day === undefined || zone === '' || minute === undefined) return day;
  const [, half = ''] = /\d ?([ap])\.?m\b/i.exec(text) ?? [];
  const hour = hourOf(Number(written), half.toLowerCase());
  const moment = microsecondsOf(`${day}T${String(hour).padStart(2, '0')}:${minute}${zone}`);
  return moment === undefined ? day : dayWithin(Number(moment / 1000n), timeZone);
}

/** The hour of a time with `am` or `pm`; some shops write 22:41 PM. */
function hourOf(written: number, half: string): number {
  if (half === 'p' && written < 12) return written + 12;
  return half === 'a' && written === 12 ? 0 : written;
}

/** Days begin at a quarter of an hour everywhere. */
const quarterMs = 900_000;
const daysByQuarter = new Map<string, string>();
const mostQuarters = 100_000;

/** As `dayAt`, for many moments. */
export function dayWithin(now: number, timeZone: string): string {
  const quarter = Math.floor(now / quarterMs);
  const key = `${timeZone} ${quarter}`;
  const known = daysByQuarter.get(key);
  if (known !== undefined) return known;
  if (daysByQuarter.size > mostQuarters) daysByQuarter.clear();
  const day = dayAt(quarter * quarterMs, timeZone);
  daysByQuarter.set(key, day);
  return day;
}

/** The day as written in an ISO 8601 timestamp, extended or basic: of 20260305T233000-0500, 2026-03-05. */
export function writtenDay(timestamp: string): string | undefined {
  const written = /^(\d{4})(-?)(\d{2})\2(\d{2})(?:[Tt ]|$)/.exec(timestamp);
  if (!written) return undefined;
  const [, year, , month, dayOfMonth] = written;
  const day = `${year}-${month}-${dayOfMonth}`;
  return isDay(day) ? day : undefined;
}

/** A text without the time of day that follows a day in it. */
export function withoutTime(text: string): string {
  return text.replace(/[T ]([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?(?![\d:]).*$/, '');
}

/** The zone as written in a timestamp, `Z` or `+02:00`; empty if it has none. */
export function writtenZone(timestamp: string): string {
  return /[T ][\d:.,]+ ?(Z|[+-]\d{2}(?::?\d{2})?)$/i.exec(timestamp)?.[1] ?? '';
}

/** Microseconds since 1970, UTC, of an ISO 8601 timestamp with a zone, extended or basic; else undefined. */
export function microsecondsOf(timestamp: string): bigint | undefined {
  const written = instant.exec(timestamp);
  if (!written) return undefined;
  const [, year, , month, dayOfMonth, hour, , minute, second = '00', fraction = '', zone] = written;
  const day = `${year}-${month}-${dayOfMonth}`;
  if (!isDay(day)) return undefined;
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? '') ?? [];
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  const micros = fraction.slice(0, 6).padEnd(6, '0');
  const time = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return BigInt(time - ahead) * 1000n + BigInt(micros);
}

const instant =
  /^(\d{4})(-?)(\d\d)\2(\d\d)[T ]([01]\d|2[0-3])(:?)([0-5]\d)(?:\6([0-5]\d)(?:[.,](\d+))?)? ?(Z|[+-][01]\d(?::?[0-5]\d)?)$/i;

/** The day `days` after (or before) a day, YYYY-MM-DD. */
export function addDays(day: string, days: number): string {
  // Parsing by a format takes three times as long as all the rest.
  return dayjs.utc(Date.parse(day) + days * dayMs).format(dayFormat);
}

const dayMs = 86_400_000;

/** Days from `from` to `to`, both YYYY-MM-DD; negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs;
}

/** The same day of the month `months` after (or before) a day, or the last of a shorter month. */
export function addMonths(day: string, months: number): string {
  return dayjs.utc(day, dayFormat, true).add(months, 'month').format(dayFormat);
}

/** The range right before another: as many whole months, or else as many days. */
export function rangeBefore({ from, to }: { from: string; to: string }) {
  const next = addDays(to, 1);
  const isOfMonths = from.endsWith('-01') && next.endsWith('-01');
  const months = dayjs.utc(next, dayFormat, true).diff(dayjs.utc(from, dayFormat, true), 'month');
  const before = isOfMonths ? addMonths(from, -months) : addDays(from, -daysBetween(from, next));
  return { from: before, to: addDays(from, -1) };
}

/** Whether a day lies in a range, both ends included. */
export function isDayIn({ from, to }: { from: string; to: string }, day: string): boolean {
  return from <= day && day <= to;
}

/** Whether a day is one from Monday to Friday; holidays are not known. */
export function isBusinessDay(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6;
}

/** The days of a range, both ends included. */
export function* daysOf({ from, to }: { from: string; to: string }): Generator<string> {
  for (let day = from; day <= to; day = addDays(day, 1)) yield day;
}

/** From the first of the days to the last, given in any order; undefined if there are none. */
export function spanOf(days: Iterable<string>): { from: string; to: string } | undefined {
  let span: { from: string; to: string } | undefined;
  for (const day of days) {
    span ??= { from: day, to: day };
    if (day < span.from) span.from = day;
    if (day > span.to) span.to = day;
  }
  return span;
}

/** Ordered days, with consecutive ones joined to ranges. */
export function rangesOf(days: Iterable<string>): readonly { from: string; to: string }[] {
  const ranges: { from: string; to: string }[] = [];
  for (const day of days) {
    const last = ranges.at(-1);
    if (last && addDays(last.to, 1) === day) last.to = day;
    else ranges.push({ from: day, to: day });
  }
  return ranges;
}

/** The days of a month, YYYY-MM; undefined for any other text. */
export function daysOfMonth(month: string): { from: string; to: string } | undefined {
  const first = parse(month, 'YYYY-MM');
  if (!first) return undefined;
  return { from: first.format(dayFormat), to: first.endOf('month').format(dayFormat) };
}

/** `March 2026`: the month of a day. */
export function monthName(day: string): string {
  return dayjs.utc(day, dayFormat, true).format('MMMM YYYY');
}

/** The time zone of this machine: `Europe/Madrid`. */
export function systemTimeZone(): string {
  return new Intl.DateTimeFormat('en').resolvedOptions().timeZone;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The day at `now` (milliseconds since the epoch) in an IANA time zone; RangeError for an unknown zone. */
export function dayAt(now: number, timeZone: string): string {
  const digits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, ...digits });
  formats.set(timeZone, format);
  return format.format(now);
}

function parse(text: string, format: string): dayjs.Dayjs | undefined {
  const day = dayjs.utc(text, format, true);
  return day.isValid() ? day : undefined;
}
