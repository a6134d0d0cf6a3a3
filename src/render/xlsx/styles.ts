import type { CellStyle, ConditionalRule } from 'hucre/xlsx';
import type { Tone } from '../../report/common/view.ts';

/** What everything is written in. */
const font = { name: 'Calibri', size: 11 } as const;

export const bold: CellStyle = { font: { ...font, bold: true }, alignment: { vertical: 'top' } };

/** The title of a sheet that is read from top to bottom. */
export const titleStyle: CellStyle = { font: { ...font, bold: true, size: 14 } };

export const totalStyle: CellStyle = {
  font: { ...font, bold: true },
  border: { top: { style: 'thin' } },
};

/** At one side of a cell; at the left, apart from a figure in the column before. */
export function aligned(horizontal: 'left' | 'right'): NonNullable<CellStyle['alignment']> {
  return horizontal === 'left' ? { horizontal, indent: 1 } : { horizontal };
}

/** The title of a column, above its cells. */
export function headerStyle(horizontal: 'left' | 'right'): CellStyle {
  return {
    font: { ...font, bold: true },
    fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'E7EBF0' } },
    // A gap of white keeps titles apart that fill their columns.
    border: { bottom: { style: 'thin' }, left: { style: 'medium', color: { rgb: 'FFFFFF' } } },
    alignment: { ...aligned(horizontal), vertical: 'bottom', wrapText: true },
  };
}

/** Text and ground of a tone, as spreadsheets colour what is good, bad and neutral; only what is off has a ground. */
const colours: Readonly<Partial<Record<Tone, readonly [text: string, ground?: string]>>> = {
  good: ['006100'],
  bad: ['9C0006', 'FFC7CE'],
  unsure: ['9C5700', 'FFEB9C'],
};

/** How a rule colours cells of a tone; undefined for a tone without a colour. */
export function ruleStyle(tone: Tone): ConditionalRule['style'] {
  const [text, ground] = colours[tone] ?? [];
  if (text === undefined) return undefined;
  const font = { color: { rgb: text } };
  // In a rule, a solid fill is its background.
  return ground === undefined
    ? { font }
    : { font, fill: { type: 'pattern', pattern: 'solid', bgColor: { rgb: ground } } };
}

/** The answer, in the colour of its tone. */
export function answerStyle(tone: Tone): CellStyle {
  const [text] = colours[tone] ?? [];
  return {
    ...bold,
    font: { ...font, bold: true, size: 14, ...(text !== undefined && { color: { rgb: text } }) },
  };
}

/** Rows of more than one line as high as they have to be: not every program finds that out by itself. */
export function rowHeights(lines: ReadonlyMap<number, number>): Map<number, { height: number }> {
  return new Map([...lines].map(([row, count]) => [row, { height: pointsOfLine * count }]));
}

/** With room for fonts that take more than the usual one, where a computer lacks that. */
const pointsOfLine = 17;
