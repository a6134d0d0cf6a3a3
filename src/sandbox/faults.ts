import { STATUS_CODES } from 'node:http';
import type { Clock } from '../base/clock.ts';
import {
  type Answer,
  type Call,
  failure,
  failureCodes,
  httpDate,
  isSameId,
  type Operation,
  wrapperCode,
} from './exchange.ts';
import type { ListQuery } from './service.ts';

type Answerer = (call: Call) => Promise<Answer>;
type Around = (call: Call, next: Answerer, clock: Clock) => Promise<Answer>;
type Reshape = (query: ListQuery) => ListQuery;
type Webhooks = (bodies: readonly string[]) => readonly string[];

interface ActiveFault {
  /** Wraps the service: may answer itself, or change the answer of `next`. */
  readonly around: Around;
  readonly list: Reshape;
  readonly webhooks: Webhooks;
}

/** Each function is given the VALUE, throws if it is invalid, and returns the fault with counters at zero. */
export interface FaultKind {
  readonly about: string;
  readonly around?: (value: string) => Around;
  readonly answer?: (value: string) => (answer: Answer, call: Call, clock: Clock) => Answer;
  readonly list?: (value: string) => Reshape;
  readonly webhooks?: (value: string) => Webhooks;
}

/** From the outermost to the one next to the service, by usage: `NAME`, `NAME=VALUE`, `NAME=VALUE@WHERE`. */
export type FaultKinds = Readonly<Record<string, FaultKind>>;

/** A fault that was asked for. Empty texts are left out. */
export interface SandboxFault extends Readonly<Record<'name' | 'value' | 'where', string>> {
  readonly create: () => ActiveFault;
}

/** The names of kinds, for help: how each is written and what it does. */
export function faultNamesOf(kinds: FaultKinds) {
  return Object.entries(kinds).map(([usage, { about }]) => ({
    name: usage.replace(/[=@].*/, ''),
    usage,
    about,
  }));
}

/** Reads texts such as `wrapper-2001=first:2@rows`, in the order of their kinds. Throws for unknown ones. */
export function parseFaults(texts: readonly string[], kinds: FaultKinds = sandboxFaults) {
  const known = faultNamesOf(kinds);
  const faults = texts.map((text) => {
    const [, name = '', value = '', where = ''] = /^([^=@]*)=?([^@]*)@?(.*)$/.exec(text) ?? [];
    const rank = known.findIndex((one) => one.name === name);
    const usage = known[rank]?.usage ?? '';
    const kind = kinds[usage];
    if (kind === undefined) {
      const names = known.map((one) => one.name).join(', ');
      throw new Error(`Unknown fault "${text}". Known: ${names}.`);
    }
    const create = () => createFault(usage, kind, value, where);
    try {
      create();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Fault "${text}": ${reason}.`);
    }
    return { rank, fault: { name, value, where, create } };
  });
  return faults.sort((one, other) => one.rank - other.rank).map(({ fault }) => fault);
}

function createFault(usage: string, kind: FaultKind, value: string, where: string): ActiveFault {
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
  };
}

/** WHERE: an operation, or the rows of the settlement with this id; both settlement operations if empty. */
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

/** WHEN: `always` (the default), `first:N`, `every:N` or `on:N` (the Nth alone). Each call is a request. */
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

/** A whole number of at least 1. Throws for anything else. */
export function parseNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error(`"${text}" is not a whole number of at least 1`);
  return Number(text);
}

function withHeader(answer: Answer, name: string, text: string): Answer {
  return { ...answer, headers: { ...answer.headers, [name]: text } };
}

/** A short web page, such as gateways answer with. */
export function htmlPage(title: string): string {
  return `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
}

const httpErrors = [400, 401, 403, 408, 429, 500, 502, 503, 504];

function httpError(status: number): Answer {
  return { status, body: htmlPage(STATUS_CODES[status] ?? '') };
}

/** A fault of single requests, WHEN asked for: `answer` replaces the answer of the service. */
export function spoiltRequest(
  about: string,
  answer: (call: Call, next: () => Promise<Answer>) => Answer | Promise<Answer>,
): FaultKind {
  return {
    about,
    around: (value) => {
      const isTime = parseWhen(value);
      return async (call, next) => (isTime() ? answer(call, () => next(call)) : next(call));
    },
  };
}

/** A limit on the number of requests per second: a token bucket that starts full. */
function rateLimit(face: string, refuse: () => Answer): FaultKind {
  return {
    about: `at most N requests per second, in bursts of at most BURST (default: N); refused with ${face}`,
    around: (value) => {
      const [first = '', second = first, ...rest] = value.split(',');
      if (rest.length > 0) throw new Error(`"${value}" is not a limit: use N or N,BURST`);
      const [perSecond, burst] = [parseNumber(first), parseNumber(second)];
      let saved = burst;
      let last: number | undefined;
      return async (call, next, clock) => {
        const now = clock.monotonic();
        saved = Math.min(burst, saved + ((now - (last ?? now)) * perSecond) / 1000);
        last = now;
        if (saved < 1) return refuse();
        saved -= 1;
        return next(call);
      };
    },
  };
}

/** The faults of `--fault`. Tests add their own. */
export const sandboxFaults = {
  'retry-after=TEXT': {
    about: 'every 429 has this Retry-After header (seconds or a date)',
    answer: (text) => {
      if (text === '') throw new Error('it needs the text of the header');
      return (answer) =>
        answer.status === 429 || wrapperCode(answer) === '429'
          ? withHeader(answer, 'retry-after', text)
          : answer;
    },
  },
  'clock-skew=SECONDS': {
    about:
      "the Date header of answers is SECONDS ahead of this machine's clock, or behind it (-90)",
    answer: (value) => {
      if (!/^-?\d{1,9}$/.test(value))
        throw new Error(`"${value}" is not a whole number of seconds`);
      const ms = Number(value) * 1000;
      return (answer, _, clock) => withHeader(answer, 'date', httpDate(clock.now() + ms));
    },
  },
  'rate-limit=N|N,BURST@WHERE': rateLimit('wrapper code 429', () => failure('429')),
  'http-rate-limit=N|N,BURST@WHERE': rateLimit('HTTP 429', () => httpError(429)),
  'slow=MS@WHERE': {
    about: 'answers take MS milliseconds longer',
    around: (value) => {
      const ms = parseNumber(value);
      return async (call, next, clock) => {
        await clock.sleep(ms);
        return next(call);
      };
    },
  },
  ...Object.fromEntries(
    Object.entries({
      ...failureCodes,
      '0': 'A failure with the code of success',
      '9999': 'An undocumented code',
    }).map(([code, meaning]) => [
      `wrapper-${code}=WHEN@WHERE`,
      spoiltRequest(`${meaning}: wrapper code ${code} in HTTP 200`, () => failure(code)),
    ]),
  ),
  ...Object.fromEntries(
    httpErrors.map((status) => [
      `http-${status}=WHEN@WHERE`,
      spoiltRequest(`HTTP ${status} ${STATUS_CODES[status]}, with an HTML body`, () =>
        httpError(status),
      ),
    ]),
  ),
  'reset=WHEN@WHERE': spoiltRequest('the connection is reset without an answer', () => ({
    status: 0,
    body: undefined,
    deliver: (response) => response.socket?.resetAndDestroy(),
  })),
  'page-max=N|N-M@WHERE': {
    about: 'pages have at most N records; N-M: one fewer (or more) per page, down (or up) to M',
    list: (value) => {
      const [first = '', last = first] = value.split('-', 2);
      const end = parseNumber(last);
      let maximum = parseNumber(first);
      return (query) => {
        const limit = Math.min(query.limit, maximum);
        maximum += Math.sign(end - maximum);
        return { ...query, limit };
      };
    },
  },
} satisfies FaultKinds;
