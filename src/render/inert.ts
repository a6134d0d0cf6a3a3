import { cut } from '../base/texts.ts';
import type { View } from '../report/common/view.ts';

/**
 * Characters that act instead of being read: control characters (escape sequences, carriage
 * return, backspace), line and paragraph separators, lone surrogates, and format characters
 * (bidirectional overrides, zero-width spaces, tags). Not the joiners that some scripts and emoji
 * need.
 */
const active = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

declare const inertness: unique symbol;

/** Text in which nothing acts. Screens take no other, whoever wrote it. */
export type Inert = string & { readonly [inertness]: true };

/** Makes text from elsewhere inert on a terminal: what would act becomes visible, as `\u001b`. */
export function inert(text: string): Inert {
  return text.replace(active, escaped) as Inert;
}

/** No more of a text is shown: a screen can't show it, and to lay it out would take for ever. */
const longestText = 10_000;

/** A text as a screen shows it, with no more than `longest` characters. */
export function shown(text: string, longest = longestText): Inert {
  // What acts becomes six characters.
  return cut(inert(cut(text, longest)), longest) as Inert;
}

/** Makes text inert in a CSV cell, where tabs and line breaks are data, and quoted. */
export function inertButForLines(text: string): string {
  return text.replace(active, (character, offset: number) =>
    character === '\t' || character === '\n' || (character === '\r' && text[offset + 1] === '\n')
      ? character
      : escaped(character),
  );
}

/** Makes JSON text inert: no reader of JSON sees a difference. Its own line feeds stay. */
export function inertJson(json: string): string {
  return json.replace(active, (character) => (character === '\n' ? character : escaped(character)));
}

/** `\u001b`: each half of a character beyond 16 bits apart, as JSON writes it. */
function escaped(character: string): string {
  const code = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return character.replace(/[\s\S]/g, code);
}

/** What is written by this tool alone, and tells a renderer what to do. */
const unshown: readonly string[] = ['kind', 'tone'];

/** A view as it can be shown: `show` makes every text in it inert, whoever wrote it. */
export function inertView(view: View, show: (text: string) => Inert): View<Inert> {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return show(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, unshown.includes(key) ? item : walk(item)]),
    );
  };
  return walk(view) as View<Inert>;
}
