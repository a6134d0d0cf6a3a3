import { decodeWindows1252 } from '../base/windows-1252.ts';

/** Turns blocks of bytes into text; characters may be cut by the borders of blocks. */
export interface TextDecoding {
  push(bytes: Uint8Array): string;
  end(): string;
}

/**
 * The decoding of a file that begins with these bytes: by its byte order mark, else by the encoding that
 * is `declared` in it or set, else UTF-8. `undefined` for an encoding that isn't known.
 */
export function decodingOf(beginning: Uint8Array, declared = ''): TextDecoding | undefined {
  const [first, second, third] = beginning;
  const isUtf16 = first === 0xff && second === 0xfe;
  if (isUtf16 || (first === 0x3c && second === 0)) return standard('utf-16le');
  if (first === 0xfe && second === 0xff) return standard('utf-16be');
  const hasUtf8Mark = first === 0xef && second === 0xbb && third === 0xbf;
  // What declares UTF-16 and can be read byte by byte is not UTF-16: programs copy the words.
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

/**
 * Banks also send windows-1252 under the name of UTF-8, and both in one file. So each run of bytes beyond
 * ASCII is UTF-8 if it can be, else windows-1252.
 */
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
