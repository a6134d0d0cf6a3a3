import { onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Scenario } from '../../src/sandbox/scenario.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { parseFaults } from './faults.ts';

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed text; undefined where it isn't JSON. */
  readonly json: unknown;
}

interface Question {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** Sent as it is. */
  readonly text?: string;
}

/** A sandbox and the barest client for it. */
export interface Caller {
  readonly sandbox: Sandbox;
  readonly scenario: Scenario;
  readonly clock: FakeClock;
  ask(path: string, question?: Question): Promise<Reply>;
  /** A token by the rules; '' where it is refused. */
  token(): Promise<string>;
  /** With a token of its own, fetched once. */
  headers(body?: unknown): Promise<Reply>;
  rows(body?: unknown): Promise<Reply>;
}

/** Starts a sandbox that is closed when the test ends. */
export async function call(
  scenario: string | Scenario = 'balanced',
  ...faults: string[]
): Promise<Caller> {
  const loaded = typeof scenario === 'string' ? await loadScenario(scenario) : scenario;
  const clock = new FakeClock();
  const sandbox = await startSandbox({ scenario: loaded, faults: parseFaults(faults), clock });
  onTestFinished(() => sandbox.close());

  const ask = async (path: string, { method = 'POST', headers, text }: Question = {}) => {
    const response = await fetch(sandbox.baseUrl + path, {
      method,
      ...(headers && { headers }),
      ...(text !== undefined && { body: text }),
    });
    const received = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text: received,
      json: parse(received),
    };
  };
  const token = async () => {
    const reply = await ask('/oauth/token', exchange(sandbox));
    return String(at(reply.json, 'access_token') ?? '');
  };
  let own: Promise<string> | undefined;
  const operation = (path: string) => async (body: unknown) => {
    own ??= token();
    return ask(path, authorised(await own, body));
  };
  return {
    sandbox,
    scenario: loaded,
    clock,
    ask,
    token,
    headers: (body = {}) => operation(headersPath)(body),
    rows: (body = {}) => operation(rowsPath)(body),
  };
}

export const headersPath = '/v1/merchant/settlement';
export const rowsPath = '/v1/merchant/settlement/transactions';

/** A good question for a token, with some fields changed. */
export function exchange({ credentials }: Sandbox, changed: Record<string, unknown> = {}) {
  const body = {
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
    audience: credentials.audience,
    grant_type: 'client_credentials',
    ...changed,
  };
  return { headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) };
}

export function authorised(token: string, body: unknown) {
  return {
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    text: JSON.stringify(body),
  };
}

/** What lies at a path of keys in a JSON value. */
export function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value,
  );
}

/** The wrapper's code. */
export function code(reply: Reply): unknown {
  return at(reply.json, 'status', 'code');
}

/** The records of a page. */
export function data(reply: Reply): Record<string, unknown>[] {
  const records = at(reply.json, 'data');
  if (!Array.isArray(records)) throw new Error(`no data in ${reply.text.slice(0, 200)}`);
  return records;
}

/** The values of one field. */
export function ids(reply: Reply, field = 'transactionId'): unknown[] {
  return data(reply).map((record) => record[field]);
}

/** A scenario of one balanced settlement with rows 0, 1, 2 ..., whose ids are their numbers. */
export function numbered(count: number): Scenario & { readonly id: string } {
  const id = '00000000-0000-4000-8000-000000000001';
  const rows = Array.from({ length: count }, (_, index) => ({ transactionId: index }));
  const header = { settlementId: id, settlementDate: '2026-03-04T00:00:00Z' };
  return {
    id,
    name: 'numbered',
    about: 'numbered rows',
    period: { from: '2026-03-01', to: '2026-03-31' },
    names: {},
    settlements: [{ header, rows }],
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
