import type { Beginning } from './beginning.ts';
import type { Inferred } from './columns.ts';

/** What is to be known of a setting that is proposed: counts, columns and words, never a personal cell. */
export type MappingNote =
  /**
   * So many of the dates, amounts or lines can be read, of the balances follow from the row before, or of the pay-outs
   * are in the other file.
   */
  | {
      readonly code: 'dates' | 'amounts' | 'balances' | 'lines' | 'pairs';
      readonly count: number;
      readonly of: number;
    }
  /** What else it could be, less likely; which of these it is, is not clear. */
  | {
      readonly code: 'or' | 'either' | 'dates_of_both' | 'lacks';
      readonly values: readonly string[];
    }
  | { readonly code: 'words'; readonly words: readonly (readonly [word: string, count: number])[] }
  | { readonly code: 'by_name' | 'by_amounts' | 'by_lines_above' | 'by_values' | 'by_profile' }
  | { readonly code: 'empty' | 'not_found' | 'not_read' | 'no_sign' | 'no_sum' | 'repeated' };

/** A line of a mapping. An open one is for the user to decide, and shown as a comment. */
export interface Setting {
  readonly key: string;
  readonly value: string | number | boolean | readonly string[];
  readonly isOpen?: boolean;
  readonly notes: readonly MappingNote[];
}

/** A mapping that fits a file, and what it rests on. */
export interface Proposal {
  readonly table: 'bank_csv' | 'orders_csv' | 'settlements_csv';
  readonly rows: number;
  readonly settings: readonly Setting[];
  /** All columns of the file, as `columnNames` has them. */
  readonly names: readonly string[];
  /** What the mapping reads, if that was tried. */
  readonly reading?: {
    readonly entries: number;
    readonly unreadable: readonly { readonly line: number; readonly element: string }[];
  };
}

/** How the file is written. `skipsAbove` says whether lines above a header must be counted. */
export function formSettings<Key extends string>(
  { encoding, isWorkbook }: Beginning,
  { table, dates, amounts }: Inferred<Key>,
  skipsAbove: boolean,
): readonly Setting[] {
  const line = (key: string, value: Setting['value'], notes: readonly MappingNote[] = []) => [
    { key, value, notes },
  ];
  const [form, ...others] = dates.forms;
  const { decimal, thousands } = amounts.form;
  const both = { code: 'dates_of_both', values: dates.forms } as const;
  const skipped = skipsAbove || !table.header ? table.linesAbove : 0;
  return [
    ...(isWorkbook ? [] : line('delimiter', table.delimiter)),
    ...(encoding === undefined ? [] : line('encoding', encoding)),
    ...(table.header ? [] : line('header', false)),
    ...(skipped > 0 ? line('skip_lines', skipped) : []),
    ...(amounts.of === 0 ? [] : line('decimal', decimal, [{ code: 'amounts', ...amounts }])),
    ...(thousands === undefined ? [] : line('thousands', thousands)),
    ...(form === undefined
      ? []
      : others.length > 0
        ? [{ key: 'date_format', value: form, isOpen: true, notes: [both] }]
        : line('date_format', form, [{ code: 'dates', ...dates }])),
  ];
}

/** The line of a key for which the file has nothing: the user fills it in. */
export function notFound(key: string): Setting {
  return { key, value: '', isOpen: true, notes: [{ code: 'not_found' }] };
}

/** The line of a key; open if several columns could be meant. None if no column is known. */
export function columnSettings<Key extends string>(
  key: Key,
  { found }: Inferred<Key>,
): readonly Setting[] {
  const one = found.get(key);
  if (!one) return [];
  const { columns, others, isList, isByValues } = one;
  const values = others.map(({ label }) => label);
  const [first] = columns;
  if (!first) {
    const [value = ''] = values;
    return [{ key, value, isOpen: true, notes: [{ code: 'either', values }] }];
  }
  const isEmpty = columns.every(({ cells }) => cells.every((cell) => cell === ''));
  const notes: readonly MappingNote[] = [
    ...(isByValues ? [{ code: 'by_values' } as const] : []),
    ...(isEmpty ? [{ code: 'empty' } as const] : []),
    ...(values.length > 0 ? [{ code: 'or', values } as const] : []),
  ];
  return [{ key, value: isList ? columns.map(({ label }) => label) : first.label, notes }];
}

/** The line of the currency: a column, or the code of all rows; open if the file does not say. */
export function currencySettings<Key extends string>(
  key: Key,
  inferred: Inferred<Key>,
): readonly Setting[] {
  const ofColumn = columnSettings(key, inferred);
  if (ofColumn.length > 0) return ofColumn;
  const { code, from } = inferred.currency ?? {};
  return code === undefined || from === undefined
    ? [notFound(key)]
    : [{ key, value: code, notes: [{ code: from }] }];
}
