import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reconcileRange } from '../../src/app/reconcile-range.ts';
import { ReconError } from '../../src/base/errors.ts';
import { DaySource } from '../../src/export/day-source.ts';
import { ExportSource } from '../../src/export/export-source.ts';
import { jsonWithDigest, sourceName } from '../../src/export/layout.ts';
import { formatManifest, type Manifest, parseManifest } from '../../src/export/manifest.ts';
import { SourceWriter } from '../../src/export/read-day.ts';
import { Recorder, RowMemory } from '../../src/export/row-store.ts';
import { verifyDayFolder } from '../../src/export/verify-export.ts';
import type { Row } from '../../src/model/row.ts';
import { rowsOf } from '../../src/model/row-batch.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import type { HeaderList, Source } from '../../src/model/source.ts';
import { exportProblemSentence, exportProblemText } from '../../src/report/verify/words.ts';
import { type FakeReading, FakeSource, numbered } from '../app/fake-source.ts';
import { defaultSettings as settings } from '../reconcile/judge.ts';
import { buildOutcome, buildRow, uuid } from '../support/build.ts';
import { anyUnreadable } from './arbitraries.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'recon-replay-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const day = '2026-03-05';
const query = { range: { from: day, to: day }, filters: {} };

function reconciling(source: Source) {
  const onProgress = () => {};
  return reconcileRange({ source, query, settings, explains: true, ahead: 3, onProgress });
}

async function reconcile(source: Source) {
  const run = reconciling(source);
  const decided = [];
  let step = await run.next();
  for (; !step.done; step = await run.next()) {
    const { reconciled, explained } = step.value;
    decided.push({ reconciled, explained });
  }
  return { decided, run: step.value };
}

function manifestOf(source: Buffer, rows: number, contentSha256: string): string {
  const sha256 = createHash('sha256').update(source).digest('hex');
  return formatManifest({
    tool: '1.0.0',
    profile: null,
    host: 'localhost',
    day,
    filters: {},
    settings: {
      identity: 'gross-fees-tax',
      tolerance: '0',
      ignored: [],
      expectedScales: {},
      rules: {},
      names: {},
    },
    settingsDigest: sha256,
    verdict: 'balanced',
    complete: true,
    counts: { settlements: { balanced: 0, out_of_balance: 0, pending: 0 }, transactions: 0 },
    totals: [],
    contentSha256,
    files: { [sourceName]: { bytes: source.length, rows, sha256 } },
    exportedAt: '2026-04-05T12:00:00.000Z',
  });
}

/** Reconciles a source and writes its day down, with so little memory that rows are spilled. */
async function record(source: Source, memory = 2000) {
  const folder = await mkdtemp(join(root, 'day-'));
  const headers = await source.headers(query);
  const recorder = new Recorder(new RowMemory(memory), folder, 0);
  const run = reconciling(recorder.recording(source, headers));
  const chunks: Uint8Array[] = [];
  const writer = new SourceWriter(async (bytes) => chunks.push(bytes));
  await writer.headers(day, headers);
  const decided = [];
  let step = await run.next();
  for (; !step.done; step = await run.next()) {
    const { reconciled, explained, rows, outcome } = step.value;
    const { id } = reconciled.settlement;
    decided.push({ reconciled, explained });
    const store = 'notRead' in outcome ? undefined : recorder.rows(id);
    if (store && !('notRead' in outcome)) {
      for await (const some of store.read(rows, outcome)) await writer.rows(id, some);
    }
    await writer.end(id, outcome);
    await recorder.release(id);
  }
  const seen = { decided, run: step.value };
  const { lines: rows, contentSha256 } = await writer.close();
  await recorder.close();
  expect(await readdir(folder)).toEqual([]);
  const bytes = Buffer.concat(chunks);
  await writeFile(join(folder, sourceName), bytes);
  await writeFile(join(folder, 'manifest.json'), manifestOf(bytes, rows, contentSha256));
  return { seen, folder, bytes };
}

function replay(folder: string): ExportSource {
  return new ExportSource({ days: new Map([[day, folder]]) });
}

/** Readings of a settlement: rows in some order, with all that an outcome may say of them. */
function readings(settlement: Settlement): fc.Arbitrary<FakeReading> {
  const rows = fc.uniqueArray(
    fc.record({
      number: fc.nat(60),
      amount: fc.bigInt({ min: -500n, max: 500n }),
      what: fc.constantFrom('plain', 'plain', 'plain', 'repeated', 'conflicting', 'corrected'),
      state: fc.constantFrom('approved', 'declined', '\ud800"\n'),
    }),
    { selector: ({ number }) => number, maxLength: 25 },
  );
  const fate = fc.constantFrom('whole', 'whole', 'unsteady', 'unreadable', 'failed');
  return fc.tuple(rows, fate, anyUnreadable).map(([list, how, fault]) => {
    const row = (one: (typeof list)[number], change: Partial<Row> = {}) =>
      buildRow({
        id: uuid(one.number),
        settlementId: settlement.id,
        amount: one.amount,
        state: one.state,
        ...change,
      });
    const of = (what: string) => list.filter((one) => one.what === what);
    return {
      batches: [list.slice(0, 9), list.slice(9)].map((batch) => batch.map((one) => row(one))),
      outcome: buildOutcome({
        repeated: of('repeated').map((one) => ({ row: row(one), copies: 2 })),
        conflicts: of('conflicting').map((one) => [row(one), row(one, { fees: 7n })]),
        corrections: of('corrected').map((one) => row(one, { tax: 9n })),
        unreadable: how === 'unreadable' ? [fault] : [],
        ...(how === 'unsteady' && { unsteady: 'walks_disagree' as const }),
      }),
      ...(how === 'failed' && { failure: new ReconError('network', 'it broke off') }),
    };
  });
}

const statuses = ['settled', 'pending_settlement', 'settled_out_of_balance'];
const anySource = fc
  .integer({ min: 0, max: 7 })
  .chain((count) => {
    const settlements = numbered(count).map((one, at) => ({
      ...one,
      status: statuses[at % 3] ?? '',
    }));
    const conflicts = settlements.slice(0, 1).map((one) => [one, { ...one, gross: 1n }]);
    const list: fc.Arbitrary<Partial<HeaderList>> = fc.record(
      {
        conflicts: fc.constant(conflicts),
        unreadable: fc.array(anyUnreadable, { maxLength: 12 }),
        unsteady: fc.constantFrom('walks_disagree', 'no_progress', 'too_long'),
      },
      { requiredKeys: [] },
    );
    return fc.record({
      settlements: fc.constant(settlements),
      readings: fc.tuple(...settlements.map(readings)),
      list,
    });
  })
  .map(({ settlements, readings: all, list }) => () => {
    const byId = Object.fromEntries(settlements.map(({ id }, at) => [id, all[at] ?? {}]));
    return new FakeSource(settlements, byId, list);
  });

describe('a day that is read again', () => {
  test('gives what was seen when it was recorded', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anySource, async (source) => {
        const plain = await reconcile(source());
        const { seen, folder, bytes } = await record(source());
        expect(seen).toEqual(plain);
        const again = replay(folder);
        expect(await reconcile(again)).toEqual(plain);
        await again.close();
        // Whether rows had to be set aside doesn't show.
        expect((await record(source(), 1e6)).bytes).toEqual(bytes);
        expect((await verifyDayFolder(folder, day)).problems).toEqual([]);
        await rm(folder, { recursive: true });
      }),
      { numRuns: 10 },
    );
  });

  test('gives its rows to every reader, in any order', async () => {
    const { folder } = await record(new FakeSource(numbered(5)));
    const source = replay(folder);
    const { settlements } = await source.headers(query);
    const idsOf = async (settlement: Settlement | undefined) => {
      if (!settlement) return [];
      const ids: string[] = [];
      for await (const batch of source.rows(settlement))
        ids.push(...rowsOf(batch).map(({ id }) => id));
      return ids;
    };
    for (const at of [3, 1, 4, 4, 0]) {
      expect(await idsOf(settlements[at])).toEqual([`row of ${settlements[at]?.id}`]);
    }
    const all = await Promise.all([...settlements].reverse().map(idsOf));
    expect(all.flat().sort()).toEqual(settlements.map(({ id }) => `row of ${id}`));
    await source.close();
  });

  test('gives, for one settlement, the unsteady list and its own unreadable records', async () => {
    const of = (number: number) => ({
      record: uuid(number),
      field: 'f',
      found: 'x',
      expected: 'scale' as const,
    });
    const list = { unsteady: 'walks_disagree' as const, unreadable: [of(7), of(8)] };
    const { folder } = await record(new FakeSource(numbered(1), {}, list));
    const source = replay(folder);
    const { settlements, ...listed } = await source.header(uuid(1));
    expect(settlements.map(({ id }) => id)).toEqual([uuid(1)]);
    expect(listed).toEqual({ conflicts: [], unreadable: [], unsteady: 'walks_disagree' });
    expect(await source.header(uuid(8))).toMatchObject({ settlements: [], unreadable: [of(8)] });
    await source.close();
  });

  test('can be read again after a reader stops in the middle', async () => {
    const rows = Array.from({ length: 1200 }, (_, at) => buildRow({ id: uuid(at) }));
    const [first, second] = numbered(2);
    if (!first || !second) throw new Error('none');
    const { folder } = await record(
      new FakeSource([first, second], { [first.id]: { batches: [rows] } }),
    );
    const source = replay(folder);
    for (const settlement of [first, first, second]) {
      for await (const batch of source.rows(settlement)) {
        expect(batch.length).toBeGreaterThan(0);
        break;
      }
    }
    const reading = source.rows(first);
    let count = 0;
    for await (const batch of reading) count += batch.length;
    expect(count).toBe(1200);
    await source.close();
  });

  test('has a settlement once if it is on two days', async () => {
    const { folder } = await record(new FakeSource(numbered(2)));
    const source = new ExportSource({
      days: new Map([
        [day, folder],
        ['2026-03-06', folder],
      ]),
    });
    const first = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    const second = await mkdtemp(join(root, 'day-'));
    const { sha256: _, ...fields } = first;
    const text = jsonWithDigest({ ...fields, day: '2026-03-06' });
    await writeFile(join(second, 'manifest.json'), text);
    await writeFile(join(second, sourceName), await readFile(join(folder, sourceName)));
    await source.close();
    const both = new ExportSource({
      days: new Map([
        [day, folder],
        ['2026-03-06', second],
      ]),
    });
    const list = await both.headers({ range: { from: day, to: '2026-03-07' }, filters: {} });
    expect(list.settlements.map(({ id }) => id)).toEqual([uuid(1), uuid(2)]);
    expect(list.conflicts).toEqual([]);
    expect(list.missingDays).toEqual(['2026-03-07']);
    await both.close();
  });

  test('ends with the run', async () => {
    const { folder } = await record(new FakeSource(numbered(1)));
    const abort = new AbortController();
    const source = new ExportSource({ days: new Map([[day, folder]]), signal: abort.signal });
    abort.abort(new Error('stopped'));
    await expect(source.headers(query)).rejects.toThrow('stopped');
  });
});

describe('a source that is broken', () => {
  async function readThrough(bytes: Uint8Array): Promise<void> {
    const path = join(await mkdtemp(join(root, 'broken-')), sourceName);
    await writeFile(path, bytes);
    const source = await DaySource.open(path);
    try {
      for (const { id } of source.headers.settlements) {
        for await (const batch of source.rows(id)) expect(batch.length).toBeGreaterThan(0);
      }
    } finally {
      await source.close();
    }
  }

  test('is refused with the name of the file, wherever it breaks off', async () => {
    const { bytes } = await record(new FakeSource(numbered(3)));
    await readThrough(bytes);
    for (let length = 0; length < bytes.length; length += 7) {
      await expect(readThrough(bytes.subarray(0, length))).rejects.toMatchObject({
        failure: 'damaged',
        where: expect.stringContaining(sourceName),
      });
    }
  });

  test('is refused if lines are missing or in another order', async () => {
    const { bytes } = await record(new FakeSource(numbered(3)));
    const lines = gunzipSync(bytes).toString().split('\n').slice(0, -1);
    const write = (list: readonly string[]) => gzipSync(list.map((line) => `${line}\n`).join(''));
    await readThrough(write(lines));
    for (const at of lines.keys()) {
      if (lines[at]?.startsWith('{"type":"settlement"')) continue;
      await expect(readThrough(write(lines.toSpliced(at, 1)))).rejects.toMatchObject({
        failure: 'damaged',
      });
    }
    await expect(readThrough(gzipSync(lines.join('\n')))).rejects.toMatchObject({
      failure: 'damaged',
    });
  });

  test('is refused for an endless line, long before all of it is unpacked', async () => {
    await expect(readThrough(gzipSync(Buffer.alloc(64 << 20, 'x')))).rejects.toThrow(/too long/);
  });
});

function manifestIn(text: string): Manifest {
  const found = parseManifest(text);
  if ('code' in found) throw new RangeError(found.code);
  return found;
}

describe('the check of a day', () => {
  async function problemsAfter(change: (folder: string) => Promise<unknown>) {
    const { folder } = await record(new FakeSource(numbered(2)));
    const table = Buffer.from('a,b\r\n"1\r\n",""""\r\n2,3\r\n');
    await writeFile(join(folder, 'groups.csv'), table);
    const path = join(folder, 'manifest.json');
    const manifest = manifestIn(await readFile(path, 'utf8'));
    const sha256 = createHash('sha256').update(table).digest('hex');
    const files = { 'groups.csv': { bytes: table.length, rows: 2, sha256 }, ...manifest.files };
    await writeFile(path, formatManifest({ ...manifest, files }));
    await change(folder);
    const { problems } = await verifyDayFolder(folder, day);
    return problems.map(exportProblemText);
  }

  /** Alters the manifest, and gives it the digest of what it says now. */
  async function rewrite(folder: string, change: (manifest: string) => string): Promise<void> {
    const path = join(folder, 'manifest.json');
    await writeFile(
      path,
      jsonWithDigest(JSON.parse(change(await readFile(path, 'utf8')).replace(/"sha256".*/, ''))),
    );
  }

  test.each<[string, (folder: string) => Promise<unknown>, readonly string[]]>([
    ['nothing', async () => {}, []],
    ['a missing file', (at) => rm(join(at, 'groups.csv')), ['groups.csv: The file is missing.']],
    [
      'a shorter one',
      (at) => writeFile(join(at, 'groups.csv'), 'a'),
      ['groups.csv: It has 1 bytes; it was written with 22.'],
    ],
    [
      'another one',
      (at) => writeFile(join(at, 'groups.csv'), 'a,b\r\n"1\r\n",""""\r\n2,4\r\n'),
      ['groups.csv: It has changed since it was written.'],
    ],
    [
      'a foreign one',
      (at) => writeFile(join(at, 'notes'), ''),
      ['notes: It is in the folder but not in the manifest.'],
    ],
    ['no manifest', (at) => rm(join(at, 'manifest.json')), ['manifest.json: The file is missing.']],
    [
      'the manifest of another day',
      (at) => rewrite(at, (text) => text.replace(`"day": "${day}"`, '"day": "2026-03-06"')),
      ['manifest.json: It is the manifest of 2026-03-06.'],
    ],
    [
      'other rows in the manifest',
      (at) => rewrite(at, (text) => text.replace('"rows": 2', '"rows": 3')),
      ['groups.csv: It has 2 rows; the manifest says 3.'],
    ],
    [
      'another content in the manifest',
      (at) =>
        rewrite(at, (text) =>
          text.replace(/"contentSha256": "\w+"/, `"contentSha256": "${'0'.repeat(64)}"`),
        ),
      [`${sourceName}: Its contents do not match the manifest.`],
    ],
  ])('finds %s', async (_, change, problems) => {
    expect(await problemsAfter(change)).toEqual(problems);
  });
});

describe('a manifest', () => {
  test('is read as it was written', () => {
    const text = manifestOf(Buffer.from('x'), 1, '0'.repeat(64));
    expect(formatManifest(manifestIn(text))).toBe(text);
  });

  test('of a later schema is refused with its number', () => {
    const found = parseManifest(jsonWithDigest({ schema: 99 }));
    expect('code' in found && exportProblemSentence(found)).toMatch(/schema 99/);
  });
});
