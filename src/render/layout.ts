import type { Section, SectionColumn } from '../report/common/view.ts';
import { type Inert, inert } from './inert.ts';
import { alignedNumbers, widest } from './wrap.ts';

/** A column that is shown. */
export interface Fitted {
  /** Its place in the section. */
  readonly index: number;
  readonly column: SectionColumn<Inert>;
  /** From top to bottom, numbers as people read them: what is measured is what is shown. */
  readonly cells: readonly Inert[];
  readonly width: number;
}

/** Texts are not wrapped to less than this, as long as there is room. */
const readable = 12;

interface Sized extends Fitted {
  readonly least: number;
  /** Where no id is broken. */
  readonly whole: number;
  readonly most: number;
}

/** A longer word than an id may be broken to make room. */
const longestId = 36;

/**
 * Chooses the columns of a section for a screen of `width` columns. Digits are never cut or
 * wrapped, so what doesn't fit is left out: columns of one priority stand or go together, the most
 * important ones first, and an id is whole before a less important column has its place. The room
 * that remains goes to texts that would be wrapped.
 */
export function fitColumns(section: Section<Inert>, width: number, gap: number): readonly Fitted[] {
  const sized = sizes(section);
  const chosen: Sized[] = [];
  let room = width + gap;
  for (const priority of new Set(sized.map(({ column }) => column.priority))) {
    const level = sized.filter(({ column }) => column.priority === priority);
    const needed = (size: 'least' | 'whole') =>
      level.reduce((sum, one) => sum + one[size] + gap, 0);
    const size = needed('whole') <= room ? 'whole' : 'least';
    if (needed(size) > room && priority > 1) continue;
    chosen.push(...level.map((one) => ({ ...one, width: one[size] })));
    room -= needed(size);
  }
  // `room` is less than nothing where the screen is too narrow: then texts give way.
  const widened = chosen.map((one) => {
    const { column, width, most } = one;
    const extra = column.kind === 'text' ? Math.max(Math.min(room, most - width), 1 - width) : 0;
    room -= extra;
    return { ...one, width: width + extra };
  });
  return widened.sort((a, b) => a.index - b.index);
}

/** By priority, then from left to right. */
function sizes({ columns, rows }: Section<Inert>): readonly Sized[] {
  return columns
    .map((column, index) => {
      const texts = rows.map((row) => row.cells[index] ?? inert(''));
      const cells = column.kind === 'text' ? texts : alignedNumbers(texts);
      const title = longestWord([column.title]);
      const most = Math.max(title, widest(cells));
      const word = longestWord(cells);
      const widthWith = (unbroken: number) =>
        column.kind === 'text'
          ? Math.min(most, Math.max(title, Math.min(word, unbroken), readable))
          : most;
      const least = widthWith(column.unbroken);
      const whole = Math.max(least, widthWith(longestId));
      return { index, column, cells, width: least, least, whole, most };
    })
    .sort((a, b) => a.column.priority - b.column.priority || a.index - b.index);
}

function longestWord(texts: readonly string[]): number {
  return widest(texts.flatMap((text) => text.split(' ')));
}
