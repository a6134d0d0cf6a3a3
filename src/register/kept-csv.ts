import { dirname } from 'node:path';
import { CsvError, parse } from 'csv-parse/sync';
import { ReconError } from '../base/errors.ts';
import { readTextFile, writeOutputFile } from '../base/files.ts';
import { type LockOptions, takeLock } from '../base/folder-lock.ts';

/** A CSV file that people keep and edit, as it stands. */
export interface KeptCsv {
  /** A semicolon where spreadsheets write decimal commas. */
  readonly delimiter: ',' | ';';
  readonly columns: readonly string[];
  /** All records after the header that could be read, also empty ones. */
  readonly records: readonly KeptRecord[];
  /** The line from which on nothing could be read, because of a quotation mark that is never closed. */
  readonly brokenAt: number | undefined;
  /** The header as it stands there, with its line end and the byte order mark before it. */
  readonly head: string;
}

export interface KeptRecord {
  /** Its first line in the file, from 1. */
  readonly line: number;
  /** By column, without the spaces around them; what is missing is an empty text. */
  readonly cells: ReadonlyMap<string, string>;
  readonly isEmpty: boolean;
  /** The record as it stands there, with its line end. */
  readonly text: string;
}

/**
 * Reads a file; one that is missing, or empty, has no columns. Spreadsheets and editors may have
 * changed how it is written: the byte order mark, line ends, the delimiter, the order of columns,
 * empty lines.
 */
export async function readKeptCsv(path: string): Promise<KeptCsv> {
  const file = await readTextFile(path);
  const text = file?.text ?? '';
  const bytes = Buffer.from(text);
  // The names of columns hold neither.
  const delimiter = /^[^\r\n]*;/.test(text) ? ';' : ',';
  const read: { readonly values: readonly string[]; readonly line: number; text: string }[] = [];
  let line = 1;
  let end = 0;
  let brokenAt: number | undefined;
  const keep = (values: readonly string[], upTo: number) => {
    const text = bytes.toString('utf8', end, upTo);
    read.push({ values, line, text });
    line += text.match(/\r\n|\n|\r/g)?.length ?? 0;
    end = upTo;
    return null;
  };
  try {
    parse(bytes, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      trim: true,
      relax_column_count: true,
      relax_quotes: true,
      on_record: (values: readonly string[], upTo) => keep(values, upTo.bytes),
    });
    // Spaces at the very end are no record.
    if (end < bytes.length) keep([], bytes.length);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    brokenAt = line;
  }
  const [header, ...records] = read;
  const columns = header?.values ?? [];
  return {
    delimiter,
    columns,
    records: records.map(({ values, line, text }) => ({
      line,
      cells: new Map(columns.map((column, index) => [column, values[index] ?? ''])),
      isEmpty: values.every((value) => value === ''),
      text,
    })),
    brokenAt,
    head: (file?.hasByteOrderMark ? '\ufeff' : '') + (header?.text ?? ''),
  };
}

/** What is to change in a file. */
export interface KeptChange {
  readonly removed: readonly KeptRecord[];
  /** Takes the place of the first one that is removed, or else comes last; with line ends. */
  readonly added?: string;
  /** Columns that the file doesn't have: they go to the end of its header, and to no record before. */
  readonly newColumns?: readonly string[];
}

/**
 * Changes a file while no other run does; creates it if it is missing. It is written whole or stays as
 * it was, and every line that isn't changed stays as people wrote it. `change` sees the file as it is
 * then, and what it gives is done and handed on; nothing is written where it gives nothing, or throws.
 * Throws ReconError `locked` where another run has the folder.
 */
export async function changeKeptCsv(
  path: string,
  lock: LockOptions,
  change: (csv: KeptCsv) => KeptChange | undefined,
): Promise<KeptChange | undefined> {
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
    if (!changed) return undefined;
    await writeOutputFile(path, (write) => write(textAfter(csv, changed)));
    return changed;
  } finally {
    await release();
  }
}

/** What to say of a file that is broken. */
export const unclosedQuote = 'A quotation mark opens here and is never closed.';

function textAfter(
  { head, delimiter, records }: KeptCsv,
  { removed, added = '', newColumns = [] }: KeptChange,
): string {
  const [lineEnd = '\r\n'] = /(?:\r\n|\n|\r)$/.exec(head) ?? [];
  const wider = head.replace(/(?=\s*$)/, newColumns.map((key) => delimiter + key).join(''));
  const ended = (text: string) => (/(?:^|[\r\n])$/.test(text) ? text : text + lineEnd);
  const own = added.replaceAll('\r\n', lineEnd);
  const [first] = removed;
  const texts = records.map((record) => {
    if (record === first) return own;
    return removed.includes(record) ? '' : record.text;
  });
  const kept = [wider, ...texts].join('');
  return first || own === '' ? kept : ended(kept) + own;
}
