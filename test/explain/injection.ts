import { type Cause, type CauseCode, causeText } from '../../src/explain/cause.ts';
import type { Random } from '../support/random.ts';
import type { Trade } from './trade.ts';
import type { World } from './world.ts';

/** What was injected. */
export interface Injected {
  /** What the explanation should say, as `sayingOf` has it. */
  readonly says: readonly string[];
  /** The rows it should name, where it is about chosen rows. */
  readonly rowIds: readonly string[];
}

/** Puts one cause into a world; nothing where the world has no place for it. */
export interface Injection {
  readonly code: CauseCode;
  /** `alone`: no other cause is injected, so that it may take more rows. */
  readonly inject: (random: Random, world: World, alone: boolean) => Injected | undefined;
  /** Whether the trade has what it takes. */
  readonly suits?: (trade: Trade) => boolean;
  /** It can't stand beside another cause and be told from it. */
  readonly aloneOnly?: boolean;
}

/** What a cause says. Two rounding rules often come to the same: any of them will do. */
export function sayingOf(cause: Cause): string {
  return cause.code === 'rounding' ? cause.code : causeText(cause);
}

/** That these causes were injected, and about which rows, where they were chosen. */
export function injected(causes: readonly Cause[], rowIds: readonly string[] = []): Injected {
  return { says: causes.map(sayingOf), rowIds };
}
