import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat.js';
import utc from 'dayjs/plugin/utc.js';

dayjs.extend(utc);
// Without it the strict format is ignored and 2026-02-31 becomes 2026-03-03.
dayjs.extend(customParseFormat);

const dayFormat = 'YYYY-MM-DD';

/** A year below 100 is one with digits left out. */
const dayForm = /^(?!00)\d{4}-\d\d-\d\d$/;

/** Whether `text` is a day of the calendar, written YYYY-MM-DD. Asked of every record: dayjs is too slow. */
export function isDay(text: string): boolean {
  const time = dayForm.test(text) ? Date.parse(`${text}T00:00Z`) : Number.NaN;
  // 2026-02-31 is read as 2026-03-03.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The day of a text that is written in a format of dayjs, such as `DD.MM.YYYY`, exactly. */
export function dayWritten(text: string, format: string): string | undefined {
  return parse(text, format)?.format(dayFormat);
}

/**
 * The day of a timestamp as it is written there, in the extended or the basic format of ISO 8601:
 * `2026-03-05T23:30:00-05:00` and `20260305T233000-0500` are of 2026-03-05.
 */
export function writtenDay(timestamp: string): string | undefined {
  const written = /^(\d{4})(-?)(\d{2})\2(\d{2})(?:[Tt ]|$)/.exec(timestamp);
  if (!written) return undefined;
  const [, year, , month, dayOfMonth] = written;
  const day = `${year}-${month}-${dayOfMonth}`;
  return isDay(day) ? day : undefined;
}

/** A text without the time of day that follows a day in it; with what is no time, it stays as it is. */
export function withoutTime(text: string): string {
  return text.replace(/[T ]([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?(?![\d:]).*$/, '');
}

/** The zone of a timestamp as it is written there, `Z` or `+02:00`; an empty text where it has none. */
export function writtenZone(timestamp: string): string {
  return /[T ][\d:.,]+ ?(Z|[+-]\d{2}(?::?\d{2})?)$/i.exec(timestamp)?.[1] ?? '';
}

/**
 * Microseconds since 1970, UTC, of a timestamp in the extended or the basic format of ISO 8601, what is
 * finer cut off. Undefined for one without a zone, and for any other text.
 */
export function microsecondsOf(timestamp: string): bigint | undefined {
  const written = instant.exec(timestamp);
  if (!written) return undefined;
  const [, year, , month, dayOfMonth, hour, , minute, second = '0', fraction = '', zone] = written;
  const [y, m, d] = [Number(year), Number(month), Number(dayOfMonth)];
  const date = new Date(Date.UTC(y, m - 1, d, Number(hour), Number(minute), Number(second)));
  // What is beyond the end of a month becomes a day of the next one.
  const isReal = date.getUTCFullYear() === y && date.getUTCMonth() === m - 1;
  if (!isReal || date.getUTCDate() !== d) return undefined;
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? '') ?? [];
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  const micros = fraction.slice(0, 6).padEnd(6, '0');
  return BigInt(date.getTime() - ahead) * 1000n + BigInt(micros);
}

const instant =
  /^(\d{4})(-?)(\d\d)\2(\d\d)[T ]([01]\d|2[0-3])(:?)([0-5]\d)(?:\6([0-5]\d)(?:[.,](\d+))?)? ?(Z|[+-][01]\d(?::?[0-5]\d)?)$/i;

/** The day `days` after (or before) a day, YYYY-MM-DD. */
export function addDays(day: string, days: number): string {
  return dayjs.utc(day, dayFormat, true).add(days, 'day').format(dayFormat);
}

/** How many days after `from` the day `to` is; negative where it is before. Both YYYY-MM-DD. */
export function daysBetween(from: string, to: string): number {
  return dayjs.utc(to, dayFormat, true).diff(dayjs.utc(from, dayFormat, true), 'day');
}

/** The same day of the month `months` after (or before) a day, YYYY-MM-DD, or the last of a shorter one. */
export function addMonths(day: string, months: number): string {
  return dayjs.utc(day, dayFormat, true).add(months, 'month').format(dayFormat);
}

/** The range right before another one: of whole months as many months, else as many days. */
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

/** Whether a day, YYYY-MM-DD, is one from Monday to Friday. Holidays are not known here. */
export function isBusinessDay(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6;
}

/** The days of a range, both ends included. */
export function* daysOf({ from, to }: { from: string; to: string }): Generator<string> {
  for (let day = from; day <= to; day = addDays(day, 1)) yield day;
}

/** From the first of the days, in any order, to the last; undefined where there are none. */
export function spanOf(days: Iterable<string>): { from: string; to: string } | undefined {
  const all = [...days].sort();
  const [from, to] = [all[0], all.at(-1)];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Days in order, put together to ranges where they follow on each other. */
export function rangesOf(days: Iterable<string>): readonly { from: string; to: string }[] {
  const ranges: { from: string; to: string }[] = [];
  for (const day of days) {
    const last = ranges.at(-1);
    if (last && addDays(last.to, 1) === day) last.to = day;
    else ranges.push({ from: day, to: day });
  }
  return ranges;
}

/** The first and the last day of a month written YYYY-MM; undefined where it is none. */
export function daysOfMonth(month: string): { from: string; to: string } | undefined {
  const first = parse(month, 'YYYY-MM');
  if (!first) return undefined;
  return { from: first.format(dayFormat), to: first.endOf('month').format(dayFormat) };
}

/** The day at `now` (milliseconds since the epoch) in an IANA time zone; RangeError for an unknown zone. */
export function dayAt(now: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return format.format(now);
}

function parse(text: string, format: string): dayjs.Dayjs | undefined {
  const day = dayjs.utc(text, format, true);
  return day.isValid() ? day : undefined;
}
