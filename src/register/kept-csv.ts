import { dirname } from 'node:path';
import { csvScanner, type RawRecord } from '../base/csv-records.ts';
import { ReconError } from '../base/errors.ts';
import { readTextFile, writeOutputFile } from '../base/files.ts';
import { type LockOptions, takeLock } from '../base/folder-lock.ts';

export interface KeptCsv {
  /** A semicolon if a spreadsheet with decimal commas wrote it. */
  readonly delimiter: ',' | ';';
  readonly columns: readonly string[];
  readonly records: readonly KeptRecord[];
  /** The first line that cannot be read, because of a quotation mark that is never closed. */
  readonly brokenAt: number | undefined;
  /** The text of the header, with byte order mark and line end. */
  readonly head: string;
}

export interface KeptRecord {
  readonly line: number;
  /** By column, without spaces around them; missing ones are empty. */
  readonly cells: ReadonlyMap<string, string>;
  readonly isEmpty: boolean;
  /** The text of the record, with its line end. */
  readonly text: string;
}

/**
 * Reads a file; a missing or empty one has no columns. Spreadsheets and editors may have changed its byte
 * order mark, line ends, delimiter, order of columns and empty lines.
 */
export async function readKeptCsv(path: string): Promise<KeptCsv> {
  const file = await readTextFile(path, { isKept: true });
  const text = file?.text ?? '';
  const csv = csvOf(text, /^[^\r\n]*;/.test(text) ? ';' : ',');
  return { ...csv, head: (file?.hasByteOrderMark ? '\ufeff' : '') + csv.head };
}

/** The records of a text; `nameOf` makes columns of the cells of its header. */
export function csvOf<Delimiter extends string>(
  text: string,
  delimiter: Delimiter,
  nameOf = (title: string) => title,
) {
  const read: RawRecord[] = [];
  let brokenAt: number | undefined;
  const scanner = csvScanner(
    { delimiter, trims: true },
    {
      record: (record) => {
        if (!record.isSound) brokenAt ??= record.line;
        if (brokenAt === undefined) read.push(record);
      },
      broken: (line) => {
        brokenAt ??= line;
      },
    },
  );
  scanner.push(text);
  scanner.end();
  const [header, ...records] = read;
  const columns = (header?.cells ?? []).map(nameOf);
  return {
    delimiter,
    columns,
    records: records.map(({ cells: values, line, text }) => ({
      line,
      cells: new Map(columns.map((column, index) => [column, plainCell(values[index] ?? '')])),
      isEmpty: values.every((value) => value === ''),
      text,
    })),
    brokenAt,
    head: header?.text ?? '',
  };
}

/** A text without the apostrophe that keeps a spreadsheet from running it. */
export function writtenCell(cell = ''): string {
  return cell.replace(/^'(?=[=+\-@])/, '');
}

/** A text that was written as the formula of itself, to keep a spreadsheet from reading it as a number. */
function plainCell(cell: string): string {
  return /^="(.*)"$/s.exec(cell)?.[1] ?? cell;
}

export interface KeptChange {
  readonly replaced: readonly {
    readonly removed: readonly KeptRecord[];
    /** Replaces the first removed record, or else goes to the end; with line ends. */
    readonly added?: string;
  }[];
  /** Added to the end of the header, but not to other records. */
  readonly newColumns?: readonly string[];
}

/**
 * Locks a file and applies what `change` gives; returns it. Creates a missing file, and writes none if
 * nothing is replaced. The file is written completely or not at all, and all other lines keep their bytes.
 * Throws ReconError `locked`.
 */
export async function changeKeptCsv<Change extends KeptChange>(
  path: string,
  lock: LockOptions,
  change: (csv: KeptCsv) => Change,
): Promise<Change> {
  const release = await takeLock(dirname(path), lock);
  try {
    const csv = await readKeptCsv(path);
    if (csv.brokenAt !== undefined) {
      throw new ReconError('configuration', `${unclosedQuote} Nothing was changed.`, {
        where: `${path}:${csv.brokenAt}`,
        hint: 'Correct that line first.',
      });
    }
    const changed = change(csv);
    if (changed.replaced.length > 0) {
      await writeOutputFile(path, (write) => write(textAfter(csv, changed)));
    }
    return changed;
  } finally {
    await release();
  }
}

export const unclosedQuote = 'A quotation mark opens here and is never closed.';

function textAfter(
  { head, delimiter, records }: KeptCsv,
  { replaced, newColumns = [] }: KeptChange,
): string {
  const [lineEnd = '\r\n'] = /(?:\r\n|\n|\r)$/.exec(head) ?? [];
  const wider = head.replace(/(?=\s*$)/, newColumns.map((key) => delimiter + key).join(''));
  const ended = (text: string) => (/(?:^|[\r\n])$/.test(text) ? text : text + lineEnd);
  const textOf = new Map(records.map((record) => [record, record.text]));
  let atEnd = '';
  for (const { removed, added = '' } of replaced) {
    const own = added.replaceAll('\r\n', lineEnd);
    for (const record of removed) textOf.set(record, record === removed[0] ? own : '');
    if (removed.length === 0) atEnd += own;
  }
  const kept = [wider, ...textOf.values()].join('');
  return atEnd === '' ? kept : ended(kept) + atEnd;
}
