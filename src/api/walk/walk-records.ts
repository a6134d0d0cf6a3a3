import { IdTable } from '../../base/id-table.ts';
import { type Digest, isSameDigest } from '../digest.ts';
import { type Repeat, Repeats } from './repeats.ts';
import type { Listed, Page } from './walk-pages.ts';

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
  /** By key, the record that stands for it, where that isn't the one handed on. */
  readonly #corrections = new Map<string, Listed<Item>>();
  /** Keys of which a content was lost; another walk has to show them again. */
  readonly #lost = new Set<string>();
  readonly #bound: number;
  readonly #sortText: (item: Item) => string;
  #walks = 0;
  #walk = newWalk<Item>(0);

  /**
   * `bound`: the most records that a walk may receive. `expected`: how many are announced, or 0.
   * `sortText` orders the contents of one id, so
   * that the choice among them doesn't depend on the order of listing.
   */
  constructor(bound: number, expected: number, sortText: (item: Item) => string) {
    this.#table = new IdTable(4, expected);
    this.#bound = bound;
    this.#sortText = sortText;
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

  /** Enters the next page. Returns what no walk had listed before, and whether to read on. */
  enter(page: Page<Item>): { readonly fresh: readonly Item[]; readonly goOn: boolean } {
    const walk = this.#walk;
    const { offset, records } = page;
    const { furthest } = walk;
    const overlap = furthest.records.slice(offset - furthest.offset);
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
    const left = notYetEntered(records, overlap);
    if (left.length > Math.max(0, records.length - overlap.length)) walk.irregular = true;
    walk.received += left.length;
    const fresh: Item[] = [];
    const uniqueBefore = walk.unique;
    for (const record of left) {
      if (this.#enterRecord(record, page)) fresh.push(record.item);
    }
    if (walk.unique > uniqueBefore) walk.idlePages = 0;
    else if (left.length > 0) walk.idlePages += 1;
    if (walk.idlePages >= pagesWithoutProgress) walk.stopped = 'no_progress';
    else if (walk.received > this.#bound) walk.stopped = 'too_long';
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
    const conflicts = this.#repeats.conflicts(this.#sortText);
    for (const [first] of conflicts) {
      if (first) this.#letStand(first, this.#table.find(first.key));
    }
    return {
      repeated: this.#repeats.repeated(this.#walks),
      conflicts: conflicts.map((contents) => contents.map((record) => record.item)),
      corrections: Array.from(this.#corrections.values(), (record) => record.item),
    };
  }

  /** Enters one record; true where no walk had listed it before. */
  #enterRecord(record: Listed<Item>, page: Page<Item>): boolean {
    const known = this.#table.size;
    const slot =
      record.words === undefined
        ? this.#table.add(record.key)
        : this.#table.addWords(record.words, record.at ?? 0);
    const isFresh = this.#table.size > known;
    if (isFresh) {
      this.#table.set(slot, handedOnHigh, record.high);
      this.#table.set(slot, handedOnLow, record.low);
    }
    if (this.#table.get(slot, lastWalk) === this.#walks) {
      this.#enterRepeat(record, slot, page);
    } else {
      this.#walk.unique += 1;
      this.#addDigest(record);
      if (!isFresh) this.#letStand(record, slot);
      // The keys of millions of records are put together only where something was repeated.
      if (this.#repeats.size > 0) {
        this.#lost.delete(record.key);
        if (this.#repeats.has(record.key)) this.#watch(record);
      }
    }
    this.#table.set(slot, lastWalk, this.#walks);
    this.#table.set(slot, lastPage, this.#walk.pages);
    return isFresh;
  }

  /** Enters a record that this walk has listed before. */
  #enterRepeat(record: Listed<Item>, slot: number, page: Page<Item>): void {
    const isOnSamePage = this.#table.get(slot, lastPage) === this.#walk.pages;
    if (!isOnSamePage) this.#walk.irregular = true;
    if (!this.#repeats.has(record.key)) {
      const earlier = page.records.find((other) => other.key === record.key);
      if (isOnSamePage && earlier) this.#watch(earlier);
      else {
        // Of the earlier listing only the digest is left; another walk will show it again.
        this.#repeats.enterUnseen(record.key, this.#walks - 1);
        if (!isSameDigest(this.#standing(record.key, slot), record)) {
          this.#lost.add(record.key);
          this.#addDigest(record);
        }
      }
    }
    this.#watch(record);
  }

  #watch(record: Listed<Item>): void {
    const isOtherContent = this.#repeats.enter(record, this.#walks - 1, this.#walk.pages);
    if (isOtherContent) this.#addDigest(record);
  }

  /** From now on `record` stands for its id. */
  #letStand(record: Listed<Item>, slot: number): void {
    if (isSameDigest(this.#handedOn(slot), record)) this.#corrections.delete(record.key);
    else this.#corrections.set(record.key, record);
  }

  #standing(key: string, slot: number): Digest {
    return this.#corrections.get(key) ?? this.#handedOn(slot);
  }

  #handedOn(slot: number): Digest {
    return {
      high: this.#table.get(slot, handedOnHigh) | 0,
      low: this.#table.get(slot, handedOnLow) | 0,
    };
  }

  #addDigest({ high, low }: Digest): void {
    this.#walk.high = (this.#walk.high + high) | 0;
    this.#walk.low = (this.#walk.low + low) | 0;
  }
}

/** The records of a page but for those that an earlier page had at the same place. */
function notYetEntered<Item>(
  records: readonly Listed<Item>[],
  overlap: readonly Listed<Item>[],
): readonly Listed<Item>[] {
  if (overlap.length === 0) return records;
  return records.filter((record, at) => {
    const before = overlap[at];
    return before === undefined || !isSameDigest(before, record);
  });
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
    furthest: { offset: 0, records: [] } as Page<Item>,
    stopped: undefined as 'no_progress' | 'too_long' | undefined,
    /** The order-free digest: halves of the sum over distinct contents. */
    high: 0,
    low: 0,
  };
}
