import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FinishedBatch } from '../../src/register/booked-register.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { bookNext } from './book-next.ts';

let folder = '';
const at = (name: string) => join(folder, name);
beforeEach(async () => {
  folder = await temporaryFolder();
});

test('a batch is written with its register under the next number', async () => {
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

test('a missing register is begun, but not where something shows that there was one', async () => {
  const begun: string[] = [];
  const onStart = (path: string) => begun.push(path);
  const trace = 'The books are closed through 2026-03-31.';
  await expect(bookNext(at('booked.csv'), at('1'), { trace, onStart })).rejects.toMatchObject({
    failure: 'configuration',
    message: `The register of booked entries was not found. ${trace}`,
  });
  await bookNext(at('booked.csv'), at('1'), { onStart });
  await bookNext(at('booked.csv'), at('2'), { trace, onStart });
  expect(begun).toEqual([at('booked.csv')]);
  await expect(bookNext(at('boked.csv'), at('3'), { onStart })).rejects.toMatchObject({
    failure: 'configuration',
    message: expect.stringContaining(at('booked.csv')),
  });
  await bookNext(at('other.csv'), at('3'), { isNew: true, onStart });
  expect(begun).toEqual([at('booked.csv'), at('other.csv')]);
});

test('a register is created anew only once', async () => {
  await bookNext(at('booked.csv'), at('1'), { isNew: true });
  await expect(bookNext(at('booked.csv'), at('2'), { isNew: true })).rejects.toMatchObject({
    failure: 'usage',
    message: expect.stringContaining('already exists'),
  });
});

test('an output file that exists is never overwritten, and nothing is booked', async () => {
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

test('the output is never the register itself, or anything else than a file', async () => {
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
  'a register that is %s is found out, even if a new one is asked for',
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

test('a register and a link to it are the same register', async () => {
  mkdirSync(at('links'));
  symlinkSync('../booked.csv', at('links/booked.csv'));
  await bookNext(at('links/booked.csv'), at('1'), { isNew: true });
  await bookNext(at('booked.csv'), at('2'));
  await bookNext(at('links/booked.csv'), at('3'));
  expect(readFileSync(at('3'), 'utf8')).toBe('batch 3');
  expect(readdirSync(at('links'))).toEqual(['booked.csv']);
});

test('a register can be moved without its other files', async () => {
  await bookNext(at('booked.csv'), at('1'), { isNew: true });
  copyFileSync(at('booked.csv'), at('elsewhere.csv'));
  const { next } = await bookNext(at('elsewhere.csv'), at('2'));
  expect(next?.batch.number).toBe(2);
});

describe('an unfinished batch of an earlier run', () => {
  /** The second batch is written beside its places, as where a run was killed before it moved them. */
  async function begun() {
    await bookNext(at('booked.csv'), at('1'), { isNew: true });
    const before = readFileSync(at('booked.csv'), 'utf8');
    const hidden = readFileSync(at('.booked.csv.last'), 'utf8');
    await bookNext(at('booked.csv'), at('2'));
    const after = readFileSync(at('booked.csv'), 'utf8');
    const { batch, check } = JSON.parse(readFileSync(at('.booked.csv.last'), 'utf8'));
    renameSync(at('2'), at('draft-2'));
    renameSync(at('booked.csv'), at('draft-register'));
    writeFileSync(at('booked.csv'), before);
    writeFileSync(at('.booked.csv.last'), hidden);
    const drafts = [
      { draft: at('draft-2'), place: at('2') },
      { draft: at('draft-register'), place: at('booked.csv') },
    ];
    const intend = (intent: unknown) =>
      writeFileSync(at('.booked.csv.next'), JSON.stringify(intent));
    intend({ batch, check, drafts });
    const heard: FinishedBatch[] = [];
    const goOn = (output = at('3'), upTo = 2) =>
      bookNext(at('booked.csv'), output, { upTo, onFinished: (one) => heard.push(one) });
    return { ...{ before, after, batch, check, drafts }, intend, goOn, heard };
  }

  test('is finished by the next run first, with one message', async () => {
    const { after, goOn, heard } = await begun();
    expect((await goOn()).next).toBeUndefined();
    expect(heard).toEqual([{ number: 2, output: at('2') }]);
    expect(readFileSync(at('2'), 'utf8')).toBe('batch 2');
    expect(readFileSync(at('booked.csv'), 'utf8')).toBe(after);
    expect(readdirSync(folder).sort()).toEqual(['.booked.csv.last', '1', '2', 'booked.csv']);
    expect((await goOn(at('3'), 3)).next?.batch.number).toBe(3);
    expect(heard).toHaveLength(1);
  });

  test('is not written again if its file was already taken', async () => {
    const { after, goOn, heard } = await begun();
    rmSync(at('draft-2'));
    await goOn();
    expect(heard).toEqual([{ number: 2, output: at('2') }]);
    expect(existsSync(at('2'))).toBe(false);
    expect(readFileSync(at('booked.csv'), 'utf8')).toBe(after);
  });

  test('waits while another file is in its place', async () => {
    const { before, after, goOn, heard } = await begun();
    writeFileSync(at('2'), 'mine');
    await expect(goOn()).rejects.toMatchObject({ failure: 'output', where: at('2') });
    expect(readFileSync(at('2'), 'utf8')).toBe('mine');
    expect(readFileSync(at('booked.csv'), 'utf8')).toBe(before);
    expect(heard).toEqual([]);
    rmSync(at('2'));
    await goOn();
    expect(readFileSync(at('booked.csv'), 'utf8')).toBe(after);
  });

  test.each(['last', 'next'] as const)(
    'stops the run if the hidden file .%s was changed',
    async (what) => {
      const { before, batch, check, drafts, intend, goOn } = await begun();
      const [output, register] = drafts;
      const wrong = [
        ...[null, [], {}, { batch }, { check }, { batch: '2', check }, { batch, check: 2 }],
        ...(what === 'last'
          ? []
          : [
              { batch, check },
              { batch, check, drafts: {} },
              { batch, check, drafts: [output] },
              { batch, check, drafts: [output, register, register] },
              { batch, check, drafts: [output, null] },
              { batch, check, drafts: [{ draft: 1, place: '2' }, register] },
              { batch, check, drafts: [output, { draft: 'draft-register' }] },
              { drafts },
            ]),
      ];
      if (what === 'last') rmSync(at('.booked.csv.next'));
      for (const state of wrong) {
        if (what === 'next') intend(state);
        else writeFileSync(at('.booked.csv.last'), JSON.stringify(state));
        await expect(goOn(at('3'), 9), JSON.stringify(state)).rejects.toMatchObject({
          failure: 'damaged',
          where: at(`.booked.csv.${what}`),
        });
      }
      expect(readFileSync(at('booked.csv'), 'utf8')).toBe(before);
      expect(existsSync(at('3'))).toBe(false);
    },
  );
});
