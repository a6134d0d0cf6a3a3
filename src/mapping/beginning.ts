import { type ArchiveMember, archiveReader, isArchive } from '../base/archive.ts';
import type { CsvForm } from '../base/csv-records.ts';
import { ReconError } from '../base/errors.ts';
import { decodedBeginning, type NamedFile } from '../base/text-reader.ts';
import { utf8Text } from '../base/texts.ts';
import { isWorkbook, readWorkbook } from '../base/workbook.ts';

/** The beginning of a file with a table. Of a workbook, its first sheet as CSV with commas. */
export interface Beginning {
  readonly text: string;
  readonly isWorkbook: boolean;
  /** Set if the file must be read otherwise than as UTF-8. */
  readonly encoding?: string | undefined;
}

/** A month of most accounts and shops; more lines rarely say more. */
const mostBytes = 2 ** 18;

/** Reads the beginning of a CSV file or a workbook. Throws ReconError `usage` for other archives. */
export async function beginningOf({ name, blocks }: NamedFile): Promise<Beginning> {
  let bytes = Buffer.alloc(0);
  let reader: ReturnType<typeof archiveReader> | undefined;
  let sheet = '';
  const take = (members: readonly ArchiveMember[]) => {
    sheet = sheetIn(name, members);
  };
  for await (const block of blocks()) {
    if (bytes.length === 0 && isArchive(block)) reader = archiveReader(name, take);
    if (reader) {
      reader.push(block);
      continue;
    }
    bytes = Buffer.concat([bytes, block]);
    if (bytes.length >= mostBytes) break;
  }
  reader?.end();
  if (reader) return { text: sheet, isWorkbook: true };
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  const isWide = bytes.includes(0);
  const isOther = !isWide && whole.length > 0 && utf8Text(whole) === '';
  return {
    text: decodedBeginning(bytes).replace(/^\ufeff/, ''),
    isWorkbook: false,
    encoding: isOther ? 'windows-1252' : undefined,
  };
}

/** How cells with numbers and dates are handed on. */
const plainForm: CsvForm = {
  delimiter: ',',
  skip_lines: 0,
  header: true,
  decimal: '.',
  date_format: 'YYYY-MM-DD',
  date: '',
};

function sheetIn(where: string, members: readonly ArchiveMember[]): string {
  const refused = (message: string) =>
    new ReconError('usage', message, { where, hint: 'Name a CSV file or an Excel file (.xlsx).' });
  if (!isWorkbook(members)) throw refused('An archive has no columns.');
  let text = '';
  const push = (piece: string) => {
    if (text.length < mostBytes) text += piece;
  };
  const read = readWorkbook(members, plainForm, { push, end: () => {} });
  if ('line' in read) throw refused('The Excel file is damaged.');
  return `${text}\n`;
}
