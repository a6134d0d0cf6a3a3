/**
 * Characters that act instead of being read: control characters (escape sequences, carriage
 * return, backspace), line and paragraph separators, lone surrogates, and format characters
 * (bidirectional overrides, zero-width spaces, tags). Not the joiners that some scripts and emoji
 * need.
 */
const active = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Makes text from elsewhere inert on a terminal: what would act becomes visible, as `\u001b`. */
export function inert(text: string): string {
  return text.replace(active, escaped);
}

/** The same, for a CSV cell: tabs and line feeds are data there, and quoted. */
export function inertButForLines(text: string): string {
  return text.replace(active, (character, offset: number) =>
    character === '\t' || character === '\n' || (character === '\r' && text[offset + 1] === '\n')
      ? character
      : escaped(character),
  );
}

/** The same, for JSON text: no reader of JSON sees a difference. Its own line feeds stay. */
export function inertJson(json: string): string {
  return json.replace(active, (character) => (character === '\n' ? character : escaped(character)));
}

function escaped(character: string): string {
  let text = '';
  for (let index = 0; index < character.length; index++) {
    text += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return text;
}
