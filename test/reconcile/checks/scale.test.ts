import { expect, test } from 'vitest';
import { buildRow, uuid } from '../../support/build.ts';
import { codesOf, entryOf, judge } from '../judge.ts';

const free = { amount: 0n, fees: 0n, tax: 0n };

test('rows with other decimal places are rescaled, exactly, and all figures with them', () => {
  const rows = [
    buildRow({ scale: 3, amount: 9_000n, fees: 300n, tax: 60n }),
    buildRow({ ...free, id: uuid(2), scale: 0, amount: 1n }),
    buildRow({ ...free, id: uuid(3) }),
  ];
  const result = judge({ rows, header: { transactions: 3 } });
  expect(codesOf(result)).toEqual(['scale']);
  expect(entryOf('scale', result)).toEqual({
    code: 'scale',
    weight: 'notice',
    count: 2,
    facts: { decimalPlaces: 2, others: [0, 3], examples: [uuid(2), uuid(1001)] },
  });
  const figures = { transactions: 3, gross: 10_000n, fees: 300n, tax: 60n, payIn: 9_640n };
  expect(result).toMatchObject({ scale: 3, reported: figures, computed: figures });
});

test('rows with fewer decimal places leave the scale of the header', () => {
  const row = buildRow({ scale: 0, amount: 10n, fees: 0n, tax: 0n });
  const result = judge({ rows: [row], header: { fees: 0n, tax: 0n, payIn: 1000n } });
  expect(codesOf(result)).toEqual(['scale']);
  expect(result).toMatchObject({ scale: 2, verdict: 'balanced' });
});

test('the decimal places of another currency are its own', () => {
  const rows = [buildRow(), buildRow({ id: uuid(2), currency: 'KWD', scale: 3 })];
  const result = judge({ rows, header: { transactions: 2 } });
  expect(codesOf(result)).toEqual(['currency']);
  expect(result.scale).toBe(2);
});

test('where the rows were not read whole, the header has its own scale', () => {
  const given = { rows: [buildRow({ scale: 3 })], outcome: { unsteady: 'too_long' } } as const;
  expect(judge(given).scale).toBe(2);
});
