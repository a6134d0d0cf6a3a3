import { expect, test } from 'vitest';
import { reconcileSettlements } from '../../src/app/reconcile-settlements.ts';
import { bankWith, euros, judged, march, month, yen } from './month.ts';

const asked = {
  settings: { ...judged.settings, profile: undefined, filters: {} },
  names: new Map<string, string>(),
};
const short = { ...euros, gross: 9_00n, payIn: 8_64n };

function report(changes: Partial<Parameters<typeof reconcileSettlements>[1]> = {}) {
  return reconcileSettlements(asked, {
    ...judged,
    source: month([short, yen]),
    query: march,
    explains: true,
    tell: (explained, currency) => ({
      explanation: `${currency} ${explained.best === undefined ? 'open' : 'explained'}`,
      cause: 'cause',
      facts: undefined,
    }),
    ...changes,
  });
}

test('a report has the verdicts, the totals of each currency and what is told of a difference', async () => {
  const { run, explanations, causes } = await report();
  expect(run.counts).toMatchObject({ balanced: 1, out_of_balance: 1 });
  expect(run.totals.map(({ currency }) => currency)).toEqual(['EUR', 'JPY']);
  expect([...(explanations ?? [])]).toEqual([[short.id, expect.stringMatching(/^EUR /)]]);
  expect([...(causes?.keys() ?? [])]).toEqual([short.id]);
});

test('each settlement is handed on as soon as it is decided, with its place on the bank', async () => {
  const seen: string[] = [];
  await report({
    bank: bankWith(),
    each: ({ settlement }, { explanation = '' }, { bank }) => {
      seen.push(
        `${settlement.currency} ${bank?.places.get(settlement.id)?.match.state} ${explanation}`,
      );
    },
  });
  expect(seen).toEqual([expect.stringMatching(/^EUR difference EUR /), 'JPY matched ']);
});

test('without explanations, none is told', async () => {
  expect((await report({ explains: false })).explanations).toEqual(new Map());
});
