import stringWidth from 'string-width';
import { largestOf } from '../base/lists.ts';
import { grouped } from '../report/common/phrase.ts';
import type { Inert } from './inert.ts';

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

/** The width of the widest text; 0 without any. */
export function widest(texts: readonly string[]): number {
  return largestOf([0, ...texts.map(widthOf)]);
}

/** Breaks a text into lines no wider than `width`: at spaces, and inside words that are wider. */
export function wrap(text: Inert, width: number): readonly Inert[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((one) => pieces(one, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    const isFull = widthOf(longer) > width;
    if (isFull) lines.push(line);
    line = isFull ? word : longer;
  }
  return [...lines, line] as Inert[];
}

/** The pieces of a word, at most `width` wide: cut after a hyphen, as in ids, if one is near. */
function pieces(word: string, width: number): readonly string[] {
  if (widthOf(word) <= width) return [word];
  const list: string[] = [];
  let piece = '';
  let used = 0;
  for (const character of word) {
    // One by one, because measuring the whole piece each time is slow for hostile texts.
    const more = widthOf(character);
    if (piece !== '' && used + more > width) {
      const hyphen = piece.lastIndexOf('-') + 1;
      const end = hyphen > piece.length / 2 ? hyphen : piece.length;
      list.push(piece.slice(0, end));
      piece = piece.slice(end);
      used = widthOf(piece);
    }
    piece += character;
    used += more;
  }
  return [...list, piece];
}

/** Numbers of one column for people: thousands grouped, decimal points in one line. */
export function alignedNumbers(cells: readonly Inert[]): readonly Inert[] {
  const most = largestOf([0, ...cells.map(decimals)]);
  return cells.map((cell) => {
    return `${grouped(cell)}${' '.repeat(most - decimals(cell))}` as Inert;
  });
}

/** The length of `.34` in `12.34`. */
function decimals(amount: string): number {
  const point = amount.indexOf('.');
  return point === -1 ? 0 : amount.length - point;
}
