import { describe, expect, test } from 'vitest';
import type { NumberCell, SheetCell } from '../../../src/report/common/view.ts';
import {
  addsUpExactly,
  recordsSheet,
  withFormulas,
  withRunningTotals,
  withTotals,
} from '../../../src/report/common/workbook.ts';

describe('amounts that a spreadsheet adds up exactly', () => {
  const largest = 10n ** 15n - 1n;

  test.each([
    ['none', [], true],
    ['usual ones', [12_345n, -678n], true],
    ['the largest number, alone', [largest], true],
    ['one that is no number', [largest + 1n], false],
    ['two of the largest: no bit is left for their sum', [largest, largest], false],
    ['large ones of opposite signs, which are added one by one', [largest, -largest], false],
    ['many, each far from the limit', Array.from({ length: 50_000 }, () => 10n ** 9n), false],
  ] as const)('are or are not: %s', (_, amounts, isExact) => {
    expect(addsUpExactly(amounts)).toBe(isExact);
  });
});

const euros = (minor: bigint, scale = 2): NumberCell => ({ kind: 'amount', minor, scale });
const count = (minor: bigint): NumberCell => ({ kind: 'count', minor, scale: 0 });
const titled = (...titles: readonly string[]) => titles.map((title) => ({ title }));

function formulaOf(cell: SheetCell | undefined) {
  return typeof cell === 'object' && cell.kind === 'formula' ? cell.formula : undefined;
}

describe('formulas', () => {
  const entries = {
    name: 'Bank entries',
    columns: titled('Account', 'Currency', 'Amount'),
    rows: [
      ['DE1', 'EUR', euros(100n)],
      ['DE1', 'USD', euros(7n)],
      ['DE1', 'EUR', euros(-30n)],
      ['007', 'EUR', euros(1n)],
    ] as const,
  };
  const accounts = (account: string, amount: bigint, check = 0n) => ({
    name: 'Bridge',
    columns: titled('Account', 'Currency', 'Amount', 'Other', 'Check'),
    rows: [[account, 'EUR', euros(amount), euros(50n), euros(check)]] as const,
  });
  const origins = {
    Amount: { of: entries, by: ['Account', 'Currency'] },
    Check: ['Amount', '- Other'],
  };
  const formulasFor = (account: string, amount: bigint, check: bigint) =>
    withFormulas(accounts(account, amount, check), origins).rows[0]?.map(formulaOf);

  test('add up the rows of another sheet, and cells of their own row', () => {
    const [, , amount, , check] = formulasFor('DE1', 70n, 20n) ?? [];
    expect(amount).toBe(
      "ROUND(SUMIFS('Bank entries'!$C$2:$C$5,'Bank entries'!$A$2:$A$5,$A2,'Bank entries'!$B$2:$B$5,$B2),2)",
    );
    expect(check).toBe('ROUND($C2-$D2,2)');
  });

  test.each([
    ['give another amount', 'DE1', 71n, 22n],
    ['may take a text for a number', '007', 1n, 0n],
  ])('stand nowhere where they %s', (_, account, amount, check) => {
    expect(formulasFor(account, amount, check)).toEqual(Array.from({ length: 5 }));
  });

  test('add up a sheet by currency, at the most decimal places, and counts only if asked to', () => {
    const columns = titled('Name', 'Currency', 'Amount', 'Rows', 'Days');
    const rows = [
      ['a', 'EUR', euros(105n), count(2n), count(9n)],
      ['b', 'EUR', euros(1n, 0), count(3n), count(9n)],
      ['c', 'JPY', euros(5n, 0), count(1n), ''],
    ] as const;
    const { rows: written, totals } = withTotals({ name: 'Data', columns, rows }, ['Rows']);
    expect(totals).toBe(2);
    expect(written.slice(3)).toEqual([
      [
        'Total',
        'EUR',
        { kind: 'formula', formula: expect.stringContaining('$B5'), result: euros(205n) },
        { kind: 'formula', formula: expect.anything(), result: count(5n) },
        '',
      ],
      ['Total', 'JPY', ...[euros(5n, 0), count(1n)].map(resultOf), ''],
    ]);
  });

  test('add up a ladder from one total to the next', () => {
    const columns = titled('Step', 'Amount');
    const rows = [
      ['Sold', euros(100n)],
      ['missing', euros(-10n)],
      ['Settled', euros(90n)],
      ['pending', euros(-40n)],
      ['Paid', euros(50n)],
    ] as const;
    const ladder = withRunningTotals(
      { name: 'L', columns, rows },
      'Amount',
      (row) => row === 2 || row === 4,
    );
    expect(ladder.rows.map(([, cell]) => formulaOf(cell))).toEqual([
      undefined,
      undefined,
      'ROUND(SUM(B2:B3),2)',
      undefined,
      'ROUND(SUM(B4:B5),2)',
    ]);
  });
});

const resultOf = (result: NumberCell) => ({ kind: 'formula', formula: expect.anything(), result });

test('a sheet of records has names before tokens, and lists to choose from', () => {
  const columns = ['accounting_token', 'accounting_name', 'decision'].map((key) => {
    return { key, kind: 'text' } as const;
  });
  const rows = [
    ['t1', 'Shop', ''],
    ['t2', undefined, ''],
  ];
  const choices = { decision: ['accept'] };
  const sheet = recordsSheet('Decisions', { columns, rows }, { choices });
  expect(sheet.columns.map(({ title }) => title)).toEqual(['Account', 'Decision', 'Account id']);
  expect(sheet.columns.map((one) => one.isUnprinted)).toEqual([false, false, true]);
  expect(sheet.columns[1]?.choices).toEqual(['accept']);
  expect(sheet.rows.map(([account]) => account)).toEqual(['Shop', 't2']);
});
