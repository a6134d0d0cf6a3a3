import { firstRecords } from '../base/csv-records.ts';
import { cut } from '../base/texts.ts';
import { writtenAmount } from '../money/decimal.ts';
import { orderPresets, presetIn } from './presets.ts';

/** Whether the cells may be names of columns, not data, which could be personal. */
function isHeader(cells: readonly string[]): boolean {
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
    .map((cell, at) =>
      areNames && cell !== ''
        ? cut(cell.replace(/[\p{C}\s]+/gu, ' '), longestName)
        : `column ${at + 1}`,
    );
}

/** Why an export cannot be matched with any mapping; undefined for others. */
export function unusableExport(cells: readonly string[]): string | undefined {
  const isAnalytics = cells.includes('Order #') && cells.some((one) => /^n(et|\.) /i.test(one));
  return isAnalytics
    ? 'This is an export of WooCommerce Analytics. Its net sales are not what customers were charged, and it has no currency and no payment method.'
    : undefined;
}

/** A mapping that fits a header, as far as it is known. */
export interface MappingProposal {
  readonly delimiter: string;
  readonly preset: keyof typeof orderPresets | undefined;
  /** Keys with the columns that they may mean; none with a preset. */
  readonly columns: readonly (readonly [key: string, column: string])[];
  /** Required keys for which no column was recognised. */
  readonly open: readonly string[];
  /** All columns, as `columnNames` has them. */
  readonly names: readonly string[];
}

/** The usual names of columns in other exports. */
const usualNames: readonly (readonly [key: string, name: RegExp])[] = [
  ['order', /^(order[ _]?(#|no\.?|number|ref\w*)|increment_id|reference|order)$/i],
  ['date', /^(order[ _]?date|date|created[ _]at|purchase date)\b/i],
  ['paid_at', /^(paid[ _]?(at|date)|date[ _]paid)$/i],
  ['total', /^(order[ _]total|grand[ _]total|total|amount_total)\b/i],
  ['currency', /currency/i],
  ['method', /^payment[ _]method$/i],
  ['status', /status$/i],
  ['refunded', /^(total )?refund(ed)?\b.*(amount)?$/i],
  ['charge', /^transaction[ _]id$/i],
];

/** Proposes a mapping for the first line of an order file. */
export function proposedMapping(line: string): MappingProposal {
  const counted = [',', ';', '\t', '|'].map((one) => [line.split(one).length, one] as const);
  const [, delimiter] = counted.reduce((most, one) => (one[0] > most[0] ? one : most));
  const [{ cells } = { cells: [] as readonly string[] }] = firstRecords(
    line,
    { delimiter, skip_lines: 0 },
    1,
  );
  const preset = presetIn(cells);
  const known = preset || !isHeader(cells) ? [] : usualNames;
  const columns = known.flatMap(([key, name]) => {
    const column = cells.find((cell) => name.test(cell));
    return column === undefined ? [] : [[key, column] as const];
  });
  const found: readonly string[] = [
    ...(preset ? Object.keys(orderPresets[preset]) : []),
    ...columns.map(([key]) => key),
  ];
  const needed = ['order', 'date', 'total', 'currency', 'method'];
  const open = needed.filter((key) => !found.includes(key));
  return { delimiter, preset, columns, open, names: columnNames(cells) };
}
