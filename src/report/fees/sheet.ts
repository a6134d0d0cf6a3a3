import type { FeesReport } from '../../app/fees-report.ts';
import { type FeeLine, linesBy } from '../../reconcile/agreed/fee-line.ts';
import { accountName } from '../common/report.ts';
import type { SheetCell, TableSheet } from '../common/view.ts';
import { isExactNumber, type TableColumn, tableSheet } from '../common/workbook.ts';
import { feeLines } from './records.ts';

const amounts = [
  ['Volume', 'volume'],
  ['Charged', 'charged'],
  ['Agreed', 'agreed'],
  ['Over', 'over'],
  ['Under', 'under'],
  ['Tax charged', 'taxCharged'],
  ['Tax agreed', 'taxAgreed'],
  ['Tax over', 'taxOver'],
  ['Tax under', 'taxUnder'],
] as const;

const counts = [
  ['Rows', 'rows'],
  ['Without a rate', 'withoutRate'],
] as const;

/** Fees by account, payment type and type, with totals by currency: formulas where they give the exact result. */
export function feesSheet(report: FeesReport): TableSheet {
  const lines = feeLines(report);
  const sums = linesBy(report.fees.lines, ({ currency }) => ({ currency }));
  const all: readonly FeeLine[] = [...lines, ...sums];
  const titles = ['Account', 'Currency', 'Payment type', 'Type', ...counts.map(([title]) => title)];
  const letterOf = (title: string) =>
    String.fromCharCode(65 + [...titles, ...amounts.map(([one]) => one)].indexOf(title));
  // The titles are in row 1.
  const rowOf = (line: FeeLine) => all.indexOf(line) + 2;
  const formulaCell = (line: FeeLine, formula: string, minor: bigint, scale = line.scale) => {
    const kind = scale === 0 ? 'count' : 'amount';
    return { kind: 'formula', formula, result: { kind, minor, scale } } as const;
  };
  const sumCell = (line: FeeLine, title: string, minor: bigint, scale: number): SheetCell => {
    const value: SheetCell = { kind: 'amount', minor, scale };
    const isSafe = /^[A-Z]{3}$/.test(line.currency) && isExactNumber(minor);
    if (!sums.some((sum) => sum === line) || !isSafe) return value;
    const range = (column: string) => `$${column}$2:$${column}$${lines.length + 1}`;
    const criteria = `${range(letterOf('Currency'))},$${letterOf('Currency')}${rowOf(line)}`;
    const formula = `ROUND(SUMIFS(${range(letterOf(title))},${criteria}),${scale})`;
    return formulaCell(line, formula, minor, scale);
  };
  /** The sum or the difference of two cells of a line. */
  const ofTwo =
    (one: string, sign: '+' | '-', other: string, minor: (line: FeeLine) => bigint) =>
    (line: FeeLine): SheetCell => {
      const row = rowOf(line);
      const formula = `ROUND(${letterOf(one)}${row}${sign}${letterOf(other)}${row},${line.scale})`;
      return isExactNumber(minor(line))
        ? formulaCell(line, formula, minor(line))
        : { kind: 'amount', minor: minor(line), scale: line.scale };
    };
  const isSum = (line: FeeLine) => sums.some((sum) => sum === line);
  const columns: readonly TableColumn<FeeLine>[] = [
    {
      title: 'Account',
      cell: (line) => (isSum(line) ? 'Total' : accountName(report.names, line.accountingToken)),
      isKey: true,
    },
    { title: 'Currency', cell: ({ currency }) => currency, isKey: true },
    { title: 'Payment type', cell: (line) => (isSum(line) ? '' : line.paymentType) },
    { title: 'Type', cell: (line) => (isSum(line) ? '' : line.type) },
    ...counts.map(([title, name]) => ({
      title,
      cell: (line: FeeLine) => sumCell(line, title, BigInt(line[name]), 0),
    })),
    ...amounts.map(([title, name]) => ({
      title,
      cell: (line: FeeLine) => sumCell(line, title, line[name], line.scale),
    })),
    {
      title: 'Difference',
      cell: ofTwo('Charged', '-', 'Agreed', ({ charged, agreed }) => charged - agreed),
    },
    { title: 'Claim', cell: ofTwo('Over', '+', 'Tax over', ({ over, taxOver }) => over + taxOver) },
  ];
  return { ...tableSheet('Fees', all, columns), totals: sums.length };
}
