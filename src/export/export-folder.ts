import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { isClaim, type LockOptions, takeLock } from '../base/folder-lock.ts';
import {
  flushFolder,
  isDraft,
  listFolder,
  makeFolder,
  moveFolder,
  removeEmptyFolder,
  removeWhole,
  replaceWhole,
} from '../base/folders.ts';
import { createHashedFile } from '../base/hashed-file.ts';
import { lakeFolder, lakeTableNames, publishedTablePath, stagedTablePath } from '../lake/tables.ts';
import { intentPath, layout, nameBeforeDamage, noVersion, supersededPath } from './layout.ts';
import {
  type ExportListing,
  type Intent,
  intentText,
  readExportListing,
  versionIn,
} from './listing.ts';
import { type ExportScope, readScope, writeScope } from './scope.ts';

export interface ExportFolderOptions extends LockOptions {
  readonly scope: ExportScope;
  /** Whether the host and the profile may have been renamed. */
  readonly rebind?: boolean;
  /** Whether days get tables for SQL engines even if none has them yet. */
  readonly addsTables?: boolean;
}

/** The folder of an export, locked by this process. */
export type ExportFolder = ReturnType<typeof lockedFolder>;

/**
 * Opens the folder of an export, which is made if it is missing: locks it, checks its scope and finishes
 * what an earlier run left. ReconErrors: `locked`; `usage` if its days have another scope, or if it is not
 * an export; `output` if it cannot be written.
 */
export async function openExportFolder(
  path: string,
  { scope, rebind = false, addsTables = false, ...lock }: ExportFolderOptions,
): Promise<ExportFolder> {
  await makeFolder(path);
  await refuseForeign(path);
  const release = await takeLock(path, lock);
  const leave = async () => {
    for (const name of workFolders) await removeEmptyFolder(join(path, name));
    await release();
  };
  try {
    const before = await readScope(path);
    const found = await readExportListing(path);
    const changedNames = before && hasDays(found) ? renames(path, before, scope, rebind) : [];
    for (const { day } of found.intents) refuseBlocked(path, day, found);
    // Made now: on a full disk, a replacement must not stop half way.
    for (const name of workFolders) await makeFolder(join(path, name));
    await flushFolder(path);
    const recovered = planRecovery(found);
    await carryOut(path, recovered);
    const { days, hasLake } = recovered.length > 0 ? await readExportListing(path) : found;
    // Written once: no other run can write it while this one has the lock.
    let bound: Promise<void> | undefined;
    const bind = () => (bound ??= writeScope(path, scope));
    const writesTables = addsTables || hasLake;
    return lockedFolder(path, days.keys(), { recovered, changedNames, writesTables, bind, leave });
  } catch (error) {
    await leave();
    throw error;
  }
}

const workFolders = [layout.building, layout.intents, layout.superseded];

/** Whether anything has the scope: a folder without days accepts any. */
function hasDays({ days, superseded, intents }: ExportListing): boolean {
  return days.size + superseded.length + intents.length > 0;
}

interface OpenedFolder {
  /** The steps of an interrupted run, done now; empty if nothing was interrupted. */
  readonly recovered: readonly Step[];
  /** Renames of the profile and the host, in words; they count from `bind` on. */
  readonly changedNames: readonly string[];
  /** Writes the scope, as publishing does: for a run that changes no day. */
  readonly bind: () => Promise<void>;
  readonly writesTables: boolean;
  readonly leave: () => Promise<void>;
}

function lockedFolder(path: string, inPlace: Iterable<string>, { leave, ...opened }: OpenedFolder) {
  const days = new Map([...inPlace].map((day) => [day, join(path, day)]));
  const builds = new Set<DayBuild>();
  const publishing = new Set<Promise<void>>();

  const publish = async (build: DayBuild, keepsReplaced: boolean, keep?: number) => {
    const { day } = build;
    const version = await build.seal();
    const listing = await readExportListing(path, day);
    refuseBlocked(path, day, listing);
    // First, because a folder with days must have a scope.
    await opened.bind();
    const replaces = listing.days.get(day);
    if (replaces === version) {
      const built = sealedPath(day, version);
      await carryOut(path, planTables(day, built, listing, built));
      return build.discard();
    }
    if (replaces === undefined) {
      await carryOut(path, planFirst(day, version, listing));
    } else {
      const intent = { day, version, replaces, keepsReplaced, keep: keep ?? null };
      await replaceWhole(join(path, intentPath(day)), intentText(intent));
      // From here on this run or the next one finishes the replacement.
      builds.delete(build);
      await carryOut(path, planReplacement(intent, listing));
    }
    builds.delete(build);
    days.set(day, join(path, day));
  };
  return {
    ...opened,
    /** The days in place with their folders. Changes as days are published. */
    days: days as ReadonlyMap<string, string>,
    /** Starts the folder of a day. ReconError `output` if its place is blocked. */
    startDay: async (day: string) => {
      refuseBlocked(path, day, await readExportListing(path, day));
      const build = await startDayBuild(path, day);
      builds.add(build);
      return build;
    },
    /**
     * Makes a build the current version of its day. The earlier version becomes a superseded one, or is
     * deleted; at most `keep` superseded versions of the day stay. A build with the version in place changes
     * only tables.
     */
    publish: async (build: DayBuild, keepsReplaced: boolean, keep?: number) => {
      const work = publish(build, keepsReplaced, keep);
      publishing.add(work);
      return work.finally(() => publishing.delete(work));
    },
    close: async () => {
      await Promise.allSettled(publishing);
      for (const build of builds) await build.discard();
      await leave();
    },
  };
}

type HashedFile = Awaited<ReturnType<typeof createHashedFile>>;

export type DayBuild = Awaited<ReturnType<typeof startDayBuild>>;

async function startDayBuild(folder: string, day: string) {
  let path = join(folder, unsealedPath(day, randomBytes(8).toString('hex')));
  const files: HashedFile[] = [];
  await makeFolder(path);

  return {
    day,
    get folder() {
      return path;
    },
    file: async (name: string): Promise<Pick<HashedFile, 'write' | 'close'>> => {
      const file = await createHashedFile(join(path, name), join(folder, day, name));
      files.push(file);
      return file;
    },
    /** Flushes the folder, names it by its version and returns that. All its files must be closed. */
    seal: async () => {
      const version = await versionIn(path);
      if (version === noVersion) throw new RangeError('the day has no manifest');
      await flushFolder(path);
      const sealed = join(folder, sealedPath(day, version));
      await moveFolder(path, sealed);
      path = sealed;
      await flushFolder(join(folder, layout.building));
      return version;
    },
    /** Deletes it. Never fails, and does nothing once it is published. */
    discard: async () => {
      for (const file of files) await file.abort();
      await removeWhole(path).catch(() => {});
    },
  };
}

async function refuseForeign(path: string): Promise<void> {
  const names = ((await listFolder(path)) ?? []).map((entry) => entry.name);
  // A folder that has only tables is refused: they may belong to another export.
  const own: readonly string[] = Object.values(layout);
  const isOwn = (name: string) => own.includes(nameBeforeDamage(name));
  const foreign = names.find((name) => !isOwn(name) && !isDraft(name) && !isClaim(name));
  if (names.includes(layout.scope) || foreign === undefined) return;
  throw new ReconError('usage', 'This folder is not empty and is not an export.', {
    where: join(path, foreign),
    hint: 'Name an empty or a new folder with --out.',
  });
}

function refuseBlocked(path: string, day: string, { blocked }: ExportListing): void {
  if (!blocked.includes(day)) return;
  throw new ReconError('output', "A file or link is in the place of this day's folder.", {
    where: join(path, day),
    hint: 'Move it away. Links are not followed.',
  });
}

export async function carryOut(folder: string, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await carryOutStep(folder, step);
}

async function carryOutStep(folder: string, step: Step): Promise<void> {
  switch (step.do) {
    case 'move': {
      const from = join(folder, step.from);
      // With another version there, the step was done before.
      if ((await versionIn(from)) === step.version) await moveFolder(from, join(folder, step.to));
      return;
    }
    case 'install': {
      const to = join(folder, step.to);
      await makeFolder(dirname(to));
      return moveFolder(join(folder, step.from), to);
    }
    case 'remove':
      return removeWhole(join(folder, step.path));
    case 'flush':
      return flushFolder(join(folder, step.path));
  }
}

/** One step in the folder of an export, with paths relative to it. Each is idempotent. */
type Step =
  | { readonly do: 'move'; readonly from: string; readonly to: string; readonly version: string }
  /** Renames a file if it exists, and replaces the one at `to`; makes the folder of `to`. */
  | { readonly do: 'install'; readonly from: string; readonly to: string }
  /** Deletes a file, or a folder that is not a current version. */
  | { readonly do: 'remove'; readonly path: string }
  /** Makes the names in a folder survive a power cut. */
  | { readonly do: 'flush'; readonly path: string };

type Move = Extract<Step, { do: 'move' }>;

/** The steps that an interrupted run left undone; none if nothing was interrupted. */
export function planRecovery(listing: ExportListing): Step[] {
  const finishing = listing.intents.flatMap((intent) => planReplacement(intent, listing));
  const isReplaced = new Set(listing.intents.map(({ day }) => day));
  const waiting = [...listing.days.keys()].filter((day) => !isReplaced.has(day));
  const handled = new Set(
    finishing.flatMap((step) => {
      if (step.do === 'move') return [step.from];
      return step.do === 'remove' ? [step.path] : [];
    }),
  );
  const leftovers = [...listing.building.keys(), ...listing.drafts];
  return [
    ...finishing,
    ...waiting.flatMap((day) => planTables(day, day, listing)),
    ...leftovers.filter((path) => !handled.has(path)).map(removal),
  ];
}

/** Publishes the first version of a day. One rename, so it needs no intent. */
function planFirst(day: string, version: string, listing: ExportListing): Step[] {
  const from = sealedPath(day, version);
  return [...flushed({ do: 'move', from, to: day, version }), ...planTables(day, from, listing)];
}

/** Publishes the tables of a day. Their folder is `stagedNow`; earlier steps may move it to `stagedThen`. */
function planTables(
  day: string,
  stagedNow: string,
  { withStagedTables }: ExportListing,
  stagedThen = day,
): Step[] {
  if (!withStagedTables.has(stagedNow)) return [];
  const own = join(stagedThen, lakeFolder);
  return [
    ...lakeTableNames.flatMap((table): Step[] => {
      const to = publishedTablePath(table, day);
      const from = join(stagedThen, stagedTablePath(table));
      return [{ do: 'install', from, to }, flush(dirname(to)), flush(dirname(dirname(to)))];
    }),
    ...[lakeFolder, '.', own].map(flush),
    removal(own),
    flush(stagedThen),
  ];
}

/** The remaining steps of a replacement, wherever it stopped. */
function planReplacement(intent: Intent, listing: ExportListing): Step[] {
  const { day, version, replaces, keepsReplaced, keep: mostSuperseded } = intent;
  const inPlace = listing.days.get(day);
  const built = sealedPath(day, version);
  const isBuilt = listing.building.get(built) === version;
  const canFinish =
    inPlace === version || (isBuilt && (inPlace === replaces || inPlace === undefined));
  if (!canFinish) return [...rollBack(intent, listing), ...removeIntent(day)];

  const history = listing.superseded.filter((one) => one.day === day);
  const moves: Move[] = [];
  if (inPlace === replaces) {
    const number = (history.at(-1)?.number ?? 0) + 1;
    const aside = keepsReplaced ? supersededPath(day, number) : discardedPath(day, replaces);
    moves.push({ do: 'move', from: day, to: aside, version: replaces });
    if (keepsReplaced) history.push({ day, number, version: replaces });
  }
  if (inPlace !== version) moves.push({ do: 'move', from: built, to: day, version });
  const surplus = mostSuperseded === null ? 0 : Math.max(0, history.length - mostSuperseded);
  for (const one of history.slice(0, surplus)) {
    const from = supersededPath(day, one.number);
    moves.push({ do: 'move', from, to: discardedPath(day, `${one.number}`), version: one.version });
  }
  const discarded = moves.filter(({ to }) => dirname(to) === layout.building);
  return [
    ...moves.flatMap(flushed),
    // An earlier run may have stopped between a rename and its flush.
    ...[layout.superseded, layout.building, '.'].map(flush),
    ...planTables(day, inPlace === version ? day : built, listing),
    ...removeIntent(day),
    ...discarded.map(({ to }) => removal(to)),
  ];
}

/** Puts the old version back if neither it nor the new one is in place. */
function rollBack({ day, replaces }: Intent, listing: ExportListing): Step[] {
  if (listing.days.has(day)) return [];
  const discarded = discardedPath(day, replaces);
  const kept = listing.superseded.findLast((one) => one.day === day && one.version === replaces);
  const from =
    listing.building.get(discarded) === replaces
      ? discarded
      : kept && supersededPath(day, kept.number);
  return from === undefined ? [] : flushed({ do: 'move', from, to: day, version: replaces });
}

/** The new name is flushed first, so a power cut leaves at least one of the names. */
function flushed(move: Move): Step[] {
  return [move, flush(dirname(move.to)), flush(dirname(move.from))];
}

function removeIntent(day: string): Step[] {
  return [removal(intentPath(day)), flush(layout.intents)];
}

function flush(path: string): Step {
  return { do: 'flush', path };
}

const removal = (path: string): Step => ({ do: 'remove', path });

/** A day's folder while its files are written; `mark` is random. */
function unsealedPath(day: string, mark: string): string {
  return join(layout.building, `${day}.${mark}.part`);
}

/** A version that is being deleted: parts of it may be gone. */
function discardedPath(day: string, version: string): string {
  return join(layout.building, `${day}.${version}.old`);
}

export function sealedPath(day: string, version: string): string {
  return join(layout.building, `${day}.${version}`);
}

/**
 * The changed names of the profile and the host, each with its old and new value. ReconError `usage` if
 * anything else differs, and without `rebind` for changed names too.
 */
function renames(folder: string, was: ExportScope, is: ExportScope, rebind: boolean) {
  const names = differences([
    ['the profile', was.profile, is.profile],
    ['the host', was.host, is.host],
  ]);
  const filters = differences([
    ['--mid', was.filters.mid?.toLowerCase(), is.filters.mid?.toLowerCase()],
    ['--cid', was.filters.cid, is.filters.cid],
    ['--chid', was.filters.chid, is.filters.chid],
  ]);
  const refused = rebind ? filters : [...names, ...filters];
  if (refused.length === 0) return names;
  const message = `This export was created with other settings: ${refused.join('; ')}.`;
  const others = 'Use another folder with --out, or the same settings as before';
  const hint =
    filters.length > 0
      ? `${others}.`
      : `${others}. If the host or profile was only renamed, add --rebind once.`;
  throw new ReconError('usage', message, { where: folder, hint });
}

type Value = string | number | null | undefined;

function differences(points: readonly (readonly [name: string, was: Value, is: Value])[]) {
  return points
    .filter(([, was, is]) => was !== is)
    .map(([name, was, is]) => `${name} was ${was ?? 'not set'}, now ${is ?? 'not set'}`);
}
