import { groupedBy, largestOf } from '../../base/lists.ts';
import { isUuid } from '../../base/uuid.ts';
import { type Value, valueText } from '../../model/value.ts';
import { type Amount, magnitude, rescale } from '../../money/money.ts';
import { facts, listed } from './blocks.ts';
import { type CellKind, figureAt, type Records } from './columns.ts';
import { capitalised, many, present } from './phrase.ts';
import type {
  Block,
  NumberCell,
  Section,
  SheetCell,
  SheetColumn,
  TableSheet,
  TextBlock,
  Tone,
} from './view.ts';
import { keyWords } from './words.ts';

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

interface RecordsLayout {
  /** Columns by their keys: texts that are broken into lines, and texts to choose from. */
  readonly prose?: readonly string[];
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Columns at the end, for the screen only, beside the ids of accounts and the like. */
  readonly aside?: readonly string[];
}

const alwaysAside = ['accounting_token', 'merchant_id', 'decimal_places'];

/** Records as a sheet, a column for each of theirs: `settlement_id` is Settlement id. The name of an account comes before its token. */
export function recordsSheet(
  name: string,
  { columns, rows }: Records,
  { prose = [], choices = {}, aside = [] }: RecordsLayout = {},
): TableSheet {
  const isAside = (at: number) => [...alwaysAside, ...aside].includes(columns[at]?.key ?? '');
  const order = [...columns.keys()].sort((a, b) => Number(isAside(a)) - Number(isAside(b)));
  const token = columns.findIndex(({ key }) => key === 'accounting_token');
  return {
    name,
    columns: order.map((at) => {
      const { key = '' } = columns[at] ?? {};
      const title = titleOf(key);
      const [isProse, isUnprinted] = [prose.includes(key), isAside(at)];
      return { title, isProse, isUnprinted, choices: choices[key] ?? [] };
    }),
    rows: Array.from(rows, (row) =>
      order.map((at) => {
        const { key, kind } = columns[at] ?? {};
        return sheetCell(row[at] ?? (key === 'accounting_name' ? row[token] : undefined), kind);
      }),
    ),
  };
}

/** The title of a column of records: `settlement_id` is Settlement id, `pay_in` Net pay-out. */
export function titleOf(key: string): string {
  return capitalised(keyWords(key));
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

/**
 * What a formula adds up to the amounts of a column: columns of the same row, of which those after a `-` are
 * subtracted; or the column of the same title, or of another, over the rows of a sheet with the same texts.
 */
type Origin =
  | readonly string[]
  | {
      readonly of: TableSheet;
      readonly title?: string;
      readonly by: readonly string[];
      readonly isLess?: boolean;
    };

/** The sheet with formulas in place of the amounts that are exactly what these add up to. */
export function withFormulas(
  sheet: TableSheet,
  origins: Readonly<Record<string, Origin | ((row: number) => Origin | undefined)>>,
  /** The place of its first row: the titles are in row 1. */
  first = 2,
): TableSheet {
  const { columns, rows } = sheet;
  const placeOf = ({ columns: all }: SheetHead) => {
    const places = new Map(all.map(({ title }, at) => [title, at]));
    return (title: string) => places.get(title) ?? -1;
  };
  const [place, cellAt] = [
    placeOf(sheet),
    (title: string, row: number) => `$${columnLetters(columns, title)}${first + row}`,
  ];
  const formulaFor = (origin: Origin, title: string, cells: readonly SheetCell[], at: number) => {
    const numberAt = (one: string) => numberOf(cells[place(one)]);
    if (!('of' in origin)) {
      const all = origin.map((term) => {
        return [term.startsWith('-'), term.replace(/^[-+] */, '')] as const;
      });
      const terms = all.filter(([, of]) => place(of) >= 0);
      const numbers = terms.flatMap(([isLess, of]) => {
        const number = numberAt(of);
        return number ? { ...number, minor: isLess ? -number.minor : number.minor } : [];
      });
      const formula = terms.map(([isLess, of]) => (isLess ? '-' : '+') + cellAt(of, at)).join('');
      return [formula.replace(/^\+/, ''), numbers] as const;
    }
    const { of, by, title: from = title, isLess = false } = origin;
    const other = placeOf(of);
    const texts = by.map((one) => String(cells[place(one)]));
    if (!texts.every(isFoundAsIs) || other(from) < 0) return undefined;
    // A spreadsheet takes capitals and small letters as the same.
    const isLike = (row: readonly SheetCell[]) =>
      by.every((one, k) => `${row[other(one)]}`.toLowerCase() === texts[k]?.toLowerCase());
    const numbers = of.rows.filter(isLike).flatMap((row) => numberOf(row[other(from)]) ?? []);
    const criteria = by.map((one) => [one, cellAt(one, at)] as const);
    const signed = numbers.map((one) => ({ ...one, minor: isLess ? -one.minor : one.minor }));
    return [`${isLess ? '-' : ''}${sumWhere(of, from, criteria)}`, signed] as const;
  };
  return {
    ...sheet,
    rows: rows.map((cells, at) =>
      cells.map((cell, column) => {
        const { title = '' } = columns[column] ?? {};
        const [given, result] = [origins[title], numberOf(cell)];
        const origin = typeof given === 'function' ? given(at) : given;
        const found = origin && result && formulaFor(origin, title, cells, at);
        return found && result ? formulaCell(found[0], result, found[1]) : cell;
      }),
    ),
  };
}

/** A formula, rounded to the scale of its result; the result alone unless a spreadsheet gets exactly that from the parts. */
function formulaCell(formula: string, result: NumberCell, parts: readonly NumberCell[]) {
  const scale = largestOf([result.scale, ...parts.map((one) => one.scale)]);
  const minors = parts.map((one) => rescale(one.minor, one.scale, scale));
  const sum = minors.reduce((total, minor) => total + minor, 0n);
  const isSum = sum === rescale(result.minor, result.scale, scale);
  if (!isSum || !addsUpExactly(minors)) return result;
  return { kind: 'formula', formula: `ROUND(${formula},${scale})`, result } as const;
}

/** The sheet with formulas in the rows that are totals: each adds up the column of amounts above it, from the last such row on. */
export function withRunningTotals(
  sheet: TableSheet,
  title: string,
  isTotal: (row: number) => boolean,
): TableSheet {
  const letters = columnLetters(sheet.columns, title);
  const at = sheet.columns.findIndex((one) => one.title === title);
  let first = 0;
  const rows = sheet.rows.map((cells, row) => {
    const result = numberOf(cells[at]);
    if (!isTotal(row) || !result) return cells;
    const above = sheet.rows.slice(first, row).flatMap((one) => numberOf(one[at]) ?? []);
    const formula = `SUM(${letters}${first + 2}:${letters}${row + 1})`;
    first = row;
    const total = formulaCell(formula, result, above);
    return cells.map((cell, column) => (column === at ? total : cell));
  });
  return { ...sheet, rows };
}

/** The sum of a column over the rows whose texts are those of some cells: `SUMIFS(…)`. */
function sumWhere(
  sheet: TableSheet,
  title: string,
  criteria: readonly (readonly [title: string, cell: string])[],
): string {
  const range = (of: string) => columnRange(sheet, of, sheet.rows.length);
  return `SUMIFS(${[range(title), ...criteria.flatMap(([of, cell]) => [range(of), cell])]})`;
}

/** The sheet without those of these columns that are 0 in each row: paper needs the room. */
export function withoutZeros(sheet: TableSheet, titles: readonly string[]): TableSheet {
  const { columns, rows } = sheet;
  const isSeen = [...columns.entries()].map(
    ([at, { title }]) => !titles.includes(title) || rows.some((row) => numberOf(row[at])?.minor),
  );
  const kept = <One>(all: readonly One[]) => all.filter((_, at) => isSeen[at]);
  return { ...sheet, columns: kept(columns), rows: rows.map(kept) };
}

/** The amount of a cell, or its count. */
function numberOf(cell: SheetCell | undefined): NumberCell | undefined {
  if (typeof cell !== 'object' || cell.kind === 'date') return undefined;
  return cell.kind === 'formula' ? cell.result : cell;
}

/**
 * The sheet with the sums of its amounts by currency as its last rows. Of the columns, by their titles, `counts` add
 * up too, and `rates` do not.
 */
export function withTotals(
  sheet: TableSheet,
  counts: readonly string[] = [],
  rates: readonly string[] = [],
): TableSheet {
  const { columns, rows } = sheet;
  // The sum of a list that was cut would not be that of the list.
  if (sheet.totals) return sheet;
  const at = columns.findIndex(({ title }) => title === 'Currency');
  const sums = [...groupedBy(rows, (row) => row[at])].map(([currency = '', own]) =>
    columns.map(({ title }, column): SheetCell => {
      if (column === at) return currency;
      const numbers = own.flatMap((row) => numberOf(row[column]) ?? []);
      const [{ kind } = { kind: 'count' as const }] = numbers;
      const isSummed = kind === 'count' ? counts.includes(title) : !rates.includes(title);
      if (!isSummed) return column === 0 ? 'Total' : '';
      const scale = largestOf(numbers.map((one) => one.scale));
      const minor = numbers.reduce((sum, one) => sum + rescale(one.minor, one.scale, scale), 0n);
      return { kind, minor, scale };
    }),
  );
  const by = ['Currency'];
  const origins = Object.fromEntries(columns.map(({ title }) => [title, { of: sheet, by }]));
  const totals = withFormulas({ ...sheet, rows: sums }, origins, rows.length + 2);
  return { ...sheet, rows: [...rows, ...totals.rows], totals: sums.length };
}
