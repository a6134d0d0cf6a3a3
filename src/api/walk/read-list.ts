import { ReconError } from '../../base/errors.ts';
import type { Allowance, UnsteadyReason } from '../../model/source.ts';
import { isSameDigest } from '../digest.ts';
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

/** Whether everything was read, or why that stays open; `walk_again` where another walk may tell. */
export type Judgement = 'complete' | 'walk_again' | UnsteadyReason;

export interface WalkEvidence {
  /** In the order in which they were walked; one at least. */
  readonly walks: readonly WalkSummary[];
  /** Distinct records over all walks. */
  readonly union: number;
  /** The number of records that the service announces, where it announces one. */
  readonly total: number | undefined;
  /** One walk has to be enough, that came to as many as announced or to its end. */
  readonly asAnnounced?: boolean;
}

const mostWalks = 3;

/**
 * Judges the walks of a list. Neither a count nor an end proves that all was read: a list without a
 * promised order can repeat and miss records while the count looks right. Since what was handed on
 * can't be taken back, it is always the union of the walks that has to be complete.
 */
export function judge(evidence: WalkEvidence): Judgement {
  const last = evidence.walks.at(-1);
  if (evidence.asAnnounced) {
    const isAllThere = last?.ended || evidence.union === evidence.total;
    return isAllThere && !last?.irregular ? 'complete' : 'walks_disagree';
  }
  const isComplete = announcedIsThere(evidence) || walksAgree(evidence);
  if (isComplete && !last?.lostContents) return 'complete';
  // A list that is too long stays so.
  const isHopeless = last?.stopped === 'too_long';
  if (evidence.walks.length < mostWalks && !isHopeless) return 'walk_again';
  return last?.stopped ?? 'walks_disagree';
}

/** As many records as announced: at the end of one clean walk, or from several together. */
function announcedIsThere({ walks, union, total }: WalkEvidence): boolean {
  const [first] = walks;
  const isClean = first?.ended === true && !first.irregular;
  return union === total && (isClean || walks.length > 1);
}

/**
 * Two walks that ended by themselves saw the same records with the same contents, and no walk saw
 * any other record.
 */
function walksAgree({ walks, union }: WalkEvidence): boolean {
  const whole = walks.filter((walk) => walk.ended && walk.unique === union);
  return whole.some((one, at) =>
    whole.slice(at + 1).some((other) => isSameDigest(one.digest, other.digest)),
  );
}
