import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createV2Authorizer, readTokenAnswer } from '../../src/api/auth.ts';
import { ReconError, RequestFailure } from '../../src/base/errors.ts';
import type { HttpAnswer } from '../../src/base/http/transport.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { answerOf } from './answer.ts';

const credentials = {
  clientId: 'client-1',
  clientSecret: 'secret-1',
  audience: 'audience-1',
  origin: 'client_id is from RECON_CLIENT_ID',
};

function answer(body: unknown, status = 200): HttpAnswer {
  return answerOf(body, { status });
}

/** An authorizer whose exchange gives token-1, token-2 ..., with `fields` beside them. */
function setUp(fields: Readonly<Record<string, unknown>> = { expires_in: 3600 }) {
  const clock = new FakeClock();
  const asked: object[] = [];
  const authorizer = createV2Authorizer(
    credentials,
    async (body) => {
      asked.push(body);
      const number = asked.length;
      await new Promise(setImmediate);
      return answer({ access_token: `token-${number}`, token_type: 'Bearer', ...fields });
    },
    clock,
  );
  return { authorizer, asked, clock, token: () => authorizer.begin().token() };
}

test('a token is asked for with the fields of the document, once for all requests that wait', async () => {
  const { asked, token } = setUp();
  expect(await Promise.all([token(), token(), token()])).toEqual(['token-1', 'token-1', 'token-1']);
  expect(await token()).toBe('token-1');
  expect(asked).toEqual([
    {
      client_id: 'client-1',
      client_secret: 'secret-1',
      audience: 'audience-1',
      grant_type: 'client_credentials',
    },
  ]);
});

describe('renewal', () => {
  test.each<[unknown, number]>([
    [3600, 3_540_000],
    [601, 541_000],
    [300, 270_000],
    [10, 9_000],
    [0.5, 450],
    ['3600', 3_540_000],
  ])('of a token of %s seconds comes after %i milliseconds', async (expires_in, ms) => {
    const { clock, token } = setUp({ expires_in });
    await token();
    await clock.sleep(ms - 1);
    expect(await token()).toBe('token-1');
    await clock.sleep(1);
    expect(await Promise.all([token(), token()])).toEqual(['token-2', 'token-2']);
  });

  test.each([3_600_000, -3_600_000])(
    'of a token comes at the same time if the wall clock is set by %i milliseconds',
    async (ms) => {
      const { clock, token } = setUp({ expires_in: 3600 });
      await token();
      clock.step(ms);
      await clock.sleep(3_539_999);
      expect(await token()).toBe('token-1');
      await clock.sleep(1);
      expect(await token()).toBe('token-2');
    },
  );

  test.each<[unknown]>([
    [undefined],
    [null],
    [0],
    [-1],
    [''],
    ['soon'],
    [true],
    [[60]],
    [{ valueOf: 1, toString: 1 }],
  ])('does not happen if the life is %j: the token is used until it is refused', async (life) => {
    const { clock, token } = setUp({ expires_in: life });
    await token();
    await clock.sleep(1e12);
    expect(await token()).toBe('token-1');
  });
});

describe('a refused token', () => {
  test('is replaced once for all who are refused', async () => {
    const { authorizer, asked } = setUp();
    const requests = [authorizer.begin(), authorizer.begin(), authorizer.begin()];
    for (const request of requests) await request.token();
    expect(requests.map((request) => request.rejectToken())).toEqual([true, true, true]);
    const tokens = await Promise.all(requests.map((request) => request.token()));
    expect(tokens).toEqual(['token-2', 'token-2', 'token-2']);
    expect(asked).toHaveLength(2);
  });

  test('that is no longer the current one is not replaced: the current one is tried', async () => {
    const { authorizer, asked } = setUp();
    const [early, late] = [authorizer.begin(), authorizer.begin()];
    await early.token();
    await late.token();
    early.rejectToken();
    expect(await early.token()).toBe('token-2');
    expect(late.rejectToken()).toBe(true);
    expect(await late.token()).toBe('token-2');
    expect(asked).toHaveLength(2);
  });

  test('that was obtained since the first refusal ends the request', async () => {
    const { authorizer } = setUp();
    const request = authorizer.begin();
    await request.token();
    expect(request.rejectToken()).toBe(true);
    await request.token();
    expect(request.rejectToken()).toBe(false);
  });

  test('never makes a request continue without end, whichever requests are refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 60 }),
        async (turns) => {
          const { authorizer } = setUp();
          const requests = Array.from({ length: 4 }, () => ({
            is: authorizer.begin(),
            refusals: 0,
          }));
          for (const turn of turns) {
            const request = requests[turn];
            if (!request || request.refusals < 0) continue;
            await request.is.token();
            request.refusals = request.is.rejectToken() ? request.refusals + 1 : -1;
            expect(request.refusals).toBeLessThanOrEqual(2);
          }
        },
      ),
    );
  });
});

test.each<[unknown, string | undefined]>([
  ['read:merchant', 'read:merchant'],
  ['', ''],
  [undefined, undefined],
  [7, undefined],
])('the scope %j of the reply is read as %j, and is not an error', async (scope, known) => {
  const { authorizer } = setUp({ scope });
  const request = authorizer.begin();
  expect(request.scope()).toBeUndefined();
  await request.token();
  expect(request.scope()).toBe(known);
});

describe('a failed exchange', () => {
  const failing = (failure: unknown) =>
    createV2Authorizer(credentials, () => Promise.reject(failure), new FakeClock())
      .begin()
      .token();

  test('because of refused credentials names where they come from, but does not show them', async () => {
    const refusal = new RequestFailure('give_up', 'authentication', 'HTTP 401', { where: 'there' });
    const error = await failing(refusal).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ failure: 'authentication', endsRun: true, where: 'there' });
    expect(error).toHaveProperty('hint', expect.stringContaining(credentials.origin));
    expect(JSON.stringify(error)).not.toContain('secret-1');
  });

  test('because of a fault is not tried again by the requests that need the token, and ends the run', async () => {
    const fault = new RequestFailure('retry', 'network', 'No answer.', { hint: 'Check it.' });
    const error = await failing(fault).catch((caught: unknown) => caught);
    expect(error).not.toBeInstanceOf(RequestFailure);
    expect(error).toMatchObject({
      failure: 'network',
      message: 'No answer.',
      hint: 'Check it.',
      endsRun: true,
    });
  });

  test('because the run was aborted keeps its reason', async () => {
    const reason = new Error('enough');
    await expect(failing(reason)).rejects.toBe(reason);
  });

  test('fails all requests that wait for it, and the next request asks again', async () => {
    let exchanges = 0;
    const authorizer = createV2Authorizer(
      credentials,
      async () => {
        exchanges += 1;
        await new Promise(setImmediate);
        if (exchanges === 1) throw new RequestFailure('retry', 'network', 'No answer.');
        return answer({ access_token: 'token-2' });
      },
      new FakeClock(),
    );
    const waiting = [1, 2, 3].map(() => authorizer.begin().token());
    for (const end of await Promise.allSettled(waiting)) expect(end.status).toBe('rejected');
    expect(exchanges).toBe(1);
    expect(await authorizer.begin().token()).toBe('token-2');
  });
});

describe("the exchange's answer", () => {
  const failure = (given: HttpAnswer): unknown => {
    try {
      readTokenAnswer(given);
      return 'read';
    } catch (error) {
      return error;
    }
  };

  test.each<[string, HttpAnswer, object]>([
    ['wrong credentials', answer('', 401), { policy: 'give_up', failure: 'authentication' }],
    ['a refused request', answer('{}', 400), { policy: 'give_up', failure: 'authentication' }],
    ['a forbidden one', answer('{}', 403), { policy: 'give_up', failure: 'authentication' }],
    ['a wrong address', answer('<html>', 404), { policy: 'give_up', failure: 'service' }],
    ['a redirect', answer('', 302), { policy: 'give_up', failure: 'service' }],
    ['a rate limit', answer('', 429), { policy: 'rate_limit' }],
    ['a fault', answer('<html>', 503), { policy: 'retry', failure: 'service' }],
    ['no JSON', answer('<html>'), { policy: 'retry', failure: 'service' }],
    ['no token', answer({ scope: 'x' }), { policy: 'retry', failure: 'service' }],
    ['an empty token', answer({ access_token: '' }), { policy: 'retry', failure: 'service' }],
    ['a number for it', answer({ access_token: 7 }), { policy: 'retry', failure: 'service' }],
    ['a token of two lines', answer({ access_token: 'a\nb' }), { policy: 'retry' }],
    ['one with a space', answer({ access_token: 'a b' }), { policy: 'retry' }],
    ['one beyond ASCII', answer({ access_token: 'tök€n' }), { policy: 'retry' }],
    [
      'a wrapper that refuses',
      answer({ status: { code: '1002' } }),
      { policy: 'new_credential', failure: 'authentication' },
    ],
    ['a wrapper with a fault', answer({ status: { code: '2001' } }), { policy: 'retry' }],
    ['a wrapper without a token', answer({ status: { code: '0' } }), { policy: 'retry' }],
  ])('fails if it is %s', (_, given, expected) => {
    expect(failure(given)).toBeInstanceOf(RequestFailure);
    expect(failure(given)).toMatchObject(expected);
  });

  test('gives a token, whatever other fields it has', () => {
    const token = { access_token: 'abc.DEF-_~+/=', status: { code: '1000' } };
    expect(failure(answer(token))).toBe('read');
  });

  test('of any JSON value gives a usable token or a failure of a known kind', async () => {
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          access_token: fc.oneof(fc.jsonValue(), fc.string(), fc.constant('token-1')),
          expires_in: fc.jsonValue(),
          scope: fc.jsonValue(),
          status: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    );
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(200, 400, 401, 500), async (sent, status) => {
        const given = answer(JSON.stringify(sent), status);
        const exchange = async () => {
          readTokenAnswer(given);
          return given;
        };
        const authorizer = createV2Authorizer(credentials, exchange, new FakeClock());
        try {
          expect(await authorizer.begin().token()).toMatch(/^[!-~]+$/);
        } catch (error) {
          if (!(error instanceof ReconError)) throw error;
          expect(error.endsRun).toBe(true);
        }
      }),
    );
  });
});
