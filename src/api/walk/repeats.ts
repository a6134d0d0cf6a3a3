import { isSameDigest } from '../digest.ts';
import { digestAt, itemOf, type Listing } from './record-page.ts';

/** A record that some walk listed more than once. */
interface Watch<Item> {
  /** How often each walk listed it, as far as it was watched. */
  readonly listings: number[];
  /** The most copies on one page, and the count on the page that listed it last. */
  mostOnOnePage: number;
  page: number;
  onThatPage: number;
  /** The walk that listed it last, and its distinct contents there. */
  walk: number;
  contents: Listing<Item>[];
  /** Several contents from an earlier walk, until a walk that read to the end lists only one. */
  earlier: Listing<Item>[];
}

/** A record that the service itself lists more than once. */
export interface Repeat<Item> {
  readonly item: Item;
  /** Listings beyond the first. */
  readonly copies: number;
}

/**
 * Watches the records that were listed more than once, over all walks of a list. They are named by their
 * numbers in its table.
 */
export class Repeats<Item> {
  readonly #watched = new Map<number, Watch<Item>>();

  get size(): number {
    return this.#watched.size;
  }

  has(record: number): boolean {
    return this.#watched.has(record);
  }

  /** Enters a listing. True where its content is the walk's second or later one for this id. */
  enter(record: number, listing: Listing<Item>, walk: number, page: number): boolean {
    const watch = this.#watch(record);
    watch.listings[walk] = (watch.listings[walk] ?? 0) + 1;
    if (watch.walk !== walk) {
      Object.assign(watch, { walk, contents: [], page: -1, earlier: standing(watch) });
    }
    watch.onThatPage = watch.page === page ? watch.onThatPage + 1 : 1;
    watch.page = page;
    watch.mostOnOnePage = Math.max(watch.mostOnOnePage, watch.onThatPage);
    const digest = digestAt(listing);
    if (watch.contents.some((other) => isSameDigest(digestAt(other), digest))) return false;
    watch.contents.push(listing);
    return watch.contents.length > 1;
  }

  /** Enters a listing of which only the fact is still known. */
  enterUnseen(record: number, walk: number): void {
    const watch = this.#watch(record);
    watch.listings[walk] = (watch.listings[walk] ?? 0) + 1;
  }

  /** A walk read to the end: where it lists one content, an earlier walk's no longer count. */
  walkEnded(walk: number): void {
    for (const watch of this.#watched.values()) {
      if (watch.walk === walk) watch.earlier = [];
    }
  }

  /** Ids with several contents in the last walk that listed them: all, in the order of `sortText`. */
  conflicts(
    sortText: (item: Item) => string,
  ): readonly { readonly record: number; readonly contents: readonly Listing<Item>[] }[] {
    const conflicts = [];
    for (const [record, watch] of this.#watched) {
      const contents = standing(watch);
      if (contents.length < 2) continue;
      const sorted = contents.map((listing) => ({ listing, text: sortText(itemOf(listing)) }));
      sorted.sort((one, other) => (one.text < other.text ? -1 : 1));
      conflicts.push({ record, contents: sorted.map(({ listing }) => listing) });
    }
    return conflicts;
  }

  /** What the service itself repeats: inside one page, or in every one of `walks` walks. */
  repeated(walks: number): readonly Repeat<Item>[] {
    const repeated = [];
    for (const watch of this.#watched.values()) {
      const { listings, mostOnOnePage } = watch;
      const [only, another] = standing(watch);
      if (!only || another) continue;
      const inEveryWalk = Math.min(...Array.from({ length: walks }, (_, at) => listings[at] ?? 1));
      const copies = Math.max(mostOnOnePage, inEveryWalk) - 1;
      if (copies > 0) repeated.push({ item: itemOf(only), copies });
    }
    return repeated;
  }

  #watch(record: number): Watch<Item> {
    const known = this.#watched.get(record);
    if (known) return known;
    const watch = {
      listings: [],
      mostOnOnePage: 1,
      page: -1,
      onThatPage: 0,
      walk: -1,
      contents: [],
      earlier: [],
    };
    this.#watched.set(record, watch);
    return watch;
  }
}

/** The contents that count: a walk that broke off may not have come to the others. */
function standing<Item>({ contents, earlier }: Watch<Item>): Listing<Item>[] {
  return earlier.length > contents.length ? earlier : contents;
}
