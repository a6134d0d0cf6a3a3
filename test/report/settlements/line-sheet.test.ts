import { expect, test } from 'vitest';
import type { SheetCell } from '../../../src/report/common/workbook.ts';
import { lineSheets } from '../../../src/report/settlements/line-sheet.ts';
import type { SettlementsReport } from '../../../src/report/settlements/report.ts';
import { settlementsViews } from '../../../src/report/settlements/view.ts';
import { idOf, lisbon, porto, reconciled, report, settlement } from '../build-report.ts';

const twoDays = report([
  reconciled(settlement({ id: idOf(1) })),
  reconciled(settlement({ id: idOf(2), date: '2026-03-05', accountingToken: porto })),
]);

/** As a person reads a cell: numbers of this kind at their scale. */
function read(cell: SheetCell | undefined): string {
  if (cell === undefined || typeof cell === 'string') return cell ?? '';
  if (cell.kind === 'date') return `day ${cell.day}`;
  return cell.kind === 'formula' ? cell.formula : `${cell.kind} ${cell.minor}/${cell.scale}`;
}

/** The only sheet, a record a row. */
function only(reports: Parameters<typeof lineSheets>[0]) {
  const [sheet, ...others] = lineSheets(reports);
  if (!sheet || others.length > 0) throw new Error('not one sheet');
  const cellsOf = (row: readonly SheetCell[]) =>
    sheet.columns.map(({ title }, at) => [title, read(row[at])]);
  return { ...sheet, records: sheet.rows.map((row) => Object.fromEntries(cellsOf(row))) };
}

test('lines by day have dates, and numbers at the scale of their currency', () => {
  const { name, columns, records } = only([{ report: { ...twoDays, splits: ['day'] } }]);
  expect(name).toBe('By day');
  expect(columns.filter(({ isKey }) => isKey).map(({ title }) => title)).toEqual([
    'Date',
    'Currency',
  ]);
  expect(records).toMatchObject([
    { Date: 'day 2026-03-04', Balanced: 'count 1/0', 'Gross reported': 'amount 10000/2' },
    { Date: 'day 2026-03-05', 'Pay-in difference': 'difference 0/2' },
  ]);
  expect(records[0]?.['Fees % reported']).toBe('amount 15000/4');
});

test('accounts have their names first and their tokens last', () => {
  const { columns, records } = only([{ report: { ...twoDays, splits: ['account', 'month'] } }]);
  expect(columns.slice(0, 3).map(({ title }) => title)).toEqual(['Account', 'Month', 'Currency']);
  expect(columns.at(-1)).toMatchObject({ title: 'Accounting token', isUnprinted: true });
  expect(records.map((one) => one['Month'])).toEqual(['2026-03', '2026-03']);
});

const rowTotal = {
  date: '2026-03-04',
  accountingToken: lisbon,
  currency: 'EUR',
  type: 'purchase',
  paymentType: 'card',
  scale: 2,
  count: 3,
  gross: 100_00n,
  fees: 1_40n,
  tax: 28n,
};

/** Split by payment type. */
const byPayment: SettlementsReport = {
  ...twoDays,
  run: { ...twoDays.run, rowTotals: [rowTotal] },
  splits: ['payment'],
};

test('lines by payment type are of rows, with the profile where there are several', () => {
  const { records, columns } = only([
    { profile: 'spain', report: byPayment },
    { profile: 'italy', report: byPayment },
  ]);
  expect(columns.map(({ title }) => title).join(', ')).toBe(
    'Profile, Payment type, Currency, Rows, Pay-in computed, Gross computed, Fees computed, Tax computed, Fees %',
  );
  expect(records.map((one) => one['Profile'])).toEqual(['spain', 'italy']);
  expect(records[0]).toMatchObject({
    Rows: 'count 3/0',
    'Gross computed': 'amount 10000/2',
    'Fees %': 'amount 14000/4',
  });
});

test('the workbook has the sheet beside that of the accounts, and says how to read it', () => {
  const workbook = settlementsViews(byPayment, 'group').workbook?.();
  expect(workbook?.tables.map(({ name }) => name).slice(0, 2)).toEqual(['Accounts', 'By payment']);
  expect(JSON.stringify(workbook?.summary)).toContain('Fees % is fees as a percentage of gross');
});

test('by account there is no such sheet', () => {
  expect(lineSheets([{ report: { ...twoDays, splits: ['account'] } }])).toEqual([]);
  expect(lineSheets([{ report: twoDays }])).toEqual([]);
});
