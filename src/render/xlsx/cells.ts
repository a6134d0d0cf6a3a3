import type { CellStyle, ConditionalRule, Cell as WritableCell } from 'hucre/xlsx';
import { cut } from '../../base/texts.ts';
import { formatMinor } from '../../money/money.ts';
import type { NumberCell, SheetCell, Tone } from '../../report/common/view.ts';
import { isExactNumber } from '../../report/common/workbook.ts';
import { type Inert, inert } from '../inert.ts';
import { widest, wrap } from '../wrap.ts';

/** A cell as it is written. */
export interface WrittenCell
  extends Pick<WritableCell, 'value' | 'formula' | 'formulaResult' | 'richText'> {
  readonly style: CellStyle;
  /** Characters of its widest line. */
  readonly width: number;
  readonly lines: number;
}

interface CellForm {
  /** Characters at which its text is broken into lines; absent where it stays on one. */
  readonly wrapsAt?: number | undefined;
  readonly isTotal?: boolean;
}

/** A cell holds 32,767 characters, including the mark of a cut text. */
const longestText = 32_766;

/** Writes the cells of one workbook. What a spreadsheet would silently change or drop is written otherwise, and counted. */
export class CellWriter {
  /** Amounts that are written as texts, because a spreadsheet would round them. */
  longAmounts = 0;
  /** Texts that are longer than a cell. */
  cutTexts = 0;
  /** The same object for the same look. */
  readonly #styles = new Map<string, CellStyle>();

  written(cell: SheetCell, form: CellForm = {}): WrittenCell {
    if (typeof cell === 'string') return this.#text(cell, form);
    if (cell.kind === 'date') {
      const value = new Date(`${cell.day}T00:00:00Z`);
      const style = this.#style('yyyy-mm-dd', form, 'left');
      return { value, style, width: cell.day.length, lines: 1 };
    }
    if (cell.kind !== 'formula') return this.#number(cell, form);
    const { value, ...written } = this.#number(cell.result, form);
    // A total that is too long for a number can't be a formula either.
    if (typeof value !== 'number') return { value, ...written };
    return { ...written, value: null, formula: cell.formula, formulaResult: value };
  }

  #number(cell: NumberCell, form: CellForm): WrittenCell {
    const { minor, scale } = cell;
    const digits = formatMinor(minor, scale);
    const width = digits.length + Math.floor(digits.length / 3);
    if (isExactNumber(minor)) {
      const style = this.#style(numberFormat(cell), form);
      return { value: Number(digits), style, width, lines: 1 };
    }
    this.longAmounts += 1;
    return { value: digits, style: this.#style('@', form, 'right'), width, lines: 1 };
  }

  #text(text: string, form: CellForm): WrittenCell {
    // A cell of the format `@` stays text, also where it begins like a formula and is edited.
    const style = this.#style('@', form, 'left');
    if (text === '') return { value: null, style, width: 0, lines: 1 };
    const seen = this.#seen(text);
    const shown = form.wrapsAt === undefined ? [seen] : wrap(seen, form.wrapsAt);
    const size = { width: widest(shown), lines: shown.length };
    const value = readAsIs(seen);
    // The library would make an error of the name of one, but for a text in runs.
    if (value.startsWith('#')) return { value, richText: [{ text: value }], style, ...size };
    return { value, style, ...size };
  }

  /** Nothing in it acts, and a cell can hold it. */
  #seen(text: string): Inert {
    const seen = inert(text);
    if (seen.length > longestText) this.cutTexts += 1;
    return cut(seen, longestText) as Inert;
  }

  #style(
    numFmt: string,
    { wrapsAt, isTotal = false }: CellForm,
    horizontal?: 'left' | 'right',
  ): CellStyle {
    const key = `${numFmt} ${wrapsAt === undefined} ${isTotal} ${horizontal}`;
    const known = this.#styles.get(key);
    if (known) return known;
    const style: CellStyle = {
      numFmt,
      alignment: {
        vertical: 'top',
        ...(wrapsAt !== undefined && { wrapText: true }),
        ...(horizontal && aligned(horizontal)),
      },
      ...(isTotal && totalStyle),
    };
    this.#styles.set(key, style);
    return style;
  }
}

/** The text as readers of the format get it back: to them `_x0041_` is an A, and U+FFFF no XML. */
function readAsIs(text: string): string {
  return text.replace(/[\ufffe\uffff]/g, '\ufffd').replace(/_x(?=[\dA-Fa-f]{4}_)/g, '_x005F_x');
}

function numberFormat({ kind, scale }: NumberCell): string {
  const digits = scale === 0 ? '#,##0' : `#,##0.${'0'.repeat(scale)}`;
  return kind === 'difference' ? `+${digits};-${digits};${digits}` : digits;
}

const font = { name: 'Calibri', size: 11 } as const;

export const bold: CellStyle = { font: { ...font, bold: true }, alignment: { vertical: 'top' } };

/** The title of a sheet that is read from top to bottom. */
export const titleStyle: CellStyle = { font: { ...font, bold: true, size: 14 } };

const totalStyle: CellStyle = {
  font: { ...font, bold: true },
  border: { top: { style: 'thin' } },
};

/** Texts are indented to stand apart from a number in the column before. */
function aligned(horizontal: 'left' | 'right'): NonNullable<CellStyle['alignment']> {
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

/** Some fonts need more than the usual height. */
const pointsOfLine = 17;
