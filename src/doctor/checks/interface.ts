import { interfaceVersion } from '../../model/interface-version.ts';
import type { Check } from '../check.ts';

/** The version that recon follows. How the service tells its own is not shown (doc 9). */
export function judgeInterface(): Check<'interface'> {
  return { check: 'interface', level: 'ok', facts: { version: interfaceVersion } };
}
