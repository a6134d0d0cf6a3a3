import type { ProbedPage } from '../../model/probe.ts';
import { finding } from '../check.ts';
import { type Examination, largestSettlement, pageLimits } from '../examination.ts';

/** The first page of a list, and what came at the offset behind it. */
export interface TwoPages {
  readonly asked: number;
  readonly received: number;
  /** Records on the next page; null where nobody asked for it. */
  readonly next: number | null;
  /** How many of those stood on the first page already. */
  readonly repeated: number;
}

/** Pages of a list of which the service says how long it is. */
interface AnnouncedPages extends TwoPages {
  /** `totalTransactions`. */
  readonly announced: number;
}

/** How much of what is asked for comes, and whether the next page goes on from there. */
export function judgeSettlementPages({ answers }: Examination) {
  const { settlements, nextSettlements } = answers;
  if (!settlements?.keys.length) return undefined;
  const facts = twoPages(pageLimits.settlements, settlements, nextSettlements);
  return finding(levelOf(facts), facts);
}

/** How much of what is asked for comes of the rows of the settlement that has the most of them. */
export function judgeTransactionPages({ answers }: Examination) {
  const { rows, nextRows } = answers;
  const settlement = largestSettlement(answers);
  if (!rows || !settlement) return undefined;
  const { id: settlementId, transactions: announced } = settlement;
  const facts = { settlementId, announced, ...twoPages(pageLimits.rows, rows, nextRows) };
  return finding(isShort(facts) ? 'warning' : levelOf(facts), facts);
}

/** Whether the service gives fewer than it is asked for, though there are more. */
export function isCut({ asked, received, next }: TwoPages): boolean {
  return received < asked && next !== null && next > 0;
}

/** Whether the list ends before as many came as were announced. */
export function isShort({ received, announced, next }: AnnouncedPages): boolean {
  return received < announced && (received === 0 || next === 0);
}

/** Whether the second page is the first one over again. */
export function isStuck({ next, repeated }: TwoPages): boolean {
  return next !== null && next > 0 && repeated === next;
}

function twoPages(
  asked: number,
  { keys }: ProbedPage<unknown>,
  next: ProbedPage<unknown> | undefined,
): TwoPages {
  const known = new Set(keys);
  return {
    asked,
    received: keys.length,
    next: next?.keys.length ?? null,
    repeated: next?.keys.filter((key) => known.has(key)).length ?? 0,
  };
}

/** A page that repeats what came before can't be told from one that hides something. */
function levelOf(pages: TwoPages): 'ok' | 'warning' | 'failure' {
  if (isStuck(pages)) return 'failure';
  return pages.repeated > 0 || isCut(pages) ? 'warning' : 'ok';
}
