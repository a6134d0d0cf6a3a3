import { type Answer, type Call, failure, failureCodes } from './exchange.ts';
import { type FaultKind, parseNumber, parseWhen } from './fault.ts';
import { sandboxCredentials, sandboxSigningKeys } from './v2-tokens.ts';

const htmlPage = (title: string) =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;

const httpErrors: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  408: 'Request Timeout',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** An error as a gateway gives it: a status, and a web page. */
function httpError(status: number): Answer {
  return { status, body: htmlPage(httpErrors[status] ?? 'Error') };
}

/** A fault that spoils single requests: `answer` stands in for the service's answer. */
function spoiltRequest(
  name: string,
  about: string,
  answer: (call: Call, next: (call: Call) => Promise<Answer>) => Answer | Promise<Answer>,
): FaultKind {
  return {
    name,
    syntax: 'WHEN@WHERE',
    about,
    create: (value) => {
      const isTime = parseWhen(value);
      return { around: async (call, next) => (isTime() ? answer(call, next) : next(call)) };
    },
  };
}

/** A fault that spoils how the service's answer arrives. */
function spoiltDelivery(
  name: string,
  about: string,
  delivery: NonNullable<Answer['delivery']>,
): FaultKind {
  return spoiltRequest(name, about, async (call, next) => ({ delivery, ...(await next(call)) }));
}

/** A token bucket: so many requests a second flow in, at most `burst` are saved up. It begins full. */
function createBucket(perSecond: number, burst: number): (now: number) => boolean {
  let tokens = burst;
  let last: number | undefined;
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - (last ?? now)) * perSecond) / 1000);
    last = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** A fault that depends on how fast requests come. `retry-after` adds how long to wait. */
function rateLimit(name: string, face: string, refusal: () => Answer): FaultKind {
  return {
    name,
    syntax: 'N|N,BURST@WHERE',
    about: `at most N requests per second, in bursts of at most BURST (default: N); refused with ${face}`,
    create: (value) => {
      const [perSecond = '', burst = perSecond, ...rest] = value.split(',');
      if (rest.length > 0) throw new Error(`"${value}" is not a limit: use N or N,BURST`);
      const letsThrough = createBucket(parseNumber(perSecond), parseNumber(burst));
      return {
        around: async (call, next, clock) =>
          letsThrough(clock.monotonic()) ? next(call) : refusal(),
      };
    },
  };
}

/** Wherever such a text is cut, a secret is cut in two. */
const mostEchoes = 200;

/** Faults of single requests. Where several strike the same request, the first here prevails. */
export const requestFaults: readonly FaultKind[] = [
  rateLimit('rate-limit', 'wrapper code 429', () => failure('429')),
  rateLimit('http-rate-limit', 'HTTP 429', () => httpError(429)),
  {
    name: 'slow',
    syntax: 'MS@WHERE',
    about: 'answers take MS milliseconds longer',
    create: (value) => {
      const ms = parseNumber(value);
      return {
        around: async (call, next, clock) => {
          await clock.sleep(ms);
          return next(call);
        },
      };
    },
  },
  ...Object.entries({
    ...failureCodes,
    '0': 'A failure with the code of success',
    '9999': 'An undocumented code',
  }).map(([code, meaning]) =>
    spoiltRequest(`wrapper-${code}`, `${meaning}: wrapper code ${code} in HTTP 200`, () =>
      failure(code),
    ),
  ),
  spoiltRequest(
    'echo-secrets',
    'a failure (1000) whose message repeats the token and the secret behind it',
    ({ token = '' }) => {
      // A signed token has three parts (doc 5.1).
      const isSigned = token.split('.').length === 3;
      const secret = isSigned ? sandboxSigningKeys.secret : sandboxCredentials.clientSecret;
      return failure('1000', `refused: ${token} ${secret} `.repeat(mostEchoes));
    },
  ),
  spoiltRequest('long-code', 'a wrapper code of a million digits', () =>
    failure('9'.repeat(1_000_000)),
  ),
  ...Object.entries(httpErrors).map(([status, title]) =>
    spoiltRequest(`http-${status}`, `HTTP ${status} ${title}, with an HTML body`, () =>
      httpError(Number(status)),
    ),
  ),
  spoiltRequest('html', 'HTTP 200 with an HTML page instead of JSON', () => ({
    status: 200,
    body: htmlPage('Welcome'),
  })),
  spoiltDelivery('truncated', 'half of the JSON, sent as a complete answer', 'truncated'),
  spoiltDelivery('not-utf8', 'a text in the JSON has a byte that is not valid UTF-8', 'not_utf8'),
  spoiltDelivery(
    'broken-off',
    'the connection is closed in the middle of the answer',
    'broken_off',
  ),
  spoiltRequest('reset', 'the connection is reset without an answer', () => ({
    status: 0,
    body: undefined,
    delivery: 'reset',
  })),
];
