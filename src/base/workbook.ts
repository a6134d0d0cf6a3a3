import { SaxesParser } from 'saxes';
import { type ArchiveMember, readMember } from './archive.ts';
import { addDays, dayAs } from './calendar.ts';
import type { CsvForm } from './csv-records.ts';
import { decoded, longestRecord, longestText, readerBy, type TextReader } from './text-reader.ts';

/** What cannot be read in a workbook. The line is a row of the sheet. */
export interface WorkbookFault {
  readonly line: number;
  readonly found: string;
  readonly expected: string;
}

/** More columns than tables have: a small file could fill 16,384 in each of a million rows. */
const mostColumns = 256;

/** The most characters and items that are held at once. */
const mostHeld = 2 ** 26;

/** Whether the files of an archive are those of an Excel workbook (.xlsx). */
export function isWorkbook(members: readonly ArchiveMember[]): boolean {
  return members.some(({ name }) => name === 'xl/workbook.xml');
}

/** How a sheet is written as CSV, and who reads it. */
interface SheetReading {
  readonly form: CsvForm;
  readonly reader: TextReader;
}

/**
 * Hands on the sheets of a workbook as CSV, a line a row. `begin` chooses how, by the name of a sheet with content
 * and its beginning; a sheet without a choice is left out. Returns a fault; then the reader is not ended.
 */
export function readSheets(
  members: readonly ArchiveMember[],
  begin: (sheet: Sheet, beginning: (form: CsvForm) => string) => SheetReading | undefined,
): WorkbookFault | undefined {
  const row = { line: 1 };
  try {
    const read = partReader(members);
    const { sheets, is1904 } = sheetsIn(read);
    if (sheets.every(({ isHidden }) => isHidden)) throw new Unreadable('', 'a visible sheet');
    const context = { strings: stringsIn(read), dateStyles: dateStylesIn(read), is1904 };
    for (const sheet of sheets) {
      row.line = 1;
      readSheet(read, sheet, row, context, (beginning) => begin(sheet, beginning));
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { line: row.line, found: error.found, expected: error.message };
  }
}

/**
 * Hands on the first visible sheet as CSV of this form. Returns the names of other sheets with content, or a fault;
 * then the reader is not ended.
 */
export function readWorkbook(
  members: readonly ArchiveMember[],
  form: CsvForm,
  reader: TextReader,
): readonly string[] | WorkbookFault {
  const others: string[] = [];
  let isRead = false;
  const fault = readSheets(members, ({ name, isHidden }) => {
    if (isHidden || isRead) others.push(name);
    else {
      isRead = true;
      return { form, reader };
    }
    return undefined;
  });
  if (!fault && !isRead) reader.end();
  return fault ?? others;
}

interface Row {
  readonly line: number;
  readonly cells: readonly Cell[];
}

/** The rows by which the reading of a sheet is chosen. */
const firstRows = 50;

function readSheet(
  read: ReadPart,
  { part }: Sheet,
  row: { line: number },
  context: Omit<SheetContext, 'form'>,
  begin: (beginning: (form: CsvForm) => string) => SheetReading | undefined,
): void {
  let held: Row[] = [];
  let last = 1;
  let chosen: { readonly reading: SheetReading | undefined } | undefined;
  const handOn = () => {
    chosen ??= { reading: begin((form) => csvText(held, 1, { ...context, form })) };
    const { reading } = chosen;
    reading?.reader.push(csvText(held, last, { ...context, form: reading.form }));
    last = held.at(-1)?.line ?? last;
    held = [];
  };
  readCells(read, part, row, (cells) => {
    held.push({ line: row.line, cells });
    if (chosen || held.length === firstRows) handOn();
  });
  if (held.length > 0) handOn();
  chosen?.reading?.reader.end();
}

/** Stops reading a workbook. */
class Unreadable extends Error {
  readonly found: string;

  constructor(found: string, expected: string) {
    super(expected);
    this.found = found;
  }
}

interface PartListener {
  opened?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  closed?(name: string): void;
}

type ReadPart = (name: string, listener: PartListener, isOptional?: boolean) => void;

/** Reads parts of a workbook, which are XML documents. */
function partReader(members: readonly ArchiveMember[]): ReadPart {
  return (name, listener, isOptional = false) => {
    const member = members.find((one) => one.name === name);
    if (!member && isOptional) return;
    const parser = new SaxesParser();
    let sinceTag = 0;
    const local = (qualified: string) => qualified.slice(qualified.indexOf(':') + 1);
    parser.on('error', ({ message }) => {
      throw new Unreadable(message.replace(/^\d+:\d+: |\.$/g, ''), 'well-formed XML');
    });
    parser.on('doctype', () => {
      throw new Unreadable('DOCTYPE', 'a part without DOCTYPE');
    });
    parser.on('opentag', ({ name, attributes }) => {
      sinceTag = 0;
      listener.opened?.(local(name), attributes);
    });
    parser.on('text', (text) => listener.text?.(text));
    parser.on('cdata', (text) => listener.text?.(text));
    parser.on('closetag', ({ name }) => {
      sinceTag = 0;
      listener.closed?.(local(name));
    });
    const text: TextReader = {
      push: (piece) => {
        sinceTag += piece.length;
        if (sinceTag > longestRecord) throw new Unreadable('', 'texts of at most 64 kB');
        parser.write(piece);
      },
      end: () => parser.close(),
    };
    const bytes = () => readerBy(4, (beginning) => decoded(text, beginning) ?? nothing);
    if (!member || !readMember(member, bytes)) throw new Unreadable(name, 'an undamaged part');
  };
}

const nothing = { push: () => {}, end: () => {} };

interface Sheet {
  readonly name: string;
  readonly part: string;
  readonly isHidden: boolean;
}

function sheetsIn(read: ReadPart) {
  const parts = new Map<string, string>();
  const sheets: Sheet[] = [];
  let is1904 = false;
  read('xl/_rels/workbook.xml.rels', {
    opened: (_, { Id = '', Target = '' }) => {
      // Names are relative to the workbook, or begin at the root.
      parts.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
    },
  });
  read('xl/workbook.xml', {
    opened: (element, attributes) => {
      if (element === 'workbookPr') is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
      if (element !== 'sheet') return;
      const [, id = ''] = Object.entries(attributes).find(([name]) => name.endsWith(':id')) ?? [];
      const { name = '', state = 'visible' } = attributes;
      sheets.push({ name, part: parts.get(id) ?? '', isHidden: state !== 'visible' });
    },
  });
  return { sheets, is1904 };
}

/** The texts that cells name by number. */
function stringsIn(read: ReadPart): readonly string[] {
  const strings: string[] = [];
  let [text, held, isText] = ['', 0, false];
  // Readings of Japanese texts are no part of them.
  let isReading = false;
  const listener: PartListener = {
    opened: (name) => {
      if (name === 'si') text = '';
      if (name === 'rPh') isReading = true;
      isText = name === 't' && !isReading;
    },
    text: (piece) => {
      if (isText) text += piece;
      if (text.length > longestText) throw new Unreadable('', 'texts of at most 64 kB');
    },
    closed: (name) => {
      isText = false;
      if (name === 'rPh') isReading = false;
      if (name !== 'si') return;
      held += text.length + 32;
      if (held > mostHeld) throw new Unreadable('', 'texts of at most 64 MB');
      strings.push(text);
    },
  };
  read('xl/sharedStrings.xml', listener, true);
  return strings;
}

/** The numbers of the styles that show a number as a date. */
function dateStylesIn(read: ReadPart): ReadonlySet<string> {
  const dateFormats = new Set<string>();
  const dateStyles = new Set<string>();
  let [isInCells, styles] = [false, 0];
  const listener: PartListener = {
    opened: (name, { numFmtId = '', formatCode = '' }) => {
      if (name === 'cellXfs') isInCells = true;
      if (name === 'numFmt' && isDateFormat(formatCode)) dateFormats.add(numFmtId);
      if (name !== 'xf' || !isInCells) return;
      if (builtInDates.test(numFmtId) || dateFormats.has(numFmtId)) dateStyles.add(String(styles));
      styles += 1;
      if (styles > 100_000) throw new Unreadable('', 'at most 100,000 styles');
    },
    closed: (name) => {
      if (name === 'cellXfs') isInCells = false;
    },
  };
  read('xl/styles.xml', listener, true);
  return dateStyles;
}

/** The numbers of formats that every workbook has, for dates. */
const builtInDates = /^(1[4-7]|22|2[7-9]|3[016]|5[0-8])$/;

/** Whether a format has a day, a month or a year outside of quotes, escapes and brackets. */
function isDateFormat(code: string): boolean {
  const signs = code.replace(/"[^"]*"|[\\_*].|\[[^\]]*\]|general/gi, '');
  return /[dy]/i.test(signs) || (/m/i.test(signs) && !/[hs]/i.test(signs));
}

interface SheetContext {
  readonly strings: readonly string[];
  readonly dateStyles: ReadonlySet<string>;
  readonly is1904: boolean;
  readonly form: CsvForm;
}

/** A cell as the file has it. */
interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: string;
  value: string;
  formula: string;
}

/** Hands on the cells of each row that has any; `row` keeps its number, also for faults. */
function readCells(
  read: ReadPart,
  part: string,
  row: { line: number },
  take: (cells: readonly Cell[]) => void,
): void {
  let cells: Cell[] = [];
  let cell: Cell | undefined;
  let open = '';
  let next = 1;
  read(part, {
    opened: (name, { r = '', t = 'n', s = '' }) => {
      open = name;
      if (name === 'row') {
        const line = r === '' ? next : Number(r);
        if (!(line >= next && line <= 2 ** 20)) throw new Unreadable(r, 'rows in their order');
        row.line = line;
        next = line + 1;
        cells = [];
      }
      if (name !== 'c') return;
      const after = (cells.at(-1)?.column ?? 0) + 1;
      const column = r === '' ? after : columnIn(r);
      if (!(column >= after)) throw new Unreadable(r, 'cells in their order');
      cell = { column, type: t, style: s, value: '', formula: '' };
    },
    text: (piece) => {
      if (!cell) return;
      if (open === 'v' || open === 't') cell.value += piece;
      if (open === 'f') cell.formula += piece;
      const { length } = cell.value + cell.formula;
      if (length > longestText) throw new Unreadable('', 'a text of at most 64 kB');
    },
    closed: (name) => {
      open = '';
      if (name === 'row' && cells.length > 0) take(cells);
      if (name !== 'c' || !cell) return;
      const isFilled = cell.value !== '' || cell.formula !== '';
      if (isFilled && cell.column > mostColumns) {
        throw new Unreadable(`column ${cell.column}`, `at most ${mostColumns} columns`);
      }
      if (isFilled) cells.push(cell);
      cell = undefined;
    },
  });
}

/** The number of the column of a cell such as AB12. */
function columnIn(reference: string): number {
  const [, letters = ''] = /^([A-Z]{1,3})\d+$/.exec(reference) ?? [];
  return [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0);
}

/** Rows as CSV that goes on from a line. */
function csvText(rows: readonly Row[], from: number, context: SheetContext): string {
  let at = from;
  const lines = rows.map(({ line, cells }) => {
    const ends = '\n'.repeat(line - at);
    at = line;
    return `${ends}${csvLine(cells, context)}`;
  });
  return lines.join('');
}

function csvLine(cells: readonly Cell[], context: SheetContext): string {
  const texts: string[] = [];
  for (const cell of cells) {
    while (texts.length < cell.column - 1) texts.push('');
    const text = textOf(cell, context).replace(/[\r\n]+/g, ' ');
    texts.push(`"${text.replaceAll('"', '""')}"`);
  }
  return texts.join(context.form.delimiter);
}

function textOf({ type, style, value, formula }: Cell, context: SheetContext): string {
  const { strings, dateStyles, form } = context;
  // A result that was not stored is unknown.
  if (value === '' && formula !== '') return `=${formula}`;
  if (type === 's') return plain(strings[Number(value)] ?? `text ${value}`);
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type === 'd') return writtenDay(value.slice(0, 10), value.slice(11), form);
  if (type !== 'n') return plain(value);
  const day = dateStyles.has(style) ? dayOfSerial(value, context) : undefined;
  return day ?? exactNumber(value).replace('.', form.decimal);
}

/** Characters that XML does not allow are written as _x000D_. */
const plain = (text: string) =>
  text.replace(/_x([\dA-F]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

/**
 * A number of a workbook has 64 bits, and a program may write it with more digits than it has: 1234.5599999999999
 * and 1234.56 are the same number. It is the one with the fewest digits. A result of arithmetic that only more
 * than 15 digits give is marked, so that it is never taken for an amount.
 */
function exactNumber(written: string): string {
  if (!/^-?(\d+\.?\d*|\.\d+)(E[-+]?\d+)?$/i.test(written)) return written;
  const shortest = String(Number(written));
  const digits = shortest.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return /^\d{0,15}$/.test(digits) ? shortest : `≈${shortest}`;
}

const secondsPerDay = 86_400;

/** The day that a number stands for, counted from 1900 or 1904; undefined if there is none. */
function dayOfSerial(value: string, { is1904, form }: SheetContext): string | undefined {
  const seconds = Math.round(Number(value) * secondsPerDay);
  const days = Math.floor(seconds / secondsPerDay);
  // 60 is 29 February 1900, which did not exist.
  if (!(days >= (is1904 ? 0 : 1) && days <= 2_958_465) || (!is1904 && days === 60))
    return undefined;
  const first = is1904 ? '1904-01-01' : days < 60 ? '1899-12-31' : '1899-12-30';
  const rest = seconds % secondsPerDay;
  const parts = [rest / 3_600, (rest / 60) % 60, rest % 60].map((part) => Math.floor(part));
  const time = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return writtenDay(addDays(first, days), rest === 0 ? '' : time, form);
}

function writtenDay(day: string, time: string, { date_format }: CsvForm): string {
  return `${dayAs(day, date_format)} ${time}`.trim();
}
