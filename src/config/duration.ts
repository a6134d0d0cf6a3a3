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
