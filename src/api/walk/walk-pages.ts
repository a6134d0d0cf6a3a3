import type { RecordPage } from './record-page.ts';

/** One answer of the service, at its place in the list. An empty one has no records. */
export interface Page<Item> {
  readonly offset: number;
  readonly records: RecordPage<Item>;
}

export interface WalkOptions<Item> {
  /** Records from one request. `limit` is what to ask for; fewer may come, and all that come count. */
  readonly fetchPage: (offset: number, limit: number) => Promise<RecordPage<Item>>;
  /** Records to ask for in a request. */
  readonly limit: number;
  /** Where the end is expected; 0 where nothing is known. */
  readonly expected: number;
  /** Whether to read on where the end is expected; so it is where absent. */
  readonly toItsEnd?: boolean;
  /** How many ranges may be under way or waiting for their turn. */
  readonly ahead: number;
}

/**
 * Walks a list from offset 0 and yields its pages in the order of their offsets. Ranges of the page
 * size seen last are read at once, each filled by the number of records received: the service may give
 * fewer than were asked for anywhere (doc 4.4), so a short page is never the end; an empty one is. A
 * page that holds more than its range lacks overlaps with those of the next one. A range starts exactly
 * where the end is expected: the proof that nothing follows goes out with the others. Behind that,
 * each full page lets one more range be read at once, up to a quarter of them. The consumer may stop early.
 */
export async function* walkPages<Item>({
  fetchPage,
  limit,
  expected,
  ahead,
  toItsEnd = true,
}: WalkOptions<Item>): AsyncGenerator<Page<Item>, void, void> {
  const filling: Promise<readonly Page<Item>[]>[] = [];
  let next = 0;
  let size = limit;
  let beyond = 0;
  let mostBeyond = toItsEnd ? 1 : 0;
  let ended = false;
  let isAbandoned = false;
  const fill = async (from: number, to: number) => {
    const pages: Page<Item>[] = [];
    const isBeyond = from >= expected;
    for (let offset = from; offset < to && !isAbandoned; ) {
      // The full limit is asked for, so that a page maximum that grows back is seen.
      const records = await fetchPage(offset, limit);
      pages.push({ offset, records });
      ended ||= records.length === 0;
      if (records.length === 0) break;
      size = records.length;
      offset += size;
      if (isBeyond) mostBeyond = size < limit ? 1 : Math.min(mostBeyond + 1, Math.ceil(ahead / 4));
    }
    if (isBeyond) beyond -= 1;
    return pages;
  };
  try {
    for (;;) {
      while (!ended && filling.length < ahead && (next < expected || beyond < mostBeyond)) {
        const from = next;
        if (from < expected) next = Math.min(from + size, expected);
        else {
          next = from + size;
          beyond += 1;
        }
        const pages = fill(from, next);
        // A failure counts when its turn comes, if it comes.
        pages.catch(() => {});
        filling.push(pages);
      }
      const first = filling.shift();
      if (!first) return;
      yield* await first;
    }
  } finally {
    isAbandoned = true;
  }
}
