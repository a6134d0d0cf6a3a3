import { describe, expect, test } from 'vitest';
import {
  type ChargeFinding,
  chargesNamed,
  weighCharge,
} from '../../src/explain/charge-evidence.ts';
import type { Charge } from '../../src/model/charge.ts';
import type { Row } from '../../src/model/row.ts';
import { columnsOf } from '../reconcile/judge.ts';
import { explained, oneLeftOut, row, sixRows, sums } from '../report/build-explained.ts';
import { uuid } from '../support/build.ts';
import { buildCharge, cents } from '../support/build-charge.ts';

/** What a charge of 10.00 says of its rows. */
function findings(
  overrides: Partial<Omit<Charge, 'summary'>>,
  summary: Partial<Charge['summary']> = {},
  rows: readonly Row[] = [row(1, 10_00n, 30n, 6n)],
): readonly ChargeFinding[] {
  const charge = buildCharge(overrides, summary);
  return weighCharge(charge, charge.id, columnsOf(rows)).findings;
}

describe('a charge', () => {
  test('has no finding if it agrees with its row', () => {
    expect(findings({})).toEqual([]);
    expect(findings({ status: 'completed' }, { settled: cents(0n) })).toEqual([]);
    expect(findings({}, { settled: undefined })).toEqual([]);
  });

  test('has a finding if the settled amount is not that of its row', () => {
    expect(findings({}, { settled: cents(9_00n) })).toEqual([
      {
        code: 'settled_differs',
        settled: cents(9_00n),
        rows: cents(10_00n),
        difference: cents(-1_00n),
      },
    ]);
  });

  test('is compared with its own rows only', () => {
    const others = sixRows.map((one) => ({ ...one, chargeId: uuid(1) }));
    expect(findings({}, {}, [row(7, 10_00n, 30n, 6n), ...others])).toEqual([]);
  });

  test('has findings for amounts disputed, reversed, canceled or out of balance', () => {
    const summary = {
      disputed: cents(1n),
      reversed: cents(2n),
      canceled: cents(3n),
      outOfBalance: [cents(4n), cents(0n)],
      outOfBalanceOther: ['"?"'],
    };
    expect(findings({ status: 'settled_out_of_balance' }, summary)).toEqual([
      { code: 'disputed', amount: cents(1n) },
      { code: 'reversed', amount: cents(2n) },
      { code: 'canceled', amount: cents(3n) },
      {
        code: 'out_of_balance',
        status: 'settled_out_of_balance',
        amounts: [cents(4n)],
        others: ['"?"'],
      },
    ]);
  });

  test.each<[string, Partial<Omit<Charge, 'summary'>>, Partial<Charge['summary']>, object]>([
    ['an amount', {}, { outOfBalance: [cents(4n)] }, { amounts: [cents(4n)], others: [] }],
    ['something else', {}, { outOfBalanceOther: ['?'] }, { amounts: [], others: ['?'] }],
    ['its status', { status: 'settled_out_of_balance' }, {}, { amounts: [], others: [] }],
  ])('is out of balance by %s alone', (_, charge, summary, said) => {
    expect(findings(charge, summary)).toMatchObject([{ code: 'out_of_balance', ...said }]);
  });

  test('is in balance if its amounts are 0 or missing', () => {
    expect(findings({}, { outOfBalance: [cents(0n)] })).toEqual([]);
    expect(findings({}, { disputed: undefined, refunded: undefined })).toEqual([]);
  });

  test('is refunded whole by its status or by its amount', () => {
    const isWhole = (status: string, refunded: bigint) =>
      findings({ status }, { settled: undefined, refunded: cents(refunded) }).map(
        (one) => one.code === 'refunded' && one.whole,
      );
    expect(isWhole('refunded', 3_00n)).toEqual([true]);
    expect(isWhole('settled', 10_00n)).toEqual([true]);
    expect(isWhole('settled', 3_00n)).toEqual([false]);
    const unknown = { refunded: cents(3_00n), originalOrderTotal: undefined };
    expect(findings({}, unknown)).toMatchObject([{ code: 'refunded', whole: false }]);
  });

  test('has no false alarm if it is refunded whole as in doc 2.5', () => {
    const whole = {
      currentOrderTotal: cents(0n),
      completed: cents(0n),
      refunded: cents(10_00n),
    };
    const event = { number: 5, action: 'refund', source: 'api', status: 'refunded' };
    const purchase = row(1, 10_00n, 30n, 6n);
    const refund = row(2, -10_00n, 0n, 0n, { type: 'refund' });
    for (const settled of [cents(0n), cents(10_00n), undefined]) {
      for (const rows of [[purchase], [refund], [purchase, refund]]) {
        expect(findings({ status: 'refunded', event }, { ...whole, settled }, rows)).toEqual([
          { code: 'refunded', amount: cents(10_00n), whole: true },
        ]);
      }
    }
  });

  test('has a finding if it is refunded in part', () => {
    expect(findings({}, { refunded: cents(3_00n) })).toEqual([
      { code: 'refunded', amount: cents(3_00n), whole: false },
    ]);
  });

  test.each([
    ['not_authorised', true],
    ['cancelled', true],
    ['authorised', true],
    ['completed', false],
    ['refunded', false],
    ['under_review', false],
  ])('%s contradicts an approved row: %s', (status, contradicts) => {
    const codes = findings({ status }, { settled: undefined }).map(({ code }) => code);
    expect(codes.includes('status_contradicts')).toBe(contradicts);
    const declined = [row(1, 10_00n, 30n, 6n, { state: 'declined' })];
    expect(findings({ status }, { settled: undefined }, declined)).toEqual([]);
  });
});

describe('the charges of an explanation', () => {
  test('are those of the rows in any explanation, each once', () => {
    const rows = sixRows.map((one, index) => ({ ...one, chargeId: uuid(2001 + index) }));
    const header = sums(rows.filter((_, index) => index !== 1));
    const { explained: answer } = explained({ header, rows });
    expect(chargesNamed(answer, columnsOf(rows))).toContain(uuid(2002));
    expect(chargesNamed(oneLeftOut().explained, columnsOf(sixRows))).toEqual([uuid(2001)]);
  });

  test('are all if only the service complains, and none without a difference', () => {
    const rows = sixRows.map((one, index) => ({ ...one, chargeId: uuid(2006 - index) }));
    const off = explained({ header: { ...sums(rows), status: 'settled_out_of_balance' }, rows });
    const all = [1, 2, 3, 4, 5, 6].map((number) => uuid(2000 + number));
    const nameless = rows.map((one, index) => (index === 0 ? { ...one, chargeId: '' } : one));
    expect(chargesNamed(off.explained, columnsOf(nameless))).toEqual(all.slice(0, 5));
    expect(chargesNamed(off.explained, columnsOf(rows))).toEqual(all);
    expect(chargesNamed(explained().explained, columnsOf(sixRows))).toEqual([]);
  });
});

test('a charge is weighed with all of its rows', () => {
  const transactionIds = sixRows
    .filter(({ chargeId }) => chargeId === uuid(2001))
    .map(({ id }) => id);
  expect(transactionIds).not.toEqual([]);
  const weighed = weighCharge(buildCharge(), uuid(2001), columnsOf(sixRows));
  expect(weighed).toMatchObject({ chargeId: uuid(2001), transactionIds });
});
