import type { RecordPage } from './record-page.ts';

/** One answer of the service, at its place in the list. An empty one has no records. */
export interface Page<Item> {
  readonly offset: number;
  readonly records: RecordPage<Item>;
}

/** Records from one request. `limit` is what to ask for; fewer may come, and all that come count. */
type FetchPage<Item> = (offset: number, limit: number) => Promise<RecordPage<Item>>;

export interface WalkOptions<Item> {
  readonly fetchPage: FetchPage<Item>;
  /** Records to ask for in a request. */
  readonly limit: number;
  /** Where the end is expected; 0 where nothing is known. */
  readonly expected: number;
  /** How many ranges may be under way or waiting for their turn. */
  readonly ahead: number;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Walks a list from offset 0 and yields its pages in the order of their offsets. Several ranges are
 * read at once, each filled by the number of records received: the service may give fewer than were
 * asked for anywhere (doc 4.4), so a short page is never the end; an empty one is. A page that holds
 * more than its range lacks overlaps with those of the next one. The consumer may stop early.
 */
export async function* walkPages<Item>(
  options: WalkOptions<Item>,
): AsyncGenerator<Page<Item>, void, void> {
  const frontier = new Frontier(options.limit, options.expected);
  const filling: Promise<readonly Page<Item>[]>[] = [];
  try {
    for (;;) {
      while (filling.length < options.ahead) {
        const range = frontier.claim();
        if (!range) break;
        const pages = fill(range, frontier, options);
        // A failure counts when its turn comes, if it comes.
        pages.catch(() => {});
        filling.push(pages);
      }
      const first = filling.shift();
      if (!first) return;
      yield* await first;
    }
  } finally {
    frontier.abandon();
  }
}

/** Reads a range until it is full or an empty page comes. */
async function fill<Item>(
  range: Range,
  frontier: Frontier,
  { fetchPage, limit }: WalkOptions<Item>,
): Promise<readonly Page<Item>[]> {
  const pages: Page<Item>[] = [];
  let offset = range.from;
  while (offset < range.to && !frontier.isAbandoned) {
    // The full limit is asked for, so that a page maximum that grows back is seen.
    const records = await fetchPage(offset, limit);
    frontier.received(records.length);
    pages.push({ offset, records });
    if (records.length === 0) break;
    offset += records.length;
  }
  frontier.filled(range);
  return pages;
}

/** Hands out the ranges of a list, one after the other, in the page size that was seen last. */
class Frontier {
  /** Nobody waits for the pages any more. */
  isAbandoned = false;
  readonly #expected: number;
  #next = 0;
  #size: number;
  #ended = false;
  #isBeyond = false;

  constructor(limit: number, expected: number) {
    this.#size = limit;
    this.#expected = expected;
  }

  /** The next range; undefined while there is none to be had. */
  claim(): Range | undefined {
    if (this.#ended) return undefined;
    const from = this.#next;
    if (from < this.#expected) {
      // A range starts exactly at the expected end: the proof that nothing follows goes out with
      // the others and costs no round trip.
      this.#next = Math.min(from + this.#size, this.#expected);
    } else {
      // Where the list should have ended, one range at a time.
      if (this.#isBeyond) return undefined;
      this.#isBeyond = true;
      this.#next = from + this.#size;
    }
    return { from, to: this.#next };
  }

  /** A page of `records` came in. */
  received(records: number): void {
    if (records === 0) this.#ended = true;
    else this.#size = records;
  }

  abandon(): void {
    this.isAbandoned = true;
  }

  filled(range: Range): void {
    if (range.from >= this.#expected) this.#isBeyond = false;
  }
}
