import { type Answer, record, wrapperCode } from './exchange.ts';
import type { FaultKind } from './fault.ts';
import { refuseValue, refuseWhere } from './fault-syntax.ts';

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

/** Faults in the form of answers. They come before all others, so that they see every answer. */
export const answerFaults: readonly FaultKind[] = [retryAfter, authByWrapper, emptyData];
