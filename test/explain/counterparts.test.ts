import { describe, expect, test } from 'vitest';
import type { Neighbour } from '../../src/explain/case.ts';
import { explainDifference, withCounterparts } from '../../src/explain/explain.ts';
import { quick } from '../../src/explain/limits.ts';
import type { Row } from '../../src/model/row.ts';
import { allStated } from '../../src/reconcile/computed.ts';
import { columnsOf, defaultSettings, judge } from '../reconcile/judge.ts';
import type { Stated } from '../support/build.ts';
import { buildOutcome, buildSettlement, uuid } from '../support/build.ts';
import { headerOver, row } from './ask.ts';

/** Rows of a shop at 2.5 % with 20 % tax on the fees. */
function shop(count: number) {
  return Array.from({ length: count }, (_, n) => {
    const gross = BigInt(10_00 + ((n * n * 7919 + n * 104_729) % 89_000));
    const fees = (gross * 25n + 500n) / 1000n;
    return row(n + 1, [gross, fees, fees / 5n]);
  });
}

const nothing = { transactions: 0, gross: 0n, fees: 0n, tax: 0n, payIn: 0n };

/** Neighbours of which the first has the opposite of this difference, and the others none. */
function neighbours(count: number, difference: Neighbour['difference']): readonly Neighbour[] {
  return Array.from({ length: count }, (_, n) => ({
    settlement: buildSettlement({ id: uuid(9000 + n) }),
    difference: n === 0 ? difference : { ...nothing, scale: 2 },
  }));
}

/** What is said before the differences of the neighbours are known, and after. */
function told(rows: readonly Row[], header: Partial<Stated>, count = 1) {
  const settled = judge({ rows, header: headerOver(rows, header) });
  const { difference } = settled;
  const stated = difference && allStated(difference);
  if (stated?.payIn === undefined) throw new Error('no difference');
  const { transactions, gross, fees, tax, payIn } = stated;
  const opposite = {
    transactions: -transactions,
    gross: -gross,
    fees: -fees,
    tax: -tax,
    payIn: -payIn,
    scale: settled.scale,
  };
  const evidence = { outcome: buildOutcome() };
  const before = explainDifference(settled, columnsOf(rows), evidence, {
    ...defaultSettings,
    effort: quick,
  });
  const others = neighbours(count, opposite);
  return { before, after: withCounterparts(before, settled, others, defaultSettings) };
}

describe('the certainty with counterparts', () => {
  test('a counterpart is weighed against what the rows of the settlement show', () => {
    const { after } = told(
      shop(40),
      headerOver([...shop(40), row(99, [73_21n, 41_83n, 9_36n])], {}),
    );
    expect(after.best?.codes).toEqual(['neighbour']);
    expect(after).toMatchObject({ certainty: 'certain', mayBeChance: false });
  });

  test('rows that may be chance stay so if a counterpart ranks behind them', () => {
    const rows = Array.from({ length: 8 }, (_, n) => row(n + 1, [9_99n, 25n, 5n]));
    const { before, after } = told(rows, headerOver(rows.slice(1), {}), 32);
    expect(after.rivals.map(({ codes }) => codes)).toContainEqual(['neighbour']);
    expect(before.mayBeChance).toBe(true);
    expect(after.best).toEqual(before.best);
    expect(after.mayBeChance).toBe(true);
  });
});
