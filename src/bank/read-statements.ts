import { ReconError } from '../base/errors.ts';
import { decodeWindows1252 } from '../base/texts.ts';
import type { BankStatements } from '../model/bank.ts';
import type { BankCsv } from '../model/bank-csv.ts';
import { archiveReader, isArchive } from './archive.ts';
import { camtFormat } from './camt.ts';
import { csvFormat } from './csv.ts';
import { mt940Format } from './mt940.ts';
import { unite } from './unite.ts';
import type {
  Reader,
  StatementFormat,
  StatementSink,
  Unreadable,
  WrittenStatement,
} from './written.ts';

export interface StatementFile {
  readonly name: string;
  /** Its bytes, if known before reading. */
  readonly size?: number;
  /** Each block is valid until the next is requested. */
  readonly blocks: () => AsyncIterable<Uint8Array>;
  /** Whether it may be another file, which is left out. */
  readonly mayBeOther?: boolean;
}

/** Statements, and the names of files that are not statements. */
interface ReadStatements extends BankStatements {
  readonly leftOut: readonly string[];
}

/** The limit of all files together. */
const mostBytes = 2 ** 30;

/** Reads statements in all formats. Throws ReconError `usage` for any other file. */
export async function readStatements(
  files: readonly StatementFile[],
  mapping: BankCsv | undefined,
): Promise<ReadStatements> {
  const written: WrittenStatement[] = [];
  const unreadable: Unreadable[] = [];
  const leftOut: string[] = [];
  let bytes = files.reduce((sum, { size = 0 }) => sum + size, 0);
  const [large] = [...files].sort((one, other) => (other.size ?? 0) - (one.size ?? 0));
  if (large && bytes > mostBytes) throw tooLarge(large.name);
  for (const { name, size, blocks, mayBeOther = false } of files) {
    const sink: StatementSink = {
      statement: (statement) => written.push(statement),
      unreadable: (fault) => unreadable.push(fault),
      other: (file) => {
        if (!mayBeOther && file === name) throw notStatement(name, mapping);
        leftOut.push(file);
      },
    };
    const reader = fileReader(name, sink, mapping);
    try {
      for await (const block of blocks()) {
        if (size === undefined) bytes += block.length;
        if (bytes > mostBytes) throw tooLarge(name);
        reader.push(block);
      }
      reader.end();
    } catch (error) {
      // Node limits a text to half a gigabyte.
      const isTooLong = error instanceof RangeError && error.message === 'Invalid string length';
      if (!isTooLong) throw error;
      const hint = 'Request it from the bank again, in several files.';
      const what = { where: name, hint, reason: error };
      throw new ReconError('usage', 'A text in the bank statement is too long.', what);
    }
  }
  return { ...unite(written, unreadable), leftOut };
}

function tooLarge(where: string): ReconError {
  return new ReconError('usage', 'The bank statements have more than 1 GiB.', {
    where,
    hint: 'Read those of fewer months or accounts at once.',
  });
}

function notStatement(where: string, mapping: BankCsv | undefined): ReconError {
  const kinds = 'Files can be camt.052, camt.053, camt.054, MT940, MT942, or a zip of them.';
  const csv = mapping
    ? `A CSV file must have the columns that bank_csv names, such as ${mapping.date}.`
    : 'To read CSV files, set bank_csv in the profile.';
  return new ReconError('usage', 'Not a bank statement that recon can read.', {
    where,
    hint: `${kinds} ${csv}`,
  });
}

/** Bytes that are decoded at once. */
const stepBytes = 16_384;

/** The format of a file is recognised by its first bytes. */
const beginningBytes = 8_192;

function formatsBy(mapping: BankCsv | undefined): readonly StatementFormat[] {
  return [camtFormat, mt940Format, ...(mapping ? [csvFormat(mapping)] : [])];
}

/** Recognises a file by its content, and reads it. An archive in an archive is not read. */
function fileReader(
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
