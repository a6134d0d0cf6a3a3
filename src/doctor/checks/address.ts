import type { Check } from '../check.ts';
import type { Evidence } from '../evidence.ts';

/** The hosts answer. Where asking ended early, one of them may not have been asked. */
export function judgeAddress({ setup, sightings }: Evidence): Check<'address'> | undefined {
  const { baseUrl, authUrl, sandbox } = setup;
  const answered = new Set(
    sightings.exchanges.filter(({ status }) => status !== undefined).map(({ origin }) => origin),
  );
  if (answered.size === 0) return undefined;
  const host = (setting: 'base_url' | 'auth_url', url: string) => ({
    setting,
    url,
    answered: answered.has(new URL(url).origin),
  });
  const hosts = [
    host('base_url', baseUrl),
    ...(authUrl === undefined ? [] : [host('auth_url', authUrl)]),
  ];
  const facts = { hosts: sandbox === undefined ? hosts : [] };
  return { check: 'address', level: 'ok', facts };
}
