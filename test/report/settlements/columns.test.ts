import { describe, expect, test } from 'vitest';
import { valueText } from '../../../src/model/value.ts';
import { entry } from '../../../src/reconcile/entry.ts';
import type { Records } from '../../../src/report/common/columns.ts';
import { settlementsViews } from '../../../src/report/settlements/view.ts';
import { idOf, lisbon, month, porto, reconciled, report, settlement } from '../build-report.ts';

/** The first record, by key. */
function first({ columns, rows }: Records): Record<string, string> {
  const [row = []] = rows;
  return Object.fromEntries(columns.map(({ key }, index) => [key, valueText(row[index])]));
}

const settlementKeys =
  'settlement_date, settlement_timestamp, settlement_id, accounting_token, accounting_name, merchant_id, payment_service, currency, decimal_places, settlement_status, service_says, sums_say, verdict, transactions_reported, transactions_computed, transactions_difference, gross_reported, gross_computed, gross_difference, fees_reported, fees_computed, fees_difference, tax_reported, tax_computed, tax_difference, pay_in_reported, pay_in_computed, pay_in_difference, discrepancies, notices, payment_references, payment_end_to_end_ids, explanation, verdict_reason, by_rule';

const groupKeys = [
  'accounting_token, accounting_name, currency, decimal_places, settlements_balanced, settlements_out_of_balance, settlements_pending, settlements_incomplete',
  ...['gross', 'fees', 'tax', 'pay_in'].map(
    (key) => `${key}_reported, ${key}_computed, ${key}_difference, ${key}_difference_absolute`,
  ),
  'out_of_balance_net, out_of_balance_absolute, pending_pay_in, mixed_decimal_places',
  'settlements_unknown_status, unknown_status_pay_in, by_rule',
].join(', ');

describe('the record of a settlement', () => {
  test('has the columns of the contract in order', () => {
    const { columns } = settlementsViews(month()).records();
    expect(columns.map(({ key }) => key).join(', ')).toBe(settlementKeys);
  });

  test('has amounts as exact decimals and differences as reported minus computed', () => {
    const off = reconciled(
      settlement({ fees: 149n, payIn: -9_000n }),
      { fees: -1n, transactions: 2 },
      [
        entry('identity', 1, {
          identity: 'gross',
          reported: { minor: 1n, scale: 2, currency: 'EUR' },
          computed: { minor: 1n, scale: 2, currency: 'EUR' },
          difference: { minor: 0n, scale: 2, currency: 'EUR' },
        }),
        entry('scale', 1, { decimalPlaces: 2, others: [0], examples: [] }),
      ],
    );
    expect(first(settlementsViews(report([off])).records())).toMatchObject({
      settlement_id: idOf(1),
      accounting_token: lisbon,
      accounting_name: 'Lisbon shop',
      decimal_places: '2',
      verdict: 'out_of_balance',
      transactions_difference: '2',
      fees_reported: '1.49',
      fees_computed: '1.50',
      fees_difference: '-0.01',
      pay_in_reported: '-90.00',
      discrepancies: 'fees | identity',
      notices: 'scale',
      payment_references: 'PR-1 | PR-2',
    });
  });

  test('leaves computed amounts and differences empty if the settlement is incomplete', () => {
    const unread = reconciled(settlement(), {}, [
      entry('not_read', 1, { reason: { code: 'other', facts: { message: 'busy' } } }),
    ]);
    const record = first(settlementsViews(report([unread])).records());
    const empty = Object.keys(record).filter((key) => /_(computed|difference)$/.test(key));
    expect(empty).toHaveLength(10);
    expect(empty.map((key) => record[key])).toEqual(Array.from({ length: 10 }, () => ''));
    expect(record['gross_reported']).toBe('100.00');
  });

  test('has no name for a token without one', () => {
    const nameless = reconciled(settlement({ accountingToken: 'other' }));
    const record = first(settlementsViews(report([nameless])).records());
    expect(record['accounting_name']).toBe('');
  });

  test('has its explanation, or the reason why it is incomplete, or nothing', () => {
    const explanations = new Map([[idOf(11), 'The difference equals one row.']]);
    const { columns, rows } = settlementsViews({ ...month(), explanations }).records();
    const at = columns.findIndex(({ key }) => key === 'explanation');
    const all = [...rows].map((row) => [row[2], row[at]]);
    const why = `1 transaction cannot be read: ${idOf(992)} (decimalPlaces: found "", expected a whole number from 0 to 18).`;
    expect(all.filter(([, text]) => text !== '')).toEqual([[...explanations][0], [idOf(14), why]]);
  });

  test('is left out if its verdict is not asked for', () => {
    const { rows } = settlementsViews({ ...month(), only: ['pending', 'incomplete'] }).records();
    expect([...rows].map((row) => row[12])).toEqual(['pending', 'incomplete']);
  });
});

describe('the record of a group', () => {
  test('has the columns of the contract in order', () => {
    const { columns } = settlementsViews({ ...month(), splitBy: ['account'] }).records();
    expect(columns.map(({ key }) => key).join(', ')).toBe(groupKeys);
  });

  test('shows differences that cancel in an absolute sum', () => {
    const two = [
      reconciled(settlement({ id: idOf(1), gross: 10_500n, payIn: 10_320n }), { gross: 500n }),
      reconciled(settlement({ id: idOf(2), gross: 9_500n, payIn: 9_320n }), { gross: -500n }),
    ];
    expect(
      first(settlementsViews({ ...report(two), splitBy: ['account'] }).records()),
    ).toMatchObject({
      gross_difference: '0.00',
      gross_difference_absolute: '10.00',
      out_of_balance_net: '0.00',
      out_of_balance_absolute: '10.00',
    });
  });

  test('has no computed pay-in if the identity is off', () => {
    const run = report([reconciled(settlement({ accountingToken: porto }))], {
      settings: { identity: 'off' },
    });
    expect(first(settlementsViews({ ...run, splitBy: ['account'] }).records())).toMatchObject({
      accounting_name: 'Porto warehouse and outlet',
      gross_computed: '100.00',
      pay_in_reported: '98.20',
      pay_in_computed: '',
      pay_in_difference: '',
      pay_in_difference_absolute: '',
      out_of_balance_net: '',
      out_of_balance_absolute: '',
      pending_pay_in: '0.00',
    });
  });
});
