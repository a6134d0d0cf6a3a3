import type { Section, SectionColumn } from '../report/view.ts';
import { widthOf } from './wrap.ts';

/** A column that is shown: its place in the section, and its width. */
export interface Fitted {
  readonly index: number;
  readonly column: SectionColumn;
  readonly width: number;
}

/** Texts are not wrapped to less than this, as long as there is room. */
const readable = 12;

interface Sized {
  readonly index: number;
  readonly column: SectionColumn;
  readonly least: number;
  readonly most: number;
}

/**
 * Chooses the columns of a section for a screen of `width` columns. Digits are never cut or
 * wrapped, so what doesn't fit is left out: columns of one priority stand or go together, the most
 * important ones first. The room that remains goes to texts that would be wrapped.
 */
export function fitColumns(section: Section, width: number, gap: number): readonly Fitted[] {
  const sized = sizes(section);
  const chosen: Sized[] = [];
  let room = width + gap;
  for (const priority of new Set(sized.map(({ column }) => column.priority))) {
    const level = sized.filter(({ column }) => column.priority === priority);
    const needed = level.reduce((sum, { least }) => sum + least + gap, 0);
    if (needed > room && priority > 1) continue;
    chosen.push(...level);
    room -= needed;
  }
  return widened(chosen, room).sort((a, b) => a.index - b.index);
}

/** `room` is less than nothing where the screen is too narrow: then texts give way. */
function widened(columns: readonly Sized[], room: number): Fitted[] {
  let left = room;
  return columns.map(({ index, column, least, most }) => {
    const extra = column.kind === 'text' ? Math.max(Math.min(left, most - least), 1 - least) : 0;
    left -= extra;
    return { index, column, width: least + extra };
  });
}

function longestWord(texts: readonly string[]): number {
  return Math.max(0, ...texts.flatMap((text) => text.split(' ').map(widthOf)));
}

/** By priority, then from left to right. */
function sizes({ columns, rows }: Section): readonly Sized[] {
  return columns
    .map((column, index) => {
      const cells = rows.map((row) => row.cells[index] ?? '');
      const title = longestWord([column.title]);
      const most = Math.max(title, ...cells.map(widthOf));
      if (column.kind !== 'text') return { index, column, least: most, most };
      const word = Math.min(longestWord(cells), column.unbroken);
      return { index, column, least: Math.min(most, Math.max(title, word, readable)), most };
    })
    .sort((a, b) => a.column.priority - b.column.priority || a.index - b.index);
}
