import { describe, expect, test } from 'vitest';
import { uuid } from '../support/build.ts';
import { ask, bestCauses, complete, headerOver, row } from './ask.ts';

/** Rows of a shop at 2.5 % with 20 % tax on the fees, with gross amounts that don't add up to others. */
function shop(count: number) {
  return Array.from({ length: count }, (_, n) => {
    const gross = BigInt(10_00 + ((n * n * 7919 + n * 104_729) % 89_000));
    const fees = (gross * 25n + 500n) / 1000n;
    return row(n + 1, [gross, fees, fees / 5n]);
  });
}

const codesOf = (explained: ReturnType<typeof ask>) =>
  complete(explained).map(({ codes }) => codes.join(' + '));

describe('the shortest description comes first', () => {
  test('a missing row ranks first, though the two listed rows add up to its amounts', () => {
    const rows = [row(1, [100_00n, 2_50n, 50n]), row(2, [50_00n, 1_25n, 25n])];
    const header = { transactions: 3, gross: 300_00n, fees: 7_50n, tax: 1_50n };
    const explained = ask({ rows, header });
    expect(bestCauses(explained)).toEqual([{ code: 'missing_rows', facts: {} }]);
    expect(explained.certainty).toBe('likely');
  });

  test('a missing row costs little if its rates of fees and tax are those of the others', () => {
    const bitsOf = (fees: bigint, tax: bigint) => {
      const rows = shop(40);
      const explained = ask({
        rows,
        header: headerOver([...rows, row(99, [73_21n, fees, tax])], {}),
      });
      expect(explained.best).toMatchObject({ codes: ['missing_rows'], assumesAmounts: true });
      return explained.best?.bits ?? 0;
    };
    const plausible = bitsOf(1_83n, 36n);
    expect(bitsOf(0n, 0n)).toBeLessThan(plausible + 3);
    expect(bitsOf(-1_83n, -36n)).toBeGreaterThan(plausible + 8);
    expect(bitsOf(99_83n, 12_36n)).toBeGreaterThan(plausible + 15);
  });

  test('two rows counted twice are one of several causes if many pairs fit', () => {
    const rows = Array.from({ length: 60 }, (_, n) =>
      row(n + 1, [n % 2 ? 9_99n : 19_99n, 25n, 5n]),
    );
    const missing = [row(98, [9_99n, 25n, 5n]), row(99, [19_99n, 25n, 5n])];
    const explained = ask({ rows, header: headerOver([...rows, ...missing], {}) });
    expect(codesOf(explained)).toEqual(
      expect.arrayContaining(['missing_rows', 'row_counted_twice']),
    );
    expect(explained.certainty).toBe('one_of_several');
    // One pair only: it may well be the one that was counted twice.
    const few = shop(30);
    const twice = few.slice(3, 5);
    expect(codesOf(ask({ rows: few, header: headerOver([...few, ...twice], {}) }))[0]).toBe(
      'row_counted_twice',
    );
  });

  test('a wrong count among 250 rows is explained as a wrong count, not as rows', () => {
    const rows = shop(250);
    for (const by of [-3, -1, 1, 2]) {
      const explained = ask({ rows, header: { transactions: rows.length + by } });
      expect(bestCauses(explained)).toEqual([{ code: 'wrong_count', facts: { by } }]);
      expect(explained.certainty).toBe('certain');
    }
  });

  test('a row of another settlement with one more row ranks before any two rows', () => {
    const [stray, extra, ...others] = shop(30);
    if (stray === undefined || extra === undefined) throw new Error('no rows');
    const rows = [{ ...stray, settlementId: uuid(9) }, extra, ...others];
    const explained = ask({ rows, header: headerOver(others, {}) });
    expect(codesOf(explained).slice(0, 2)).toEqual([
      'foreign_settlement_rows + row_not_counted',
      'row_not_counted',
    ]);
  });

  test('a cause with a wrong count is explained by both', () => {
    const rows = shop(30).map((one, n) => (n % 10 === 3 ? { ...one, state: 'declined' } : one));
    const approved = headerOver(
      rows.filter(({ state }) => state === 'approved'),
      {},
    );
    const explained = ask({ rows, header: { ...approved, transactions: 20 } });
    expect(bestCauses(explained).map(({ code }) => code)).toEqual([
      'state_left_out',
      'wrong_count',
    ]);
  });
});

describe('the certainty', () => {
  test('one row among 250 alike: the cause is certain, the row is not', () => {
    const rows = Array.from({ length: 250 }, (_, n) => row(n + 1, [9_99n, 25n, 5n]));
    const explained = ask({ rows, header: headerOver(rows.slice(1), {}) });
    expect(explained.best).toMatchObject({ codes: ['row_not_counted'], candidates: 250, bits: 5 });
    expect(explained).toMatchObject({ certainty: 'one_of_several', rivals: [] });
  });

  test('one row among 250 different ones is certain', () => {
    const rows = shop(250);
    const rest = rows.filter((_, n) => n !== 100);
    const explained = ask({ rows, header: headerOver(rest, {}) });
    expect(explained).toMatchObject({ certainty: 'certain', mayBeChance: false });
  });

  test('a pair among 100 rows is certain; a pair among 5,000 may fit by chance', () => {
    const left = (count: number) => {
      const rows = shop(count);
      return ask({ rows, header: headerOver(rows.slice(2), {}) });
    };
    const chance = left(5000);
    expect(left(100)).toMatchObject({ certainty: 'certain', mayBeChance: false });
    expect(chance).toMatchObject({ certainty: 'one_of_several', mayBeChance: true });
    expect(chance.best?.codes).toEqual(['row_not_counted']);
  });
});
