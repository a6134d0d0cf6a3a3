import type { Option } from 'commander';

/** Lists that are looked up only when they are needed. */
export type Lookup = 'files' | 'profiles' | 'scenarios' | 'faults';

/** What may stand as an option's value. */
export interface Offer {
  readonly words: readonly string[] | Lookup;
  /** Several of them, with commas between. */
  readonly many: boolean;
}

// Not commander's own choices: help would list them a second time.
const offers = new WeakMap<Option, Offer>();

/** Lets a shell complete the value of an option. */
export function offering(option: Option, words: Offer['words'], many = false): Option {
  offers.set(option, { words, many });
  return option;
}

export function offerOf(option: Option): Offer | undefined {
  return offers.get(option);
}
