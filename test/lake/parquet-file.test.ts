import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ByteWriter } from '../../src/base/byte-writer.ts';
import { batchRows, transactionRows } from '../../src/export/day-tables.ts';
import { startParquet } from '../../src/lake/parquet-file.ts';
import type { LakeRow } from '../../src/lake/tables.ts';
import { placesPerRow, textPlace } from '../../src/model/row-batch.ts';
import { buildRow, buildSettlement, uuid } from '../support/build.ts';
import { query } from './duckdb.ts';

const whose = { profile: 'spain', day_version: 'ab'.repeat(32) };
const settlement = buildSettlement();

/** The file of some transactions. */
async function written(rows: Iterable<LakeRow<'transactions'>>): Promise<Buffer> {
  const bytes = new ByteWriter(0);
  const file = startParquet(
    'transactions',
    whose.profile,
    async (more) => bytes.append(more),
    groupSize,
  );
  await file.add(rows);
  await file.close(whose.day_version);
  return bytes.written;
}

/** Rows that are encoded together; far more in a real file. */
const groupSize = 100;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recon-parquet-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(rows: Iterable<LakeRow<'transactions'>>): Promise<string> {
  const path = join(folder, `${randomUUID()}.parquet`);
  await writeFile(path, await written(rows));
  return path;
}

async function readBack(rows: Iterable<LakeRow<'transactions'>>) {
  return query(`SELECT * FROM '${await fileOf(rows)}'`);
}

/** More rows than two groups hold. Their amounts are 0, 1, 2, ... */
const manyAmounts = Array.from({ length: 2 * groupSize + 1 }, (_, index) => BigInt(index));
let manyRows: Promise<string> | undefined;

/** Their file, written once. */
function fileOfManyRows(): Promise<string> {
  manyRows ??= fileOf(listed(...manyAmounts.map((amount) => ({ amount }))));
  return manyRows;
}

function listed(...rows: readonly Parameters<typeof buildRow>[0][]) {
  const all = rows.map((row) => ({ row: buildRow(row), listed: 1 }));
  return transactionRows(settlement, all);
}

test('amounts are read back exactly, and a decimal that needs rounding is null', async () => {
  const most = 2n ** 63n - 1n;
  const found = await readBack(
    listed(
      { amount: 10n ** 15n, fees: -1n, tax: 0n, scale: 2 },
      { amount: most, fees: -most, tax: 10n ** 15n + 1n, scale: 0 },
      { amount: 12_345n, fees: -12_345n, tax: 1n, scale: 4 },
      { amount: 10n ** 18n, fees: 1n, tax: -1n, scale: 18 },
    ),
  );
  const figures = found.map(({ amount_minor, fees_minor, tax_minor, amount, fees, tax }) =>
    [amount_minor, fees_minor, tax_minor, amount, fees, tax].join(' '),
  );
  expect(figures).toEqual([
    '1000000000000000 -1 0 10000000000000.0000 -0.0100 0.0000',
    `${most} -${most} 1000000000000001 ${most}.0000 -${most}.0000 1000000000000001.0000`,
    '12345 -12345 1 1.2345 -1.2345 0.0001',
    '1000000000000000000 1 -1   ',
  ]);
  expect(found.at(-1)).toMatchObject({ decimal_places: 18, amount: null, ...whose });
});

test('an amount beyond 64 bits is refused with its settlement', async () => {
  const error = await written(listed({ amount: 2n ** 63n })).catch((thrown) => thrown);
  expect(error).toMatchObject({
    failure: 'output',
    message: expect.stringMatching(
      new RegExp(`^Settlement ${settlement.id} .* amount_minor 9223372036854775808\\.$`),
    ),
  });
  await expect(written(listed({ scale: 1.5 }))).rejects.toThrow(RangeError);
});

test('texts are read back as they were, with any characters', async () => {
  const texts = ['', ' ', '\0', '"\r\n', "'; DROP TABLE x", '=1+1', 'ñ 漢 😀', 'x'.repeat(70_000)];
  const rows = texts.map((text) => ({
    ...{ timestamp: text, type: text, chargeId: text, notes: [{ key: text, value: text }] },
  }));
  const found = await readBack(listed(...rows));
  expect(found.map(({ timestamp }) => timestamp)).toEqual(texts);
  expect(found.map(({ transaction_type }) => transaction_type)).toEqual(texts);
  expect(found.map(({ charge_id }) => charge_id)).toEqual(texts);
  const notes = found.map(({ notes }) => JSON.parse(String(notes)));
  expect(notes).toEqual(texts.map((text) => [{ key: text, value: text }]));
});

test('times are UTC to the microsecond, and null if the text is not a time', async () => {
  const texts = [
    '2026-03-05T23:30:00-05:00',
    '20260305T101530.1234567Z',
    '1969-12-31T23:59:59.999999Z',
    '2026-03-05T10:15:30',
    'yesterday',
  ];
  const found = await readBack(listed(...texts.map((timestamp) => ({ timestamp }))));
  expect(found.map(({ time }) => time)).toEqual([
    '2026-03-06 04:30:00+00',
    '2026-03-05 10:15:30.123456+00',
    '1969-12-31 23:59:59.999999+00',
    null,
    null,
  ]);
});

test('a table may have more rows than are encoded at once, or none', async () => {
  const path = await fileOfManyRows();
  const found = await query(`SELECT amount_minor, day_version FROM '${path}'`);
  expect(found.map(({ amount_minor }) => amount_minor)).toEqual(manyAmounts.map(String));
  expect(new Set(found.map(({ day_version }) => day_version))).toEqual(
    new Set([whose.day_version]),
  );
  expect(await readBack(listed())).toEqual([]);
});

test('each group of rows begins with its first column', async () => {
  const path = await fileOfManyRows();
  const groups = await query(
    `SELECT row_group_id, row_group_num_rows AS n, first(place ORDER BY column_id) = min(place)
         FILTER (path_in_schema <> 'day_version') AS begins,
       list(path_in_schema ORDER BY column_id)[1:3] AS names
     FROM (SELECT *, coalesce(dictionary_page_offset, data_page_offset) AS place
       FROM parquet_metadata('${path}')) GROUP BY ALL ORDER BY row_group_id`,
  );
  expect(groups.map(({ n }) => n)).toEqual([`${groupSize}`, `${groupSize}`, '1']);
  for (const { begins, names } of groups) {
    expect([begins, names]).toEqual([true, ['profile', 'day_version', 'settlement_id']]);
  }
});

test('the footer has the bytes of all columns for each group', async () => {
  const path = await fileOfManyRows();
  const groups = await query(
    `SELECT any_value(row_group_bytes) = sum(total_uncompressed_size) AS plain,
       any_value(row_group_compressed_bytes) = sum(total_compressed_size) AS compressed
     FROM parquet_metadata('${path}') GROUP BY row_group_id`,
  );
  expect(groups).toEqual(Array(3).fill({ plain: true, compressed: true }));
});

test('rows in columns give the same bytes as rows one by one', async () => {
  const rows = [
    buildRow({ id: uuid(1), chargeId: uuid(2), orderId: '', notes: [] }),
    buildRow({ id: uuid(3), chargeId: '', orderId: uuid(4), amount: -(2n ** 53n - 1n) }),
  ];
  // A text that is at 0 is none.
  const page = new ByteWriter(0);
  page.byte(0);
  const places = new Int32Array(rows.length * placesPerRow);
  const put = (place: number, text: string) => {
    places[place] = text === '' ? 0 : page.length;
    page.text(text);
    return page.length;
  };
  for (const [index, row] of rows.entries()) {
    const place = index * placesPerRow;
    put(place + textPlace.id, row.id);
    put(place + textPlace.chargeId, row.chargeId);
    put(place + textPlace.orderId, row.orderId);
    places[place + textPlace.timestampEnd] = put(place + textPlace.timestamp, row.timestamp);
    places[place + textPlace.notesEnd] = put(place + textPlace.notes, JSON.stringify(row.notes));
  }
  const figures = Float64Array.from(
    rows.flatMap(({ amount, fees, tax }) => [amount, fees, tax].map(Number)),
  );
  const texts = { page: new DataView(page.written.buffer, page.written.byteOffset), places };
  const batch = { length: rows.length, kinds: rows, figures, texts };
  const oneByOne = transactionRows(
    settlement,
    rows.map((row) => ({ row, listed: 1 })),
  );
  expect(await written(batchRows(settlement, batch))).toEqual(await written(oneByOne));
});
