import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { readRecords } from './read-report.ts';
import { scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const month = ['orders', '--sandbox'];

async function fileOf(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'orders.csv');
  await writeFile(path, text);
  return path;
}

describe('the month of the sandbox', () => {
  let csv: readonly Readonly<Record<string, string>>[];
  beforeAll(async () => {
    const { stdout, exitCode } = await runRecon(month);
    expect(exitCode).toBe(1);
    csv = readRecords(stdout);
  });

  const statesIn = (records: typeof csv, key: string) =>
    [...new Set(records.flatMap((one) => one[key] || []))].sort();

  it('has every state of an order, and a row without one', () => {
    expect(statesIn(csv, 'state')).toEqual([
      ...['ambiguous', 'amount_differs', 'cancelled', 'cancelled_but_settled', 'conflicting'],
      ...['in_transit', 'missing_in_settlements', 'not_covered', 'nothing_due'],
      ...['other_currency', 'out_of_scope', 'partly_settled', 'pending', 'settled'],
      ...['settled_in_parts', 'settled_twice', 'unknown_to_shop', 'unpaid_but_settled'],
    ]);
    expect(statesIn(csv, 'refund_state')).toEqual([
      ...['charged_back', 'none', 'refund_in_transit', 'refund_missing', 'refund_unknown'],
      ...['refunded', 'refunded_in_part'],
    ]);
  });

  it('is judged by the rows only if nothing else is known', async () => {
    expect(await runRecon([...month, '--fail-on', 'none'])).toMatchObject({ exitCode: 0 });
  });
});

/** The lines of a table below its ruler, up to an empty line. */
function linesBelow(text: string, title: string): readonly string[] {
  const [, ...lines] = text.slice(text.indexOf(`\n${title}`)).split('\n');
  const from = lines.findIndex((line) => line.startsWith('─')) + 1;
  return lines.slice(from, lines.indexOf('', from));
}

/** The amounts at the end of a line, in minor units. */
function amountsIn(line: string, scale: number): readonly number[] {
  const texts = line.match(/[-+]?\d[\d,]*(\.\d+)?(?=\s|$)/g) ?? [];
  return texts.map((one) => Math.round(Number(one.replaceAll(',', '')) * 10 ** scale));
}

const sum = (some: readonly number[]) => some.reduce((total, one) => total + one, 0);

describe('on a screen of 80 columns', () => {
  let text: string;
  beforeAll(async () => {
    text = (await runRecon([...month, '--color', 'never'], { columns: 80 })).stdout;
  });

  test('what is settled less what is expected is the difference of each order, and all of them are the headline', () => {
    const orders = linesBelow(text, 'Orders that need a decision')
      .filter((line) => line.includes('#ORD'))
      .map((line) => amountsIn(line, 2).slice(-3));
    expect(orders).toHaveLength(10);
    for (const [expected = 0, settled = 0, difference] of orders) {
      expect(settled - expected).toBe(difference);
    }
    const [headline = ''] = text.split('1 is charged back');
    const told = [...headline.matchAll(/:\s([-+]\d[\d.]*)\sEUR/g)].map(([, one = '']) => one);
    expect(sum(told.flatMap((one) => amountsIn(one, 2)))).toBe(
      sum(orders.map((one) => one.at(-1) ?? 0)),
    );
  });

  test.each([
    ['EUR', 2],
    ['JPY', 0],
    ['USD', 2],
  ])('the ladder in %s leads to the gross of the settlements', (currency, scale) => {
    const lines = linesBelow(text, `From the shop to the settlements, ${currency}`);
    const at = lines.findIndex((line) => line.startsWith('─'));
    const amounts = (some: readonly string[]) =>
      some.map((line) => amountsIn(line, scale).at(-1) ?? Number.NaN);
    const totals = new Map(
      lines
        .slice(at + 1)
        .map((line) => [/^\S.*?(?=\s{2,})/.exec(line)?.[0] ?? '', amounts([line])[0] ?? 0]),
    );
    const total = (name: string) => totals.get(name) ?? 0;
    expect(total('Settled')).not.toBe(0);
    expect(sum(amounts(lines.slice(0, at)))).toBe(total('Settled'));
    const inRange = total('Settled') + total('less pending settlements');
    expect(totals.get('Of it settled in the range') ?? inRange).toBe(inRange);
    expect(inRange - total('Gross of the settlements')).toBe(
      total('Difference: see recon settlements'),
    );
  });
});

const header = 'Order,Date,Total,Currency,Charge';
const settings = (env: Readonly<Record<string, string>>) => ({
  ...env,
  RECON_ORDERS_CSV: JSON.stringify({
    ...{ order: 'Order', date: 'Date', total: 'Total', currency: 'Currency', methods: [] },
    charge: 'Charge',
  }),
});

describe('a row without an order', () => {
  const scenario = scenarioOf([{ date: '2026-03-10', rows: [['purchase', 1000, 25, 5]] }]);
  const file = [header, 'A,2026-03-01,10.00,EUR,', 'B,2026-03-31,10.00,EUR,', ''].join('\n');

  test('is a line of its own until --fail-on names it', async () => {
    const { env } = await startService(scenario);
    const path = await fileOf(file.replace('A,2026-03-01', 'A,2026-03-30'));
    const known = await fileOf(file.replace('A,2026-03-01', 'ORD-01-0001,2026-03-08'));
    const range = ['--from', '2026-03-01', '--to', '2026-03-31'];
    const run = (at: string, ...flags: readonly string[]) =>
      runRecon(['orders', at, ...range, ...flags], { env: settings(env) });
    expect(await run(known)).toMatchObject({ exitCode: 0 });
    expect(await run(path)).toMatchObject({ exitCode: 0 });
    expect(await run(path, '--fail-on', '+not-covered')).toMatchObject({ exitCode: 1 });
    expect(await run(known, '--fail-on', '+not-covered,+unknown-to-shop')).toMatchObject({
      exitCode: 0,
    });
    expect(await run(await fileOf(file), '--fail-on', 'none')).toMatchObject({ exitCode: 0 });
  });

  test('is missing only after its days are over, and is suggested if one payment fits both', async () => {
    const { env } = await startService(
      scenarioOf([{ date: '2026-03-10', rows: [['purchase', 3000, 25, 5]] }]),
    );
    const orders = ['ORD-01-0001,2026-03-08,10.00,EUR,', 'A,2026-03-08,20.00,EUR,'];
    const path = await fileOf([header, ...orders, 'B,2026-03-30,5.00,EUR,', ''].join('\n'));
    const args = ['orders', path, '--month', '2026-03', '--format', 'table'];
    const { stdout, exitCode } = await runRecon(args, { env: settings(env) });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('0 of 3 orders are settled. 1 is missing: -20.00 EUR.');
    expect(stdout).toContain('suggested: A differs by the same amount the other way');
    expect(stdout).toContain('Waiting: 1 in transit.');
  });
});

test('recon orders --charges names the side that is wrong about a missing order', async () => {
  const scenario = scenarioOf([{ date: '2026-03-10', rows: [['purchase', 1000, 25, 5]] }], {
    charges: {
      paid: { status: 'completed', amount: 2000 },
      failed: { status: 'not_authorised', amount: 2000 },
    },
  });
  const ids = (scenario.charges ?? []).map((one) => String(one['charge_id']));
  const { env } = await startService(scenario);
  const lines = ids.map((id, at) => `X${at},2026-03-02,20.00,EUR,${id.toUpperCase()}`);
  const path = await fileOf([header, ...lines, ''].join('\n'));
  const args = ['orders', path, '--month', '2026-03', '--charges'];
  const { stdout } = await runRecon(args, { env: settings(env) });
  expect(readRecords(stdout).flatMap((one) => one['charge_status'] || [])).toEqual([
    ...['completed', 'not_authorised'],
  ]);
  const table = await runRecon([...args, '--format', 'table'], { env: settings(env) });
  expect(table.stdout).toContain('its charge is completed: the service owes it');
  expect(table.stdout).toContain('its charge is not_authorised: the shop is wrong');
  expect(table.stdout).toContain(`recon charge ${ids[0]} --settlements`);
});

describe('recon orders --init', () => {
  const init = async (text: string) => runRecon(['orders', '--init', await fileOf(text)]);

  it('recognises the exports of presets, and says what is uncertain', async () => {
    const { stdout } = await init(
      'Name,Id,Created at,Paid at,Total,Currency\n#1001,1,2026-03-01,,1.00,EUR\n',
    );
    expect(stdout).toContain('preset = "shopify"');
    expect(stdout).toContain('Check that Currency is what customers paid in');
    expect(stdout).toContain('#methods = []');
  });

  it('proposes columns of other files by their names', async () => {
    const { stdout } = await init(
      'order_number;order_date;order_total;order_currency;payment_method;billing_email\n',
    );
    for (const line of [
      ...['delimiter = ";"', 'order = "order_number"', 'date = "order_date"'],
      ...['total = "order_total"', 'currency = "order_currency"', 'method = "payment_method"'],
    ]) {
      expect(stdout).toContain(line);
    }
  });

  it('shows no cell of a first line that is not a header', async () => {
    const { stdout } = await init('1001,Anna Canary,anna@canary.example,2026-03-01,12.00\n');
    expect(stdout).not.toMatch(/canary/i);
    expect(stdout).toContain('column 2');
  });

  it('refuses what cannot be matched', async () => {
    const { stderr, exitCode } = await init('Date,Order #,Status,N. Revenue (formatted)\n');
    expect(stderr).toContain('WooCommerce Analytics');
    expect(exitCode).toBe(2);
  });
});

describe('order files that are not read as they are', () => {
  const scenario = scenarioOf([{ date: '2026-03-10', rows: [['purchase', 1000, 25, 5]] }]);
  const csv = (text: string) => ({
    RECON_ORDERS_CSV: JSON.stringify({
      ...{ order: 'Order', date: 'Date', total: 'Total', currency: 'EUR', methods: [] },
      ...(text.includes('Mode') && { only: { Mode: ['Live'] } }),
    }),
  });

  test('are not called empty if their header line is too long', async () => {
    const { env } = await startService(scenario);
    const columns = Array.from({ length: 1_000_000 }, (_, at) => `c${at}`).join(',');
    const { stderr, exitCode } = await runRecon(['orders', await fileOf(`${columns}\n1\n`)], {
      env: { ...env, ...csv('') },
    });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('header line cannot be read')]);
  });

  test('are sought before their mapping is', async () => {
    const { stderr, exitCode } = await runRecon(['orders', 'none.csv', '--sandbox']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Order file not found.')]);
  });

  test('have the lines that do not count summed, and those that cannot be read with their keys', async () => {
    const { env } = await startService(scenario);
    const lines = [
      ...['Order,Date,Total,Mode', 'ORD-01-0001,2026-03-08,10.00,Live'],
      ...['T1,2026-03-08,99.00,Test', 'A,2026-03-08,1.500,Live', ''],
    ];
    const text = lines.join('\n');
    const path = await fileOf(text);
    const args = ['orders', path, '--month', '2026-03', '--format', 'table'];
    const { stdout, exitCode } = await runRecon(args, { env: { ...env, ...csv(text) } });
    expect(exitCode).toBe(4);
    const said = stdout.replace(/\s+/g, ' ');
    expect(said).toContain('Left out by only: 1 line, of 99.00 EUR.');
    expect(said).toContain(`${path}:4: Total cannot be read`);
    expect(said).toContain('in orders_csv, look at decimal and thousands.');
    expect(said).toContain('change decimal and thousands in orders_csv, or export');
  });

  test('say nothing of settlements if no line of theirs can be read', async () => {
    const { env } = await startService(scenario);
    const text = 'Order,Date,Total\nA,08.03.2026,10.00\n';
    const run = await runRecon(['orders', await fileOf(text)], { env: { ...env, ...csv(text) } });
    expect([run.exitCode, run.stdout]).toEqual([2, '']);
    expect(run.stderr).not.toContain('Settlements of');
    expect(run.stderr).toContain('Change date_format in orders_csv.');
  });
});

describe('references that do not meet', () => {
  /** Orders of the file, the notes of rows, and what the report says of them. */
  async function said(
    orders: readonly string[],
    notes: readonly string[],
    { key = 'merchant_order_ref', more = {}, columns = '' } = {},
  ) {
    const rows = notes.map(
      (value) =>
        ['purchase', 1000, 25, 5, { notes: value === '' ? [] : [{ key, value }] }] as const,
    );
    const { env } = await startService(scenarioOf([{ date: '2026-03-10', rows }]));
    const lines = orders.map((order) => `${order},2026-03-08,10.00`);
    const path = await fileOf(
      [
        `Order${columns},Date,Total`,
        ...lines,
        'LAST,,2026-03-28,0.00'.replace(',,', columns === '' ? ',' : ',,'),
        '',
      ].join('\n'),
    );
    const mapping = { order: 'Order', date: 'Date', total: 'Total', currency: 'EUR', methods: [] };
    const settings = { ...env, RECON_ORDERS_CSV: JSON.stringify({ ...mapping, ...more }) };
    const args = ['orders', path, '--month', '2026-03'];
    const table = await runRecon([...args, '--format', 'table'], { env: settings });
    const csv = await runRecon([...args, '--format', 'csv'], { env: settings });
    return { text: table.stdout.replace(/\s+/g, ' '), ...table, csv };
  }

  const refs = ['1001', '1002', '1003', '1004'];
  const prefixed = (before: string, after = '') => refs.map((ref) => `${before}${ref}${after}`);

  test('are told with those of rows, which are in every output, and nothing is asked of the service', async () => {
    const { text, csv, exitCode } = await said(refs, prefixed('WEB-'));
    expect(exitCode).toBe(1);
    expect(text).toContain(
      'No reference of the files occurs in the transactions. They have WEB-1001, WEB-1002, WEB-1003 and others.',
    );
    expect(text).toContain(
      'With WEB- in front, as transactions have it, 4 of 5 orders without a transaction',
    );
    expect(text).not.toContain('ask the service');
    expect(text).toMatch(/unknown to the shop WEB-1001|unknown to WEB-1001/);
    expect(readRecords(csv.stdout).map((one) => one['row_references'])).toContain('WEB-1004');
  });

  test.each<[what: string, orders: readonly string[], notes: readonly string[], hint: string]>([
    ['a suffix', refs, prefixed('', '-1'), 'With -1 at the end, as transactions have it, 4 of 5'],
    ['a prefix of the file', prefixed('SHOP-'), refs, 'Without SHOP- in front, 4 of 5'],
    ['a suffix of the file', prefixed('', '.0'), refs, 'Without .0 at the end, 4 of 5'],
    ['zeros', ['7', '12', '345'], ['0007', '0012', '0345'], 'Without zeros in front, 3 of 4'],
    ['case', ['ab1', 'Cd2'], ['AB1', 'CD2'], 'Without regard to upper and lower case, 2 of 3'],
    [
      'long digits',
      ['123456789012345678', '123456789012399678'],
      ['123456789012345000', '123456789012399000'],
      'By their first 15 digits, 2 of 3',
    ],
    [
      'several at once',
      refs,
      ['1001, 1002', '1003/1004'],
      'As one of several references of a transaction, 4 of 5',
    ],
  ])('are explained by %s', async (_, orders, notes, hint) => {
    expect((await said(orders, notes)).text).toContain(
      `${hint} orders without a transaction would match`,
    );
  });

  test('are found in another column', async () => {
    const orders = refs.map((ref, at) => `${at + 1},${ref}`);
    const { text } = await said(orders, refs, { columns: ',order_id' });
    expect(text).toContain('Column order_id has 4 references of these transactions');
  });

  test('may be in other notes, or in none', async () => {
    const other = await said(refs, prefixed(''), { key: 'cart_id' });
    expect(other.text).toContain('have no note merchant_order_ref. They have cart_id: set note');
    const none = await said(
      refs,
      refs.map(() => ''),
    );
    expect(none.text).toContain('Transactions without an order have no notes.');
  });

  test('are no matter while they meet', async () => {
    const { text } = await said(refs, [...refs, 'X-1001', 'other']);
    expect(text).not.toMatch(/would match|No reference|No row/);
  });
});

test('small differences of orders are accepted one by one or as a list, until one minor unit changes', async () => {
  const rows = [['purchase', 1000, 25, 5] as const, ['purchase', 2000, 25, 5] as const];
  const { env } = await startService(scenarioOf([{ date: '2026-03-10', rows }]));
  const folder = await temporaryFolder();
  const [file, list] = [join(folder, 'orders.csv'), join(folder, 'list.csv')];
  const write = async (first: string) =>
    writeFile(
      file,
      [
        header,
        `ORD-01-0001,2026-03-02,${first},EUR,`,
        'ORD-01-0002,2026-03-02,20.02,EUR,',
        'C,2026-03-20,0.00,JPY,',
      ].join('\n'),
    );
  const run = (...args: readonly string[]) =>
    runRecon([...args, '--accepted', join(folder, 'accepted.csv')], { env: settings(env) });
  const check = async () => {
    const own = { ...settings(env), RECON_ACCEPTED: join(folder, 'accepted.csv') };
    const args = ['orders', file, '--month', '2026-03', '--format', 'table', '--decisions', list];
    return runRecon(args, { env: own });
  };
  await write('10.01');
  expect(await check()).toMatchObject({ exitCode: 1 });
  const decided = await readFile(list, 'utf8');
  expect(decided).toContain('order,ORD-01-0001,2026-03-02');
  await writeFile(
    list,
    decided.replace(/(ORD-01-0001.*amount_differs,.*?),,,,,(?=\r)/, '$1,accept,rounded,,,'),
  );
  expect(await run('accept', '--from', list)).toMatchObject({ exitCode: 0 });
  const half = await check();
  expect(half.exitCode).toBe(1);
  expect(half.stdout).toContain('1 has another amount: -0.02 EUR. 1 is accepted: -0.01 EUR.');
  const order = ['accept', '--order', 'ORD-01-0002'];
  expect(await run(...order, '--difference', '-0.02', '--reason', 'x')).toMatchObject({
    exitCode: 2,
  });
  const one = await run(
    ...order,
    '--difference',
    '-0.02 EUR',
    '--reason',
    'r',
    '--format',
    'table',
  );
  expect(one.stdout).toContain('order ORD-01-0002');
  expect(one.exitCode).toBe(0);
  expect(await check()).toMatchObject({ exitCode: 0 });
  await write('10.02');
  const changed = await check();
  expect(changed.exitCode).toBe(1);
  expect(changed.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'but difference changed from -0.01 to -0.02',
  );
  expect(await run(...order, '--remove')).toMatchObject({ exitCode: 0 });
  expect((await run('accept', '--list', '--format', 'table')).stdout).toContain('1 order');
});
