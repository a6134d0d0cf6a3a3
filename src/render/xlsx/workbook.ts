import { type CellStyle, colToLetter, type WriteSheet, writeXlsx } from 'hucre/xlsx';
import type { TableSheet, TextBlock, Views, Workbook } from '../../report/common/view.ts';
import { writeNotes } from '../../report/common/workbook.ts';
import { inert } from '../inert.ts';
import type { RenderOptions } from '../renderer.ts';
import {
  answerStyle,
  bold,
  CellWriter,
  rowHeights,
  titleStyle,
  type WrittenCell,
} from './cells.ts';
import { writtenTable } from './table-sheet.ts';

/** The time in the properties unless one is asked for: the same data give the same bytes. */
const noTime = '2000-01-01T00:00:00Z';

/** The workbook of a report. RangeError for a report that has none. */
export async function renderViews(
  { workbook }: Views,
  options: RenderOptions,
): Promise<Uint8Array> {
  if (!workbook) throw new RangeError('the report has no workbook');
  return renderWorkbook(workbook(), options);
}

/** The bytes of a workbook. Throws ReconError `usage` for one with more rows than a sheet has. */
export async function renderWorkbook(
  { title, summary, tables }: Workbook,
  { paper = 'a4', madeAt }: Pick<RenderOptions, 'paper' | 'madeAt'>,
): Promise<Uint8Array> {
  const cells = new CellWriter();
  const written = tables.map((table) => writtenTable(table, cells));
  // Only now it is known what there is to say of the writing.
  const { longAmounts, cutTexts } = cells;
  const blocks = [...summary, ...writeNotes({ longAmounts, cutTexts, madeAt })];
  const shownTitle = inert(title);
  const made = new Date(madeAt ?? noTime);
  const footer = `&L${shownTitle.replaceAll('&', '&&')}&C&A&RPage &P of &N`;
  const sheets = [writtenSummary(shownTitle, blocks, cells), ...written];
  return writeXlsx({
    properties: { title: shownTitle, creator: 'recon', created: made, modified: made },
    sheets: sheets.map((sheet) => ({
      ...sheet,
      headerFooter: { oddFooter: footer },
      pageSetup: {
        paperSize: paper,
        orientation: 'landscape',
        fitToPage: true,
        fitToWidth: 1,
        fitToHeight: 0,
        margins: { left: 0.4, right: 0.4, top: 0.5, bottom: 0.6 },
      },
    })),
    namedRanges: tables.flatMap(printedRanges),
  });
}

/** The printed area and the titles on each page, by the names that spreadsheets know. */
function printedRanges({ name, columns, rows }: TableSheet) {
  const place = `'${name.replaceAll("'", "''")}'!`;
  const last = colToLetter(columns.filter(({ isUnprinted }) => !isUnprinted).length - 1);
  return [
    { name: '_xlnm.Print_Area', scope: name, range: `${place}$A$1:$${last}$${rows.length + 1}` },
    { name: '_xlnm.Print_Titles', scope: name, range: `${place}$1:$1` },
  ];
}

type Line = readonly [label: string, text: string, style?: CellStyle];

const widths = [22, 90] as const;
const besideText = 4;

const answerLines = 1.4;

/** The sheet `Summary`: labels on the left, and beside them what there is to say. */
export function writtenSummary(
  title: string,
  blocks: readonly TextBlock[],
  cells: CellWriter,
): WriteSheet {
  const lines: readonly Line[] = blocks.flatMap((block) => [['', ''], ...linesOf(block)]);
  const written = new Map<string, WrittenCell>([
    ['0,0', { ...cells.written(title), style: titleStyle }],
  ]);
  const heights = new Map([[0, answerLines]]);
  for (const [index, [label, text, style]] of lines.entries()) {
    const said = cells.written(text, { wrapsAt: widths[1] });
    written.set(`${index + 1},0`, { ...cells.written(label), style: bold });
    written.set(`${index + 1},1`, style ? { ...said, style } : said);
    heights.set(index + 1, style ? answerLines : said.lines);
  }
  return {
    name: 'Summary',
    columns: widths.map((width) => ({ width: width + besideText })),
    cells: written,
    rowDefs: rowHeights(heights),
  };
}

function linesOf(block: TextBlock): readonly Line[] {
  switch (block.kind) {
    case 'answer':
      return [
        ['Result', block.label, answerStyle(block.tone)],
        ['', block.text],
      ];
    case 'facts':
      return block.facts;
    case 'remarks':
      return block.remarks.map(({ text }, index) => [index === 0 ? block.title : '', text]);
  }
}
