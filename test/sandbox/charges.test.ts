import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { at, authorised, type Caller, call, code, headersPath } from './caller.ts';

const fixture = await loadScenario('charges');
const [first = '', ...others] = (fixture.charges ?? []).map(({ charge_id }) => String(charge_id));

/** What a V1 token is made of, by doc 5.1; each part may be spoilt. */
interface Parts {
  readonly header?: string;
  readonly payload?: string;
  readonly secret?: string;
  readonly encode?: (text: string) => string;
}

const base64url = (text: string) => Buffer.from(text).toString('base64url');

function sign({
  header = '{"alg":"HS256","typ":"JWT"}',
  payload = '',
  secret,
  encode = base64url,
}: Parts) {
  const text = `${encode(header)}.${encode(payload)}`;
  const key = secret ?? 'sandbox-jwt-secret';
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

function payloadAt({ clock }: Caller, life = 3600, issuer = 'sandbox-jwt-public-key') {
  const iat = Math.floor(clock.now() / 1000);
  return `{"sub":"charge-api","iat":${iat},"exp":${iat + life},"iss":"${issuer}"}`;
}

const get = ({ ask }: Caller, id: string, token?: string) =>
  ask(`/charge/${id}`, {
    method: 'GET',
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  });

describe('a charge', () => {
  it('is answered without a wrapper, as it is in the scenario', async () => {
    const caller = await call('charges');
    const reply = await get(caller, first, await caller.token());
    expect([reply.status, reply.json]).toEqual([200, fixture.charges?.[0]]);
  });

  it('is refused with HTTP 401 without a credential, and with 404 if it does not exist', async () => {
    const caller = await call('charges');
    expect((await get(caller, first)).status).toBe(401);
    expect((await get(caller, first, 'nonsense')).status).toBe(401);
    const unknown = await get(caller, '00000000-0000-4000-8000-000000000000', await caller.token());
    expect([unknown.status, code(unknown)]).toEqual([404, undefined]);
  });

  it('is the same in capital letters, written in the scenario or made from rows', async () => {
    const caller = await call('charges');
    const token = await caller.token();
    const listed = String(caller.scenario.settlements[2]?.rows[0]?.['chargeId']);
    for (const id of [first, listed]) {
      const reply = await get(caller, id.toUpperCase(), token);
      expect([reply.status, at(reply.json, 'charge_id')]).toEqual([200, id]);
    }
  });

  it.each(['%E0%A4%A', '%', '%ff'])('is not found if its id is not text: %s', async (id) => {
    const caller = await call('charges');
    expect((await get(caller, id, await caller.token())).status).toBe(404);
  });

  it('is read only by GET', async () => {
    const caller = await call('charges');
    const reply = await caller.ask(`/charge/${first}`, authorised(await caller.token(), {}));
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET']);
  });

  it('has the form of the document, unless its fixture says otherwise', async () => {
    for (const charge of fixture.charges ?? []) {
      expect(Object.keys(charge)).toEqual(
        expect.arrayContaining(['charge_id', 'order', 'payments', 'status', 'summary_amounts']),
      );
      expect(at(charge, 'order', 'customer', 'entity_type')).toBe('person');
    }
    expect(others).toHaveLength(10);
  });

  it('of a row is made from its rows, with two decimal places in every currency', async () => {
    const caller = await call('month');
    const rows = caller.scenario.settlements.flatMap((one) => one.rows);
    const refund = rows.find((row) => row['transactionType'] === 'refund');
    const yen = rows.find((row) => row['currencyCode'] === 'JPY');
    const read = async (row: typeof yen) =>
      (await get(caller, String(row?.['chargeId']), await caller.token())).json;
    expect(at(await read(yen), 'summary_amounts', 'settled_amount')).toBe(
      Number(yen?.['amount']) * 100,
    );
    const refunded = await read(refund);
    expect(at(refunded, 'status', 'status')).toBe('refunded');
    expect(at(refunded, 'summary_amounts', 'completed_amount')).toBe(0);
    expect(at(refunded, 'summary_amounts', 'refunded_amount')).toBe(-Number(refund?.['amount']));
  });

  it('that is refunded whole is as in doc 2.5, written or made from rows', async () => {
    for (const scenario of ['charges', 'month']) {
      const caller = await call(scenario);
      const refund = caller.scenario.settlements
        .flatMap((one) => one.rows)
        .find((row) => row['transactionType'] === 'refund');
      const { json } = await get(caller, String(refund?.['chargeId']), await caller.token());
      const original = -Number(refund?.['amount']);
      expect(original).toBeGreaterThan(0);
      expect(json).toMatchObject({
        status: { status: 'refunded' },
        event: { action: 'refund', status: 'refunded' },
        summary_amounts: {
          original_order_total: original,
          current_order_total: 0,
          completed_amount: 0,
          refunded_amount: original,
        },
      });
    }
  });

  it('of a declined row was not authorised', async () => {
    const caller = await call('two-causes');
    const row = caller.scenario.settlements[0]?.rows.find((one) => one['state'] === 'declined');
    const { json } = await get(caller, String(row?.['chargeId']), await caller.token());
    expect(at(json, 'status', 'status')).toBe('not_authorised');
    expect(at(json, 'error_message')).toBeTypeOf('string');
  });

  it('with more than two decimal places is not found', async () => {
    const caller = await call('balanced');
    const row = caller.scenario.settlements
      .flatMap((one) => one.rows)
      .find((one) => one['amount'] === 20125);
    expect((await get(caller, String(row?.['chargeId']), await caller.token())).status).toBe(404);
  });
});

describe('a V1 token', () => {
  it('with the exact form is accepted once', async () => {
    const caller = await call('charges');
    const token = sign({ payload: payloadAt(caller) });
    expect((await get(caller, first, token)).status).toBe(200);
    expect((await get(caller, first, token)).status).toBe(401);
    await caller.clock.sleep(1_000);
    expect((await get(caller, first, sign({ payload: payloadAt(caller) }))).status).toBe(200);
  });

  it('of the same second as another is refused', async () => {
    const caller = await call('charges');
    const statusOf = async (life: number) =>
      (await get(caller, first, sign({ payload: payloadAt(caller, life) }))).status;
    expect([await statusOf(60), await statusOf(61)]).toEqual([200, 401]);
  });

  it('is accepted for settlements too', async () => {
    const caller = await call('charges');
    const question = authorised(sign({ payload: payloadAt(caller) }), {});
    expect(code(await caller.ask(headersPath, question))).toBe('0');
    expect(code(await caller.ask(headersPath, question))).toBe('1002');
  });

  it.each<[string, (caller: Caller) => Parts & { readonly text?: string }]>([
    ['of another order of fields', (caller) => ({ payload: swapped(payloadAt(caller)) })],
    ['with white space', (caller) => ({ payload: payloadAt(caller).replace(',', ', ') })],
    [
      'with white space in its header',
      (caller) => ({ header: '{"alg": "HS256","typ":"JWT"}', payload: payloadAt(caller) }),
    ],
    [
      'with another order in its header',
      (caller) => ({ header: '{"typ":"JWT","alg":"HS256"}', payload: payloadAt(caller) }),
    ],
    ['that lives for more than an hour', (caller) => ({ payload: payloadAt(caller, 3601) })],
    ['that has expired', (caller) => ({ payload: payloadAt(caller, 0) })],
    ['of another issuer', (caller) => ({ payload: payloadAt(caller, 60, 'another') })],
    ['of another subject', (caller) => ({ payload: payloadAt(caller).replace('charge-api', 'x') })],
    ['signed with another secret', (caller) => ({ payload: payloadAt(caller), secret: 'another' })],
    [
      'with padding',
      (caller) => ({
        payload: payloadAt(caller, 60),
        encode: (text) => Buffer.from(text).toString('base64'),
      }),
    ],
    ['of a second that has not come yet', (caller) => ({ payload: later(payloadAt(caller, 60)) })],
    [
      'of a fraction of a second',
      (caller) => ({ payload: payloadAt(caller).replace(/"iat":\d+/, '$&.5') }),
    ],
  ])('%s is refused', async (_, spoil) => {
    const caller = await call('charges');
    const reply = await get(caller, first, sign(spoil(caller)));
    expect([reply.status, code(reply)]).toEqual([401, undefined]);
    // Nothing is used up by it.
    expect((await get(caller, first, sign({ payload: payloadAt(caller) }))).status).toBe(200);
  });

  it('with a signature in hexadecimal, padded or cut is refused', async () => {
    const caller = await call('charges');
    const token = sign({ payload: payloadAt(caller) });
    const [header, payload, signature = ''] = token.split('.');
    const hex = Buffer.from(signature, 'base64url').toString('hex');
    for (const spoilt of [hex, `${signature}=`, signature.slice(0, -1), '']) {
      expect((await get(caller, first, `${header}.${payload}.${spoilt}`)).status).toBe(401);
    }
    expect((await get(caller, first, `${token}.`)).status).toBe(401);
  });
});

describe('the scheme of charges', () => {
  it.each([
    ['v1', 401, 200],
    ['v2', 200, 401],
  ])('may be only %s', async (scheme, v2, v1) => {
    const caller = await call('charges', `charge-scheme=${scheme}`);
    expect((await get(caller, first, await caller.token())).status).toBe(v2);
    expect((await get(caller, first, sign({ payload: payloadAt(caller) }))).status).toBe(v1);
    expect(code(await caller.headers())).toBe('0');
  });

  it('does not depend on the scopes of settlements', async () => {
    const caller = await call('charges', 'scope-missing');
    expect((await get(caller, first, await caller.token())).status).toBe(200);
    expect(code(await caller.headers())).toBe('1001');
  });
});

it('a fault may apply only to charges', async () => {
  const caller = await call('charges', 'http-503@charge');
  expect((await get(caller, first, await caller.token())).status).toBe(503);
  expect(code(await caller.headers())).toBe('0');
});

function swapped(payload: string): string {
  return payload.replace(/("iat":\d+),("exp":\d+)/, '$2,$1');
}

function later(payload: string): string {
  return payload.replace(/\d+/g, (seconds) => String(Number(seconds) + 5));
}
