import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kindsOf, type NewsItem, type Nights, startNights } from '../../cli/changing-service.ts';
import { type Manner, type Receiver, startReceiver, status } from './receiver.ts';

interface World extends Nights {
  readonly receiver: Receiver;
  readonly env: Record<string, string>;
}

/** A service with one difference, and somebody to tell. */
async function worldWithNews(): Promise<World> {
  const nights = await startNights('2026-03-10', { RECON_RESTATED_DAYS: '1' });
  nights.service.addDays('2026-03-10', '2026-03-31');
  nights.service.on('2026-03-11').off = { fees: 7 };
  const receiver = await startReceiver();
  return { ...nights, receiver, env: { ...receiver.env } };
}

function idsOf(news: readonly NewsItem[] | undefined): readonly string[] {
  return (news ?? []).map(({ id }) => id);
}

/** Writes for as long as somebody reads. */
function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

describe('a notification that is answered with 2xx', () => {
  const answers: readonly (readonly [string, Manner])[] = [
    ['200 without a body', status(200, { 'content-length': '0' })],
    ['200 that says ok', (response) => response.end('ok')],
    ['201', status(201)],
    ['202 with JSON that is cut', (response) => response.writeHead(202).end('{"ok": tr')],
    ['204', status(204)],
    ['299', status(299)],
    ['200 with 10 MB', (response) => response.end(Buffer.alloc(10_000_000, 'x'))],
    [
      '200 with 10 MB in small chunks',
      (response) => {
        for (let count = 0; count < 1000; count++) response.write(Buffer.alloc(10_000, 'x'));
        response.end();
      },
    ],
    [
      '200 that promises 100 GB',
      (response) => {
        response.writeHead(200, { 'content-length': '100000000000' });
        pour(response);
      },
    ],
    [
      '200 with a body that never ends',
      (response) => {
        response.writeHead(200);
        pour(response);
      },
    ],
    [
      '200 with a body that never comes',
      (response) => {
        response.writeHead(200);
        response.flushHeaders();
      },
    ],
    [
      '200 with a body that stops in the middle',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('x'.repeat(500));
      },
    ],
    [
      '200 and the connection is dropped in the body',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('x'.repeat(500), () => response.destroy());
      },
    ],
    [
      '200 with a body that is not what its encoding says',
      (response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end('this is not gzip');
      },
    ],
    [
      '200 after early hints',
      (response) => {
        response.writeEarlyHints({ link: '</style.css>; rel=preload' });
        response.end();
      },
    ],
    ['200 with a Location', status(200, { location: 'http://127.0.0.1:1/' })],
    [
      '200 with a page that says it failed',
      (response) => response.end('<html><h1>500 Internal Server Error</h1></html>'),
    ],
  ];

  test.for(answers)(
    'is accepted, and not sent again: %s',
    { timeout: 10_000 },
    async ([, answer]) => {
      const { night, receiver, env } = await worldWithNews();
      receiver.answer = answer;
      const first = await night('2026-03-14', [], env);
      expect(first.exitCode).toBe(1);
      const [told, ...more] = receiver.taken();
      expect(kindsOf({ news: told?.news ?? [] }, { day: '2026-03-11' })).toEqual([
        'out_of_balance',
      ]);
      expect(more).toEqual([]);
      expect(first.stderr).not.toMatch(/notify_url/);
      expect(await night('2026-03-15', [], env)).toMatchObject({ exitCode: 1, news: [] });
      expect(receiver.taken()).toEqual([]);
    },
  );
});

describe('a notification that is not accepted', () => {
  const large = Buffer.alloc(10_000_000, 'x');

  /** What the server does, and how often it is tried in one run. */
  const refusals: readonly (readonly [string, number, Manner])[] = [
    ...[300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 410, 418].map(
      (code) =>
        [
          `${code}`,
          1,
          status(code, code < 400 ? { location: 'http://127.0.0.1:1/elsewhere' } : {}),
        ] as const,
    ),
    ['302 with 10 MB', 1, (response) => response.writeHead(302).end(large)],
    ['400 with 10 MB', 1, (response) => response.writeHead(400).end(large)],
    [
      '404 with a body that never ends',
      1,
      (response) => {
        response.writeHead(404);
        pour(response);
      },
    ],
    ...[408, 429, 500, 502, 503, 504].map((code) => [`${code}`, 5, status(code)] as const),
    ['500 with 10 MB', 5, (response) => response.writeHead(500).end(large)],
    [
      '500 that says ok',
      5,
      (response) => response.writeHead(500, { 'content-type': 'text/plain' }).end('ok'),
    ],
    ['a connection that is dropped', 5, (response) => response.destroy()],
    ['an answer that is not HTTP', 5, (response) => response.socket?.end('hello\r\n\r\n')],
  ];

  test.for(refusals)(
    'is sent again by the next run, with the same id: %s',
    {
      timeout: 10_000,
    },
    async ([, tries, refuse]) => {
      const { night, receiver, env } = await worldWithNews();
      receiver.answer = refuse;
      const first = await night('2026-03-14', [], env);
      expect(first.exitCode).toBe(5);
      expect(first.stderr).toContain('notify_url');
      expect(first.stdout + first.stderr).not.toMatch(/a-secret-part|hooks/);
      const refused = receiver.taken();
      expect(refused).toHaveLength(tries);
      expect(new Set(refused.map(({ text }) => text)).size).toBe(1);
      receiver.answer = status(200);
      expect(await night('2026-03-15', [], env)).toMatchObject({ exitCode: 1 });
      const accepted = receiver.taken();
      expect(accepted).toHaveLength(1);
      expect(idsOf(accepted[0]?.news)).toEqual(idsOf(refused[0]?.news));
    },
  );

  test.for([
    ['429 with Retry-After', status(429, { 'retry-after': '10' })],
    ['503', status(503)],
    ['a connection that is dropped', (response: ServerResponse) => response.destroy()],
  ] as const)('for %s is accepted at the second try', async ([, refuse]) => {
    const { night, receiver, env } = await worldWithNews();
    receiver.answer = (response, count) =>
      count === 1 ? refuse(response, count) : status(200)(response, count);
    expect((await night('2026-03-14', [], env)).exitCode).toBe(1);
    expect(receiver.taken()).toHaveLength(2);
    await night('2026-03-15', [], env);
    expect(receiver.taken()).toEqual([]);
  });

  test('for a redirect is not sent to the other address', async () => {
    const { night, receiver, env } = await worldWithNews();
    const elsewhere = await startReceiver();
    receiver.answer = status(307, { location: elsewhere.url });
    expect((await night('2026-03-14', [], env)).exitCode).toBe(5);
    expect(elsewhere.taken()).toEqual([]);
  });
});

describe('a reported failure', () => {
  const troubles: readonly (readonly [string, number, () => { status: number; body: unknown }])[] =
    [
      ['the service is down', 4, () => ({ status: 503, body: 'down' })],
      ['access is denied', 3, () => ({ status: 403, body: 'no' })],
      [
        'the service answers with a failure',
        4,
        () => ({
          status: 200,
          body: { status: { code: '2001', response: 'Fail', message: 'database' }, data: [] },
        }),
      ],
    ];

  test.for(troubles)('is reported as over, once: %s', async ([, exitCode, trouble]) => {
    const { service, night, receiver, env } = await worldWithNews();
    await night('2026-03-14', [], env);
    expect(receiver.taken()).toHaveLength(1);
    service.interfere = trouble;
    const failed = await night('2026-03-15', [], env);
    expect(failed.exitCode).toBe(exitCode);
    const [told] = receiver.taken();
    expect(told?.news.map(({ kind }) => kind)).toEqual(['failed']);
    await night('2026-03-16', [], env);
    receiver.taken();

    service.interfere = () => undefined;
    const over = await night('2026-03-17', [], env);
    expect(over.exitCode).toBe(1);
    expect(over.news.map(({ kind }) => kind)).toEqual(['recovered']);
    const after = receiver.taken();
    expect(after).toHaveLength(1);
    expect(after[0]?.news.map(({ kind }) => kind)).toEqual(['recovered']);
    expect(after[0]?.profiles[0]?.['news']).toEqual({ recovered: 1 });

    expect((await night('2026-03-18', [], env)).news).toEqual([]);
    expect(receiver.taken()).toEqual([]);
  });

  test('is reported as over beside other news, also on paper', async () => {
    const { service, night, run, receiver, env, folder } = await worldWithNews();
    await night('2026-03-14', [], env);
    service.interfere = () => ({ status: 503, body: 'down' });
    await night('2026-03-15', [], env);
    receiver.taken();
    service.interfere = () => undefined;
    service.on('2026-03-15').off = { tax: 1 };
    const { stdout } = await run(
      '2026-03-16',
      ['nightly', '--out', folder, '--format', 'table'],
      env,
    );
    expect(stdout).toMatch(/recovered|works again|is over|succeeded/i);
    const [told] = receiver.taken();
    expect(told?.news.map(({ kind }) => kind).sort()).toEqual(['out_of_balance', 'recovered']);
  });

  test('is reported as over again, with the same id, if no receiver accepted it', async () => {
    const { service, night, receiver, env } = await worldWithNews();
    await night('2026-03-14', [], env);
    service.interfere = () => ({ status: 503, body: 'down' });
    await night('2026-03-15', [], env);
    receiver.taken();
    service.interfere = () => undefined;
    receiver.answer = status(404);
    expect((await night('2026-03-16', [], env)).exitCode).toBe(5);
    const [refused] = receiver.taken();
    receiver.answer = status(200);
    await night('2026-03-17', [], env);
    const [accepted] = receiver.taken();
    expect(accepted?.news.map(({ kind }) => kind)).toEqual(['recovered']);
    expect(idsOf(accepted?.news)).toEqual(idsOf(refused?.news));
    await night('2026-03-18', [], env);
    expect(receiver.taken()).toEqual([]);
  });

  test('is reported as over a second time after a second failure', async () => {
    const { service, night, receiver, env } = await worldWithNews();
    const kinds: string[][] = [];
    for (const [index, isDown] of [false, true, false, false, true, false].entries()) {
      service.interfere = () => (isDown ? { status: 503, body: 'down' } : undefined);
      await night(`2026-03-${14 + index}`, [], env);
      kinds.push(receiver.taken().flatMap(({ news }) => news.map(({ kind }) => kind)));
    }
    expect(kinds).toEqual([
      ['out_of_balance'],
      ['failed'],
      ['recovered'],
      [],
      ['failed'],
      ['recovered'],
    ]);
  });

  test('is reported as over if it was that of the first night', async () => {
    const { service, night, receiver, env } = await worldWithNews();
    service.interfere = () => ({ status: 503, body: 'down' });
    expect((await night('2026-03-14', [], env)).exitCode).toBe(4);
    expect(receiver.taken()[0]?.news.map(({ kind }) => kind)).toEqual(['failed']);
    service.interfere = () => undefined;
    const { news } = await night('2026-03-15', [], env);
    expect(news.map(({ kind }) => kind).sort()).toEqual(['out_of_balance', 'recovered']);
  });

  test('is not reported as over if nights went well', async () => {
    const { night, receiver, env } = await worldWithNews();
    await night('2026-03-14', [], env);
    receiver.taken();
    await night('2026-03-15', [], env);
    await night('2026-03-16', [], env);
    expect(receiver.taken()).toEqual([]);
  });
});

describe('wrong usage', () => {
  /** Stands for a folder beside the one of the test. */
  const emptyFolder = 'EMPTY';

  const wrong: readonly (readonly [string, readonly string[], Record<string, string>?])[] = [
    ['a first day in the future', ['--since', '2026-09-01']],
    ['a day that does not exist', ['--since', '2026-02-30']],
    ['an unknown flag', ['--frobnicate']],
    ['an unknown condition', ['--fail-on', 'sunshine']],
    ['other filters than those of the folder', ['--cid', '7']],
    ['another service than that of the folder', [], { RECON_BASE_URL: 'http://127.0.0.1:1' }],
    ['no first day for an empty folder', ['--out', emptyFolder]],
  ];

  test.for(wrong)('%s on a terminal is not notified', async ([, args, more]) => {
    const { night, run, receiver, env, folder } = await worldWithNews();
    await night('2026-03-14', [], env);
    receiver.taken();
    const { exitCode, stderr } = await atTerminal(run, '2026-03-15', folder, args, {
      ...env,
      ...more,
    });
    expect(exitCode).toBe(2);
    expect(stderr).not.toBe('');
    expect(receiver.taken()).toEqual([]);
    // Nobody heard of a failure: nobody hears that it is over.
    expect((await night('2026-03-15', [], env)).news).toEqual([]);
    expect(receiver.taken()).toEqual([]);
  });

  test('of a job, without a terminal, is notified, and reported as over', async () => {
    const { night, run, receiver, env, folder } = await worldWithNews();
    await night('2026-03-14', [], env);
    receiver.taken();
    const { exitCode } = await run('2026-03-15', ['nightly', '--out', folder, '--cid', '7'], env);
    expect(exitCode).toBe(2);
    expect(receiver.taken()[0]?.news.map(({ kind }) => kind)).toEqual(['failed']);
    const { news } = await night('2026-03-15', [], env);
    expect(news.map(({ kind }) => kind)).toEqual(['recovered']);
  });

  test('does not include a failing service, which is notified from a terminal too', async () => {
    const { service, night, run, receiver, env, folder } = await worldWithNews();
    await night('2026-03-14', [], env);
    receiver.taken();
    service.interfere = () => ({ status: 503, body: 'down' });
    const { exitCode } = await atTerminal(run, '2026-03-15', folder, [], env);
    expect(exitCode).toBe(4);
    expect(receiver.taken()[0]?.news.map(({ kind }) => kind)).toEqual(['failed']);
  });

  /** Where CI is set, nothing moves on the terminal. */
  function atTerminal(
    run: World['run'],
    today: string,
    folder: string,
    args: readonly string[],
    env: Record<string, string>,
  ) {
    const terminal = { columns: 100, stderrColumns: 100 };
    const rest = args.map((arg) => (arg === emptyFolder ? `${folder}-empty` : arg));
    return run(today, ['nightly', '--out', folder, ...rest], { ...env, CI: 'true' }, terminal);
  }
});

describe('a night without due days in an empty folder', () => {
  test('says that no day was read, not that anything is balanced', async () => {
    const { run, folder } = await startNights('2026-03-10');
    const { exitCode, stdout } = await run('2026-03-10', [
      ...['nightly', '--out', folder, '--since', '2026-03-10', '--format', 'table'],
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).not.toMatch(/BALANCED/);
    expect(stdout).toMatch(/nothing/i);
    expect(stdout).toMatch(/read/i);
  });

  test('notifies nobody, and the next one reads the first day', async () => {
    const { service, night } = await startNights('2026-03-10');
    const receiver = await startReceiver();
    service.addDays('2026-03-10', '2026-03-12');
    await night('2026-03-10', [], { ...receiver.env });
    expect(receiver.taken()).toEqual([]);
    const { days, exitCode } = await night('2026-03-11', [], { ...receiver.env });
    expect(days.map(({ day }) => day)).toEqual(['2026-03-10']);
    expect(exitCode).toBe(0);
  });

  test('is different from a night whose days have no settlements', async () => {
    const { run, folder } = await startNights('2026-03-10');
    const { exitCode, stdout } = await run('2026-03-12', [
      ...['nightly', '--out', folder, '--since', '2026-03-10', '--format', 'table'],
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/2 days: 2 written/);
    expect(readFileSync(join(folder, '2026-03-10', 'manifest.json'), 'utf8')).toContain('"day"');
  });
});
