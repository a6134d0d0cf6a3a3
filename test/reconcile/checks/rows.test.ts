import { expect, test } from 'vitest';
import { buildRow, uuid } from '../../support/build.ts';
import { codesOf, entryOf, judge } from '../judge.ts';

test('rows of other settlements are a discrepancy and stay in the sums', () => {
  const rows = [
    buildRow({ id: uuid(3), settlementId: uuid(8) }),
    buildRow({ id: uuid(2), settlementId: uuid(7) }),
    buildRow({ id: uuid(1), settlementId: uuid(8) }),
  ];
  const header = { transactions: 3, gross: 3000n, fees: 90n, tax: 18n, payIn: 2892n };
  const result = judge({ rows, header });
  expect(codesOf(result)).toEqual(['foreign_settlement']);
  expect(entryOf('foreign_settlement', result)).toEqual({
    code: 'foreign_settlement',
    weight: 'discrepancy',
    count: 3,
    facts: { settlementIds: [uuid(7), uuid(8)], examples: [uuid(1), uuid(2), uuid(3)] },
  });
  expect(result.difference?.gross).toBe(0n);
});

test('the same UUID in capital letters is not another settlement', () => {
  const id = '00000000-0000-4000-8000-00000000000a';
  const rows = [buildRow({ settlementId: id.toUpperCase() })];
  expect(codesOf(judge({ rows, header: { id } }))).toEqual([]);
});

test('a row without a settlement is not of another settlement', () => {
  expect(codesOf(judge({ rows: [buildRow({ settlementId: '' })] }))).toEqual([]);
});

test('a correction may move a row to this settlement', () => {
  const result = judge({
    rows: [buildRow({ settlementId: uuid(8) })],
    outcome: { corrections: [buildRow()] },
  });
  expect(codesOf(result)).toEqual([]);
});

test('rows in other currencies have their own totals and are never in the sums', () => {
  const rows = [
    buildRow(),
    buildRow({ id: uuid(9), currency: 'USD' }),
    buildRow({ id: uuid(8), currency: 'JPY', scale: 0, amount: 500n, fees: 0n, tax: 0n }),
    buildRow({ id: uuid(7), currency: 'USD', scale: 3, amount: -1n, fees: 0n, tax: 0n }),
  ];
  const result = judge({ rows, header: { transactions: 4 } });
  expect(codesOf(result)).toEqual(['currency']);
  expect(result.computed?.gross).toBe(1000n);
  expect(result.scale).toBe(2);
  const usd = (minor: bigint) => ({ minor, scale: 3, currency: 'USD' });
  const jpy = (minor: bigint) => ({ minor, scale: 0, currency: 'JPY' });
  expect(entryOf('currency', result)).toEqual({
    code: 'currency',
    weight: 'discrepancy',
    count: 3,
    facts: {
      totals: [
        { transactions: 1, gross: jpy(500n), fees: jpy(0n), tax: jpy(0n) },
        { transactions: 2, gross: usd(9999n), fees: usd(300n), tax: usd(60n) },
      ],
      examples: [uuid(7), uuid(8), uuid(9)],
    },
  });
});

test('a currency code in small letters is another currency', () => {
  const result = judge({ rows: [buildRow({ currency: 'eur' })] });
  expect(codesOf(result)).toContain('currency');
  expect(result.computed?.gross).toBe(0n);
});

test('rows in the currency of the header have no discrepancy', () => {
  const result = judge({ header: { currency: 'USD' }, rows: [buildRow({ currency: 'USD' })] });
  expect(codesOf(result)).toEqual([]);
});

const free = { amount: 0n, fees: 0n, tax: 0n };

test('rows with other decimal places are rescaled exactly, with all figures', () => {
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

test('rows with fewer decimal places keep the scale of the header', () => {
  const row = buildRow({ scale: 0, amount: 10n, fees: 0n, tax: 0n });
  const result = judge({ rows: [row], header: { fees: 0n, tax: 0n, payIn: 1000n } });
  expect(codesOf(result)).toEqual(['scale']);
  expect(result).toMatchObject({ scale: 2, verdict: 'balanced' });
});

test('rows in another currency keep their own decimal places', () => {
  const rows = [buildRow(), buildRow({ id: uuid(2), currency: 'KWD', scale: 3 })];
  const result = judge({ rows, header: { transactions: 2 } });
  expect(codesOf(result)).toEqual(['currency']);
  expect(result.scale).toBe(2);
});

test('the header keeps its own scale if the rows were not read whole', () => {
  const given = { rows: [buildRow({ scale: 3 })], outcome: { unsteady: 'too_long' } } as const;
  expect(judge(given).scale).toBe(2);
});
