import { describe, expect, it } from 'vitest';
import { eventName } from '../../src/listen/event-name.ts';
import { type JournalEvent, RecentIds } from '../../src/listen/journal.ts';
import { webhookKeeper } from '../../src/listen/keep-webhook.ts';
import { payloadIdOf, type Webhook } from '../../src/model/webhook.ts';

const body = JSON.stringify({ id: 'a', settlement_id: 'S' });

function keeper() {
  const writes: { text: string; done: () => void; fail: () => void }[] = [];
  const known = new Set<string>();
  const keep = (text: string, webhook: Webhook) =>
    new Promise<JournalEvent>((resolve, reject) => {
      const done = () => {
        known.add(payloadIdOf(webhook));
        resolve({ name: 'name', receivedAt: '', webhook });
      };
      writes.push({ text, done, fail: () => reject(new Error('disk')) });
    });
  const journal = { keep, knows: (id: string) => known.has(id) };
  return { writes, take: webhookKeeper(journal, () => {}) };
}

describe('a payload that comes again', () => {
  it('while the first is being written is acknowledged no sooner than the first', async () => {
    const { writes, take } = keeper();
    const first = take(body);
    const second = take(body);
    let isAnswered = false;
    void second.then(() => {
      isAnswered = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([writes.length, isAnswered]).toEqual([1, false]);
    writes[0]?.done();
    expect(await Promise.all([first, second])).toEqual(['kept', 'known']);
    expect(await take(body)).toBe('known');
  });

  it('is refused with the first where that cannot be written, and taken when it comes anew', async () => {
    const { writes, take } = keeper();
    const both = [take(body), take(body)];
    writes[0]?.fail();
    for (const one of both) await expect(one).rejects.toThrow('disk');
    const third = take(body);
    writes[1]?.done();
    expect(await third).toBe('kept');
  });

  it('is known among the last, in memory that does not grow', () => {
    const ids = new RecentIds(1000);
    for (let n = 0; n < 50_000; n += 1) ids.addOf(eventName(0, `id-${n}`));
    for (let n = 49_000; n < 50_000; n += 1) expect(ids.has(`id-${n}`)).toBe(true);
    expect(ids.has('id-0')).toBe(false);
  });
});
