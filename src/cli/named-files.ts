import { join, resolve } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { unreadable } from '../base/file-failures.ts';
import { fileSize, isSameFile, readBlocks } from '../base/files.ts';
import { isFolder, listFolder } from '../base/folders.ts';
import type { NamedFile } from '../base/text-reader.ts';

/** Refuses an output in the place of a file that the run reads or keeps: what is there would be lost. */
export async function refuseToReplace(
  outputs: readonly string[] = [],
  needed: readonly (string | undefined)[],
): Promise<void> {
  for (const output of outputs) {
    for (const path of needed) {
      if (path === undefined || !(await isSameFile(output, path))) continue;
      const message = 'The output would replace a file that this run needs.';
      throw new ReconError('usage', message, { where: output, hint: 'Name another file.' });
    }
  }
}

/** The files at the paths, or the visible ones in folders and their subfolders, by name. `what` they are, and the `setting` that names them, for messages. */
export async function filesAt(paths: readonly string[], what: string, setting?: string) {
  return (await Promise.all(paths.map((path) => filesIn(path, what, setting)))).flat();
}

async function filesIn(
  path: string,
  what: string,
  setting: string | undefined,
): Promise<readonly NamedFile[]> {
  const kind = await isFolder(path);
  if (kind === undefined) {
    const hint = setting
      ? `The setting ${setting} names it: correct it, or put the files there. A relative path in a profile starts at the folder of the configuration file.`
      : 'Name a file or folder that exists.';
    throw new ReconError('usage', `${what} not found.`, { where: resolve(path), hint });
  }
  if (!kind) return [await fileAt(path)];
  const files = await visibleIn(path);
  return Promise.all(files.map(async (one) => ({ ...(await fileAt(one)), mayBeOther: true })));
}

/** The visible files of a folder and of its visible subfolders, such as one for each account or year. */
async function visibleIn(folder: string): Promise<readonly string[]> {
  const entries = (await listFolder(folder)) ?? [];
  const visible = entries.filter(({ name }) => !name.startsWith('.'));
  const files = visible.map(async (one) => {
    const path = join(folder, one.name);
    return one.isFolder ? visibleIn(path) : [path];
  });
  return (await Promise.all(files)).flat();
}

async function fileAt(path: string): Promise<NamedFile> {
  const size = await fileSize(path);
  return {
    name: path,
    ...(size !== undefined && { size }),
    blocks: async function* () {
      try {
        yield* readBlocks(path);
      } catch (error) {
        throw unreadable(path, error);
      }
    },
  };
}
