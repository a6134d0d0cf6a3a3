import { describe, expect, test } from 'vitest';
import { type Case, caseOf } from '../../../src/explain/case.ts';
import { differenceOf } from '../../../src/explain/hypotheses/neighbours.ts';
import { noTally } from '../../../src/explain/tally.ts';
import type { Row } from '../../../src/model/row.ts';
import type { Identity } from '../../../src/reconcile/identity.ts';
import { columnsOf, judge } from '../../reconcile/judge.ts';
import type { Stated } from '../../support/build.ts';
import { buildOutcome, buildRow, buildSettlement, uuid } from '../../support/build.ts';

const one = [buildRow()];

/** The case of a settlement in EUR with two decimals, beside these others. */
function caseBeside(others: readonly Stated[] = [], identity: Identity = 'gross-fees-tax'): Case {
  const neighbours = others.map((settlement) => ({ settlement }));
  const evidence = { outcome: buildOutcome(), neighbours };
  const subject = caseOf(judge({ rows: one }), columnsOf(one), evidence, { identity, rules: {} });
  if (subject === undefined) throw new Error('no case');
  return subject;
}

const neighbour = (given: Partial<Stated> = {}, rows?: readonly Row[]) => ({
  settlement: buildSettlement({ id: uuid(2), ...given }),
  ...(rows && { rows: columnsOf(rows) }),
});

describe("a neighbour's own difference", () => {
  const subject = caseBeside();

  test('is the contradiction of its header if its rows are not known', () => {
    expect(differenceOf(subject, neighbour({ payIn: 964n }))).toEqual(noTally);
    expect(differenceOf(subject, neighbour({ payIn: 900n }))).toEqual({
      ...noTally,
      contradiction: -64n,
    });
  });

  test('is what it reports less what its rows give', () => {
    const rows = [buildRow({ amount: 400n }), buildRow({ id: uuid(7), currency: 'JPY' })];
    expect(differenceOf(subject, neighbour({ transactions: 5 }, rows))).toEqual({
      count: 3,
      gross: 600n,
      fees: 0n,
      tax: 0n,
      contradiction: 0n,
    });
  });

  test('is all that it reports if it has no rows in its currency', () => {
    const all = { count: 1, gross: 1000n, fees: 30n, tax: 6n, contradiction: 0n };
    expect(differenceOf(subject, neighbour({}, []))).toEqual(all);
    const foreign = [buildRow({ currency: 'JPY' })];
    expect(differenceOf(subject, neighbour({}, foreign))).toEqual({ ...all, count: 0 });
  });

  test('is at the scale of the case', () => {
    const whole = { scale: 0, gross: 10n, fees: 1n, tax: 0n, payIn: 9n };
    const rows = [buildRow({ scale: 1, amount: 95n, fees: 10n, tax: 0n })];
    expect(differenceOf(subject, neighbour(whole, rows))).toEqual({
      count: 0,
      gross: 50n,
      fees: 0n,
      tax: 0n,
      contradiction: 0n,
    });
  });

  test('is not known if it needs more decimal places', () => {
    const finer = { scale: 3, gross: 10_000n, fees: 300n, tax: 60n, payIn: 9_640n };
    expect(differenceOf(subject, neighbour(finer))).toEqual(noTally);
    for (const field of ['gross', 'fees', 'tax', 'payIn']) {
      const odd = neighbour({ ...finer, [field]: 9_641n });
      expect(differenceOf(subject, odd)).toBeUndefined();
    }
    const rows = [buildRow({ scale: 3, amount: 1n, fees: 0n, tax: 0n })];
    expect(differenceOf(subject, neighbour({}, rows))).toBeUndefined();
  });

  test('is not known if no identity is assumed', () => {
    expect(differenceOf(caseBeside([], 'off'), neighbour())).toBeUndefined();
  });
});
