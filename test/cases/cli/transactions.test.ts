import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { readRecords } from '../../cli/read-report.ts';
import {
  connectionTo,
  march,
  purchases,
  type Service,
  scenarioOf,
  startService,
} from '../../cli/service.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { noon, type RunOptions, runRecon } from '../../support/run-recon.ts';

function ask({ env, clock }: Service, args: readonly string[] = [], options: RunOptions = {}) {
  return runRecon(['transactions', ...march, ...args], { clock, ...options, env });
}

/** The transaction ids of a CSV, in its order. */
function idsOf(stdout: string): readonly string[] {
  return readRecords(stdout).map((row) => row['transaction_id'] ?? '');
}

/** Many pages, a duplicate, small settlements beside it. */
const mixed = scenarioOf([
  { date: '2026-03-02', rows: purchases(230) },
  {
    date: '2026-03-03',
    header: { totalTransactions: 2, amountGross: 3000, fees: 75, tax: 15, amountPayIn: 2910 },
    rows: [
      ['purchase', 2000, 50, 10, { label: 'twice' }],
      ['purchase', 2000, 50, 10, { label: 'twice' }],
      ['purchase', 1000, 25, 5],
    ],
  },
  { date: '2026-03-04', rows: purchases(12), off: { totalTransactions: 1 } },
  { date: '2026-03-05', rows: purchases(8), status: 'pending_settlement' },
  ...Array.from({ length: 7 }, (_, index) => ({
    date: `2026-03-1${index}`,
    rows: purchases(1 + index),
  })),
]);

const undisturbed = { stdout: '' };
beforeAll(async () => {
  const started = await startSandbox({ scenario: mixed, clock: new FakeClock(noon) });
  const env = connectionTo(started.baseUrl);
  const { exitCode, stdout } = await runRecon(['transactions', ...march], { env });
  await started.close();
  expect(exitCode).toBe(0);
  undisturbed.stdout = stdout;
  expect(idsOf(stdout)).toHaveLength(230 + 2 + 12 + 8 + 28);
});

describe('a service that misbehaves for a while', () => {
  it('gives the same rows whatever the page maximum, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 120 }), async (maximum) => {
        const { stdout, exitCode } = await ask(await startService(mixed, `page-max=${maximum}`));
        expect([exitCode, stdout]).toEqual([0, undisturbed.stdout]);
      }),
      { numRuns: 8 },
    );
  });
});

describe('transactions are streamed', () => {
  const pages = 60;
  const long = scenarioOf([{ date: '2026-03-04', rows: purchases(pages * 100) }]);

  it('without waiting for the last page, and a slow reader slows the reading', async () => {
    for (const format of ['csv', 'ndjson', 'json']) {
      const service = await startService(long);
      const asked: number[] = [];
      const { exitCode } = await ask(service, ['--format', format], {
        onOutput: async () => {
          for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
          asked.push(service.asked('rows').length);
        },
      });
      expect(exitCode).toBe(0);
      expect(asked.length).toBeGreaterThanOrEqual(pages);
      expect(asked.at(-1)).toBeGreaterThan(pages);
      for (const [written, count] of asked.entries()) expect(count).toBeLessThan(written + 30);
    }
  });
});

describe('a transaction with two contents', () => {
  const content = (amount: number) => ['purchase', amount, 0, 0, { label: 'same' }] as const;
  /** Both orders, with so many rows between them. */
  const orders = (between: number) =>
    [
      [content(1000), ...purchases(between), content(2000)],
      [content(2000), ...purchases(between), content(1000)],
    ].map((rows) =>
      startService(
        scenarioOf([{ date: '2026-03-04', rows, header: { totalTransactions: between + 1 } }]),
      ),
    );
  const conflict = /Settlement \S+ \(2026-03-04\): 1 transaction listed with conflicting contents/;

  it('is handed on if the rows are too many to wait for the other content', async () => {
    for (const starting of orders(1_100)) {
      const { exitCode, stdout, stderr } = await ask(await starting);
      expect([exitCode, idsOf(stdout).length]).toEqual([0, 1_101]);
      expect(stderr).toMatch(conflict);
    }
  });
});
