import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  advice,
  jsonOf,
  missing,
  type OrderRecord,
  recordsOf,
  runOrders,
  verdicts,
} from './adapter.ts';
import { bytesOf, fileOf, mappings, type OrderFile } from './files.ts';
import { type MonthOptions, makeMonth } from './month.ts';
import { type Dialect, type Month, moment, range } from './month-maker.ts';
import { exportRows, type Rows, serveRows } from './service.ts';

const dialects: readonly Dialect[] = ['shopify', 'plain'];
interface Shop {
  readonly month: Month;
  readonly rows: Rows;
  readonly file: OrderFile;
  /** Runs over these files and reads the CSV. */
  csv(files: readonly OrderFile[], args?: readonly string[]): Promise<Outcome>;
}

interface Outcome {
  readonly exitCode: number;
  readonly text: string;
  readonly records: readonly OrderRecord[];
}

async function open(dialect: Dialect, options: MonthOptions = {}, from = serveRows): Promise<Shop> {
  const month = makeMonth(7, dialect, { times: 2, ...options });
  const rows = await from(month.rows);
  const csv: Shop['csv'] = async (files, args = []) => {
    const names = files.map((_, index) => `orders-${index}.csv`);
    for (const [index, file] of files.entries()) {
      await writeFile(join(rows.folder, names[index] ?? ''), bytesOf(file));
    }
    const more = ['--format', 'csv', ...args];
    const { exitCode, stdout } = await runOrders(rows, names, mappings[dialect], more);
    const records = recordsOf({ stdout });
    expect(records.length).toBeGreaterThan(0);
    return { exitCode, text: stdout, records };
  };
  return { month, rows, file: fileOf(month), csv };
}

/** What is said of each order and each row, without the places in the file. */
function said(records: readonly OrderRecord[]): readonly string[] {
  return records
    .map(({ place: _, ...record }) =>
      JSON.stringify(record, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)),
    )
    .sort();
}

/** The lines of a file by documents: a document's first line with the items below it. */
function documentsOf({ records, dialect }: OrderFile): OrderFile['records'][] {
  const starts = records.flatMap((cells, index) =>
    (dialect === 'shopify' ? cells['Id'] !== '' : true) ? [index] : [],
  );
  return starts.map((start, n) => records.slice(start, starts[n + 1]));
}

describe.each(dialects)('whatever the file is like: %s', (dialect) => {
  test('the order of its lines does not matter', async () => {
    const { csv, file } = await open(dialect);
    const backwards = documentsOf(file).reverse().flat();
    const [once, again] = [await csv([file]), await csv([{ ...file, records: backwards }])];
    expect(said(again.records)).toEqual(said(once.records));
    expect(again.exitCode).toBe(once.exitCode);
  });

  test('a file that is given twice counts once', async () => {
    const { csv, file } = await open(dialect);
    expect(said((await csv([file, file])).records)).toEqual(said((await csv([file])).records));
  });

  test('a file in two halves is a file', async () => {
    const { csv, file } = await open(dialect);
    const documents = documentsOf(file);
    const half = Math.floor(documents.length / 2);
    const halves = [documents.slice(half), documents.slice(0, half)];
    const files = halves.map((records) => ({ ...file, records: records.flat() }));
    expect(said((await csv(files)).records)).toEqual(said((await csv([file])).records));
  });

  test('the order of its columns does not matter', async () => {
    const { csv, file } = await open(dialect);
    const turned = { ...file, columns: [...file.columns].reverse() };
    expect(said((await csv([turned])).records)).toEqual(said((await csv([file])).records));
  });

  test('an order that has nothing to do with them changes no other', async () => {
    const { csv, file, month } = await open(dialect);
    const [some] = month.docs;
    if (!some) throw new Error('The month is empty.');
    const ref = dialect === 'shopify' ? '#99999999' : '99999999';
    const soldAt = moment('2026-03-10', '10:00');
    const other = { ...some, ref, id: '1', charge: '', status: 'paid' as const, refunds: [] };
    const docs = [{ ...other, soldAt, paidAt: soldAt, total: 12_000n, notDue: 0n }];
    const more = fileOf({ docs, dialect });
    const both = await csv([{ ...file, records: [...more.records, ...file.records] }]);
    const others = both.records.filter((record) => !record.ref.includes('99999999'));
    expect(others).toHaveLength(both.records.length - 1);
    expect(said(others)).toEqual(said((await csv([file])).records));
  });

  test('two runs print the same bytes', async () => {
    const { csv, file } = await open(dialect);
    expect((await csv([file])).text).toBe((await csv([file])).text);
  });

  test('a month without a finding is reconciled', async () => {
    const states = ['settled', 'settled_in_parts', 'in_transit', 'nothing_due', 'out_of_scope'];
    const calm = [...states, 'partly_settled', 'pending', 'cancelled', 'refunded'];
    const { csv, file } = await open(dialect, { states: calm, isPure: true });
    expect((await csv([file])).exitCode).toBe(0);
    const unknown = await open(dialect, { states: [...calm, 'refund_unknown', 'charged_back'] });
    expect((await unknown.csv([unknown.file])).exitCode).toBe(0);
    for (const condition of [
      '+unknown-to-shop',
      '+refund-unknown',
      '+charged-back',
      '+not-covered',
    ]) {
      const turned = await unknown.csv([unknown.file], ['--fail-on', condition]);
      expect(`${condition} ${turned.exitCode}`).toBe(`${condition} 1`);
    }
  });

  test('an export says what the service says', async () => {
    const live = await open(dialect);
    const kept = await open(dialect, {}, exportRows);
    const [one, other] = [await live.csv([live.file]), await kept.csv([kept.file])];
    expect(said(other.records)).toEqual(said(one.records));
  });

  const deciding = [
    ...(dialect === 'plain' ? ['ambiguous'] : []),
    ...['missing_in_settlements', 'settled_twice', 'amount_differs', 'other_currency'],
    ...['cancelled_but_settled', 'unpaid_but_settled', 'refund_missing', 'conflicting'],
  ];
  test.each(deciding)('one state alone turns the verdict: %s', async (state) => {
    const { csv, file } = await open(dialect, { times: 1, states: [state], isPure: true });
    expect((await csv([file])).exitCode).toBe(1);
    expect((await csv([file], ['--fail-on', 'none'])).exitCode).toBe(0);
  });
});

describe('a range that is not fully read', () => {
  test('never says that an order is missing', async () => {
    const { csv, file, rows } = await open('shopify', {}, exportRows);
    const folder = join(rows.folder, 'export');
    const whole = await csv([file]);
    expect(whole.records.map(({ state }) => state)).toContain(missing);
    const days = (await readdir(folder)).filter((name) => /^\d{4}-/.test(name)).sort();
    expect([days[0], days.at(-1)]).toEqual([range.from, range.to]);
    for (const day of ['2026-03-12', range.to, range.from]) {
      await rm(join(folder, day), { recursive: true });
      const part = await csv([file]);
      expect(part.records.map(({ state }) => state)).not.toContain(missing);
      expect(part.exitCode).toBe(4);
    }
    const args = ['--format', 'json'];
    const json = jsonOf(await runOrders(rows, ['orders-0.csv'], mappings.shopify, args));
    expect(json.verdict).toBe(verdicts.incomplete);
  });

  test('never says that a customer is owed money', async () => {
    const options = { states: ['settled_twice', 'settled'], isPure: true };
    const { file, rows } = await open('shopify', options, exportRows);
    await writeFile(join(rows.folder, 'orders.csv'), bytesOf(file));
    const table = () => runOrders(rows, ['orders.csv'], mappings.shopify, ['--format', 'table']);
    expect((await table()).stdout.replaceAll(/\s+/g, ' ')).toMatch(advice.refund);
    await rm(join(rows.folder, 'export', '2026-03-20'), { recursive: true });
    const part = await table();
    expect(part.exitCode).toBe(4);
    expect(part.stdout.replaceAll(/\s+/g, ' ')).not.toMatch(advice.refund);
  });
});
