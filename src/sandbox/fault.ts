import type { Clock } from '../base/clock.ts';
import { type Answer, type Call, isSameId, type Operation } from './exchange.ts';
import type { ListQuery, ServiceSetting } from './service.ts';

/** One misbehaviour as it was asked for: `NAME=VALUE@WHERE`. Empty texts where left out. */
export type FaultSetting = Readonly<Record<'name' | 'value' | 'where', string>>;

type Answerer = (call: Call) => Promise<Answer>;
type Around = (call: Call, next: Answerer, clock: Clock) => Promise<Answer>;
type Reshape = (query: ListQuery) => ListQuery;
type Webhooks = (bodies: readonly string[]) => readonly string[];

/** A misbehaviour at work, with its counters. */
export interface ActiveFault extends ServiceSetting {
  /** Wraps the service: it may answer itself, or change the answer of `next`. */
  readonly around: Around;
  /** Asks a list for another page. */
  readonly list: Reshape;
  /** The webhooks that are sent, as texts. */
  readonly webhooks: Webhooks;
}

/**
 * What can be asked for. Each way to misbehave is given the value, throws on one that it doesn't
 * understand, and begins with its counters at zero, as if it were everywhere.
 */
export interface FaultKind {
  /** One line for help. */
  readonly about: string;
  readonly around?: (value: string) => Around;
  /** The answer that is sent in the place of this one. */
  readonly answer?: (value: string) => (answer: Answer, call: Call, clock: Clock) => Answer;
  readonly list?: (value: string) => Reshape;
  readonly webhooks?: (value: string) => Webhooks;
  readonly setting?: (value: string) => ServiceSetting;
}

/**
 * Kinds by how they are written: `NAME`, `NAME=VALUE`, `NAME=VALUE@WHERE` or `NAME@WHERE`. Only those with
 * a VALUE take one, and only those with WHERE take a place.
 */
export type FaultKinds = Readonly<Record<string, FaultKind>>;

/** The fault of a kind that is written so. Throws on what the kind doesn't take. */
export function createFault(
  usage: string,
  kind: FaultKind,
  { value, where }: FaultSetting,
): ActiveFault {
  const takesPlace = usage.endsWith('@WHERE');
  if (!takesPlace && where !== '') throw new Error(`it does not take a place ("@${where}")`);
  const isThere = takesPlace ? parseWhere(where) : () => true;
  if (!usage.includes('=') && value !== '') {
    throw new Error(`it does not take a value ("${value}")`);
  }
  const around = kind.around?.(value) ?? ((call, next) => next(call));
  const rewrite = kind.answer?.(value) ?? ((answer) => answer);
  const list = kind.list?.(value) ?? ((query) => query);
  return {
    around: async (call, next, clock) =>
      isThere(call) ? rewrite(await around(call, next, clock), call, clock) : next(call),
    list: (query) => (isThere(query) ? list(query) : query),
    webhooks: kind.webhooks?.(value) ?? ((bodies) => bodies),
    ...kind.setting?.(value),
  };
}

/**
 * WHERE a fault happens: `headers`, `rows`, `charge` or `token`, or the rows of one settlement, by
 * its id. Left out, it is both settlement operations.
 */
function parseWhere(text: string): (target: Pick<Call, 'operation' | 'settlementId'>) => boolean {
  const places: readonly string[] = ['headers', 'rows', 'charge', 'token'] satisfies Operation[];
  if (text === '') return ({ operation }) => operation === 'headers' || operation === 'rows';
  if (places.includes(text)) return ({ operation }) => operation === text;
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
