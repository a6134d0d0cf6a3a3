import { createV1Authorizer } from '../../src/api/auth.ts';
import { Client } from '../../src/api/client.ts';
import { Pacer } from '../../src/api/pacer.ts';
import type { HttpAnswer } from '../../src/base/http/transport.ts';
import { Secrets } from '../../src/base/secrets.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { answerOf, recordsIn } from './answer.ts';

/** Decides on a request that arrives `now`, milliseconds since the run began: lets it through or not. `request` counts from 0. */
export type Limit = (now: number, request: number) => boolean;

/** How a refusal is told. */
interface Refusal {
  readonly face: 'wrapper' | 'http';
  /** Seconds, as in Retry-After. */
  readonly retryAfter?: number | undefined;
}

/** A token bucket: so many a second flow in, and at most `burst` are saved up. It begins full. */
export function bucket(perSecond: number | ((now: number) => number), burst: number): Limit {
  let tokens = burst;
  let last = 0;
  return (now) => {
    const rate = typeof perSecond === 'number' ? perSecond : perSecond(now);
    tokens = Math.min(burst, tokens + ((now - last) * rate) / 1000);
    last = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** So many in each window of `ms` milliseconds. */
export function fixedWindow(count: number, ms: number): Limit {
  let current = -1;
  let used = 0;
  return (now) => {
    const window = Math.floor(now / ms);
    if (window !== current) used = 0;
    current = window;
    used += 1;
    return used <= count;
  };
}

/** Numbers from 0 to below 1, the same ones for each seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface Course {
  /** From the first request to the last answer. */
  readonly seconds: number;
  readonly sent: number;
  readonly refused: number;
  /** The times of the answers, seconds since the first request. */
  readonly answeredAt: readonly number[];
  /** Pauses that were told. */
  readonly pauses: readonly number[];
  /** Requests that were given up. */
  readonly failed: number;
  /** The shortest time from a refusal to the same request again, milliseconds. */
  readonly soonestMs: number;
}

export interface RunOptions {
  readonly requests: number;
  readonly refusal?: Refusal;
  readonly concurrency?: number;
  /** Milliseconds that the service takes. */
  readonly latency?: (random: () => number) => number;
  readonly seed?: number;
  /** The first request is answered before the others are sent, as a list of settlements is. */
  readonly firstAlone?: boolean;
  /** Signs each request as V1 does, instead of with one token for all. */
  readonly isSigned?: boolean;
}

/** From 5 to 50 milliseconds. */
const ordinary = (random: () => number) => 5 + 45 * random();

/** Sends requests with the real client and pacer to a service with a limit, in virtual time. */
export async function runAgainst(limit: Limit, options: RunOptions): Promise<Course> {
  const { requests, refusal, concurrency = 8, latency = ordinary, seed = 1 } = options;
  const clock = new VirtualClock();
  const began = clock.now();
  const random = seeded(seed);
  const { signal } = new AbortController();
  let sent = 0;
  let refused = 0;
  const answeredAt: number[] = [];
  const pauses: number[] = [];
  const refusedAt = new Map<number, number>();
  let soonestMs = Number.POSITIVE_INFINITY;
  const transport = {
    send: async ({ url }: { readonly url: string }): Promise<HttpAnswer> => {
      const request = Number(url.split('/').at(-1));
      sent += 1;
      const before = refusedAt.get(request);
      if (before !== undefined) soonestMs = Math.min(soonestMs, clock.now() - before);
      // The way there varies a little; what takes time is the work.
      await clock.sleep(1 + random());
      if (!limit(clock.now() - began, request)) {
        refused += 1;
        await clock.sleep(Math.min(5, latency(random)));
        refusedAt.set(request, clock.now());
        return refusalAnswer(refusal);
      }
      await clock.sleep(latency(random));
      answeredAt.push((clock.now() - began) / 1000);
      return accepted;
    },
  };
  const pacer = new Pacer({ concurrency, clock, signal, random });
  const observer = { paused: (ms: number) => pauses.push(ms) };
  const secrets = new Secrets();
  const client = new Client({ transport, pacer, secrets, clock, signal, random, observer });
  const authorization = {
    token: async () => 'token',
    rejectToken: () => false,
    scope: () => undefined,
    advice: '',
  };
  const keys = { publicKey: 'key', secret: 'secret', origin: '' };
  const authorizer = options.isSigned
    ? createV1Authorizer(keys, { clock, signal, random, observer, pacer })
    : { begin: () => authorization };
  const list = (offset: number) =>
    client.send({
      call: { method: 'POST', url: `https://service.example/rows/${offset}`, body: {} },
      queued: { authorizer, priority: [0, offset] },
      read: (answer) => (answer === accepted ? [] : recordsIn(answer)),
    });
  const work = async () => {
    if (options.firstAlone) await list(0);
    const from = options.firstAlone ? 1 : 0;
    return Promise.allSettled(Array.from({ length: requests - from }, (_, at) => list(from + at)));
  };
  const ends = await clock.passUntil(work());
  return {
    seconds: answeredAt.at(-1) ?? 0,
    sent,
    refused,
    answeredAt,
    pauses,
    failed: ends.filter(({ status }) => status === 'rejected').length,
    soonestMs,
  };
}

function refusalAnswer({ face, retryAfter }: Refusal = { face: 'wrapper' }): HttpAnswer {
  const retryAfterMs = retryAfter === undefined ? undefined : retryAfter * 1000;
  return face === 'http'
    ? { ...answer(429, '<html>'), retryAfterMs }
    : { ...answer(200, '{"status":{"code":"429","response":"Fail"}}'), retryAfterMs };
}

/** Read without its text: only refusals matter here. */
const accepted = answer(200, '');

function answer(status: number, body: string): HttpAnswer {
  return answerOf(body, { status });
}
