import { colToLetter, writeXlsx } from 'hucre/xlsx';
import { blocksOfWriting, type TableSheet, type Workbook } from '../../report/common/workbook.ts';
import { inert } from '../inert.ts';
import type { Renderer, RenderOptions } from '../renderer.ts';
import { CellWriter } from './cell-writer.ts';
import { writtenSummary } from './summary-sheet.ts';
import { writtenTable } from './table-sheet.ts';

/** A workbook, for whoever goes on calculating. */
export const xlsx: Renderer = {
  report: async function* (views, options) {
    if (!views.workbook) throw new RangeError('the report has no workbook');
    yield await renderWorkbook(views.workbook(), options);
  },
};

/** The same data give the same bytes: where nobody asks for the time, its properties have this one. */
const noTime = '2000-01-01T00:00:00Z';

/** The bytes of a workbook. Throws ReconError `usage` for one with more rows than a sheet has. */
export async function renderWorkbook(
  { title, summary, tables }: Workbook,
  { paper = 'a4', madeAt }: Pick<RenderOptions, 'paper' | 'madeAt'>,
): Promise<Uint8Array> {
  const cells = new CellWriter();
  const written = tables.map((table) => writtenTable(table, cells));
  // Only now it is known what there is to say of the writing.
  const { longAmounts, cutTexts } = cells;
  const blocks = [...summary, ...blocksOfWriting({ longAmounts, cutTexts, madeAt })];
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

/** What is printed of a table, and its titles on each page: by the names that spreadsheets know. */
function printedRanges({ name, columns, rows }: TableSheet) {
  const place = `'${name.replaceAll("'", "''")}'!`;
  const last = colToLetter(columns.filter(({ isUnprinted }) => !isUnprinted).length - 1);
  return [
    { name: '_xlnm.Print_Area', scope: name, range: `${place}$A$1:$${last}$${rows.length + 1}` },
    { name: '_xlnm.Print_Titles', scope: name, range: `${place}$1:$1` },
  ];
}
