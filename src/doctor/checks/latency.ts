import type { Exchange } from '../../model/probe.ts';
import type { Check } from '../check.ts';
import type { Evidence } from '../evidence.ts';

/** A tenth of the time after which a request is given up. */
const slow = 3_000;

/** How long answers take, and what had to be asked for twice. */
export function judgeLatency({ sightings }: Evidence): Check<'latency'> | undefined {
  const { exchanges } = sightings;
  const times = exchanges
    .filter(({ status }) => status !== undefined)
    .map(({ ms }) => ms)
    .sort((one, other) => one - other);
  const slowestMs = times.at(-1);
  if (slowestMs === undefined) return undefined;
  const medianMs = times[Math.floor((times.length - 1) / 2)] ?? slowestMs;
  const repeated = exchanges
    .filter((one) => wasMended(one, exchanges))
    .map(({ failure = '' }) => failure);
  return {
    check: 'latency',
    level: slowestMs >= slow || repeated.length > 0 ? 'warning' : 'ok',
    facts: { answers: times.length, medianMs, slowestMs, repeated },
  };
}

/** Whether an attempt failed and the next one at the same request didn't. */
function wasMended(one: Exchange, exchanges: readonly Exchange[]): boolean {
  if (one.failure === undefined) return false;
  const following = exchanges
    .slice(exchanges.indexOf(one) + 1)
    .find(({ path, attempt }) => path === one.path && attempt === one.attempt + 1);
  return following !== undefined && following.failure === undefined;
}
