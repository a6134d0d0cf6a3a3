import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { march, purchases, scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const mixed = scenarioOf([
  { date: '2026-03-02', rows: purchases(250) },
  { date: '2026-03-03', rows: purchases(100) },
  { date: '2026-03-04', rows: purchases(3), off: { amountPayIn: 5 } },
]);

describe('a dry run', () => {
  it('reads the list of settlements only, and ends with 0', async () => {
    const { settlements, asked } = await startService(mixed);
    const { exitCode, stdout, stderr } = await settlements(['--dry-run', '--format', 'table']);
    expect(exitCode).toBe(0);
    expect(asked('headers').length).toBeGreaterThan(0);
    expect(asked('rows')).toEqual([]);
    expect(stdout).toContain('DRY RUN\nOnly the list of settlements was read');
    expect(stderr).toBe('Settlements from 2026-03-01 to 2026-03-31 (inclusive)\n');
  });

  it('announces the number of requests that the run then makes', async () => {
    const { settlements, asked } = await startService(mixed);
    const { stdout } = await settlements(['--dry-run', '--format', 'json']);
    const plan = JSON.parse(stdout);
    const planned = asked('headers').length;
    await settlements();
    expect(plan.requests).toEqual({
      total: asked('headers').length - planned + asked('rows').length,
      headers: planned,
      rows: 3 + 1 + 1,
      proofs: 3,
    });
    expect(plan).toMatchObject({ settlements: 3, transactions: 353, complete: true });
  });

  it('estimates the time from the pages of the list, and from a rate limit if there was one', async () => {
    const slow = await startService(mixed, 'slow=2000@headers');
    const { stdout } = await slow.settlements(['--dry-run', '--format', 'json']);
    const { estimate } = JSON.parse(stdout);
    expect(estimate.millisecondsPerPage).toBeGreaterThanOrEqual(2000);
    expect(estimate.seconds).toBeGreaterThan(1);
    expect(estimate.requestsPerSecond).toBeNull();

    const limited = await startService(mixed, 'slow=20@headers', 'rate-limit=2,1');
    const met = JSON.parse((await limited.settlements(['--dry-run', '--format', 'json'])).stdout);
    expect(met.estimate.requestsPerSecond).toBeGreaterThan(0);
  });

  it('says that a rate limit may make the run longer, if there was none', async () => {
    const free = await startService(mixed);
    const { stdout } = await free.settlements(['--dry-run', '--format', 'table']);
    expect(stdout.replace(/\s+/g, ' ')).toContain(', if no rate limit slows it down.');
  });

  it('estimates from the requests that the limit lets through, not from those saved up before', async () => {
    // Five requests at once, then five a second: the run takes far longer than the list.
    const { settlements } = await startService(mixed, 'rate-limit=5,3');
    const { stdout } = await settlements(['--dry-run', '--format', 'json']);
    const { estimate } = JSON.parse(stdout);
    expect(estimate.requestsPerSecond).toBeGreaterThan(1);
    expect(estimate.requestsPerSecond).toBeLessThanOrEqual(6);
  });

  it('can be in any format, also in a file', async () => {
    const { settlements } = await startService(mixed);
    expect((await settlements(['--dry-run'])).stdout).toMatch(
      /^from,to,settlements,.*\r\n2026-03-01,/,
    );
    const ndjson = (await settlements(['--dry-run', '--format', 'ndjson'])).stdout;
    expect(JSON.parse(ndjson)).toMatchObject({ type: 'plan', dryRun: true });
    const path = join(await temporaryFolder(), 'plan.json');
    expect((await settlements(['--dry-run', '--output', path])).stdout).toBe('');
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ dryRun: true });
  });

  it('is the same for transactions, which needs the same requests', async () => {
    const { settlements, env, clock, asked } = await startService(mixed);
    const plan = await settlements(['--dry-run']);
    const transactions = ['transactions', ...march];
    const same = await runRecon([...transactions, '--dry-run'], { env, clock });
    expect([same.exitCode, same.stdout]).toEqual([0, plan.stdout]);
    expect(asked('rows')).toEqual([]);
    await runRecon(transactions, { env, clock });
    expect(asked('rows')).toHaveLength(3 + 1 + 1 + 3);
  });

  it('counts one signed request a second with V1', async () => {
    const { settlements } = await startService(mixed);
    const plan = await settlements(['--dry-run', '--format', 'json'], {
      env: { RECON_AUTH: 'v1' },
    });
    const { requests, estimate } = JSON.parse(plan.stdout);
    expect(estimate).toMatchObject({ seconds: requests.total, requestsPerSecond: 1 });
  });

  it.each([
    ['settlements', '--from-export', 'march'],
    ['transactions', '--settlement', '6f2c1b7e-0d4a-4c3e-9b1f-2a5d8e7c4b90'],
  ])('is refused without a range of the service: %s %s', async (...args) => {
    const { env } = await startService(mixed);
    const { exitCode, stderr } = await runRecon([...args, '--dry-run'], { env });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(args[1] ?? '')]);
  });

  it('fails like a run if the list cannot be read', async () => {
    const { settlements } = await startService(mixed, 'wrapper-1001');
    const { exitCode, stdout } = await settlements(['--dry-run']);
    expect([exitCode, stdout]).toEqual([3, '']);
  });
});
