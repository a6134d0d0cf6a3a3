import { test } from 'vitest';
import { render } from '../../src/render/index.ts';
import { explainViews } from '../../src/report/explain-views.ts';
import { explained, explainReport, oneLeftOut, row, sixRows, sums } from './build-explained.ts';

const show = (one: any, format: any = 'table') => {
  console.log(
    [
      ...render(format, explainViews(explainReport([one], { flags: '--sandbox' })), {
        dialect: 'rfc',
        screen: { width: 80, colour: false },
      }),
    ].join(''),
  );
};
test('x', () => {
  show(oneLeftOut());
  show(oneLeftOut(), 'markdown');
  show(
    explained({
      header: { ...sums(sixRows), transactions: 8, gross: 200_00n, fees: 4_00n, payIn: 190_00n },
    }),
  );
  show(explained({ header: { ...sums(sixRows), gross: 167_95n - 20_00n + 100n } }));
  show(
    explained({
      header: {
        ...sums([...sixRows, row(7, -10_00n, -12n, -2n, { type: 'refund' })]),
        transactions: 6,
      },
      rows: [...sixRows, row(7, -10_00n, -12n, -2n, { type: 'refund' })],
    }),
  );
  show(explained({ header: { status: 'settled_out_of_balance' } }));
  show(explained({ outcome: { unsteady: 'walks_disagree' } }));
  show(explained({}), 'markdown');
});
