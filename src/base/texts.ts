/** Orders texts by their code units: the same in every language. */
export function byText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Orders items by the first of their values that differs: numbers by size, texts by code units. */
export function inOrderOf<Item>(valuesOf: (item: Item) => readonly (string | number)[]) {
  return (one: Item, other: Item): number => {
    const others = valuesOf(other);
    for (const [at, value] of valuesOf(one).entries()) {
      const against = others[at] ?? value;
      if (value !== against) return value < against ? -1 : 1;
    }
    return 0;
  };
}

/** A text, shortened with an ellipsis. */
export function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** `a and b`, `a, b and c`. */
export function enumerate(items: readonly string[]): string {
  return items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} and ${items.slice(-1).join('')}`;
}

/** `2026-03-04 to 2026-03-07`, or a single day. */
export function rangeText({ from, to }: { readonly from: string; readonly to: string }): string {
  return from === to ? from : `${from} to ${to}`;
}

/** A word quoted for a shell, for commands to copy. */
export function shellWord(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * What acts or is not seen: control and format characters, fillers, separators of lines, lone surrogates. Not
 * what joins or varies emoji and the letters of scripts other than Latin.
 */
export const active =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}](?<!(?<=[^\0-\x7f\p{Script=Latin}\p{Join_Control}])(?:\p{Join_Control}|(?<!\p{Variation_Selector})\p{Variation_Selector}))/gu;

/** A text in which what acts or is not seen is shown, as `\u001b`. */
export function visible(text: string): string {
  return text.replace(active, escaped);
}

/** `\u001b`: each half of a character beyond 16 bits apart, as JSON writes it. */
export function escaped(character: string): string {
  const code = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return character.replace(/[\s\S]/g, code);
}

/** A text on one line in which nothing acts: escaped as in a TOML string. */
export function tomlEscaped(text: string): string {
  return text.replace(active, (character) => {
    if (/\p{Cs}/u.test(character)) return '\ufffd';
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** A text, or a list of texts, as a value in TOML. Half a character has no form there. */
export function toml(value: string | readonly string[]): string {
  return typeof value === 'string'
    ? `"${tomlEscaped(value.replace(/["\\]/g, '\\$&'))}"`
    : `[${value.map(toml).join(', ')}]`;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** UTF-8 bytes as text, without a byte order mark; empty if they are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return '';
  }
}

// windows-1252 at 0x80 to 0x9f; all else is as in ISO 8859-1. Node's own decoder (20.18.3 and later) gives
// control characters there.
const specials = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The text of bytes in windows-1252; every byte is a character. */
export function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => specials[character.charCodeAt(0) - 0x80] ?? '');
}

/** A text in windows-1252, with question marks for other characters. */
export function encodeWindows1252(text: string): Uint8Array {
  return Uint8Array.from(text.match(/./gsu) ?? [], (character) => {
    const code = character.codePointAt(0) ?? 0;
    const special = specials.indexOf(character);
    if (special >= 0) return 0x80 + special;
    return code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : 0x3f;
  });
}

/** The word that equals `text` except in case and `-` or `_`; else `text`. */
export function matchWord(words: readonly string[], text: string): string {
  const form = (word: string) => word.toLowerCase().replaceAll('_', '-');
  return words.find((word) => form(word) === form(text)) ?? text;
}

/** The nearest known name as a question, or all of them. */
export function suggestion(name: string, known: readonly string[]): string {
  return didYouMean(name, known) ?? `Known: ${known.join(', ') || 'none'}.`;
}

/** The nearest known name as a question, if one is near. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((word) => ({ word, edits: editsBetween(name, word), shared: sharedStart(name, word) }))
    .filter(({ word, edits }) => edits <= Math.max(2, word.length / 3))
    .sort(inOrderOf(({ edits, shared }) => [edits, -shared]));
  return nearest && `Did you mean ${nearest.word}?`;
}

function sharedStart(one: string, other: string): number {
  return [...one, ''].findIndex((letter, at) => letter !== other[at]);
}

/** Letters to insert, remove or replace, or neighbours to swap. */
function editsBetween(from: string, to: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...from].entries()) {
    let left = above + 1;
    const next = [left];
    for (let index = 1; index <= to.length; index += 1) {
      const replaced = (row[index - 1] ?? 0) + (letter === to[index - 1] ? 0 : 1);
      const isSwap = letter === to[index - 2] && from[above - 1] === to[index - 1];
      const swapped = isSwap ? (before[index - 2] ?? 0) + 1 : replaced;
      left = Math.min(replaced, swapped, left + 1, (row[index] ?? 0) + 1);
      next.push(left);
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
}
