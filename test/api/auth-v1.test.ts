import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createV1Authorizer, signedToken } from '../../src/api/auth.ts';
import { SigningSeconds } from '../../src/api/pacer.ts';
import { FakeClock } from '../support/fake-clock.ts';

const keys = { publicKey: 'pk_test_1', secret: 's3cr3t', origin: 'both are from somewhere' };

/** The payload of a token, as text. */
function payloadOf(token: string): string {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
}

function issuedAt(token: string): number {
  return Number(/"iat":(\d+)/.exec(payloadOf(token))?.[1]);
}

function setUp({
  clock = new FakeClock(),
  random = (): number => 0.5,
  run = new AbortController(),
} = {}) {
  const paced: number[] = [];
  let isOpen = Promise.resolve();
  const authorizer = createV1Authorizer(keys, {
    clock,
    signal: run.signal,
    random,
    observer: { paced: () => paced.push(clock.now()) },
    pacer: { waitForPause: () => isOpen, signingSeconds: () => new SigningSeconds() },
  });
  const close = () => {
    let open = () => {};
    isOpen = new Promise((resolve) => {
      open = resolve;
    });
    return open;
  };
  return { authorizer, clock, paced, close, run, token: () => authorizer.begin().token() };
}

describe('a token', () => {
  // Made with OpenSSL 3 (openssl base64 -A, openssl dgst -sha256 -hmac KEY -binary), not by this code.
  test.each([
    [
      'pk_test_1',
      's3cr3t',
      1775044800,
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJjaGFyZ2UtYXBpIiwiaWF0IjoxNzc1MDQ0ODAwLCJleHAiOjE3NzUwNDY2MDAsImlzcyI6InBrX3Rlc3RfMSJ9.Hk1UIiH2TI3opp87B9uYIyR5PUETAs1luWpyN1d69QE',
    ],
    [
      'key with "quotes" & ünïcode',
      'ключ>>>???',
      1775044801,
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJjaGFyZ2UtYXBpIiwiaWF0IjoxNzc1MDQ0ODAxLCJleHAiOjE3NzUwNDY2MDEsImlzcyI6ImtleSB3aXRoIFwicXVvdGVzXCIgJiDDvG7Dr2NvZGUifQ.5TCYz_9Lm7PETaq5MKObBTKzkvWYC5fb8KhGDb8cRVU',
    ],
  ])('is what openssl makes for %s', (publicKey, secret, at, expected) => {
    expect(signedToken({ publicKey, secret, origin: '' }, at)).toBe(expected);
  });

  test('has its fields in order, without white space, and a life of an hour at most', () => {
    expect(payloadOf(signedToken(keys, 1_000))).toBe(
      '{"sub":"charge-api","iat":1000,"exp":2800,"iss":"pk_test_1"}',
    );
    const [header = ''] = signedToken(keys, 1_000).split('.');
    expect(Buffer.from(header, 'base64url').toString()).toBe('{"alg":"HS256","typ":"JWT"}');
  });

  test('is signed over its encoded parts, in base64url without padding', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.nat(), (publicKey, secret, at) => {
        const token = signedToken({ publicKey, secret, origin: '' }, at);
        expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
        const [header, payload, signature = ''] = token.split('.');
        const binary = createHmac('sha256', secret).update(`${header}.${payload}`).digest();
        expect(Buffer.from(signature, 'base64url').equals(binary)).toBe(true);
        expect(JSON.parse(payloadOf(token))).toEqual({
          sub: 'charge-api',
          iat: at,
          exp: expect.any(Number),
          iss: publicKey,
        });
      }),
    );
  });
});

describe('the seconds', () => {
  test('are new for every token, in order, and never ahead of the clock', async () => {
    const { token, clock } = setUp({ clock: new FakeClock(1_775_044_800_250) });
    const ahead: number[] = [];
    const tokens = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const made = await token();
        ahead.push(issuedAt(made) - Math.floor(clock.now() / 1000));
        return made;
      }),
    );
    const seconds = tokens.map(issuedAt);
    expect(seconds).toEqual([0, 1, 2, 3, 4, 5].map((more) => 1_775_044_800 + more));
    expect(Math.max(...ahead)).toBeLessThanOrEqual(0);
    expect(clock.slept[0]).toBe(750);
  });

  test('are used only once if the clock is set back, and requests do not wait without need', async () => {
    const { token, clock } = setUp({ clock: new FakeClock(1_775_044_800_000) });
    const seconds = [issuedAt(await token())];
    await clock.sleep(10_000);
    for (const back of [1_000, 0, 3_600_000, 0]) {
      clock.step(-back);
      const now = clock.monotonic();
      seconds.push(issuedAt(await token()));
      expect(seconds.at(-1)).toBe(Math.floor(clock.now() / 1000));
      expect(clock.monotonic() - now).toBeLessThanOrEqual(1_000);
    }
    clock.step(3_600_000 - 3_000);
    const before = clock.monotonic();
    seconds.push(issuedAt(await token()));
    expect(clock.monotonic() - before).toBeLessThanOrEqual(3_000);
    expect(new Set(seconds).size).toBe(seconds.length);
  });

  test('cause one message in a run, and only if requests wait for each other', async () => {
    const { token, clock, paced } = setUp();
    await token();
    await clock.sleep(1_000);
    await token();
    expect(paced).toEqual([]);
    await Promise.all([token(), token(), token()]);
    expect(paced).toHaveLength(1);
  });

  test('are not taken while a rate limit holds all requests back', async () => {
    const { token, close, clock } = setUp();
    const open = close();
    const waiting = token();
    await clock.sleep(30_000);
    open();
    expect(issuedAt(await waiting)).toBe(clock.now() / 1000);
  });

  test('are not taken by a request that waited for one when a rate limit came', async () => {
    let onSleep = () => {};
    class Watched extends FakeClock {
      override sleep(ms: number, signal?: AbortSignal): Promise<void> {
        onSleep();
        return super.sleep(ms, signal);
      }
    }
    const clock = new Watched();
    const { token, close } = setUp({ clock });
    await token();
    let open = () => {};
    onSleep = () => {
      open = close();
      onSleep = () => {};
    };
    let taken = false;
    const waiting = token().then(() => {
      taken = true;
    });
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    expect(taken).toBe(false);
    open();
    await waiting;
  });

  test('end with the run, for all who wait', async () => {
    const { token, run } = setUp();
    const waiting = [token(), token(), token()];
    run.abort(new Error('enough'));
    for (const end of await Promise.allSettled(waiting)) {
      expect(end).toMatchObject({ status: 'rejected', reason: { message: 'enough' } });
    }
  });
});

describe('a refused token', () => {
  test('is followed by three tokens of new seconds, and then by the end of the request', async () => {
    const { authorizer } = setUp();
    const request = authorizer.begin();
    const seconds = [issuedAt(await request.token())];
    while (request.rejectToken()) seconds.push(issuedAt(await request.token()));
    expect(seconds).toHaveLength(4);
    expect(new Set(seconds).size).toBe(4);
  });

  test('is followed by one of a random second of the next few, so two runs do not keep the same seconds', async () => {
    const steps = async (random: () => number) => {
      const { authorizer } = setUp({ random });
      const request = authorizer.begin();
      const before = issuedAt(await request.token());
      request.rejectToken();
      return issuedAt(await request.token()) - before;
    };
    expect(await steps(() => 0)).toBe(1);
    expect(await steps(() => 0.5)).toBe(2);
    expect(await steps(() => 0.99)).toBe(4);
  });

  test('leads to advice that names a second user of the key, and not the key', () => {
    const { advice } = setUp().authorizer.begin();
    expect(advice).toMatch(/another program .* same key/);
    expect(advice).toContain(keys.origin);
    expect(advice).not.toContain(keys.secret);
  });
});
