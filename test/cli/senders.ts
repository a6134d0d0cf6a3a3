import { connect } from 'node:net';
import type { Random } from '../support/random.ts';

/** How a webhook is sent. */
type Manner =
  | 'charge'
  | 'settlement'
  | 'again'
  | 'deep'
  | 'unknown'
  | 'forged'
  | 'malformed'
  | 'slow'
  | 'oversized';

export interface SenderOptions {
  readonly charges: readonly string[];
  readonly settlements: readonly string[];
  readonly random: Random;
  /** Sets the marks of one test apart from another's. */
  readonly name: string;
}

const manners: readonly Manner[] = [
  ...Array.from({ length: 6 }, () => ['charge', 'settlement', 'again'] as const).flat(),
  'deep',
  'unknown',
  'forged',
  'malformed',
  'slow',
  'oversized',
];

/**
 * Senders of every kind. Each event has a mark of its own, which comes back in its line; `owed` are
 * the marks of those that were acknowledged.
 */
export class Senders {
  readonly owed = new Set<string>();
  /** By HTTP status; 0 where none came. */
  readonly statuses = new Map<number, number>();
  readonly #options: SenderOptions;
  #count = 0;
  #last = '';

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Sends one webhook after the other until it is told to stop. */
  async send(url: string, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const manner = this.#pick(manners);
      const mark = this.#nextMark(manner);
      const status = await this.#sendOne(url, manner, mark).catch(() => 0);
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status === 200) this.owed.add(mark);
      if (status === 0) return;
    }
  }

  #nextMark(manner: Manner): string {
    if (manner === 'again' && this.#last !== '') return this.#last;
    this.#count += 1;
    return `${this.#options.name}-${this.#count}`;
  }

  async #sendOne(url: string, manner: Manner, mark: string): Promise<number> {
    const { charges, settlements } = this.#options;
    const charge = JSON.stringify({ charge_id: this.#pick(charges), service_id: mark });
    switch (manner) {
      case 'charge':
        return post(url, charge);
      case 'settlement':
      case 'again': {
        this.#last = mark;
        const settlement_id = settlements[Number(/\d+$/.exec(mark)?.[0]) % settlements.length];
        return post(url, JSON.stringify({ id: mark, settlement_id }));
      }
      case 'deep':
        return post(url, `{"refund":{"detail":[${charge}]}}`);
      case 'forged':
        return post(url, JSON.stringify({ charge_id: '../oauth/token', service_id: mark }));
      case 'unknown':
        return post(url, JSON.stringify({ [mark]: true }));
      case 'malformed':
        return post(url, charge.slice(0, -1));
      case 'slow':
        return trickle(url, charge);
      case 'oversized':
        return post(url, JSON.stringify({ service_id: mark, padding: 'x'.repeat(300_000) }));
    }
  }

  #pick<Item>(items: readonly Item[]): Item {
    const item = items[this.#options.random.int(0, items.length - 1)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }
}

/** The mark of an event, as its line says it. */
export function markOf({
  webhook,
}: {
  readonly webhook: Readonly<Record<string, unknown>>;
}): string {
  const { kind, payloadId, serviceId, fields } = webhook;
  if (kind === 'settlement') return String(payloadId);
  return kind === 'charge' ? String(serviceId) : String((fields as readonly string[])[0]);
}

async function post(url: string, body: string): Promise<number> {
  const answer = await fetch(url, { method: 'POST', body });
  await answer.arrayBuffer();
  return answer.status;
}

/** Sends a request in three pieces. */
function trickle(url: string, body: string): Promise<number> {
  const { hostname, port, pathname } = new URL(url);
  const text = `POST ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const third = Math.ceil(text.length / 3);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(text.slice(0, third), () =>
        setImmediate(() => {
          socket.write(text.slice(third, 2 * third), () =>
            setImmediate(() => socket.write(text.slice(2 * third))),
          );
        }),
      );
    });
    socket.on('data', (data) => {
      received += data.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0)));
  });
}
