/**
 * Exponential backoff with full jitter: a random wait of at most `base` × 2^(attempt−1)
 * milliseconds, capped. `random` gives a number from 0 to below 1.
 */
export function backoff(
  attempt: number,
  { baseMs, capMs }: { readonly baseMs: number; readonly capMs: number },
  random: () => number,
): number {
  return Math.round(random() * Math.min(capMs, baseMs * 2 ** (attempt - 1)));
}
