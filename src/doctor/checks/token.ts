import type { Check } from '../check.ts';
import type { Evidence } from '../evidence.ts';

/** What both settlement operations take (doc 4.3, 4.4). */
const needed = ['read:merchant', 'read:merchant:settlement'];
/** Tokens that live for less are asked for again and again. */
const shortestLife = 60;

/** The token's life and scopes. Under V1 each request has a token of its own, and nothing is granted. */
export function judgeToken({ setup, answers }: Evidence): Check<'token'> | undefined {
  const { schemes } = setup;
  if (schemes.settlements === 'v1' && schemes.charges === 'v1') {
    return { check: 'token', level: 'ok', facts: { scheme: 'v1' } };
  }
  const { grant } = answers;
  if (!grant) return undefined;
  const { seconds = null, scopes = null } = grant;
  const isForSettlements = schemes.settlements === 'v2';
  const lacks = isForSettlements && scopes ? needed.filter((one) => !scopes.includes(one)) : [];
  const isShort = seconds !== null && seconds < shortestLife;
  return {
    check: 'token',
    level: lacks.length > 0 || isShort ? 'warning' : 'ok',
    facts: { scheme: 'v2', seconds, scopes, lacks },
  };
}
