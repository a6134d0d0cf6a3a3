import { dayIn } from '../base/calendar.ts';
import { groupedBy, keysOf, largestOf } from '../base/lists.ts';
import type { AmountForm } from '../money/decimal.ts';
import { minorUnitsOf } from '../money/minor-units.ts';
import type { Beginning } from './beginning.ts';
import { type FileColumn, type Table, tableIn } from './table.ts';
import { amountFit, areMost, currencyIn, dateFits, isCurrency, wordsIn } from './values.ts';

/**
 * What the cells of a column must be. `own` is the number of one account or of a few, `unique` an id of each row; `amounts` and
 * `texts` are lists of columns.
 */
type Kind =
  | 'date'
  | 'amount'
  | 'amounts'
  | 'currency'
  | 'words'
  | 'own'
  | 'account'
  | 'reference'
  | 'uuid'
  | 'unique'
  | 'texts'
  | 'text';

/** How the column of a key is known. */
interface Field {
  readonly kind: Kind;
  readonly names: readonly RegExp[];
}

/** A field; names as they are compared, the best first, each with alternatives as in a regular expression. */
export function columnOf(kind: Kind, ...names: readonly string[]): Field {
  return { kind, names: names.map((name) => new RegExp(`^(${name})$`)) };
}

/** The columns that a key may name. */
interface FoundColumn {
  readonly columns: readonly FileColumn[];
  /** Others that it could mean. If it could mean them as well, none is chosen. */
  readonly others: readonly FileColumn[];
  readonly isList: boolean;
  readonly isByValues: boolean;
}

/** What a file shows of how it is written. */
export interface Inferred<Key extends string> {
  readonly table: Table;
  readonly found: ReadonlyMap<Key, FoundColumn>;
  /** The forms in which all of its dates can be read: several if no day is above 12. */
  readonly dates: {
    readonly forms: readonly string[];
    readonly count: number;
    readonly of: number;
  };
  readonly amounts: { readonly form: AmountForm; readonly count: number; readonly of: number };
  /** Of all amounts, if no column has it, and what says so. */
  readonly currency?: {
    readonly code: string;
    readonly from: 'by_name' | 'by_amounts' | 'by_lines_above';
  };
}

/**
 * Infers the columns of a file from their names and from all values; those of `byValues` without a name, if only one
 * column can be meant. Undefined if the file has no table.
 */
export function inferred<Key extends string>(
  beginning: Beginning,
  fields: Readonly<Record<Key, Field>>,
  byValues: readonly NoInfer<Key>[],
): Inferred<Key> | undefined {
  const keys = keysOf(fields);
  const rankOf = (name: string, key: Key) => fields[key].names.findIndex((one) => one.test(name));
  const fieldOf = (name: string) => keys.find((key) => rankOf(name, key) >= 0);
  const table = beginning.kind === undefined ? tableIn(beginning, fieldOf) : undefined;
  if (!table) return undefined;
  const found = new Map<Key, FoundColumn>();
  const taken = new Set<FileColumn>();
  // How many decimals an amount may have depends on its currency, whose field comes first.
  let currency: string | undefined;
  const choose = (
    key: Key,
    best: readonly FileColumn[],
    others: readonly FileColumn[],
    { isByValues = false, isSure = true },
  ) => {
    const [first] = best;
    if (!first) return;
    const { kind } = fields[key];
    const isList = kind === 'texts' || kind === 'amounts';
    const isClear = isList || (isSure && best.every((one) => isSame(one, first)));
    const columns = isList ? [...best, ...others] : isClear ? [first] : [];
    const rest = isList ? [] : isClear ? others : best;
    found.set(key, { columns, others: rest, isList, isByValues });
    for (const column of columns) taken.add(column);
    if (kind === 'currency') currency = codeIn(columns);
  };
  const free = (kind: Kind, isMeant: (column: FileColumn) => boolean) =>
    table.columns.filter(
      (one) => !taken.has(one) && isMeant(one) && isOf(kind, one, table, currency),
    );
  for (const key of keys) {
    const { kind, names } = fields[key];
    const named = free(kind, ({ name }) => rankOf(name, key) >= 0);
    // An empty column is of any kind. What every file has is in another one.
    const isEverywhere = /^(date|amount|reference|currency)$/.test(kind);
    const filled = isEverywhere ? named.filter((column) => filledIn(column).length > 0) : [];
    const byRank = groupedBy(filled.length > 0 ? filled : named, ({ name }) => rankOf(name, key));
    const [[rank, best] = [0, []], ...worse] = [...byRank].sort(([one], [other]) => one - other);
    // The last name could be meant otherwise: an id of another system, or the account of the other side.
    const isClear = kind !== 'own' || best.every((one) => new Set(filledIn(one)).size === 1);
    const isSure = rank < names.length - 1 || (kind !== 'reference' && isClear);
    const others = worse.flatMap(([, columns]) => columns);
    choose(key, best, others, { isSure });
  }
  for (const key of byValues.filter((one) => !found.has(one))) {
    const { kind } = fields[key];
    const hasNoName = ({ label }: FileColumn) => !table.isNamed || /^\d+$/.test(label);
    const fit = free(kind, (one) => hasNoName(one) && isSurelyOf(kind, one, table));
    choose(key, fit, [], { isByValues: true });
  }
  return { table, found, ...formsIn(table, found, fields, currency) };
}

/** Of the currencies of a column, the one with the most decimals. */
function codeIn(columns: readonly FileColumn[]): string | undefined {
  const codes = columns.flatMap(filledIn).map((cell) => cell.toUpperCase());
  return codes.reduce<string | undefined>(
    (most, one) => ((minorUnitsOf(one) ?? 0) > (minorUnitsOf(most ?? '') ?? -1) ? one : most),
    undefined,
  );
}

function formsIn<Key extends string>(
  table: Table,
  found: ReadonlyMap<Key, FoundColumn>,
  fields: Readonly<Record<Key, Field>>,
  ofColumn: string | undefined,
) {
  const cellsOf = (kind: Kind) =>
    keysOf(fields)
      .filter((key) => fields[key].kind === kind)
      .map((key) => {
        const { columns = [], others = [] } = found.get(key) ?? {};
        return (columns.length > 0 ? columns : others).flatMap(filledIn);
      })
      .filter(({ length }) => length > 0);
  const [ofFirst = [], ...ofOthers] = cellsOf('amount');
  const amounts = [ofFirst, ...ofOthers].flat();
  const dates = cellsOf('date');
  const [first = []] = dates;
  const fits = dateFits(first);
  const forms = fits.map(({ form }) => form);
  // A day above 12 in another column tells too, and so does the order of the rows.
  const ofAll = forms.filter((form) =>
    dates.every((cells) => {
      const ofOne = dateFits(cells).map((one) => one.form);
      return ofOne.length === 0 || ofOne.includes(form);
    }),
  );
  const inOrder = ofAll.filter((form) => isInOrder(first.map((cell) => dayIn(cell, form) ?? '')));
  const best = [inOrder, ofAll, forms].find(({ length }) => length > 0) ?? [];
  const named = [...found.values()].flatMap(({ columns }) =>
    columns.flatMap((one) => one.currency ?? []),
  );
  const above = table.above.flatMap((cell) => /(?:^|[\s:])([A-Z]{3})$/.exec(cell)?.[1] ?? []);
  const codes = [
    { code: currencyIn(named), from: 'by_name' },
    { code: currencyIn(amounts), from: 'by_amounts' },
    { code: currencyIn(above.filter(isCurrency)), from: 'by_lines_above' },
  ] as const;
  const ofTable = codes.find(({ code }) => code !== undefined);
  const { code = ofColumn } = ofTable ?? {};
  // Some banks write balances with a decimal sign of their own.
  const [fit] = [amounts, ofFirst].flatMap((cells) => {
    const found = amountFit(cells, ofColumn ?? code);
    return found ? { ...found, of: cells.length } : [];
  });
  return {
    dates: { forms: distinct(best), count: fits[0]?.count ?? 0, of: first.length },
    amounts: fit ?? { form: { decimal: '.' } as const, count: 0, of: amounts.length },
    ...(ofTable && code !== undefined && { currency: { code, from: ofTable.from } }),
  } as const;
}

/** `DD.MM.YYYY` and `D.M.YYYY` differ in days below 10 alone: the first that fits is enough. */
function distinct(forms: readonly string[]): readonly string[] {
  const order = (form: string) => form.replace(/(.)\1+/g, '$1');
  return forms.filter((form, at) => forms.findIndex((one) => order(one) === order(form)) === at);
}

function isInOrder(days: readonly string[]): boolean {
  const steps = days.slice(1).map((day, at) => day.localeCompare(days[at] ?? ''));
  return (
    steps.some((one) => one !== 0) &&
    (steps.every((one) => one >= 0) || steps.every((one) => one <= 0))
  );
}

/** The cells of a column that are not empty. */
export function filledIn({ cells }: FileColumn): readonly string[] {
  return cells.filter((cell) => cell !== '');
}

function isSame(one: FileColumn, other: FileColumn): boolean {
  return one.cells.every((cell, at) => cell === other.cells[at]);
}

/** Whether nothing in a column speaks against a kind. */
function isOf(
  kind: Kind,
  column: FileColumn,
  { rows }: Table,
  currency: string | undefined,
): boolean {
  const cells = filledIn(column);
  const share = (form: RegExp) =>
    areMost(cells.filter((cell) => form.test(cell)).length, cells.length);
  const { size } = new Set(cells);
  const isAbsent = cells.length === 0;
  switch (kind) {
    case 'date':
      return isAbsent || dateFits(cells).length > 0;
    case 'amount':
    case 'amounts':
      return isAbsent || amountFit(cells, currency ?? column.currency) !== undefined;
    case 'currency':
      return isAbsent ? rows.length === 0 : areMost(cells.filter(isCurrency).length, cells.length);
    case 'words':
      return rows.length === 0 || (!isAbsent && wordsIn(cells) !== undefined);
    case 'own':
      return (size === 1 || size * 4 <= Math.min(cells.length, 20)) && share(accountForm);
    case 'account':
      return !isAbsent && share(accountForm);
    case 'reference':
      return isAbsent || ((size > 1 || cells.length < 3) && share(/^(?!.*\d[.,]\d\d$)\S.{0,23}$/));
    case 'uuid':
      return !isAbsent && share(/^[\da-f]{8}(-?[\da-f]{4}){3}-?[\da-f]{12}$/i);
    case 'unique':
      return (
        !isAbsent && size === cells.length && cells.length === rows.length && share(/^\S{6,}$/)
      );
    case 'text':
    case 'texts':
      return true;
  }
}

/** A number with at least four digits, such as an IBAN. */
const accountForm = /^(?=(.*[\dX]){4})[A-Z\d][\w .\-/*]{4,40}$/i;

const balanceName = /saldo|balance|solde|kontostand/;

/** Whether a column can hardly be of another kind, without a name. */
function isSurelyOf(kind: Kind, column: FileColumn, { header }: Table): boolean {
  const cells = filledIn(column);
  if (cells.length === 0) return false;
  if (kind === 'date') return cells.every((cell) => /^\D*\d{1,4}\D/.test(cell));
  if (kind === 'amount' && balanceName.test(column.name)) return false;
  if (kind === 'amount') return cells.some((cell) => /^-|[.,]\d\d\D*$/.test(cell));
  if (kind === 'own') return cells.every((cell) => /^[A-Z]{2}\d\d/.test(cell));
  if (kind === 'texts') {
    const lengths = cells.map((cell) => cell.length);
    return !header && largestOf(lengths) >= 8 && cells.some((cell) => /\p{L}{3}/u.test(cell));
  }
  return true;
}
