import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolders } from '../../src/base/folders.ts';
import { temporaryFolder } from '../cli/temporary.ts';

test('missing folders are made, and existing ones are left unchanged', async () => {
  const folder = await temporaryFolder();
  await makeFolders(join(folder, 'a', 'b'));
  expect((await stat(join(folder, 'a'))).mode & 0o777 & ~0o750).toBe(0);
  await writeFile(join(folder, 'a', 'file'), '');
  await makeFolders(join(folder, 'a', 'b', 'c'), 0o700);
  expect(await readdir(join(folder, 'a'))).toEqual(['b', 'file']);
  expect((await stat(join(folder, 'a', 'b', 'c'))).mode & 0o777).toBe(0o700);
});

test.each([
  ['file', 'EEXIST'],
  ['file/below', 'ENOTDIR'],
])('a folder %s in the place of a file is refused with %s', async (path, code) => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  await expect(makeFolders(join(folder, path))).rejects.toMatchObject({ code });
});

test.skipIf(process.platform !== 'linux')('making a folder under /proc fails', async () => {
  await expect(makeFolders('/proc/none/here')).rejects.toMatchObject({ code: 'ENOENT' });
});
