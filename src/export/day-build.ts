import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { flushFolder, makeFolder, moveFolder, removeWhole } from '../base/folders.ts';
import { createHashedFile, type HashedFile } from '../base/hashed-file.ts';
import { layout, noVersion, sealedPath, unsealedPath } from './layout.ts';
import { versionIn } from './listing.ts';

/** A day's folder in the making, beside its place. When something fails, nothing of it is left. */
export interface DayBuild {
  readonly day: string;
  /** Where it lies: `seal` moves it. */
  readonly folder: string;
  /** Creates a file in it. */
  file(name: string): Promise<DayFile>;
  /** Flushes all of it and names it by its manifest. All its files must be closed. */
  seal(): Promise<void>;
  /** Deletes it. Never fails, and does nothing once it is published. */
  discard(): Promise<void>;
}

/** A file of a day's folder being written. */
export type DayFile = Pick<HashedFile, 'write' | 'close'>;

/** Begins the folder of a day, in the folder of an export. */
export async function startDayBuild(folder: string, day: string): Promise<DayBuild> {
  let path = join(folder, unsealedPath(day, randomBytes(8).toString('hex')));
  const files = new Set<HashedFile>();
  await makeFolder(path);

  const discard = async () => {
    for (const file of files) await file.abort();
    files.clear();
    await removeWhole(path).catch(() => {});
  };
  const orDiscard = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      await discard();
      throw error;
    }
  };
  const seal = async () => {
    if (files.size > 0) throw new RangeError('a file of the day is still open');
    const version = await versionIn(path);
    if (version === noVersion) throw new RangeError('the day has no manifest');
    await flushFolder(path);
    const sealed = join(folder, sealedPath(day, version));
    await moveFolder(path, sealed);
    path = sealed;
    await flushFolder(join(folder, layout.building));
  };
  return {
    day,
    get folder() {
      return path;
    },
    file: async (name) => {
      const file = await orDiscard(createHashedFile(join(path, name), join(folder, day, name)));
      files.add(file);
      return {
        write: (data) => orDiscard(file.write(data)),
        close: async () => {
          const digest = await orDiscard(file.close());
          files.delete(file);
          return digest;
        },
      };
    },
    seal: () => orDiscard(seal()),
    discard,
  };
}
