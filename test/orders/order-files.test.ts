import { describe, expect, test } from 'vitest';
import { settingTable } from '../../src/config/table.ts';
import { readOrders } from '../../src/orders/read-orders.ts';
import { workbookOf } from '../bank/workbook-file.ts';

const base = { order: 'Order', date: 'Date', total: 'Total', currency: 'EUR', methods: [] };

/** Reads one file by a mapping, as the configuration has it. */
async function read(content: string | Buffer, more: object = {}, name = 'orders.csv') {
  const text = JSON.stringify({ ...base, ...more });
  const mapping = settingTable.orders_csv.parse({ key: 'orders_csv', text, origin: 'default' });
  if (!mapping) throw new Error('No mapping');
  const blocks = async function* () {
    yield Buffer.from(content);
  };
  const reading = { mapping, timeZone: undefined, tokens: new Map<string, string>() };
  const orders = await readOrders([{ name, blocks }], reading);
  const numbers = Array.from({ length: orders.size }, (_, number) => number);
  const documents = numbers.flatMap((number) =>
    orders.documents(number).map((one) => ({ ...one, reference: orders.reference(number) })),
  );
  const totals = documents.map(
    ({ reference, total, refunded }) => `${reference} ${total - refunded}`,
  );
  return { orders, documents, totals };
}

const fine = 'LAST;2026-03-12;0';
const amountIn = async (written: string, more: object = {}) => {
  const text = `Order;Date;Total\nB1;2026-03-02;${written}\n${fine}\n`;
  const { totals, orders } = await read(text, { delimiter: ';', ...more });
  return orders.unreadable[0]?.keys.join() ?? totals[0]?.slice(3);
};

describe('the amount of an order', () => {
  test.each([
    ['1.500', 'EUR'],
    ['1,500', 'EUR'],
    ['140.000', 'CLP'],
    ['12.345', 'USD'],
    ['$50.00', 'EUR'],
    ['USD 50.00', 'EUR'],
  ])('is not read where it may be another: %s in %s', async (written, currency) => {
    const keys = /[$D]/.test(written) ? 'currency' : 'decimal,thousands';
    expect(await amountIn(written, { currency })).toBe(keys);
  });

  test.each([
    ['23.0000', 'EUR', '2300'],
    ['1200.00', 'JPY', '1200'],
    ['1.500', 'KWD', '1500'],
    ['1,500.00', 'EUR', '150000'],
    ['€50.00', 'EUR', '5000'],
    ['50.00 EUR', 'EUR', '5000'],
    ['$70.00', 'USD', '7000'],
    ['20.00-', 'EUR', '-2000'],
  ])('is read: %s in %s', async (written, currency, minor) => {
    expect(await amountIn(written, { currency })).toBe(minor);
  });

  test('with three digits after the mark is read once the mapping says what they are', async () => {
    expect(await amountIn('1.500', { decimal: ',' })).toBe('decimal,thousands');
    expect(await amountIn('1.500', { decimal: ',', thousands: '.' })).toBe('150000');
    expect(await amountIn('1.500', { thousands: ',' })).toBe('150');
    expect(await amountIn('116,99 €', { decimal: ',' })).toBe('11699');
  });
});

describe('lines that the mapping leaves out', () => {
  const header = 'Order,Date,Total,Mode,Currency\n';
  const lines = [
    ...['A,2026-03-01,10.00,Live,EUR', 'T1,2026-03-01,99.00,Test,EUR', 'T2,2026-03-02,5,Test,USD'],
    ...['T3,2026-03-02,?,Test,USD', 'T4,2026-03-02,-9.00,Test,EUR', ',,,Test,', ''],
  ];
  const only = { only: { Mode: ['Live', 'live'] }, currency: 'Currency' };

  test('are counted, and summed by currency', async () => {
    const { orders, totals } = await read(header + lines.join('\n'), only);
    expect(totals).toEqual(['A 1000']);
    expect(orders.unreadableLines).toBe(0);
    expect(orders.leftOut).toMatchObject({
      lines: 4,
      unreadable: 1,
      sums: [
        { currency: 'EUR', minor: 9000n },
        { currency: 'USD', minor: 500n },
      ],
    });
  });

  test('are not all of a file', async () => {
    const wrong = { ...only, only: { Mode: ['LIVE'] } };
    await expect(read(header + lines.join('\n'), wrong)).rejects.toMatchObject({
      failure: 'configuration',
      message: 'All orders are left out by only.',
    });
  });

  test('are named by a column that the file has', async () => {
    await expect(read('Order,Date,Total\nA,2026-03-01,1.00\n', only)).rejects.toMatchObject({
      message: expect.stringContaining('Mode'),
    });
  });
});

describe('a file as it comes', () => {
  const table = ['Order;Date;Total', 'A;2026-03-01;10.00', 'B;2026-03-02;20.00', ''].join('\r\n');

  test.each(['sep=;\r\n', '\uFEFFsep=;\r\n', '"sep=;"\n', 'SEP=;\n'])(
    'may name its delimiter, which counts: %j',
    async (first) => {
      const { totals, documents } = await read(first + table);
      expect(totals).toEqual(['A 1000', 'B 2000']);
      expect(documents.map(({ place }) => place.line)).toEqual([3, 4]);
      expect((await read(first + table, { skip_lines: 1 })).totals).toEqual(totals);
    },
  );

  test('may be a workbook, whose other sheets are named', async () => {
    const text = (cell: string) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
    const row = (...cells: readonly string[]) => `<row>${cells.join('')}</row>`;
    const number = (value: string, style = '0') => `<c s="${style}"><v>${value}</v></c>`;
    const content = workbookOf({
      formats: ['dd/mm/yyyy'],
      rows: [
        row(text('Order'), text('Date'), text('Total')),
        row(number('1001'), number('46082', '1'), number('1234.5599999999999')),
        row(text('1002'), number('46083', '1'), number('7')),
      ].join(''),
      more: { Pivot: row(text('x')), Empty: '' },
    });
    const more = { decimal: ',', date_format: 'DD.MM.YYYY' };
    const { totals, orders, documents } = await read(content, more, 'orders.xlsx');
    expect(totals).toEqual(['1001 123456', '1002 700']);
    expect(documents.map(({ day }) => day)).toEqual(['2026-03-01', '2026-03-02']);
    expect(orders.leftOut.sheets).toEqual(['orders.xlsx:Pivot']);
  });

  const others: readonly (readonly [kind: string, content: string | Buffer])[] = [
    ['a PDF', '%PDF-1.7\n'],
    ['an old Excel or Word file', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['a web page (HTML)', '<html><table><tr><td>Order</td></tr></table></html>'],
    ['JSON', '[{"order": 1}]'],
    ['an empty file', ''],
  ];
  test.each(others)('is refused by its name: %s', async (kind, content) => {
    await expect(read(content)).rejects.toMatchObject({
      failure: 'usage',
      where: 'orders.csv',
      message: expect.stringContaining(kind),
    });
  });
});

test('a file of which no order can be read says which keys to change', async () => {
  const text = 'Order;Date;Total\nA;2026-03-01;4810,35\nB;2026-03-02;20,00\n';
  await expect(read(text, { delimiter: ';' })).rejects.toMatchObject({
    failure: 'configuration',
    where: 'orders.csv:2',
    message: expect.stringContaining('Total must be an amount in EUR such as 1234.56'),
    hint: 'Change decimal, thousands in orders_csv.',
  });
});
