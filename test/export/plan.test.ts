import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { replaceWhole } from '../../src/base/folders.ts';
import { carryOut, openExportFolder, planRecovery } from '../../src/export/export-folder.ts';
import { intentPath } from '../../src/export/layout.ts';
import {
  type ExportListing,
  type Intent,
  intentText,
  readExportListing,
} from '../../src/export/listing.ts';
import { lakeTableNames, publishedTablePath } from '../../src/lake/tables.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { build, expectWholeDays, opening, run, tree } from './publishing.ts';

// Its flushes cost no time.
vi.mock('node:fs/promises', async (original) => {
  const { mortal } = await import('./mortal-files.ts');
  return mortal(await original());
});

const day = '2026-03-05';
const [older, old, young] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
];
const sealed = `.building/${day}.${young}`;

const nothing: ExportListing = {
  days: new Map(),
  blocked: [],
  superseded: [],
  building: new Map(),
  intents: [],
  withStagedTables: new Set(),
  hasLake: false,
  drafts: [],
};
const intent: Intent = { day, version: young, replaces: old, keepsReplaced: true, keep: null };

/** The plan without flushes: what it moves and removes. */
function planned(listing: Partial<ExportListing>): string[] {
  return planRecovery({ ...nothing, ...listing }).flatMap((step) => {
    if (step.do === 'flush') return [];
    return step.do === 'remove' ? [`remove ${step.path}`] : [`${step.from} > ${step.to}`];
  });
}

describe('the plan of a recovery', () => {
  const removeIntent = `remove .intents/${day}.json`;
  const building = new Map([[sealed, young]]);
  const superseded = [{ day, number: 3, version: older }];

  test('is empty if nothing was interrupted', () => {
    expect(planned({ days: new Map([[day, old]]), superseded })).toEqual([]);
  });

  test('removes unfinished builds and drafts, and no day', () => {
    const parts = new Map([
      [`.building/${day}.12ab.part`, 'none'],
      [sealed, young],
    ]);
    const found = { days: new Map([[day, old]]), superseded, building: parts, drafts: ['.draft'] };
    const paths = [`.building/${day}.12ab.part`, sealed, '.draft'];
    expect(planned(found)).toEqual(paths.map((path) => `remove ${path}`));
  });

  test('continues a restatement from the step at which it stopped', () => {
    const intents = [intent];
    const moves = [`${day} > .superseded/${day}.4`, `${sealed} > ${day}`, removeIntent];
    const kept = [...superseded, { day, number: 4, version: old }];
    expect(planned({ intents, building, superseded, days: new Map([[day, old]]) })).toEqual(moves);
    expect(planned({ intents, building, superseded: kept })).toEqual(moves.slice(1));
    expect(planned({ intents, superseded: kept, days: new Map([[day, young]]) })).toEqual([
      removeIntent,
    ]);
  });

  test('drops a version with the same data after the new one is in place', () => {
    const found = { intents: [{ ...intent, keepsReplaced: false }], building, superseded };
    expect(planned({ ...found, days: new Map([[day, old]]) })).toEqual([
      `${day} > .building/${day}.${old}.old`,
      `${sealed} > ${day}`,
      removeIntent,
      `remove .building/${day}.${old}.old`,
    ]);
  });

  test('prunes the oldest superseded versions beyond those that are kept', () => {
    const intents = [{ ...intent, keep: 1 }];
    expect(planned({ intents, building, superseded, days: new Map([[day, old]]) })).toEqual([
      `${day} > .superseded/${day}.4`,
      `${sealed} > ${day}`,
      `.superseded/${day}.3 > .building/${day}.3.old`,
      removeIntent,
      `remove .building/${day}.3.old`,
    ]);
  });

  test('goes back to the old version if the new one is lost', () => {
    const intents = [intent];
    expect(planned({ intents, days: new Map([[day, old]]) })).toEqual([removeIntent]);
    const kept = [...superseded, { day, number: 4, version: old }];
    const back = `.superseded/${day}.4 > ${day}`;
    expect(planned({ intents, superseded: kept })).toEqual([back, removeIntent]);
    const damaged = new Map([[sealed, 'none']]);
    expect(planned({ intents, superseded: kept, building: damaged })).toEqual([
      back,
      removeIntent,
      `remove ${sealed}`,
    ]);
    const aside = `.building/${day}.${old}.old`;
    expect(
      planned({
        intents: [{ ...intent, keepsReplaced: false }],
        building: new Map([[aside, old]]),
      }),
    ).toEqual([`${aside} > ${day}`, removeIntent]);
  });

  describe('with tables', () => {
    const placed = lakeTableNames.map(
      (one) => `${day}/lake/${one}.parquet > ${publishedTablePath(one, day)}`,
    );

    test('moves tables that wait in the folder of a day into their places', () => {
      const withStagedTables = new Set([day]);
      const steps = [...placed, `remove ${day}/lake`];
      expect(planned({ days: new Map([[day, old]]), withStagedTables })).toEqual(steps);
    });

    test('moves tables of a new version into their places after the version itself', () => {
      const found = { intents: [intent], building, withStagedTables: new Set([sealed]) };
      expect(planned({ ...found, days: new Map([[day, old]]) })).toEqual([
        ...[`${day} > .superseded/${day}.1`, `${sealed} > ${day}`, ...placed],
        ...[`remove ${day}/lake`, removeIntent],
      ]);
    });

    test('drops tables of a version that is never published', () => {
      const parts = { building, withStagedTables: new Set([sealed]) };
      expect(planned({ ...parts, days: new Map([[day, old]]) })).toEqual([`remove ${sealed}`]);
    });
  });

  test('leaves alone a day that somebody else has put there', () => {
    const found = { intents: [intent], building, days: new Map([[day, older]]) };
    expect(planned(found)).toEqual([removeIntent, `remove ${sealed}`]);
  });
});

describe('the steps of a plan', { timeout: 60_000 }, () => {
  test.each([
    { name: 'a restatement that prunes', keepsReplaced: true, keep: 1 },
    { name: 'a recomputation', keepsReplaced: false, keep: null },
  ])('of $name have the same end wherever they stop, and so does their recovery', async (how) => {
    const { begun, ended } = await begin(how);
    const folder = `${begun}-now`;
    const from = async (source: string, steps: () => Promise<unknown>) => {
      rmSync(folder, { recursive: true, force: true });
      cpSync(source, folder, { recursive: true });
      await steps();
      expectWholeDays(folder);
    };
    const recovery = async () => planRecovery(await readExportListing(folder));
    const plan = planRecovery(await readExportListing(begun));

    for (let done = 0; done <= plan.length; done += 1) {
      const stopped = `${begun}-${done}`;
      await from(begun, () => carryOut(folder, plan.slice(0, done)));
      renameSync(folder, stopped);
      const rest = planRecovery(await readExportListing(stopped));
      for (let more = 0; more <= rest.length; more += 1) {
        await from(stopped, async () => {
          await carryOut(folder, rest.slice(0, more));
          await carryOut(folder, await recovery());
        });
        expect(tree(folder)).toEqual(ended);
        expect(await recovery()).toEqual([]);
      }
      await carryOut(folder, rest);
      await carryOut(folder, plan);
      expect(tree(folder)).toEqual(ended);
    }
  });

  /** A folder in which a replacement is written down and not begun, and what it must become. */
  async function begin(how: Pick<Intent, 'keepsReplaced' | 'keep'>) {
    const begun = join(await temporaryFolder(), 'begun');
    await run(begun, { day, rows: 'one' });
    await run(begun, { day, rows: 'two' });
    const held = await openExportFolder(begun, opening());
    const version = await (await build(held, { day, rows: 'three' })).seal();
    const { days } = await readExportListing(begun);
    const written: Intent = { day, version, replaces: days.get(day) ?? '', ...how };
    await replaceWhole(join(begun, intentPath(day)), intentText(written));

    const ended = `${begun}-ended`;
    cpSync(begun, ended, { recursive: true });
    await carryOut(ended, planRecovery(await readExportListing(ended)));
    return { begun, ended: tree(ended) };
  }
});
