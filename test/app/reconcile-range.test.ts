import { describe, expect, onTestFinished, test } from 'vitest';
import { createApiSource } from '../../src/api/api-source.ts';
import type { Progress } from '../../src/app/read-settlements.ts';
import { reconcileRange } from '../../src/app/reconcile-range.ts';
import { ReconError } from '../../src/base/errors.ts';
import type { SettlementQuery, Source } from '../../src/model/source.ts';
import type { ReconciledSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { defaultSettings } from '../reconcile/judge.ts';
import { parseFaults } from '../sandbox/faults.ts';
import { buildRow, buildSettlement, uuid } from '../support/build.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type FakeReading, FakeSource, numbered, rowOf } from './fake-source.ts';

const range = { from: '2026-03-01', to: '2026-03-31' };
const march: SettlementQuery = { range, filters: {} };

async function reconcile(source: Source, ahead = 3, query = march) {
  const progress: Progress[] = [];
  const run = reconcileRange({
    source,
    query,
    settings: defaultSettings,
    explains: false,
    ahead,
    onProgress: (now) => progress.push(now),
  });
  const settled: ReconciledSettlement[] = [];
  let step = await run.next();
  for (; !step.done; step = await run.next()) settled.push(step.value.reconciled);
  return { settled, run: step.value, progress };
}

function codesOf(settled: readonly ReconciledSettlement[]): string[] {
  return settled.map(({ discrepancies }) => discrepancies.map(({ code }) => code).join(' '));
}

const broken: FakeReading = { failure: new ReconError('network', 'No answer.') };

/** Readings of which those with these numbers fail. */
function failing(...numbers: readonly number[]): Record<string, FakeReading> {
  return Object.fromEntries(numbers.map((number) => [uuid(number), broken]));
}

test('the settlements come in order, whichever is read first, and then the run', async () => {
  const source = new FakeSource(numbered(9));
  const query = { range, filters: { cid: 7 } };
  const { settled, run } = await reconcile(source, 3, query);
  expect(settled.map(({ settlement }) => settlement.id)).toEqual(numbered(9).map(({ id }) => id));
  expect(settled.every(({ verdict }) => verdict === 'balanced')).toBe(true);
  expect(run).toMatchObject({ verdict: 'balanced', complete: true, transactions: 9, findings: [] });
  expect(source.query).toBe(query);
});

test('the given number of settlements are read at the same time, the first one first', async () => {
  const source = new FakeSource(numbered(9));
  await reconcile(source, 4);
  expect(source.most).toBe(4);
  expect(source.asked.map(({ priority }) => priority)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test('an empty range is balanced', async () => {
  const { settled, run, progress } = await reconcile(new FakeSource([]));
  expect(settled).toEqual([]);
  expect(run).toMatchObject({ verdict: 'balanced', complete: true, transactions: 0 });
  expect(progress).toMatchObject([{ settlements: 0, decided: 0, rows: 0 }]);
});

test('the progress is reported from zero to all', async () => {
  const { progress } = await reconcile(new FakeSource(numbered(5)));
  expect(progress[0]).toMatchObject({ settlements: 5, decided: 0, rows: 0 });
  expect(progress.at(-1)).toMatchObject({ settlements: 5, decided: 5, rows: 5 });
  for (const [at, now] of progress.entries()) {
    expect(now.rows).toBeGreaterThanOrEqual(progress[at - 1]?.rows ?? 0);
    expect(now.decided).toBeGreaterThanOrEqual(progress[at - 1]?.decided ?? 0);
  }
});

describe('settlements that cannot be read', () => {
  test('are incomplete, and the run goes on', async () => {
    const { settled, run } = await reconcile(new FakeSource(numbered(6), failing(2, 4)));
    expect(codesOf(settled)).toEqual(['', 'not_read', '', 'not_read', '', '']);
    expect(settled[1]?.discrepancies).toMatchObject([
      { facts: { reason: { code: 'other', facts: { message: 'No answer.' } } } },
    ]);
    expect(run).toMatchObject({ verdict: 'incomplete', complete: false, transactions: 4 });
  });

  test('end the reading if they are five in a row, and the rest are not tried', async () => {
    const source = new FakeSource(numbered(20), failing(2, 3, 4, 5, 6));
    const { settled, run } = await reconcile(source);
    expect(codesOf(settled)).toEqual(['', ...Array(19).fill('not_read')]);
    expect(settled[5]?.discrepancies).toMatchObject([
      { facts: { reason: { code: 'other', facts: { message: 'No answer.' } } } },
    ]);
    expect(settled[6]?.discrepancies).toMatchObject([
      { facts: { reason: { code: 'skipped', facts: { failures: '5' } } } },
    ]);
    expect(run.verdict).toBe('incomplete');
    // Those that were on their way when the fifth failed, and no more.
    expect(source.asked.length).toBeLessThanOrEqual(9);
  });

  test('do not end the reading if they are four in a row, twice', async () => {
    const source = new FakeSource(numbered(11), failing(1, 2, 3, 4, 6, 7, 8, 9));
    const { settled } = await reconcile(source);
    expect(settled.filter(({ complete }) => complete)).toHaveLength(3);
    expect(source.asked).toHaveLength(11);
  });

  test('give the same report, however many are read at the same time', async () => {
    const reports = await Promise.all(
      [1, 2, 5, 20].map(async (ahead) => {
        const { settled, run } = await reconcile(
          new FakeSource(numbered(15), failing(1, 3, 5, 6, 7, 8, 9)),
          ahead,
        );
        return { settled, run };
      }),
    );
    for (const report of reports) expect(report).toEqual(reports[0]);
  });

  test('leave a pending settlement pending, and the run complete', async () => {
    const pending = buildSettlement({ status: 'pending_settlement' });
    const { settled, run } = await reconcile(new FakeSource([pending], failing(1)));
    expect(settled).toMatchObject([{ verdict: 'pending', complete: false }]);
    expect(run).toMatchObject({ verdict: 'pending', complete: true });
  });

  test('do not count with the rows that they had handed on', async () => {
    const shared = rowOf(uuid(1));
    const { run } = await reconcile(
      new FakeSource(numbered(2), { [uuid(2)]: { batches: [[shared]], ...broken } }),
    );
    expect(run.findings).toEqual([]);
  });
});

test.each<[string, unknown]>([
  ['a refused access', new ReconError('authentication', 'no')],
  ['a failed token exchange', new ReconError('service', 'no', { endsRun: true })],
  ['an interruption', new Error('interrupted')],
])('%s in the middle ends the run without a report', async (_, failure) => {
  const source = new FakeSource(numbered(6), { [uuid(3)]: { failure } });
  await expect(reconcile(source)).rejects.toBe(failure);
});

test('a header list that cannot be read ends the run without a report', async () => {
  const source = new FakeSource([]);
  const failure = new ReconError('network', 'No answer.');
  source.headers = () => Promise.reject(failure);
  await expect(reconcile(source)).rejects.toBe(failure);
});

test('a finding about the list of headers makes the run incomplete', async () => {
  const unreadable = [
    { record: 'x', field: 'tax', found: 'null', expected: 'minor_units' } as const,
  ];
  for (const list of [{ unreadable }, { unsteady: 'walks_disagree' as const }]) {
    const { settled, run } = await reconcile(new FakeSource(numbered(2), {}, list));
    expect(settled.every(({ verdict }) => verdict === 'balanced')).toBe(true);
    expect(run.verdict).toBe('incomplete');
    expect(run.findings).toHaveLength(1);
  }
});

test('a settlement with two headers has a conflict, and the others do not', async () => {
  const [first, second] = numbered(2);
  if (!first || !second) throw new Error('no settlements');
  const conflicts = [[second, { ...second, fees: 31n }]];
  const { settled } = await reconcile(new FakeSource([first, second], {}, { conflicts }));
  expect(codesOf(settled)).toEqual(['', 'conflicting_settlement']);
});

test('a transaction in two settlements is a finding of the run, also after a correction', async () => {
  const source = new FakeSource(numbered(3), {
    [uuid(1)]: {
      batches: [[buildRow({ settlementId: uuid(1), amount: 1n })]],
      outcome: { corrections: [buildRow({ settlementId: uuid(1) })] },
    },
    [uuid(3)]: { batches: [[buildRow({ settlementId: uuid(3) })]] },
  });
  const { settled, run } = await reconcile(source);
  expect(codesOf(settled)).toEqual(['', '', '']);
  expect(run).toMatchObject({
    verdict: 'out_of_balance',
    findings: [{ code: 'shared_transaction' }],
  });
});

describe('a run over real HTTP', () => {
  async function read(faults: readonly string[], concurrency: number) {
    const scenario = await loadScenario('month');
    const clock = new FakeClock();
    const sandbox = await startSandbox({ scenario, faults: parseFaults(faults), clock });
    onTestFinished(() => sandbox.close());
    const source = createApiSource({
      baseUrl: sandbox.baseUrl,
      credentials: {
        schemes: { settlements: 'v2', charges: 'v2' },
        v2: { ...sandbox.credentials, authUrl: sandbox.authUrl, origin: 'the sandbox' },
      },
      concurrency,
      proxy: {},
      userAgent: 'recon/test',
      clock,
      signal: new AbortController().signal,
      random: () => 0.5,
      observer: {},
    });
    onTestFinished(() => source.close());
    const { settled, run } = await reconcile(source, concurrency, {
      range: scenario.period,
      filters: {},
    });
    return { settled, run, sandbox };
  }

  test('gives the same report twice, whatever the service does meanwhile', async () => {
    const { sandbox: _, ...calm } = await read([], 8);
    expect(calm.settled.length).toBeGreaterThan(10);
    const faults = [
      'wrapper-429=first:5',
      'reset=first:3@rows',
      'http-503=first:2',
      'page-max=30-90',
    ];
    for (const concurrency of [1, 8]) {
      const { sandbox: _busy, ...busy } = await read(faults, concurrency);
      expect(busy).toEqual(calm);
    }
  });

  test('reports a settlement whose rows are always refused as not read, and reads the others', async () => {
    const { settled: calm } = await read([], 8);
    const target = calm.find(({ verdict }) => verdict === 'balanced')?.settlement.id ?? '';
    const { settled, run } = await read([`wrapper-1010@${target}`], 8);
    const notRead = settled.filter(({ discrepancies }) =>
      discrepancies.some(({ code }) => code === 'not_read'),
    );
    expect(notRead.map(({ settlement }) => settlement.id)).toEqual([target]);
    expect(run.verdict).toBe('incomplete');
  });

  test('ends if a token exchange fails later on', async () => {
    // A token lives for a few requests, and every second exchange is refused.
    const failure = read(['token-life=2', 'slow=500', 'http-401=every:2@token'], 1);
    await expect(failure).rejects.toMatchObject({ failure: 'authentication' });
  });
});
