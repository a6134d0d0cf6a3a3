import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { rawHeader, rawRow } from '../../api/raw.ts';
import { type Reply, serve } from '../../base/http/loopback.ts';
import { connectionTo, march } from '../../cli/service.ts';
import { type RunResult, runRecon } from '../../support/run-recon.ts';

const million = 1_000_000;
/** What a run may take beyond what the process holds already; a body may have 16 MB. */
const mostMegabytes = 500;

/** What to answer to a request at an offset. */
type Answerer = (offset: number) => Reply;

interface Hostile {
  readonly headers?: Answerer | undefined;
  readonly rows?: Answerer | undefined;
}

interface Outcome extends RunResult {
  readonly megabytes: number;
  /** Requests for settlements and rows. */
  readonly requests: number;
}

/** Runs `recon settlements` before a service that means harm. */
async function face({ headers, rows }: Hostile, format = 'json'): Promise<Outcome> {
  const { url, received } = await serve(({ path, body }) => {
    if (path === '/oauth/token') return { body: { access_token: 'an-access-token' } };
    const [reply, usual] = path.endsWith('/transactions')
      ? [rows, rawRow()]
      : [headers, rawHeader()];
    return (reply ?? listOf(JSON.stringify(usual)))(Number(body?.['offset']));
  });
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  try {
    const args = ['settlements', ...march, '--format', format];
    const run = await runRecon(args, { env: connectionTo(url) });
    const asked = received.filter(({ path }) => path !== '/oauth/token');
    peak = Math.max(peak, process.memoryUsage.rss());
    return { ...run, megabytes: (peak - before) / million, requests: asked.length };
  } finally {
    clearInterval(watch);
  }
}

/** A success with these records, as text. */
function page(records: string): Reply {
  return raw(`{"status":{"code":"0","response":"Success"},"data":[${records}]}`);
}

/** A list of one record. */
function listOf(record: string): Answerer {
  return (offset) => page(offset === 0 ? record : '');
}

/** A body as it is. */
function raw(body: string | Buffer, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
}

/** A record in which one field has the value of a JSON text. */
function withField(record: object, field: string, json: string): string {
  const { [field]: _, ...others } = record as Record<string, unknown>;
  return `${JSON.stringify(others).slice(0, -1)},${JSON.stringify(field)}:${json}}`;
}

describe('a body without end', { timeout: 60_000 }, () => {
  test('of 1 GB is cut off at 16 MB, and is not asked for again', async () => {
    let sent = 0;
    const piece = Buffer.alloc(million, ' ');
    const pour = async (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const closed = once(response, 'close');
      while (sent < 1000 * million && !response.destroyed) {
        sent += piece.length;
        if (response.write(piece)) continue;
        await Promise.race([once(response, 'drain'), closed]);
      }
      response.end();
    };
    const run = await face({ headers: () => (response) => void pour(response) });
    expect([run.exitCode, run.stdout, run.requests]).toEqual([4, '', 1]);
    expect(run.stderr).toContain('too large');
    expect(sent).toBeLessThan(200 * million);
    expect(run.megabytes).toBeLessThan(mostMegabytes);
  });

  test('that unpacks to 1 GB is never unpacked in full', async () => {
    // What was packed in parts unpacks to all of them, one after the other.
    const part = gzipSync(Buffer.alloc(10 * million, ' '));
    const bomb = Buffer.concat(Array.from({ length: 100 }, () => part));
    const run = await face({ headers: () => raw(bomb, { 'content-encoding': 'gzip' }) });
    expect([run.exitCode, run.stdout]).toEqual([4, '']);
    expect(run.stderr).toContain('error');
    expect(run.megabytes).toBeLessThan(mostMegabytes);
  });
});

describe('a page', { timeout: 60_000 }, () => {
  const manyObjects = page(`${'{},'.repeat(100_000)}{}`);
  const deep = '['.repeat(30_000) + ']'.repeat(30_000);

  test.each<[string, Hostile]>([
    ['of 100,001 settlements', { headers: () => manyObjects }],
    ['of 100,001 rows', { rows: () => manyObjects }],
    ['with a settlement nested without end', { headers: listOf(deep) }],
    ['with a row nested without end', { rows: listOf(deep) }],
    ['with fees nested without end', { headers: listOf(withField(rawHeader(), 'fees', deep)) }],
    ['with an amount nested without end', { rows: listOf(withField(rawRow(), 'amount', deep)) }],
  ])('%s makes the report incomplete', async (_, hostile) => {
    const run = await face(hostile);
    expect(run.exitCode).toBe(4);
    expect(JSON.parse(run.stdout)).toMatchObject({ verdict: 'incomplete' });
    expect(run.megabytes).toBeLessThan(mostMegabytes);
  });
});

describe('a field', { timeout: 60_000 }, () => {
  test.each([
    ['a million digits', '9'.repeat(million)],
    ['many decimals', `1000.${'0'.repeat(million)}1`],
    ['an exponent of many digits', `1e${'9'.repeat(million)}`],
    ['minus infinity', '-1e400'],
    ['what JavaScript would round', '9007199254740993'],
  ])('of %s is not an amount', async (_, json) => {
    const run = await face({ rows: listOf(withField(rawRow(), 'amount', json)) });
    expect(run.exitCode).toBe(4);
    const [settlement] = JSON.parse(run.stdout).settlements;
    expect(settlement).toMatchObject({ verdict: 'incomplete', computed: null });
  });

  test.each(['table', 'csv', 'json'])(
    'of a million letters is shown in time: %s',
    async (format) => {
      const long = 'x'.repeat(million);
      const header = rawHeader({ settlementId: long, currencyCode: long, settlementStatus: long });
      const row = rawRow({ currencyCode: long, settlementId: long });
      const [headers, rows] = [header, row].map((record) => listOf(JSON.stringify(record)));
      const run = await face({ headers, rows }, format);
      expect(run.exitCode).toBe(0);
      if (format === 'table') expect(run.stdout.length).toBeLessThan(million);
      else expect(run.stdout).toContain(long);
    },
  );

  test('that is repeated has its last value, as in JavaScript', async () => {
    const row = withField(rawRow(), 'tax', '6,"amount":999,"amount":1000');
    const run = await face({ rows: listOf(row) });
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stdout).settlements).toMatchObject([
      { verdict: 'balanced', computed: { gross: { amount: '10.00' } } },
    ]);
  });

  test.each(['__proto__', 'constructor', 'toString', '\ud800'])(
    'with the text %j is read as text, as a value and as a name',
    async (text) => {
      const texts = { accountingToken: text, currencyCode: text, settlementStatus: text };
      const header = withField(rawHeader(texts), text, '{"amountGross":1}');
      const states = { currencyCode: text, state: text, transactionType: text };
      const row = withField(rawRow(states), text, '{"amount":1}');
      const run = await face({ headers: listOf(header), rows: listOf(row) });
      expect(run.exitCode).toBe(0);
      expect(JSON.parse(run.stdout)).toMatchObject({
        groups: [{ accountingToken: text, currency: text, unknownStatus: { settlements: 1 } }],
        settlements: [
          {
            ...{ verdict: 'pending', verdictReason: 'unknown_status', status: text },
            computed: { gross: { minor: '1000' } },
          },
        ],
      });
    },
  );
});

test('invalid chunks are a broken connection, and the request is tried again', async () => {
  const garbage =
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n{"status":\r\n0\r\n\r\n';
  const run = await face({ headers: () => (response) => response.socket?.end(garbage) });
  expect([run.exitCode, run.stdout, run.requests]).toEqual([4, '', 6]);
  expect(run.stderr).toContain('No valid HTTP answer from');
});
