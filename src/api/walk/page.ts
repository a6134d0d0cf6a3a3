import type { Digest } from '../digest.ts';

/** One answer of the service, at its place in the list. An empty one has no records. */
export interface Page<Item> {
  readonly offset: number;
  readonly records: readonly Listed<Item>[];
}

/** A record as a walk sees it: who it is, and a digest of what it says, over the decoded fields. */
export interface Listed<Item> extends Digest {
  /** The record's id, or else its raw content. */
  readonly key: string;
  /** Where the id is a UUID, and known as that: its four words, from `at` on. */
  readonly words?: Int32Array;
  readonly at?: number;
  readonly item: Item;
}
