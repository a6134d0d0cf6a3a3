import { idWords, putIdWords } from '../../base/id-table.ts';
import type { Digest } from '../digest.ts';

/** Words of a digest: high and low. */
export const digestWords = 2;

/** The records of one answer: who each is, and a digest of what it says, over the decoded fields. */
export interface RecordPage<Item> {
  readonly length: number;
  /** `idWords` for each record: of its id, or else of its raw content. */
  readonly keys: Int32Array;
  /** `digestWords` for each record. */
  readonly digests: Int32Array;
  item(index: number): Item;
}

/** A record that was decoded by itself. */
export interface Listed<Item> extends Digest {
  /** The record's id, or else its raw content. */
  readonly key: string;
  readonly item: Item;
}

export function pageOf<Item>(records: readonly Listed<Item>[]): RecordPage<Item> {
  const { length } = records;
  const keys = new Int32Array(length * idWords);
  const digests = Int32Array.from(records.flatMap(({ high, low }) => [high, low]));
  const items = records.map(({ item }) => item);
  for (const [index, { key }] of records.entries()) putIdWords(key, keys, index * idWords);
  const item = (index: number) => {
    const found = items[index];
    if (found === undefined) throw new RangeError(`No record ${index}`);
    return found;
  };
  return { length, keys, digests, item };
}

/** A record where it was listed. */
export interface Listing<Item> {
  readonly page: RecordPage<Item>;
  readonly index: number;
}

export function itemOf<Item>({ page, index }: Listing<Item>): Item {
  return page.item(index);
}

export function digestAt({ page: { digests }, index }: Listing<unknown>): Digest {
  return { high: digests[2 * index] ?? 0, low: digests[2 * index + 1] ?? 0 };
}
