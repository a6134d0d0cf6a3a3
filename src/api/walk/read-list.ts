import { ReconError } from '../../base/errors.ts';
import type { Allowance, UnsteadyReason } from '../../model/source.ts';
import { isSameDigest } from '../scan/kernel.ts';
import {
  type Listed,
  type Page,
  pageOf,
  type RecordPage,
  type RecordsOptions,
  WalkRecords,
  type WalkSummary,
} from './walk-records.ts';

/** Fetches one page of at most `limit` records: raw ones, or ones that are decoded already. */
export type FetchRecords<Item> = (
  offset: number,
  limit: number,
) => Promise<readonly unknown[] | RecordPage<Item>>;

interface NewRecords<Item> {
  readonly page: RecordPage<Item>;
  readonly indexes: readonly number[];
}

interface ListOptions<Item> extends RecordsOptions<Item> {
  readonly fetch: FetchRecords<Item>;
  readonly decode: (record: unknown) => Listed<Item>;
  readonly limit: number;
  /** Limits the requests, and stops at the announced total: nothing proves that no more follow. */
  readonly allowance?: Allowance | undefined;
  /** The most ranges under way or waiting for their turn. */
  readonly ahead: number;
}

export interface ListOutcome<Item> extends ReturnType<WalkRecords<Item>['close']> {
  readonly unsteady: UnsteadyReason | undefined;
}

/** Reads a list completely, in up to three walks; yields each record when it is first seen. */
export async function* readList<Item>(
  options: ListOptions<Item>,
): AsyncGenerator<NewRecords<Item>, ListOutcome<Item>, void> {
  const walkRecords = new WalkRecords<Item>(options);
  const walks: WalkSummary[] = [];
  const { allowance, ahead, total } = options;
  const stopAtTotal = allowance !== undefined && total !== undefined;
  const fetchPage = async (offset: number, limit: number) => {
    if (allowance && allowance.left-- <= 0) {
      throw new ReconError('service', { code: 'too_many_requests', facts: {} });
    }
    const records = await options.fetch(offset, limit);
    if ('digests' in records) return records;
    // Cut after one too many: enough to end the walk as too long.
    return pageOf(records.slice(0, options.mostRecords + 1).map(options.decode));
  };
  for (;;) {
    const limit = limitOfWalk(options.limit, walks);
    walkRecords.startWalk(limit);
    const expected = total ?? walkRecords.distinct;
    for await (const page of walkPages({ fetchPage, ahead, limit, expected, stopAtTotal })) {
      const { newIndexes, goOn } = walkRecords.enter(page);
      if (newIndexes.length > 0) yield { page: page.records, indexes: newIndexes };
      if (!goOn) break;
    }
    walks.push(walkRecords.endWalk());
    const judgement = judge({ walks, distinct: walkRecords.distinct, total, stopAtTotal });
    if (judgement === 'walk_again') continue;
    const unsteady = judgement === 'complete' ? undefined : judgement;
    return { unsteady, ...walkRecords.close() };
  }
}

/** Each walk has other page borders, so a record missed between two pages is inside a page in the next. */
function limitOfWalk(limit: number, walks: readonly WalkSummary[]): number {
  const [first] = walks;
  if (!first) return limit;
  const largest = Math.min(first.largestPage || limit, limit);
  const second = Math.max(1, Math.floor((largest * 5) / 6));
  if (walks.length === 1) return second;
  const third = Math.max(1, Math.floor((largest * 3) / 5));
  return third === second ? second + 1 : third;
}

interface WalkOptions<Item> {
  readonly fetchPage: (offset: number, limit: number) => Promise<RecordPage<Item>>;
  /** Records to ask for in a request; fewer or more may come, and all that come count. */
  readonly limit: number;
  readonly expected: number;
  readonly stopAtTotal: boolean;
  readonly ahead: number;
}

/**
 * Walks a list from offset 0 and yields its pages by offset. Ranges of the last page size are read in
 * parallel, each filled by the records received: any page may be short (doc 4.4), so only an empty one is
 * the end. One range starts exactly at the expected end, which proves that nothing follows. Beyond it,
 * each full page lets one more range be read in parallel, up to a quarter of `ahead`.
 */
async function* walkPages<Item>({
  fetchPage,
  limit,
  expected,
  ahead,
  stopAtTotal,
}: WalkOptions<Item>): AsyncGenerator<Page<Item>, void, void> {
  const pending: Promise<readonly Page<Item>[]>[] = [];
  let next = 0;
  let size = limit;
  let pastEnd = 0;
  let mostPastEnd = stopAtTotal ? 0 : 1;
  let ended = false;
  let isAbandoned = false;
  const fill = async (from: number, to: number) => {
    const pages: Page<Item>[] = [];
    const isPastEnd = from >= expected;
    for (let offset = from; offset < to && !isAbandoned; ) {
      // Always the full limit, to notice when the service's maximum grows back.
      const records = await fetchPage(offset, limit);
      pages.push({ offset, records });
      ended ||= records.length === 0;
      if (records.length === 0) break;
      size = records.length;
      offset += size;
      if (isPastEnd)
        mostPastEnd = size < limit ? 1 : Math.min(mostPastEnd + 1, Math.ceil(ahead / 4));
    }
    if (isPastEnd) pastEnd -= 1;
    return pages;
  };
  try {
    for (;;) {
      while (!ended && pending.length < ahead && (next < expected || pastEnd < mostPastEnd)) {
        const from = next;
        if (from < expected) next = Math.min(from + size, expected);
        else {
          next = from + size;
          pastEnd += 1;
        }
        const pages = fill(from, next);
        // A failure is thrown when its turn comes, if it comes.
        pages.catch(() => {});
        pending.push(pages);
      }
      const first = pending.shift();
      if (!first) return;
      yield* await first;
    }
  } finally {
    isAbandoned = true;
  }
}

/** Whether everything was read, or why that is open; `walk_again` if another walk may tell. */
type Judgement = 'complete' | 'walk_again' | UnsteadyReason;

interface WalkEvidence {
  readonly walks: readonly WalkSummary[];
  readonly distinct: number;
  readonly total: number | undefined;
  /** Whether the walk stopped at the total, and is then believed. */
  readonly stopAtTotal?: boolean;
}

const mostWalks = 3;

/**
 * Judges the walks of a list. Neither a count nor an end proves that all was read: an unordered list can
 * repeat and miss records while the count looks right. Yielded records cannot be taken back, so the
 * union of all walks has to be complete.
 */
export function judge(evidence: WalkEvidence): Judgement {
  const last = evidence.walks.at(-1);
  if (evidence.stopAtTotal) {
    const isAllThere = last?.ended || evidence.distinct === evidence.total;
    return isAllThere && !last?.irregular ? 'complete' : 'walks_disagree';
  }
  const isComplete = hasAnnounced(evidence) || walksAgree(evidence);
  if (isComplete && !last?.lostContents) return 'complete';
  // A list that is too long stays so.
  const isHopeless = last?.stopped === 'too_long';
  if (evidence.walks.length < mostWalks && !isHopeless) return 'walk_again';
  return last?.stopped ?? 'walks_disagree';
}

/** As many records as announced, after one clean walk or from several together. */
function hasAnnounced({ walks, distinct, total }: WalkEvidence): boolean {
  const [first] = walks;
  const isClean = first?.ended === true && !first.irregular;
  return distinct === total && (isClean || walks.length > 1);
}

/** Two walks that ended saw the same records and contents, and no walk saw any other record. */
function walksAgree({ walks, distinct }: WalkEvidence): boolean {
  const whole = walks.filter((walk) => walk.ended && walk.unique === distinct);
  return whole.some((one, at) =>
    whole.slice(at + 1).some((other) => isSameDigest(one.digest, other.digest)),
  );
}
