import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeRow, sortTextOf, splitUnreadable } from '../../../src/api/records.ts';
import { RowScanner } from '../../../src/api/scan/row-scanner.ts';
import { pageOf as pageOfRecords, type RecordPage } from '../../../src/api/walk/walk-records.ts';
import { RequestFailure } from '../../../src/base/errors.ts';
import { idWords } from '../../../src/base/id-table.ts';
import { timestampForm } from '../../../src/model/row.ts';
import { batchOf, figuresPerRow, kindKey, type RowBatch } from '../../../src/model/row-batch.ts';
import { uuid } from '../../support/build.ts';
import { answerOf, recordsIn } from '../answer.ts';
import { rawRow } from '../raw.ts';

/** What was made of an answer, in a form that can be compared; undefined where it was left to others. */
function told(read: () => readonly object[] | undefined): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    return { failure: error.failure, policy: error.policy, message: error.message };
  }
}

function foundIn(scanner: RowScanner, body: string | Buffer) {
  return told(() => {
    const page = scanner.read(answerOf('', { bytes: Buffer.from(body) }));
    return page && columnsIn(page, page);
  });
}

/** The same by the long way, on which all JSON is parsed and checked. */
function decodedFrom(body: string | Buffer) {
  return told(() => {
    const listed = recordsIn(answerOf('', { bytes: Buffer.from(body) })).map(decodeRow);
    const { items, unreadable } = splitUnreadable(listed.map(({ item }) => item));
    expect(unreadable).toEqual([]);
    return columnsIn(batchOf(items), pageOfRecords(listed));
  });
}

/** All that can be asked of a page, row by row. */
function columnsIn(batch: RowBatch, page: RecordPage<object>) {
  const { ids, chargeIds, figures, kinds } = batch;
  const { ids: keys, digests } = page;
  return Array.from({ length: batch.length }, (_, index) => {
    const words = (of: Int32Array) => [...of.slice(index * idWords, (index + 1) * idWords)];
    return {
      ids: [keys, ids, chargeIds].map(words),
      digest: [...digests.slice(2 * index, 2 * index + 2)],
      figures: [...figures.slice(index * figuresPerRow, (index + 1) * figuresPerRow)],
      kind: kindKey(kinds[index] ?? raise()),
      row: batch.row(index),
      sortText: sortTextOf(page.item(index)),
    };
  });
}

function raise(): never {
  throw new RangeError('no kind');
}

/** Whether the rows of a page were found in its bytes; then the long way has to say the same. */
function isFound(decoder: RowScanner, body: string | Buffer): boolean {
  const found = foundIn(decoder, body);
  if (found === undefined) return false;
  const decoded = decodedFrom(body);
  // Only to say how they differ: it takes much longer.
  if (!isDeepStrictEqual(found, decoded)) expect(found).toEqual(decoded);
  return Array.isArray(found);
}

function pageOf(...rows: readonly unknown[]): string {
  return JSON.stringify({ status: { code: '0', response: 'Success' }, data: rows });
}

const id = fc.integer({ min: 1, max: 1_000_000 }).map(uuid);
const asciiText = fc.string({ unit: 'grapheme-ascii', maxLength: 40 });
const noteText = fc.oneof(
  { weight: 4, arbitrary: asciiText },
  { weight: 1, arbitrary: fc.oneof(id, fc.string({ unit: 'grapheme', maxLength: 8 })) },
);
const ownFields = {
  transactionId: id,
  chargeId: id,
  orderId: id,
  timestamp: fc
    .tuple(
      fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
      fc.constantFrom('Z', '+01:00', '-11:30', '.5Z', '.123456+00:00'),
    )
    .map(([date, tail]) => date.toISOString().slice(0, 19) + tail),
  amount: fc.oneof(
    fc.integer(),
    fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
  ),
  fees: fc.integer({ min: -1000, max: 1000 }),
  tax: fc.constantFrom(0, 6, -1, 100_000),
  notes: fc.array(fc.record({ key: noteText, value: noteText }), { maxLength: 3 }),
};
const kind = fc.record({
  settlementId: fc.constantFrom(uuid(1), uuid(2)),
  transactionType: fc.constantFrom('purchase', 'refund', '', 'a type'),
  paymentType: fc.constantFrom('card', 'wallet'),
  state: fc.constantFrom('approved', 'declined'),
  currencyCode: fc.constantFrom('EUR', 'JPY'),
  decimalPlaces: fc.constantFrom('2', '0', '9'),
});
const optional = ['chargeId', 'orderId', 'timestamp', 'notes'] as const;
const left = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.subarray([...optional]) },
);
const row = fc
  .tuple(fc.record(ownFields), kind, left)
  .map(([own, common, without]) =>
    Object.fromEntries(
      Object.entries({ ...own, ...common }).filter(
        ([name]) => !(without as readonly string[]).includes(name),
      ),
    ),
  );

/** A page in some order of its fields and with some white space. */
const page = fc
  .record({
    rows: fc.array(row, { minLength: 1, maxLength: 5 }),
    order: fc.array(fc.nat(), { minLength: 14, maxLength: 14 }),
    indent: fc.constantFrom(undefined, 1, '\t'),
    hasDataFirst: fc.boolean(),
  })
  .map(({ rows, order, indent, hasDataFirst }) => {
    const ordered = rows.map((one) =>
      Object.fromEntries(
        Object.entries(one)
          .map((entry, at) => ({ entry, rank: order[at] ?? 0 }))
          .sort((first, second) => first.rank - second.rank)
          .map(({ entry }) => entry),
      ),
    );
    const status = { code: '0', response: 'Success' };
    const body = hasDataFirst ? { data: ordered, status } : { status, data: ordered };
    return JSON.stringify(body, undefined, indent);
  });

test('the rows that the scanner finds in a page are those that JSON.parse finds', () => {
  let found = 0;
  fc.assert(
    fc.property(fc.array(page, { minLength: 1, maxLength: 4 }), (pages) => {
      const decoder = new RowScanner(() => {});
      for (const body of pages) if (isFound(decoder, body)) found += 1;
    }),
    { numRuns: 200 },
  );
  expect(found).toBeGreaterThan(400);
});

test('a page with a byte added, removed or changed is read like JSON.parse, or left to it', () => {
  const change = fc.record({
    at: fc.nat(),
    byte: fc.oneof(fc.constantFrom(...Buffer.from('{}[]",:\\0129-.eE+ \n\tT')), fc.nat(255)),
    how: fc.constantFrom('instead', 'more', 'less'),
  });
  let found = 0;
  fc.assert(
    fc.property(page, fc.array(change, { minLength: 8, maxLength: 8 }), (body, changes) => {
      const bytes = Buffer.from(body);
      for (const { at, byte, how } of changes) {
        const place = at % bytes.length;
        const after = bytes.subarray(how === 'more' ? place : place + 1);
        const here = how === 'less' ? Buffer.alloc(0) : Buffer.from([byte]);
        const decoder = new RowScanner(() => {});
        // What the page looked like before is known.
        foundIn(decoder, body);
        if (isFound(decoder, Buffer.concat([bytes.subarray(0, place), here, after]))) found += 1;
      }
    }),
    { numRuns: 200 },
  );
  expect(found).toBeGreaterThan(200);
});

test('a page that is cut anywhere is left to JSON.parse', () => {
  const body = pageOf(rawRow({ notes: [{ key: 'a key', value: 'a value' }] }));
  const decoder = new RowScanner(() => {});
  expect(isFound(decoder, body)).toBe(true);
  for (let length = 0; length < body.length; length += 1) {
    for (const known of [decoder, new RowScanner(() => {})]) {
      const found = foundIn(known, body.slice(0, length));
      if (found !== undefined) expect(found).toEqual(decodedFrom(body.slice(0, length)));
      expect(Array.isArray(found)).toBe(false);
    }
  }
});

test('a page with any JSON value in a field is read like JSON.parse, or left to it', () => {
  const value = fc.oneof(fc.jsonValue(), fc.double(), fc.maxSafeInteger(), id, asciiText);
  const changes = fc.dictionary(fc.constantFrom(...Object.keys(rawRow()), 'unknown'), value, {
    maxKeys: 2,
  });
  fc.assert(
    fc.property(changes, (change) => {
      isFound(new RowScanner(() => {}), pageOf(rawRow(), { ...rawRow(), ...change }));
    }),
    { numRuns: 800 },
  );
});

describe('a row', () => {
  test('in the form of the document is found, whatever its notes', () => {
    for (const notes of [
      [],
      [{ key: 'merchant_order_ref', value: 'A 1' }],
      [{ key: 'a"b', value: 'Grüße \\ \u0000 😀' }],
      [{ key: uuid(5), value: '' }],
      [{ value: 'v', key: 'k' }],
      [{ key: 'k', value: 1 }],
      [{ key: 'k', value: 'v', more: 0.5 }],
      ['a note', [], null],
    ]) {
      expect(isFound(new RowScanner(() => {}), pageOf(rawRow({ notes })))).toBe(true);
    }
  });

  test.each([
    { transactionId: 'row 1' },
    { transactionId: uuid(1).toUpperCase().replace('0', 'A') },
    { transactionId: '00000000-0000-0000-0000-000000000000' },
    { settlementId: 'settlement' },
    { chargeId: '' },
    { orderId: null },
    { timestamp: '' },
    { timestamp: '2026-03-04' },
    { timestamp: '2026-00-04T12:00:00Z' },
    { timestamp: '2026-03-32T12:00:00Z' },
    { timestamp: '2026-03-04T24:00:00Z' },
    { timestamp: '2026-03-04T12:60:00Z' },
    { timestamp: '2026-03-04T12:00:00.Z' },
    { timestamp: '2026-03-04T12:00:00' },
    { transactionType: 'é' },
    { transactionType: 'a\\b' },
    { currencyCode: 'eur' },
    { decimalPlaces: 2 },
    { decimalPlaces: '12' },
    { amount: 0.5 },
    { amount: 1e15 },
    { amount: '1' },
    { notes: null },
    { unknown: 1 },
    { tax: undefined },
  ])('with %j is left to JSON.parse', (change) => {
    expect(foundIn(new RowScanner(() => {}), pageOf(rawRow(), rawRow(change)))).toBeUndefined();
  });

  test.each([
    ['"amount":1000', '"amount":01000'],
    ['"amount":1000', '"amount":1000.0'],
    ['"amount":1000', '"amount":1e3'],
    ['"amount":1000', '"amount":--1'],
    ['"amount":1000', '"amount":-0'],
    ['"amount":1000', '"amount":'],
    ['"amount":1000', '"amount":1000,"amount":1'],
    ['"amount"', '"\\u0061mount"'],
    ['{"chargeId"', '[{"chargeId"'],
    ['}]}', '},]}'],
    ['}]}', '}],"data":[]}'],
    ['}]}', '}],"data":[1]}'],
    ['{"status"', '{"other":{"data":[1]},"status"'],
    ['{"status"', '{"other":{"data":[]},"status"'],
  ])('in which %s is %s is left to JSON.parse', (from, to) => {
    const body = pageOf(rawRow()).replace(from, to);
    expect(body).not.toBe(pageOf(rawRow()));
    expect(foundIn(new RowScanner(() => {}), body)).toBeUndefined();
  });

  test('has the time in the form that all checks accept', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[Z.+\d:-]{1,8}$/),
        (timestamp) => {
          if (isFound(new RowScanner(() => {}), pageOf(rawRow({ timestamp })))) {
            expect(timestamp).toMatch(timestampForm);
          }
        },
      ),
      { numRuns: 800 },
    );
  });
});

describe('a list', () => {
  test('that belongs to another object than the answer is not read', () => {
    for (const other of ['[]', '[1]', '[2]', '{}', 'null', JSON.stringify([rawRow()])]) {
      const body = `{"other":{"data":[${JSON.stringify(rawRow())}]},"status":{"code":"0","response":"Success"},"data":${other}}`;
      expect(foundIn(new RowScanner(() => {}), body)).toBeUndefined();
    }
  });

  test('of a failure gives that failure', () => {
    const body = pageOf(rawRow()).replace('"0"', '"1001"');
    expect(foundIn(new RowScanner(() => {}), body)).toEqual(decodedFrom(body));
    expect(foundIn(new RowScanner(() => {}), body)).toHaveProperty('failure', 'authentication');
  });

  test('of a failure with the code of success gives that failure', () => {
    const body = pageOf(rawRow()).replace('"Success"', '"Fail"');
    expect(foundIn(new RowScanner(() => {}), body)).toEqual(decodedFrom(body));
    expect(foundIn(new RowScanner(() => {}), body)).toHaveProperty('policy', 'retry');
  });

  test('beside another word is found, and the word is noted', () => {
    const noted: unknown[] = [];
    const decoder = new RowScanner((odd) => noted.push(odd));
    expect(isFound(decoder, pageOf(rawRow()))).toBe(true);
    expect(noted).toEqual([]);
    expect(isFound(decoder, pageOf(rawRow()).replace('"Success"', '"OK"'))).toBe(true);
    expect(noted).toContainEqual({
      field: 'status.response',
      found: '"OK"',
      expected: '"Success"',
    });
  });

  test('with an invalid UTF-8 byte in a note is not JSON', () => {
    const body = Buffer.from(pageOf(rawRow({ notes: [{ key: 'k', value: 'é x' }] })));
    expect(isFound(new RowScanner(() => {}), body)).toBe(true);
    body[body.indexOf(' x')] = 0xff;
    expect(foundIn(new RowScanner(() => {}), body)).toBeUndefined();
    expect(decodedFrom(body)).toHaveProperty('policy', 'retry');
  });

  test('is recognised by the text around it', () => {
    const decoder = new RowScanner(() => {});
    expect(isFound(decoder, pageOf(rawRow()))).toBe(true);
    const failed = pageOf(rawRow()).replace('"0"', '"9"');
    expect(foundIn(decoder, failed)).toEqual(decodedFrom(failed));
    expect(isFound(decoder, `\ufeff${pageOf(rawRow())}`)).toBe(true);
    expect(isFound(decoder, pageOf(rawRow()))).toBe(true);
  });

  test('is left to JSON.parse if empty, and found if long', () => {
    expect(foundIn(new RowScanner(() => {}), pageOf())).toBeUndefined();
    expect(foundIn(new RowScanner(() => {}), pageOf(...Array(250).fill(rawRow())))).toHaveLength(
      250,
    );
  });

  test('on a page of more than 1 MiB is left to JSON.parse', () => {
    const pageOfLength = (length: number) =>
      pageOf(rawRow({ notes: [{ key: 'k', value: '' }] }), rawRow()).padEnd(length, ' ');
    const decoder = new RowScanner(() => {});
    expect(isFound(decoder, pageOfLength(1_048_576))).toBe(true);
    expect(foundIn(decoder, pageOfLength(1_048_577))).toBeUndefined();
    expect(isFound(decoder, pageOfLength(0))).toBe(true);
  });

  test('of more kinds of rows than can be kept is left to JSON.parse', () => {
    const decoder = new RowScanner(() => {});
    const ofKind = (number: number) => pageOf(rawRow({ state: `state ${number}` }));
    for (let number = 0; number < 40; number += 1) {
      expect(isFound(decoder, ofKind(number))).toBe(true);
    }
    const states = Array.from({ length: 40 }, (_, number) => rawRow({ state: `state ${number}` }));
    expect(foundIn(decoder, pageOf(...states))).toBeUndefined();
    expect(isFound(decoder, ofKind(0))).toBe(true);
  });
});
