import { cut } from '../base/texts.ts';
import { writtenAmount } from '../money/written-amount.ts';

/** Whether the cells may be the names of columns: data in them could be somebody's own. */
export function isHeader(cells: readonly string[]): boolean {
  return !cells.some(isData);
}

function isData(cell: string): boolean {
  const isAmount = (['.', ','] as const).some((decimal) => writtenAmount(cell, { decimal }));
  return cell.includes('@') || isAmount || /\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/.test(cell);
}

const mostNamed = 100;
const longestName = 60;

/** The columns of a first line, named only if it is a header: `Name, Total` or `column 1, column 2`. */
export function columnNames(cells: readonly string[]): readonly string[] {
  const areNames = isHeader(cells);
  return cells
    .slice(0, mostNamed)
    .map((cell, at) => (areNames && cell !== '' ? cut(cell, longestName) : `column ${at + 1}`));
}

/** Why an export cannot be matched, whatever its mapping; undefined for any other. */
export function unusableExport(cells: readonly string[]): string | undefined {
  const isAnalytics = cells.includes('Order #') && cells.some((one) => /^n(et|\.) /i.test(one));
  return isAnalytics
    ? 'This is an export of WooCommerce Analytics. Its net sales are not what customers were charged, and it has no currency and no payment method.'
    : undefined;
}
