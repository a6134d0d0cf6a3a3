import { expect, test } from 'vitest';
import type { RunPlan } from '../../../src/app/plan-run.ts';
import { planViews } from '../../../src/report/dry-run/view.ts';

const plan: RunPlan = {
  settlements: 40,
  transactions: 19_950,
  requests: { headers: 5, rows: 200, proofs: 40, total: 245 },
  ms: 1_531.2,
  tempo: {
    pages: 5,
    pageMs: 50.4,
    rowsPerPage: 100,
    concurrency: 8,
    perSecond: Number.POSITIVE_INFINITY,
  },
  complete: true,
};

const viewsOf = (changed: Partial<RunPlan> = {}) =>
  planViews({ range: { from: '2026-03-01', to: '2026-03-31' }, plan: { ...plan, ...changed } });

const answerOf = (changed: Partial<RunPlan>) => JSON.stringify(viewsOf(changed).view()[0]);

test('the first block says that nothing was reconciled', () => {
  expect(viewsOf().view()[0]).toMatchObject({
    label: 'DRY RUN',
    text: expect.stringContaining('Only the list of settlements was read'),
  });
});

test.each([
  [0, '1 second, if'],
  [1_001, '2 seconds, if'],
  [89_000, '89 seconds, if'],
  [90_000, '2 minutes, if'],
  [5_400_001, '2 hours, if'],
])('the estimate rounds %i milliseconds: %s', (ms, text) => {
  expect(answerOf({ ms })).toContain(`about ${text}`);
});

test('the facts include a rate limit and an uncertain list', () => {
  const limited = { ...plan.tempo, perSecond: 18.44 };
  const facts = JSON.stringify(viewsOf({ tempo: limited, complete: false }).view());
  expect(facts).toContain('at most about 18 per second');
  expect(facts).not.toContain('if no rate limit');
  expect(facts).toContain('or more; the list may be incomplete');
  expect(JSON.stringify(viewsOf().view())).not.toContain('per second');
});

test('records and document have the keys of the contract', () => {
  const { columns, rows } = viewsOf().records();
  expect(columns.map(({ key }) => key).join(' ')).toBe(
    'from to settlements transactions requests requests_headers requests_rows requests_proofs seconds complete',
  );
  expect([...rows]).toEqual([['2026-03-01', '2026-03-31', 40, 19950, 245, 5, 200, 40, 2, 'yes']]);
  const document = {
    schema: 1,
    dryRun: true,
    range: { from: '2026-03-01', to: '2026-03-31' },
    settlements: 40,
    transactions: 19_950,
    requests: { total: 245, headers: 5, rows: 200, proofs: 40 },
    estimate: {
      seconds: 2,
      millisecondsPerPage: 50,
      concurrency: 8,
      requestsPerSecond: null,
    },
    complete: true,
  };
  expect(viewsOf().document()).toEqual(document);
  expect([...viewsOf().lines()]).toEqual([{ type: 'plan', ...document }]);
});
