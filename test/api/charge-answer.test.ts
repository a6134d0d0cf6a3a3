import { describe, expect, test } from 'vitest';
import { readCharge } from '../../src/api/charge-answer.ts';
import type { Charge } from '../../src/model/charge.ts';
import { uuid } from '../support/build.ts';
import { cents } from '../support/build-charge.ts';
import { answerOf } from './answer.ts';
import { rawCharge } from './raw.ts';

/** A charge after its way over the wire. */
function decode(raw: unknown): Charge {
  return readCharge(answerOf(JSON.stringify(raw)), uuid(2001));
}

/** Why a charge with this summary cannot be read. */
function faultOf(summary: string): string {
  const { summary_amounts: _, ...others } = rawCharge();
  const text = `${JSON.stringify(others).slice(0, -1)},"summary_amounts":${summary}}`;
  try {
    readCharge(answerOf(text), uuid(2001));
    return 'none';
  } catch (error) {
    return String(error);
  }
}

test('a charge has all that the document names, without people and encrypted details', () => {
  const charge = decode(rawCharge());
  expect(charge).toEqual({
    id: uuid(2001),
    status: 'completed',
    order: {
      id: uuid(3001),
      serviceId: 'token-a',
      reference: 'my order',
      details: [{ key: 'merchant_order_ref', value: 'ORD-1' }],
      currency: 'EUR',
      amount: cents(1000n),
    },
    summary: {
      originalOrderTotal: cents(1000n),
      currentOrderTotal: cents(1000n),
      completed: cents(1000n),
      refunded: cents(0n),
      settled: cents(0n),
      canceled: cents(0n),
      disputed: cents(0n),
      reconciled: cents(0n),
      reversed: cents(0n),
      outOfBalance: [],
      outOfBalanceOther: [],
    },
    event: { number: 4, action: 'complete', source: 'api', status: 'completed' },
    errorMessage: '',
    payments: [
      {
        instrumentId: uuid(4001),
        instrumentType: 'card',
        ledgerType: 'debit',
        savedForLater: true,
        instrumentReference: 'my card',
      },
    ],
    responses: [
      {
        psp_id: 'psp-1',
        type: 'authorisation',
        status_code: '200',
        authorization_id: 'AUTH-1',
        acquirer_response_code: '00',
        network_unique_id: 'NET-1',
        psp_error: '',
      },
    ],
  });
});

test('each of the summary amounts has its own field (doc 2.5)', () => {
  const { outOfBalance, outOfBalanceOther, ...amounts } = decode(
    rawCharge(
      {},
      {
        original_order_total: 1,
        current_order_total: 2,
        completed_amount: 3,
        refunded_amount: 4,
        settled_amount: 5,
        canceled_amount: 6,
        disputed_amount: 7,
        reconciled_amount: 8,
        reversed_amount: 9,
        out_of_balance_amounts: [10],
      },
    ),
  ).summary;
  expect(amounts).toEqual({
    originalOrderTotal: cents(1n),
    currentOrderTotal: cents(2n),
    completed: cents(3n),
    refunded: cents(4n),
    settled: cents(5n),
    canceled: cents(6n),
    disputed: cents(7n),
    reconciled: cents(8n),
    reversed: cents(9n),
  });
  expect([outOfBalance, outOfBalanceOther]).toEqual([[cents(10n)], []]);
});

test('text that is quoted as received lacks people and payment details', () => {
  const secret = { payer: { email: 'pedro@example.com' }, encrypted_data: 'xxx', kept: [1] };
  const { responses, summary } = decode(
    rawCharge(
      { psp_responses: [{ psp_error: secret }, { psp_error: [secret] }] },
      { out_of_balance_amounts: [{ customer: 'carla@example.com', kept: 2 }] },
    ),
  );
  expect(responses.map(({ psp_error }) => psp_error)).toEqual(['{"kept":[1]}', '[{"kept":[1]}]']);
  expect(summary.outOfBalanceOther).toEqual(['{"kept":2}']);
  expect(faultOf('[{"customer":"carla@example.com"}]')).toContain('summary_amounts is [{}],');
});

test('an amount has two decimal places in every currency (doc 2.1)', () => {
  for (const currency of ['JPY', 'KWD', 'EUR']) {
    const order = { order_amount: { value: 480_000, currency: { currency_code: currency } } };
    const charge = decode(rawCharge({ order }, { settled_amount: 480_000 }));
    expect(charge.order.amount).toEqual(cents(480_000n, currency));
    expect(charge.summary.settled).toEqual(cents(480_000n, currency));
  }
});

describe('a charge in a form that the document does not show', () => {
  test.each<[string, unknown, object | undefined]>([
    ['an object', { value: 1000 }, cents(1000n)],
    ['an object with a currency', { value: 1000, currency: 'USD' }, cents(1000n, 'USD')],
    ['as the order has it', { value: 1, currency: { currency_code: 'USD' } }, cents(1n, 'USD')],
    ['with unknown fields', { value: 1000, more: true }, cents(1000n)],
    ['a negative number', -5, cents(-5n)],
    ['null', null, undefined],
    ['nothing', undefined, undefined],
  ])('has its amount read, if the amount is %s', (_, amount, expected) => {
    expect(decode(rawCharge({}, { settled_amount: amount })).summary.settled).toEqual(expected);
  });

  test('has its out-of-balance amounts read: numbers, objects, one alone; others are kept as received', () => {
    const of = (amounts: unknown) => {
      const { outOfBalance, outOfBalanceOther } = decode(
        rawCharge({}, { out_of_balance_amounts: amounts }),
      ).summary;
      return [outOfBalance.map(({ minor }) => minor), outOfBalanceOther];
    };
    expect(of([100, { value: -20, currency: 'EUR' }])).toEqual([[100n, -20n], []]);
    expect(of(100)).toEqual([[100n], []]);
    expect(of([{ reason: 'rounding' }, 'x'])).toEqual([[], ['{"reason":"rounding"}', '"x"']]);
    expect(of([])).toEqual([[], []]);
    expect(of(null)).toEqual([[], []]);
    expect(of(undefined)).toEqual([[], []]);
  });

  test('has empty values, never a zero, for what is missing', () => {
    const empty = decode({ charge_id: uuid(2001) });
    expect(empty.summary.settled).toBeUndefined();
    expect(empty.order).toMatchObject({ id: '', currency: '', amount: undefined, details: [] });
    expect(empty).toMatchObject({ status: '', errorMessage: '', payments: [], responses: [] });
    for (const odd of [null, 7, 'x', [], [7], {}]) {
      const fields = ['order', 'status', 'event', 'payments', 'psp_responses', 'error_message'];
      const charge = rawCharge(Object.fromEntries(fields.map((field) => [field, odd])));
      expect(() => decode(charge)).not.toThrow();
    }
  });

  test('is read without its unknown fields, and with an unknown status', () => {
    const charge = rawCharge({ more: { x: 1 }, status: { status: 'under_review', since: 1 } });
    expect(decode(charge).status).toBe('under_review');
  });

  test('keeps the error of a processor as received, as text or JSON', () => {
    const of = (psp_error: unknown) => decode(rawCharge({ psp_responses: [{ psp_error }] }));
    expect(of('51 INSUFF FUNDS').responses[0]?.psp_error).toBe('51 INSUFF FUNDS');
    expect(of({ code: 51 }).responses[0]?.psp_error).toBe('{"code":51}');
  });
});

describe('an amount that is not a whole number of minor units is refused with its field', () => {
  test.each([
    ['{"settled_amount":12.5}', 'summary_amounts.settled_amount', '12.5'],
    ['{"settled_amount":9007199254740993}', 'summary_amounts.settled_amount', '9007199254740993'],
    ['{"settled_amount":1e400}', 'summary_amounts.settled_amount', '1e400'],
    ['{"refunded_amount":"1000"}', 'summary_amounts.refunded_amount', '"1000"'],
    ['{"refunded_amount":""}', 'summary_amounts.refunded_amount', '""'],
    ['{"refunded_amount":{"value":0.1}}', 'summary_amounts.refunded_amount', '{"value":0.1}'],
    ['{"refunded_amount":{"amount":1}}', 'summary_amounts.refunded_amount', '{"amount":1}'],
    ['{"out_of_balance_amounts":[1,0.5]}', 'summary_amounts.out_of_balance_amounts.1', '0.5'],
    ['{"out_of_balance_amounts":0.5}', 'summary_amounts.out_of_balance_amounts.0', '0.5'],
    ['[]', 'summary_amounts', '[]'],
  ])('%s', (summary, field, found) => {
    expect(faultOf(summary)).toContain(`: ${field} is ${found}, expected`);
  });

  test('in the order', () => {
    const order = { order_amount: { value: 10.5 } };
    expect(() => decode(rawCharge({ order }))).toThrow('order.order_amount');
  });
});
