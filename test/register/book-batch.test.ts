import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../cli/temporary.ts';
import { bookNext } from './book-next.ts';

let folder = '';
const at = (name: string) => join(folder, name);
beforeEach(async () => {
  folder = await temporaryFolder();
});

test('a batch is written with its register, each under the next number', async () => {
  await bookNext(at('booked.csv'), at('1.journal'), { isNew: true });
  await bookNext(at('booked.csv'), at('2.journal'));
  expect(readFileSync(at('2.journal'), 'utf8')).toBe('batch 2');
  expect(readdirSync(folder).sort()).toEqual([
    '.booked.csv.last',
    '1.journal',
    '2.journal',
    'booked.csv',
  ]);
});

test('a register is begun on request only, and once', async () => {
  await expect(bookNext(at('booked.csv'), at('1'))).rejects.toMatchObject({
    failure: 'configuration',
    message: expect.stringContaining('not found'),
  });
  await bookNext(at('booked.csv'), at('1'), { isNew: true });
  await expect(bookNext(at('booked.csv'), at('2'), { isNew: true })).rejects.toMatchObject({
    failure: 'usage',
    message: expect.stringContaining('already exists'),
  });
});

test('a file that may not be imported yet is never overwritten, and nothing is booked', async () => {
  await bookNext(at('booked.csv'), at('out'), { isNew: true });
  const before = readFileSync(at('booked.csv'), 'utf8');
  await expect(bookNext(at('booked.csv'), at('out'))).rejects.toMatchObject({
    failure: 'output',
    where: at('out'),
  });
  expect(readFileSync(at('out'), 'utf8')).toBe('batch 1');
  expect(readFileSync(at('booked.csv'), 'utf8')).toBe(before);
  expect(readdirSync(folder)).toHaveLength(3);
});

test('the register is not overwritten by its own output, nor is anything else than a file', async () => {
  await expect(bookNext(at('booked.csv'), at('booked.csv'), { isNew: true })).rejects.toMatchObject(
    { failure: 'usage' },
  );
  await expect(bookNext(at('booked.csv'), '/dev/stdout', { isNew: true })).rejects.toMatchObject({
    failure: 'output',
  });
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['missing', () => rmSync(at('booked.csv')), 'missing, and batch 2 was the last'],
  ['empty', () => writeFileSync(at('booked.csv'), ''), 'missing, and batch 2 was the last'],
  [
    'from a backup',
    () => copyFileSync(at('backup.csv'), at('booked.csv')),
    'ends with batch 1, but batch 2 was the last',
  ],
])(
  'a register that is %s is noticed, also where a new one is asked for',
  async (_, damage, says) => {
    await bookNext(at('booked.csv'), at('1'), { isNew: true });
    copyFileSync(at('booked.csv'), at('backup.csv'));
    await bookNext(at('booked.csv'), at('2'));
    damage();
    await expect(bookNext(at('booked.csv'), at('3'))).rejects.toMatchObject({
      failure: 'damaged',
      message: expect.stringContaining(says),
    });
    await expect(bookNext(at('booked.csv'), at('3'), { isNew: true })).rejects.toThrow();
    expect(existsSync(at('3'))).toBe(false);
  },
);

test('a register is the same one by a link to it', async () => {
  mkdirSync(at('links'));
  symlinkSync('../booked.csv', at('links/booked.csv'));
  await bookNext(at('links/booked.csv'), at('1'), { isNew: true });
  await bookNext(at('booked.csv'), at('2'));
  await bookNext(at('links/booked.csv'), at('3'));
  expect(readFileSync(at('3'), 'utf8')).toBe('batch 3');
  expect(readdirSync(at('links'))).toEqual(['booked.csv']);
});

test('a register can be moved alone: it is complete by itself', async () => {
  await bookNext(at('booked.csv'), at('1'), { isNew: true });
  copyFileSync(at('booked.csv'), at('elsewhere.csv'));
  const { next } = await bookNext(at('elsewhere.csv'), at('2'));
  expect(next?.batch.number).toBe(2);
});
