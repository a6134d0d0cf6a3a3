import { idWords, putIdWords } from '../../base/id-table.ts';
import type { Digest } from '../digest.ts';

/** The records of one answer: who each is, and a digest of what it says, over the decoded fields. */
export interface RecordPage<Item> {
  readonly length: number;
  /** `idWords` for each record: of its id, or else of its raw content. */
  readonly ids: Int32Array;
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
  const ids = new Int32Array(length * idWords);
  const digests = Int32Array.from(records.flatMap(({ high, low }) => [high, low]));
  for (const [index, { key }] of records.entries()) putIdWords(key, ids, index * idWords);
  const item = (index: number) => {
    const record = records[index];
    if (!record) throw new RangeError(`No record ${index}`);
    return record.item;
  };
  return { length, ids, digests, item };
}

/** A page at its place in the list; an empty one ends the list. */
export interface Page<Item> {
  readonly offset: number;
  readonly records: RecordPage<Item>;
}
