import { ReconError } from '../../base/errors.ts';
import type { Allowance, UnsteadyReason } from '../../model/source.ts';
import { judge } from './judge.ts';
import { type Listed, pageOf, type RecordPage } from './record-page.ts';
import { walkPages } from './walk-pages.ts';
import { type ListFindings, WalkRecords, type WalkSummary } from './walk-records.ts';

/** Fetches one page, `limit` being what to ask for: of raw records, or of some that are decoded already. */
export type FetchRecords<Item> = (
  offset: number,
  limit: number,
) => Promise<readonly unknown[] | RecordPage<Item>>;

/** Records of a page that no page had listed before. */
export interface Fresh<Item> {
  readonly page: RecordPage<Item>;
  readonly indexes: readonly number[];
}

/** How to read one list of the service. */
export interface ListOptions<Item> {
  readonly fetch: FetchRecords<Item>;
  readonly decode: (record: unknown) => Listed<Item>;
  /** Records to ask for in a request of the first walk. */
  readonly limit: number;
  /** How many records the service announces; undefined where it doesn't say. */
  readonly total: number | undefined;
  /** Where it is given, as many as announced are enough, in one walk: nothing is asked for behind them. */
  readonly allowance?: Allowance | undefined;
  /** The most records that a walk may receive. */
  readonly bound: number;
  /** How many ranges may be under way or waiting for their turn. */
  readonly ahead: number;
  /** Orders the contents of one id. */
  readonly sortText: (item: Item) => string;
}

/** How the reading of a list ended. */
export interface ListOutcome<Item> extends ListFindings<Item> {
  /** Set where it isn't certain that all were read. */
  readonly unsteady: UnsteadyReason | undefined;
}

/**
 * Reads a list to its end, walking it as often as it takes to be sure (three times at most), and
 * yields each record when it is first seen.
 */
export async function* readList<Item>(
  options: ListOptions<Item>,
): AsyncGenerator<Fresh<Item>, ListOutcome<Item>, void> {
  const walkRecords = new WalkRecords<Item>(options);
  const walks: WalkSummary[] = [];
  const { allowance } = options;
  const asAnnounced = allowance !== undefined && options.total !== undefined;
  const fetchPage = async (offset: number, limit: number) => {
    if (allowance && allowance.left-- <= 0) {
      throw new ReconError('service', 'It takes too many requests.');
    }
    const records = await options.fetch(offset, limit);
    if ('digests' in records) return records;
    // One more than the bound ends the walk: of a page without end, no more is looked at.
    return pageOf(records.slice(0, options.bound + 1).map(options.decode));
  };
  for (;;) {
    const { ahead, total } = options;
    const limit = limitOfWalk(options.limit, walks);
    walkRecords.startWalk(limit);
    const expected = total ?? walkRecords.union;
    for await (const page of walkPages({
      fetchPage,
      ahead,
      limit,
      expected,
      toItsEnd: !asAnnounced,
    })) {
      const { fresh, goOn } = walkRecords.enter(page);
      if (fresh.length > 0) yield { page: page.records, indexes: fresh };
      if (!goOn) break;
    }
    walks.push(walkRecords.endWalk());
    const judgement = judge({ walks, union: walkRecords.union, total, asAnnounced });
    if (judgement === 'walk_again') continue;
    const unsteady = judgement === 'complete' ? undefined : judgement;
    return { unsteady, ...walkRecords.close() };
  }
}

/**
 * Each walk has other page borders: what falls between two pages in one walk lies inside a page in
 * the next. About 5/6 and 3/5 of the largest page that the first walk received, of what it had asked
 * for at most, never the same twice.
 */
function limitOfWalk(limit: number, walks: readonly WalkSummary[]): number {
  const [first] = walks;
  if (!first) return limit;
  const largest = Math.min(first.largestPage || limit, limit);
  const second = Math.max(1, Math.floor((largest * 5) / 6));
  if (walks.length === 1) return second;
  const third = Math.max(1, Math.floor((largest * 3) / 5));
  return third === second ? second + 1 : third;
}
