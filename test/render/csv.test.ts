import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvText, renderCsv } from '../../src/render/csv.ts';
import type { Dialect } from '../../src/render/formats.ts';
import type { CellKind, Records } from '../../src/report/common/columns.ts';
import { settlementsViews } from '../../src/report/settlements/view.ts';
import { month, report } from '../report/build-report.ts';
import { anyText } from './any-text.ts';
import { hostile } from './hostile.ts';
import { parseCsv } from './parse-csv.ts';

function csv(records: Records, dialect: Dialect = 'rfc'): string {
  return [...renderCsv(records, dialect)].join('');
}

function recordsOf(kind: CellKind, cells: readonly string[]): Records {
  return {
    columns: [
      { key: 'a', kind },
      { key: 'b', kind },
    ],
    rows: cells.map((one) => [one, 'z']),
  };
}

/** What comes back of one cell. */
function back(kind: CellKind, cell: string, dialect: Dialect = 'rfc'): string | undefined {
  const delimiter = dialect === 'excel-eu' ? ';' : ',';
  return parseCsv(csv(recordsOf(kind, [cell]), dialect), delimiter)[1]?.[0];
}

describe('CSV', () => {
  test('always has a header row, and ends every record with CRLF', () => {
    const empty = csv(settlementsViews(report([])).records());
    expect(empty).toMatch(/^settlement_date,.*,payment_end_to_end_ids,explanation,.*\r\n$/);
  });

  test('has the same bytes for the same data', () => {
    const once = () => csv(settlementsViews(month()).records());
    expect(once()).toBe(once());
    expect(parseCsv(once(), ',').map((row) => row.length)).toEqual(Array(14).fill(35));
  });

  test('writes long lists in pieces without losing a row', () => {
    const cells = Array.from({ length: 2_001 }, (_, index) => `row ${index}`);
    const pieces = [...renderCsv(recordsOf('text', cells), 'rfc')];
    expect(pieces).toHaveLength(4);
    expect(parseCsv(pieces.join(''), ',').map(([cell]) => cell)).toEqual(['a', ...cells]);
  });

  test.each(['0012345', '1234567890123456', '12e45'])(
    'keeps %s as text in the dialects of a spreadsheet if it is text',
    (digits) => {
      for (const dialect of ['excel', 'excel-eu'] as const) {
        expect(back('text', digits, dialect)).toBe(`="${digits}"`);
        expect(back('integer', digits, dialect)).toBe(digits);
        expect(back('amount', digits, dialect)).toBe(digits);
      }
      expect(back('text', digits)).toBe(digits);
    },
  );

  test.each([
    ...['1E-5', '1.5E3', '2028.010', '1,5', '10.50', '5%'],
    ...[
      '03-04',
      '1/2',
      '1-2-2026',
      '10:30:15',
      '5 PM',
      '1 000',
      '€5',
      'MAR1',
      '1-Mar',
      'Sept. 2026',
    ],
    ...['TRUE', 'false', 'WAHR'],
  ])('keeps %s from becoming another number, a date or a truth value', (text) => {
    for (const dialect of ['excel', 'excel-eu'] as const) {
      expect(back('text', text, dialect)).toBe(`="${text}"`);
    }
    expect(back('text', text)).toBe(text);
  });

  test('writes digits as plain text if a spreadsheet shows them unchanged', () => {
    for (const text of [
      ...['0', '12345', '123456789012345', '2026-03-04', '00:12', '0x1', 'e12', 'March', 'A-03-04'],
      ...['2026-03-03T10:00:00Z', '12345678-1234-4000-8000-00000000000a', '10.50 EUR', '1/2 | 3/4'],
    ]) {
      expect(back('text', text, 'excel')).toBe(text);
    }
  });

  test('gives back texts as they were', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab ";,|\n\t\'é€漢😀', '\r\n') }),
        (text) => {
          const expected = /^[\t\n\r]/.test(text) ? `'${text}` : text;
          expect(back('text', text)).toBe(expected);
          expect(back('text', text, 'excel-eu')).toBe(expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('quotes the same fields as csv-stringify', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab ";,|-.é€', 'a\n', 'a\r\n', 'a\t') });
    const rows = fc.array(fc.tuple(text, text));
    fc.assert(
      fc.property(rows, fc.constantFrom(',', ';'), (cells, delimiter) => {
        // A letter first: such a text is nobody's formula.
        const rows = cells.map((row) => row.map((cell) => `a${cell}`));
        const dialect = delimiter === ',' ? 'rfc' : 'excel-eu';
        const columns = recordsOf('text', []).columns;
        const expected = stringify(rows, {
          delimiter,
          record_delimiter: '\r\n',
          quote_record_delimiter: true,
        });
        expect(csvText(columns, dialect).lines(rows)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('has the same number of fields in each row, with any texts', () => {
    fc.assert(
      fc.property(fc.array(anyText()), (cells) => {
        const rows = parseCsv(csv(recordsOf('text', cells)), ',');
        expect(rows.map((row) => row.length)).toEqual(Array(cells.length + 1).fill(2));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r\n=1',
    ' =1',
    '\u3000=1',
    '＝1',
    '＋1',
    '－1',
    '＠a',
  ])('neutralises %j in a text', (formula) => {
    expect(back('text', formula)).toBe(`'${formula}`);
  });

  test('never changes an amount or a count', () => {
    for (const amount of ['-12.34', '0.00', '-500', '123456789012345678.90', '']) {
      expect(back('amount', amount)).toBe(amount);
      expect(back('integer', amount)).toBe(amount);
    }
  });

  test('escapes control characters, and keeps tabs and line breaks', () => {
    expect(back('text', 'a\x1b[2Jb\rc\u202ed\0')).toBe('a\\u001b[2Jb\\u000dc\\u202ed\\u0000');
    expect(back('text', 'a\tb\nc\r\nd')).toBe('a\tb\nc\r\nd');
    expect(csv(recordsOf('text', hostile))).not.toMatch(/[^\P{C}\r\n\t\u200c\u200d]/u);
  });

  test('has a dialect for spreadsheets, and one for decimal commas', () => {
    const amounts = recordsOf('amount', ['-12.34']);
    expect(csv(amounts, 'excel')).toBe('\ufeffa,b\r\n-12.34,z\r\n');
    expect(csv(amounts, 'excel-eu')).toBe('\ufeffa;b\r\n-12,34;z\r\n');
    expect(csv(recordsOf('text', ['1.5;x']), 'excel-eu')).toBe('\ufeffa;b\r\n"1.5;x";z\r\n');
  });
});
