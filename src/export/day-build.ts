import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { flushFolder, makeFolder, moveFolder, removeWhole } from '../base/folders.ts';
import { createHashedFile, type HashedFile } from '../base/hashed-file.ts';
import { layout, noVersion, sealedPath, unsealedPath } from './layout.ts';
import { versionIn } from './listing.ts';

/** A day's folder in the making, beside its place. Whoever begins it discards it in the end. */
export type DayBuild = Awaited<ReturnType<typeof startDayBuild>>;

/** Begins the folder of a day, in the folder of an export. */
export async function startDayBuild(folder: string, day: string) {
  let path = join(folder, unsealedPath(day, randomBytes(8).toString('hex')));
  const files: HashedFile[] = [];
  await makeFolder(path);

  return {
    day,
    /** Where it lies: `seal` moves it. */
    get folder() {
      return path;
    },
    /** Creates a file in it. */
    file: async (name: string): Promise<Pick<HashedFile, 'write' | 'close'>> => {
      const file = await createHashedFile(join(path, name), join(folder, day, name));
      files.push(file);
      return file;
    },
    /** Flushes all of it and names it by its manifest. All its files must be closed. */
    seal: async () => {
      const version = await versionIn(path);
      if (version === noVersion) throw new RangeError('the day has no manifest');
      await flushFolder(path);
      const sealed = join(folder, sealedPath(day, version));
      await moveFolder(path, sealed);
      path = sealed;
      await flushFolder(join(folder, layout.building));
    },
    /** Deletes it. Never fails, and does nothing once it is published. */
    discard: async () => {
      for (const file of files) await file.abort();
      await removeWhole(path).catch(() => {});
    },
  };
}
