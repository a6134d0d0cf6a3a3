import { decodeWindows1252 } from './texts.ts';

export interface Reader<Content> {
  push(piece: Content): void;
  end(): void;
}

export type TextReader = Reader<string>;

/** A file that the user named, or one in a folder. */
export interface NamedFile {
  readonly name: string;
  /** Its bytes, if known before reading. */
  readonly size?: number;
  /** Each block is valid until the next is requested. */
  readonly blocks: () => AsyncIterable<Uint8Array>;
  /** Whether it may be another file, which is left out. */
  readonly mayBeOther?: boolean;
}

/** The most characters of a value; a longer one is unreadable, so it uses no memory. */
export const longestText = 65_536;

/** The most characters of a record; a longer one has no end. */
export const longestRecord = 16 * longestText;

/** A reader that is chosen by the first bytes of a file, at least so many unless the file is shorter. */
export function readerBy(bytes: number, choose: (beginning: Buffer) => Reader<Uint8Array>) {
  let held = Buffer.alloc(0);
  let chosen: Reader<Uint8Array> | undefined;
  const begin = () => {
    chosen = choose(held);
    chosen.push(held);
    return chosen;
  };
  return {
    push: (block: Uint8Array) => {
      if (chosen) return chosen.push(block);
      held = Buffer.concat([held, block]);
      if (held.length >= bytes) begin();
    },
    end: () => (chosen ?? begin()).end(),
  };
}

/** Tells of the first NUL of a text, with its line: no program writes it, but a disk that is full or damaged has it. */
export function findingNul(reader: TextReader, found: (line: number) => void): TextReader {
  let line = 1;
  let isFound = false;
  return {
    push: (text) => {
      const at = isFound ? -1 : text.indexOf('\0');
      if (at >= 0) {
        isFound = true;
        found(line + text.slice(0, at).split('\n').length - 1);
      } else if (!isFound) line += text.split('\n').length - 1;
      reader.push(text);
    },
    end: () => reader.end(),
  };
}

/** Bytes that are decoded at once: short texts are freed sooner. */
const stepBytes = 16_384;

/** Decodes bytes for a reader of text; undefined for an unknown encoding. */
export function decoded(
  reader: TextReader,
  beginning: Uint8Array,
  encoding?: string,
): Reader<Uint8Array> | undefined {
  const decoding = decodingOf(beginning, encoding);
  return (
    decoding && {
      push: (bytes) => {
        for (let start = 0; start < bytes.length; start += stepBytes) {
          reader.push(decoding.push(bytes.subarray(start, start + stepBytes)));
        }
      },
      end: () => {
        reader.push(decoding.end());
        reader.end();
      },
    }
  );
}

/** The beginning of a file as text, without a character that is cut at its end; UTF-8 for an unknown encoding. */
export function decodedBeginning(beginning: Uint8Array, encoding?: string): string {
  return (decodingOf(beginning, encoding) ?? utf8()).push(beginning);
}

interface TextDecoding {
  push(bytes: Uint8Array): string;
  end(): string;
}

/** By the byte order mark, else by the encoding `declared`, else UTF-8. */
function decodingOf(beginning: Uint8Array, declared = ''): TextDecoding | undefined {
  const [first, second, third] = beginning;
  const isUtf16 = first === 0xff && second === 0xfe;
  // Without a byte order mark, a text that begins in ASCII has NUL in every other byte.
  if (isUtf16 || (first !== 0 && second === 0)) return standard('utf-16le');
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0))
    return standard('utf-16be');
  const hasUtf8Mark = first === 0xef && second === 0xbb && third === 0xbf;
  // UTF-16 that was read by single bytes is not UTF-16; some programs only copy the declaration.
  if (hasUtf8Mark || /^(|utf-?(8|16.*)|us-ascii)$/i.test(declared)) return utf8();
  if (/^(windows-?1252|cp-?1252|iso-?8859-?1|latin-?1)$/i.test(declared)) {
    return { push: decodeWindows1252, end: () => '' };
  }
  try {
    return standard(declared);
  } catch {
    return undefined;
  }
}

function standard(encoding: string): TextDecoding {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return { push: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Some files mix windows-1252 and UTF-8: each run beyond ASCII is UTF-8 if valid. */
function utf8(): TextDecoding {
  let held = Buffer.alloc(0);
  return {
    push: (bytes) => {
      const all = Buffer.concat([held, bytes]);
      let end = all.length;
      while (end > 0 && (all[end - 1] ?? 0) >= 0x80) end--;
      held = all.subarray(end);
      return decodeRuns(all.subarray(0, end));
    },
    end: () => decodeRuns(held),
  };
}

function decodeRuns(bytes: Buffer): string {
  return utf8Or(bytes, () =>
    bytes
      .toString('latin1')
      .replace(/[\x80-\xff]+/g, (run) => utf8Or(Buffer.from(run, 'latin1'), decodeWindows1252)),
  );
}

function utf8Or(bytes: Buffer, otherwise: (bytes: Buffer) => string): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return otherwise(bytes);
  }
}
