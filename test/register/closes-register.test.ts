import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { besideRegister } from '../../src/register/chained-csv.ts';
import { addClose, readCloses } from '../../src/register/closes-register.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { closeOf } from './close-of.ts';

let path: string;
let hidden: string;

beforeEach(async () => {
  path = join(await temporaryFolder(), 'closes.csv');
  hidden = besideRegister(path, 'last');
});

const owner = { host: 'web1', pid: 1, startedAt: 'then' };
const lock = { owner, isRunning: () => false, clock: new FakeClock() };
const record = () => addClose(path, { isNew: false, lock }, (all) => closeOf(all.length + 1));

test('a register of closes is continued if the run was killed before its first hidden file', async () => {
  await record();
  rmSync(hidden);
  expect(await readCloses(path)).toEqual([closeOf(1)]);
  await record();
  expect(await readCloses(path)).toEqual([1, 2].map(closeOf));
});

test.each([
  ['missing', undefined],
  ['empty', ''],
  ['no JSON', 'garbage'],
  ['an object without a close', '{}'],
])('a hidden file that is %s is named, with what to write into it', async (_, text) => {
  await record();
  await record();
  const right = readFileSync(hidden, 'utf8');
  rmSync(hidden);
  if (text !== undefined) writeFileSync(hidden, text);
  const failure = await readCloses(path).then(undefined, (error) => error);
  expect(failure).toMatchObject({
    failure: 'damaged',
    message: 'The hidden file that says how the register of closes ends is missing or damaged.',
  });
  writeFileSync(hidden, /\{.*\}/.exec(failure.hint)?.[0] ?? '');
  expect(readFileSync(hidden, 'utf8')).toBe(right.trim());
  expect(await readCloses(path)).toEqual([1, 2].map(closeOf));
});

test('an older copy of a register of closes is noticed', async () => {
  await record();
  const old = readFileSync(path, 'utf8');
  await record();
  for (const text of [old, '']) {
    writeFileSync(path, text);
    await expect(readCloses(path)).rejects.toMatchObject({
      failure: 'damaged',
      message: expect.stringContaining('close 2 was the last one recorded'),
    });
  }
});
