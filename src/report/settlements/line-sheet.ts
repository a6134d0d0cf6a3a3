import { rateScale } from '../../money/rate.ts';
import { isOfRows, type Parts, type SplitName } from '../../reconcile/split.ts';
import {
  amountCell,
  dateCell,
  type SheetCell,
  type TableColumn,
  type TableSheet,
  tableSheet,
} from '../common/workbook.ts';
import { sums } from './account-sheet.ts';
import {
  feeRateOf,
  isByAccount,
  type Line,
  linesOf,
  type RowLine,
  rowLinesOf,
  splitsOf,
} from './lines.ts';
import { partCells, tokenTitle } from './parts.ts';
import type { SettlementsReport } from './report.ts';
import { amountsInOrder, figureTitle, type ProfileReport } from './settlement-sheets.ts';

/** The totals as they are split, of all reports; nothing where they are those of the sheet of accounts. */
export function lineSheets(reports: readonly ProfileReport[]): readonly TableSheet[] {
  const splits = reports.slice(0, 1).flatMap(({ report }) => splitsOf(report));
  if (isByAccount(splits)) return [];
  return isOfRows(splits)
    ? [sheetOf(reports, splits, rowLinesOf, rowLineColumns)]
    : [sheetOf(reports, splits, linesOf, lineColumns)];
}

/** One sheet of the lines of all reports: what each is about, and its figures. */
function sheetOf<One extends Parts>(
  reports: readonly ProfileReport[],
  splits: readonly SplitName[],
  linesIn: (report: SettlementsReport) => readonly One[],
  figures: readonly TableColumn<One>[],
): TableSheet {
  const rows = reports.flatMap(({ profile = '', report }) => {
    const parts = partCells(report.names, splits);
    return linesIn(report).map((line) => ({
      line,
      profile,
      part: (title: string) => parts.find((one) => one.title === title)?.value(line) ?? '',
    }));
  });
  type Row = (typeof rows)[number];
  const titles = partCells(new Map(), splits).map(({ title }) => title);
  const columns: readonly TableColumn<Row>[] = [
    ...(rows.some(({ profile }) => profile !== '') ? [profileColumn] : []),
    ...titles
      .filter((title) => title !== tokenTitle)
      .map((title) => ({
        title,
        cell: ({ part }: Row) => partCell(title, part(title)),
        isKey: true,
      })),
    ...figures.map((figure) => ({ ...figure, cell: ({ line }: Row) => figure.cell(line) })),
    ...titles
      .filter((title) => title === tokenTitle)
      .map((title) => ({ title, cell: ({ part }: Row) => part(title), isUnprinted: true })),
  ];
  return tableSheet(`By ${splits.join(', ')}`, rows, columns);
}

const profileColumn = {
  title: 'Profile',
  cell: ({ profile }: { readonly profile: string }) => profile,
  isKey: true,
};

function partCell(title: string, text: string): SheetCell {
  return title === 'Date' ? dateCell(text) : text;
}

const lineColumns: readonly TableColumn<Line>[] = [
  ...sums.map(({ title, kind, value, isUnprinted = false }) => ({
    title,
    isUnprinted,
    cell: (line: Line) => {
      const minor = value(line);
      return minor === undefined ? '' : { kind, minor, scale: kind === 'count' ? 0 : line.scale };
    },
  })),
  ...(['reported', 'computed'] as const).map((side) => ({
    title: `Fees % ${side}`,
    isUnprinted: true,
    cell: ({ fees, gross }: Line) => amountCell(feeRateOf(fees[side], gross[side]), rateScale),
  })),
];

const rowLineColumns: readonly TableColumn<RowLine>[] = [
  {
    title: 'Rows',
    cell: ({ transactions }) => ({ kind: 'count', minor: BigInt(transactions), scale: 0 }),
  },
  ...amountsInOrder.map((measure) => ({
    title: figureTitle(measure, 'computed'),
    cell: (line: RowLine) => amountCell(line[measure], line.scale),
  })),
  {
    title: 'Fees %',
    cell: ({ fees, gross }) => amountCell(feeRateOf(fees, gross), rateScale),
  },
];
