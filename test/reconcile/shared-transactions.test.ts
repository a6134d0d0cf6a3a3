import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SharedTransactions } from '../../src/reconcile/shared-transactions.ts';
import { buildRow, uuid } from '../support/build.ts';
import { columnsOf } from './judge.ts';

type Listing = readonly [settlementId: string, transactions: readonly number[]];

function findIn(listings: readonly Listing[]) {
  const shared = new SharedTransactions();
  for (const [settlementId, transactions] of listings) {
    shared.add(settlementId, columnsOf(transactions.map((n) => buildRow({ id: uuid(n) }))));
  }
  return shared.finding;
}

test('transactions of one settlement each are no finding', () => {
  expect(findIn([])).toBeUndefined();
  expect(
    findIn([
      ['A', [1, 2]],
      ['B', [3]],
      ['C', []],
    ]),
  ).toBeUndefined();
});

test('a transaction in three settlements counts once and names all of them', () => {
  expect(
    findIn([
      ['C', [1, 2]],
      ['A', [2, 3]],
      ['B', [2, 3]],
    ]),
  ).toEqual({
    code: 'shared_transaction',
    weight: 'discrepancy',
    count: 2,
    facts: {
      examples: [
        { transactionId: uuid(2), settlementIds: ['A', 'B', 'C'] },
        { transactionId: uuid(3), settlementIds: ['A', 'B'] },
      ],
    },
  });
});

test('ids of an unusual form are found too', () => {
  const shared = new SharedTransactions();
  shared.add('A', columnsOf([buildRow({ id: 'tx/1' })]));
  shared.add('B', columnsOf([buildRow({ id: 'tx/1' })]));
  expect(shared.finding?.count).toBe(1);
});

test('many transactions are counted, and the ten smallest ids are shown', () => {
  const all = Array.from({ length: 25 }, (_, n) => 24 - n);
  const finding = findIn([
    ['A', all],
    ['B', all],
  ]);
  expect(finding?.count).toBe(25);
  expect(finding?.facts).toMatchObject({
    examples: all
      .toReversed()
      .slice(0, 10)
      .map((n) => ({ transactionId: uuid(n) })),
  });
});

test('law: the finding does not depend on the order of settlements or rows', () => {
  const ids = fc.uniqueArray(fc.nat({ max: 30 }), { maxLength: 30 });
  const lists = fc.tuple(ids, ids, ids, ids);
  fc.assert(
    fc.property(lists, ([a, b, c, d]) => {
      const listings: Listing[] = [
        ['A', a],
        ['B', b],
        ['C', c],
        ['D', d],
      ];
      const reversed = listings.map(([id, rows]) => [id, rows.toReversed()] as const).toReversed();
      expect(findIn(reversed)).toEqual(findIn(listings));
    }),
  );
});
