/** Which keys of a mapping name columns. */
interface ColumnKeys<Mapping> {
  /** They always do; a key may name several. */
  readonly columns: readonly (keyof Mapping)[];
  /** They name a column, or stand for a value of this form in all records. */
  readonly columnsOrValues: readonly (readonly [key: keyof Mapping, value: RegExp])[];
}

/** The columns of a file by the keys of a mapping; without a header, they are named by number. */
export function csvColumns<Mapping extends object>(
  mapping: Mapping,
  header: readonly string[] | undefined,
  { columns, columnsOrValues }: ColumnKeys<Mapping>,
) {
  const indexOf = (column: string) =>
    header ? header.indexOf(column) : /^\d{1,3}$/.test(column) ? Number(column) - 1 : -1;
  const named = (key: keyof Mapping): readonly string[] => {
    const column: unknown = mapping[key];
    return typeof column === 'string' ? [column] : Array.isArray(column) ? column.map(String) : [];
  };
  const isTwice = (column: string) => header?.indexOf(column) !== header?.lastIndexOf(column);
  const either = columnsOrValues.flatMap(([key]) => named(key));
  const needed = [
    ...columns.flatMap(named),
    ...columnsOrValues.flatMap(([key, form]) => named(key).filter((name) => !form.test(name))),
  ];
  const keys = [...columns, ...columnsOrValues.map(([key]) => key)];
  const indexes = new Map(keys.map((key) => [key, named(key).map(indexOf)] as const));
  return {
    /** Columns of the mapping that are missing. */
    missing: new Set(needed.filter((column) => indexOf(column) < 0)),
    /** The cells that a record must have to reach them all. */
    width: Math.max(0, ...[...indexes.values()].flat().map((index) => index + 1)),
    /** Columns of the mapping that occur twice. */
    repeated: new Set([...needed, ...either].filter(isTwice)),
    /** The cells of a record by the keys of the mapping. */
    of: (cells: readonly string[]) => ({
      at: (key: keyof Mapping): string => {
        const index = indexes.get(key)?.[0];
        return index === undefined ? '' : (cells[index] ?? '');
      },
      /** The cells of all columns of a key, empty ones too. */
      all: (key: keyof Mapping): readonly string[] =>
        (indexes.get(key) ?? []).map((index) => cells[index] ?? ''),
      /** The cell of the column or, if no column has this name, the name itself as a value. */
      columnOrValue: (key: keyof Mapping): string => {
        const [index = -1] = indexes.get(key) ?? [];
        return index < 0 ? (named(key)[0] ?? '') : (cells[index] ?? '');
      },
    }),
  };
}
