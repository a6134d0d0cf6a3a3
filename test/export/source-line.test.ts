import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  endLine,
  headerLine,
  parseLine,
  readLine,
  rowLine,
  sourceLine,
} from '../../src/export/source-line.ts';
import type { Row } from '../../src/model/row.ts';
import { buildRow, buildSettlement } from '../support/build.ts';
import { anyRow, anySettlement, anyText, anyUnreadable } from './arbitraries.ts';

/** As a line comes back from a file. */
function throughFile(line: string): string {
  expect(line).not.toMatch(/[\n\r]/);
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(line));
}

/** What rows of one kind do not share. */
const perRow: (keyof Row)[] = [
  'id',
  'chargeId',
  'orderId',
  'timestamp',
  'amount',
  'fees',
  'tax',
  'notes',
];

const settlementId = anyText.filter((text) => text !== '');

describe('a line of a source', () => {
  test('keeps every settlement', () => {
    fc.assert(
      fc.property(anySettlement, (settlement) => {
        const line = readLine(throughFile(headerLine(settlement)));
        expect(line).toEqual({ type: 'settlement', record: settlement });
      }),
    );
  });

  test('keeps every row', () => {
    fc.assert(
      fc.property(settlementId, anyRow, fc.nat(9), fc.boolean(), (id, row, copies, conflicting) => {
        const listed = 1 + copies;
        const line = readLine(throughFile(rowLine(id, row, listed, conflicting)));
        const mark = conflicting ? { conflicting } : {};
        expect(line).toEqual({ type: 'row', settlement: id, record: row, listed, ...mark });
      }),
    );
  });

  test('is read in its usual form as if it were parsed', () => {
    const nearlySame = fc.tuple(
      anyRow,
      fc.array(fc.record({ from: anyRow, keeps: fc.subarray(perRow), listed: fc.nat(2) })),
    );
    fc.assert(
      fc.property(nearlySame, fc.nat(), fc.nat(), ([first, others], cut, at) => {
        const rows = others.map(({ from, keeps, listed }) => {
          const own = Object.fromEntries(keeps.map((field) => [field, from[field]]));
          return { row: { ...first, ...own }, listed: Math.max(1, listed) };
        });
        const lines = [{ row: first, listed: 1 }, ...rows].map(({ row, listed }) =>
          throughFile(rowLine(first.settlementId, row, listed)),
        );
        // One line is damaged: a character is missing or doubled.
        const damaged = lines[at % lines.length] ?? '';
        const place = cut % damaged.length;
        lines.push(damaged.slice(0, place) + damaged.slice(place + 1));
        lines.push(damaged.slice(0, place + 1) + damaged.slice(place));
        for (const line of lines) expect(readLine(line)).toEqual(parseLine(line));
      }),
    );
  });

  test('keeps every end', () => {
    const end = fc.record(
      {
        unsteady: fc.constantFrom('walks_disagree', 'no_progress', 'too_long'),
        unreadable: fc.array(anyUnreadable, { maxLength: 3 }),
        notRead: fc.record({
          code: anyText,
          facts: fc.dictionary(anyText, anyText, { noNullPrototype: true }),
        }),
      },
      { requiredKeys: ['unreadable'] },
    );
    fc.assert(
      fc.property(settlementId, fc.nat(), end, (id, rows, one) => {
        const line = readLine(throughFile(endLine(id, rows, one)));
        expect(line).toEqual({ type: 'end', settlement: id, rows, ...one });
      }),
    );
  });

  test('names its day', () => {
    expect(readLine(sourceLine('2026-03-05'))).toMatchObject({ day: '2026-03-05' });
  });

  test('has its fields in one order, whatever their order in the record', () => {
    const row = buildRow();
    const turned = Object.fromEntries(Object.entries(row).reverse()) as unknown as typeof row;
    const line = (one: typeof row) => rowLine('S', one, 1);
    expect(line(turned)).toBe(line(row));
  });

  test.each([
    ['no JSON', 'row', 'the whole line'],
    ['of an unknown kind', '{"type":"charge"}', 'type'],
    ['of a later schema', '{"type":"source","schema":2,"day":"2026-03-05"}', 'schema'],
    [
      'with an amount that is a number',
      headerLine(buildSettlement()).replace('"amountGross":"1000"', '"amountGross":1000'),
      'amountGross',
    ],
    [
      'with an amount that is no integer',
      headerLine(buildSettlement()).replace('"amountGross":"1000"', '"amountGross":"10.00"'),
      'amountGross',
    ],
    [
      'with too many decimal places',
      headerLine(buildSettlement()).replace('"decimalPlaces":2', '"decimalPlaces":19'),
      'decimalPlaces',
    ],
  ])('is refused with its field: %s', (_, line, fault) => {
    expect(readLine(line)).toEqual({ fault });
  });
});
