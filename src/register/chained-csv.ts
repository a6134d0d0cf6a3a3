import { basename, dirname, join } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { readTextFile } from '../base/files.ts';
import { listFolder } from '../base/folders.ts';
import { shortId } from '../base/id-table.ts';
import { isObject, parseJson } from '../base/json.ts';
import { type KeptCsv, unclosedQuote } from './kept-csv.ts';

/** The cells of a line, by column; others are empty. */
export type Cells<Column extends string> = Readonly<Partial<Record<Column, string>>>;

export type ChainedLine<Column extends string> = (column: Column) => string;

/** The lines that a register has, without the closing one, also with columns of a newer version of recon. */
export interface KeptLines {
  readonly columns: readonly string[];
  readonly lines: readonly { readonly values: readonly string[]; readonly check: string }[];
}

/**
 * Writes lines after those that are kept. Each has a check: a digest of its values and of all lines above
 * it. The last column is `check`. ReconError `service` for a text that a file cannot hold.
 */
export function chainedWriter<Column extends string>({ columns, lines }: KeptLines) {
  let check = lines.at(-1)?.check ?? '';
  const records = [columns, ...lines.map((line) => [...line.values, line.check])].map(recordOf);
  return {
    add: (cells: Cells<Column>): void => {
      const textOf: Readonly<Record<string, string | undefined>> = cells;
      const values = columns.slice(0, -1).map((column) => escaped(textOf[column] ?? ''));
      const broken = values.find((value) => /\p{Cs}/u.test(value));
      if (broken !== undefined) {
        const message = `A text cannot be kept in a file: ${JSON.stringify(broken)}.`;
        throw new ReconError('service', message, { hint: 'Report it to the provider.' });
      }
      check = checkAfter(check, values);
      records.push(recordOf([...values, check]));
    },
    /** Of the last line. */
    get check() {
      return check;
    },
    text: () => [...records, ''].join('\r\n'),
  };
}

/** The place of a register, and its name in errors. */
interface Chain<Column extends string> {
  readonly columns: readonly Column[];
  readonly path: string;
  /** Such as `The register of booked entries`. */
  readonly what: string;
  /** What was not done, as a sentence. */
  readonly undone: string;
}

/**
 * A register's lines, the closing one last. It may have columns of a newer version of recon, before its check.
 * ReconError `damaged` if any line was altered or is missing.
 */
export function chainedLines<Column extends string>(
  { columns: found, brokenAt, records: all }: KeptCsv,
  { columns, path, what, undone }: Chain<Column | 'line' | 'check'>,
): readonly (KeptLines['lines'][number] & { readonly text: ChainedLine<Column> })[] {
  const records = all.filter(({ isEmpty }) => !isEmpty);
  const damaged = (line: number, message: string) =>
    new ReconError('damaged', `${what} was changed. ${message}`, {
      where: `${path}:${line}`,
      hint: `Restore the file from a backup. ${undone}`,
    });
  const known = found.filter((one) => columns.some((column) => column === one));
  if (columns.join() !== known.join() || found.at(-1) !== 'check') {
    throw damaged(1, 'Its columns are not as recon wrote them.');
  }
  if (brokenAt !== undefined) throw damaged(brokenAt, unclosedQuote);
  let check = '';
  const lines = records.map(({ line, cells }) => {
    const values = found.slice(0, -1).map((column) => cells.get(column) ?? '');
    check = checkAfter(check, values);
    if (check !== cells.get('check')) throw damaged(line, 'This line is not as recon wrote it.');
    const text: ChainedLine<Column> = (column) => unescaped(cells.get(column) ?? '');
    return { text, check, values };
  });
  const last = records.at(-1);
  if (last?.cells.get('line') !== 'end') {
    throw damaged(last?.line ?? 1, 'Lines are missing at the end.');
  }
  return lines;
}

/** A hidden file beside a register: `last` says how it ends, so an old copy is noticed. */
export function besideRegister(path: string, what: 'last' | 'next'): string {
  return join(dirname(path), `.${basename(path)}.${what}`);
}

/** What the hidden file of a register counts. */
type Counted = 'batch' | 'close';

/** The registers in a folder, by the hidden files that say how they end: their files may be gone. */
export async function registersIn(folder: string, counted: Counted): Promise<readonly string[]> {
  const found = (await listFolder(folder)) ?? [];
  const names = found.flatMap(({ name }) => name.match(/^\.(.+)\.last$/)?.[1] ?? []);
  const paths = names.map((name) => join(folder, name));
  const ends = await Promise.all(
    paths.map(async (path) =>
      parseJson((await readTextFile(besideRegister(path, 'last')))?.text ?? ''),
    ),
  );
  return paths.filter((_, at) => isObject(ends[at]) && typeof ends[at][counted] === 'number');
}

/** How a register may begin. */
export interface RegisterStart {
  /** Whether it must be a new one. */
  readonly isNew: boolean;
  /** A sentence on what shows that there was one before; undefined if nothing does. */
  readonly trace?: string | undefined;
  /** Called with the path of a register that was begun. */
  readonly onStart?: (path: string) => void;
}

/**
 * Refuses to begin a register that exists or, unless it must be a new one, where something shows that there
 * was one before: with a mistyped path, what is known would be forgotten. Throws ReconError.
 */
export async function requireAsMeant(
  { path, what, counted }: Pick<Chain<string>, 'path' | 'what'> & { readonly counted: Counted },
  { isMissing, isNew, trace }: Omit<RegisterStart, 'onStart'> & { readonly isMissing: boolean },
): Promise<void> {
  if (isMissing && !isNew) {
    const [other] = await registersIn(dirname(path), counted);
    const shown = other === undefined ? trace : `There is another one beside it: ${other}.`;
    if (shown === undefined) return;
    throw new ReconError('configuration', `${what} was not found. ${shown}`, {
      where: path,
      hint: `Correct the path, or restore the file. To start a new register, add --new-register${counted === 'batch' ? ' to recon journal' : ''}.`,
    });
  }
  if (!isMissing && isNew) {
    throw new ReconError('usage', `${what} already exists.`, {
      where: path,
      hint: 'Remove --new-register to continue it, or name another file.',
    });
  }
}

/** Ids in one cell; separators inside them are escaped. */
export function listText(ids: readonly string[]): string {
  return ids.map((id) => id.replace(/[%|]/g, encodeURIComponent)).join(' | ');
}

export function listIn(text: string): readonly string[] {
  const ids = text.split(' | ').filter(Boolean);
  return ids.map((id) => id.replace(/%(?:25|7C)/g, decodeURIComponent));
}

function checkAfter(before: string, values: readonly string[]): string {
  return shortId(JSON.stringify([before, ...values]));
}

/** A text that a spreadsheet does not run as a formula. Amounts stay as they are. */
function escaped(text: string): string {
  return /^'*[=+@\t\r]|^'+-|^-(?![\d.]+$)/.test(text) ? `'${text}` : text;
}

function unescaped(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}

function recordOf(values: readonly string[]): string {
  return values.map(quoted).join(',');
}

function quoted(value: string): string {
  return /[",;\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
