/** Files that are neither tables nor statements, by their first bytes. */
const kinds: readonly (readonly [name: string, beginning: RegExp])[] = [
  ['a PDF', /^\s*%PDF/],
  ['an old Excel or Word file, or a protected one', /^\xd0\xcf.\xe0/s],
  ['an image', /^(\x89PNG|\xff\xd8\xff|GIF8|II\*|MM.\*|RIFF.{4}WEBP)/s],
  ['an archive that is not zip', /^([^ -~\s]\x8b|BZh|7z\xbc\xaf|Rar!|\xfd7zXZ|.{257}ustar)/s],
  ['an archive in an archive', /^PK[^ -~]/],
  ['an Excel file as XML', /progid="Excel|urn:schemas-microsoft-com:office:spreadsheet/],
  ['a web page (HTML)', /^(\xef\xbb\xbf)?\s*(<!doctype html|<html|<head|<table|<body)/i],
  ['a text with formats (RTF)', /^\{\\rtf/],
  ['a QIF file', /^\s*!(Type|Account|Option):/i],
  ['a CFONB file of 240 characters', /^\s*3[1-9]\d{14}E/],
  ['an EDIFACT message', /^\s*UN[AB][:+]/],
  ['a Parquet file', /^PAR1/],
  ['a database', /^SQLite format 3/],
  ['JSON', /^\s*(\{\s*"|\[\s*[[{"])/],
  ['another XML message', /^(\xef\xbb\xbf)?\s*<(\?xml|[A-Za-z])/],
  ['an empty file', /^\s*$/],
];

/** What a file is that no format reads, in words that follow "This is"; undefined if it is unknown. */
export function otherKind(beginning: Uint8Array): string | undefined {
  const text = Buffer.from(beginning).toString('latin1');
  return kinds.find(([, form]) => form.test(text))?.[0];
}

/** Documents that are archives, by one of their files. */
const documents: readonly (readonly [name: string, part: RegExp])[] = [
  ['a binary Excel workbook (.xlsb)', /^xl\/workbook\.bin$/],
  ['a Word or PowerPoint document', /^(word|ppt)\//],
  ['an OpenDocument file', /^mimetype$/],
  ['a Numbers or Pages document', /^Index\/.*\.iwa$/],
];

/** What a document is whose files these are; undefined for other archives. */
export function documentKind(names: readonly string[]): string | undefined {
  return documents.find(([, part]) => names.some((name) => part.test(name)))?.[0];
}
