import { isNothing } from './delta.ts';
import type { Explained } from './explained.ts';

/** Whether something differs, and what is around the settlement may yet say why, or say it better. */
export function isOpen({ target, best, certainty }: Explained): boolean {
  if (target === undefined || isNothing(target)) return false;
  return certainty !== 'certain' || best?.assumesAmounts === true;
}
