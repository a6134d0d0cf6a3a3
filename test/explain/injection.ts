import type { Cause, CauseCode } from '../../src/explain/cause.ts';
import type { Random } from '../support/random.ts';
import type { World } from './world.ts';

/** What was injected: what the explanation should say. */
export interface Injected {
  readonly causes: readonly Cause[];
  /** The rows it should name, where it is about chosen rows. */
  readonly rowIds: readonly string[];
}

/** Puts one cause into a world; nothing where the world has no place for it. */
export interface Injection {
  readonly code: CauseCode;
  /** `alone`: no other cause is injected, so that it may take more rows. */
  readonly inject: (random: Random, world: World, alone: boolean) => Injected | undefined;
  /** Only for worlds where fees are a rate and nothing else. */
  readonly needsRate?: boolean;
  /** It can't stand beside another cause and be told from it. */
  readonly aloneOnly?: boolean;
}
