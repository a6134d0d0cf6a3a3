import { encodeWindows1252 } from '../base/texts.ts';
import { beancountText } from '../books/beancount.ts';
import { type CsvLayout, csvFiles, csvLayout, csvRecords, requireOneFile } from '../books/csv.ts';
import { csvPresets } from '../books/csv-presets.ts';
import { datevText } from '../books/datev.ts';
import type { JournalFormat } from '../books/example-mapping.ts';
import type { JournalFile } from '../books/journal-file.ts';
import { plainTextJournal } from '../books/plain-text.ts';
import type { JournalCsv } from '../model/account-mapping.ts';
import { renderCsv } from './csv.ts';

type Writer = (file: JournalFile) => Iterable<string | Uint8Array>;

const writers: Readonly<Partial<Record<JournalFormat, Writer>>> = {
  hledger: (file) => plainTextJournal(file, true),
  ledger: (file) => plainTextJournal(file, false),
  beancount: beancountText,
  datev: datevText,
};

const presets: Readonly<Partial<Record<JournalFormat, JournalCsv>>> = csvPresets;

/**
 * A journal in a format, a piece at a time; the same bytes for the same journal. Throws ReconError if it does not fit
 * into one file of this format.
 */
export function journalText(format: JournalFormat, file: JournalFile) {
  const writer = writers[format];
  if (writer) return writer(file);
  const layout = csvLayout(file.mapping.csv, presets[format]);
  requireOneFile(csvFiles(file, layout), layout, file.batch !== undefined);
  return csvJournal(file, layout);
}

/**
 * The files of a journal of CSV, each with what tells its name from the others; one without a name if all fits into
 * it. Undefined for other formats.
 */
export function journalFiles(format: JournalFormat, file: JournalFile) {
  if (writers[format]) return undefined;
  const layout = csvLayout(file.mapping.csv, presets[format]);
  return csvFiles(file, layout).map((one) => ({
    name: one.name,
    text: csvJournal(one.file, layout),
  }));
}

function* csvJournal(file: JournalFile, layout: CsvLayout): Generator<string | Uint8Array> {
  const { delimiter, encoding, header } = layout;
  const form = { delimiter, decimal: '.', isForExcel: false };
  const pieces = renderCsv(csvRecords(file, layout), form);
  if (encoding === 'utf-8-bom') yield '\ufeff';
  if (!header) pieces.next();
  for (const piece of pieces) {
    yield encoding === 'windows-1252' ? encodeWindows1252(piece) : piece;
  }
}
