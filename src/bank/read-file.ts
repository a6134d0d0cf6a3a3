import type { BankCsv } from '../model/bank-csv.ts';
import { archiveReader, isArchive } from './archive.ts';
import { camtReader, isCamt } from './camt.ts';
import { csvReader, isMappedCsv } from './csv.ts';
import { decodingOf } from './decode-text.ts';
import { isMt940, mt940Reader } from './mt940.ts';
import type { Reader, StatementSink, TextReader } from './written.ts';

export type ByteReader = Reader<Uint8Array>;

/** Bytes that become one text. */
const stepBytes = 16_384;

/** By so much of a file its format is recognised. */
const beginningBytes = 8_192;

/** A way to write statements. */
interface StatementFormat {
  /** Whether a file that begins with this text is one. */
  isLike(beginning: string, mapping: BankCsv | undefined): boolean;
  /** The encoding that the file or the mapping names; undefined where neither does. */
  encodingOf?(beginning: string, mapping: BankCsv | undefined): string | undefined;
  reader(file: string, sink: StatementSink, mapping: BankCsv | undefined): TextReader;
}

/** Every format; a file is of the first that it is like. */
const statementFormats: readonly StatementFormat[] = [
  {
    isLike: isCamt,
    encodingOf: (beginning) =>
      /^[\s\ufeff]*<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)/.exec(beginning)?.[1],
    reader: camtReader,
  },
  { isLike: isMt940, reader: mt940Reader },
  { isLike: isMappedCsv, encodingOf: (_, mapping) => mapping?.encoding, reader: csvReader },
];

/** Recognises a file by its content, and reads it. Archives are read too, but not in an archive. */
export function fileReader(
  file: string,
  sink: StatementSink,
  mapping: BankCsv | undefined,
  isInArchive = false,
): ByteReader {
  let held = Buffer.alloc(0);
  let chosen: ByteReader | undefined;
  const damaged = (inner: string) => {
    const expected = 'what the archive has a size and a checksum of, without a password';
    sink.unreadable({ place: { file: inner, line: 1 }, element: 'file', found: '', expected });
  };
  const choose = () => {
    chosen =
      isArchive(held) && !isInArchive
        ? archiveReader(file, (inner) => fileReader(inner, sink, mapping, true), damaged)
        : textReader(file, held, sink, mapping);
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
  mapping: BankCsv | undefined,
): ByteReader {
  const text = decodingOf(beginning)?.push(beginning) ?? '';
  const format = statementFormats.find(({ isLike }) => isLike(text, mapping));
  const encoding = format?.encodingOf?.(text, mapping);
  const decoding = decodingOf(beginning, encoding);
  const reader = format?.reader(file, sink, mapping);
  if (!reader) sink.other(file);
  else if (!decoding) {
    const expected = 'an encoding such as UTF-8 or windows-1252';
    const place = { file, line: 1 };
    sink.unreadable({ place, element: 'encoding', found: encoding ?? '', expected });
  }
  if (!reader || !decoding) return { push: () => {}, end: () => {} };
  return {
    push: (bytes) => {
      // Short texts are gone sooner.
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
