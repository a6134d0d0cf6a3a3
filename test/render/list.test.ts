import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ListFormat, listRenderers } from '../../src/render/index.ts';
import type { RowViews } from '../../src/report/common/view.ts';
import { anyText } from './any-text.ts';
import { hostile } from './hostile.ts';
import { parseCsv } from './parse-csv.ts';

const views: RowViews<string, number> = {
  columns: [
    { key: 'a', kind: 'text', value: (row) => row },
    { key: '=b', kind: 'integer', value: () => '1' },
  ],
  json: {
    about: { of: { day: '2026-03-05' } },
    list: 'rows',
    type: 'row',
    row: (row) => ({ row }),
    ending: (end) => ({ end, facts: [end] }),
  },
  maxShown: 3,
  shown: (rows) => [{ kind: 'facts', facts: rows.map((row) => ['row', row]) }],
  end: (end, shown) => [{ kind: 'facts', facts: [['shown', `${shown} of ${end}`]] }],
};

/** What is written before, after each batch, and at the end. */
function pieces(format: ListFormat, batches: readonly (readonly string[])[]): readonly string[] {
  const screen = { width: 80, colour: false };
  const text = listRenderers[format].list(views, { dialect: 'rfc', screen });
  const end = batches.flat().length;
  return [text.opening, ...batches.map((rows) => text.rows(rows)), text.closing(end)];
}

const someBatches = fc.array(fc.array(anyText(), { minLength: 1, maxLength: 4 }), { maxLength: 4 });

describe('rows that come in batches', () => {
  test('are one CSV', () => {
    fc.assert(
      fc.property(someBatches, (batches) => {
        const rows = parseCsv(pieces('csv', batches).join(''), ',');
        expect(rows).toHaveLength(batches.flat().length + 1);
        expect(rows[0]).toEqual(['a', "'=b"]);
      }),
    );
  });

  test('are one JSON document', () => {
    fc.assert(
      fc.property(someBatches, (batches) => {
        const rows = batches.flat();
        expect(JSON.parse(pieces('json', batches).join(''))).toEqual({
          schema: 1,
          of: { day: '2026-03-05' },
          rows: rows.map((row) => ({ row })),
          end: rows.length,
          facts: [rows.length],
        });
      }),
    );
  });

  test('are one line each, with a summary line at the end', () => {
    fc.assert(
      fc.property(someBatches, (batches) => {
        const lines = pieces('ndjson', batches).join('').split('\n').slice(0, -1);
        const rows = batches.flat();
        expect(lines.map((line) => JSON.parse(line))).toEqual([
          ...rows.map((row) => ({ type: 'row', schema: 1, row })),
          {
            type: 'summary',
            schema: 1,
            of: { day: '2026-03-05' },
            end: rows.length,
            facts: [rows.length],
          },
        ]);
      }),
    );
  });

  test('are written with their batch', () => {
    for (const format of ['csv', 'json', 'ndjson'] as const) {
      const [, first, second] = pieces(format, [['x1'], ['x2']]);
      expect(first).toContain('x1');
      expect(second).toContain('x2');
    }
  });

  test('are shown on a screen up to a limit, and the others are counted', () => {
    const [opening, first, second, third, closing] = pieces('table', [
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
    ]);
    expect([opening, first, third]).toEqual(['', '', '']);
    expect(second).toBe('row  a\nrow  b\nrow  c\n\n');
    expect(closing).toBe('shown  3 of 5\n');
    expect(pieces('table', [['a']]).join('')).toBe('row  a\n\nshown  1 of 1\n');
    expect(pieces('table', []).join('')).toBe('shown  0 of 0\n');
  });

  test('have no control characters, with any texts', () => {
    for (const format of ['csv', 'json', 'ndjson', 'table', 'markdown'] as const) {
      const text = pieces(format, [hostile]).join('');
      expect(text).not.toMatch(/[^\P{C}\r\n\t\u200c\u200d]/u);
    }
  });
});
