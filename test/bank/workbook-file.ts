import { type Member, zipOf } from '../cases/bank/zip-file.ts';

export interface WorkbookParts {
  /** The rows of the first sheet, as XML. */
  readonly rows: string;
  readonly strings?: readonly string[];
  /** Codes of formats, whose styles are numbered from 1. */
  readonly formats?: readonly string[];
  readonly is1904?: boolean;
  /** More sheets, by name; the name of a hidden one begins with a dash. */
  readonly more?: Readonly<Record<string, string>>;
  readonly isFirstHidden?: boolean;
  readonly parts?: readonly Member[];
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** An Excel workbook as ECMA-376 describes it. */
export function workbookOf({
  rows,
  strings = [],
  formats = [],
  is1904 = false,
  more = {},
  isFirstHidden = false,
  parts = [],
}: WorkbookParts): Buffer {
  const sheets = [[isFirstHidden ? '-Sheet1' : 'Sheet1', rows], ...Object.entries(more)] as const;
  const part = (name: string, content: string): Member => ({ name, content: head + content });
  const list = sheets.map(
    ([name], at) =>
      `<sheet name="${name.replace(/^-/, '')}" sheetId="${at + 1}"${name.startsWith('-') ? ' state="hidden"' : ''} r:id="rId${at + 1}"/>`,
  );
  const relations = sheets.map(
    (_, at) =>
      `<Relationship Id="rId${at + 1}" Type="${relation}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const own = [
    part('[Content_Types].xml', '<Types/>'),
    part(
      'xl/workbook.xml',
      `<workbook ${main} xmlns:r="${relation}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${list.join('')}</sheets></workbook>`,
    ),
    part('xl/_rels/workbook.xml.rels', `<Relationships>${relations.join('')}</Relationships>`),
    ...sheets.map(([, content], at) =>
      part(
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet ${main}><sheetData>${content}</sheetData></worksheet>`,
      ),
    ),
    part(
      'xl/sharedStrings.xml',
      `<sst ${main}>${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    ),
    part(
      'xl/styles.xml',
      `<styleSheet ${main}><numFmts>${formats
        .map(
          (code, at) =>
            `<numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
        )
        .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${[
        0,
        ...formats.map((_, at) => 164 + at),
        14,
      ]
        .map((id) => `<xf numFmtId="${id}"/>`)
        .join('')}</cellXfs></styleSheet>`,
    ),
  ];
  const replaced = new Set(parts.map(({ name }) => name));
  return zipOf([...own.filter(({ name }) => !replaced.has(name)), ...parts]);
}

/** A cell with a text of its own. */
export const text = (place: string, content: string) =>
  `<c r="${place}" t="inlineStr"><is><t>${content}</t></is></c>`;

/** A cell with a number, in a style. */
export const number = (place: string, value: string, style = 0) =>
  `<c r="${place}" s="${style}"><v>${value}</v></c>`;

export const row = (line: number, ...cells: readonly string[]) =>
  `<row r="${line}">${cells.join('')}</row>`;
