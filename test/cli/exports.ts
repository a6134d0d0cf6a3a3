import { cpSync, existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { isDay } from '../../src/base/calendar.ts';
import { ReconError } from '../../src/base/errors.ts';
import { intentPath, layout } from '../../src/export/layout.ts';
import { verifyExport } from '../../src/export/verify-export.ts';
import { lakeFolder } from '../../src/lake/tables.ts';
import { start } from '../support/built-program.ts';
import { runRecon } from '../support/run-recon.ts';
import { type Night, rangeAt, Shop, settingsAt, shopAt } from './shop.ts';
import { temporaryFolder } from './temporary.ts';

interface Ended {
  /** Or the signal that ended it. */
  readonly exitCode: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How `recon` is run. */
export type Runner = (args: readonly string[], env: Record<string, string>) => Promise<Ended>;

export const inThisProcess: Runner = (args, env) => runRecon(args, { env });

export const builtProgram: Runner = async (args, env) => {
  const { ended, out, err } = start(args, { env });
  return { exitCode: await ended, stdout: out(), stderr: err() };
};

/** An export that is about to be made, over what was made in the nights before. */
export interface Tonight {
  readonly shop: Shop;
  readonly night: Night;
  /** What lay there before; nothing before the first night. */
  readonly before: string;
  /** What lies there after an undisturbed run. */
  readonly after: string;
  readonly env: Record<string, string>;
  /** The arguments of the export into a folder. */
  args(out: string): readonly string[];
  /** A folder with what lay there before; whatever had its name is gone. */
  prepare(name: string): string;
  run(out: string, ...flags: readonly string[]): Promise<Ended>;
  /** Runs the export again: it ends as an undisturbed one, and leaves the same. */
  complete(out: string): Promise<void>;
  /** What `--verify` says of the range. */
  verify(out: string): Promise<Verified>;
}

/** What `--verify --format json` says. */
interface Verified {
  readonly isSound: boolean;
  readonly problems: readonly unknown[];
  readonly missing: readonly string[];
}

/** The days of the shop are exported each night; the last of them is tonight. */
export async function tonight(nights: readonly Night[], runner: Runner): Promise<Tonight> {
  const folder = await temporaryFolder();
  const [before, after, config] = [
    join(folder, 'before'),
    join(folder, 'after'),
    join(folder, 'config.toml'),
  ];
  const shop = await Shop.open(shopAt(0));
  // With tables, so that there is all that can be left half done.
  const env = { ...shop.env, RECON_CONFIG: config, RECON_PARQUET: 'true' };
  const night = nights.at(-1) ?? 0;
  const args = (out: string, of: Night = night) => [
    ...['export', '--out', out, '--keep', '1'],
    ...rangeAt(of),
  ];
  const run = (out: string, ...flags: readonly string[]) => runner([...args(out), ...flags], env);

  for (const one of nights) {
    if (existsSync(after)) replace(before, after);
    await shop.becomes(shopAt(one));
    await writeFile(config, settingsAt(one));
    expect(await runner(args(after, one), env)).toMatchObject({ exitCode: 1 });
  }
  const expected = contentsOf(after);
  const verify = async (out: string) => {
    const { exitCode, stdout } = await run(out, '--verify', '--format', 'json');
    const report = JSON.parse(stdout) as Verified;
    expect(exitCode).toBe(report.isSound ? 0 : 4);
    return report;
  };
  const complete = async (out: string) => {
    expect(await run(out)).toMatchObject({ exitCode: 1 });
    expect(contentsOf(out)).toEqual(expected);
  };
  expect(await verify(after)).toMatchObject({ isSound: true });
  const prepare = (name: string) => {
    const out = join(folder, name);
    replace(out, before);
    return out;
  };
  return { shop, night, before, after, env, args, prepare, run, complete, verify };
}

/** Begins a run of tonight's export that holds its folder: the service answers it after `release`. */
export async function holding<Run>(
  { shop, night }: Tonight,
  begin: () => Run,
): Promise<{ first: Run; release: () => void }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  await shop.becomes(shopAt(night), {
    atRequest: () => {
      isAsked();
      return released;
    },
  });
  const first = begin();
  await asked;
  return { first, release };
}

function replace(folder: string, by: string): void {
  rmSync(folder, { recursive: true, force: true });
  if (existsSync(by)) cpSync(by, folder, { recursive: true });
}

/** What lies in a folder: paths with the bytes of files, but for the time in manifests and their digests. */
export type Contents = Readonly<Record<string, string>>;

/** Reads a folder whole; links are not followed, and a folder's path ends with a slash. */
export function contentsOf(folder: string): Contents {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (entry.isDirectory()) return [`${name}/`, ''];
    if (entry.isSymbolicLink()) return [name, `-> ${readlinkSync(path)}`];
    const text = readFileSync(path, 'latin1');
    return [name, text.replace(/"exportedAt": "[^"]*"/, '').replace(/^\{\n {2}"sha256": .*/, '')];
  });
  return Object.fromEntries(entries.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)));
}

/** Nothing but days, superseded versions and the scope is in an export. */
export function expectNothingLeft(folder: string): void {
  const known: readonly string[] = [layout.scope, layout.superseded, lakeFolder];
  const names = existsSync(folder) ? readdirSync(folder) : [];
  expect(names.filter((name) => !isDay(name) && !known.includes(name))).toEqual([]);
}

/**
 * The days of an export, superseded ones too, are whole: each is as before tonight's run or as after
 * it. A day that was there is still there, in some version; or an intent is, in the moment between
 * the two renames of a replacement, for the next run to finish.
 */
export function expectWholeDays(folder: string, { before, after }: Tonight): void {
  const known = new Set([before, after].flatMap(versionsIn));
  const found = versionsIn(folder);
  expect(found.filter((version) => !known.has(version))).toEqual([]);
  const days = (versions: readonly string[]) => new Set(versions.map((one) => one.slice(0, 10)));
  const gone = [...days(versionsIn(before))].filter((day) => !days(found).has(day));
  expect(gone.filter((day) => !existsSync(join(folder, intentPath(day))))).toEqual([]);
}

/** The versions of days, in place and superseded: the day, and all that is in the folder. */
function versionsIn(folder: string): readonly string[] {
  const list = (path: string) => (existsSync(path) ? readdirSync(path) : []);
  const superseded = join(folder, layout.superseded);
  return [
    ...list(folder)
      .filter(isDay)
      .map((name) => join(folder, name)),
    ...list(superseded).map((name) => join(superseded, name)),
  ].map((path) => {
    // Tables that wait to be put into their places are no part of a version in its own.
    const files = Object.entries(contentsOf(path)).filter(([name]) => !name.startsWith('lake/'));
    return `${basename(path).slice(0, 10)} ${JSON.stringify(files)}`;
  });
}

/** The bytes with one bit changed: bits count from the first of the first byte. */
export function withFlipped(bytes: Buffer, bit: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return flipped;
}

/** Whether `--verify` finds something wrong with this file of an export. */
export async function isFoundByVerify(folder: string, path: string): Promise<boolean> {
  try {
    const { problems } = await verifyExport(folder);
    return problems.some((problem) => problem.path === path);
  } catch (error) {
    return error instanceof ReconError && error.where === join(folder, path);
  }
}

/** The paths of all files of an export. */
export function filesIn(folder: string): readonly string[] {
  return Object.keys(contentsOf(folder)).filter((path) => !path.endsWith('/'));
}
