import { describe, expect, test } from 'vitest';
import { buildSettlement, uuid } from '../support/build.ts';
import { ask, bestCauses, causesOf, headerOver, row } from './ask.ts';

const purchases = [
  row(1, [4590n, 89n, 19n]),
  row(2, [12907n, 206n, 43n]),
  row(3, [2513n, 60n, 13n]),
  row(4, [7899n, 136n, 29n]),
];
const chargeOf = (number: number) => ({ chargeId: uuid(number + 2000), type: 'refund' });
const full = row(5, [-4590n, 0n, 0n], chargeOf(1));
const half = row(6, [-6453n, 0n, 0n], chargeOf(2));

describe('the fees of a refunded purchase', () => {
  test('are given back in full', () => {
    const explained = ask({ rows: [...purchases, full], header: { fees: 402n, tax: 85n } });
    expect(bestCauses(explained)).toEqual([
      { code: 'refund_fees', facts: { returned: 'in_full' } },
    ]);
    expect(explained.best?.causes[0]?.rows.examples).toMatchObject([{ transactionId: full.id }]);
    expect(explained.certainty).toBe('likely');
  });

  test('are given back by the share that is refunded', () => {
    const explained = ask({ rows: [...purchases, half], header: { fees: 388n, tax: 83n } });
    expect(bestCauses(explained)).toEqual([
      { code: 'refund_fees', facts: { returned: 'in_part' } },
    ]);
  });

  test('are given back for all refunds, or for one of them', () => {
    const rows = [...purchases, full, half];
    const both = ask({ rows, header: { fees: 491n - 89n - 206n, tax: 104n - 19n - 43n } });
    expect(bestCauses(both)).toEqual([{ code: 'refund_fees', facts: { returned: 'in_full' } }]);
    expect(both.best?.causes[0]?.rows.count).toBe(2);
    const one = ask({ rows, header: { fees: 491n - 206n, tax: 104n - 43n } });
    expect(one.best?.causes[0]?.rows.examples).toMatchObject([{ transactionId: half.id }]);
  });

  test('are known if the purchase stands in a neighbour', () => {
    const settlement = buildSettlement({ ...headerOver(purchases.slice(0, 1), {}), id: uuid(9) });
    const explained = ask({
      rows: [...purchases.slice(1), full],
      header: { fees: 402n - 89n, tax: 85n - 19n },
      neighbours: [{ settlement, rows: purchases.slice(0, 1) }],
    });
    expect(causesOf(explained)).toContainEqual([
      { code: 'refund_fees', facts: { returned: 'in_full' } },
    ]);
  });

  test('are those of the same purchase in any order of rows', () => {
    const other = row(7, [1000n, 40n, 8n], { chargeId: full.chargeId });
    const [one, turned] = [
      [...purchases, other, full],
      [other, full, ...purchases],
    ].map((rows) => ask({ rows, header: { fees: 442n, tax: 93n } }));
    expect(one?.best).toBeDefined();
    expect(one?.hypotheses).toEqual(turned?.hypotheses);
  });
});
