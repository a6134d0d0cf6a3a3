import type { Entry, Weight } from '../../reconcile/entry.ts';
import type { ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { grouped } from './phrase.ts';
import type { Names } from './report.ts';
import type { Block, Remark, Section, SectionColumn, SectionKind, Tone } from './view.ts';
import { sentence } from './words.ts';

/** A screen has room for so many rows of a list; files have room for all. */
export const mostShownRows = 50;

/** So many rows of a table can be sorted at once in a browser. */
export const mostListed = 2_000;

/** The length of most ids. Half of one still reads well on two lines. */
export const uuid = 36;

/** A column of a section, and where its cells come from. */
export interface CellColumn<Row> extends SectionColumn {
  readonly value: (row: Row) => string;
}

export function column<Row>(
  priority: number,
  title: string,
  kind: SectionKind,
  value: (row: Row) => string,
  unbroken = uuid / 2,
): CellColumn<Row> {
  return { title, kind, priority, unbroken, value };
}

/** What a section may have beside its rows: totals below them, a limit, and how the first cell is meant. */
interface Beside<Row> {
  readonly totals?: readonly Row[];
  readonly most?: number | undefined;
  readonly toneOf?: (row: Row) => Tone;
}

/** A section of rows: columns that say nothing are left out, and a list of more than `most` rows is cut, not its totals. */
export function section<Row>(
  title: string,
  rows: readonly Row[],
  columns: readonly CellColumn<Row>[],
  remarks: (row: Row) => readonly Remark[] = () => [],
  { totals = [], most = mostShownRows, toneOf }: Beside<Row> = {},
): Section {
  const telling = columns.filter(({ kind, value }) =>
    rows.some((row) => !(kind === 'integer' ? ['', '0'] : ['']).includes(value(row))),
  );
  const cut = rows.length - most;
  const cellsOf = (row: Row) => ({ cells: telling.map((column) => column.value(row)) });
  return {
    kind: 'section',
    title,
    columns: telling.map(({ value: _, ...column }) => column),
    rows: [
      ...rows
        .slice(0, most)
        .map((row) => ({ ...cellsOf(row), remarks: remarks(row), tone: toneOf?.(row) })),
      ...totals.map((row) => ({ ...cellsOf(row), remarks: [], isTotal: true })),
    ],
    note:
      cut > 0
        ? `Showing ${grouped(most)} of ${grouped(rows.length)}; --format csv lists all.`
        : undefined,
  };
}

/** Rows as a section; none where there are none. */
export function sectionIfAny<Row>(
  title: string,
  rows: readonly Row[],
  columns: readonly CellColumn<Row>[],
  beside?: Beside<Row>,
  remarks?: (row: Row) => readonly Remark[],
): readonly Section[] {
  return rows.length === 0 ? [] : [section(title, rows, columns, remarks, beside)];
}

/** Whose money it is: the name that the user gave, or the token where there is none. */
export function accountColumn<Row>(names: Names, priority: number, token: (row: Row) => string) {
  return column<Row>(priority, 'Account', 'text', (row) => names.get(token(row)) ?? token(row));
}

const marks: Readonly<Record<Weight, Pick<Remark, 'mark' | 'tone'>>> = {
  discrepancy: { mark: '!', tone: 'bad' },
  incomplete: { mark: '?', tone: 'unsure' },
  notice: { mark: '-', tone: 'quiet' },
  ignored: { mark: '-', tone: 'quiet' },
};

/** What was found, as a line of its own. */
export function remark(entry: Entry): Remark {
  return { ...marks[entry.weight], text: sentence(entry) };
}

/** The answer: in two words, and in a sentence or more. */
export function answerBlock(label: string, tone: Tone, text: string, isPart = false): Block {
  return { kind: 'answer', label, tone, text, ...(isPart && { isPart }) };
}

/** What a report is about; what has no value is left out. */
export function facts(list: readonly (readonly [string, string | undefined])[]): Block {
  return {
    kind: 'facts',
    facts: list.flatMap(([label, value]) => (value ? [[label, value]] : [])),
  };
}

/** Remarks under a title; nothing where there are none. */
export function remarks(title: string, list: readonly Remark[]): readonly Block[] {
  return list.length === 0 ? [] : [{ kind: 'remarks', title, remarks: list }];
}

/** Texts under a title, which raise no alarm; nothing where there are none. */
export function listed(title: string, texts: readonly string[], mark = '-'): readonly Block[] {
  const list = texts.map((text) => plain(text, mark));
  return remarks(title, list);
}

/** A remark that raises no alarm. */
export function plain(text: string, mark = '-'): Remark {
  return { mark, tone: 'plain', text };
}

/** The service says settled, and the sums don't agree. */
export function missedByService({ serviceSays, sumsSay }: ReconciledSettlement): boolean {
  return serviceSays === 'balanced' && sumsSay === 'out_of_balance';
}

/** The service says out of balance, and its own figures don't show it. */
export function onlyByService({ serviceSays, sumsSay }: ReconciledSettlement): boolean {
  return serviceSays === 'out_of_balance' && sumsSay === 'balanced';
}

/** A remark on what is wrong. */
export function alarm(text: string): Remark {
  return { ...marks.discrepancy, text };
}

/** A remark on what nobody can be sure of. */
export function unsure(text: string): Remark {
  return { ...marks.incomplete, text };
}
