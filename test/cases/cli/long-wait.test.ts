import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { march, startService } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { noon, type RunOptions, type RunResult, runRecon } from '../../support/run-recon.ts';

/** What a run that begins at noon says, and how long it took, in virtual time. */
interface Run extends RunResult {
  readonly seconds: number;
}

async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  options: RunOptions = {},
): Promise<Run> {
  const clock = new FakeClock(noon);
  const result = await runRecon(args, { clock, ...options, env: { ...env, ...options.env } });
  return { ...result, seconds: clock.monotonic() / 1000 };
}

/** The messages about waiting; on a terminal, their first lines. */
function waits(text: string): readonly string[] {
  return text.match(/^Waiting: \S.*$/gm) ?? [];
}

/** The end that a message names, seconds after noon: as a time of day or as a time from now. */
function endNamed(message: string): { readonly clock?: number; readonly duration?: number } {
  const time = /\b(\d{1,2}):(\d{2})(?::(\d{2}))?/.exec(message);
  if (time) {
    const [hour, minute, second] = time.slice(1).map((part) => Number(part ?? 59));
    return { clock: ((hour ?? 0) - 12) * 3600 + (minute ?? 0) * 60 + (second ?? 0) };
  }
  const units = [...message.matchAll(/(\d+)\s*(h|m|s)[a-z]*\b/g)];
  if (units.length === 0) return {};
  const each = { h: 3600, m: 60, s: 1 } as const;
  const duration = units.reduce(
    (sum, [, count, unit]) => sum + Number(count) * each[unit as 'h' | 'm' | 's'],
    0,
  );
  return { duration };
}

/** A wait of this many seconds is told. */
const told = 15;

describe('a rate limit that refuses every request is reported once', () => {
  const commands = {
    settlements: ['settlements', ...march],
    'settlements --dry-run': ['settlements', ...march, '--dry-run'],
    'settlements --verbose': ['settlements', ...march, '--verbose'],
    transactions: ['transactions', ...march],
    explain: ['explain', 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd'],
    'explain of a range': ['explain', ...march],
  };

  test.each(Object.entries(commands))('by %s, in a pipe', async (_, args) => {
    const { env } = await startService('month', 'http-429=always');
    const { exitCode, stdout, stderr, seconds } = await run(args, env);
    expect(exitCode).toBe(4);
    expect(seconds).toBeGreaterThan(told);
    const said = waits(stderr);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/rate limit|429/i);
    expect(waits(stdout)).toEqual([]);
  });

  test.each([
    ['HTTP 429 at the list', 'http-429=always@headers'],
    ['wrapper 429 at the list', 'wrapper-429=always@headers'],
    ['HTTP 429 at the rows', 'http-429=always@rows'],
    ['wrapper 429 at the rows', 'wrapper-429=always@rows'],
    ['HTTP 429 at the token', 'http-429=always@token'],
  ])('by %s', async (_, fault) => {
    const { env } = await startService('month', fault);
    const { exitCode, stderr } = await run(['settlements', ...march], env);
    expect(exitCode).toBe(4);
    const said = waits(stderr);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/rate limit|429/i);
  });

  test('for each wait with a Retry-After', async () => {
    const { env } = await startService('month', 'http-429=always', 'retry-after=30');
    const { stderr } = await run(['settlements', ...march], env);
    expect(waits(stderr)).toHaveLength(1);
  });

  test('by charge', async () => {
    const { env } = await startService('charges', 'http-429=always@charge');
    const args = ['charge', '9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0'];
    const { exitCode, stderr, seconds } = await run(args, env);
    expect(exitCode).toBe(4);
    expect(seconds).toBeGreaterThan(told);
    expect(waits(stderr)).toHaveLength(1);
  });

  test('by export', async () => {
    const out = join(await temporaryFolder(), 'days');
    const { env } = await startService('month', 'http-429=always');
    const { exitCode, stderr } = await run(['export', ...march, '--out', out], env);
    expect(exitCode).toBe(4);
    expect(waits(stderr)).toHaveLength(1);
  });

  test('by nightly', async () => {
    const out = join(await temporaryFolder(), 'days');
    const { env } = await startService('month', 'http-429=always');
    const args = ['nightly', '--out', out, '--since', '2026-04-01'];
    const { exitCode, stderr } = await run(args, env);
    expect(exitCode).toBe(4);
    expect(waits(stderr)).toHaveLength(1);
  });

  test('on a terminal', async () => {
    const { env } = await startService('month', 'http-429=always');
    const options = { columns: 80, stderrColumns: 80, env: { CI: '1' } };
    const { exitCode, stdout, stderr } = await run(['settlements', ...march], env, options);
    expect(exitCode).toBe(4);
    expect(waits(stderr)).toHaveLength(1);
    expect(waits(stdout)).toEqual([]);
  });

  test('but not with --quiet', async () => {
    const { env } = await startService('month', 'http-429=always');
    const { exitCode, stderr } = await run(['settlements', ...march, '--quiet'], env);
    expect(exitCode).toBe(4);
    expect(waits(stderr)).toEqual([]);
    expect(stderr).toContain('429');
  });
});

describe('the message about a wait', () => {
  test('comes before the error', async () => {
    const { env } = await startService('month', 'http-429=always');
    const { stderr } = await run(['settlements', ...march], env);
    expect(stderr).toMatch(/^Waiting: [\s\S]*^error: /m);
  });

  test.each([
    ['without a time to wait', 'http-429=always'],
    ['with one', 'http-429=always', 'retry-after=30'],
  ])('names an end that the wait does not exceed, %s', async (_, ...faults) => {
    const { env } = await startService('month', ...faults);
    const args = ['settlements', ...march, '--concurrency', '1'];
    const { stderr, seconds } = await run(args, env);
    const { clock, duration } = endNamed(waits(stderr)[0] ?? '');
    // A time from now counts from the message, which comes soon after the first 15 seconds.
    const named = clock ?? (duration === undefined ? Number.NaN : duration + 60);
    expect(named).toBeGreaterThanOrEqual(Math.floor(seconds));
    expect(named).toBeLessThan(2 * 3600);
  });

  test('names no end after the time limit of the run', async () => {
    const { env } = await startService('month', 'http-429=always');
    const { stderr } = await run(['settlements', ...march, '--timeout', '60s'], env);
    const { clock, duration } = endNamed(waits(stderr)[0] ?? '');
    // Where only hours and minutes are named, the last second of that minute was assumed.
    expect(clock ?? duration ?? Number.NaN).toBeLessThan(60 + 60);
  });

  test('is also about one long pause, and the run continues', async () => {
    const { env } = await startService('month', 'http-429=on:2', 'retry-after=60');
    const args = ['settlements', ...march, '--concurrency', '1'];
    const { exitCode, stdout, stderr } = await run(args, env);
    expect(exitCode).toBe(1);
    expect(waits(stderr)).toHaveLength(1);
    const { clock, duration } = endNamed(waits(stderr)[0] ?? '');
    expect(clock ?? duration ?? Number.NaN).toBeGreaterThanOrEqual(clock === undefined ? 45 : 60);
    expect(clock ?? duration ?? Number.NaN).toBeLessThan(2 * 3600);
    // What the report says is the same as without the pause.
    const free = await startService('month');
    expect(stdout).toBe((await run(args, free.env)).stdout);
  });

  test('contains no secret of the run, and no control characters', async () => {
    const { env } = await startService('month', 'wrapper-429=always@headers');
    const { stderr } = await run(['settlements', ...march], env);
    const [said = ''] = waits(stderr);
    expect(said).not.toContain(env['RECON_CLIENT_SECRET']);
    expect(said).toMatch(/^[\x20-\x7e]+$/);
  });
});

describe('a short wait is not reported', () => {
  test.each([
    ['none'],
    ['two refusals', 'http-429=first:2'],
    ['a pause of ten seconds', 'http-429=on:2@headers', 'retry-after=10'],
    ['a service that fails three times', 'http-503=first:3'],
  ])('%s', async (_, ...faults) => {
    const { env } = await startService('balanced', ...faults);
    const args = ['settlements', ...march, '--concurrency', '1'];
    const { exitCode, stderr, seconds } = await run(args, env);
    expect(exitCode).toBe(0);
    expect(seconds).toBeLessThan(told);
    expect(waits(stderr)).toEqual([]);
  });
});
