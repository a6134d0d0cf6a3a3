import { isUuid } from '../../base/uuid.ts';
import { type Value, valueText } from '../../model/value.ts';
import { type Amount, magnitude } from '../../money/money.ts';
import { facts, listed } from './blocks.ts';
import { type CellKind, figureAt, type Records } from './columns.ts';
import { capitalised, many, present } from './phrase.ts';
import type {
  Block,
  Section,
  SheetCell,
  SheetColumn,
  TableSheet,
  TextBlock,
  Tone,
} from './view.ts';

/** The most rows of a sheet. CSV files have no limit. */
export const maxSheetRows = 50_000;

/** Whether a spreadsheet, which keeps 15 digits of a number, keeps it exactly. */
export function isExactNumber(minor: bigint): boolean {
  return magnitude(minor) < 10n ** 15n;
}

export interface TableColumn<Row> extends SheetColumn {
  readonly kind?: CellKind;
  readonly cell: (row: Row) => Value | SheetCell;
}

type Columns<Row> = readonly TableColumn<Row>[];

/** A sheet of rows. Cells without a kind are texts, counts or amounts by their values; an amount may be minor units at its row's scale. */
export function tableSheet<Row>(name: string, rows: readonly Row[], columns: Columns<Row>) {
  return {
    name,
    columns: columns.map(({ cell: _, kind: __, ...column }) => column),
    rows: rows.map((row) =>
      columns.map(({ kind, cell }) => {
        const value = cell(row);
        const isFigure = typeof value === 'bigint' && (kind === 'amount' || kind === 'difference');
        return sheetCell(isFigure ? figureAt(row, value) : value, kind);
      }),
    ),
  };
}

function sheetCell(value: Value | SheetCell, kind: CellKind = 'text'): SheetCell {
  if (typeof value === 'object' && 'kind' in value) return value;
  if (typeof value === 'number' || typeof value === 'bigint') {
    return { kind: kind === 'difference' ? kind : 'count', minor: BigInt(value), scale: 0 };
  }
  if (typeof value === 'object' && 'minor' in value) {
    const { minor, scale }: Amount = value;
    return { kind: kind === 'difference' ? kind : 'amount', minor, scale };
  }
  const text = valueText(value);
  const isDate = kind === 'day' && /^\d{4}-\d{2}-\d{2}$/.test(text) && text >= '1900-03-01';
  return isDate && !Number.isNaN(Date.parse(text)) ? { kind: 'date', day: text } : text;
}

/** Records as a sheet, a column for each of theirs: `settlement_id` is Settlement id. */
export function recordsSheet(name: string, { columns, rows }: Records): TableSheet {
  return {
    name,
    columns: columns.map(({ key }) => ({ title: titleOf(key) })),
    rows: Array.from(rows, (row) => columns.map(({ kind }, at) => sheetCell(row[at], kind))),
  };
}

/** The title of a column of records: `settlement_id` is Settlement id. */
export function titleOf(key: string): string {
  return capitalised(key.replaceAll('_', ' ').replace('pay in', 'pay-in'));
}

/** A table of a view as a sheet. If it was cut to `maxSheetRows`, its last row says so. */
export function sectionSheet(name: string, { columns, rows, note }: Section): TableSheet {
  const totals = rows.filter(({ isTotal }) => isTotal).length;
  const cut = rows.length - totals === maxSheetRows && note ? [[note]] : [];
  const toned = rows.flatMap(({ cells: [first], tone }) =>
    first && tone ? [[valueText(first), tone]] : [],
  );
  const tones: Readonly<Record<string, Tone>> = Object.fromEntries(toned);
  const lines = rows.map(({ cells }) => columns.map(({ kind }, at) => sheetCell(cells[at], kind)));
  return {
    name,
    columns: columns.map(({ title }, at) => ({ title, ...(at === 0 && { isKey: true, tones }) })),
    rows: [...lines, ...cut],
    totals: totals + cut.length,
  };
}

/** The blocks of a view without its tables. */
export function textBlocks(view: readonly Block[]): readonly TextBlock[] {
  return view.flatMap((block) => (block.kind === 'section' ? [] : [block]));
}

/** The end of the summary: amounts written as texts, texts that were cut, and the time, as ISO 8601, if requested. */
export function writeNotes(longAmounts: number, cutTexts: number, madeAt: string | undefined) {
  const amounts = many(longAmounts, 'amount has', 'amounts have');
  const texts = many(cutTexts, 'text is', 'texts are');
  const notes = present(
    longAmounts > 0 &&
      `${amounts} more than 15 digits and ${longAmounts === 1 ? 'is' : 'are'} written as text, ` +
        'because a spreadsheet would round such a number.',
    cutTexts > 0 && `${texts} longer than a cell and cut; --format json has the whole text.`,
  );
  return textBlocks([...listed('About this workbook', notes), facts([['Created', madeAt]])]);
}

/** Whether a formula finds exactly this text: `<5` and `*` are operators in criteria, and `007` matches 7. */
export function isFoundAsIs(text: string): boolean {
  return isUuid(text) || (/^[a-z][\w-]*$/i.test(text) && !/^(?:true|false)$/i.test(text));
}

/** Whether a spreadsheet gets the exact sum of these minor units, rounded to their scale: each addition is off by 2^-53 of it at most. */
export function addsUpExactly(amounts: readonly bigint[]): boolean {
  const sum = amounts.reduce((total, minor) => total + magnitude(minor), 0n);
  return amounts.every(isExactNumber) && sum * BigInt(amounts.length) < 2n ** 51n;
}

/** The letters of a column in formulas. RangeError if the sheet does not have the title. */
export function columnLetters(columns: readonly SheetColumn[], title: string): string {
  const index = columns.findIndex((column) => column.title === title);
  if (index < 0) throw new RangeError(`No column ${title}`);
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : `${String.fromCharCode(64 + Math.floor(index / 26))}${last}`;
}

type SheetHead = Pick<TableSheet, 'name' | 'columns'>;

/** The cells of a column below its title, in formulas on any sheet: `Settlements!$C$2:$C$41`. */
export function columnRange({ name, columns }: SheetHead, title: string, rows: number): string {
  const letters = columnLetters(columns, title);
  const sheet = /^\w+$/.test(name) ? name : `'${name}'`;
  return `${sheet}!$${letters}$2:$${letters}$${rows + 1}`;
}
