import { type Answer, httpDate, record, wrapperCode } from './exchange.ts';
import { type FaultKind, refuseValue, refuseWhere } from './fault.ts';
import type { WireRecord } from './scenario.ts';

/** A fault that rewrites answers, whoever gave them. */
function rewriting(
  kind: Pick<FaultKind, 'name' | 'syntax' | 'about'>,
  read: (value: string) => (answer: Answer) => Answer,
): FaultKind {
  return {
    ...kind,
    create(value, where) {
      refuseWhere(where);
      const rewrite = read(value);
      return { around: async (call, next) => rewrite(await next(call)) };
    },
  };
}

const retryAfter = rewriting(
  {
    name: 'retry-after',
    syntax: 'TEXT',
    about: 'every 429 carries this Retry-After (seconds, or a date)',
  },
  (text) => {
    if (text === '') throw new Error('it needs the text of the header');
    return (answer) =>
      answer.status === 429 || wrapperCode(answer) === '429'
        ? { ...answer, headers: { ...answer.headers, 'retry-after': text } }
        : answer;
  },
);

const authByWrapper = rewriting(
  {
    name: 'auth-by-wrapper',
    syntax: '',
    about: 'a refused token is told by wrapper code 1002 in an HTTP 200, not by HTTP 401',
  },
  (value) => {
    refuseValue(value);
    return (answer) =>
      answer.status === 401 && wrapperCode(answer) === '1002' ? { ...answer, status: 200 } : answer;
  },
);

/** What stands for `data: []`; undefined isn't sent at all. */
const emptyForms: Readonly<Record<string, unknown>> = { absent: undefined, null: null, object: {} };

const emptyData = rewriting(
  {
    name: 'empty-data',
    syntax: 'absent|null|object',
    about: 'an empty page has no data, or null or an empty object for it',
  },
  (form) => {
    if (!Object.hasOwn(emptyForms, form))
      throw new Error(`"${form}" is not absent, null or object`);
    return (answer) => {
      const body = record(answer.body);
      const data = body?.['data'];
      return Array.isArray(data) && data.length === 0
        ? { ...answer, body: { ...body, data: emptyForms[form] } }
        : answer;
    };
  },
);

/** The wrapper of an answer with something else in its status. */
function withStatus(answer: Answer, change: (status: WireRecord) => WireRecord): Answer {
  const body = record(answer.body);
  const status = record(body?.['status']);
  const isWrapper = wrapperCode(answer) !== undefined && status !== undefined;
  return isWrapper ? { ...answer, body: { ...body, status: change(status) } } : answer;
}

const numericCode = rewriting(
  { name: 'numeric-code', syntax: '', about: 'codes are numbers, where the document has texts' },
  (value) => {
    refuseValue(value);
    return (answer) =>
      withStatus(answer, (status) => ({ ...status, code: Number(status['code']) }));
  },
);

const otherWord = rewriting(
  { name: 'other-word', syntax: 'TEXT', about: 'a success says this in the place of Success' },
  (word) => (answer) =>
    withStatus(answer, (status) =>
      status['response'] === 'Success' ? { ...status, response: word } : status,
    ),
);

const clockSkew: FaultKind = {
  name: 'clock-skew',
  syntax: 'SECONDS',
  about: "the Date of answers is so many seconds ahead of this machine's clock, or behind (-90)",
  create(value, where) {
    refuseWhere(where);
    if (!/^-?\d{1,9}$/.test(value)) throw new Error(`"${value}" is no whole number of seconds`);
    const ms = Number(value) * 1000;
    return {
      around: async (call, next, clock) => {
        const answer = await next(call);
        return { ...answer, headers: { ...answer.headers, date: httpDate(clock.now() + ms) } };
      },
    };
  },
};

/** What a later version of the interface may add. */
const later = 'added_later';

const unknownFields = rewriting(
  {
    name: 'unknown-fields',
    syntax: '',
    about: `answers and their records have a field that the document lacks, ${later}`,
  },
  (value) => {
    refuseValue(value);
    return (answer) => {
      const body = record(answer.body);
      if (body === undefined) return answer;
      const data = body['data'];
      const records = Array.isArray(data) && data.map((one) => ({ ...record(one), [later]: 1 }));
      return { ...answer, body: { ...body, [later]: 1, ...(records && { data: records }) } };
    };
  },
);

/** It clears the screen, turns the text around, goes back to the beginning of the line, and has no end. */
const hostileText = `\u001b[2J\u202e\u009b31m\r${'key'.repeat(3_000)}`;

const hostileKeys = rewriting(
  {
    name: 'hostile-keys',
    syntax: '',
    about: "the details of a charge's order have a key and a value that would act on a terminal",
  },
  (value) => {
    refuseValue(value);
    return (answer) => {
      const body = record(answer.body);
      const order = record(body?.['order']);
      if (order === undefined) return answer;
      const details = [{ key: hostileText, value: hostileText }];
      return { ...answer, body: { ...body, order: { ...order, your_order_details: details } } };
    };
  },
);

/** Faults in the form of answers. They come before all others, so that they see every answer. */
export const answerFaults: readonly FaultKind[] = [
  // The others know codes by their texts.
  numericCode,
  otherWord,
  retryAfter,
  authByWrapper,
  emptyData,
  clockSkew,
  unknownFields,
  hostileKeys,
];
