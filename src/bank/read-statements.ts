import { type ArchiveMember, archiveReader, isArchive, readMember } from '../base/archive.ts';
import { ReconError } from '../base/errors.ts';
import { type OtherFile, otherDocument, otherFile } from '../base/other-kinds.ts';
import {
  decoded,
  decodedBeginning,
  findingNul,
  type NamedFile,
  type Reader,
  readerBy,
} from '../base/text-reader.ts';
import { shellWord } from '../base/texts.ts';
import { isWorkbook, readSheets } from '../base/workbook.ts';
import type { BankMappings, BankStatements } from '../model/bank.ts';
import { bai2Format } from './bai2.ts';
import { camtFormat } from './camt.ts';
import { cfonbFormat } from './cfonb120.ts';
import { codaFormat } from './coda.ts';
import { chosenCsv } from './csv-choice.ts';
import { mt940Format } from './mt940.ts';
import { norma43Format } from './norma43.ts';
import { ofxFormat } from './ofx.ts';
import { unite } from './unite.ts';
import type { StatementFormat, StatementSink, Unreadable, WrittenStatement } from './written.ts';

/** The limit of all files together. */
const mostBytes = 2 ** 30;

/**
 * Reads statements in all formats. Other files in folders are findings; ReconError `usage` for one that is named, or
 * a named archive without any statement.
 */
export async function readStatements(
  files: readonly NamedFile[],
  mappings: BankMappings = {},
): Promise<BankStatements> {
  const written: WrittenStatement[] = [];
  const faults: Unreadable[] = [];
  let bytes = files.reduce((sum, { size = 0 }) => sum + size, 0);
  const [large] = [...files].sort((one, other) => (other.size ?? 0) - (one.size ?? 0));
  if (large && bytes > mostBytes) throw tooLarge(large.name);
  for (const { name, size, blocks, mayBeOther = false } of files) {
    const others: (readonly [file: string, what: OtherFile])[] = [];
    const before = written.length + faults.length;
    const sink: StatementSink = {
      statement: (statement) => written.push(statement),
      unreadable: (fault) => faults.push(fault),
      other: (file, what) => {
        if (!mayBeOther && file === name) throw notStatement(name, what);
        others.push([file, what]);
      },
    };
    const reader = fileReader(name, sink, mappings);
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
    if (!mayBeOther && written.length + faults.length === before) {
      const [first] = others;
      const [file, what] = others.find(([, one]) => one.mayHaveEntries) ?? first ?? [name, noFiles];
      throw notStatement(file, what);
    }
    for (const [file, what] of others) faults.push(leftOut(file, what));
  }
  return unite(written, faults);
}

const noFiles: OtherFile = { kind: 'an archive without files', mayHaveEntries: false };

function leftOut(
  file: string,
  { kind, mayHaveEntries, columns = [], missing = [], setting, line = 0 }: OtherFile,
): Unreadable {
  return {
    code: mayHaveEntries ? 'not_read' : 'other_file',
    place: { file, line },
    element: kind,
    found: columns.join(', '),
    expected: missing.join(', '),
    setting,
  };
}

function tooLarge(where: string): ReconError {
  const hint = 'Read those of fewer months or accounts at once.';
  return new ReconError('usage', 'The bank statements have more than 1 GiB.', { where, hint });
}

function notStatement(where: string, what: OtherFile): ReconError {
  const { kind, columns = [], missing = [], setting = '' } = what;
  const refused = (message: string, hint: string) =>
    new ReconError('usage', message, { where, hint });
  if (setting !== '' && missing.length === 0) {
    const hint = 'Set account in each, and name the file after its account.';
    return refused(`Several mappings fit this file: ${setting}.`, hint);
  }
  if (setting !== '') {
    const has =
      columns.length === 1
        ? `It has 1 column: ${columns.join()}. Check the delimiter.`
        : columns.length > 0 && `It has ${columns.join(', ')}.`;
    const lacks = `This file lacks columns that ${setting} names: ${missing.join(', ')}.`;
    return refused(
      lacks,
      `${has || ''} Correct the mapping, or add another one: recon bank --init FILE.`.trim(),
    );
  }
  const kinds =
    'Files can be camt, MT940, MT942, CODA, Norma 43, CFONB 120, BAI2, OFX, CSV, Excel (.xlsx), or a zip of them.';
  const next = /^(a table|an Excel workbook)/.test(kind)
    ? `To read it, set bank_csv in the profile: recon bank --init ${shellWord(where)} proposes it, and --write adds it.`
    : `${nextFor(kind)} ${kinds}`;
  const message = kind
    ? `This is ${kind}, not a bank statement that recon can read.`
    : 'Not a bank statement that recon can read.';
  return refused(message, next);
}

/** What to do about a file that is no bank statement, by its kind. */
function nextFor(kind: string): string {
  if (/old Excel|xlsb/.test(kind)) return 'Save it as .xlsx or CSV, without a password.';
  if (/empty|HTML/.test(kind)) return 'Download it from the bank again.';
  return 'Export the statement from the bank in another form.';
}

/** The format of a file is recognised by its first bytes. */
const beginningBytes = 8_192;

const formats: readonly StatementFormat[] = [
  camtFormat,
  mt940Format,
  norma43Format,
  cfonbFormat,
  codaFormat,
  bai2Format,
  ofxFormat,
];

/** Whether a file that begins so is a statement in a format that needs no mapping. */
export function isStatement(beginning: string): boolean {
  return formats.some(({ matches }) => matches(beginning));
}

/** Recognises a file by its content, and reads it. An archive in an archive is not read. */
function fileReader(
  file: string,
  sink: StatementSink,
  mappings: BankMappings,
  isInArchive = false,
): Reader<Uint8Array> {
  const take = (members: readonly ArchiveMember[]) => {
    const document = otherDocument(members.map(({ name }) => name));
    if (document) sink.other(file, document);
    else if (isWorkbook(members)) takeWorkbook(file, members, sink, mappings);
    else takeMembers(file, members, sink, mappings);
  };
  return readerBy(beginningBytes, (beginning) =>
    isArchive(beginning) && !isInArchive
      ? archiveReader(file, take)
      : textReader(file, beginning, sink, mappings),
  );
}

function takeMembers(
  file: string,
  members: readonly ArchiveMember[],
  sink: StatementSink,
  mappings: BankMappings,
): void {
  if (members.length === 0) sink.other(file, noFiles);
  for (const member of members) {
    const inner = `${file}:${member.name}`;
    if (readMember(member, () => fileReader(inner, sink, mappings, true))) continue;
    const expected = 'what the archive has a size and a checksum of, without a password';
    sink.unreadable({ place: { file: inner, line: 1 }, element: 'file', found: '', expected });
  }
}

/** Reads the visible sheets with the columns of a mapping, each like a CSV file. */
function takeWorkbook(
  file: string,
  members: readonly ArchiveMember[],
  sink: StatementSink,
  mappings: BankMappings,
): void {
  const others: string[] = [];
  const other = Object.keys(mappings).length > 0 ? ' with other columns' : '';
  let whole: OtherFile = { kind: `an Excel workbook${other}`, mayHaveEntries: true };
  let isRead = false;
  const fault = readSheets(members, ({ name, isHidden }, beginning) => {
    const csv = chosenCsv(`${file} ${name}`, isHidden ? {} : mappings, (mapping) =>
      mapping ? beginning(mapping) : '',
    );
    if (csv && 'reader' in csv) {
      const reader = csv.reader(isRead ? `${file}:${name}` : file, sink);
      isRead = true;
      return { form: csv.mapping, reader };
    }
    others.push(name);
    whole = csv ?? whole;
    return undefined;
  });
  if (fault) {
    const { line, found, expected } = fault;
    sink.unreadable({ place: { file, line }, element: 'sheet', found, expected });
  } else if (!isRead) sink.other(file, whole);
  else {
    const kind = 'another sheet';
    for (const name of others) sink.other(`${file}:${name}`, { kind, mayHaveEntries: false });
  }
}

function textReader(
  file: string,
  beginning: Uint8Array,
  sink: StatementSink,
  mappings: BankMappings,
): Reader<Uint8Array> {
  const text = decodedBeginning(beginning);
  const reading =
    formats.find(({ matches }) => matches(text)) ??
    chosenCsv(file, mappings, (mapping) => decodedBeginning(beginning, mapping?.encoding));
  if (!reading || !('reader' in reading)) {
    const known = otherFile(file, beginning);
    sink.other(file, known.kind === '' && reading ? reading : known);
    return unread;
  }
  const encoding = reading.encodingOf?.(text);
  const withNul = (line: number) =>
    sink.unreadable({
      place: { file, line },
      element: 'text',
      found: 'NUL',
      expected: 'text without NUL characters',
    });
  const own = reading.reader(file, sink);
  const reader = reading.tellsOddCharacters ? own : findingNul(own, withNul);
  const bytes = decoded(reader, beginning, encoding);
  if (bytes) return bytes;
  const expected = 'an encoding such as UTF-8 or windows-1252';
  const place = { file, line: 1 };
  sink.unreadable({ place, element: 'encoding', found: encoding ?? '', expected });
  return unread;
}

const unread: Reader<Uint8Array> = { push: () => {}, end: () => {} };
