import { decodeWindows1252 } from '../base/texts.ts';
import type { BankCsv } from '../model/bank-csv.ts';
import { archiveReader, isArchive } from './archive.ts';
import { camtFormat } from './camt.ts';
import { csvFormat } from './csv.ts';
import { mt940Format } from './mt940.ts';
import type { Reader, StatementFormat, StatementSink } from './written.ts';

/** Bytes that are decoded at once. */
const stepBytes = 16_384;

/** The format of a file is recognised by its first bytes. */
const beginningBytes = 8_192;

/** All formats; a file has the first that matches. */
function formatsBy(mapping: BankCsv | undefined): readonly StatementFormat[] {
  return [camtFormat, mt940Format, ...(mapping ? [csvFormat(mapping)] : [])];
}

/** Recognises a file by its content, and reads it. An archive in an archive is not read. */
export function fileReader(
  file: string,
  sink: StatementSink,
  mapping: BankCsv | undefined,
  isInArchive = false,
): Reader<Uint8Array> {
  let held = Buffer.alloc(0);
  let chosen: Reader<Uint8Array> | undefined;
  const damaged = (inner: string) => {
    const expected = 'what the archive has a size and a checksum of, without a password';
    sink.unreadable({ place: { file: inner, line: 1 }, element: 'file', found: '', expected });
  };
  const choose = () => {
    chosen =
      isArchive(held) && !isInArchive
        ? archiveReader(file, (inner) => fileReader(inner, sink, mapping, true), damaged)
        : textReader(file, held, sink, formatsBy(mapping));
    chosen.push(held);
    return chosen;
  };
  return {
    push: (bytes) => {
      if (chosen) return chosen.push(bytes);
      held = Buffer.concat([held, bytes]);
      if (held.length >= beginningBytes) choose();
    },
    end: () => (chosen ?? choose()).end(),
  };
}

function textReader(
  file: string,
  beginning: Uint8Array,
  sink: StatementSink,
  formats: readonly StatementFormat[],
): Reader<Uint8Array> {
  const text = decodingOf(beginning)?.push(beginning) ?? '';
  const format = formats.find(({ matches }) => matches(text));
  const encoding = format?.encodingOf?.(text);
  const decoding = decodingOf(beginning, encoding);
  const reader = format?.reader(file, sink);
  if (!reader) sink.other(file);
  else if (!decoding) {
    const expected = 'an encoding such as UTF-8 or windows-1252';
    const place = { file, line: 1 };
    sink.unreadable({ place, element: 'encoding', found: encoding ?? '', expected });
  }
  if (!reader || !decoding) return { push: () => {}, end: () => {} };
  return {
    push: (bytes) => {
      // Short texts are freed sooner.
      for (let start = 0; start < bytes.length; start += stepBytes) {
        reader.push(decoding.push(bytes.subarray(start, start + stepBytes)));
      }
    },
    end: () => {
      reader.push(decoding.end());
      reader.end();
    },
  };
}

/** Decodes blocks of bytes; characters may be cut at the ends of blocks. */
interface TextDecoding {
  push(bytes: Uint8Array): string;
  end(): string;
}

/** By the byte order mark, else by the encoding `declared`, else UTF-8. */
function decodingOf(beginning: Uint8Array, declared = ''): TextDecoding | undefined {
  const [first, second, third] = beginning;
  const isUtf16 = first === 0xff && second === 0xfe;
  if (isUtf16 || (first === 0x3c && second === 0)) return standard('utf-16le');
  if (first === 0xfe && second === 0xff) return standard('utf-16be');
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
