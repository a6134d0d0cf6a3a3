import { describe, expect, test } from 'vitest';
import { buildRow, buildSettlement, uuid } from '../../support/build.ts';
import { codesOf, entryOf, eur, judge } from '../judge.ts';

describe('conflicting_transaction', () => {
  test('is found for one id with two contents, of which the first counts once', () => {
    const counts = buildRow();
    const other = buildRow({
      amount: 9999n,
      scale: 3,
      type: 'refund',
      notes: [{ key: 'k', value: '' }],
    });
    const result = judge({ rows: [counts], outcome: { conflicts: [[counts, other]] } });
    expect(codesOf(result)).toEqual(['conflicting_transaction']);
    expect(entryOf('conflicting_transaction', result)).toEqual({
      code: 'conflicting_transaction',
      weight: 'discrepancy',
      count: 1,
      facts: {
        examples: [
          {
            transactionId: uuid(1001),
            amounts: [eur(1000n), eur(9999n, 3)],
            fields: ['transactionType', 'decimalPlaces', 'amount', 'notes'],
          },
        ],
      },
    });
    expect(result.computed).toMatchObject({ transactions: 1, gross: 1000n });
  });

  test('counts the first content even if it came second, as a correction', () => {
    const counts = buildRow();
    const other = buildRow({ amount: 9999n });
    const outcome = { conflicts: [[counts, other]], corrections: [counts] };
    expect(judge({ rows: [other], outcome }).computed?.gross).toBe(1000n);
  });

  test('is not found for a correction alone', () => {
    const result = judge({
      rows: [buildRow({ amount: 9999n })],
      outcome: { corrections: [buildRow()] },
    });
    expect(codesOf(result)).toEqual([]);
  });

  test('shows ten contents of one id at most', () => {
    const contents = Array.from({ length: 12 }, (_, n) => buildRow({ amount: BigInt(n) }));
    const result = judge({ outcome: { conflicts: [contents] } });
    const amounts = contents.slice(0, 10).map(({ amount }) => eur(amount));
    expect(entryOf('conflicting_transaction', result).facts).toMatchObject({
      examples: [{ amounts }],
    });
  });

  test('is found for lists that differ only inside', () => {
    const note = (value: string) => buildRow({ notes: [{ key: 'k', value }] });
    const conflicts = [[note('a'), note('b')]];
    expect(
      entryOf('conflicting_transaction', judge({ outcome: { conflicts } })).facts,
    ).toMatchObject({ examples: [{ fields: ['notes'] }] });
  });

  test('shows ten examples at most, with the smallest ids in any order', () => {
    const conflicts = [12, 3, 7, 1, 9, 11, 2, 10, 4, 8, 6, 5].map((n) => [
      buildRow({ id: uuid(n) }),
      buildRow({ id: uuid(n), state: 'declined' }),
    ]);
    const { count, facts } = entryOf('conflicting_transaction', judge({ outcome: { conflicts } }));
    expect(count).toBe(12);
    expect(facts).toMatchObject({
      examples: Array.from({ length: 10 }, (_, n) => ({
        transactionId: uuid(n + 1),
        fields: ['state'],
      })),
    });
  });
});

describe('conflicting_settlement', () => {
  test('is found for one settlement id with different headers', () => {
    const contents = [
      buildSettlement(),
      buildSettlement({ status: 'validated', payIn: 1n, paymentReferences: ['PMT-1', 'PMT-2'] }),
    ];
    const result = judge({ headerConflicts: contents });
    expect(codesOf(result)).toEqual(['conflicting_settlement']);
    expect(entryOf('conflicting_settlement', result)).toEqual({
      code: 'conflicting_settlement',
      weight: 'discrepancy',
      count: 2,
      facts: {
        contents: 2,
        fields: ['settlementStatus', 'amountPayIn', 'paymentReferences'],
      },
    });
  });

  test('is not found without other contents', () => {
    expect(codesOf(judge({ headerConflicts: [] }))).toEqual([]);
    expect(codesOf(judge({ headerConflicts: undefined }))).toEqual([]);
  });
});

test('rows that the service lists again count once and are a notice', () => {
  const repeated = [
    { row: buildRow({ id: uuid(1002) }), copies: 2 },
    { row: buildRow(), copies: 1 },
  ];
  const result = judge({ outcome: { repeated } });
  expect(entryOf('duplicate_transaction', result)).toEqual({
    code: 'duplicate_transaction',
    weight: 'notice',
    count: 2,
    facts: { copies: 3, examples: [uuid(1001), uuid(1002)] },
  });
  expect(result.computed?.gross).toBe(1000n);
  expect(result.verdict).toBe('balanced');
});

test('two rows of one charge are not duplicates', () => {
  const rows = [buildRow(), buildRow({ id: uuid(2), amount: 0n, fees: 0n, tax: 0n })];
  expect(codesOf(judge({ rows, header: { transactions: 2 } }))).toEqual([]);
});
