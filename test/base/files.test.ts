import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openOutputFile, readBlocks, readTextFile } from '../../src/base/files.ts';
import { isOpenToOthers } from '../../src/config/config-file.ts';

let folder: string;
let target: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recon-files-'));
  target = join(folder, 'report.csv');
});
afterEach(() => rm(folder, { recursive: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

async function writeWhole(path: string, text: string, secret = false) {
  const output = await openOutputFile(path, { secret });
  await output.write(text);
  await output.commit();
}

test('what a killed run left beside a file goes a day later, and nothing else does', async () => {
  const named = (form: string) => join(folder, form.replace('ID', crypto.randomUUID()));
  const left = ['.recon-ID.tmp', '.draft-ID.part'];
  // A draft of a batch is needed until the batch is finished.
  const kept = ['.recon-ID.part', '.recon-1.tmp', 'recon-ID.tmp', '.recon-ID.tmp.csv'];
  const old = [...left, ...kept].map(named);
  const others = left.map(named);
  for (const path of [...old, ...others]) await writeFile(path, 'half');
  for (const path of old) await utimes(path, 0, 0);
  await writeWhole(target, 'whole');
  const names = await readdir(folder);
  expect(names).toHaveLength(kept.length + others.length + 1);
  expect(
    [...old.slice(left.length), ...others, target]
      .map((path) => path.slice(folder.length + 1))
      .sort(),
  ).toEqual(names.sort());
});

describe('reading a text file', () => {
  test('gives its text, mode and owner', async () => {
    await writeFile(target, '\uFEFFgrün');
    await chmod(target, 0o640);
    const file = await readTextFile(target);
    expect(file?.text).toBe('grün');
    expect((file?.mode ?? 0) & 0o777).toBe(0o640);
    expect(file?.owner).toBe((await stat(target)).uid);
  });

  test('gives undefined if the file does not exist', async () => {
    expect(await readTextFile(target)).toBeUndefined();
    await writeFile(target, '');
    expect(await readTextFile(join(target, 'below-a-file'))).toBeUndefined();
  });

  test('of one that is kept fails for a device: what is written into it would be lost', async () => {
    expect(await readTextFile('/dev/null')).toMatchObject({ text: '' });
    await expect(readTextFile('/dev/null', { isKept: true })).rejects.toMatchObject({
      failure: 'configuration',
      message: 'Expected a file, found a pipe or a device.',
    });
  });

  test('fails for a named pipe at once: nobody may ever write into it', async () => {
    execFileSync('mkfifo', [target]);
    const failure = { failure: 'configuration', message: expect.stringContaining('found a pipe') };
    await expect(readTextFile(target)).rejects.toMatchObject(failure);
    await expect(readBlocks(target).next()).rejects.toMatchObject({ code: 'ERR_NO_FILE' });
  });

  test('fails for a folder, and for bytes that are not text', async () => {
    await expect(readTextFile(folder)).rejects.toMatchObject({
      failure: 'configuration',
      message: expect.stringContaining('folder'),
      where: folder,
    });
    await writeFile(target, Buffer.from([0x61, 0xff, 0x62]));
    await expect(readTextFile(target)).rejects.toMatchObject({
      message: expect.stringContaining('UTF-8'),
    });
  });
});

describe('who else can touch a file', () => {
  test.each([
    { mode: 0o600, owner: 7, read: false, write: false },
    { mode: 0o640, owner: 7, read: true, write: false },
    { mode: 0o604, owner: 7, read: true, write: false },
    { mode: 0o620, owner: 7, read: false, write: true },
    { mode: 0o602, owner: 7, read: false, write: true },
    { mode: 0o600, owner: 0, read: false, write: false },
    { mode: 0o600, owner: 8, read: true, write: true },
  ])('mode $mode, owner $owner, asked by 7: read $read, write $write', (given) => {
    const file = { text: '', mode: 0o100000 | given.mode, owner: given.owner };
    expect(isOpenToOthers(file, 'read', 7)).toBe(given.read);
    expect(isOpenToOthers(file, 'write', 7)).toBe(given.write);
  });
});

describe('writing an output file', () => {
  test('leaves the target as it was until the commit', async () => {
    await writeFile(target, 'old');
    const output = await openOutputFile(target);
    await output.write('n'.repeat(100_000));
    await output.write('ew');
    expect(await readFile(target, 'utf8')).toBe('old');
    await output.commit();
    expect(await readFile(target, 'utf8')).toBe(`${'n'.repeat(100_000)}ew`);
    expect(await readdir(folder)).toEqual(['report.csv']);
  });

  test('leaves nothing after an abort, and the target as it was', async () => {
    await writeFile(target, 'old');
    const output = await openOutputFile(target);
    await output.write('new'.repeat(50_000));
    await output.abort();
    await output.abort();
    expect(await readFile(target, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['report.csv']);
    await expect(output.commit()).rejects.toMatchObject({ failure: 'output' });
    expect(await readFile(target, 'utf8')).toBe('old');
  });

  test('keeps what was committed when an abort follows', async () => {
    const output = await openOutputFile(target);
    await output.write('done');
    await output.commit();
    await output.abort();
    expect(await readFile(target, 'utf8')).toBe('done');
  });

  test('leaves nothing when the commit fails', async () => {
    const output = await openOutputFile(target);
    await output.write('x');
    await mkdir(target);
    await expect(output.commit()).rejects.toMatchObject({ failure: 'output', where: target });
    expect(await readdir(folder)).toEqual(['report.csv']);
  });

  test('writes an empty file when nothing is written', async () => {
    const output = await openOutputFile(target);
    await output.commit();
    expect(await readFile(target, 'utf8')).toBe('');
  });

  test('gives a new file 0640 less the umask, a secret one 0600', async () => {
    await writeFile(join(folder, 'usual'), '');
    await writeWhole(target, 'x');
    expect(await modeOf(target)).toBe((await modeOf(join(folder, 'usual'))) & 0o640);
    const secret = join(folder, 'config.toml');
    await writeFile(secret, '');
    await chmod(secret, 0o666);
    await writeWhole(secret, 'x', true);
    expect(await modeOf(secret)).toBe(0o600);
  });

  test('keeps the permissions of a file that it replaces', async () => {
    await writeFile(target, 'old');
    await chmod(target, 0o660);
    await writeWhole(target, 'new');
    expect(await modeOf(target)).toBe(0o660);
  });

  test('replaces the file behind a symbolic link, and keeps the link', async () => {
    await mkdir(join(folder, 'deep'));
    const real = join(folder, 'deep', 'real.csv');
    const link = join(folder, 'link.csv');
    await symlink('deep/real.csv', link);
    await writeWhole(link, 'first');
    expect(await readFile(real, 'utf8')).toBe('first');
    await writeWhole(link, 'second');
    expect(await readFile(real, 'utf8')).toBe('second');
    expect(await readlink(link)).toBe('deep/real.csv');
    expect(await readdir(join(folder, 'deep'))).toEqual(['real.csv']);
  });

  test('writes directly to a device', async () => {
    await writeWhole('/dev/null', 'gone');
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
  });

  test('writes directly to a named pipe, piece by piece', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const reading = readFile(pipe, 'utf8');
    const output = await openOutputFile(pipe);
    await output.write('one,');
    await output.write('two');
    await output.commit();
    await output.abort();
    expect(await reading).toBe('one,two');
    expect((await stat(pipe)).isFIFO()).toBe(true);
  });

  test('fails with a message if the disk is full', async () => {
    const output = await openOutputFile('/dev/full');
    await expect(output.write('x')).rejects.toMatchObject({
      failure: 'output',
      message: expect.stringContaining('No space left'),
      where: '/dev/full',
      hint: expect.stringContaining('another place'),
    });
    await output.abort();
  });

  test.each([
    { name: 'a folder in its place', path: '.', words: 'path is a folder' },
    { name: 'a path that ends like a folder', path: 'new/', words: 'path is a folder' },
    { name: 'a missing folder', path: 'none/report.csv', words: 'folder does not exist' },
    {
      name: 'a file where the folder should be',
      path: 'file/report.csv',
      words: 'folder does not exist',
    },
  ])('fails with a message for $name', async ({ path, words }) => {
    await writeFile(join(folder, 'file'), '');
    await expect(openOutputFile(`${folder}/${path}`)).rejects.toMatchObject({
      failure: 'output',
      message: expect.stringContaining(words),
      where: `${folder}/${path}`,
      hint: expect.any(String),
    });
    expect(await readdir(folder)).toEqual(['file']);
  });

  test.skipIf(process.getuid?.() === 0)('fails if it may not write there', async () => {
    await writeFile(target, 'kept');
    await chmod(target, 0o444);
    const refusal = {
      failure: 'output',
      message: expect.stringContaining('No permission to write'),
    };
    await expect(openOutputFile(target)).rejects.toMatchObject(refusal);
    await chmod(folder, 0o555);
    await expect(openOutputFile(join(folder, 'new'))).rejects.toMatchObject(refusal);
    await chmod(folder, 0o755);
    expect(await readdir(folder)).toEqual(['report.csv']);
  });

  test('fails with a message for a loop of links', async () => {
    await symlink('report.csv', target);
    await expect(openOutputFile(target)).rejects.toMatchObject({
      failure: 'output',
      message: expect.stringContaining('ELOOP'),
    });
  });
});
