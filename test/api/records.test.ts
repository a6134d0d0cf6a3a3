import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quoted } from '../../src/api/fields.ts';
import { decodeHeader, decodeRow, isUnreadable, sortTextOf } from '../../src/api/records.ts';
import { Secrets } from '../../src/base/secrets.ts';
import { fieldForms } from '../../src/model/source.ts';
import { buildRow, buildSettlement, uuid } from '../support/build.ts';
import { onTheWire, rawHeader, rawRow } from './raw.ts';

const kinds = [
  {
    name: 'header',
    raw: rawHeader(),
    decode: decodeHeader,
    id: uuid(1),
    amounts: { amountGross: 'gross', fees: 'fees', tax: 'tax', amountPayIn: 'payIn' },
    needed: ['settlementId', 'settlementDate', 'accountingToken', 'currencyCode'],
  },
  {
    name: 'row',
    raw: rawRow(),
    decode: decodeRow,
    id: uuid(1001),
    amounts: { amount: 'amount', fees: 'fees', tax: 'tax' },
    needed: ['transactionId', 'settlementId', 'currencyCode'],
  },
] as const;

describe.each(kinds)('a $name', ({ raw, decode, id, amounts, needed }) => {
  const amountFields = Object.entries(amounts);
  const read = (field: string, json: string | undefined): object =>
    decode(onTheWire(raw, field, json)).item;
  /** What is said of a field that can't be read. */
  const fault = (field: string, json: string | undefined) => {
    const result = read(field, json);
    expect(result).toHaveProperty('unreadable');
    return 'unreadable' in result ? result.unreadable : undefined;
  };

  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['1', 1n],
    ['-12', -12n],
    ['1e3', 1000n],
    ['12.00', 12n],
    ['9007199254740991', 9007199254740991n],
    ['-9007199254740991', -9007199254740991n],
  ])('has the amount %s exactly', (json, amount) => {
    for (const [field, name] of amountFields) {
      expect(read(field, json)).toHaveProperty(name, amount);
    }
  });

  test.each([
    ['0.5', '0.5'],
    ['-1.000001', '-1.000001'],
    ['9007199254740992', '9007199254740992'],
    ['-9007199254740993', '-9007199254740992'],
    ['1e400', 'null'],
    ['-1e400', 'null'],
    ['"1000"', '"1000"'],
    ['""', '""'],
    ['null', 'null'],
    ['true', 'true'],
    ['[1000]', '[1000]'],
    ['{}', '{}'],
    [undefined, 'nothing'],
  ])('with the amount %s is unreadable, and says which field', (json, found) => {
    for (const [field] of amountFields) {
      expect(fault(field, json)).toMatchObject({ record: id, field, found });
    }
  });

  test('has 0 to 18 decimal places, as a number or as a text', () => {
    for (let scale = 0; scale <= 18; scale += 1) {
      expect(read('decimalPlaces', String(scale))).toHaveProperty('scale', scale);
      expect(read('decimalPlaces', `"${scale}"`)).toHaveProperty('scale', scale);
    }
  });

  test.each([
    '""',
    '" "',
    '"2.0"',
    '" 2"',
    '"2 "',
    '"2\\n"',
    '"+2"',
    '"-0"',
    '"1e1"',
    '"0x2"',
    '"٢"',
    '"19"',
    '19',
    '-1',
    '2.5',
    '1e400',
    'null',
    'false',
    '[]',
    '[2]',
    '{}',
    undefined,
  ])('with the decimal places %s is unreadable, and never has 0 or 2', (json) => {
    expect(fault('decimalPlaces', json)).toMatchObject({ record: id, field: 'decimalPlaces' });
  });

  test.each(needed)('needs a %s', (field) => {
    for (const json of ['""', '" "', 'null', '7', '[]', undefined]) {
      expect(fault(field, json)).toMatchObject({ field });
    }
  });

  test('that is not an object is unreadable, and is quoted shortened and without secrets', () => {
    for (const value of [null, 1, 'text', true, [], [raw]]) {
      expect(decode(value).item).toMatchObject({ unreadable: { record: '', field: '' } });
    }
    const { item } = decode(`${'x'.repeat(75)}top-secret${'x'.repeat(500)}`);
    if (!('unreadable' in item)) throw new Error('it was read');
    const { found } = quoted(item.unreadable, new Secrets(['top-secret']));
    expect(found).toBe(`"${'x'.repeat(75)}[red…`);
  });

  test('that is nested without end is unreadable', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(decode(JSON.parse(deep)).item).toHaveProperty('unreadable');
    expect(fault('decimalPlaces', deep)).toMatchObject({ record: id, field: 'decimalPlaces' });
    // Where nothing depends on it, it isn't looked at.
    expect(read('whatever', deep)).not.toHaveProperty('unreadable');
  });

  test('has an order among its contents: readable contents come first', () => {
    const texts = [
      decode({ ...raw, decimalPlaces: '' }).item,
      decode({ ...raw, fees: 31 }).item,
      decode(raw).item,
    ].map(sortTextOf);
    expect(texts.toSorted()).toEqual([texts[2], texts[1], texts[0]]);
  });

  const fields = Object.keys(raw);
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('', ' ', '2', '2.0', '19', -0, 0.5, 2 ** 53, Number.MAX_SAFE_INTEGER),
  );
  const spoilt = fc.dictionary(fc.constantFrom(...fields, 'unknown', '__proto__'), odd);

  test('of any JSON values is read with exactly these amounts or unreadable, and nothing is thrown', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), spoilt), (change) => {
        const isChange = typeof change === 'object' && change !== null && !Array.isArray(change);
        const record: unknown = JSON.parse(
          JSON.stringify(isChange ? { ...raw, ...change } : change),
        );
        const { item, key } = decode(record);
        expect(key).not.toBe('');
        if ('unreadable' in item) {
          expect(fieldForms).toContain(item.unreadable.expected);
          return;
        }
        for (const [field, name] of [...amountFields, ['decimalPlaces', 'scale']] as const) {
          const sent = new Map(Object.entries(record as object)).get(field);
          const decoded = new Map<string, unknown>(Object.entries(item)).get(name);
          expect(String(decoded)).toBe(String(Number(sent)));
        }
      }),
      { numRuns: 1000 },
    );
  });
});

test('a header is read with all its fields', () => {
  expect(decodeHeader(rawHeader())).toMatchObject({ key: uuid(1), item: buildSettlement() });
});

test('a row is read with all its fields', () => {
  const note = { key: 'merchant_order_ref', value: 'A 1' };
  expect(decodeRow(rawRow({ notes: [note, note] }))).toMatchObject({
    key: uuid(1001),
    item: buildRow({ notes: [note, note] }),
  });
});

test('a field that has no amount may be missing, null or of another type', () => {
  const { settlementId, settlementDate, accountingToken, currencyCode, ...rest } = rawHeader();
  const { amountGross, fees, tax, amountPayIn, decimalPlaces, totalTransactions } = rest;
  const header = {
    ...{ settlementId, settlementDate, accountingToken, currencyCode },
    ...{ amountGross, fees, tax, amountPayIn, decimalPlaces, totalTransactions },
  };
  const lists = { paymentReferences: [], paymentEndToEndIds: [] };
  const texts = { merchantId: '', paymentService: '', status: '' };
  expect(decodeHeader(header).item).toEqual(buildSettlement({ ...lists, ...texts }));
  expect(
    decodeHeader({
      ...header,
      merchantId: 17,
      settlementStatus: null,
      paymentService: {},
      paymentReferences: 'PMT-1',
      paymentEndToEndIds: [1, null, 'E2E-1'],
    }).item,
  ).toEqual(
    buildSettlement({
      ...lists,
      ...texts,
      merchantId: '17',
      paymentEndToEndIds: ['1', '', 'E2E-1'],
    }),
  );
  expect(
    decodeRow(rawRow({ notes: [null, 'x', { key: 1 }], state: null, timestamp: 5 })).item,
  ).toEqual(buildRow({ notes: [{ key: '1', value: '' }], state: '', timestamp: '5' }));
});

test.each<[string, boolean]>([
  ['2026-03-05', true],
  ['2026-03-05T23:30:00-05:00', true],
  ['2026-03-05 23:30', true],
  ['2026-02-29', false],
  ['2026-13-01T00:00:00Z', false],
  ['05.03.2026', false],
  ['20260305', true],
  ['20260305T101530Z', true],
  ['2026-03-05t10:15:30z', true],
  ['2026-0305', false],
  ['202603-05', false],
  ['202603051', false],
  ['20260229', false],
  ['2026-03-051', false],
  ['', false],
])('the settlement date %s is read: %s', (settlementDate, isRead) => {
  const { item } = decodeHeader(rawHeader({ settlementDate }));
  expect('timestamp' in item && item.timestamp).toBe(isRead && settlementDate);
});

test.each<[unknown, boolean]>([
  [0, true],
  [-0, true],
  [100_000, true],
  [-1, false],
  [0.5, false],
  ['1', false],
  [null, false],
])('the number of transactions %s is read: %s', (totalTransactions, isRead) => {
  expect(isUnreadable(decodeHeader(rawHeader({ totalTransactions })).item)).toBe(!isRead);
});

describe('the digest of a row', () => {
  const digest = (record: object) =>
    JSON.stringify([decodeRow(record).high, decodeRow(record).low]);

  test('changes with every field that is kept', () => {
    const changes: Readonly<Record<string, unknown>> = {
      chargeId: 'x',
      orderId: 'x',
      settlementId: 'x',
      timestamp: 'x',
      transactionType: 'x',
      paymentType: 'x',
      state: 'x',
      currencyCode: 'x',
      decimalPlaces: '3',
      amount: 1001,
      fees: 31,
      tax: 7,
      notes: [{ key: 'a', value: 'b' }],
    };
    const digests = Object.entries(changes).map(([field, value]) =>
      digest(rawRow({ [field]: value })),
    );
    expect(new Set([digest(rawRow()), ...digests]).size).toBe(digests.length + 1);
  });

  test('does not change with fields that are not kept, nor with the form of a number', () => {
    expect(digest(rawRow({ decimalPlaces: 2, unknown: 1 }))).toBe(digest(rawRow()));
    expect(digest(rawRow({ amount: -0 }))).toBe(digest(rawRow({ amount: 0 })));
  });

  test('that is unreadable changes with all that the row holds', () => {
    const spoilt = (unknown: number) => digest(rawRow({ decimalPlaces: '', unknown }));
    expect(spoilt(1)).toBe(spoilt(1));
    expect(spoilt(1)).not.toBe(spoilt(2));
  });
});

test('a record without a readable id is named by its contents', () => {
  const keys = [undefined, null, 7, ''].map(
    (transactionId) => decodeRow(rawRow({ transactionId, amount: 1 })).key,
  );
  expect(new Set(keys).size).toBe(4);
  expect(decodeRow(rawRow({ transactionId: 'row 1', amount: 0.5 })).key).toBe('row 1');
});
