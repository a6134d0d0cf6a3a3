import {
  type Answer,
  type Call,
  failure,
  record,
  refusal,
  wrapperCode,
} from '../../src/sandbox/exchange.ts';
import {
  type FaultKind,
  type FaultKinds,
  faultNamesOf,
  htmlPage,
  parseFaults as parse,
  parseNumber,
  parseWhen,
  type SandboxFault,
  sandboxFaults,
  spoiltRequest,
} from '../../src/sandbox/faults.ts';
import { deliverWhole } from '../../src/sandbox/sandbox.ts';
import type { WireRecord } from '../../src/sandbox/scenario.ts';
import type { ListQuery } from '../../src/sandbox/service.ts';
import { sandboxCredentials, sandboxSigningKeys } from '../../src/sandbox/tokens.ts';

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
const answerFaults: FaultKinds = {
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

function half(whole: Buffer): Buffer {
  return whole.subarray(0, Math.floor(whole.length / 2));
}

/** A fault of how answers are delivered. */
function spoiltDelivery(about: string, deliver: NonNullable<Answer['deliver']>): FaultKind {
  return spoiltRequest(about, async (_, next) => ({ deliver, ...(await next()) }));
}

/** Wherever such a text is cut, a secret is cut in two. */
const mostEchoes = 200;

/** Faults of single requests. Where several strike the same request, the first here prevails. */
const requestFaults: FaultKinds = {
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
  'html=WHEN@WHERE': spoiltRequest('HTTP 200 with an HTML page instead of JSON', () => ({
    status: 200,
    body: htmlPage('Welcome'),
  })),
  'truncated=WHEN@WHERE': spoiltDelivery(
    'half of the JSON, sent as a complete answer',
    (response, whole, begin) => deliverWhole(response, half(whole), begin),
  ),
  'not-utf8=WHEN@WHERE': spoiltDelivery(
    'a text in the JSON has a byte that is not valid UTF-8',
    (response, whole, begin) => {
      whole[whole.lastIndexOf('"') - 1] = 0xff;
      deliverWhole(response, whole, begin);
    },
  ),
  'broken-off=WHEN@WHERE': spoiltDelivery(
    'the connection is closed in the middle of the answer',
    (response, whole, begin) => {
      begin(whole.length);
      response.write(half(whole), () => response.destroy());
    },
  ),
};

/** Faults of tokens. That all of them are refused is `http-401` or `wrapper-1002`. */
const tokenFaults: FaultKinds = {
  'token-life=SECONDS': {
    about: 'tokens expire after SECONDS, and say so',
    around: (value) => {
      const life = parseNumber(value);
      const expiries = new Map<unknown, number>();
      return async (call, next, clock) => {
        const isExpired =
          clock.monotonic() >= (expiries.get(call.token) ?? Number.POSITIVE_INFINITY);
        const answer = await next(isExpired ? withoutToken(call) : call);
        const token = call.operation === 'token' && record(answer.body)?.['access_token'];
        if (typeof token !== 'string') return answer;
        expiries.set(token, clock.monotonic() + life * 1000);
        return withFields(answer, () => ({ expires_in: life }));
      };
    },
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
    around: (value) => onlyScheme(value, ['charge']),
  },
  'scheme=v1|v2': {
    about: 'settlements and charges accept only tokens of this scheme',
    around: (value) => onlyScheme(value, ['headers', 'rows', 'charge']),
  },
};

/** The service rejects a call without a token. */
function withoutToken(call: Call): Call {
  return { ...call, token: undefined };
}

function onlyScheme(
  scheme: string,
  operations: readonly (Call['operation'] | undefined)[],
): ReturnType<NonNullable<FaultKind['around']>> {
  if (scheme !== 'v1' && scheme !== 'v2') throw new Error(`"${scheme}" is neither v1 nor v2`);
  return (call, next) => {
    // A signed token has three parts (doc 5.1).
    const own = call.token?.split('.').length === 3 ? 'v1' : 'v2';
    const isRefused = operations.includes(call.operation) && own !== scheme;
    return next(isRefused ? withoutToken(call) : call);
  };
}

/**
 * A fault that strikes where it can (`isOpen`): the first time in each list (`once`, the default), or
 * `always`. The list is then asked for what `reshape` says.
 */
function striking(
  about: string,
  isOpen: (query: ListQuery) => boolean,
  reshape: (query: ListQuery) => ListQuery,
): FaultKind {
  return {
    about: `${about}: once in each list, or always`,
    list: (value) => {
      if (!['', 'once', 'always'].includes(value)) {
        throw new Error(`"${value}" is neither once nor always`);
      }
      const struck = new Set<string>();
      return (query) => {
        const list = `${query.operation} ${query.settlementId}`;
        if (!isOpen(query) || (struck.has(list) && value !== 'always')) return query;
        struck.add(list);
        return reshape(query);
      };
    },
  };
}

function emptied(query: ListQuery): ListQuery {
  return { ...query, records: [] };
}

/** Faults of lists. What changes the list comes first: the others go by it. */
const listFaults: FaultKinds = {
  'ignore-offset@WHERE': {
    about: 'every page is the first page',
    list: () => (query) => ({ ...query, offset: 0 }),
  },
  'restless-header=WHEN': {
    about: 'the fees of the first settlement change each time it is listed',
    list: (value) => {
      const isTime = parseWhen(value);
      let changes = 0;
      return (query) => {
        const [first, ...others] = query.records;
        const isList = query.operation === 'headers' && query.settlementId === undefined;
        if (!isList || first === undefined || !isTime()) return query;
        changes += 1;
        const changed = { ...first, fees: Number(first['fees']) + changes };
        return { ...query, records: [changed, ...others] };
      };
    },
  },
  'late-settlement=N': {
    about: 'the first settlement of the list appears only after N requests for headers',
    list: (value) => {
      const wait = parseNumber(value);
      let seen = 0;
      return (query) => {
        if (query.operation === 'rows' || query.settlementId !== undefined) return query;
        seen += 1;
        return seen > wait ? query : { ...query, records: query.records.slice(1) };
      };
    },
  },
  'repeat=once|always@WHERE': striking(
    'a page after the first starts one record early',
    ({ offset, records }) => offset > 0 && offset <= records.length,
    (query) => ({ ...query, offset: query.offset - 1 }),
  ),
  'skip=once|always@WHERE': striking(
    'a page after the first starts one record late',
    ({ offset, records }) => offset > 0 && offset < records.length,
    (query) => ({ ...query, offset: query.offset + 1 }),
  ),
  'hole=once|always@WHERE': striking(
    'a page in the middle of a list is empty',
    ({ offset, limit, records }) => {
      const middle = Math.floor(records.length / 2);
      return offset > 0 && offset <= middle && middle < offset + limit;
    },
    emptied,
  ),
  'end-at-total@WHERE': {
    about: 'pages from the announced total on are empty, even if earlier pages go beyond it',
    list: () => (query) => (query.offset >= Number(query.announced) ? emptied(query) : query),
  },
  'over-limit=N@WHERE': {
    about: 'pages have N more records than requested',
    list: (value) => {
      const more = parseNumber(value);
      return (query) => ({ ...query, unasked: query.unasked + more });
    },
  },
};

/** A fault of single webhooks: the texts that are sent `instead` of one. */
function spoiltWebhook(about: string, instead: (body: string) => readonly string[]): FaultKind {
  return {
    about: `with --notify: ${about}`,
    webhooks: (value) => {
      const isTime = parseWhen(value);
      return (bodies) => bodies.flatMap((body) => (isTime() ? instead(body) : [body]));
    },
  };
}

/** Nobody but the service should be able to send these. */
const forged: readonly string[] = [
  '{"settlement_id":"../../oauth/token","object_type":"webhook.settlement"}',
  '{"charge_id":"1 OR 1=1"}',
  '{"charge_id":"00000000-0000-4000-8000-000000000000"}',
];

const unknown = '{"object_type":"webhook.unknown","id":"8a6f2c1e-5b0d-4c7e-9f21-6d3b7a904c55"}';

/** Faults of the webhooks that --notify sends. */
const webhookFaults: FaultKinds = {
  'webhook-twice=WHEN': spoiltWebhook('a webhook is sent twice', (body) => [body, body]),
  'webhook-malformed=WHEN': spoiltWebhook(
    'half of a webhook is sent before the whole one',
    (body) => [body.slice(0, body.length / 2), body],
  ),
  'webhook-unknown=WHEN': spoiltWebhook(
    'a webhook of an unknown kind is sent before it',
    (body) => [unknown, body],
  ),
  'webhook-deep=WHEN': spoiltWebhook('the ids of a webhook are nested deeper', (body) => [
    `{"type":"refund","refund":{"detail":[${body}]}}`,
  ]),
  'webhook-list=WHEN': {
    about: 'with --notify: webhooks are sent as a list in one webhook, after the others',
    webhooks: (value) => {
      const isTime = parseWhen(value);
      return (bodies) => {
        const listed = bodies.filter(() => isTime());
        const others = bodies.filter((body) => !listed.includes(body));
        return listed.length === 0 ? others : [...others, `{"list":[${listed}]}`];
      };
    },
  },
  'webhook-forged=WHEN': spoiltWebhook(
    'webhooks with invalid ids and with an unknown id are sent before it',
    (body) => [...forged, body],
  ),
};

/** All faults that tests simulate: those of the sandbox, and those that only tests need. */
export const testFaults: FaultKinds = {
  ...answerFaults,
  ...sandboxFaults,
  ...requestFaults,
  ...tokenFaults,
  ...listFaults,
  ...webhookFaults,
};

export const faultNames = faultNamesOf(testFaults);

export function parseFaults(texts: readonly string[]): readonly SandboxFault[] {
  return parse(texts, testFaults);
}
