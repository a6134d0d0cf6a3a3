import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvScanner, type RawRecord } from '../../src/base/csv-records.ts';

/** Reads a text in pieces of some characters. */
function scan(text: string, size: number, trims = true) {
  const records: RawRecord[] = [];
  const broken: number[] = [];
  const scanner = csvScanner(
    { delimiter: ',', trims },
    { record: (record) => records.push(record), broken: (line) => broken.push(line) },
  );
  for (let at = 0; at < text.length; at += size) scanner.push(text.slice(at, at + size));
  scanner.end();
  return { records, broken };
}

const content = fc
  .array(fc.constantFrom('a', 'é', '"', ',', ';', ' ', '\n', '\r', '\r\n', "'=1"), { maxLength: 5 })
  .map((pieces) => pieces.join(''));
const cell = fc.record({ content, isQuoted: fc.boolean(), around: fc.constantFrom('', ' ', '\t') });
const written = fc.array(
  fc.record({
    cells: fc.array(cell, { minLength: 1, maxLength: 4 }),
    end: fc.constantFrom('\n', '\r\n', '\r'),
  }),
  { maxLength: 6 },
);

const textOf = ({
  content,
  isQuoted,
  around,
}: {
  content: string;
  isQuoted: boolean;
  around: string;
}) =>
  isQuoted || /[",\r\n]|^\s|\s$/.test(content)
    ? `${around}"${content.replaceAll('"', '""')}"${around}`
    : content;

test('records are those of another reader, in pieces of any size, and their texts are the file', () => {
  fc.assert(
    fc.property(written, fc.integer({ min: 1, max: 9 }), (records, size) => {
      // A line end of one character before one of the other kind would be one of two.
      const isUnclear = records.some(
        ({ end }, at) =>
          end === '\r' &&
          textOf(records[at + 1]?.cells[0] ?? { content: 'x', isQuoted: false, around: '' }) === '',
      );
      fc.pre(!isUnclear);
      const text = records.map(({ cells, end }) => cells.map(textOf).join(',') + end).join('');
      const found = scan(text, size);
      expect(found.broken).toEqual([]);
      expect(found.records.map((one) => one.text).join('')).toBe(text);
      const other = parse(text, {
        record_delimiter: ['\r\n', '\n', '\r'],
        trim: true,
        relax_column_count: true,
      });
      expect(found.records.map((one) => one.cells)).toEqual(other);
      const lines = found.records.map(({ line, lines }) => line + lines);
      expect(found.records.slice(1).map(({ line }) => line)).toEqual(lines.slice(0, -1));
    }),
  );
});

test('a cell keeps what is in quotes, and blanks around it only if asked', () => {
  const [record] = scan('  a ,"b ""c""\r\n ", "d" \n', 3).records;
  expect(record?.cells).toEqual(['a', 'b "c"\r\n ', 'd']);
  expect(scan(' a ,"b "\n', 2, false).records[0]?.cells).toEqual([' a ', 'b ']);
});

test('a quotation mark that is never closed is told with its line, and what stands before it is read', () => {
  const { records, broken } = scan('a,b\n\nc,"d\ne\n', 4);
  expect(records.map(({ cells }) => cells)).toEqual([['a', 'b'], ['']]);
  expect(broken).toEqual([3]);
});

test.each(['"a"b,c\n', '"said "x", y",c\n'])('a quotation mark inside %j is told', (text) => {
  expect(scan(text, 9).records.map(({ isSound }) => isSound)).toEqual([false]);
});
