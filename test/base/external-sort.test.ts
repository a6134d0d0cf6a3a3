import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ItemForm, Sort, SortMemory } from '../../src/base/external-sort.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recon-sort-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Entry = readonly [key: string, value: string];

const form: ItemForm<Entry> = {
  key: ([key]) => key,
  weight: ([key, value]) => key.length + value.length + 20,
  write: (entry) => JSON.stringify(entry),
  read: (line) => JSON.parse(line),
};

let files = 0;
function start(memory: SortMemory): Sort<Entry> {
  files += 1;
  return new Sort(memory, join(folder, `${files}`), form);
}

async function readAll(sort: Sort<Entry>): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const batch of sort.read()) entries.push(...batch);
  return entries;
}

function sorted(entries: readonly Entry[]): readonly Entry[] {
  return [...entries].sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
}

const key = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', '\t', '\n', '\ud800', '!') });
const entries = fc.uniqueArray(fc.tuple(key, fc.string({ unit: 'binary' })), {
  selector: ([one]) => one,
  maxLength: 60,
});

describe('what is sorted', () => {
  test('is all there, once, in order, however little memory there is', async () => {
    await fc.assert(
      fc.asyncProperty(entries, entries, fc.nat(2000), async (first, second, limit) => {
        const memory = new SortMemory(limit);
        const [one, other] = [start(memory), start(memory)];
        const fill = async (sort: Sort<Entry>, list: readonly Entry[]) => {
          for (const [at, entry] of list.entries()) {
            sort.add(entry);
            if (at % 7 === 0) await sort.settle();
          }
          await sort.settle();
        };
        await Promise.all([fill(one, first), fill(other, second)]);
        expect(one.held + other.held).toBeLessThanOrEqual(limit);
        expect(await readAll(one)).toEqual(sorted(first));
        expect(await readAll(other)).toEqual(sorted(second));
        // Again: reading takes nothing away.
        expect(await readAll(one)).toEqual(sorted(first));
        await Promise.all([one.release(), other.release()]);
      }),
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test('stays whole while another sort takes the memory', async () => {
    const memory = new SortMemory(5000);
    const [one, other] = [start(memory), start(memory)];
    const list = Array.from({ length: 1200 }, (_, at): Entry => [`key ${at}`, '']);
    for (const entry of list) one.add(entry);
    const read: Entry[] = [];
    for await (const batch of one.read()) {
      read.push(...batch);
      for (const entry of list) other.add(entry);
      await other.settle();
    }
    expect(one.held + other.held).toBeLessThanOrEqual(5000);
    expect(read).toEqual(sorted(list));
    expect(await readAll(one)).toEqual(read);
    await Promise.all([one.release(), other.release()]);
  });

  test('may be longer than what is read at once', async () => {
    const sort = start(new SortMemory(0));
    const long = (letter: string): Entry => [letter, letter.repeat(200_000)];
    for (const letter of ['c', 'a', 'b']) {
      sort.add(long(letter));
      await sort.settle();
    }
    expect(await readAll(sort)).toEqual([long('a'), long('b'), long('c')]);
    await sort.release();
  });

  test('says so where the scratch file cannot be written', async () => {
    const sort = new Sort(new SortMemory(0), join(folder, 'nowhere', 'scratch'), form);
    sort.add(['key', 'value']);
    await expect(sort.settle()).rejects.toMatchObject({ failure: 'output' });
    await sort.release();
  });
});
