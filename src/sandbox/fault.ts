import type { Clock } from '../base/clock.ts';
import { type Answer, type Call, isSameId, type Operation } from './exchange.ts';
import type { ListQuery } from './listing.ts';
import type { WireRecord } from './scenarios.ts';

/** One misbehaviour as it was asked for: `NAME=VALUE@WHERE`. Empty texts where left out. */
export interface FaultSetting {
  readonly name: string;
  readonly value: string;
  readonly where: string;
}

/**
 * A misbehaviour at work. It wraps the service at one of its two seams, around a request or around
 * the cutting of a page: it may answer itself, ask on with another question, or change the answer.
 */
export interface ActiveFault {
  readonly around?: (
    call: Call,
    next: (call: Call) => Promise<Answer>,
    clock: Clock,
  ) => Promise<Answer>;
  readonly list?: (
    query: ListQuery,
    next: (query: ListQuery) => readonly WireRecord[],
  ) => readonly WireRecord[];
  /** The webhooks that are sent, as texts. */
  readonly webhooks?: (bodies: readonly string[]) => readonly string[];
  /** How long a token lives, in seconds. */
  readonly tokenLife?: number;
  /** The only scheme that charges take. */
  readonly chargeScheme?: 'v1' | 'v2';
}

/** What can be asked for. */
export interface FaultKind {
  readonly name: string;
  /**
   * How its value is written, for help; empty where it takes none. It ends with `@WHERE` where the
   * fault takes a place.
   */
  readonly syntax: string;
  /** One line for help. */
  readonly about: string;
  /**
   * The fault with its counters at zero, as if it were everywhere. Throws on a value that it doesn't
   * understand.
   */
  readonly create: (value: string) => ActiveFault;
}

/** A fault of the kind with its counters at zero, at its place. Throws on what the kind doesn't take. */
export function createFault(
  { syntax, create }: FaultKind,
  { value, where }: FaultSetting,
): ActiveFault {
  const takesPlace = syntax.endsWith('@WHERE');
  if (!takesPlace && where !== '') throw new Error(`it does not take a place ("@${where}")`);
  const isThere = parseWhere(where);
  if (/^(@|$)/.test(syntax) && value !== '')
    throw new Error(`it does not take a value ("${value}")`);
  const fault = create(value);
  const { around, list } = fault;
  if (!takesPlace) return fault;
  return {
    ...(around && {
      around: (call, next, clock) => (isThere(call) ? around(call, next, clock) : next(call)),
    }),
    ...(list && { list: (query, next) => (isThere(query) ? list(query, next) : next(query)) }),
  };
}

/** What a place may be about: a request, or one of its lists. */
interface Target {
  readonly operation: Operation | undefined;
  readonly settlementId: unknown;
}

/**
 * WHERE a fault happens: `headers`, `rows`, `charge` or `token`, or the rows of one settlement, by
 * its id. Left out, it is both settlement operations.
 */
function parseWhere(text: string): (target: Target) => boolean {
  if (text === '') return ({ operation }) => operation === 'headers' || operation === 'rows';
  if (text === 'headers' || text === 'rows' || text === 'charge' || text === 'token') {
    return ({ operation }) => operation === text;
  }
  if (!/^[0-9a-f-]{36}$/i.test(text)) {
    throw new Error(
      `"@${text}" is not a place: use headers, rows, charge, token or a settlementId`,
    );
  }
  return ({ operation, settlementId }) => operation === 'rows' && isSameId(settlementId, text);
}

/**
 * WHEN a fault happens, counted in the requests at its place: `always`, `first:N`, `every:N` (each
 * Nth) or `on:N` (the Nth alone). Left out, it is always. The result counts one request a call.
 */
export function parseWhen(text: string): () => boolean {
  if (text === '' || text === 'always') return () => true;
  const [, word, digits] = /^(first|every|on):(\d+)$/.exec(text) ?? [];
  if (word === undefined || digits === undefined) {
    throw new Error(`"${text}" is not a time: use always, first:N, every:N or on:N`);
  }
  const limit = parseNumber(digits);
  let count = 0;
  return () => {
    count += 1;
    if (word === 'first') return count <= limit;
    return word === 'every' ? count % limit === 0 : count === limit;
  };
}

/** A whole number of at least 1. */
export function parseNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error(`"${text}" is not a whole number of at least 1`);
  return Number(text);
}
