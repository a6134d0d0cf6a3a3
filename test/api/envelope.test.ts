import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readEnvelope } from '../../src/api/envelope.ts';
import { RequestFailure } from '../../src/api/request-failure.ts';
import type { Answer } from '../../src/api/transport.ts';
import { answerOf } from './answer.ts';

function answer(body: unknown, status = 200): Answer {
  return answerOf(body, { status });
}

/** The failure that reading an answer throws. */
function failure(given: Answer): RequestFailure {
  try {
    readEnvelope(given);
  } catch (error) {
    if (error instanceof RequestFailure) return error;
    throw error;
  }
  throw new Error('it was read');
}

const success = { code: '0', response: 'Success' };

describe('success', () => {
  test('is the code "0", whatever the HTTP status and the words', () => {
    for (const status of [200, 302, 401, 403, 404, 429, 500]) {
      const body = { status: { code: '0', response: 'Fail' }, data: [1, 2] };
      expect(readEnvelope(answer(body, status))).toEqual([1, 2]);
    }
  });

  test.each<[string, unknown]>([
    ['an empty list', { status: success, data: [] }],
    ['null', { status: success, data: null }],
    ['an empty object', { status: success, data: {} }],
    ['nothing', { status: success }],
  ])('with %s for data is an empty page', (_, body) => {
    expect(readEnvelope(answer(body))).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['an object', { a: 1 }],
    ['a text', ''],
    ['a number', 0],
    ['false', false],
  ])('with %s for data is no page: tried again', (_, data) => {
    expect(failure(answer({ status: success, data }))).toMatchObject({
      policy: 'retry',
      failure: 'service',
    });
  });
});

describe('what only looks like success', () => {
  test.each<[string, unknown]>([
    ['the number 0', { status: { code: 0, response: 'Success' }, data: [] }],
    ['minus zero', '{"status": {"code": -0, "response": "Success"}, "data": []}'],
    ['no code', { status: { response: 'Success' }, data: [] }],
    ['null for a code', { status: { code: null }, data: [] }],
    ['a status that is a text', { status: '0', data: [] }],
    ['a list', [{ status: success }]],
    ['nothing but data', { data: [] }],
    ['an empty body', ''],
    ['half of a body', '{"status": {"code": "0"}, "data": ['],
    ['a web page', '<html>0</html>'],
  ])('%s has no wrapper: the HTTP status decides', (_, body) => {
    expect(failure(answer(body))).toMatchObject({ policy: 'retry', failure: 'service' });
    expect(failure(answer(body, 403))).toMatchObject({
      policy: 'give_up',
      failure: 'authentication',
    });
  });

  test.each(['00', ' 0', '0.0', '', 'Success', 'constructor', '__proto__'])(
    'the code "%s" is an unknown one',
    (code) => {
      expect(failure(answer({ status: { code }, data: [] }))).toMatchObject({
        policy: 'give_up',
        failure: 'service',
      });
    },
  );
});

test('a code that is a number means the same as its text', () => {
  expect(failure(answer({ status: { code: 429 } })).policy).toBe('rate_limit');
  expect(failure(answer({ status: { code: 1001 } })).failure).toBe('authentication');
});

test("a failure's message holds the code and the service's own words", () => {
  const { message } = failure(
    answer({ status: { code: '1020', response: 'Missing', message: 'startDate' } }),
  );
  expect(message).toContain('(code 1020, Missing, startDate)');
});

test('a body without a wrapper is named by its status and kind, never quoted', () => {
  const page = { ...answer('<html>secret</html>', 502), contentType: 'text/html' };
  expect(failure(page).message).toContain('HTTP 502, text/html');
  expect(failure(page).message).not.toContain('secret');
});

describe('any JSON value', () => {
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
          const given = answer(JSON.stringify(body), status);
          try {
            const records = readEnvelope(given);
            expect(body).toMatchObject({ status: { code: '0' } });
            expect(Array.isArray(records)).toBe(true);
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
