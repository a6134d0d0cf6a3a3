import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readEnvelope } from '../../src/api/envelope.ts';
import { RequestFailure } from '../../src/base/errors.ts';
import type { HttpAnswer } from '../../src/base/http/transport.ts';
import type { OddAnswer } from '../../src/model/source.ts';
import { answerOf, recordsIn } from './answer.ts';

function answer(body: unknown, status = 200): HttpAnswer {
  return answerOf(body, { status });
}

/** The failure that reading an answer throws. */
function failure(given: HttpAnswer): RequestFailure {
  try {
    recordsIn(given);
  } catch (error) {
    if (error instanceof RequestFailure) return error;
    throw error;
  }
  throw new Error('it was read');
}

/** What is read where an empty page may be, and what is noted beside it. */
function readNoting(given: HttpAnswer) {
  const noted: OddAnswer[] = [];
  const onOdd = (odd: OddAnswer) => noted.push(odd);
  return { records: readEnvelope(given, { missingIsEmpty: true, onOdd }), noted };
}

const success = { code: '0', response: 'Success' };

describe('a successful answer', () => {
  test('has the code "0" and the word Success, whatever the HTTP status', () => {
    for (const status of [200, 302, 401, 403, 404, 429, 500]) {
      const body = { status: success, data: [1, 2] };
      expect(readNoting(answer(body, status))).toEqual({ records: [1, 2], noted: [] });
    }
  });

  test.each<[string, object, object]>([
    [
      'another word',
      { code: '0', response: 'Partial' },
      { field: 'status.response', found: '"Partial"', expected: '"Success"' },
    ],
    [
      'no word',
      { code: '0' },
      { field: 'status.response', found: 'nothing', expected: '"Success"' },
    ],
    [
      'a code that is a number',
      { code: 0, response: 'Success' },
      { field: 'status.code', found: '0', expected: '"0"' },
    ],
  ])('may have %s, and that is noted', (_, status, odd) => {
    const body = { status, data: [1] };
    expect(readNoting(answer(body))).toEqual({ records: [1], noted: [odd] });
  });

  test.each<[string, unknown, string]>([
    ['null', { status: success, data: null }, 'null'],
    ['an empty object', { status: success, data: {} }, '{}'],
    ['nothing', { status: success }, 'nothing'],
  ])('with %s for data may be an empty page, and that is noted', (_, body, found) => {
    const odd = { field: 'data', found, expected: '[]' };
    expect(readNoting(answer(body))).toEqual({ records: [], noted: [odd] });
    expect(failure(answer(body)).policy).toBe('retry');
  });

  test('without the word Success is not an empty page if it has no list', () => {
    for (const status of [{ code: '0', response: 'Partial' }, { code: '0' }]) {
      expect(() => readNoting(answer({ status }))).toThrow('returned no data');
    }
  });

  test.each([
    { status: { code: '0', response: 'Fail', message: 'Database read error' } },
    { status: { code: '0', response: 'FAIL' }, data: [] },
    { status: { code: 0, response: 'Fail' }, data: [1] },
  ])('cannot have the word Fail: it is tried again: %j', (body) => {
    expect(failure(answer(body))).toMatchObject({ policy: 'retry', failure: 'service', code: '0' });
  });

  test.each<[string, unknown]>([
    ['an object', { a: 1 }],
    ['a text', ''],
    ['a number', 0],
    ['false', false],
  ])('with %s for data is not a page, and is tried again', (_, data) => {
    expect(failure(answer({ status: success, data }))).toMatchObject({
      policy: 'retry',
      failure: 'service',
    });
  });
});

describe('an answer that only looks successful', () => {
  test.each<[string, unknown]>([
    ['no code', { status: { response: 'Success' }, data: [] }],
    ['null for a code', { status: { code: null }, data: [] }],
    ['a status that is a text', { status: '0', data: [] }],
    ['a list', [{ status: success }]],
    ['nothing but data', { data: [] }],
    ['an empty body', ''],
    ['half of a body', '{"status": {"code": "0"}, "data": ['],
    ['a web page', '<html>0</html>'],
  ])('does not have a wrapper if it has %s: the HTTP status decides', (_, body) => {
    expect(failure(answer(body))).toMatchObject({ policy: 'retry', failure: 'service' });
    expect(failure(answer(body, 403))).toMatchObject({
      policy: 'give_up',
      failure: 'authentication',
    });
  });

  test.each(['00', ' 0', '0.0', '', 'Success', 'constructor', '__proto__'])(
    'has an unknown code if the code is "%s"',
    (code) => {
      expect(failure(answer({ status: { code }, data: [] }))).toMatchObject({
        policy: 'give_up',
        failure: 'service',
      });
    },
  );
});

test('an answer that is not UTF-8 is not read as JSON, because two ids with invalid bytes would read alike', () => {
  for (const byte of [0xfe, 0xff]) {
    const bytes = Buffer.from(
      JSON.stringify({ status: success, data: [{ settlementId: 'id x' }] }),
    );
    bytes[bytes.indexOf('id x') + 3] = byte;
    const failed = failure(answerOf('', { bytes }));
    expect(failed).toMatchObject({ policy: 'retry', failure: 'service' });
    expect(failed.message).toContain('not in UTF-8');
  }
});

test('a code that is a number means the same as the code as text, and the message says that it is a number', () => {
  expect(failure(answer({ status: { code: 429 } })).policy).toBe('rate_limit');
  const denied = failure(answer({ status: { code: 1001, response: 'Fail' } }));
  expect(denied.failure).toBe('authentication');
  expect(denied.message).toContain('code 1001, written as a number, Fail');
});

test('the message of a failure has the code and the words of the service', () => {
  const { message } = failure(
    answer({ status: { code: '1020', response: 'Missing', message: 'startDate' } }),
  );
  expect(message).toContain('(code 1020, Missing, startDate)');
});

test('a body without a wrapper is named by its status and type, and never quoted', () => {
  const page = { ...answer('<html>secret</html>', 502), contentType: 'text/html' };
  expect(failure(page).message).toContain('HTTP 502, text/html');
  expect(failure(page).message).not.toContain('secret');
});

describe('an answer with any JSON value', () => {
  const code = fc.oneof(fc.constantFrom('0', '429', '1002', 0, null), fc.jsonValue());
  const wrapped = fc.record(
    { status: fc.record({ code, response: fc.jsonValue() }), data: fc.jsonValue() },
    { requiredKeys: [] },
  );
  test('is a list of records after the code "0", or else a failure with a policy and a cause', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), wrapped),
        fc.integer({ min: 200, max: 599 }),
        (body, status) => {
          const sent = JSON.stringify(body);
          const given = answer(sent, status);
          try {
            const records = recordsIn(given);
            // JSON has no negative zero, so the answer is compared with what was sent.
            expect(JSON.parse(sent)).toMatchObject({ status: expect.anything(), data: records });
          } catch (error) {
            if (!(error instanceof RequestFailure)) throw error;
            expect(error.policy).toMatch(/^(retry|rate_limit|new_credential|give_up)$/);
            expect(error.failure).toMatch(/^(service|authentication)$/);
          }
        },
      ),
    );
  });
});
