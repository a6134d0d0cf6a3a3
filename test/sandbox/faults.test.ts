import { describe, expect, it } from 'vitest';
import { at, call, code, data, exchange, headersPath, numbered } from './caller.ts';
import { faultNames, parseFaults } from './faults.ts';

describe('the faults on the command line', () => {
  it('have a name of their own, a usage and a line of description', () => {
    const names = faultNames.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, usage, about } of faultNames) {
      expect(usage.startsWith(name)).toBe(true);
      expect(about).not.toBe('');
    }
  });

  it('are read with name, value and place, in the order of their kinds', () => {
    const faults = parseFaults(['page-max=30', 'repeat', 'wrapper-2001=first:2@rows']);
    expect(faults).toMatchObject([
      { name: 'wrapper-2001', value: 'first:2', where: 'rows' },
      { name: 'page-max', value: '30', where: '' },
      { name: 'repeat', value: '', where: '' },
    ]);
  });

  it.each([
    'nonsense',
    '',
    'toString',
    'page-max',
    'page-max=0',
    'page-max=ten',
    'page-max=10-',
    'repeat=twice',
    'http-503=first',
    'http-503=often:2',
    'http-503=first:2@nowhere',
    'ignore-offset=1',
    'late-settlement',
    'late-settlement=1@rows',
    'slow',
    'token-life=0',
    'token-life=1@rows',
    'token-uses',
    'rate-limit',
    'rate-limit=fast',
    'rate-limit=5,0',
    'http-rate-limit=5,5,5',
    'retry-after',
    'empty-data=undefined',
    'scope-missing=1',
    'charge-scheme',
    'charge-scheme=v3',
    'charge-scheme=v1@charge',
    'auth-by-wrapper=1',
  ])('are refused if they are invalid: %s', (text) => {
    expect(() => parseFaults([text])).toThrow(`ault "${text}"`);
  });

  it('are listed in the message about an unknown one', () => {
    expect(() => parseFaults(['nonsense'])).toThrow('page-max');
  });
});

describe('a request with a fault', () => {
  /** Codes of six requests for rows. */
  async function codes(...faults: string[]) {
    const scenario = numbered(3);
    const { rows } = await call(scenario, ...faults);
    const replies = [];
    for (let index = 0; index < 6; index += 1) {
      replies.push(code(await rows({ settlementId: scenario.id })));
    }
    return replies.join(' ');
  }

  it('is every one, the first ones, each Nth or the Nth', async () => {
    expect(await codes('wrapper-2001')).toBe('2001 2001 2001 2001 2001 2001');
    expect(await codes('wrapper-2001=always')).toBe('2001 2001 2001 2001 2001 2001');
    expect(await codes('wrapper-2001=first:2')).toBe('2001 2001 0 0 0 0');
    expect(await codes('wrapper-2001=every:3')).toBe('0 0 2001 0 0 2001');
    expect(await codes('wrapper-2001=on:2')).toBe('0 2001 0 0 0 0');
  });

  it('is counted among requests without other faults', async () => {
    expect(await codes('wrapper-2001=first:1', 'wrapper-1000=first:1')).toBe('1000 2001 0 0 0 0');
  });

  it('is at the place of the fault', async () => {
    const { headers, rows, scenario } = await call('balanced', 'wrapper-1010@headers');
    const settlementId = scenario.settlements[0]?.header['settlementId'];
    expect(code(await headers())).toBe('1010');
    expect(code(await rows({ settlementId }))).toBe('0');
  });

  it('may be for one settlement', async () => {
    const { settlements } = (await call()).scenario;
    const [first, second] = settlements.map(({ header }) => header['settlementId']);
    const { headers, rows } = await call('balanced', `wrapper-1010@${second}`);
    expect(code(await rows({ settlementId: first }))).toBe('0');
    expect(code(await rows({ settlementId: second }))).toBe('1010');
    expect(code(await headers({ settlementId: second }))).toBe('0');
  });

  it('may be for the token', async () => {
    const { ask, sandbox } = await call('balanced', 'http-401@token', 'wrapper-1001');
    expect((await ask('/oauth/token', exchange(sandbox))).status).toBe(401);
  });

  it.each(['429', '1000', '1001', '1002', '1010', '1020', '2001', '9999'])(
    'is answered with wrapper code %s in an HTTP 200',
    async (wanted) => {
      const { headers } = await call('balanced', `wrapper-${wanted}`);
      const reply = await headers();
      expect(reply.status).toBe(200);
      expect(reply.json).toEqual({
        status: { code: wanted, response: 'Fail', message: expect.any(String) },
      });
    },
  );

  it.each([400, 401, 403, 408, 429, 500, 502, 503, 504])(
    'is answered with HTTP %i and a web page',
    async (status) => {
      const { headers } = await call('balanced', `http-${status}`);
      const reply = await headers();
      expect(reply.status).toBe(status);
      expect(reply.headers.get('content-type')).toContain('text/html');
      expect(reply.headers.get('retry-after')).toBeNull();
      expect(reply.text).toContain('<html>');
    },
  );

  it('has Retry-After on request, for HTTP and the wrapper', async () => {
    const { headers } = await call(
      'balanced',
      'http-429=on:1',
      'wrapper-429=on:1',
      'retry-after=120',
    );
    const replies = [await headers(), await headers(), await headers()];
    expect(replies.map((reply) => reply.headers.get('retry-after'))).toEqual(['120', '120', null]);
  });

  it('is answered with a web page that looks like success', async () => {
    const { headers } = await call('balanced', 'html');
    const reply = await headers();
    expect([reply.status, reply.json]).toEqual([200, undefined]);
  });

  it('is answered with half of the JSON', async () => {
    const { headers } = await call('balanced', 'truncated=on:2');
    const whole = (await headers()).text;
    const half = await headers();
    expect(half.status).toBe(200);
    expect(half.json).toBeUndefined();
    expect(whole.startsWith(half.text)).toBe(true);
  });

  it('is answered with a byte that is not UTF-8', async () => {
    const { headers } = await call('balanced', 'not-utf8=on:1');
    expect((await headers()).text).toContain('\ufffd');
    expect((await headers()).text).not.toContain('\ufffd');
  });

  it('has an answer that ends in the middle or never begins', async () => {
    const { headers, sandbox } = await call('balanced', 'broken-off=on:1', 'reset=on:2');
    await expect(headers()).rejects.toThrow();
    await expect(headers()).rejects.toThrow();
    expect(code(await headers())).toBe('0');
    expect(sandbox.requests.map(({ status }) => status)).toEqual([200, 200, 0, 200]);
  });

  it('is delayed', async () => {
    const { headers, rows, clock, scenario } = await call('balanced', 'slow=250@rows');
    await headers();
    await rows({ settlementId: scenario.settlements[0]?.header['settlementId'] });
    expect(clock.slept).toEqual([250]);
  });
});

describe('a rate limit', () => {
  it('allows a reserve of requests, then so many per second', async () => {
    const { headers, clock } = await call('balanced', 'rate-limit=2,3');
    const codesNow = async () => {
      const codes = [];
      for (let request = 0; request < 5; request += 1) codes.push(code(await headers()));
      return codes.join(' ');
    };
    expect(await codesNow()).toBe('0 0 0 429 429');
    await clock.sleep(1000);
    clock.step(-3_600_000);
    expect(await codesNow()).toBe('0 0 429 429 429');
    await clock.sleep(60_000);
    expect(await codesNow()).toBe('0 0 0 429 429');
  });

  it('has a reserve of one second by default', async () => {
    const { headers } = await call('balanced', 'rate-limit=2');
    expect([await headers(), await headers(), await headers()].map(code)).toEqual([
      '0',
      '0',
      '429',
    ]);
  });

  it('may be an HTTP status with a time to wait', async () => {
    const { headers } = await call('balanced', 'http-rate-limit=1', 'retry-after=1');
    const replies = [await headers(), await headers()];
    expect(replies.map(({ status }) => status)).toEqual([200, 429]);
    expect(replies.map((reply) => reply.headers.get('retry-after'))).toEqual([null, '1']);
  });

  it('may apply to one operation', async () => {
    const { headers, rows, scenario } = await call('balanced', 'rate-limit=1@rows');
    const settlementId = scenario.settlements[0]?.header['settlementId'];
    expect([await headers(), await headers()].map(code)).toEqual(['0', '0']);
    const replies = [await rows({ settlementId }), await rows({ settlementId })];
    expect(replies.map(code)).toEqual(['0', '429']);
  });
});

describe('a token', () => {
  it('expires after the given time', async () => {
    const { ask, headers, clock, sandbox } = await call('balanced', 'token-life=5');
    expect(at((await ask('/oauth/token', exchange(sandbox))).json, 'expires_in')).toBe(5);
    expect(code(await headers())).toBe('0');
    await clock.sleep(5000);
    expect((await headers()).status).toBe(401);
  });

  it('is refused after N uses, and a new one is accepted', async () => {
    const { headers, ask, token, sandbox } = await call('balanced', 'token-uses=2');
    const statuses = [await headers(), await headers(), await headers()].map((r) => r.status);
    expect(statuses).toEqual([200, 200, 401]);
    const headersOfFresh = {
      'content-type': 'application/json',
      authorization: `Bearer ${await token()}`,
    };
    expect((await ask(headersPath, { headers: headersOfFresh, text: '{}' })).status).toBe(200);
    expect(sandbox.requests.filter(({ code: wrapper }) => wrapper === '1002')).toHaveLength(1);
  });

  it('is refused only by the wrapper on request', async () => {
    const { headers, ask } = await call('balanced', 'auth-by-wrapper', 'token-uses=1');
    await headers();
    for (const reply of [await headers(), await ask(headersPath, { text: '{}' })]) {
      expect([reply.status, code(reply)]).toEqual([200, '1002']);
    }
  });

  it('has no access without a scope', async () => {
    const { headers, ask, sandbox } = await call('balanced', 'scope-missing');
    const reply = await ask('/oauth/token', exchange(sandbox));
    expect(at(reply.json, 'scope')).toBe('read:merchant');
    expect(code(await headers())).toBe('1001');
  });
});

describe('an empty page', () => {
  it.each([
    ['absent', { status: { code: '0', response: 'Success' } }],
    ['null', { status: { code: '0', response: 'Success' }, data: null }],
    ['object', { status: { code: '0', response: 'Success' }, data: {} }],
  ])('has data of another form: %s', async (form, answer) => {
    const { headers } = await call('balanced', `empty-data=${form}`);
    expect(data(await headers())).toHaveLength(9);
    expect((await headers({ offset: 9 })).json).toEqual(answer);
  });
});
