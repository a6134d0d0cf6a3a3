import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isDay } from '../../src/base/calendar.ts';
import { systemClock } from '../../src/base/clock.ts';
import { makeFolder } from '../../src/base/folders.ts';
import type { DayBuild } from '../../src/export/export-folder.ts';
import {
  type ExportFolder,
  type ExportFolderOptions,
  openExportFolder,
} from '../../src/export/export-folder.ts';
import { layout } from '../../src/export/layout.ts';
import { lakeFolder, lakeTableNames, stagedTablePath } from '../../src/lake/tables.ts';

export const scope = { profile: 'es', host: 'api.example.com', filters: { cid: 7 } };

let pids = 1000;

/** Another process, to which all others are dead. */
export function opening(options: Partial<ExportFolderOptions> = {}): ExportFolderOptions {
  pids += 1;
  return {
    scope,
    owner: { host: 'web1', pid: pids, startedAt: 'then' },
    isRunning: () => false,
    clock: systemClock,
    ...options,
  };
}

/** A version of a day that is to be published. */
export interface Wish {
  readonly day: string;
  readonly rows: string;
  /** It is by default. */
  readonly keepsReplaced?: boolean;
  readonly keep?: number | undefined;
  /** Whether it has tables for SQL engines. */
  readonly hasTables?: boolean;
}

/** One run: publishes a version, unless it is in place already. */
export async function run(folder: string, wish: Wish): Promise<void> {
  const held = await openExportFolder(folder, opening());
  try {
    const inPlace = held.days.get(wish.day);
    const text = inPlace && readFileSync(join(inPlace, 'manifest.json'), 'utf8');
    if (text !== manifestOf(wish.rows))
      await held.publish(await build(held, wish), wish.keepsReplaced ?? true, wish.keep);
  } finally {
    await held.close();
  }
}

/** A build of the version, its files closed. */
export async function build(
  held: ExportFolder,
  { day, rows, hasTables = false }: Pick<Wish, 'day' | 'rows' | 'hasTables'>,
): Promise<DayBuild> {
  const build = await held.startDay(day);
  const files = { 'transactions.csv': rows, 'groups.csv': '', 'manifest.json': manifestOf(rows) };
  if (hasTables) await makeFolder(join(build.folder, lakeFolder));
  const tables = (hasTables ? lakeTableNames : []).map(
    (one) => [stagedTablePath(one), rows] as const,
  );
  for (const [name, text] of [...Object.entries(files), ...tables]) {
    const file = await build.file(name);
    await file.write(text);
    await file.close();
  }
  return build;
}

function manifestOf(rows: string): string {
  return JSON.stringify({ sha256: createHash('sha256').update(rows).digest('hex') });
}

/** Only whole days may be seen in an export, now and among the superseded ones. */
export function expectWholeDays(folder: string): void {
  const superseded = join(folder, layout.superseded);
  const list = (path: string) => (existsSync(path) ? readdirSync(path) : []);
  const days = list(folder).filter(isDay);
  for (const day of days) expect(isWhole(join(folder, day)), day).toBe(true);
  for (const name of list(superseded)) expect(isWhole(join(superseded, name)), name).toBe(true);
}

/** Whether a folder holds a whole day as `publish` writes it. */
function isWhole(folder: string): boolean {
  const names = ['groups.csv', 'manifest.json', 'transactions.csv'];
  const found = readdirSync(folder).filter((name) => name !== lakeFolder);
  if (found.sort().join() !== names.join()) return false;
  const [groups, manifest, rows] = names.map((name) => readFileSync(join(folder, name), 'utf8'));
  return groups === '' && manifest === manifestOf(rows ?? '');
}

/** All that lies in a folder: paths with the contents of files; of a folder, `null`. */
export function tree(folder: string): Record<string, string | null> {
  const found: Record<string, string | null> = {};
  const add = (path: string) => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const below = join(path, entry.name);
      if (entry.isDirectory()) {
        found[below] = null;
        add(below);
      } else if (entry.isSymbolicLink()) found[below] = `-> ${readlinkSync(join(folder, below))}`;
      else found[below] = readFileSync(join(folder, below), 'utf8');
    }
  };
  if (existsSync(folder) && statSync(folder).isDirectory()) add('.');
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}
