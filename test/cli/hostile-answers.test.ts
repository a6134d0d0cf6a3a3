import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Reply, serve } from '../api/loopback.ts';
import { rawHeader, rawRow } from '../api/raw.ts';
import { type RunResult, runRecon } from '../support/run-recon.ts';
import { connectionTo, march } from './service.ts';

const million = 1_000_000;
/** What a run may take beyond what the process holds already; a body may have 16 MB. */
const mostMegabytes = 500;

interface Hostile {
  /** For each request for settlements or for rows. */
  readonly headers?: Reply;
  readonly rows?: Reply;
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
    const [reply, record] = path.endsWith('/transactions')
      ? [rows, rawRow()]
      : [headers, rawHeader()];
    return reply ?? page(body?.['offset'] === 0 ? JSON.stringify(record) : '');
  });
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 10);
  try {
    const args = ['settlements', ...march, '--format', format];
    const run = await runRecon(args, { env: connectionTo(url) });
    const asked = received.filter(({ path }) => path !== '/oauth/token');
    peak = Math.max(peak, process.memoryUsage().rss);
    return { ...run, megabytes: (peak - before) / million, requests: asked.length };
  } finally {
    clearInterval(watch);
  }
}

/** A success with these records, as text. */
function page(records: string): Reply {
  return raw(`{"status":{"code":"0","response":"Success"},"data":[${records}]}`);
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
  test('of 1 GB is broken off at 16 MB, and not asked for again', async () => {
    let sent = 0;
    const piece = Buffer.alloc(million, ' ');
    const pour = async (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.on('error', () => {});
      while (sent < 1000 * million && !response.destroyed) {
        sent += piece.length;
        if (!response.write(piece)) {
          await Promise.race([once(response, 'drain'), once(response, 'close')]);
        }
      }
      response.end();
    };
    const run = await face({ headers: (response) => void pour(response) });
    expect([run.exitCode, run.stdout, run.requests]).toEqual([4, '', 1]);
    expect(run.stderr).toContain('too large');
    expect(sent).toBeLessThan(100 * million);
    expect(run.megabytes).toBeLessThan(mostMegabytes);
  });

  test('that unpacks to 1 GB is never unpacked whole', async () => {
    const bomb = gzipSync(Buffer.alloc(1000 * million, ' '), { level: 1 });
    const run = await face({ headers: raw(bomb, { 'content-encoding': 'gzip' }) });
    expect([run.exitCode, run.stdout]).toEqual([4, '']);
    expect(run.stderr).toContain('error');
    expect(run.megabytes).toBeLessThan(mostMegabytes);
  });
});

describe('a page', { timeout: 60_000 }, () => {
  test.each([
    ['numbers', '0'],
    ['objects', '{}'],
    ['texts', '""'],
  ])('of millions of %s is not taken apart beyond what was asked for', async (_, record) => {
    const records = `${record},`.repeat(4 * million) + record;
    for (const hostile of [{ headers: page(records) }, { rows: page(records) }]) {
      const run = await face(hostile);
      expect(run.exitCode).toBe(4);
      expect(JSON.parse(run.stdout)).toMatchObject({ verdict: 'incomplete' });
      expect(run.megabytes).toBeLessThan(mostMegabytes);
    }
  });

  test('that is nested a million times deep makes its record unreadable', async () => {
    const deep = '['.repeat(million) + ']'.repeat(million);
    for (const hostile of [
      { headers: page(deep) },
      { headers: page(withField(rawHeader(), 'fees', deep)) },
      { rows: page(deep) },
      { rows: page(withField(rawRow(), 'amount', deep)) },
    ]) {
      const run = await face(hostile);
      expect(run.exitCode).toBe(4);
      expect(JSON.parse(run.stdout)).toMatchObject({ verdict: 'incomplete' });
    }
  });
});

describe('a field', { timeout: 60_000 }, () => {
  test.each([
    ['a million digits', '9'.repeat(million)],
    ['a million decimals', `1.${'0'.repeat(million)}1`],
    ['an exponent of a million digits', `1e${'9'.repeat(million)}`],
    ['minus infinity', '-1e400'],
    ['what JavaScript would round', '9007199254740993'],
  ])('of %s is no amount', async (_, json) => {
    const run = await face({ rows: page(withField(rawRow(), 'amount', json)) });
    expect(run.exitCode).toBe(4);
    const [settlement] = JSON.parse(run.stdout).settlements;
    expect(settlement).toMatchObject({ verdict: 'incomplete', computed: null });
  });

  test.each(['table', 'csv', 'json'])('of a million letters is shown in time: %s', async (format) => {
    const long = JSON.stringify('x'.repeat(million));
    for (const field of ['settlementId', 'currencyCode', 'accountingToken', 'settlementStatus']) {
      const header = withField(rawHeader(), field, long);
      const headers: Reply = (response) => response.end();
      void headers;
      const run = await face(
        { headers: page(header), rows: page('') },
        format,
      );
      expect([0, 1, 4]).toContain(run.exitCode);
    }
  });

  test('that is given twice counts as it stands last, as in all of JavaScript', async () => {
    const row = withField(rawRow(), 'tax', '6,"amount":999,"amount":1000');
    let first = true;
    const rows: Reply = (response) => {
      (page(first ? row : '') as (response: ServerResponse) => void)(response);
      first = false;
    };
    const run = await face({ rows });
    expect(JSON.parse(run.stdout).settlements).toMatchObject([
      { computed: { gross: { amount: '10.00' } } },
    ]);
  });

  test.each(['__proto__', 'constructor', 'toString', '\ud800'])(
    'that says "%s" is a text like any other',
    async (text) => {
      const header = { accountingToken: text, currencyCode: text, settlementStatus: text };
      const row = { currencyCode: text, state: text, transactionType: text, [text]: { amount: 1 } };
      const run = await face({
        headers: page(JSON.stringify(rawHeader(header))),
        rows: page(JSON.stringify(rawRow(row))),
      });
      void run;
    },
  );
});

test('chunks that are none are a broken connection, tried again', async () => {
  const run = await face({
    headers: (response) => {
      response.socket?.end(
        'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n{"status":\r\n0\r\n\r\n',
      );
    },
  });
  expect([run.exitCode, run.stdout, run.requests]).toEqual([4, '', 6]);
  expect(run.stderr).toContain('error');
});
