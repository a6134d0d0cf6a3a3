import { describe, expect, it } from 'vitest';
import { startService } from './service.ts';

const hourMs = 3_600_000;

/** A run whose wall clock is set by `ms` when the clock has been read so often, and what it took. */
async function run(faults: readonly string[], auth: string, ms = 0, readings = 1) {
  const { settlements, clock, sandbox, asked } = await startService('balanced', ...faults);
  const aheadOfMonotonic = () => clock.now() - clock.monotonic();
  const ahead = aheadOfMonotonic();
  const before = clock.monotonic();
  clock.step(ms, readings);
  const { exitCode, stdout } = await settlements(['--concurrency', '1', '--no-explain'], {
    env: { RECON_AUTH: auth },
  });
  const tookMs = clock.monotonic() - before;
  const refused = sandbox.requests.filter(({ status }) => status === 401).length;
  // The run was long enough for it.
  expect(aheadOfMonotonic() - ahead).toBe(ms);
  return { exitCode, stdout, tookMs, tokens: asked('token').length, refused };
}

describe.each([
  { when: 'otherwise undisturbed', faults: [], auth: 'v2' },
  { when: 'that pauses', faults: ['http-429=on:2@rows', 'retry-after=30'], auth: 'v2' },
  { when: 'that tries again', faults: ['http-503=first:3@rows'], auth: 'v2' },
  { when: 'under a rate limit', faults: ['rate-limit=5,1'], auth: 'v2' },
  { when: 'with tokens that expire', faults: ['token-life=3', 'rate-limit=5,1'], auth: 'v2' },
  { when: 'that signs each request', faults: [], auth: 'v1' },
])('a run $when', ({ faults, auth }) => {
  let undisturbed: Awaited<ReturnType<typeof run>> | undefined;

  it.each([
    { about: 'an hour back', ms: -hourMs },
    { about: 'an hour forward', ms: hourMs },
  ])(
    'is neither delayed nor changed by a wall clock that is set $about during the run',
    async ({ ms }) => {
      undisturbed ??= await run(faults, auth);
      // Never between a signature and its arrival: the service reads the same clock.
      for (const readings of [20, 56]) {
        expect(await run(faults, auth, ms, readings)).toEqual(undisturbed);
      }
    },
  );
});
