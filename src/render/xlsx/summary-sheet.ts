import type { CellStyle, WriteSheet } from 'hucre/xlsx';
import type { TextBlock } from '../../report/common/workbook.ts';
import type { CellWriter, WrittenCell } from './cell-writer.ts';
import { answerStyle, bold, rowHeights, titleStyle } from './styles.ts';

/** A line of the sheet: what it is about, and what is to be said. */
type Line = readonly [label: string, text: string, style?: CellStyle];

/** Characters of the two columns, which fit on a page, and room beside the text. */
const widths = [22, 90] as const;
const besideText = 4;

/** Lines that what is written larger takes. */
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
