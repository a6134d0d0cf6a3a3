import type { FeesReport } from '../../app/fees-report.ts';
import { type FeeLine, linesBy } from '../../reconcile/agreed/check-fees.ts';
import { records } from '../common/columns.ts';
import type { SheetCell, TableSheet } from '../common/view.ts';
import { isExactNumber, recordsSheet } from '../common/workbook.ts';
import { feeLines, lineColumns } from './records.ts';

/** Fees by account, payment type and type; claims, and totals by currency, are formulas over them. */
export function feesSheet(report: FeesReport): TableSheet {
  const lines = feeLines(report);
  const sums = linesBy(report.fees.lines, ({ currency }) => {
    return { accountingToken: 'Total', currency, paymentType: '', type: '' };
  });
  const sheet = recordsSheet('Fees', records(lineColumns(report), [...lines, ...sums]));
  const titles = sheet.columns.map(({ title }) => title);
  const letterOf = (title: string) => String.fromCharCode(65 + titles.indexOf(title));
  const formulaCell = (formula: string, minor: bigint, scale: number): SheetCell => {
    const result = { kind: 'amount', minor, scale } as const;
    if (!isExactNumber(minor)) return result;
    return { kind: 'formula', formula: `ROUND(${formula},${scale})`, result };
  };
  const claimCell = ({ over, taxOver, scale }: FeeLine, row: number) =>
    formulaCell(`${letterOf('Over')}${row}+${letterOf('Tax over')}${row}`, over + taxOver, scale);
  const rangeOf = (letter: string) => `$${letter}$2:$${letter}$${lines.length + 1}`;
  /** Sums up the amounts above a total. Other codes than these may be operators in criteria. */
  const sumCell = (cell: SheetCell, at: number, { currency }: FeeLine, row: number) => {
    const isSum = typeof cell !== 'string' && cell.kind === 'amount' && /^[A-Z]{3}$/.test(currency);
    if (!isSum) return cell;
    const own = letterOf('Currency');
    const criteria = `${rangeOf(own)},$${own}${row}`;
    const amounts = rangeOf(letterOf(titles[at] ?? ''));
    return formulaCell(`SUMIFS(${amounts},${criteria})`, cell.minor, cell.scale);
  };
  // The titles are in row 1.
  const rows = [...lines, ...sums].map((line, index) => {
    const cells = sheet.rows[index] ?? [];
    const isTotal = index >= lines.length;
    const own = isTotal ? cells.map((cell, at) => sumCell(cell, at, line, index + 2)) : cells;
    return [...own, claimCell(line, index + 2)];
  });
  return { ...sheet, columns: [...sheet.columns, { title: 'Claim' }], rows, totals: sums.length };
}
