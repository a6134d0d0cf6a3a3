import Table from 'cli-table3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainLine } from '../../src/render/plain-line.ts';

const gap = 2;

/** Letters, accents of their own, rules, and what is wide or has no width. */
const character = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  { weight: 2, arbitrary: fc.integer({ min: 0xa0, max: 0x36f }) },
  fc.constantFrom(0x2026, 0x2500, 0x200d, 0xfe0f, 0x20e3),
  fc.constantFrom(0x4e2d, 0x1f600, 0x0e01, 0x200c),
);
const text = fc
  .array(character, { maxLength: 12 })
  .map((codes) => codes.map((code) => String.fromCodePoint(code)).join(''));
const cell = fc.record({
  text,
  code: fc.constantFrom('', '1', '31'),
  width: fc.integer({ min: 1, max: 14 }),
  isRight: fc.boolean(),
});

const styled = (seen: string, code: string) => (code === '' ? seen : `\x1b[${code}m${seen}\x1b[0m`);

function cliTable(
  cells: readonly string[],
  columns: readonly { width: number; isRight: boolean }[],
) {
  const chars = Object.fromEntries(Object.keys(new Table().options.chars).map((at) => [at, '']));
  const table = new Table({
    chars,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap },
    colWidths: columns.map(({ width }) => width + gap),
    colAligns: columns.map(({ isRight }) => (isRight ? 'right' : 'left')),
  });
  table.push([...cells]);
  return table.toString().trimEnd();
}

test('a plain line is what cli-table3 makes of it', () => {
  let plain = 0;
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 3 }), (columns) => {
      const cells = columns.map((one) => styled(one.text, one.code));
      const line = plainLine(cells, columns, gap);
      if (line === undefined) return;
      plain += 1;
      expect(line).toBe(cliTable(cells, columns));
    }),
    { numRuns: 300 },
  );
  expect(plain).toBeGreaterThan(20);
});

test('what is wide, or wider than its column, is left to cli-table3', () => {
  expect(plainLine(['abc'], [{ width: 2 }], gap)).toBeUndefined();
  expect(plainLine(['中'], [{ width: 9 }], gap)).toBeUndefined();
  expect(plainLine(['1\ufe0f\u20e3'], [{ width: 9 }], gap)).toBeUndefined();
});
