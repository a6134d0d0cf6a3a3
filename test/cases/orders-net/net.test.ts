import { describe, expect, test } from 'vitest';
import { type Asked, base, lines, paysBack, purchase, refund, tell, types } from './shop.ts';

const last = 'LAST,2026-03-12,0';
const one = (ref: string, total: string) =>
  lines('Order,Date,Total', `${ref},2026-03-02,${total}`, last);

/** Nothing is to decide, nothing is told to be paid back, and the ladder has no step. */
async function expectSettled(asked: Asked, ref: string) {
  const told = await tell(asked);
  expect(told.text).toMatch(/^RECONCILED/);
  expect(told.exitCode).toBe(0);
  expect(told.state(ref)).toMatch(/^settled(_in_parts)?$/);
  expect(told.order(ref).difference?.amount).toBe('0.00');
  expect(told.order(ref).refundState).not.toMatch(/missing|unknown|transit/);
  expect(told.text).not.toMatch(paysBack);
  expect(told.json?.ladders[0]?.steps).toEqual([]);
  return told;
}

describe('a payment too many that was given back', () => {
  const twice = [purchase('TK1', 5000, { charge: 'A' }), purchase('TK1', 5000, { charge: 'B' })];
  const file = one('TK1', '50.00');

  test('in two parts, of the same charge', async () => {
    const parts = [refund('TK1', 2000, { charge: 'B' }), refund('TK1', 3000, { charge: 'B' })];
    await expectSettled({ rows: [...twice, ...parts], file }, 'TK1');
  });

  test('by one refund with a charge of its own', async () => {
    await expectSettled({ rows: [...twice, refund('TK1', 5000)], file }, 'TK1');
  });

  test('by a refund that only the order of the service names', async () => {
    const rows = [
      purchase('TK1', 5000, { order: 'one' }),
      purchase('TK1', 5000, { order: 'two' }),
      { amount: -5000, type: 'refund', order: 'two' },
    ];
    await expectSettled({ rows, file }, 'TK1');
  });

  test('weeks later, in a settlement that is there', async () => {
    const late = refund('TK1', 5000, { settledOn: '2026-04-05', at: '2026-04-03T10:00:00Z' });
    await expectSettled({ rows: [...twice, late], file }, 'TK1');
  });

  test('months later, in another currency nothing is given back', async () => {
    const late = refund('TK1', 5000, { settledOn: '2026-05-11', at: '2026-05-09T10:00:00Z' });
    const dollars = { currency: 'USD' };
    const rows = [...twice, late, purchase('US1', 3000, dollars), purchase('US1', 3000, dollars)];
    const text = lines(
      'Order,Date,Total,Currency',
      'TK1,2026-03-02,50.00,EUR',
      'US1,2026-03-02,30.00,USD',
      'LAST,2026-03-12,0,EUR',
    );
    const told = await tell({ rows, file: text, mapping: { ...base, currency: 'Currency' } });
    expect([told.state('TK1'), told.state('US1')]).toEqual(['settled', 'settled_twice']);
    expect(told.text).toMatch(paysBack);
  });

  test('and booked by the shop on the order itself: nobody is told to pay it again', async () => {
    const text = lines('Order,Date,Total,Back', 'TK1,2026-03-02,50.00,50.00', `${last},`);
    const rows = [...twice, refund('TK1', 5000, { charge: 'B' })];
    const told = await tell({ rows, file: text, mapping: { ...base, refunded: 'Back' } });
    expect(told.order('TK1').difference?.amount).toBe('50.00');
    expect(told.exitCode).toBe(1);
    expect(told.text).not.toMatch(/refund the customer\./i);
    // The refund that was made is named.
    expect(told.text).toMatch(/refunded|given back|refund (of|was|that)/i);
  });

  test('only in part: what is left is told, and no more', async () => {
    const told = await tell({ rows: [...twice, refund('TK1', 2000, { charge: 'B' })], file });
    expect(told.order('TK1').difference?.amount).toBe('30.00');
    expect(told.exitCode).toBe(1);
  });

  test('not at all: then the customer is owed it', async () => {
    const told = await tell({ rows: twice, file });
    expect(told.state('TK1')).toBe('settled_twice');
    expect(told.order('TK1').difference?.amount).toBe('50.00');
    expect(told.text).toMatch(paysBack);
    expect(told.exitCode).toBe(1);
  });

  test('is not known of before all rows are read', async () => {
    const told = await tell({
      rows: twice,
      file,
      args: ['--from', '2026-03-02', '--to', '2026-03-10'],
    });
    const advice = told.text.slice(told.text.indexOf('Next'));
    // Settlements of the days after the range are read too.
    if (paysBack.test(advice)) expect(advice).toContain('2026-03-17');
  });
});

test('three payments of one subscription are no double payment', async () => {
  const days = ['03', '10', '17'];
  const rows = days.map((day) =>
    purchase('SUB1', 2000, { at: `2026-03-${day}T10:00:00Z`, settledOn: `2026-03-${day}` }),
  );
  const told = await tell({ rows, file: one('SUB1', '20.00') });
  expect(told.state('SUB1')).not.toBe('settled_twice');
  expect(told.text).not.toMatch(paysBack);
  expect(told.order('SUB1').difference?.amount).toBe('40.00');

  const each = days.map((day) => `SUB1,${day},2026-03-${day},20.00`);
  const file = lines('Order,Doc,Date,Total', ...each);
  const mapping = { ...base, document: 'Doc' };
  const counted = await tell({ rows, file, mapping });
  expect(counted.state('SUB1')).toBe('settled_in_parts');
  expect(counted.exitCode).toBe(0);
});

describe('an order whose total has changed since the payment', () => {
  test('was lowered, and the rest was given back', async () => {
    const rows = [purchase('E1', 5000, { charge: 'A' }), refund('E1', 500, { charge: 'A' })];
    const told = await expectSettled({ rows, file: one('E1', '45.00') }, 'E1');
    expect(told.order('E1').reason).not.toBeNull();
  });

  test('was lowered twice, and given back by refunds of their own', async () => {
    const rows = [purchase('E1', 5000), refund('E1', 500), refund('E1', 1500)];
    await expectSettled({ rows, file: one('E1', '30.00') }, 'E1');
  });

  test('was lowered to nothing', async () => {
    const told = await tell({
      rows: [purchase('E1', 5000), refund('E1', 5000)],
      file: one('E1', '0.00'),
    });
    expect(told.exitCode).toBe(0);
    expect(told.text).not.toMatch(paysBack);
  });

  test('was lowered, and nothing was given back', async () => {
    const told = await tell({ rows: [purchase('E1', 5000)], file: one('E1', '45.00') });
    expect(told.exitCode).toBe(1);
    expect(told.order('E1').difference?.amount).toBe('5.00');
    expect(told.text).not.toMatch(/refund the customer/i);
  });

  test('was raised, and the rest was paid', async () => {
    const rows = [purchase('E1', 5000), purchase('E1', 500)];
    await expectSettled({ rows, file: one('E1', '55.00') }, 'E1');
  });

  test('in yen and in dinars too', async () => {
    const yen = { currency: 'JPY', places: 0 };
    const dinars = { currency: 'KWD', places: 3 };
    const rows = [
      purchase('J1', 5000, yen),
      refund('J1', 500, yen),
      purchase('K1', 12_345, dinars),
      refund('K1', 345, dinars),
    ];
    const file = lines(
      'Order,Date,Total,Currency',
      'J1,2026-03-02,4500,JPY',
      'K1,2026-03-02,12.000,KWD',
      'LAST,2026-03-12,0,EUR',
    );
    const told = await tell({ rows, file, mapping: { ...base, currency: 'Currency' } });
    expect([told.state('J1'), told.state('K1'), told.exitCode]).toEqual(['settled', 'settled', 0]);
  });
});

test('amounts of two currencies are never added up', async () => {
  const file = lines(
    'Order,Doc,Date,Total,Currency',
    'A1,1,2026-03-02,50.00,EUR',
    'A1,2,2026-03-02,30.00,USD',
    'LAST,3,2026-03-12,0,EUR',
  );
  const rows = [purchase('A1', 5000), purchase('A1', 3000, { currency: 'USD' })];
  const mapping = { ...base, currency: 'Currency', document: 'Doc' };
  const told = await tell({ rows, file, mapping });
  expect(told.text).not.toMatch(/\b80\.00\b|\b20\.00\b/);
});

describe('an order in lines', () => {
  const header = 'Order,Doc,Date,Total,Method,Status';
  const mapping = {
    ...base,
    document: 'Doc',
    method: 'Method',
    methods: ['Stripe'],
    status: 'Status',
    unpaid_words: ['failed', 'created'],
    cancelled_words: ['canceled'],
  };
  const end = 'LAST,LAST-P-1,2026-03-12,1.00,Bank,confirmed';
  const split = [
    'GH78J,GH78J-P-1,2026-03-02,60.00,Gift card,confirmed',
    'GH78J,GH78J-P-2,2026-03-02,40.00,Stripe,confirmed',
  ];
  const over = (more: readonly string[]) => lines(header, ...more, end);

  test('of two methods expects only what the service pays', async () => {
    const rows = [purchase('GH78J', 4000)];
    const told = await expectSettled({ rows, mapping, file: over(split) }, 'GH78J');
    expect(told.order('GH78J').expected?.amount).toBe('40.00');
  });

  test('of two methods is missing by what the service pays', async () => {
    const told = await tell({ rows: [purchase('X', 100)], mapping, file: over(split) });
    expect(told.state('GH78J')).toBe('missing_in_settlements');
    expect(told.order('GH78J').difference?.amount).toBe('-40.00');
  });

  test('of two methods, of which the gift card was given back', async () => {
    const back = 'GH78J,GH78J-R-1,2026-03-04,-60.00,Gift card,confirmed';
    const rows = [purchase('GH78J', 4000)];
    await expectSettled({ rows, mapping, file: over([...split, back]) }, 'GH78J');
  });

  test('paid at the second attempt', async () => {
    const attempts = [
      'AB12C,AB12C-P-1,2026-03-02,40.00,Stripe,failed',
      'AB12C,AB12C-P-2,2026-03-02,40.00,Stripe,confirmed',
    ];
    await expectSettled(
      { rows: [purchase('AB12C', 4000)], mapping, file: over(attempts) },
      'AB12C',
    );
  });

  test('paid by the service after the bank transfer was given up', async () => {
    const attempt = ['AB12C,AB12C-P-1,2026-03-02,40.00,Bank,confirmed'];
    await expectSettled({ rows: [purchase('AB12C', 4000)], mapping, file: over(attempt) }, 'AB12C');
  });

  test.each(['failed', 'canceled', 'created'])('whose refund is %s has none', async (status) => {
    const orderLines = [
      'CD34E,CD34E-P-1,2026-03-02,80.00,Stripe,confirmed',
      `CD34E,CD34E-R-1,2026-03-02,-80.00,Stripe,${status}`,
    ];
    const rows = [purchase('CD34E', 8000)];
    const told = await expectSettled({ rows, mapping, file: over(orderLines) }, 'CD34E');
    expect(told.order('CD34E').refundState).toBe('none');
  });

  test('whose refund failed once, and was made then', async () => {
    const orderLines = [
      'CD34E,CD34E-P-1,2026-03-02,80.00,Stripe,confirmed',
      'CD34E,CD34E-R-1,2026-03-02,-30.00,Stripe,failed',
      'CD34E,CD34E-R-2,2026-03-03,-30.00,Stripe,confirmed',
    ];
    const rows = [purchase('CD34E', 8000), refund('CD34E', 3000)];
    const told = await expectSettled({ rows, mapping, file: over(orderLines) }, 'CD34E');
    expect(told.order('CD34E').refundState).toBe('refunded_in_part');
  });

  test('whose refund the shop has made, and the service has not', async () => {
    const orderLines = [
      'CD34E,CD34E-P-1,2026-03-02,80.00,Stripe,confirmed',
      'CD34E,CD34E-R-1,2026-03-02,-80.00,Stripe,confirmed',
    ];
    const told = await tell({ rows: [purchase('CD34E', 8000)], mapping, file: over(orderLines) });
    expect(told.order('CD34E').refundState).toBe('refund_missing');
    expect(told.exitCode).toBe(1);
  });
});

describe('types of rows that the profile does not name', () => {
  const some = ['purchase_types = ["purchase"]', 'refund_types = ["refund"]'];

  test('are named with their sums, and the order is not settled without a word', async () => {
    const rows = [purchase('K1', 5000), { ref: 'K1', amount: -5000, type: 'chargeback' }];
    const told = await tell({ rows, file: one('K1', '50.00'), settings: some });
    expect(told.text).toMatch(/chargeback/);
    expect(told.text).toMatch(/-50\.00/);
    expect(told.text).toContain('chargeback_types');
    const { state, reason } = told.order('K1');
    expect(state !== 'settled' || reason !== null, `${state} ${reason}`).toBe(true);
  });

  test('may be new: a dispute that was won', async () => {
    const rows = [
      purchase('K1', 5000),
      { ref: 'K1', amount: -3000, type: 'chargeback' },
      { ref: 'K1', amount: 3000, type: 'chargeback_reversal' },
      { amount: 1200, type: 'shop_cash_credit' },
    ];
    const told = await tell({ rows, file: one('K1', '50.00'), settings: types });
    for (const word of ['chargeback_reversal', '30.00', 'shop_cash_credit', '12.00']) {
      expect(told.text).toContain(word);
    }
  });
});
