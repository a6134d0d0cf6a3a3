import { describe, expect, it } from 'vitest';
import { holdColumn, TooLargeError } from '../../src/lake/held-column.ts';

/** Adds a value to a new column, and gives what the column holds. */
function held(form: Parameters<typeof holdColumn>[1], value: unknown) {
  const column = holdColumn('gross', form);
  column.add({ gross: value, settlement_id: 'a' });
  return column.data();
}

describe('a column', () => {
  it.each([
    ['decimal', 10n ** 38n - 1n],
    ['decimal', -(10n ** 38n - 1n)],
    ['bigint', 2n ** 63n - 1n],
    ['bigint', -(2n ** 63n - 1n)],
  ] as const)('of type %s holds %s', (form, value) => {
    expect(() => held(form, value)).not.toThrow();
  });

  it.each([
    ['decimal', 10n ** 38n],
    ['decimal', -(10n ** 38n)],
    ['bigint', 2n ** 63n],
    ['bigint', -(2n ** 63n)],
  ] as const)('of type %s refuses %s, and names the settlement', (form, value) => {
    expect(() => held(form, value)).toThrow(TooLargeError);
    expect(() => held(form, value)).toThrow(`Settlement a has an amount that is too large`);
  });

  it('takes null only if it may be empty', () => {
    expect(() => held('decimal?', null)).not.toThrow();
    expect(() => held('decimal', null)).toThrow(RangeError);
  });
});
