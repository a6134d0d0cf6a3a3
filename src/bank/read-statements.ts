import { type ArchiveMember, archiveReader, isArchive, readMember } from '../base/archive.ts';
import { ReconError } from '../base/errors.ts';
import { documentKind, otherKind } from '../base/other-kinds.ts';
import {
  decoded,
  decodedBeginning,
  findingNul,
  type NamedFile,
  type Reader,
  readerBy,
} from '../base/text-reader.ts';
import { isWorkbook, readWorkbook } from '../base/workbook.ts';
import type { BankCsv, BankStatements } from '../model/bank.ts';
import { bai2Format } from './bai2.ts';
import { camtFormat } from './camt.ts';
import { cfonbFormat } from './cfonb120.ts';
import { codaFormat } from './coda.ts';
import { csvFormat } from './csv.ts';
import { mt940Format } from './mt940.ts';
import { norma43Format } from './norma43.ts';
import { ofxFormat } from './ofx.ts';
import { unite } from './unite.ts';
import type { StatementFormat, StatementSink, Unreadable, WrittenStatement } from './written.ts';

/** Statements, and the names of files that are not statements. */
interface ReadStatements extends BankStatements {
  readonly leftOut: readonly string[];
}

/** The limit of all files together. */
const mostBytes = 2 ** 30;

/** Reads statements in all formats. Throws ReconError `usage` for any other file. */
export async function readStatements(
  files: readonly NamedFile[],
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
      other: (file, kind) => {
        if (!mayBeOther && file === name) throw notStatement(name, mapping, kind);
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
  const hint = 'Read those of fewer months or accounts at once.';
  return new ReconError('usage', 'The bank statements have more than 1 GiB.', { where, hint });
}

function notStatement(where: string, mapping: BankCsv | undefined, kind?: string): ReconError {
  const kinds =
    'Files can be camt, MT940, MT942, CODA, Norma 43, CFONB 120, BAI2, OFX, or a zip of them.';
  const csv = mapping
    ? `A CSV or Excel file (.xlsx) must have the columns that bank_csv names, such as ${mapping.date}.`
    : 'To read CSV and Excel files (.xlsx), set bank_csv in the profile.';
  const message = kind
    ? `This is ${kind}, not a bank statement that recon can read.`
    : 'Not a bank statement that recon can read.';
  return new ReconError('usage', message, { where, hint: `${kinds} ${csv}` });
}

/** The format of a file is recognised by its first bytes. */
const beginningBytes = 8_192;

function formatsBy(mapping: BankCsv | undefined): readonly StatementFormat[] {
  return [
    camtFormat,
    mt940Format,
    norma43Format,
    cfonbFormat,
    codaFormat,
    bai2Format,
    ofxFormat,
    ...(mapping ? [csvFormat(mapping)] : []),
  ];
}

/** Whether a file that begins so is a statement in a format that needs no mapping. */
export function isStatement(beginning: string): boolean {
  return formatsBy(undefined).some(({ matches }) => matches(beginning));
}

/** Recognises a file by its content, and reads it. An archive in an archive is not read. */
function fileReader(
  file: string,
  sink: StatementSink,
  mapping: BankCsv | undefined,
  isInArchive = false,
): Reader<Uint8Array> {
  const take = (members: readonly ArchiveMember[]) => {
    const kind = documentKind(members.map(({ name }) => name));
    if (kind !== undefined) sink.other(file, kind);
    else if (isWorkbook(members)) takeWorkbook(file, members, sink, mapping);
    else takeMembers(file, members, sink, mapping);
  };
  return readerBy(beginningBytes, (beginning) =>
    isArchive(beginning) && !isInArchive
      ? archiveReader(file, take)
      : textReader(file, beginning, sink, formatsBy(mapping)),
  );
}

function takeMembers(
  file: string,
  members: readonly ArchiveMember[],
  sink: StatementSink,
  mapping: BankCsv | undefined,
): void {
  for (const member of members) {
    const inner = `${file}:${member.name}`;
    if (readMember(member, () => fileReader(inner, sink, mapping, true))) continue;
    const expected = 'what the archive has a size and a checksum of, without a password';
    sink.unreadable({ place: { file: inner, line: 1 }, element: 'file', found: '', expected });
  }
}

/** The first sheet is read as a CSV file. */
function takeWorkbook(
  file: string,
  members: readonly ArchiveMember[],
  sink: StatementSink,
  mapping: BankCsv | undefined,
): void {
  if (!mapping) {
    sink.other(file, 'an Excel workbook');
    return;
  }
  const other = () => sink.other(file, 'an Excel workbook with other columns');
  const formats = [csvFormat({ ...mapping, encoding: 'utf-8' })];
  const bytes = readerBy(beginningBytes, (beginning) =>
    textReader(file, beginning, { ...sink, other }, formats),
  );
  const push = (text: string) => bytes.push(Buffer.from(text));
  const read = readWorkbook(members, mapping, { push, end: () => bytes.end() });
  if ('line' in read) {
    const { line, found, expected } = read;
    sink.unreadable({ place: { file, line }, element: 'sheet', found, expected });
  } else for (const sheet of read) sink.other(`${file}:${sheet}`);
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
  const withNul = (line: number) =>
    sink.unreadable({
      place: { file, line },
      element: 'text',
      found: 'NUL',
      expected: 'text without NUL characters',
    });
  // XML names characters that it does not allow.
  const own = format?.reader(file, sink);
  const reader = own && format !== camtFormat ? findingNul(own, withNul) : own;
  const bytes = reader && decoded(reader, beginning, encoding);
  if (!reader) sink.other(file, otherKind(beginning));
  else if (!bytes) {
    const expected = 'an encoding such as UTF-8 or windows-1252';
    const place = { file, line: 1 };
    sink.unreadable({ place, element: 'encoding', found: encoding ?? '', expected });
  }
  return bytes ?? { push: () => {}, end: () => {} };
}
