import { isSameDigest } from '../digest.ts';
import type { Listed } from './walk-pages.ts';

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
  contents: Listed<Item>[];
  /** Several contents from an earlier walk, until a walk that read to the end lists only one. */
  earlier: Listed<Item>[];
}

/** A record that the service itself lists more than once. */
export interface Repeat<Item> {
  readonly item: Item;
  /** Listings beyond the first. */
  readonly copies: number;
}

/** Watches the records that were listed more than once, over all walks of a list. */
export class Repeats<Item> {
  readonly #watched = new Map<string, Watch<Item>>();

  get size(): number {
    return this.#watched.size;
  }

  has(key: string): boolean {
    return this.#watched.has(key);
  }

  /** Enters a listing. True where its content is the walk's second or later one for this id. */
  enter(record: Listed<Item>, walk: number, page: number): boolean {
    const watch = this.#watch(record.key);
    watch.listings[walk] = (watch.listings[walk] ?? 0) + 1;
    if (watch.walk !== walk) {
      Object.assign(watch, { walk, contents: [], page: -1, earlier: standing(watch) });
    }
    watch.onThatPage = watch.page === page ? watch.onThatPage + 1 : 1;
    watch.page = page;
    watch.mostOnOnePage = Math.max(watch.mostOnOnePage, watch.onThatPage);
    if (watch.contents.some((other) => isSameDigest(other, record))) return false;
    watch.contents.push(record);
    return watch.contents.length > 1;
  }

  /** Enters a listing of which only the fact is still known. */
  enterUnseen(key: string, walk: number): void {
    const watch = this.#watch(key);
    watch.listings[walk] = (watch.listings[walk] ?? 0) + 1;
  }

  /** A walk read to the end: where it lists one content, an earlier walk's no longer count. */
  walkEnded(walk: number): void {
    for (const watch of this.#watched.values()) {
      if (watch.walk === walk) watch.earlier = [];
    }
  }

  /** Ids with several contents in the last walk that listed them: all, in the order of `sortText`. */
  conflicts(sortText: (item: Item) => string): readonly (readonly Listed<Item>[])[] {
    const conflicts = [];
    for (const watch of this.#watched.values()) {
      const contents = standing(watch);
      if (contents.length < 2) continue;
      const sorted = contents.map((record) => ({ record, text: sortText(record.item) }));
      sorted.sort((one, other) => (one.text < other.text ? -1 : 1));
      conflicts.push(sorted.map(({ record }) => record));
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
      if (copies > 0) repeated.push({ item: only.item, copies });
    }
    return repeated;
  }

  #watch(key: string): Watch<Item> {
    const known = this.#watched.get(key);
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
    this.#watched.set(key, watch);
    return watch;
  }
}

/** The contents that count: a walk that broke off may not have come to the others. */
function standing<Item>({ contents, earlier }: Watch<Item>): Listed<Item>[] {
  return earlier.length > contents.length ? earlier : contents;
}
