import { explain } from '../../../src/reconcile/explain/explain.ts';
import { quick, thorough } from '../../../src/reconcile/explain/limits.ts';
import { reconcileSettlement } from '../../../src/reconcile/reconcile-settlement.ts';
import { columnsOf, defaultSettings } from '../judge.ts';
import { Random } from './random.ts';
import { buildWorld, headerOf, type World } from './world.ts';

for (const n of [5, 50, 60, 100, 200, 500, 501, 1000, 2000, 5000, 10000, 20000, 50000, 200000]) {
  const random = new Random(n);
  const world = buildWorld(random, n, n % 3 === 0);
  let header = headerOf(world);
  header = {
    ...header,
    gross: header.gross - 12_345n,
    fees: header.fees - 345n,
    tax: header.tax - 69n,
    payIn: header.payIn - 11_931n,
    transactions: header.transactions - 1,
  };
  const rows = columnsOf(world.rows);
  const settled = reconcileSettlement({
    settlement: header,
    rows,
    outcome: world.outcome,
    settings: defaultSettings,
  });
  const out: string[] = [];
  for (const [name, effort] of [
    ['quick', quick],
    ['thorough', thorough],
  ] as const) {
    const times: number[] = [];
    let r;
    for (let k = 0; k < (n > 5000 ? 3 : 8); k++) {
      const t = performance.now();
      r = explain(
        settled,
        rows,
        { outcome: world.outcome },
        { identity: 'gross-fees-tax', effort },
      );
      times.push(performance.now() - t);
    }
    out.push(
      `${name} first ${times[0]?.toFixed(0)} median ${times.sort((a, b) => a - b)[times.length >> 1]?.toFixed(0)} ms, complete ${r?.hypotheses.filter((h) => h.outcome === 'explains').length}, unsearched ${r?.hypotheses.filter((h) => h.outcome === 'not_searched' && h.obstacle.reason === 'too_many_candidates').map((h) => h.codes[0])} ${r?.pairObstacles.map((o) => o.reason)}`,
    );
  }
  console.log(n, out.join(' | '), Math.round(process.memoryUsage().rss / 1e6), 'MB');
}
