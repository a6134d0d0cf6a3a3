import { isNothing } from './delta.ts';
import type { Explained } from './explained.ts';

/** Whether something differs, and it isn't certain why. */
export function isOpen({ target, best, equals }: Explained): boolean {
  if (target === undefined || isNothing(target)) return false;
  return best === undefined || best.fitsAnything || best.candidates > 1 || equals > 1;
}
