import { type ArchiveMember, archiveReader, isArchive } from '../base/archive.ts';
import { type CsvForm, type CsvSink, csvReader } from '../base/csv-records.ts';
import { ReconError } from '../base/errors.ts';
import { otherDocument, otherFile } from '../base/other-kinds.ts';
import { decoded, type Reader, readerBy } from '../base/text-reader.ts';
import { isWorkbook, readWorkbook } from '../base/workbook.ts';

/** What a file should be, for messages: `an order file` with `the orders`, read by a setting. */
export interface TableFileWords {
  readonly is: string;
  readonly what: string;
  readonly mapping: string;
}

/** The kind of a file is recognised by its first bytes. */
const beginningBytes = 8_192;

/**
 * Reads a CSV file, or the first sheet of a workbook as one; `told` gets the other sheets, or what is wrong. Throws
 * ReconError `usage` for a file that is no table.
 */
export function tableFile(
  where: string,
  table: CsvSink,
  form: CsvForm,
  words: TableFileWords,
  told: (read: ReturnType<typeof readWorkbook>) => void,
): Reader<Uint8Array> {
  const other = (kind: string) => {
    const hint = `Export or save ${words.what} as CSV or as an Excel workbook (.xlsx).`;
    const message = `This is ${kind}, not ${words.is} that recon can read.`;
    return new ReconError('usage', message, { where, hint });
  };
  const readSheet = (members: readonly ArchiveMember[]) => {
    const document = otherDocument(members.map(({ name }) => name));
    if (document || !isWorkbook(members)) throw other(document?.kind ?? 'an archive');
    told(readWorkbook(members, form, csvReader(form, table)));
  };
  return readerBy(beginningBytes, (beginning) => {
    if (isArchive(beginning)) return archiveReader(where, readSheet);
    const { kind } = otherFile(where, beginning);
    if (kind !== '') throw other(kind);
    const bytes = decoded(csvReader(form, table), beginning, form.encoding);
    if (bytes) return bytes;
    const message = `The encoding in ${words.mapping} is unknown.`;
    throw new ReconError('usage', message, { where, hint: 'Set UTF-8 or windows-1252.' });
  });
}
