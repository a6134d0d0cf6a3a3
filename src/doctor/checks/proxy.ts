import type { Check } from '../check.ts';
import type { Evidence } from '../evidence.ts';

/** Which proxy the requests took, if any. */
export function judgeProxy({ setup, sightings }: Evidence): Check<'proxy'> {
  const { proxy = null } = setup;
  const used = proxy !== null && sightings.peers.has(proxy.origin);
  return { check: 'proxy', level: 'ok', facts: { proxy, used } };
}
