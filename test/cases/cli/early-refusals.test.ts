import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { readReport } from '../../cli/read-report.ts';
import { connectionTo, march, purchases, scenarioOf } from '../../cli/service.ts';
import { parseFaults } from '../../sandbox/faults.ts';
import { runRecon } from '../../support/run-recon.ts';

/** Sixty settlements of two rows: two requests each, and those for the list. */
const shop = scenarioOf(
  Array.from({ length: 60 }, (_, at) => ({
    date: `2026-03-${String(2 + (at % 28)).padStart(2, '0')}`,
    rows: purchases(2),
  })),
);

interface Course {
  readonly seconds: number;
  readonly requests: number;
  readonly refused: number;
}

/** Reads March by the machine's own clock, from a service that answers in 5 milliseconds. */
async function readMarch(...faults: readonly string[]): Promise<Course> {
  const sandbox = await startSandbox({
    scenario: shop,
    faults: parseFaults(['slow=5', ...faults]),
    clock: systemClock,
  });
  onTestFinished(() => sandbox.close());
  const from = performance.now();
  const { exitCode, stdout, stderr } = await runRecon(
    ['settlements', ...march, '--json', '--quiet', '--timeout', '8s'],
    { env: connectionTo(sandbox.baseUrl), clock: systemClock },
  );
  const seconds = (performance.now() - from) / 1000;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { verdict, completeness } = readReport(stdout);
  expect(verdict).toBe('balanced');
  expect(completeness).toMatchObject({ complete: true, settlements: 60, transactions: 120 });
  const refused = sandbox.requests.filter(({ status }) => status === 429).length;
  return { seconds, requests: sandbox.requests.length, refused };
}

/** Undisturbed it takes less than a second; refusals may cost three, and a busy machine is slow. */
const mostSeconds = 5;

describe('a service that refuses a few requests at first is read in a few seconds', () => {
  test.each<[string, number, ...string[]]>([
    ['none', 0],
    ['every other one of the list', 3, ...[1, 3, 5].map((at) => `http-429=on:${at}@headers`)],
    ['every other one of the first eight', 4, ...[2, 4, 6, 8].map((at) => `http-429=on:${at}`)],
    ['five of the first nine', 5, ...[1, 3, 5, 7, 9].map((at) => `http-429=on:${at}`)],
    ['the first three tokens', 3, 'http-429=first:3@token'],
    ['the first four of the rows', 4, 'http-429=first:4@rows'],
  ])('%s', async (_, count, ...faults) => {
    const { seconds, requests, refused } = await readMarch(...faults);
    expect(refused).toBe(count);
    expect(requests).toBeGreaterThan(120);
    expect(seconds).toBeLessThan(mostSeconds);
  });
});
