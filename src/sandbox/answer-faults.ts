import type { Clock } from '../base/clock.ts';
import { type Answer, httpDate, record, wrapperCode } from './exchange.ts';
import type { ActiveFault, FaultKind } from './fault.ts';
import type { WireRecord } from './scenarios.ts';

/** The answer that is sent in the place of this one, whoever gave it. */
function rewriting(change: (answer: Answer, clock: Clock) => Answer): ActiveFault {
  return { around: async (call, next, clock) => change(await next(call), clock) };
}

function withHeader(answer: Answer, name: string, text: string): Answer {
  return { ...answer, headers: { ...answer.headers, [name]: text } };
}

/** The wrapper of an answer with something else in its status. */
function withStatus(answer: Answer, change: (status: WireRecord) => WireRecord): Answer {
  const body = record(answer.body);
  const status = record(body?.['status']);
  const isWrapper = wrapperCode(answer) !== undefined && status !== undefined;
  return isWrapper ? { ...answer, body: { ...body, status: change(status) } } : answer;
}

/** What stands for `data: []`; undefined isn't sent at all. */
const emptyForms: Readonly<Record<string, unknown>> = { absent: undefined, null: null, object: {} };

/** What a later version of the interface may add. */
const later = 'added_later';

/** It clears the screen, turns the text around, goes back to the beginning of the line, and has no end. */
const hostileText = `\u001b[2J\u202e\u009b31m\r${'key'.repeat(3_000)}`;

/** Faults in the form of answers. They come before all others, so that they see every answer. */
export const answerFaults: readonly FaultKind[] = [
  // The others know codes by their texts.
  {
    name: 'numeric-code',
    syntax: '',
    about: 'codes are numbers instead of text',
    create: () =>
      rewriting((answer) =>
        withStatus(answer, (status) => ({ ...status, code: Number(status['code']) })),
      ),
  },
  {
    name: 'other-word',
    syntax: 'TEXT',
    about: 'a success says TEXT instead of Success',
    create: (word) =>
      rewriting((answer) =>
        withStatus(answer, (status) =>
          status['response'] === 'Success' ? { ...status, response: word } : status,
        ),
      ),
  },
  {
    name: 'retry-after',
    syntax: 'TEXT',
    about: 'every 429 has this Retry-After header (seconds or a date)',
    create: (text) => {
      if (text === '') throw new Error('it needs the text of the header');
      return rewriting((answer) =>
        answer.status === 429 || wrapperCode(answer) === '429'
          ? withHeader(answer, 'retry-after', text)
          : answer,
      );
    },
  },
  {
    name: 'auth-by-wrapper',
    syntax: '',
    about: 'a rejected token is reported by wrapper code 1002 in HTTP 200 instead of HTTP 401',
    create: () =>
      rewriting((answer) =>
        answer.status === 401 && wrapperCode(answer) === '1002'
          ? { ...answer, status: 200 }
          : answer,
      ),
  },
  {
    name: 'empty-data',
    syntax: 'absent|null|object',
    about: 'an empty page has no data field, or null or an empty object in it',
    create: (form) => {
      if (!Object.hasOwn(emptyForms, form)) {
        throw new Error(`"${form}" is not absent, null or object`);
      }
      return rewriting((answer) => {
        const body = record(answer.body);
        const data = body?.['data'];
        return Array.isArray(data) && data.length === 0
          ? { ...answer, body: { ...body, data: emptyForms[form] } }
          : answer;
      });
    },
  },
  {
    name: 'clock-skew',
    syntax: 'SECONDS',
    about:
      "the Date header of answers is SECONDS ahead of this machine's clock, or behind it (-90)",
    create: (value) => {
      if (!/^-?\d{1,9}$/.test(value))
        throw new Error(`"${value}" is not a whole number of seconds`);
      const ms = Number(value) * 1000;
      return rewriting((answer, clock) => withHeader(answer, 'date', httpDate(clock.now() + ms)));
    },
  },
  {
    name: 'unknown-fields',
    syntax: '',
    about: `answers and their records have an undocumented field, ${later}`,
    create: () =>
      rewriting((answer) => {
        const body = record(answer.body);
        if (body === undefined) return answer;
        const data = body['data'];
        const records = Array.isArray(data) && data.map((one) => ({ ...record(one), [later]: 1 }));
        return { ...answer, body: { ...body, [later]: 1, ...(records && { data: records }) } };
      }),
  },
  {
    name: 'hostile-keys',
    syntax: '',
    about: "a charge's order details have a key and a value with terminal control codes",
    create: () =>
      rewriting((answer) => {
        const body = record(answer.body);
        const order = record(body?.['order']);
        if (order === undefined) return answer;
        const details = [{ key: hostileText, value: hostileText }];
        return { ...answer, body: { ...body, order: { ...order, your_order_details: details } } };
      }),
  },
];
