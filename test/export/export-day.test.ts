import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { exportDays } from '../../src/export/export-days.ts';
import { type ExportFolder, openExportFolder } from '../../src/export/export-folder.ts';
import { batchOf } from '../../src/model/row-batch.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import type { SettlementQuery, Source } from '../../src/model/source.ts';
import { FakeSource, rowOf } from '../app/fake-source.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { buildOutcome, buildSettlement, uuid } from '../support/build.ts';
import { opening, scope } from './publishing.ts';

const days = ['2026-03-01', '2026-03-02', '2026-03-03'];

/** A settlement a day; `before` is waited for before its row comes. */
class Days implements Source {
  readonly asked: { readonly date: string; readonly priority: number }[] = [];
  readonly listed: string[] = [];
  readonly #before: (day: string) => Promise<void>;

  constructor(before: (day: string) => Promise<void>) {
    this.#before = before;
  }

  async headers({ range: { from } }: SettlementQuery) {
    this.listed.push(from);
    const id = uuid(1 + days.indexOf(from));
    const settlements = [buildSettlement({ id, date: from, timestamp: `${from}T04:00:00Z` })];
    return { settlements, conflicts: [], unreadable: [] };
  }

  async header() {
    return { settlements: [], conflicts: [], unreadable: [] };
  }

  async *rows({ id, date }: Settlement, priority: number) {
    this.asked.push({ date, priority });
    await this.#before(date);
    yield batchOf([rowOf(id)]);
    return buildOutcome();
  }
}

async function exporting(
  source: Source,
  stop: () => Promise<void>,
  {
    publish,
    ahead = 3,
    within,
    asked = days,
  }: {
    publish?: ExportFolder['publish'];
    ahead?: number;
    within?: string;
    asked?: readonly string[];
  } = {},
) {
  const path = within ?? join(await temporaryFolder(), 'export');
  const folder = await openExportFolder(path, opening());
  const request = {
    source,
    stop,
    folder: publish ? { ...folder, publish } : folder,
    scope,
    filters: {},
    settings: {
      identity: 'gross-fees-tax' as const,
      tolerance: 0n,
      ignored: [],
      expectedScales: new Map(),
      rules: {},
    },
    names: new Map(),
    ahead,
    onProgress: () => {},
    clock: systemClock,
    tool: '1.0.0',
    deep: false,
    keep: undefined,
  };
  return { path, folder, run: exportDays(asked, request) };
}

test('days are read at the same time, with the first one first, and end in order', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const source = new Days(async (day) => {
    // The first one's row comes when the last one's was asked for.
    if (day === days[0]) await released;
    if (day === days.at(-1)) release();
  });
  const { path, folder, run } = await exporting(source, async () => {});
  const ended: string[] = [];
  for await (const { day, state } of run) ended.push(`${day} ${state}`);
  expect(ended).toEqual(days.map((day) => `${day} written`));
  const inTurn = [...source.asked].sort((one, other) => one.priority - other.priority);
  expect(inTurn.map(({ date }) => date)).toEqual(days);
  await folder.close();
  expect(readdirSync(path)).toEqual([...days, 'export.json']);
});

test('the headers of later days are requested before the rows of the first one', async () => {
  const listed: string[][] = [];
  const source = new Days(async () => {
    listed.push([...source.listed]);
  });
  const { folder, run } = await exporting(source, async () => {}, { ahead: 1 });
  for await (const { state } of run) expect(state).toBe('written');
  expect(listed).toEqual([days, days, days]);
  await folder.close();
});

test('a failure stops the reading of all days, and leaves the build to the folder', async () => {
  let fail = (_: Error) => {};
  const stopped = new Promise<void>((_, reject) => {
    fail = reject;
  });
  stopped.catch(() => {});
  let stops = 0;
  const stop = async () => {
    stops += 1;
    fail(new Error('stopped'));
  };
  let built = '';
  const source = new Days(async (day) => {
    if (day !== days[0]) await stopped;
  });
  const publish: ExportFolder['publish'] = async (build) => {
    built = build.folder;
    throw new Error('no space');
  };
  const { folder, run } = await exporting(source, stop, { publish });
  await expect(run.next()).rejects.toThrow('no space');
  expect(stops).toBe(1);
  // What happens to the build is up to the folder: an intent may stand.
  expect(existsSync(built)).toBe(true);
  await folder.close();
  expect(existsSync(built)).toBe(false);
});

test('a day is replaced when a settlement gains or loses a second, conflicting header', async () => {
  const [day = ''] = days;
  const header = buildSettlement({ id: uuid(1), date: day, timestamp: `${day}T04:00:00Z` });
  const conflict = [header, { ...header, payIn: header.payIn + 500n }];
  const within = join(await temporaryFolder(), 'export');
  const exported: string[] = [];
  for (const conflicts of [[], [conflict], [conflict], []]) {
    const source = new FakeSource([header], {}, { conflicts });
    const { folder, run } = await exporting(source, async () => {}, { within, asked: [day] });
    for await (const { state, verdict, restatements } of run) {
      const fields = restatements.flatMap((one) => one.fields.map(({ field }) => field));
      exported.push([state, verdict, ...fields].join(' '));
      const manifest = JSON.parse(readFileSync(join(within, day, 'manifest.json'), 'utf8'));
      expect(manifest.verdict).toBe(verdict);
    }
    await folder.close();
  }
  expect(exported).toEqual([
    'written balanced',
    'restated out_of_balance other_contents',
    'unchanged out_of_balance',
    'restated balanced other_contents',
  ]);
  const changes = readFileSync(join(within, day, 'changes.csv'), 'utf8');
  expect(changes).toContain(`${uuid(1)},settlement_changed,other_contents,`);
});
