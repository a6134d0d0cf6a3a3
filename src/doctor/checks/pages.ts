import type { ProbedPage } from '../../model/probe.ts';
import type { Checked, CheckFacts, TwoPages } from '../check.ts';
import type { Examination } from '../examination.ts';
import { rowsAsked, settlementsAsked } from '../examine.ts';

/** How much of what is asked for comes, and whether the next page goes on from there. */
export function judgeSettlementPages({
  answers,
}: Examination): Checked<'settlement_pages'> | undefined {
  const { settlements, nextSettlements } = answers;
  if (!settlements?.keys.length) return undefined;
  const facts = twoPages(settlementsAsked, settlements, nextSettlements);
  return { check: 'settlement_pages', level: levelOf(facts), facts };
}

/** How much of what is asked for comes of the rows of the settlement that has the most of them. */
export function judgeTransactionPages({
  answers,
  settlement,
}: Examination): Checked<'transaction_pages'> | undefined {
  const { rows, nextRows } = answers;
  if (!rows || !settlement) return undefined;
  const { id: settlementId, transactions: announced } = settlement;
  const facts = { settlementId, announced, ...twoPages(rowsAsked, rows, nextRows) };
  const level = isShort(facts) ? 'warning' : levelOf(facts);
  return { check: 'transaction_pages', level, facts };
}

/** Whether the service gives fewer than it is asked for, though there are more. */
export function isCut({ asked, received, next }: TwoPages): boolean {
  return received < asked && next !== null && next > 0;
}

/** Whether the list ends before as many came as were announced. */
export function isShort({ received, announced, next }: CheckFacts['transaction_pages']): boolean {
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
