import { type Answer, failure } from './exchange.ts';
import type { FaultKind } from './fault.ts';
import { parseNumber, parseWhere } from './fault-syntax.ts';
import { httpError } from './request-faults.ts';

/** A token bucket: so many requests a second flow in, at most `burst` are saved up. It begins full. */
function createBucket(perSecond: number, burst: number): (now: number) => boolean {
  let tokens = burst;
  let last: number | undefined;
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - (last ?? now)) * perSecond) / 1000);
    last = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

function rateLimit(name: string, face: string, refusal: () => Answer): FaultKind {
  return {
    name,
    syntax: 'N|N,BURST@WHERE',
    about: `N requests a second and no more, but for BURST (N) saved up; refusals are ${face}`,
    create(value, where) {
      const isThere = parseWhere(where);
      const [perSecond = '', burst = perSecond, ...rest] = value.split(',');
      if (rest.length > 0) throw new Error(`"${value}" is no limit: N, or N,BURST`);
      const letsThrough = createBucket(parseNumber(perSecond), parseNumber(burst));
      return {
        around: async (call, next, clock) =>
          isThere(call) && !letsThrough(clock.monotonic()) ? refusal() : next(call),
      };
    },
  };
}

/** Faults that depend on how fast requests come. With `retry-after`, refusals say how long to wait. */
export const rateFaults: readonly FaultKind[] = [
  rateLimit('rate-limit', 'wrapper code 429', () => failure('429')),
  rateLimit('http-rate-limit', 'HTTP 429', () => httpError(429)),
];
