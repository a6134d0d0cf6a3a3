import { areSameIds, IdTable, idWords } from '../../base/id-table.ts';
import { type Digest, isSameDigest } from '../digest.ts';
import type { ListOptions } from './read-list.ts';
import { digestAt, itemOf, type Listing, pageOf, type RecordPage } from './record-page.ts';
import { type Repeat, Repeats } from './repeats.ts';
import type { Page } from './walk-pages.ts';

/** How one walk went: what the judge needs of it. */
export interface WalkSummary {
  /** It came to an empty page, and no record lay where or after a page was empty. */
  readonly ended: boolean;
  /** It was given up: page after page without anything new, or far more than announced. */
  readonly stopped: 'no_progress' | 'too_long' | undefined;
  /** Distinct records in this walk. */
  readonly unique: number;
  /**
   * Some record was listed at two places of different pages, two pages that overlap disagreed, or a
   * page held more than was asked for: the list moved under the walk, or is not what it seems.
   */
  readonly irregular: boolean;
  /** Some id had several contents, of which one is no longer at hand. */
  readonly lostContents: boolean;
  /** Records on the largest page. */
  readonly largestPage: number;
  /** The same for the same set of records with the same contents, in any order. */
  readonly digest: Digest;
}

/** What the walks of a list found about its records, known once the last one is over. */
export interface ListFindings<Item> {
  readonly repeated: readonly Repeat<Item>[];
  /** All contents of each id that had several in the last walk with it; the one that counts first. */
  readonly conflicts: readonly (readonly Item[])[];
  /** Records that read otherwise than when they were handed on. */
  readonly corrections: readonly Item[];
}

type RecordsOptions<Item> = Pick<ListOptions<Item>, 'bound' | 'total' | 'sortText'>;

// The values of a record in the table.
const lastWalk = 0;
const lastPage = 1;
const handedOnHigh = 2;
const handedOnLow = 3;

const pagesWithoutProgress = 3;

/**
 * What is known of one list over all its walks: which records were seen, in which walk, on which page, and
 * with which contents. It knows no requests; pages are entered in the order of their offsets.
 */
export class WalkRecords<Item> {
  readonly #table: IdTable;
  readonly #repeats = new Repeats<Item>();
  /** By record, the listing that stands for it, where that isn't the one handed on. */
  readonly #corrections = new Map<number, Listing<Item>>();
  /** Records of which a content was lost; another walk has to show them again. */
  readonly #lost = new Set<number>();
  readonly #options: RecordsOptions<Item>;
  #walks = 0;
  #walk = newWalk<Item>(0);

  constructor(options: RecordsOptions<Item>) {
    this.#options = options;
    this.#table = new IdTable(4, options.total);
  }

  /** Distinct records over all walks so far. */
  get union(): number {
    return this.#table.size;
  }

  /** `limit`: the records that it asks for in a request. */
  startWalk(limit: number): void {
    this.#walks += 1;
    this.#walk = newWalk<Item>(limit);
  }

  /** Enters the next page. Returns the indexes of what no walk had listed before, and whether to read on. */
  enter(page: Page<Item>): { readonly fresh: readonly number[]; readonly goOn: boolean } {
    const walk = this.#walk;
    const { records } = page;
    const overlap = overlapOf(walk.furthest, page);
    walk.pages += 1;
    walk.largestPage = Math.max(walk.largestPage, records.length);
    if (records.length === 0) {
      walk.emptyPage = true;
      if (overlap.length > 0) walk.hole = true;
      return { fresh: [], goOn: true };
    }
    // After an empty page there come only those that were asked for before it was seen.
    if (walk.emptyPage) walk.hole = true;
    if (records.length > walk.limit) walk.irregular = true;
    if (records.length > overlap.length) walk.furthest = page;
    const fresh: number[] = [];
    const uniqueBefore = walk.unique;
    let left = 0;
    for (let index = 0; index < records.length; index += 1) {
      const before = overlap[index];
      if (before && isSameDigest(digestAt(before), digestAt({ page: records, index }))) continue;
      left += 1;
      if (this.#enterRecord(records, index)) fresh.push(index);
    }
    walk.received += left;
    if (left > Math.max(0, records.length - overlap.length)) walk.irregular = true;
    if (walk.unique > uniqueBefore) walk.idlePages = 0;
    else if (left > 0) walk.idlePages += 1;
    if (walk.idlePages >= pagesWithoutProgress) walk.stopped = 'no_progress';
    else if (walk.received > this.#options.bound) walk.stopped = 'too_long';
    return { fresh, goOn: walk.stopped === undefined };
  }

  endWalk(): WalkSummary {
    const { emptyPage, hole, stopped, high, low, ...summary } = this.#walk;
    const ended = emptyPage && !hole && stopped === undefined;
    if (ended) this.#repeats.walkEnded(this.#walks - 1);
    const lostContents = this.#lost.size > 0;
    return { ...summary, stopped, ended, lostContents, digest: { high, low } };
  }

  /** After the last walk. */
  close(): ListFindings<Item> {
    const conflicts = this.#repeats.conflicts(this.#options.sortText);
    for (const { record, contents } of conflicts) {
      if (contents[0]) this.#letStand(contents[0], record);
    }
    return {
      repeated: this.#repeats.repeated(this.#walks),
      conflicts: conflicts.map(({ contents }) => contents.map(itemOf)),
      corrections: Array.from(this.#corrections.values(), itemOf),
    };
  }

  /** Enters one record; true where no walk had listed it before. */
  #enterRecord(page: RecordPage<Item>, index: number): boolean {
    const known = this.#table.size;
    const record = this.#table.add(page.keys, index * idWords);
    const isFresh = this.#table.size > known;
    if (isFresh) {
      this.#table.set(record, handedOnHigh, page.digests[2 * index] ?? 0);
      this.#table.set(record, handedOnLow, page.digests[2 * index + 1] ?? 0);
    }
    if (this.#table.get(record, lastWalk) === this.#walks) {
      this.#enterRepeat({ page, index }, record);
    } else {
      this.#walk.unique += 1;
      this.#addDigest(page, index);
      if (!isFresh) this.#letStand({ page, index }, record);
      if (this.#repeats.size > 0) {
        this.#lost.delete(record);
        if (this.#repeats.has(record)) this.#watch({ page, index }, record);
      }
    }
    this.#table.set(record, lastWalk, this.#walks);
    this.#table.set(record, lastPage, this.#walk.pages);
    return isFresh;
  }

  /** Enters a record that this walk has listed before. */
  #enterRepeat(listing: Listing<Item>, record: number): void {
    const isOnSamePage = this.#table.get(record, lastPage) === this.#walk.pages;
    if (!isOnSamePage) this.#walk.irregular = true;
    if (!this.#repeats.has(record)) {
      if (isOnSamePage) this.#watch(firstLike(listing), record);
      else {
        // Of the earlier listing only the digest is left; another walk will show it again.
        this.#repeats.enterUnseen(record, this.#walks - 1);
        if (!isSameDigest(this.#standing(record), digestAt(listing))) {
          this.#lost.add(record);
          this.#addDigest(listing.page, listing.index);
        }
      }
    }
    this.#watch(listing, record);
  }

  #watch(listing: Listing<Item>, record: number): void {
    const walk = this.#walks - 1;
    const isOtherContent = this.#repeats.enter(record, listing, walk, this.#walk.pages);
    if (isOtherContent) this.#addDigest(listing.page, listing.index);
  }

  /** From now on `listing` stands for the record. */
  #letStand(listing: Listing<Item>, record: number): void {
    if (isSameDigest(this.#handedOn(record), digestAt(listing))) this.#corrections.delete(record);
    else this.#corrections.set(record, listing);
  }

  #standing(record: number): Digest {
    const correction = this.#corrections.get(record);
    return correction ? digestAt(correction) : this.#handedOn(record);
  }

  #handedOn(record: number): Digest {
    return {
      high: this.#table.get(record, handedOnHigh),
      low: this.#table.get(record, handedOnLow),
    };
  }

  #addDigest({ digests }: RecordPage<Item>, index: number): void {
    this.#walk.high = (this.#walk.high + (digests[2 * index] ?? 0)) | 0;
    this.#walk.low = (this.#walk.low + (digests[2 * index + 1] ?? 0)) | 0;
  }
}

/** What an earlier page has at the places of a page, in its order. */
function overlapOf<Item>(furthest: Page<Item>, page: Page<Item>): readonly Listing<Item>[] {
  const first = page.offset - furthest.offset;
  const length = Math.max(0, furthest.records.length - first);
  return Array.from({ length }, (_, at) => ({ page: furthest.records, index: first + at }));
}

/** The first record of the same page with the same key. */
function firstLike<Item>({ page, index }: Listing<Item>): Listing<Item> {
  const { keys } = page;
  let first = 0;
  while (!areSameIds(keys, first * idWords, keys, index * idWords)) first += 1;
  return { page, index: first };
}

/** The state of the walk under way. */
function newWalk<Item>(limit: number) {
  return {
    limit,
    pages: 0,
    received: 0,
    unique: 0,
    largestPage: 0,
    /** Pages in a row that had something to enter, and no record new to this walk. */
    idlePages: 0,
    emptyPage: false,
    /** A page with records came after an empty one, or reached beyond it. */
    hole: false,
    irregular: false,
    /** The page that reaches furthest into the list. */
    furthest: { offset: 0, records: pageOf<Item>([]) } as Page<Item>,
    stopped: undefined as 'no_progress' | 'too_long' | undefined,
    /** The order-free digest: halves of the sum over distinct contents. */
    high: 0,
    low: 0,
  };
}
