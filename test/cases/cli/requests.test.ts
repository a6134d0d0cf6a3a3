import { describe, expect, it } from 'vitest';
import type { SandboxRequest } from '../../../src/sandbox/sandbox.ts';
import { codes, readReport } from '../../cli/read-report.ts';
import { afterToken, startServer, wrapped } from '../../cli/server.ts';
import { field, march, purchases, scenarioOf, startService } from '../../cli/service.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { noon, runRecon } from '../../support/run-recon.ts';

const offsets = (requests: readonly SandboxRequest[]) =>
  requests.map(({ body }) => Number(body?.['offset'])).sort((one, other) => one - other);

/** What was waited for; an attempt without a wait is a wait of nothing. */
const waits = (clock: FakeClock) => clock.slept.filter((ms) => ms > 0);

/** The same without the distance that requests keep once a rate limit was met. */
const pauses = (clock: FakeClock) => clock.slept.filter((ms) => ms > 10_000);

/** A settlement of so many rows. */
const ofRows = (count: number) => scenarioOf([{ date: '2026-03-04', rows: purchases(count) }]);

describe('the token', () => {
  it('is asked for as JSON, with the audience (trap 5)', async () => {
    const { settlements, asked, sandbox } = await startService('balanced');
    await settlements();
    expect(asked('token').map(({ body }) => body)).toEqual([
      {
        client_id: sandbox.credentials.clientId,
        client_secret: sandbox.credentials.clientSecret,
        audience: sandbox.credentials.audience,
        grant_type: 'client_credentials',
      },
    ]);
  });

  it('is asked for at the other host, with its own path (trap 5)', async () => {
    const auth = await startServer(
      afterToken(() => {
        throw new Error('only the token is asked for here');
      }),
    );
    const api = await startServer(() => wrapped([]));
    const env = { ...api.env, RECON_AUTH_URL: `${auth.url}/` };
    // Without --quiet, an empty report looks for the newest settlement, with a token of its own.
    const { exitCode } = await runRecon(['settlements', ...march, '--quiet'], { env });
    expect(exitCode).toBe(0);
    expect(auth.asked.map(({ path }) => path)).toEqual(['/oauth/token']);
    expect(auth.asked[0]?.headers['content-type']).toBe('application/json');
    expect(new Set(api.asked.map(({ path }) => path))).toEqual(
      new Set(['/v1/merchant/settlement']),
    );
    expect(new Set(api.asked.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer an-access-token']),
    );
  });

  it('is asked for once, however many requests wait for it (trap 3)', async () => {
    const { settlements, asked } = await startService('month', 'slow=500@token');
    await settlements();
    expect(asked('token')).toHaveLength(1);
  });

  it('is replaced once when it is refused, however many requests wait (trap 3)', async () => {
    const { settlements, asked } = await startService('month', 'token-uses=20');
    expect((await settlements()).exitCode).toBe(1);
    const used = new Set(asked('rows').map(({ token }) => token));
    const answered = asked('rows').filter(({ code }) => code === '0').length;
    expect(asked('token').length).toBeLessThanOrEqual(Math.ceil(answered / 20) + 1);
    expect(asked('token').length).toBeGreaterThanOrEqual(used.size);
    expect(asked('rows').filter(({ code }) => code === '1002').length).toBeGreaterThan(0);
  });

  it('is renewed before it expires (trap 5)', async () => {
    const { settlements, asked } = await startService('month', 'token-life=100', 'slow=5000@rows');
    expect((await settlements(['--concurrency', '1'])).exitCode).toBe(1);
    expect(asked('token').length).toBeGreaterThan(2);
    expect([...asked('headers'), ...asked('rows')].filter(({ code }) => code !== '0')).toEqual([]);
  });

  it('is asked for again at each attempt of a request (trap 5)', async () => {
    const faults = ['token-life=1', 'http-503=first:8@rows'];
    const { settlements, asked } = await startService(ofRows(3), ...faults);
    expect((await settlements(['--concurrency', '1'])).exitCode).toBe(0);
    const attempts = asked('rows').filter(({ body }) => body?.['offset'] === 0);
    expect(attempts.map(({ status }) => status)).toEqual([503, 503, 503, 503, 200]);
    expect(new Set(attempts.map(({ token }) => token)).size).toBeGreaterThan(2);
  });

  it('is waited for as Retry-After says if its exchange is limited (trap 2)', async () => {
    const faults = ['http-429=first:2@token', 'retry-after=30'];
    const { settlements, clock } = await startService('balanced', ...faults);
    expect((await settlements()).exitCode).toBe(0);
    expect(pauses(clock)).toEqual([30_000, 30_000]);
  });

  it('may come without scope, lifetime and type', async () => {
    const server = await startServer(({ path }) =>
      path === '/oauth/token' ? { body: { access_token: 'bare-token' } } : wrapped([]),
    );
    const { exitCode } = await runRecon(['settlements', ...march], { env: server.env });
    expect(exitCode).toBe(0);
  });

  it('may be refused once in both ways, and a second refusal ends the run (trap 3)', async () => {
    for (const fault of ['http-401', 'wrapper-1002']) {
      const { settlements, asked } = await startService('balanced', `${fault}@headers`);
      expect((await settlements()).exitCode).toBe(3);
      expect(asked('token')).toHaveLength(2);
    }
  });
});

describe('the list of settlements', () => {
  it('is asked for with both dates, always (trap 12)', async () => {
    const { asked, settlements } = await startService('balanced');
    await settlements();
    for (const { body } of asked('headers')) {
      expect(body).toMatchObject({ startDate: '2026-03-01', endDate: '2026-03-31' });
    }
  });

  it('is asked for with both dates for a single day, both the same (trap 12)', async () => {
    const { asked, env } = await startService('balanced');
    const { stdout } = await runRecon(['settlements', '--on', '2026-03-05', '--format', 'json'], {
      env,
    });
    expect(readReport(stdout).settlements).toHaveLength(1);
    for (const { body } of asked('headers')) {
      expect(body).toMatchObject({ startDate: '2026-03-05', endDate: '2026-03-05' });
    }
  });

  it('is asked for with the filters of the service only (trap 14, trap 15)', async () => {
    const { asked, settlements } = await startService('filters');
    const mid = '1d0f5b3e-7a44-4c19-8e60-2b9f3c8d5a01';
    const { stdout } = await settlements([
      ...['--mid', mid, '--cid', '7', '--chid', '71', '--format', 'json'],
    ]);
    expect(readReport(stdout).settlements).toHaveLength(1);
    expect(readReport(stdout).settings['filters']).toEqual({ mid, cid: 7, chid: 71 });
    const dates = { startDate: '2026-03-01', endDate: '2026-03-31' };
    for (const { body } of asked('headers')) {
      expect(body).toEqual({
        ...dates,
        mid,
        cid: 7,
        chid: 71,
        limit: expect.any(Number),
        offset: expect.any(Number),
      });
    }
  });

  it('is walked twice, with different limits, each to an empty page (trap 9, trap 10)', async () => {
    const { asked, settlements } = await startService('balanced');
    await settlements(['--concurrency', '1']);
    const pages = asked('headers').map(({ body }) => [body?.['limit'], body?.['offset']]);
    expect(pages.filter(([limit]) => limit === 50)).toEqual([
      [50, 0],
      [50, 9],
    ]);
    const second = pages.filter(([limit]) => limit !== 50);
    expect(new Set(second.map(([limit]) => limit))).toEqual(new Set([7]));
    expect(second.map(([, offset]) => offset).sort()).toEqual([0, 7, 9]);
  });

  it('is walked twice also if it is empty', async () => {
    const { asked, settlements } = await startService('empty');
    expect((await settlements()).exitCode).toBe(0);
    expect(new Set(asked('headers').map(field('limit'))).size).toBe(2);
  });

  it('is read beyond the default of 50 (trap 9)', async () => {
    const days = Array.from({ length: 120 }, (_, index) => ({
      date: `2026-03-${String(1 + (index % 31)).padStart(2, '0')}`,
      rows: purchases(1),
    }));
    const { settlements } = await startService(scenarioOf(days), 'page-max=50@headers');
    const report = readReport((await settlements(['--format', 'json'])).stdout);
    expect(report.completeness).toEqual({
      complete: true,
      settlements: 120,
      transactions: 120,
      unread: [],
    });
  });

  it('is read again if a settlement is listed late', async () => {
    const { settlements } = await startService('balanced', 'late-settlement=2');
    const report = readReport((await settlements(['--format', 'json'])).stdout);
    expect([report.verdict, report.settlements.length]).toEqual(['balanced', 9]);
  });
});

describe('the rows of a settlement', () => {
  it('are read on from the rows received: a short page is not the end (trap 8)', async () => {
    const { asked, settlements } = await startService(ofRows(70), 'page-max=30@rows');
    expect((await settlements()).exitCode).toBe(0);
    expect(offsets(asked('rows'))).toEqual([0, 30, 60, 70]);
    expect(new Set(asked('rows').map(field('limit')))).toEqual(new Set([100]));
  });

  it('are read on if the page maximum shrinks during the run (trap 8)', async () => {
    const { asked, settlements } = await startService(ofRows(20), 'page-max=9-4@rows');
    const { stdout, exitCode } = await settlements(['--format', 'json', '--concurrency', '1']);
    expect(exitCode).toBe(0);
    expect(readReport(stdout).completeness.transactions).toBe(20);
    expect(offsets(asked('rows'))[0]).toBe(0);
    expect(offsets(asked('rows'))).toContain(9);
    expect(offsets(asked('rows')).at(-1)).toBe(20);
  });

  it('end at an empty page, whatever the announced count is (trap 7, trap 8)', async () => {
    const { asked, settlements } = await startService('month');
    const { stdout } = await settlements(['--format', 'json']);
    for (const { id, reported } of readReport(stdout).settlements) {
      const own = asked('rows').filter(({ body }) => body?.['settlementId'] === id);
      expect(offsets(own)).toContain(reported.transactions);
      expect(offsets(own)[0]).toBe(0);
    }
  });

  it('are found beyond the announced count', async () => {
    const scenario = scenarioOf([
      { date: '2026-03-04', header: { totalTransactions: 3 }, rows: purchases(5) },
    ]);
    const { settlements } = await startService(scenario);
    const { stdout, exitCode } = await settlements(['--format', 'json']);
    const [settlement] = readReport(stdout).settlements;
    expect(exitCode).toBe(1);
    expect(settlement?.computed?.transactions).toBe(5);
    expect(codes(settlement?.discrepancies ?? [])).toBe('count');
  });

  it('are asked for a settlement at a time, by its id (trap 16)', async () => {
    const { asked, settlements } = await startService('balanced');
    await settlements();
    expect(asked('rows')).toHaveLength(18);
    for (const { body } of asked('rows')) {
      expect(Object.keys(body ?? {}).sort()).toEqual(['limit', 'offset', 'settlementId']);
    }
  });

  it('are not tried after five settlements in a row that cannot be read', async () => {
    const { asked, settlements } = await startService('month', 'http-503@rows');
    const { stdout, exitCode } = await settlements(['--format', 'json', '--concurrency', '1']);
    expect(exitCode).toBe(4);
    expect(new Set(asked('rows').map(field('settlementId'))).size).toBe(5);
    expect(readReport(stdout).settlements).toHaveLength(40);
  });

  it('are tried on if failures are not in a row', async () => {
    const { settlements: ask } = await startService('balanced');
    const ids = readReport((await ask(['--format', 'json'])).stdout).settlements.map(
      ({ id }) => id,
    );
    const faults = ids.filter((_, index) => index !== 4).map((id) => `wrapper-1010@${id}`);
    const { asked, settlements } = await startService('balanced', ...faults);
    await settlements(['--concurrency', '1']);
    expect(new Set(asked('rows').map(field('settlementId'))).size).toBe(9);
  });
});

describe('requests', () => {
  it('are POST, and repeated nevertheless (trap 6)', async () => {
    const { sandbox, settlements } = await startService('balanced', 'reset=first:2');
    expect((await settlements()).exitCode).toBe(0);
    expect(new Set(sandbox.requests.map(({ method }) => method))).toEqual(new Set(['POST']));
    expect(sandbox.requests.filter(({ status }) => status === 0)).toHaveLength(2);
  });

  it.each([1, 3, 8])('are at most %i at a time (trap 16)', async (concurrency) => {
    const { settlements, most } = await countingService();
    await settlements(['--concurrency', String(concurrency)]);
    expect(most()).toBe(concurrency);
  });

  it('wait as long as Retry-After says, for both kinds of rate limit (trap 2)', async () => {
    for (const fault of ['wrapper-429=on:1', 'http-429=on:1']) {
      const { settlements, clock } = await startService('balanced', fault, 'retry-after=120');
      expect((await settlements()).exitCode).toBe(0);
      expect(pauses(clock)).toEqual([120_000]);
    }
  });

  it('wait for a Retry-After that is a date (trap 2)', async () => {
    const fault = 'retry-after=Sun, 05 Apr 2026 12:01:30 GMT';
    const { settlements, clock } = await startService('balanced', 'http-429=on:1', fault);
    expect((await settlements()).exitCode).toBe(0);
    expect(pauses(clock)).toEqual([90_000]);
  });

  it('wait for no longer than five minutes, whatever Retry-After says', async () => {
    const faults = ['http-429=on:1', 'retry-after=86400'];
    const { settlements, clock } = await startService('balanced', ...faults);
    expect((await settlements()).exitCode).toBe(0);
    expect(pauses(clock)).toEqual([300_000]);
  });

  it('slow down without a Retry-After (trap 2)', async () => {
    const scenario = scenarioOf(
      Array.from({ length: 60 }, () => ({ date: '2026-03-04', rows: purchases(1) })),
    );
    const { settlements, clock } = await startService(scenario, 'wrapper-429=on:20@rows');
    expect((await settlements(['--concurrency', '1'])).exitCode).toBe(0);
    const waited = waits(clock);
    expect(waited).toContain(200);
    // Then requests keep their distance, less and less of it.
    const distances = waited.slice(waited.indexOf(200) + 1);
    expect(distances.length).toBeGreaterThan(5);
    for (const [at, distance] of distances.slice(1).entries()) {
      // In whole milliseconds, of which one may be made up for by the next.
      expect(distance).toBeLessThanOrEqual((distances[at] ?? 0) + 1);
    }
    expect(distances.at(-1)).toBeLessThan((distances[0] ?? 0) / 2);
  });

  it('take little more time than the pause that was asked for', async () => {
    const { settlements, clock } = await startService(
      'balanced',
      'http-429=on:1',
      'retry-after=60',
    );
    const before = clock.now();
    expect((await settlements()).exitCode).toBe(0);
    expect(clock.now() - before).toBeLessThan(1.3 * 60_000);
  });

  it('wait between attempts after other failures, longer each time', async () => {
    const { settlements, clock } = await startService('balanced', 'http-503=first:4@headers');
    expect((await settlements()).exitCode).toBe(0);
    expect(waits(clock)).toEqual([250, 500, 1000, 2000]);
  });

  it('never follow a redirect with the token', async () => {
    const elsewhere = await startServer(() => wrapped([]));
    for (const status of [301, 302, 303, 307, 308]) {
      const headers = { location: `${elsewhere.url}/v1/merchant/settlement` };
      const server = await startServer(afterToken(() => ({ status, headers, body: '' })));
      const run = await runRecon(['settlements', ...march], { env: server.env });
      expect([run.exitCode, run.stdout]).toEqual([4, '']);
      expect(run.stderr).toContain('redirects');
      expect(server.asked).toHaveLength(2);
    }
    expect(elsewhere.asked).toEqual([]);
  });

  it('never follow a redirect of the token exchange with the secret', async () => {
    const elsewhere = await startServer(afterToken(() => wrapped([])));
    const headers = { location: `${elsewhere.url}/oauth/token` };
    const server = await startServer(() => ({ status: 307, headers, body: '' }));
    const run = await runRecon(['settlements', ...march], { env: server.env });
    expect([run.exitCode, run.stdout, elsewhere.asked.length]).toEqual([4, '', 0]);
  });
});

describe('the success of an answer', () => {
  const good = { code: '0', response: 'Success' };

  it.each([
    {
      about: 'the code "0" beside another response (trap 1)',
      status: { code: '0', response: 'Other information' },
    },
    { about: 'the code "0" alone (trap 1)', status: { code: '0' } },
    { about: 'the number 0 (trap 1)', status: { code: 0, response: 'Success' } },
  ])('is $about', async ({ status }) => {
    const server = await startServer(afterToken(() => ({ body: { status, data: [] } })));
    const { exitCode } = await runRecon(['settlements', ...march], { env: server.env });
    expect(exitCode).toBe(0);
  });

  it('is the code "0" whatever the HTTP status', async () => {
    const server = await startServer(
      afterToken(() => ({ status: 503, body: { status: good, data: [] } })),
    );
    const { exitCode } = await runRecon(['settlements', ...march], { env: server.env });
    expect(exitCode).toBe(0);
  });

  it.each([
    {
      about: 'the code "0" with the word Fail (trap 1)',
      status: { code: '0', response: 'Fail', message: 'Database read error' },
    },
    {
      about: 'another code with the response Success (trap 1)',
      status: { code: '1', response: 'Success' },
    },
    { about: '"00" (trap 1)', status: { code: '00', response: 'Success' } },
    { about: 'an empty code (trap 1)', status: { code: '', response: 'Success' } },
    { about: 'no code (trap 1)', status: { response: 'Success' } },
    { about: 'no status at all (trap 1)', status: undefined },
  ])('is not $about', async ({ status }) => {
    const server = await startServer(afterToken(() => ({ body: { status, data: [] } })));
    const run = await runRecon(['settlements', ...march], { env: server.env });
    expect([run.exitCode, run.stdout]).toEqual([4, '']);
  });

  it('is not data that is not a list', async () => {
    for (const data of ['text', 1, true, { records: [] }]) {
      const server = await startServer(afterToken(() => wrapped(data)));
      const run = await runRecon(['settlements', ...march], { env: server.env });
      expect([run.exitCode, run.stdout]).toEqual([4, '']);
    }
  });

  it('is an empty page if data are absent, null or an empty object (trap 7)', async () => {
    for (const data of [undefined, null, {}, []]) {
      const server = await startServer(afterToken(() => wrapped(data)));
      const run = await runRecon(['settlements', ...march], { env: server.env });
      expect(run.exitCode).toBe(0);
    }
  });
});

/** A service that counts how many requests are under way at once. */
async function countingService() {
  let now = 0;
  let most = 0;
  class Counting extends FakeClock {
    override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
      now += 1;
      most = Math.max(most, now);
      // Long enough in real requests for all that may come to have come.
      for (let turn = 0; turn < 40; turn += 1) await super.sleep(0, signal);
      now -= 1;
      await super.sleep(ms, signal);
    }
  }
  const clock = new Counting(noon);
  const args = ['settlements', '--sandbox', '--scenario', 'month', '--fault', 'slow=1@rows'];
  return {
    most: () => most,
    settlements: (more: readonly string[]) => runRecon([...args, ...more], { clock }),
  };
}

it('a run with refusals at its beginning is no slower later', async () => {
  const clock = new FakeClock(noon);
  const faults = ['--fault', 'wrapper-429=first:4@headers'];
  const { exitCode } = await runRecon(['settlements', '--sandbox', ...faults], { clock });
  expect(exitCode).toBe(1);
  expect(clock.now() - noon).toBeLessThan(2_000);
});
