import { type ArchiveMember, archiveReader, isArchive } from '../base/archive.ts';
import { type CsvForm, usualCsv } from '../base/csv-records.ts';
import { otherDocument, otherFile } from '../base/other-kinds.ts';
import { decodedBeginning, type NamedFile, type Reader } from '../base/text-reader.ts';
import { utf8Text } from '../base/texts.ts';
import { isWorkbook, readWorkbook } from '../base/workbook.ts';

/** The beginning of a file, as text. Of a workbook, its first sheet as CSV with commas. */
export interface Beginning {
  readonly text: string;
  readonly isWorkbook: boolean;
  /** Set if the file must be read otherwise than as UTF-8. */
  readonly encoding?: string | undefined;
  /** What it is, if it can be no table: `a PDF`. */
  readonly kind?: string | undefined;
}

/** A month of most accounts and shops: more lines rarely say more. */
const mostBytes = 2 ** 18;

/** Reads the beginning of a file, or all of a workbook. */
export async function beginningOf({ name, blocks }: NamedFile): Promise<Beginning> {
  let bytes = Buffer.alloc(0);
  let reader: Reader<Uint8Array> | undefined;
  let sheet: Beginning = { text: '', isWorkbook: true };
  const take = (members: readonly ArchiveMember[]) => {
    sheet = sheetIn(members);
  };
  for await (const block of blocks()) {
    if (bytes.length === 0 && isArchive(block)) reader ??= archiveReader(name, take);
    if (reader) reader.push(block);
    else bytes = Buffer.concat([bytes, block]);
    if (bytes.length >= mostBytes) break;
  }
  reader?.end();
  if (reader) return sheet;
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  const isOther = !bytes.includes(0) && whole.length > 0 && utf8Text(whole) === '';
  return {
    // Excel names the delimiter in a line of its own.
    text: decodedBeginning(bytes).replace(/^\ufeff?("?sep=.*)?/i, ''),
    isWorkbook: false,
    encoding: isOther ? 'windows-1252' : undefined,
    kind: otherFile('', bytes).kind || undefined,
  };
}

/** How cells with numbers and dates are handed on. */
const plainForm: CsvForm = { ...usualCsv, date: '' };

function sheetIn(members: readonly ArchiveMember[]): Beginning {
  const none = { text: '', isWorkbook: true };
  const kind = otherDocument(members.map(({ name }) => name))?.kind ?? 'an archive';
  if (!isWorkbook(members)) return { ...none, kind };
  let text = '';
  const push = (piece: string) => {
    if (text.length < mostBytes) text += piece;
  };
  const read = readWorkbook(members, plainForm, { push, end: () => {} });
  return 'line' in read
    ? { ...none, kind: 'a damaged Excel workbook' }
    : { text: `${text}\n`, isWorkbook: true };
}
