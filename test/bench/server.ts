import { createServer, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { createShop, type Encoded, pageOf } from './shop.ts';

// The service, as little of it as possible and as fast as possible, in a process of its own:
// `server.mjs SETTLEMENTS ROWS`. It is told the conditions, and asked for its counts, by messages.

/** How the service answers. */
export interface Conditions {
  /** Of each answer. */
  readonly latencyMs: number;
  /** The part of the settlements that is listed. */
  readonly share: number;
  /** Minor units by which gross and pay-in of each header differ from its rows. */
  readonly imbalance: number;
}

/** What the server saw since it was told its conditions. */
export interface ServerCounts {
  readonly requests: number;
  /** Milliseconds that each of them took, from its coming to its answer, all together. */
  readonly answeringMs: number;
}

/** A row list's page, at most (doc 4.4). */
const largestPage = 100;

const [settlements = 1, rows = 1] = process.argv.slice(2).map(Number);
const shop = createShop(settlements, rows);
const token = Buffer.from('{"access_token":"bench","expires_in":3600,"token_type":"Bearer"}');
const opening = Buffer.from('{"status":{"code":"0","response":"Success"},"data":[');
const closing = Buffer.from(']}');

let conditions: Conditions = { latencyMs: 0, share: 1, imbalance: 0 };
/** Lists of headers, by the days that were asked for. */
const headersByDays = new Map<string, Encoded>();
let requests = 0;
let answeringMs = 0;

process.on('disconnect', () => process.exit());
process.on('message', (message: Conditions | 'counts') => {
  if (message === 'counts') {
    process.send?.({ requests, answeringMs });
    return;
  }
  conditions = message;
  headersByDays.clear();
  requests = 0;
  answeringMs = 0;
  process.send?.('ready');
});

const server = createServer((socket) => {
  let pending = '';
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    pending += bytes.toString('latin1');
    for (let request = take(); request; request = take()) receive(request, socket);
  });
  /** The next whole request, if it has come. */
  const take = () => {
    const head = pending.indexOf('\r\n\r\n');
    if (head < 0) return undefined;
    const length = Number(/content-length: (\d+)/i.exec(pending.slice(0, head))?.[1] ?? 0);
    const end = head + 4 + length;
    if (pending.length < end) return undefined;
    const path = pending.slice(pending.indexOf(' ') + 1, pending.indexOf(' HTTP/'));
    const body = pending.slice(head + 4, end);
    pending = pending.slice(end);
    return { path, body };
  };
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: Object(server.address()).port }));

function receive(request: { readonly path: string; readonly body: string }, socket: Socket): void {
  const cameAt = performance.now();
  const { latencyMs } = conditions;
  requests += 1;
  const answer = () => {
    // A timer is off by a millisecond; the rest is waited for by asking again and again.
    if (performance.now() < cameAt + latencyMs) {
      setImmediate(answer);
      return;
    }
    answeringMs += performance.now() - cameAt;
    socket.write(answerTo(request));
  };
  if (latencyMs > 1) setTimeout(answer, latencyMs - 1);
  else answer();
}

function answerTo({ path, body }: { readonly path: string; readonly body: string }): Buffer {
  if (path === '/oauth/token') return whole([token]);
  const { settlementId, startDate, endDate, offset, limit } = JSON.parse(body);
  const size = Math.min(limit, largestPage);
  const list = settlementId ? shop.rows(settlementId) : headersOf(startDate, endDate);
  return whole([opening, pageOf(list, offset, size), closing]);
}

function headersOf(startDate: string, endDate: string): Encoded {
  const days = `${startDate} ${endDate}`;
  const headers = headersByDays.get(days) ?? shop.headers({ ...conditions, startDate, endDate });
  headersByDays.set(days, headers);
  return headers;
}

function whole(parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), ...parts]);
}
