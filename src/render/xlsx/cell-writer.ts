import type { CellStyle, Cell as WritableCell } from 'hucre/xlsx';
import { cut } from '../../base/texts.ts';
import { formatMinor } from '../../money/money.ts';
import { isExactNumber, type NumberCell, type SheetCell } from '../../report/common/workbook.ts';
import { type Inert, inert } from '../inert.ts';
import { widest, wrap } from '../wrap.ts';
import { aligned, totalStyle } from './styles.ts';

/** A cell as it is written. */
export interface WrittenCell
  extends Pick<WritableCell, 'value' | 'formula' | 'formulaResult' | 'richText'> {
  readonly style: CellStyle;
  /** Characters of its widest line. */
  readonly width: number;
  readonly lines: number;
}

/** How a cell stands in its sheet. */
interface CellForm {
  /** Characters at which its text is broken into lines; absent where it stays on one. */
  readonly wrapsAt?: number | undefined;
  readonly isTotal?: boolean;
}

/** A cell holds 32,767 characters, the mark of a cut one among them. */
const longestText = 32_766;

/**
 * Writes the cells of one workbook, each checked: what a spreadsheet would change or drop without a word is
 * written otherwise, and counted.
 */
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

/** With the decimals of the amount, and a sign in front of a difference. */
function numberFormat({ kind, scale }: NumberCell): string {
  const digits = scale === 0 ? '#,##0' : `#,##0.${'0'.repeat(scale)}`;
  return kind === 'difference' ? `+${digits};-${digits};${digits}` : digits;
}
