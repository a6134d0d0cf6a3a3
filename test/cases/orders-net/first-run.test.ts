import { describe, expect, test } from 'vitest';
import { type Asked, base, lines, purchase, tell } from './shop.ts';

/** What sends somebody to the service for a payment. */
const asks = /ask the service/i;

describe('a status that means not paid', () => {
  test('is known of Magento', async () => {
    const states = ['pending_payment', 'payment_review', 'pending', 'canceled', 'holded', 'fraud'];
    const file = lines(
      '"ID","Purchase Date","Grand Total (Purchased)","Status","Payment Method","Total Refunded"',
      '"000000101","Mar 2, 2026 10:00:00 AM","23.0000","complete","adyen_cc","0.0000"',
      ...states
        .slice(0, 4)
        .map(
          (state, n) =>
            `"00000010${n + 2}","Mar 2, 2026 11:00:00 AM","45.0000","${state}","adyen_cc",""`,
        ),
      '"000000120","Mar 12, 2026 1:00:00 PM","5.0000","complete","checkmo",""',
    );
    const mapping = { preset: 'magento', currency: 'EUR', methods: ['adyen_cc'] };
    const told = await tell({ rows: [purchase('000000101', 2300)], file, mapping });
    expect(told.text).toMatch(/^RECONCILED/);
    expect(told.exitCode).toBe(0);
    for (const ref of ['000000102', '000000103', '000000104', '000000105']) {
      expect(told.state(ref)).toBe('nothing_due');
    }
    expect(told.state('000000101')).toBe('settled');
    expect(told.text).not.toMatch(asks);
  });

  test('is known of BigCommerce', async () => {
    const open = ['Declined', 'Cancelled', 'Awaiting Payment', 'Incomplete', 'Pending'];
    const file = lines(
      'Order ID,Order Date,Order Status,Order Total (inc tax),Order Currency Code,Payment Method,Store Credit Redeemed,Gift Certificate Amount Redeemed,Refund Amount',
      '101,03/02/2026,Completed,23.00,EUR,Braintree,0.00,0.00,0.00',
      ...open.map(
        (state, n) => `10${n + 2},03/02/2026,${state},45.00,EUR,Braintree,0.00,0.00,0.00`,
      ),
      '120,03/12/2026,Completed,1.00,EUR,Manual,0.00,0.00,0.00',
    );
    const mapping = { preset: 'bigcommerce', methods: ['Braintree'] };
    const told = await tell({ rows: [purchase('101', 2300)], file, mapping });
    expect(told.text).toMatch(/^RECONCILED/);
    expect(told.exitCode).toBe(0);
    expect(open.map((_, n) => told.state(`10${n + 2}`))).toEqual(open.map(() => 'nothing_due'));
  });

  const header = 'order_number,order_date,order_total,order_currency,payment_method,status';
  const woo = lines(
    header,
    '101,2026-03-02 10:00:00,23.00,EUR,stripe,completed',
    '102,2026-03-02 10:00:00,45.00,EUR,stripe,failed',
    '103,2026-03-02 10:00:00,61.00,EUR,stripe,cancelled',
    '104,2026-03-02 10:00:00,17.00,EUR,stripe,pending',
    '105,2026-03-02 10:00:00,18.00,EUR,stripe,pending',
    '120,2026-03-12 10:00:00,1.00,EUR,bacs,completed',
  );
  const columns = {
    order: 'order_number',
    date: 'order_date',
    total: 'order_total',
    currency: 'order_currency',
    method: 'payment_method',
    methods: ['stripe'],
    status: 'status',
  };

  test('is asked for where a column has no words, with the words of the file and how often', async () => {
    const told = await tell({ rows: [purchase('101', 2300)], file: woo, mapping: columns });
    expect(told.text).toMatch(/unpaid_words/);
    for (const word of ['failed', 'cancelled', 'pending', 'completed']) {
      expect(told.text).toContain(word);
    }
    expect(told.text).toMatch(/pending\W{0,3}\(?2|2\W{0,3}(x |times )?\W?pending/);
    expect(told.text).not.toMatch(asks);
  });

  test('is told where the words do not name it', async () => {
    const mapping = { ...columns, unpaid_words: ['failed'], cancelled_words: ['cancelled'] };
    const told = await tell({ rows: [purchase('101', 2300)], file: woo, mapping });
    expect(told.text).toMatch(/pending/);
    expect(told.state('102')).toBe('nothing_due');
    expect(told.state('103')).toBe('nothing_due');
  });

  test('is named once all words are known', async () => {
    const unpaid = { unpaid_words: ['failed', 'pending'], cancelled_words: ['cancelled'] };
    const told = await tell({
      rows: [purchase('101', 2300)],
      file: woo,
      mapping: { ...columns, ...unpaid },
    });
    expect(told.exitCode).toBe(0);
    expect(told.state('104')).toBe('nothing_due');
  });
});

describe('where nothing matches', () => {
  const four = ['1001', '1002', '1003', '1004'];
  const amounts = [1000, 2000, 3000, 4000];
  const fileOf = (refs: readonly string[]) =>
    lines(
      'Order,Date,Total,Other',
      ...refs.map((ref, n) => `${ref},2026-03-02,${n + 1}0.00,${four[n]}`),
      'LAST,2026-03-12,0,LAST',
    );
  const rowsOf = (of: (ref: string) => string) =>
    four.map((ref, n) => purchase(of(ref), amounts[n] ?? 0));

  /** Nobody is sent to the service, and each row shows its reference in every output. */
  async function expectHint(asked: Asked, said: readonly (string | RegExp)[]) {
    const told = await tell(asked);
    expect(told.text).not.toMatch(asks);
    for (const word of said) {
      if (typeof word === 'string') expect(told.text).toContain(word);
      else expect(told.text).toMatch(word);
    }
    const ref = asked.rows[0]?.ref ?? '';
    expect(JSON.stringify(told.json?.rowsWithoutOrder)).toContain(ref);
    expect(JSON.stringify(told.csv)).toContain(ref);
    return told;
  }

  test('a prefix that the rows have is named, with how many orders it would match', async () => {
    const rows = rowsOf((ref) => `WEB-${ref}`);
    const told = await expectHint({ rows, file: fileOf(four) }, ['WEB-1001', 'WEB-', /\b4\b/]);
    // A hint is no match.
    expect(told.text).toMatch(/^(NOT RECONCILED|INCOMPLETE)/);
  });

  test('a prefix that the file has', async () => {
    const file = fileOf(four.map((ref) => `#EU${ref}`));
    await expectHint({ rows: rowsOf((ref) => ref), file }, ['#EU', /\b4\b/]);
  });

  test('a suffix', async () => {
    await expectHint({ rows: rowsOf((ref) => `${ref}-ES`), file: fileOf(four) }, ['-ES', /\b4\b/]);
  });

  test('another column of the file', async () => {
    const file = fileOf(['A', 'B', 'C', 'D']);
    await expectHint({ rows: rowsOf((ref) => ref), file }, ['Other', /\b4\b/]);
  });

  test('zeros in front', async () => {
    const rows = rowsOf((ref) => `00000${ref}`);
    await expectHint({ rows, file: fileOf(four) }, [/zeros/i, /\b4\b/]);
  });

  test('a spreadsheet has made numbers of the references', async () => {
    const file = fileOf(four.map((ref) => `${ref}.0`));
    await expectHint({ rows: rowsOf((ref) => ref), file }, ['.0', /\b4\b/]);
  });

  test('capitals', async () => {
    const file = fileOf(four.map((ref) => `web${ref}`));
    await expectHint({ rows: rowsOf((ref) => `WEB${ref}`), file }, [/case|capital/i, /\b4\b/]);
  });

  test('two references in a note', async () => {
    const rows = rowsOf((ref) => `${ref};C-9${ref}`);
    await expectHint({ rows, file: fileOf(four) }, [/\b4\b/]);
  });

  test('no row has a note', async () => {
    const rows = amounts.map((amount) => ({ amount }));
    const told = await tell({ rows, file: fileOf(four) });
    expect(told.text).not.toMatch(asks);
    expect(told.text).toMatch(/note|merchant_order_ref/);
  });

  test('chance is no hint', async () => {
    const told = await tell({ rows: rowsOf((ref) => `K${ref}Z${ref}`), file: fileOf(four) });
    expect(told.text).not.toMatch(/would (fit|match)/i);
  });

  test('one that matches is enough to say what is missing', async () => {
    const told = await tell({ rows: [purchase('1001', 1000)], file: fileOf(four) });
    expect(told.text).toMatch(asks);
    expect(told.state('1002')).toBe('missing_in_settlements');
  });
});

test('two methods in one cell are said where the order differs', async () => {
  const file = lines(
    'Order,Date,Total,Method',
    'S1,2026-03-02,24.78,Shopify Payments + Gift Card',
    'LAST,2026-03-12,0,Bank',
  );
  const mapping = { ...base, method: 'Method', methods: ['Shopify Payments'] };
  const told = await tell({ rows: [purchase('S1', 2353)], file, mapping });
  expect(told.order('S1').difference?.amount).toBe('-1.25');
  expect(told.order('S1').reason).not.toBeNull();
  expect(told.text).toMatch(/two methods|several methods|more than one method|methods/i);
});

describe('lines that the mapping leaves out', () => {
  const header = 'Order,Date,Total,Mode';
  const file = lines(
    header,
    'P1,2026-03-02,10.00,Live',
    'P2,2026-03-02,99.00,Test',
    'P3,2026-03-02,1.00,Test',
    'LAST,2026-03-12,0,Live',
  );

  test('are no orders, and are counted and summed', async () => {
    const mapping = { ...base, only: { Mode: ['Live'] } };
    const told = await tell({ rows: [purchase('P1', 1000)], file, mapping });
    expect(told.exitCode).toBe(0);
    expect(told.text).toMatch(/^RECONCILED/);
    expect(() => told.order('P2')).toThrow();
    expect(told.text).toMatch(/\b2\b[^.]*(100\.00)/);
  });

  test('by two columns, both of which must fit', async () => {
    const more = lines(
      `${header},Shop`,
      'P1,2026-03-02,10.00,Live,ES',
      'P2,2026-03-02,99.00,Test,ES',
      'P3,2026-03-02,98.00,Live,PT',
      'P4,2026-03-02,20.00,Live,FR',
      'LAST,2026-03-12,0,Live,ES',
    );
    const mapping = { ...base, only: { Mode: ['Live'], Shop: ['ES', 'FR'] } };
    const rows = [purchase('P1', 1000), purchase('P4', 2000)];
    const told = await tell({ rows, file: more, mapping });
    expect([told.exitCode, told.state('P1'), told.state('P4')]).toEqual([0, 'settled', 'settled']);
    expect(told.json?.orders.map(({ orderRef }) => orderRef).sort()).toEqual(['LAST', 'P1', 'P4']);
  });

  test('of a column that the file does not have are a mistake of the mapping', async () => {
    const mapping = { ...base, only: { Modus: ['Live'] } };
    const told = await tell({ rows: [purchase('P1', 1000)], file, mapping }).catch(String);
    if (typeof told === 'string') throw new Error(told);
    expect(told.exitCode).toBe(2);
    expect(told.text).toContain('Modus');
    expect(told.text).toContain('Mode');
  });
});

describe('amounts as shops write them', () => {
  const semi = (total: string) =>
    lines('Order;Date;Total', `B1;2026-03-02;${total}`, 'LAST;2026-03-12;0');
  const mapping = { ...base, delimiter: ';' };

  test.each(['1.500', '12.345', '-1.500'])(
    'three digits after the mark are refused: %s',
    async (total) => {
      const told = await tell({ rows: [purchase('B1', 150_000)], file: semi(total), mapping });
      expect(told.exitCode).toBe(4);
      expect(told.text).toMatch(/decimal|thousands/);
    },
  );

  test('in a currency without decimals too', async () => {
    const clp = { ...mapping, currency: 'CLP' };
    const rows = [purchase('B1', 140_000, { currency: 'CLP', places: 0 })];
    expect((await tell({ rows, file: semi('140.000'), mapping: clp })).exitCode).toBe(4);
    const set = { ...clp, decimal: ',', thousands: '.' };
    const told = await tell({ rows, file: semi('140.000'), mapping: set });
    expect([told.exitCode, told.state('B1')]).toEqual([0, 'settled']);
  });

  const fine: readonly (readonly [string, string, number, Record<string, unknown>])[] = [
    ['23.0000', 'EUR', 2300, {}],
    ['1200.00', 'JPY', 1200, {}],
    ['12.345', 'KWD', 12_345, {}],
    ['€50.00', 'EUR', 5000, {}],
    ['50.00 €', 'EUR', 5000, {}],
    ['116,99 €', 'EUR', 11_699, { decimal: ',' }],
    ['EUR 50.00', 'EUR', 5000, {}],
    ['50.00 EUR', 'EUR', 5000, {}],
    ['$70.00', 'USD', 7000, {}],
    ['US$70.00', 'USD', 7000, {}],
    ['£9.50', 'GBP', 950, {}],
    ['1.500,00', 'EUR', 150_000, { decimal: ',', thousands: '.' }],
    ['"1,500.00"', 'EUR', 150_000, { thousands: ',' }],
    ['¥1,200', 'JPY', 1200, { thousands: ',' }],
    ["CHF 1'500.00", 'CHF', 150_000, { thousands: "'" }],
    ['1 500,00 €', 'EUR', 150_000, { decimal: ',', thousands: ' ' }],
    ['1\u00A0500,00\u00A0€', 'EUR', 150_000, { decimal: ',', thousands: ' ' }],
    ['12.345 KWD', 'KWD', 12_345, {}],
  ];
  test.each(fine)('is read: %s in %s', async (total, currency, amount, more) => {
    const places = { JPY: 0, KWD: 3 }[currency] ?? 2;
    const rows = [purchase('B1', amount, { currency, places })];
    const told = await tell({
      rows,
      file: semi(total),
      mapping: { ...mapping, currency, ...more },
    });
    expect([told.exitCode, told.state('B1')], told.text).toEqual([0, 'settled']);
  });

  test.each(['$50.00', '50.00 USD', '£50.00'])(
    'a sign of another currency is refused: %s',
    async (total) => {
      const told = await tell({ rows: [purchase('B1', 5000)], file: semi(total), mapping });
      expect(told.exitCode).toBe(4);
      expect(told.text).toMatch(/currency|EUR/);
    },
  );

  test.each(['20.00-', '-20.00', '-€20.00', '€-20.00', '(20.00)'])(
    'a refund may have its sign anywhere: %s',
    async (total) => {
      const file = lines(
        'Order;Doc;Date;Total',
        'B1;1;2026-03-02;50.00',
        `B1;2;2026-03-03;${total}`,
        'LAST;3;2026-03-12;0',
      );
      const rows = [purchase('B1', 5000), { ref: 'B1', amount: -2000, type: 'refund' }];
      const told = await tell({ rows, file, mapping: { ...mapping, document: 'Doc' } });
      const { refundState } = told.order('B1');
      // What is not read is said; it never counts as a sale.
      if (told.exitCode === 4) expect(total).toBe('(20.00)');
      else expect([told.exitCode, refundState]).toEqual([0, 'refunded_in_part']);
    },
  );
});

describe('a file of another kind', () => {
  test('may begin with its delimiter', async () => {
    const file = `sep=;\r\n${lines('Order;Date;Total', 'B1;2026-03-02;50.00', 'LAST;2026-03-12;0')}`;
    const told = await tell({
      rows: [purchase('B1', 5000)],
      file,
      mapping: { ...base, delimiter: ';' },
    });
    expect([told.exitCode, told.state('B1')]).toEqual([0, 'settled']);
    const without = await tell({ rows: [purchase('B1', 5000)], file });
    expect([without.exitCode, without.state('B1')]).toEqual([0, 'settled']);
  });

  const kinds: readonly (readonly [string, string, Uint8Array])[] = [
    ['orders.xls', 'Excel', Buffer.from('d0cf11e0a1b11ae1'.padEnd(1024, '0'), 'hex')],
    ['orders.csv', 'Excel', Buffer.from('d0cf11e0a1b11ae1'.padEnd(1024, '0'), 'hex')],
    ['orders.pdf', 'PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n')],
  ];
  test.each(kinds)('is refused by its name: %s, %s', async (name, word, file) => {
    const told = await tell({ rows: [purchase('B1', 5000)], file, name });
    expect([2, 4]).toContain(told.exitCode);
    expect(told.text).toContain(word);
    expect(told.text).not.toMatch(/No orders are due|column 1/);
  });

  test('of lines that cannot be read says which keys to look at', async () => {
    const file = lines('Order;Date;Total', 'B1;02.03.2026;4810,35', 'B2;03.03.2026;12,00');
    const told = await tell({
      rows: [purchase('B1', 481_035)],
      file,
      mapping: { ...base, delimiter: ';' },
    });
    expect([2, 4]).toContain(told.exitCode);
    expect(told.text).toMatch(/decimal|date_format/);
    expect(told.text).not.toMatch(/No orders are due|Settlements of today|export the orders again/);
  });
});
