import { STATUS_CODES } from 'node:http';
import {
  type Answer,
  type Call,
  failure,
  failureCodes,
  httpDate,
  record,
  refusal,
  wrapperCode,
} from './exchange.ts';
import { type FaultKind, type FaultKinds, parseNumber, parseWhen } from './fault.ts';
import type { WireRecord } from './scenarios.ts';
import { sandboxCredentials, sandboxSigningKeys } from './tokens.ts';

function withHeader(answer: Answer, name: string, text: string): Answer {
  return { ...answer, headers: { ...answer.headers, [name]: text } };
}

/** The JSON of an answer with other fields in it; any other answer as it is. */
function withFields(answer: Answer, change: (body: WireRecord) => WireRecord | undefined): Answer {
  const body = record(answer.body);
  return body === undefined ? answer : { ...answer, body: { ...body, ...change(body) } };
}

/** The wrapper of an answer with other fields in its status. */
function withStatus(
  answer: Answer,
  change: (status: WireRecord) => WireRecord | undefined,
): Answer {
  if (wrapperCode(answer) === undefined) return answer;
  return withFields(answer, (body) => {
    const status = record(body['status']) ?? {};
    return { status: { ...status, ...change(status) } };
  });
}

/** What stands for `data: []`; undefined isn't sent at all. */
const emptyForms: Readonly<Record<string, unknown>> = { absent: undefined, null: null, object: {} };

/** What a later version of the interface may add. */
const later = 'added_later';

/** It clears the screen, turns the text around, goes back to the beginning of the line, and has no end. */
const hostileText = `\u001b[2J\u202e\u009b31m\r${'key'.repeat(3_000)}`;

/** Faults in the form of answers. They come before all others, so that they see every answer. */
export const answerFaults: FaultKinds = {
  // The others know codes by their texts.
  'numeric-code': {
    about: 'codes are numbers instead of text',
    answer: () => (answer) => withStatus(answer, ({ code }) => ({ code: Number(code) })),
  },
  'other-word=TEXT': {
    about: 'a success says TEXT instead of Success',
    answer: (word) => (answer) =>
      withStatus(answer, ({ response }) =>
        response === 'Success' ? { response: word } : undefined,
      ),
  },
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
  'auth-by-wrapper': {
    about: 'a rejected token is reported by wrapper code 1002 in HTTP 200 instead of HTTP 401',
    answer: () => (answer) =>
      answer.status === 401 && wrapperCode(answer) === '1002' ? { ...answer, status: 200 } : answer,
  },
  'empty-data=absent|null|object': {
    about: 'an empty page has no data field, or null or an empty object in it',
    answer: (form) => {
      if (!Object.hasOwn(emptyForms, form)) {
        throw new Error(`"${form}" is not absent, null or object`);
      }
      return (answer) =>
        withFields(answer, ({ data }) =>
          Array.isArray(data) && data.length === 0 ? { data: emptyForms[form] } : undefined,
        );
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
  'unknown-fields': {
    about: `answers and their records have an undocumented field, ${later}`,
    answer: () => (answer) =>
      withFields(answer, ({ data }) => ({
        [later]: 1,
        ...(Array.isArray(data) && { data: data.map((one) => ({ ...record(one), [later]: 1 })) }),
      })),
  },
  'hostile-keys': {
    about: "a charge's order details have a key and a value with terminal control codes",
    answer: () => (answer) =>
      withFields(answer, ({ order }) => {
        const details = [{ key: hostileText, value: hostileText }];
        return record(order) && { order: { ...record(order), your_order_details: details } };
      }),
  },
};

const htmlPage = (title: string) =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;

const httpErrors = [400, 401, 403, 408, 429, 500, 502, 503, 504];

/** An error as a gateway gives it: a status, and a web page. */
function httpError(status: number): Answer {
  return { status, body: htmlPage(STATUS_CODES[status] ?? '') };
}

/** A fault that spoils single requests: `answer` stands in for the service's answer. */
function spoiltRequest(
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

/** How the service's answer may arrive spoilt. */
const spoiltDeliveries = [
  ['truncated', 'half of the JSON, sent as a complete answer', 'truncated'],
  ['not-utf8', 'a text in the JSON has a byte that is not valid UTF-8', 'not_utf8'],
  ['broken-off', 'the connection is closed in the middle of the answer', 'broken_off'],
] as const;

/** A fault that depends on how fast requests come. `retry-after` adds how long to wait. */
function rateLimit(face: string, refuse: () => Answer): FaultKind {
  return {
    about: `at most N requests per second, in bursts of at most BURST (default: N); refused with ${face}`,
    around: (value) => {
      const [first = '', second = first, ...rest] = value.split(',');
      if (rest.length > 0) throw new Error(`"${value}" is not a limit: use N or N,BURST`);
      const [perSecond, burst] = [parseNumber(first), parseNumber(second)];
      // A token bucket: so many requests a second flow in, at most `burst` are saved up. It begins full.
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

/** Wherever such a text is cut, a secret is cut in two. */
const mostEchoes = 200;

/** Faults of single requests. Where several strike the same request, the first here prevails. */
export const requestFaults: FaultKinds = {
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
  'echo-secrets=WHEN@WHERE': spoiltRequest(
    'a failure (1000) whose message repeats the token and the secret behind it',
    ({ token = '' }) => {
      // A signed token has three parts (doc 5.1).
      const isSigned = token.split('.').length === 3;
      const secret = isSigned ? sandboxSigningKeys.secret : sandboxCredentials.clientSecret;
      return failure('1000', `refused: ${token} ${secret} `.repeat(mostEchoes));
    },
  ),
  'long-code=WHEN@WHERE': spoiltRequest('a wrapper code of a million digits', () =>
    failure('9'.repeat(1_000_000)),
  ),
  ...Object.fromEntries(
    httpErrors.map((status) => [
      `http-${status}=WHEN@WHERE`,
      spoiltRequest(`HTTP ${status} ${STATUS_CODES[status]}, with an HTML body`, () =>
        httpError(status),
      ),
    ]),
  ),
  'html=WHEN@WHERE': spoiltRequest('HTTP 200 with an HTML page instead of JSON', () => ({
    status: 200,
    body: htmlPage('Welcome'),
  })),
  ...Object.fromEntries(
    spoiltDeliveries.map(([name, about, delivery]) => [
      `${name}=WHEN@WHERE`,
      spoiltRequest(about, async (_, next) => ({ delivery, ...(await next()) })),
    ]),
  ),
  'reset=WHEN@WHERE': spoiltRequest('the connection is reset without an answer', () => ({
    status: 0,
    body: undefined,
    delivery: 'reset',
  })),
};

/** Faults of tokens. That all of them are refused is `http-401` or `wrapper-1002`. */
export const tokenFaults: FaultKinds = {
  'token-life=SECONDS': {
    about: 'tokens expire after SECONDS, and say so',
    setting: (value) => ({ tokenLife: parseNumber(value) }),
  },
  'token-uses=N': {
    about: 'each token is rejected after N requests, before it expires',
    around: (value) => {
      const allowed = parseNumber(value);
      const uses = new Map<string, number>();
      return async (call, next) => {
        if (call.token === undefined) return next(call);
        const used = uses.get(call.token) ?? 0;
        uses.set(call.token, used + 1);
        return used < allowed ? next(call) : refusal();
      };
    },
  },
  'scope-missing': {
    about: 'tokens lack the scope read:merchant:settlement, so access is denied (1001)',
    answer:
      () =>
      (answer, { operation }) => {
        // Which scopes a charge needs is not shown (doc 5.4).
        if (answer.status !== 200 || operation === 'charge') return answer;
        if (operation !== 'token') return failure('1001');
        return withFields(answer, () => ({ scope: 'read:merchant' }));
      },
  },
  'charge-scheme=v1|v2': {
    about: 'charges accept only tokens of this scheme',
    setting: (value) => ({ chargeScheme: schemeOf(value) }),
  },
  'scheme=v1|v2': {
    about: 'settlements and charges accept only tokens of this scheme',
    setting: (value) => ({ scheme: schemeOf(value), chargeScheme: schemeOf(value) }),
  },
};

function schemeOf(value: string): 'v1' | 'v2' {
  if (value !== 'v1' && value !== 'v2') throw new Error(`"${value}" is neither v1 nor v2`);
  return value;
}
