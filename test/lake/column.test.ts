import { describe, expect, it } from 'vitest';
import { viewOf } from '../../src/base/byte-writer.ts';
import { bufferColumn, TooLargeError } from '../../src/lake/parquet-file.ts';
import type { ColumnForm } from '../../src/lake/tables.ts';

/** Adds a value to a new column, and gives the data of the column. */
function buffered(form: Parameters<typeof bufferColumn>[1], value: unknown) {
  const column = bufferColumn('gross', form);
  column.add({ gross: value, settlement_id: 'a' });
  return column.data().data;
}

/** Adds values to a new column one by one; nothing is lost if it was filled and emptied before. */
function bufferedAll(name: string, form: ColumnForm, values: readonly unknown[]) {
  const column = bufferColumn(name, form);
  for (const value of values.toReversed()) column.add({ [name]: value });
  column.clear();
  expect([...column.data().data]).toEqual([]);
  for (const value of values) column.add({ [name]: value });
  return [...column.data().data];
}

/** The number that 16 bytes are in two's complement. */
function decimalOf(bytes: unknown): bigint | null {
  if (bytes === null) return null;
  expect(bytes).toHaveLength(16);
  return BigInt.asIntN(128, BigInt(`0x${Buffer.from(bytes as Uint8Array).toString('hex')}`));
}

describe('a column', () => {
  it.each([
    ['decimal', 10n ** 38n - 1n],
    ['decimal', -(10n ** 38n - 1n)],
    ['bigint', 2n ** 63n - 1n],
    ['bigint', -(2n ** 63n - 1n)],
  ] as const)('of type %s holds %s', (form, value) => {
    expect(() => buffered(form, value)).not.toThrow();
  });

  it.each([
    ['decimal', 10n ** 38n],
    ['decimal', -(10n ** 38n)],
    ['bigint', 2n ** 63n],
    ['bigint', -(2n ** 63n)],
  ] as const)('of type %s refuses %s, and names the settlement', (form, value) => {
    expect(() => buffered(form, value)).toThrow(TooLargeError);
    expect(() => buffered(form, value)).toThrow(`Settlement a has an amount that is too large`);
  });

  it('takes null only if it may be empty', () => {
    expect(() => buffered('decimal?', null)).not.toThrow();
    expect(() => buffered('decimal', null)).toThrow(RangeError);
  });

  it('gives back every amount in its place, and empty ones as null', () => {
    const minors = [1n, null, -1n, 0n, 2n ** 63n - 1n, -(2n ** 63n - 1n), null, 12_345n];
    expect(bufferedAll('gross', 'bigint?', minors)).toEqual(minors);
    expect(bufferedAll('time', 'time?', minors)).toEqual(minors);
    const most = 10n ** 38n - 1n;
    const decimals = [...minors, 2n ** 63n, 2n ** 64n, -(2n ** 64n), most, -most, null, 7n];
    expect(bufferedAll('gross', 'decimal?', decimals).map(decimalOf)).toEqual(decimals);
    const whole = minors.filter((minor) => minor !== null);
    expect(bufferedAll('gross', 'bigint', whole)).toEqual(whole);
  });

  it.each(['text', 'unique_text', 'id'] as const)('gives back every %s in its place', (form) => {
    const texts = ['a', '', 'ñ 漢 😀', 'x'.repeat(3000), '', 'b'];
    const found = bufferedAll('notes', form, texts).map((text) =>
      Buffer.from(text as string).toString(),
    );
    expect(found).toEqual(texts);
  });

  it.each(['text?', 'unique_text?', 'id?'] as const)('gives back null of a %s', (form) => {
    const [first, second, third] = bufferedAll('notes', form, ['a', null, '']);
    expect([`${first}`, second, `${third}`]).toEqual(['a', null, '']);
  });

  it('gives back texts that are bytes among others', () => {
    const bytes = Buffer.from('before|ñ 漢|after');
    const view = viewOf(bytes);
    const column = bufferColumn('notes', 'unique_text');
    for (const start of [7, 7, 13]) column.add({ notes: { view, start, end: 13 } });
    const found = [...column.data().data].map((text) => Buffer.from(text as Uint8Array).toString());
    expect(found).toEqual(['ñ 漢', 'ñ 漢', '']);
  });

  it.each<[ColumnForm, unknown]>([
    ['integer', 1.5],
    ['integer', 2 ** 31],
    ['integer', '1'],
    ['integer', undefined],
    ['bigint', 1],
    ['decimal', '1'],
    ['boolean', 1],
    ['boolean?', undefined],
    ['text', 1],
    ['text?', undefined],
    ['text', null],
    ['id', 1],
    ['unique_text', null],
  ])('of type %s refuses %j, which is of another kind', (form, value) => {
    expect(() => buffered(form, value)).toThrow(RangeError);
  });

  it.each<[ColumnForm, unknown]>([
    ['integer', 2 ** 31 - 1],
    ['integer', -(2 ** 31)],
    ['integer', 0],
    ['boolean', false],
    ['boolean?', null],
    ['integer?', null],
  ])('of type %s holds %j', (form, value) => {
    expect(buffered(form, value)).toEqual([value]);
  });
});
