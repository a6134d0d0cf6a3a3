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
import { type DayBuild, startDayBuild } from './day-build.ts';
import { intentPath, layout, sealedPath } from './layout.ts';
import { type ExportListing, readExportListing, versionIn } from './listing.ts';
import {
  intentText,
  planFirst,
  planRecovery,
  planReplacement,
  planSame,
  type Step,
} from './plan.ts';
import { changedNames, type ExportScope, readScope, writeScope } from './scope.ts';

export interface ExportFolderOptions extends LockOptions {
  readonly scope: ExportScope;
  /** Whether the host and the profile may have another name than before. */
  readonly rebind?: boolean;
  /** Whether days get tables for SQL engines though none has them yet. */
  readonly addsTables?: boolean;
}

/** The folder of an export, held by this process. */
export type ExportFolder = ReturnType<typeof heldFolder>;

/**
 * Takes the folder of an export, which is made where it is missing: locks it, checks its scope and
 * finishes what an earlier run left. ReconErrors: `locked`; `usage` for another scope than that of
 * the days that are there, or for a folder that is no export; `output` where it can't be written.
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
    const names = before && holdsDays(found) ? changedNames(path, before, scope, rebind) : [];
    for (const { day } of found.intents) refuseBlocked(path, day, found);
    // All now: where the disk is full, a replacement must not stop half way for want of a folder.
    for (const name of workFolders) await makeFolder(join(path, name));
    await flushFolder(path);
    const recovered = planRecovery(found);
    await carryOut(path, recovered);
    const { days, hasLake } = recovered.length > 0 ? await readExportListing(path) : found;
    // Once: nobody else writes it while the lock is held.
    let bound: Promise<void> | undefined;
    const bind = () => (bound ??= writeScope(path, scope));
    const hasTables = addsTables || hasLake;
    const held = { recovered, changedNames: names, hasTables, bind, leave };
    return heldFolder(path, { ...held, days: days.keys() });
  } catch (error) {
    await leave();
    throw error;
  }
}

/** They are there while the export is held, and otherwise where they hold something. */
const workFolders = [layout.building, layout.intents, layout.superseded];

/** Whether anything there has the scope: until then it binds nobody. */
function holdsDays({ days, superseded, intents }: ExportListing): boolean {
  return days.size + superseded.length + intents.length > 0;
}

interface Held {
  /** What was left to do of an earlier run, and is done now; empty where nothing was cut short. */
  readonly recovered: readonly Step[];
  /** The names that are others than before, in words; they count from `bind` on. */
  readonly changedNames: readonly string[];
  /** Writes the scope down, as publishing does: for a run that finds all days as they are. */
  readonly bind: () => Promise<void>;
  /** Whether its days get tables for SQL engines. */
  readonly hasTables: boolean;
  readonly days: Iterable<string>;
  readonly leave: () => Promise<void>;
}

function heldFolder(path: string, { days: inPlace, leave, ...held }: Held) {
  const days = new Map([...inPlace].map((day) => [day, join(path, day)]));
  const builds = new Set<DayBuild>();
  const publishing = new Set<Promise<void>>();

  const publish = async (build: DayBuild, keepsReplaced: boolean, keep: number | undefined) => {
    const { day } = build;
    const version = await versionIn(build.folder);
    if (build.folder !== join(path, sealedPath(day, version))) {
      throw new RangeError('the build is not sealed');
    }
    const listing = await readExportListing(path, day);
    refuseBlocked(path, day, listing);
    // First: a day never lies in a folder that doesn't say what it answers.
    await held.bind();
    const replaces = listing.days.get(day);
    if (replaces === version) {
      await carryOut(path, planSame(day, version, listing));
      return build.discard();
    }
    if (replaces === undefined) {
      await carryOut(path, planFirst(day, version, listing));
    } else {
      const intent = { day, version, replaces, keepsReplaced, keep: keep ?? null };
      await replaceWhole(join(path, intentPath(day)), intentText(intent));
      // From here on the replacement is finished, now or by the next run.
      builds.delete(build);
      await carryOut(path, planReplacement(intent, listing));
    }
    builds.delete(build);
    days.set(day, join(path, day));
  };
  return {
    ...held,
    /** The days in place with their folders. Changes as days are published. */
    days: days as ReadonlyMap<string, string>,
    /** Begins the folder of a day. ReconError `output` where something else stands in its place. */
    startDay: async (day: string) => {
      refuseBlocked(path, day, await readExportListing(path, day));
      const build = await startDayBuild(path, day);
      builds.add(build);
      return build;
    },
    /**
     * Puts a sealed build into its day's place. A version that is there becomes a superseded one, or is
     * dropped; at most `keep` superseded versions of the day stay. A build that is the version in place,
     * byte for byte, changes nothing.
     */
    publish: async (build: DayBuild, keepsReplaced: boolean, keep?: number) => {
      const work = publish(build, keepsReplaced, keep);
      publishing.add(work);
      return work.finally(() => publishing.delete(work));
    },
    /** Discards what is unfinished and releases the lock. */
    close: async () => {
      await Promise.allSettled(publishing);
      for (const build of builds) await build.discard();
      await leave();
    },
  };
}

async function refuseForeign(path: string): Promise<void> {
  const names = ((await listFolder(path)) ?? []).map((entry) => entry.name);
  // Tables alone may be anybody's.
  const own: readonly string[] = Object.values(layout);
  const isOwn = (name: string) => own.includes(name.replace(/\.damaged(\.\d+)?$/, ''));
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

/** Carries out steps, one after the other, in the folder of an export. */
export async function carryOut(folder: string, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await carryOutStep(folder, step);
}

async function carryOutStep(folder: string, step: Step): Promise<void> {
  switch (step.do) {
    case 'move': {
      const from = join(folder, step.from);
      // Anything else that lies there means that the step was done before.
      if ((await versionIn(from)) === step.version) await moveFolder(from, join(folder, step.to));
      return;
    }
    case 'place': {
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
