/** One answer of the service, at its place in the list. An empty one has no records. */
export interface Page<Item> {
  readonly offset: number;
  readonly records: readonly Listed<Item>[];
}

/** A record as a walk sees it: who it is, and a digest of what it says. */
export interface Listed<Item> {
  /** The record's id, or else its raw content. */
  readonly key: string;
  /** Over the decoded fields. */
  readonly digest: Digest;
  readonly item: Item;
}

/** 64 bits, as two unsigned halves. */
export interface Digest {
  readonly high: number;
  readonly low: number;
}

export function isSameDigest(one: Digest, other: Digest): boolean {
  return one.high === other.high && one.low === other.low;
}
