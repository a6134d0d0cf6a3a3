import type { Clock } from '../base/clock.ts';

/** What came of sending webhooks: how many had which HTTP status. */
export type Receipts = ReadonlyMap<number, number>;

/** Until somebody listens at the address, it is tried again so often. */
const untilThereMs = 1_000;

/**
 * Sends each text once, one after the other, and waits until somebody listens there. How the service
 * itself repeats and orders webhooks is not shown (doc 6.1).
 */
export async function notify(
  url: string,
  bodies: readonly string[],
  clock: Clock,
  signal: AbortSignal,
): Promise<Receipts> {
  const receipts = new Map<number, number>();
  for (const body of bodies) {
    const status = await post(url, body, clock, signal);
    receipts.set(status, (receipts.get(status) ?? 0) + 1);
  }
  return receipts;
}

async function post(url: string, body: string, clock: Clock, signal: AbortSignal): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  for (;;) {
    try {
      const answer = await fetch(url, { method: 'POST', headers, body, signal });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      signal.throwIfAborted();
      await clock.sleep(untilThereMs, signal);
    }
  }
}
