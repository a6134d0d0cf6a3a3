import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { changeKeptCsv, readKeptCsv } from '../../src/register/kept-csv.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { FakeClock } from '../support/fake-clock.ts';

let path: string;

beforeEach(async () => {
  path = join(await temporaryFolder(), 'kept.csv');
});

const owner = { host: 'web1', pid: 1, startedAt: 'then' };
const lock = { owner, isRunning: () => true, clock: new FakeClock() };

const textNow = () => readFileSync(path, 'utf8');

async function cellsOf(text: string) {
  writeFileSync(path, text);
  const { records } = await readKeptCsv(path);
  return records.filter(({ isEmpty }) => !isEmpty).map(({ cells }) => Object.fromEntries(cells));
}

/** Replaces the record whose first cell is `key`, or adds one. */
const put = (key: string, added: string) =>
  changeKeptCsv(path, lock, ({ records }) => ({
    replaced: [{ removed: records.filter(({ cells }) => cells.get('id') === key), added }],
  }));

describe('a CSV file that people keep', () => {
  test.each([
    ['as it was written', 'id,why\r\n1,"a, b"\r\n2,c\r\n'],
    ['with line feeds, and none at the end', 'id,why\n1,"a, b"\n2,c'],
    ['with a byte order mark and semicolons', '\ufeffid;why\r\n1;a, b\r\n2;c\r\n'],
    ['with its columns in another order, and one more', 'x,why,id\n,"a, b",1\n?,c,2\n'],
    ['with empty lines, and lines of empty cells', 'id,why\n\n1,"a, b"\n,\n2,c\n\n'],
    ['with spaces around its cells', 'id, why\n1, "a, b" \n 2 ,c\n'],
    ['with different line ends', 'id,why\r\n1,"a, b"\n2,c\r\n'],
  ])('is read %s', async (_, text) => {
    expect(await cellsOf(text)).toMatchObject([
      { id: '1', why: 'a, b' },
      { id: '2', why: 'c' },
    ]);
  });

  test('has the lines of its records, and no record if it is missing or empty', async () => {
    expect(await readKeptCsv(path)).toMatchObject({ columns: [], records: [] });
    await cellsOf('');
    expect(await readKeptCsv(path)).toMatchObject({ columns: [], records: [] });
    await cellsOf('id,why\r\n1,"two\r\nlines"\r\n\r\n2\r\n');
    const { records } = await readKeptCsv(path);
    expect(records.map(({ line, isEmpty }) => [line, isEmpty])).toEqual([
      [2, false],
      [4, true],
      [5, false],
    ]);
    expect(records.at(-1)?.cells).toEqual(
      new Map([
        ['id', '2'],
        ['why', ''],
      ]),
    );
  });

  test('is read up to an open quotation mark, and is then not changed', async () => {
    expect(await cellsOf('id,why\n1,the "best"\n2,"oh\n3,c\n')).toMatchObject([
      { why: 'the "best"' },
    ]);
    expect(await readKeptCsv(path)).toMatchObject({ brokenAt: 3 });
    const before = textNow();
    await expect(put('4', '4,d\r\n')).rejects.toMatchObject({
      failure: 'configuration',
      where: `${path}:3`,
    });
    expect(textNow()).toBe(before);
  });

  test.each([
    ['id,why\r\n1,a\r\n2,b\r\n', 'id,why\r\n1,new\r\n2,b\r\n', 'id,why\r\n1,new\r\n2,b\r\n3,c\r\n'],
    ['id,why\n\n"1" ,a\n2', 'id,why\n\n1,new\n2', 'id,why\n\n1,new\n2\n3,c\n'],
    ['\ufeffid,why\n1,a\n1,b\n', '\ufeffid,why\n1,new\n', '\ufeffid,why\n1,new\n3,c\n'],
    ['id,why', 'id,why\r\n1,new\r\n', 'id,why\r\n1,new\r\n3,c\r\n'],
  ])('keeps all other lines in a change: %j', async (text, replaced, extended) => {
    writeFileSync(path, text);
    await put('1', '1,new\r\n');
    expect(textNow()).toBe(replaced);
    await put('3', '3,c\r\n');
    expect(textNow()).toBe(extended);
    expect(readdirSync(join(path, '..'))).toEqual(['kept.csv']);
  });

  test.each([
    ['id,why\r\n1,a\r\n', 'id,why,who,when\r\n1,a\r\n2,b\r\n'],
    ['\ufeffid;why\n1;a', '\ufeffid;why;who;when\n1;a\n2,b\n'],
    ['id,why', 'id,why,who,when\r\n2,b\r\n'],
  ])('gets new columns only at the end of its header: %j', async (text, expected) => {
    writeFileSync(path, text);
    const change = {
      replaced: [{ removed: [], added: '2,b\r\n' }],
      newColumns: ['who', 'when'],
    };
    expect(await changeKeptCsv(path, lock, () => change)).toEqual(change);
    expect(textNow()).toBe(expected);
  });

  test('is written only if something changes, and is created if it is missing', async () => {
    await changeKeptCsv(path, lock, () => ({ replaced: [] }));
    expect(readdirSync(join(path, '..'))).toEqual([]);
    await put('1', 'id,why\r\n1,a\r\n');
    expect(textNow()).toBe('id,why\r\n1,a\r\n');
  });

  test('law: a change of nothing keeps every byte', async () => {
    const piece = fc.constantFrom('a', '1', ',', ';', '"', '\r\n', '\n', '\r', ' ', 'ü', "'");
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        const text = `id,why\n${pieces.join('')}`;
        writeFileSync(path, text);
        if ((await readKeptCsv(path)).brokenAt !== undefined) return;
        await changeKeptCsv(path, lock, () => ({ replaced: [] }));
        expect(textNow()).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});
