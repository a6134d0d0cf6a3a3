import type { Names } from '../../model/settlement.ts';
import type { Value } from '../../model/value.ts';
import type { Entry, Weight } from '../../reconcile/entry.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { type CellKind, figureOf, type RowFigure } from './columns.ts';
import { accountName, grouped } from './phrase.ts';
import type { Block, Remark, Section, SectionColumn, Tone } from './view.ts';
import { entryClause } from './words.ts';

/** Rows of a list on a screen. Files have all. */
export const maxScreenRows = 50;

/** Rows of a table that a browser can sort at once. */
export const maxPageRows = 2_000;

/** The length of most ids. */
export const uuid = 36;

/** A column of a section, and the values of its cells. */
export interface CellColumn<Row> extends SectionColumn {
  readonly value: (row: Row) => Value;
}

type ColumnOptions = Partial<Pick<SectionColumn, 'priority' | 'unbroken' | 'filters'>>;

function figureColumn(kind: 'amount' | 'change' | 'difference') {
  return <Row>(title: string, figure: (row: Row) => RowFigure<Row>, options?: ColumnOptions) =>
    columnOf(kind)<Row>(title, (row) => figureOf(row, figure(row)), options);
}

/** Half an id still reads well on two lines. */
function columnOf(kind: CellKind, longestWord = uuid / 2) {
  return <Row>(
    title: string,
    value: (row: Row) => Value,
    { priority = 1, unbroken = longestWord, ...options }: ColumnOptions = {},
  ): CellColumn<Row> => ({ title, kind, priority, unbroken, ...options, value });
}

export const column = {
  text: columnOf('text'),
  /** An id, or another text that is hard to read on two lines. */
  id: columnOf('text', uuid),
  day: columnOf('day'),
  integer: columnOf('integer'),
  amount: figureColumn('amount'),
  change: figureColumn('change'),
  difference: figureColumn('difference'),
};

type SectionParts<Row> = readonly [
  title: string,
  rows: readonly Row[],
  columns: readonly CellColumn<Row>[],
  options?: {
    readonly remarks?: (row: Row) => readonly Remark[];
    readonly totals?: readonly Row[];
    readonly limit?: number | undefined;
    /** The tone of the first cell of a row. */
    readonly toneOf?: (row: Row) => Tone;
  },
];

/** A table of the first `limit` rows, without columns that are empty in all rows. */
export function section<Row>(...[title, rows, columns, options = {}]: SectionParts<Row>): Section {
  const { remarks, totals = [], limit = maxScreenRows, toneOf } = options;
  const shown = columns.filter(({ kind, value }) => rows.some((row) => !isEmpty(value(row), kind)));
  const cellsOf = (row: Row) => ({ cells: shown.map((column) => column.value(row)) });
  return {
    kind: 'section',
    title,
    columns: shown.map(({ value: _, ...column }) => column),
    rows: [
      ...rows
        .slice(0, limit)
        .map((row) => ({ ...cellsOf(row), remarks: remarks?.(row) ?? [], tone: toneOf?.(row) })),
      ...totals.map((row) => ({ ...cellsOf(row), remarks: [], isTotal: true })),
    ],
    note:
      rows.length > limit
        ? `Showing ${grouped(limit)} of ${grouped(rows.length)}; --format csv lists all.`
        : undefined,
  };
}

function isEmpty(value: Value, kind: CellKind): boolean {
  return value === undefined || value === '' || (kind === 'integer' && Number(value) === 0);
}

/** As `section`; none without rows. */
export function sectionIfAny<Row>(...parts: SectionParts<Row>): readonly Section[] {
  return parts[1].length === 0 ? [] : [section(...parts)];
}

/** The account: its name, or else its accounting token. */
export function accountColumn<Row>(
  names: Names,
  token: (row: Row) => string,
  options?: ColumnOptions,
) {
  return column.text<Row>('Account', (row) => accountName(names, token(row)), options);
}

const marks: Readonly<Record<Weight, Pick<Remark, 'mark' | 'tone'>>> = {
  discrepancy: { mark: '!', tone: 'bad' },
  incomplete: { mark: '?', tone: 'unsure' },
  notice: { mark: '-', tone: 'quiet' },
  ignored: { mark: '-', tone: 'quiet' },
};

export function remark(entry: Entry): Remark {
  return { ...marks[entry.weight], text: entryClause(entry) };
}

export function plain(text: string, mark = '-'): Remark {
  return { mark, tone: 'plain', text };
}

export function alarm(text: string): Remark {
  return { ...marks.discrepancy, text };
}

export function unsure(text: string): Remark {
  return { ...marks.incomplete, text };
}

export function answerBlock(
  label: string,
  tone: Tone,
  text: string,
  isOneOfSeveral = false,
): Block {
  return { kind: 'answer', label, tone, text, isOneOfSeveral };
}

/** The facts of a report, without those that have no value. */
export function facts(list: readonly (readonly [string, string | undefined])[]): Block {
  const facts = list.flatMap(([label, value]) => (value ? [[label, value] as const] : []));
  return { kind: 'facts', facts };
}

export function remarks(title: string, list: readonly Remark[]): readonly Block[] {
  return list.length === 0 ? [] : [{ kind: 'remarks', title, remarks: list }];
}

export function listed(title: string, texts: readonly string[], mark = '-'): readonly Block[] {
  const list = texts.map((text) => plain(text, mark));
  return remarks(title, list);
}

/** Whether the service says settled, and the sums do not agree. */
export function missedByService({ serviceSays, sumsSay }: ReconciledSettlement): boolean {
  return serviceSays === 'balanced' && sumsSay === 'out_of_balance';
}

/** Whether only the service says out of balance, although its figures agree. */
export function onlyByService({ serviceSays, sumsSay }: ReconciledSettlement): boolean {
  return serviceSays === 'out_of_balance' && sumsSay === 'balanced';
}
