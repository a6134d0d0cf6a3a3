import type { ProbedPage } from '../model/probe.ts';

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

export function twoPages(
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
export function levelOf(pages: TwoPages): 'ok' | 'warning' | 'failure' {
  if (isStuck(pages)) return 'failure';
  return pages.repeated > 0 || isCut(pages) ? 'warning' : 'ok';
}
