import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../support/run-recon.ts';
import { jsonOf, missing, type OrderRecord, recordsOf, runOrders } from './adapter.ts';
import { bytesOf, canary, fileOf, mappings } from './files.ts';
import { makeMonth } from './month.ts';
import { type Dialect, MonthMaker, moment, type ShopRow } from './month-maker.ts';
import { type Rows, serveRows } from './service.ts';

const header = 'Order,Id,Date,Total,Currency,Method,Customer';
const mapping = {
  order: 'Order',
  document: 'Id',
  date: 'Date',
  total: 'Total',
  currency: 'Currency',
  method: 'Method',
  methods: ['Card'],
};
const orderLine = (order: string, rest: Partial<Record<'id' | 'total' | 'date', string>> = {}) =>
  [order, rest.id ?? order, rest.date ?? '2026-03-10', rest.total ?? '12.00', 'EUR', 'Card']
    .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')
    .concat(`,${canary}-customer`);
const lines = (...all: readonly string[]) => `${all.join('\r\n')}\r\n`;
const control = lines(header, orderLine('1001'));

/** A purchase of 12.00 EUR for each reference. */
function purchases(...notes: readonly string[]): readonly ShopRow[] {
  const maker = new MonthMaker(1, 'plain');
  const at = moment('2026-03-10', '10:00');
  const row = { type: 'purchase', amount: 1200n, currency: 'EUR', at, state: 'approved' } as const;
  return notes.map((note) =>
    maker.row({ ...row, chargeId: maker.uuid(), orderId: maker.uuid(), note }),
  );
}

interface Outcome extends RunResult {
  readonly records: readonly OrderRecord[];
  /** Reference and state of each order; sorted. */
  readonly states: readonly string[];
}

/** Nothing of what the mapping does not name is in what a run says, and nothing that is no word. */
function expectDiscreet({ stdout, stderr, exitCode }: RunResult): void {
  for (const text of [stdout, stderr]) {
    expect(text.includes(canary)).toBe(false);
    expect(
      /\bNaN\b|\bundefined\b|\[object /.test(text.replaceAll(/<script[\s\S]*?<\/script>/g, '')),
    ).toBe(false);
  }
  expect(exitCode).not.toBe(70);
}

interface Asked {
  readonly mapping?: Readonly<Record<string, unknown>>;
  readonly notes?: readonly string[];
  readonly args?: readonly string[];
}

/** Runs over one file; the service holds a purchase of order 1001 unless told otherwise. */
async function ordersOf(content: string | Uint8Array, asked: Asked = {}): Promise<Outcome> {
  const rows = await serveRows(purchases(...(asked.notes ?? ['1001'])));
  return over(rows, content, asked);
}

async function over(rows: Rows, content: string | Uint8Array, asked: Asked): Promise<Outcome> {
  await writeFile(join(rows.folder, 'a.csv'), content);
  const args = asked.args ?? ['--format', 'csv'];
  const run = await runOrders(rows, ['a.csv'], asked.mapping ?? mapping, args);
  expectDiscreet(run);
  const isCsv = run.stdout.startsWith('order_ref');
  const records = isCsv ? recordsOf(run) : [];
  const orders = records.filter(({ ref }) => ref !== '');
  return { ...run, records, states: orders.map(({ ref, state }) => `${ref} ${state}`).sort() };
}

describe('a file in any shape', () => {
  const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
  const fine: Readonly<Record<string, string | Uint8Array>> = {
    'line feeds alone': control.replaceAll('\r\n', '\n'),
    'no end of the last line': control.trimEnd(),
    'a byte order mark': `\uFEFF${control}`,
    'UTF-16 with its mark': utf16(control),
    'UTF-16 without it': utf16(control).subarray(2),
    'UTF-16 of the other order without it': utf16(control).subarray(2).swap16(),
    'windows-1252 in a name': Buffer.from(lines(header, `${orderLine('1001')}-Müller`), 'latin1'),
    'everything in quotes': control.replaceAll(/[^,\r\n]+/g, '"$&"'),
    'line breaks in a name': lines(
      header,
      `${orderLine('1001').split(`,${canary}`)[0]},"${canary}\r\n1002,7,2026-03-10,9.00,EUR,Card,x"`,
    ),
    'more columns': lines(`${header},A,,A`, `${orderLine('1001')},${canary},,${canary}`),
    'empty lines': lines(header, '', orderLine('1001'), '', ''),
    'spaces around a reference': lines(header, orderLine(' 1001 ')),
    'an item below': lines(header, orderLine('1001'), `1001,,,,,,${canary}`),
    'a blank item below': lines(header, orderLine('1001'), `,,,,,,${canary}`),
    'a line that is repeated': lines(header, orderLine('1001'), orderLine('1001')),
    'a time': lines(header, orderLine('1001', { date: '2026-03-10 10:00:00 +0100' })),
  };
  test.each(Object.entries(fine))('is read: %s', async (_, content) => {
    const run = await ordersOf(content);
    expect(run.states).toEqual(['1001 settled']);
    expect(run.exitCode).toBe(0);
  });

  test('is read by numbers of columns where it has no header', async () => {
    const numbered = {
      ...{ header: false, order: '1', document: '2', date: '3', total: '4', currency: '5' },
      ...{ method: '6', methods: ['Card'] },
    };
    const run = await ordersOf(lines(orderLine('1001')), { mapping: numbered });
    expect(run.states).toEqual(['1001 settled']);
  });

  test('with its header alone has no orders, and days of nobody', async () => {
    const run = await ordersOf(lines(header));
    expect(run.states).toEqual([]);
    expect(run.records.map(({ state }) => state)).toEqual(['not_covered']);
    expect(run.exitCode).toBe(0);
    const empty = await ordersOf(lines(header), {
      args: ['--format', 'csv', '--fail-on', '+empty'],
    });
    expect(empty.exitCode).toBe(1);
  });

  test('keeps references that are words of the language apart', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const text = lines(header, ...names.map((name) => orderLine(name)));
    const run = await ordersOf(text, { notes: names });
    expect(run.states).toEqual(names.map((name) => `${name} settled`).sort());
  });

  test.each(['de1001', '1001-1', '01001', '1001.0', '10010', 'DE1001', '1 001'])(
    'never takes a reference that is nearly the same: %s',
    async (note) => {
      const run = await ordersOf(control, { notes: [note] });
      expect(run.states).toEqual([`1001 ${missing}`]);
      expect(run.records.filter(({ ref }) => ref === '').map(({ state }) => state)).toEqual([
        'unknown_to_shop',
      ]);
      expect(run.exitCode).toBe(1);
    },
  );
});

describe('a line that cannot be read', () => {
  const wrong: Readonly<Record<string, readonly [line: string, column: string]>> = {
    'a fraction of a cent': [orderLine('1002', { total: '12.345' }), 'Total'],
    'a word as an amount': [orderLine('1002', { total: `${canary}-12` }), 'Total'],
    'a formula as an amount': [orderLine('1002', { total: `=1+1+"${canary}"` }), 'Total'],
    'an amount that a spreadsheet could not show': [orderLine('1002', { total: '#####' }), 'Total'],
    'an exponent as an amount': [orderLine('1002', { total: '1.2E+1' }), 'Total'],
    'an amount with two meanings': [orderLine('1002', { total: '1,234' }), 'Total'],
    'a reference with an exponent': [orderLine('1.0001E+4'), 'Order'],
    'no reference': [orderLine('', { id: '77' }), 'Order'],
    'a day that does not exist': [orderLine('1002', { date: '2026-02-30' }), 'Date'],
    'a serial number as a date': [orderLine('1002', { date: '46091' }), 'Date'],
    'a date in another format': [orderLine('1002', { date: '10/03/2026' }), 'Date'],
    'a word as a date': [orderLine('1002', { date: `${canary}-day` }), 'Date'],
  };
  test.each(Object.entries(wrong))('is named and never shown: %s', async (_, [line, column]) => {
    // 1003 has no row: with something unread, nobody says that it is missing.
    const run = await ordersOf(lines(header, orderLine('1001'), line, orderLine('1003')));
    expect(run.exitCode).toBe(4);
    expect(run.states).toContain('1001 settled');
    expect(run.states.join()).not.toContain(missing);
    expect(run.states.filter((state) => !/^100[13] /.test(state))).toEqual([]);
    const told = run.stderr + run.stdout;
    expect(told).toContain('a.csv');
    expect(told).toContain(column);
    expect(told).toMatch(/a\.csv:3|line 3/);
  });

  test('is one with a fraction of a yen', async () => {
    const yen = orderLine('1002', { total: '1200.50' }).replace('EUR', 'JPY');
    expect((await ordersOf(lines(header, orderLine('1001'), yen))).exitCode).toBe(4);
    const whole = orderLine('1002', { total: '1200.00' }).replace('EUR', 'JPY');
    expect((await ordersOf(lines(header, orderLine('1001'), whole))).exitCode).toBe(1);
  });

  test('takes no money along where a quote is never closed', async () => {
    const open = orderLine('1002').replace(`,${canary}`, `,"${canary}`);
    const run = await ordersOf(lines(header, orderLine('1001'), open, orderLine('1003')));
    expect([2, 4]).toContain(run.exitCode);
    expect(run.states.join()).not.toContain(missing);
    expect(run.stderr + run.stdout).toContain('a.csv');
  });

  test('may be a header in the middle: nothing else is lost', async () => {
    const run = await ordersOf(lines(header, orderLine('1001'), header, orderLine('1002')), {
      notes: ['1001', '1002'],
    });
    expect([0, 4]).toContain(run.exitCode);
    expect(run.states).toEqual(['1001 settled', '1002 settled']);
  });
});

describe('a file that is refused', () => {
  const refused = (run: Outcome) => {
    expect([2, 4]).toContain(run.exitCode);
    expect(run.states).toEqual([]);
    return run.stderr + run.stdout;
  };

  test('has two columns of a mapped name', async () => {
    const line = orderLine('1001').replace(canary, '12.00');
    const said = refused(await ordersOf(lines(header.replace('Customer', 'Total'), line)));
    expect(said).toContain('Total');
  });

  const equal = [
    [{ strip_prefix: '#' }, '#1001', '1001'],
    [{ strip_zeros: true }, '0001001', '1001'],
  ] as const;
  test.each(equal)('has two references that become one: %o', async (rule, one, other) => {
    const text = lines(header, orderLine(one, { id: '1' }), orderLine(other, { id: '2' }));
    const said = refused(await ordersOf(text, { mapping: { ...mapping, ...rule } }));
    expect(said).toContain(one);
    expect(said.replaceAll(one, '')).toContain(other);
  });

  test('has no header: none of its cells is shown', async () => {
    const cells = ['1001', `${canary}@example.com`, '2026-03-10', '12.00', 'EUR', `${canary} Ann`];
    const said = refused(await ordersOf(lines(cells.join(','), cells.join(','))));
    expect(said).toContain('Order');
    expect(said).not.toContain('12.00');
    expect(said).toMatch(/column \d/);
  });

  test('has translated columns: those that are missing and those that are there are named', async () => {
    const german = 'ID,Kaufdatum,Gesamtsumme (Kauf),Status';
    const magento = { preset: 'magento', currency: 'EUR', methods: ['card'] };
    const text = lines(german, '000000123,"10. März 2026",12.00,processing');
    const said = refused(await ordersOf(text, { mapping: magento }));
    expect(said).toContain('Purchase Date');
    expect(said).toContain('Kaufdatum');
  });

  test('is of WooCommerce Analytics: its totals are not what was charged', async () => {
    const columns = 'Date,Order #,Status,Customer,Customer type,Product(s),Items sold,Net Sales';
    const text = lines(columns, '2026-03-10 10:00:00,1001,completed,x,new,y,1,12.00');
    const woo = { ...mapping, order: 'Order #', total: 'Net Sales', currency: 'EUR' };
    const said = refused(await ordersOf(text, { mapping: woo }));
    expect(said).toMatch(/net sales|woocommerce/i);
  });

  const mistaken: readonly (readonly [word: string, given: Readonly<Record<string, unknown>>])[] = [
    ...['methods', 'total', 'currency', 'date', 'order'].map(
      (key) => [key, { ...mapping, [key]: undefined }] as const,
    ),
    ['ordr', { ...mapping, ordr: 'Order' }],
    // Errors of a configuration file never repeat a value.
    ['preset', { ...mapping, preset: 'shoppify' }],
  ];
  test.each(mistaken)('has a mapping that is wrong about %s', async (word, given) => {
    const known = Object.entries(given).filter(([, value]) => value !== undefined);
    const run = await ordersOf(control, { mapping: Object.fromEntries(known) });
    expect(run.exitCode).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain(word);
  });
});

test('a column that is named twice in the mapping is not subtracted twice', async () => {
  const text = lines(`${header},Gift`, `${orderLine('1001', { total: '17.00' })},5.00`);
  const run = await ordersOf(text, { mapping: { ...mapping, not_due: ['Gift', 'Gift'] } });
  if (run.exitCode === 2) expect(run.stderr).toContain('not_due');
  else expect(run.states).toEqual(['1001 settled']);
});

describe('texts of the file', () => {
  const evil = [
    `=cmd|' /C calc'!A0`,
    '+1001',
    '-1001',
    '@SUM(A1)',
    '\tx',
    '\u001b[31mred',
    '\u202Eabc',
    '<img src=x onerror=1>',
    '[a](http://x)',
    '| a |',
  ];
  const text = lines(header, ...evil.map((order, id) => orderLine(order, { id: `${id}` })));

  test('are never run by a spreadsheet', async () => {
    const run = await ordersOf(text);
    const refs = run.records.map(({ ref }) => ref).filter((ref) => ref !== '');
    expect(refs.length).toBe(evil.length);
    for (const ref of refs) expect(ref).not.toMatch(/^[=+\-@\t\r]/);
  });

  test.each(['table', 'csv', 'json', 'ndjson', 'markdown', 'html'])(
    'are harmless in %s',
    async (format) => {
      const { stdout, stderr } = await ordersOf(text, { args: ['--format', format] });
      for (const control of ['\u001b', '\u202E']) {
        expect((stdout + stderr).includes(control)).toBe(false);
      }
      if (format === 'html' || format === 'markdown') expect(stdout).not.toContain('<img src=x');
    },
  );
});

describe('personal data', () => {
  const dialects: readonly Dialect[] = ['shopify', 'plain'];
  test.each(dialects)('is in no output: %s', async (dialect) => {
    const month = makeMonth(3, dialect, { times: 1 });
    const rows = await serveRows(month.rows);
    const bytes = bytesOf(fileOf(month));
    for (const format of ['table', 'csv', 'json', 'ndjson', 'markdown', 'html']) {
      const args = ['--format', format, '--verbose'];
      const run = await over(rows, bytes, { mapping: mappings[dialect], args });
      expect(`${format} ${run.exitCode}`).toBe(`${format} 1`);
    }
    const path = join(rows.folder, 'orders.xlsx');
    const args = ['--output', path];
    expect((await over(rows, bytes, { mapping: mappings[dialect], args })).exitCode).toBe(1);
    const parts = Object.values(unzipSync(await readFile(path)));
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) expect(Buffer.from(part).includes(canary)).toBe(false);
  });

  test('is in no error, wherever a file is damaged', async () => {
    const month = makeMonth(4, 'shopify', { times: 1 });
    const rows = await serveRows(month.rows.slice(0, 20));
    const whole = bytesOf(fileOf(month));
    const damaged: readonly Uint8Array[] = [
      whole.subarray(0, whole.length >> 1),
      whole.subarray(whole.length >> 1),
      Buffer.from(whole.toString('latin1').replaceAll('"', ''), 'latin1'),
      Buffer.from(whole.toString('latin1').replaceAll(',', ';'), 'latin1'),
      Buffer.from(whole.toString('utf8'), 'utf16le'),
      Buffer.concat([whole.subarray(whole.indexOf('\n') + 1), whole]),
      Buffer.concat([whole.subarray(0, 2000), Buffer.alloc(64), whole.subarray(2000)]),
    ];
    for (const bytes of damaged) {
      const asked = { mapping: mappings.shopify, args: ['--format', 'csv', '--verbose'] };
      const run = await over(rows, bytes, asked);
      expect([1, 2, 4]).toContain(run.exitCode);
      if (run.exitCode !== 1) expect(run.stderr + run.stdout).toContain('a.csv');
      const proposed = await rows.run(['orders', '--init', join(rows.folder, 'a.csv')], {});
      expectDiscreet(proposed);
    }
  });

  test('is not in a mapping that is proposed', async () => {
    const rows = await serveRows([]);
    const month = makeMonth(5, 'shopify', { times: 1 });
    await writeFile(join(rows.folder, 'a.csv'), bytesOf(fileOf(month)));
    const run = await rows.run(['orders', '--init', join(rows.folder, 'a.csv')], {});
    expectDiscreet(run);
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toContain('orders_csv');
    expect(run.stdout).toContain('shopify');
  });
});

describe('a cell of 100 MB', () => {
  const size = 100 * 1024 * 1024;
  const shapes: Readonly<Record<string, (long: string) => string>> = {
    'that nobody asked for': (long) => lines(header, `${orderLine('1001')}${long}`),
    'in quotes that never end': (long) => lines(header, orderLine('1001'), `"${long}`),
    'as a reference': (long) => lines(header, orderLine('1001'), orderLine(long, { id: '2' })),
    'instead of a header': (long) => lines(long, orderLine('1001')),
  };
  test.each(Object.entries(shapes))('ends in words, and soon: %s', async (_, shape) => {
    const started = performance.now();
    const run = await ordersOf(Buffer.from(shape('x'.repeat(size)), 'latin1'));
    expect(performance.now() - started).toBeLessThan(30_000);
    expect([0, 2, 4]).toContain(run.exitCode);
    if (run.exitCode === 0) expect(run.states).toEqual(['1001 settled']);
    else expect(run.stderr + run.stdout).toContain('a.csv');
    expect(run.states.join()).not.toContain(missing);
    expect(run.stdout.length + run.stderr.length).toBeLessThan(100_000);
  });
});

test('the JSON of a file that was partly read says so', async () => {
  const text = lines(header, orderLine('1001'), orderLine('1002', { total: 'x' }));
  const run = await ordersOf(text, { args: ['--format', 'json'] });
  expect(jsonOf(run).verdict).toBe('incomplete');
  expect(run.exitCode).toBe(4);
});
