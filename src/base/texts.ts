/** Orders texts by their code units: the same on every machine, whatever its language. */
export function byText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Orders things by the first of their values that differs: numbers by size, texts by their code units. */
export function inOrderOf<Thing>(valuesOf: (thing: Thing) => readonly (string | number)[]) {
  return (one: Thing, other: Thing): number => {
    const others = valuesOf(other);
    for (const [at, value] of valuesOf(one).entries()) {
      const against = others[at] ?? value;
      if (value !== against) return value < against ? -1 : 1;
    }
    return 0;
  };
}

/** The beginning of a text, and a mark where there is more of it. */
export function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** A word as a shell takes it, for commands that are shown to be copied. */
export function shellWord(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes of UTF-8 as text, without the mark that may stand before it; an empty one where they are none. */
export function utf8Text(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return '';
  }
}
