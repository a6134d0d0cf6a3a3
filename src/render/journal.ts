import { beancountText } from '../books/beancount.ts';
import { csvRecords } from '../books/csv.ts';
import { datevText } from '../books/datev.ts';
import type { JournalFormat } from '../books/example-mapping.ts';
import type { JournalFile } from '../books/journal-file.ts';
import { plainTextJournal } from '../books/plain-text.ts';
import { renderCsv } from './csv.ts';

type Writer = (file: JournalFile) => Iterable<string | Uint8Array>;

const writers: Readonly<Record<JournalFormat, Writer>> = {
  hledger: (file) => plainTextJournal(file, false),
  ledger: (file) => plainTextJournal(file, true),
  beancount: beancountText,
  datev: datevText,
  csv: (file) => renderCsv(csvRecords(file), 'rfc'),
};

/** A journal in a format, a piece at a time; the same bytes for the same journal. Throws ReconError. */
export function journalText(format: JournalFormat, file: JournalFile) {
  return writers[format](file);
}
