import type { Check } from '../check.ts';
import type { Evidence } from '../evidence.ts';

/** The settings are there and make sense: else nothing could have been asked. */
export function judgeConfiguration({ setup }: Evidence): Check<'configuration'> {
  const { profile = null, file = null, sandbox = null } = setup;
  return { check: 'configuration', level: 'ok', facts: { profile, file, sandbox } };
}
