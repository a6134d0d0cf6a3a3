import { decoded, decodedBeginning, type Reader } from '../base/text-reader.ts';
import type { BankCsv } from '../model/bank-csv.ts';
import { archiveReader, isArchive } from './archive.ts';
import { camtFormat } from './camt.ts';
import { csvFormat } from './csv.ts';
import { mt940Format } from './mt940.ts';
import type { StatementFormat, StatementSink } from './written.ts';

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
  const text = decodedBeginning(beginning);
  const format = formats.find(({ matches }) => matches(text));
  const encoding = format?.encodingOf?.(text);
  const reader = format?.reader(file, sink);
  const bytes = reader && decoded(reader, beginning, encoding);
  if (!reader) sink.other(file);
  else if (!bytes) {
    const expected = 'an encoding such as UTF-8 or windows-1252';
    const place = { file, line: 1 };
    sink.unreadable({ place, element: 'encoding', found: encoding ?? '', expected });
  }
  return bytes ?? { push: () => {}, end: () => {} };
}
