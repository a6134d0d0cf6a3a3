import { areSameIds, IdTable, idWords, putIdWords } from '../../base/id-table.ts';
import { smallestOf } from '../../base/lists.ts';
import { inOrderOf } from '../../base/texts.ts';
import { type Digest, isSameDigest } from '../scan/kernel.ts';

interface Position<Item> {
  readonly page: RecordPage<Item>;
  readonly index: number;
}

function itemAt<Item>({ page, index }: Position<Item>): Item {
  return page.item(index);
}

function digestAt({ page: { digests }, index }: Position<unknown>): Digest {
  return { high: digests[2 * index] ?? 0, low: digests[2 * index + 1] ?? 0 };
}

export interface WalkSummary {
  /** It came to an empty page, and no record lay there or beyond. */
  readonly ended: boolean;
  /** Why it was given up: page after page without anything new, or far more than announced. */
  readonly stopped: 'no_progress' | 'too_long' | undefined;
  readonly unique: number;
  /** The list moved: a record on two pages, overlapping pages that differ, or a page above the limit. */
  readonly irregular: boolean;
  /** Whether an id had several contents, one of which was not kept. */
  readonly lostContents: boolean;
  readonly largestPage: number;
  readonly digest: Digest;
}

export interface RecordsOptions<Item> {
  readonly total: number | undefined;
  readonly mostRecords: number;
  readonly sortText: (item: Item) => string;
}

/** The columns of the table: the place of the last listing, and the digest first yielded. */
const lastWalk = 0;
const lastPage = 1;
const yieldedHigh = 2;
const yieldedLow = 3;

const pagesWithoutProgress = 3;

/** The records of one list over all its walks, with their places. Pages are entered by offset. */
export class WalkRecords<Item> {
  readonly #table: IdTable;
  readonly #repeats = new Repeats<Item>();
  /** By record, the content that counts, unless it is the one first yielded. */
  readonly #corrections = new Map<number, Position<Item>>();
  /** Records with a content that was not kept; another walk has to show them again. */
  readonly #lost = new Set<number>();
  readonly #options: RecordsOptions<Item>;
  #walks = 0;
  #walk = newWalk<Item>(0);

  constructor(options: RecordsOptions<Item>) {
    this.#options = options;
    this.#table = new IdTable(4, options.total);
  }

  get distinct(): number {
    return this.#table.size;
  }

  startWalk(limit: number): void {
    this.#walks += 1;
    this.#walk = newWalk<Item>(limit);
  }

  /** Enters the next page. Returns the indexes of records new to all walks, and whether to read on. */
  enter(page: Page<Item>): { readonly newIndexes: readonly number[]; readonly goOn: boolean } {
    const walk = this.#walk;
    const { records } = page;
    const overlap = overlapOf(walk.furthest, page);
    walk.pages += 1;
    walk.largestPage = Math.max(walk.largestPage, records.length);
    if (records.length === 0) {
      walk.emptyPage = true;
      if (overlap.length > 0) walk.recordsAfterEnd = true;
      return { newIndexes: [], goOn: true };
    }
    if (walk.emptyPage) walk.recordsAfterEnd = true;
    if (records.length > walk.limit) walk.irregular = true;
    if (records.length > overlap.length) walk.furthest = page;
    const newIndexes: number[] = [];
    const uniqueBefore = walk.unique;
    let entered = 0;
    for (let index = 0; index < records.length; index += 1) {
      const before = overlap[index];
      if (before && isSameDigest(digestAt(before), digestAt({ page: records, index }))) continue;
      entered += 1;
      if (this.#enterRecord({ page: records, index })) newIndexes.push(index);
    }
    if (entered > Math.max(0, records.length - overlap.length)) walk.irregular = true;
    this.#checkProgress(entered, walk.unique > uniqueBefore);
    return { newIndexes, goOn: walk.stopped === undefined };
  }

  #checkProgress(entered: number, hasNew: boolean): void {
    const walk = this.#walk;
    walk.received += entered;
    if (hasNew) walk.idlePages = 0;
    else if (entered > 0) walk.idlePages += 1;
    if (walk.idlePages >= pagesWithoutProgress) walk.stopped = 'no_progress';
    else if (walk.received > this.#options.mostRecords) walk.stopped = 'too_long';
  }

  endWalk(): WalkSummary {
    const { emptyPage, recordsAfterEnd, stopped, high, low, ...summary } = this.#walk;
    const ended = emptyPage && !recordsAfterEnd && stopped === undefined;
    if (ended) this.#repeats.walkEnded(this.#walks);
    const lostContents = this.#lost.size > 0;
    return { ...summary, stopped, ended, lostContents, digest: { high, low } };
  }

  close() {
    const conflicts = this.#repeats.conflicts(this.#options.sortText);
    for (const { record, contents } of conflicts) {
      if (contents[0]) this.#setCurrent(contents[0], record);
    }
    return {
      repeated: this.#repeats.repeated(this.#walks),
      /** The contents of each id that had several in its last walk, the one that counts first. */
      conflicts: conflicts.map(({ contents }) => contents.map(itemAt)),
      /** Records whose valid content is not the one first yielded. */
      corrections: Array.from(this.#corrections.values(), itemAt),
    };
  }

  #enterRecord(at: Position<Item>): boolean {
    const known = this.#table.size;
    const record = this.#table.add(at.page.ids, at.index * idWords);
    const isNew = this.#table.size > known;
    if (isNew) {
      const { high, low } = digestAt(at);
      this.#table.set(record, yieldedHigh, high);
      this.#table.set(record, yieldedLow, low);
    }
    if (this.#table.get(record, lastWalk) === this.#walks) {
      this.#enterRepeat(at, record);
    } else {
      this.#walk.unique += 1;
      this.#addDigest(at);
      if (!isNew) this.#setCurrent(at, record);
      if (this.#repeats.size > 0) {
        this.#lost.delete(record);
        if (this.#repeats.has(record)) this.#watch(at, record);
      }
    }
    this.#table.set(record, lastWalk, this.#walks);
    this.#table.set(record, lastPage, this.#walk.pages);
    return isNew;
  }

  #enterRepeat(at: Position<Item>, record: number): void {
    const isOnSamePage = this.#table.get(record, lastPage) === this.#walk.pages;
    if (!isOnSamePage) this.#walk.irregular = true;
    if (!this.#repeats.has(record)) {
      if (isOnSamePage) this.#watch(firstOnPage(at), record);
      else {
        // The earlier content is not kept, only its digest; another walk will show it again.
        this.#repeats.countOnly(record, this.#walks);
        if (!isSameDigest(this.#currentDigest(record), digestAt(at))) {
          this.#lost.add(record);
          this.#addDigest(at);
        }
      }
    }
    this.#watch(at, record);
  }

  #watch(at: Position<Item>, record: number): void {
    const { pages } = this.#walk;
    if (this.#repeats.enter(record, at, this.#walks, pages)) this.#addDigest(at);
  }

  #setCurrent(at: Position<Item>, record: number): void {
    if (isSameDigest(this.#yieldedDigest(record), digestAt(at))) this.#corrections.delete(record);
    else this.#corrections.set(record, at);
  }

  #currentDigest(record: number): Digest {
    const correction = this.#corrections.get(record);
    return correction ? digestAt(correction) : this.#yieldedDigest(record);
  }

  #yieldedDigest(record: number): Digest {
    return { high: this.#table.get(record, yieldedHigh), low: this.#table.get(record, yieldedLow) };
  }

  #addDigest(at: Position<Item>): void {
    const { high, low } = digestAt(at);
    this.#walk.high = (this.#walk.high + high) | 0;
    this.#walk.low = (this.#walk.low + low) | 0;
  }
}

/** The records of an earlier page that lie at the offsets of a page, in its order. */
function overlapOf<Item>(furthest: Page<Item>, page: Page<Item>): readonly Position<Item>[] {
  const first = page.offset - furthest.offset;
  const length = Math.max(0, furthest.records.length - first);
  return Array.from({ length }, (_, at) => ({ page: furthest.records, index: first + at }));
}

function firstOnPage<Item>({ page, index }: Position<Item>): Position<Item> {
  const { ids } = page;
  let first = 0;
  while (!areSameIds(ids, first * idWords, ids, index * idWords)) first += 1;
  return { page, index: first };
}

function newWalk<Item>(limit: number) {
  return {
    limit,
    pages: 0,
    received: 0,
    unique: 0,
    largestPage: 0,
    /** Pages in a row with records, but none new to this walk. */
    idlePages: 0,
    emptyPage: false,
    /** A page with records came after an empty one, or reached beyond it. */
    recordsAfterEnd: false,
    irregular: false,
    /** The page that reaches furthest into the list. */
    furthest: { offset: 0, records: pageOf<Item>([]) } as Page<Item>,
    stopped: undefined as 'no_progress' | 'too_long' | undefined,
    high: 0,
    low: 0,
  };
}

interface Watch<Item> {
  /** By walk, from 1 on: how often it listed the record since it is watched. */
  readonly timesListed: number[];
  mostOnOnePage: number;
  page: number;
  onThatPage: number;
  /** The last walk that listed it, and its distinct contents there. */
  walk: number;
  contents: Position<Item>[];
  /** Several contents from an earlier walk, until a walk that read to the end lists only one. */
  earlier: Position<Item>[];
}

/** Watches the records that were listed more than once, by their numbers in the table. */
class Repeats<Item> {
  readonly #watched = new Map<number, Watch<Item>>();

  get size(): number {
    return this.#watched.size;
  }

  has(record: number): boolean {
    return this.#watched.has(record);
  }

  /** Enters a listing. True if its content is at least the second one of this walk for the id. */
  enter(record: number, at: Position<Item>, walk: number, page: number): boolean {
    const watch = this.#watchOf(record);
    watch.timesListed[walk] = (watch.timesListed[walk] ?? 0) + 1;
    if (watch.walk !== walk) {
      Object.assign(watch, { walk, contents: [], page: -1, earlier: validContents(watch) });
    }
    watch.onThatPage = watch.page === page ? watch.onThatPage + 1 : 1;
    watch.page = page;
    watch.mostOnOnePage = Math.max(watch.mostOnOnePage, watch.onThatPage);
    const digest = digestAt(at);
    if (watch.contents.some((other) => isSameDigest(digestAt(other), digest))) return false;
    watch.contents.push(at);
    return watch.contents.length > 1;
  }

  /** Counts a listing whose content is no longer held. */
  countOnly(record: number, walk: number): void {
    const watch = this.#watchOf(record);
    watch.timesListed[walk] = (watch.timesListed[walk] ?? 0) + 1;
  }

  /** After a walk to the end, the contents of earlier walks no longer count. */
  walkEnded(walk: number): void {
    for (const watch of this.#watched.values()) {
      if (watch.walk === walk) watch.earlier = [];
    }
  }

  /** Ids with several contents in the last walk that listed them, ordered by `sortText`. */
  conflicts(sortText: (item: Item) => string) {
    const conflicts = [];
    for (const [record, watch] of this.#watched) {
      const contents = validContents(watch);
      if (contents.length < 2) continue;
      const sorted = contents
        .map((at) => ({ at, text: sortText(itemAt(at)) }))
        .sort(inOrderOf(({ text }) => [text]));
      conflicts.push({ record, contents: sorted.map(({ at }) => at) });
    }
    return conflicts;
  }

  /** Repeats of the service itself: on one page, or in each of `walks` walks. */
  repeated(walks: number) {
    const repeated: { readonly item: Item; readonly copies: number }[] = [];
    for (const watch of this.#watched.values()) {
      const { timesListed, mostOnOnePage } = watch;
      const [only, another] = validContents(watch);
      if (!only || another) continue;
      const inWalks = Array.from({ length: walks }, (_, at) => timesListed[at + 1] ?? 1);
      const copies = Math.max(mostOnOnePage, smallestOf(inWalks)) - 1;
      if (copies > 0) repeated.push({ item: itemAt(only), copies });
    }
    return repeated;
  }

  #watchOf(record: number): Watch<Item> {
    const known = this.#watched.get(record);
    if (known) return known;
    const watch = {
      timesListed: [],
      mostOnOnePage: 1,
      page: -1,
      onThatPage: 0,
      walk: 0,
      contents: [],
      earlier: [],
    };
    this.#watched.set(record, watch);
    return watch;
  }
}

/** The contents that count: a walk that broke off may have missed some. */
function validContents<Item>({ contents, earlier }: Watch<Item>): Position<Item>[] {
  return earlier.length > contents.length ? earlier : contents;
}

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
