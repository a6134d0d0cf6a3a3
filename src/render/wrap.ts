import { grouped } from '../report/common/phrase.ts';
import type { Inert } from './inert.ts';

/** What takes two columns: East Asian scripts and emoji. */
const wide =
  /[\p{Emoji_Presentation}\p{Emoji_Modifier_Base}\u1100-\u115f\u2329\u232a\u2e80-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{1f000}-\u{3fffd}]/u;

/** Accents that take none. */
const combining = /[\u0300-\u036f]/;

/** How many columns of a terminal a text takes. In doubt one too many: a line is never too long. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

/** The width of the widest text; 0 where there is none. */
export function widest(texts: Iterable<string>): number {
  let most = 0;
  for (const text of texts) most = Math.max(most, widthOf(text));
  return most;
}

function widthOfCharacter(character: string): number {
  if (character < '\u0300') return 1;
  if (combining.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** Breaks a text into lines no wider than `width`: at spaces, and inside words that are wider. */
export function wrap(text: Inert, width: number): readonly Inert[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of text.split(' ').flatMap((one) => pieces(one, width))) {
    const more = widthOf(word);
    const longer = line === '' ? more : used + 1 + more;
    if (longer <= width) {
      line = line === '' ? word : `${line} ${word}`;
      used = longer;
    } else {
      lines.push(line);
      line = word;
      used = more;
    }
  }
  return [...lines, line] as Inert[];
}

/** A word, cut where it is wider than `width`: behind a hyphen, as ids have them, if that is near. */
function pieces(word: string, width: number): readonly string[] {
  const list: string[] = [];
  let piece = '';
  let used = 0;
  for (const character of word) {
    const more = widthOfCharacter(character);
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
  const most = Math.max(0, ...cells.map(decimals));
  return cells.map((cell) => {
    return `${grouped(cell)}${' '.repeat(most - decimals(cell))}` as Inert;
  });
}

/** The length of `.34` in `12.34`. */
function decimals(amount: string): number {
  const point = amount.indexOf('.');
  return point === -1 ? 0 : amount.length - point;
}
