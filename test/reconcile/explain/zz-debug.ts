import { findRates } from '../../../src/reconcile/explain/find-rate.ts';
import { inject, injections, twoCauses } from './generator.ts';
import { explainWorld, placeOf } from './measure.ts';

const [kind, seedText] = process.argv.slice(2);
const seed = Number(seedText);
const chosen = kind === 'pair' ? twoCauses(seed) : injections.filter((i) => i.code === kind);
for (const set of kind === 'pair' ? [chosen] : chosen.map((c) => [c])) {
  const s = inject(seed, set);
  const e = explainWorld(s.world);
  const text = (x: unknown) => JSON.stringify(x, (_, v) => (typeof v === 'bigint' ? Number(v) : v));
  console.log(
    text(s.causes),
    s.rowIds.length,
    'rows',
    s.world.rows.length,
    s.world.currency,
    text(s.world.feeRate),
    text(s.world.taxRate),
    'place',
    placeOf(s, e),
    'equals',
    e.equals,
  );
  console.log(e.target);
  for (const h of e.hypotheses.slice(0, 7))
    if ('causes' in h)
      console.log(
        h.outcome,
        text(h.causes.map((c) => c.cause)),
        h.free,
        'cand',
        h.candidates,
        h.residual.gross,
        h.residual.fees,
        h.residual.tax,
        h.residual.count,
        h.residual.payIn,
      );
  const own = s.world.rows.filter((r) => r.currency === s.world.currency);
  console.log(
    text(
      findRates(own.filter((r) => r.fees && r.tax).map((r) => ({ base: r.fees, value: r.tax }))),
    ),
    text(
      findRates(
        own.filter((r) => r.fees && r.amount).map((r) => ({ base: r.amount, value: r.fees })),
      ),
    ),
  );
  if (own.length < 20) console.log(own.map((r) => `${r.amount}/${r.fees}/${r.tax}`).join(' '));
}
