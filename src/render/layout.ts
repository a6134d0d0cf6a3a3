import type { Section, SectionColumn } from '../report/common/view.ts';
import type { Inert } from './inert.ts';
import { widest } from './wrap.ts';

/** A column that is shown: its place in the section, and its width. */
export interface Fitted {
  readonly index: number;
  readonly column: SectionColumn<Inert>;
  readonly width: number;
}

/** Texts are not wrapped to less than this, as long as there is room. */
const readable = 12;

interface Sized {
  readonly index: number;
  readonly column: SectionColumn<Inert>;
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
  const chosen: (Sized & { readonly width: number })[] = [];
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
  return widened(chosen, room).sort((a, b) => a.index - b.index);
}

/** `room` is less than nothing where the screen is too narrow: then texts give way. */
function widened(columns: readonly (Sized & { readonly width: number })[], room: number): Fitted[] {
  let left = room;
  return columns.map(({ index, column, width, most }) => {
    const extra = column.kind === 'text' ? Math.max(Math.min(left, most - width), 1 - width) : 0;
    left -= extra;
    return { index, column, width: width + extra };
  });
}

function longestWord(texts: readonly string[]): number {
  return widest(texts.flatMap((text) => text.split(' ')));
}

/** By priority, then from left to right. */
function sizes({ columns, rows }: Section<Inert>): readonly Sized[] {
  return columns
    .map((column, index) => {
      const cells = rows.map((row) => row.cells[index] ?? '');
      const title = longestWord([column.title]);
      const most = Math.max(title, widest(cells));
      if (column.kind !== 'text') return { index, column, least: most, whole: most, most };
      const word = longestWord(cells);
      const widthWith = (unbroken: number) =>
        Math.min(most, Math.max(title, Math.min(word, unbroken), readable));
      const least = widthWith(column.unbroken);
      return { index, column, least, whole: Math.max(least, widthWith(longestId)), most };
    })
    .sort((a, b) => a.column.priority - b.column.priority || a.index - b.index);
}
