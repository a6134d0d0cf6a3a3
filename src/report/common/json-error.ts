import type { ReconError } from '../../base/errors.ts';

/** Why there is nothing for what was asked. */
export function jsonError({ failure, message, where, hint }: ReconError) {
  return { cause: failure, message, where: where ?? null, hint: hint ?? null };
}
