import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowScanner } from '../../src/api/scan/row-scanner.ts';
import { rowsOf } from '../../src/model/row-batch.ts';
import { csv } from '../../src/render/csv.ts';
import { transactionsViews } from '../../src/report/transactions/view.ts';
import { answerOf } from '../api/answer.ts';
import { buildSettlement, uuid } from '../support/build.ts';

const minorUnits = fc.oneof(
  fc.integer({ min: -120, max: 120 }),
  fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
);
const text = fc.constantFrom('purchase', '', 'a, b', '=1+1', '12e45', 'a; b', "it's", '-1');
const row = fc.record(
  {
    transactionId: fc.nat(9_999).map(uuid),
    chargeId: fc.nat(9_999).map(uuid),
    orderId: fc.nat(9_999).map(uuid),
    timestamp: fc.constantFrom('2026-03-04T12:00:00Z', '2026-03-04T12:00:00.123456789+01:00'),
    settlementId: fc.constant(uuid(1)),
    transactionType: text,
    paymentType: text,
    state: text,
    currencyCode: fc.constantFrom('EUR', 'JPY'),
    decimalPlaces: fc.integer({ min: 0, max: 9 }).map(String),
    amount: minorUnits,
    fees: minorUnits,
    tax: minorUnits,
  },
  {
    requiredKeys: [
      'transactionId',
      'settlementId',
      'currencyCode',
      'decimalPlaces',
      'amount',
      'fees',
      'tax',
    ],
  },
);

test('records of rows in columns are the same as records field by field', () => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('rfc', 'excel', 'excel-eu'),
      fc.constantFrom('', 'A "name"', 'Ünlü; 漢', '=name'),
      (raw, dialect, name) => {
        const settlement = buildSettlement({ date: '2026-03-04' });
        const views = transactionsViews({
          of: { settlement: settlement.id },
          profile: undefined,
          names: new Map(name === '' ? [] : [[settlement.accountingToken, name]]),
          notes: [],
          filters: {},
        });
        const { rows, batches } = csv.list(views, {
          dialect,
          screen: { width: 80, colour: false },
        });
        const body = JSON.stringify({ status: { code: '0', response: 'Success' }, data: raw });
        const page = new RowScanner(() => {}).read(answerOf(body));
        if (!page || !batches) throw new Error('the rows are as documented');
        const rowAt = (index: number) => ({ settlement, row: page.row(index) });
        expect(String(batches.bytes(page, page.texts, rowAt))).toBe(
          rows(rowsOf(page).map((one) => ({ settlement, row: one }))),
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('records with notes are written from whole rows, not from columns', () => {
  const question = { profile: undefined, names: new Map(), filters: {} };
  const views = transactionsViews({ ...question, of: { settlement: uuid(1) }, notes: ['key'] });
  const options = { dialect: 'rfc', screen: { width: 80, colour: false } } as const;
  expect(csv.list(views, options)).not.toHaveProperty('batches');
});
