import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RowScanner } from '../../src/api/scan/row-scanner.ts';
import { byText } from '../../src/base/texts.ts';
import type { DayBuild } from '../../src/export/export-folder.ts';
import { SourceWriter, startTransactions } from '../../src/export/read-day.ts';
import { RowMemory, RowStore } from '../../src/export/row-store.ts';
import { endLine, rowLine } from '../../src/export/source-line.ts';
import type { Row } from '../../src/model/row.ts';
import { batchOf, type RowBatch, rowsOf } from '../../src/model/row-batch.ts';
import type { RowsOutcome } from '../../src/model/source.ts';
import { RowColumns } from '../../src/reconcile/row-columns.ts';
import { csvText } from '../../src/render/csv.ts';
import { transactionColumns } from '../../src/report/transactions/view.ts';
import { answerOf } from '../api/answer.ts';
import { buildOutcome, buildRow, buildSettlement, uuid } from '../support/build.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recon-rows-'));
});
afterAll(() => rm(folder, { recursive: true }));

const settlement = buildSettlement();
let files = 0;

/** The rows of a settlement, as a store and the columns beside it take them in. */
class Taken {
  readonly columns = new RowColumns();
  readonly store: RowStore;

  constructor(memory: RowMemory) {
    files += 1;
    this.store = new RowStore(memory, join(folder, `${files}`));
  }

  async add(batch: RowBatch): Promise<void> {
    this.columns.add(batch);
    await this.store.add(batch);
  }

  /** The lines of the source and the records of the CSV file, as they are written. */
  async written(outcome: RowsOutcome = buildOutcome()): Promise<readonly [string, string]> {
    const bytes: Uint8Array[] = [];
    const source = new SourceWriter(async (some) => bytes.push(some));
    let csv = '';
    const file = {
      write: async (text: string) => {
        csv += text;
      },
      close: async () => ({}),
    };
    const build = { file: async () => file } as unknown as DayBuild;
    const transactions = await startTransactions(build, new Map());
    for await (const some of this.store.read(this.columns, outcome)) {
      await source.rows(settlement.id, some);
      await transactions.add(settlement, some);
    }
    await source.end(settlement.id, outcome);
    await source.close();
    return [gunzipSync(Buffer.concat(bytes)).toString(), csv];
  }
}

/** The same of rows that are put together, one after the other. */
function plainly(rows: readonly Row[]): readonly [string, string] {
  const sorted = [...rows].sort((one, other) => byText(one.id, other.id));
  const lines = sorted.map((row) => rowLine(settlement.id, row, 1));
  const columns = transactionColumns(new Map(), 'all');
  const csv = csvText(columns, 'rfc');
  const records = sorted.map((row) => columns.map(({ value }) => value({ settlement, row })));
  return [
    [...lines, endLine(settlement.id, rows.length, {}), ''].join('\n'),
    csv.header + csv.lines(records),
  ];
}

const note = fc.record({
  key: fc.constantFrom('key', '', 'a "b"', 'ключ', '\\'),
  value: fc.constantFrom('value', '', '=1', '","value":"', '\u0000\ud800\n', '\u007f'),
});
const record = fc.record(
  {
    transactionId: fc.nat(1e6).map(uuid),
    chargeId: fc.nat(99).map(uuid),
    orderId: fc.nat(99).map(uuid),
    timestamp: fc.constantFrom('2026-03-04T12:00:00Z', '2026-03-04T12:00:00.123456789+01:00'),
    settlementId: fc.constant(uuid(1)),
    state: fc.constantFrom('approved', 'a, b', '=1'),
    currencyCode: fc.constantFrom('EUR', 'JPY'),
    decimalPlaces: fc.integer({ min: 0, max: 9 }).map(String),
    amount: fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
    fees: fc.integer({ min: -9, max: 9 }),
    tax: fc.constant(0),
    notes: fc.array(note, { maxLength: 3 }),
  },
  {
    requiredKeys: [
      'transactionId',
      'settlementId',
      'currencyCode',
      'decimalPlaces',
      'amount',
      'fees',
      'tax',
    ],
  },
);
const pages = fc
  .uniqueArray(record, { selector: ({ transactionId }) => transactionId, maxLength: 30 })
  .chain((records) =>
    fc.record({
      records: fc.constant(records),
      size: fc.integer({ min: 1, max: 10 }),
      space: fc.constantFrom(0, 0, 1),
      others: fc.uniqueArray(fc.constantFrom('x', 'X', '', uuid(2).toUpperCase()), {
        maxLength: 2,
      }),
    }),
  );

function batchesOf({
  records,
  size,
  space,
  others,
}: typeof pages extends fc.Arbitrary<infer T> ? T : never) {
  const batches: RowBatch[] = [];
  for (let from = 0; from < records.length; from += size) {
    const data = records.slice(from, from + size);
    const status = { code: '0', response: 'Success' };
    const body = JSON.stringify({ status, data }, null, space);
    // One for each page: all pages together may have more shapes than it learns.
    const page = new RowScanner(() => {}).read(answerOf(body));
    if (!page) throw new Error('the rows are as documented');
    batches.push(page);
  }
  return [...batches, batchOf(others.map((id) => buildRow({ id: `other ${id}` })))];
}

describe('the rows of a settlement', () => {
  test('are written in the order of their ids, however little memory there is', async () => {
    await fc.assert(
      fc.asyncProperty(pages, pages, fc.nat(9_000), async (first, second, limit) => {
        const memory = new RowMemory(limit);
        const [one, other] = [new Taken(memory), new Taken(memory)];
        const fill = async (taken: Taken, batches: readonly RowBatch[]) => {
          for (const batch of batches) await taken.add(batch);
        };
        const [some, more] = [batchesOf(first), batchesOf(second)];
        await Promise.all([fill(one, some), fill(other, more)]);
        expect(one.store.bytesInMemory + other.store.bytesInMemory).toBeLessThanOrEqual(
          limit + 2 * (limit / 32),
        );
        expect(memory.bytesInUse).toBe(one.store.bytesInMemory + other.store.bytesInMemory);
        expect(await one.written()).toEqual(plainly(some.flatMap(rowsOf)));
        expect(await other.written()).toEqual(plainly(more.flatMap(rowsOf)));
        // Again: reading takes nothing away.
        expect(await one.written()).toEqual(plainly(some.flatMap(rowsOf)));
        await Promise.all([one.store.release(), other.store.release()]);
        expect(memory.bytesInUse).toBe(0);
      }),
      { numRuns: 40 },
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test('stay whole while other settlements take the memory', async () => {
    const memory = new RowMemory(50_000);
    const [one, other] = [new Taken(memory), new Taken(memory)];
    const rows = Array.from({ length: 1200 }, (_, at) => buildRow({ id: `row ${at}` }));
    for (let from = 0; from < rows.length; from += 100) {
      await one.add(batchOf(rows.slice(from, from + 100)));
    }
    const read: string[] = [];
    for await (const some of one.store.read(one.columns, buildOutcome())) {
      if ('texts' in some) throw new Error('their ids are no UUIDs');
      read.push(...some.map(({ row }) => row.id));
      await other.add(batchOf(rows.map((row) => ({ ...row, id: `${row.id} ${read.length}` }))));
    }
    expect(read).toEqual(rows.map(({ id }) => id).sort(byText));
    await Promise.all([one.store.release(), other.store.release()]);
  });

  test('may be larger than the memory and than one read', async () => {
    const taken = new Taken(new RowMemory(0));
    const rows = ['c', 'a', 'b'].map((id) => buildRow({ id, orderId: id.repeat(700_000) }));
    for (const row of rows) await taken.add(batchOf([row]));
    expect(await taken.written()).toEqual(plainly(rows));
    await taken.store.release();
  });

  test('are refused if the scratch file cannot be written', async () => {
    const store = new RowStore(new RowMemory(0), join(folder, 'nowhere', 'scratch'));
    await expect(store.add(batchOf([buildRow()]))).rejects.toMatchObject({ failure: 'output' });
    await store.release();
  });
});
