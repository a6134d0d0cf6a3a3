import type { BankCsv } from '../model/bank-csv.ts';
import { camtReader, isCamt } from './camt.ts';
import { csvReader, isMappedCsv } from './csv.ts';
import { isMt940, mt940Reader } from './mt940.ts';
import type { StatementSink, TextReader } from './written.ts';

/** A way to write statements. */
export interface StatementFormat {
  /** Whether a file that begins with this text is one. */
  isLike(beginning: string, mapping: BankCsv | undefined): boolean;
  /** The encoding that the file or the mapping names; undefined where neither does. */
  encodingOf?(beginning: string, mapping: BankCsv | undefined): string | undefined;
  reader(file: string, sink: StatementSink, mapping: BankCsv | undefined): TextReader;
}

/** Every format; a file is of the first that it is like. */
export const statementFormats: readonly StatementFormat[] = [
  {
    isLike: isCamt,
    encodingOf: (beginning) =>
      /^[\s\ufeff]*<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)/.exec(beginning)?.[1],
    reader: camtReader,
  },
  { isLike: isMt940, reader: mt940Reader },
  { isLike: isMappedCsv, encodingOf: (_, mapping) => mapping?.encoding, reader: csvReader },
];
