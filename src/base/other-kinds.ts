import { firstRecords } from './csv-records.ts';

/** A file that is not read, by what is known of it. */
export interface OtherFile {
  /** In words that follow "This is"; empty if it is not known. */
  readonly kind: string;
  /** Whether entries of a bank may be in it. */
  readonly mayHaveEntries: boolean;
  /** Of a table: its columns, those that a mapping also needs, and the setting of the mapping. */
  readonly columns?: readonly string[];
  readonly missing?: readonly string[];
  readonly setting?: string;
  /** Of the columns. */
  readonly line?: number;
}

type Kind = readonly [kind: string, beginning: RegExp];

/** Files without entries of a bank, by their first bytes. */
const foreign: readonly Kind[] = [
  ['a PDF', /^\s*%PDF/],
  ['an image', /^(\x89PNG|\xff\xd8\xff|GIF8|II\*|MM.\*|RIFF.{4}WEBP)/s],
  ['a text with formats (RTF)', /^\{\\rtf/],
  ['a CFONB file of 240 characters', /^\s*3[1-9]\d{14}E/],
  ['a Parquet file', /^PAR1/],
  ['a database', /^SQLite format 3/],
  ['JSON', /^\s*(\{\s*"|\[\s*[[{"])/],
  ['another XML message', /^[^>]*(>\s*<[^>]*)?urn:iso:std:iso:20022:tech:xsd:(?!camt\.05[2-4])/],
];

/** Files that may have some, in a form that is not read. */
const unknown: readonly Kind[] = [
  ['an old Excel or Word file, or a protected one', /^\xd0\xcf.\xe0/s],
  ['an archive that is not zip', /^([^ -~\s]\x8b|BZh|7z\xbc\xaf|Rar!|\xfd7zXZ|.{257}ustar)/s],
  ['a text in UTF-32', /^(\0\0(\xfe\xff|\0[^\0])|\xff\xfe\0\0|[^\0]\0\0\0)/],
  ['an archive in an archive', /^PK[^ -~]/],
  ['an Excel file as XML', /progid="Excel|urn:schemas-microsoft-com:office:spreadsheet/],
  ['a web page (HTML)', /^(\xef\xbb\xbf)?\s*(<!doctype html|<html|<head|<table|<body)/i],
  ['a QIF file', /^\s*!(Type|Account|Option):/i],
  ['an EDIFACT message', /^\s*UN[AB][:+]/],
  ['another XML message', /^(\xef\xbb\xbf)?\s*<(\?xml|[A-Za-z])/],
];

/** What a file is that no format reads, by its first bytes and its name. */
export function otherFile(name: string, beginning: Uint8Array): OtherFile {
  const text = Buffer.from(beginning).toString('latin1');
  const kindAmong = (kinds: readonly Kind[]) => kinds.find(([, form]) => form.test(text))?.[0];
  const kind = kindAmong(foreign);
  if (kind !== undefined) return { kind, mayHaveEntries: false };
  const known = kindAmong(unknown);
  if (known !== undefined) return { kind: known, mayHaveEntries: true };
  const isNamed = statementNames.test(name);
  if (text.trim() === '') return { kind: 'an empty file', mayHaveEntries: isNamed };
  return { kind: '', mayHaveEntries: isNamed || statementLines.test(text) };
}

/** Names that banks give to statements and tables. */
const statementNames =
  /\.(csv|tsv|xml|camt\w*|sta|mt9?4[02]|94[02]|n43|q43|aeb\w*|cfo\w*|cod|bai2?|[oq]fx)$/i;

/** A tag of MT940, or a record of 80, 120 or 128 characters. */
const statementLines = /^(:\d\d[A-Z]?:|\d(.{79}|.{119}|.{127})\r?$)/m;

/** Whether a file is a table by its name, or has two lines one after the other with as many columns, at least three. */
export function isTable(name: string, text: string): boolean {
  if (/\.[ct]sv$/i.test(name)) return true;
  return [';', '\t', '|', ','].some((delimiter) => {
    // A comma and a blank are part of a sentence.
    const rows = firstRecords(text.replaceAll(', ', ' '), { delimiter, skip_lines: 0 }, 50).map(
      ({ cells }) => cells,
    );
    return rows.some(({ length }, at) => length > 2 && length === rows[at + 1]?.length);
  });
}

/** Documents that are archives, by one of their files, and whether entries of a bank may be in them. */
const documents: readonly (readonly [name: string, part: RegExp, mayHaveEntries: boolean])[] = [
  ['a binary Excel workbook (.xlsb)', /^xl\/workbook\.bin$/, true],
  ['a Word or PowerPoint document', /^(word|ppt)\//, false],
  ['an OpenDocument file', /^mimetype$/, true],
  ['a Numbers or Pages document', /^Index\/.*\.iwa$/, true],
];

/** The document whose files these are; undefined for other archives. */
export function otherDocument(names: readonly string[]): OtherFile | undefined {
  const found = documents.find(([, part]) => names.some((name) => part.test(name)));
  return found && { kind: found[0], mayHaveEntries: found[2] };
}
