import type { Row } from '../model/row.ts';

/** The fields of a row that can be filtered by. */
const filterFields = ['state', 'type', 'paymentType'] as const;
export type FilterField = (typeof filterFields)[number];

/** The values that a row may have, as the service writes them; a field that is left out is free. */
export type RowFilters = { readonly [Field in FilterField]?: readonly string[] | undefined };

/** A value that was asked for and that no row had, and the values that there were instead. */
export interface UnmatchedValue {
  readonly field: FilterField;
  readonly value: string;
  /** The first of them to come. */
  readonly seen: readonly string[];
}

const mostSeen = 20;

/** Lets rows through by their fields. What the values can be, only the service knows (doc 2.8). */
export class RowFilter {
  readonly #fields: ReturnType<typeof askedFor>;

  constructor(filters: RowFilters) {
    this.#fields = askedFor(filters);
  }

  /** Whether all rows pass. */
  get isOff(): boolean {
    return this.#fields.length === 0;
  }

  /** The rows that pass. */
  admitted(rows: readonly Row[]): readonly Row[] {
    return this.isOff ? rows : rows.filter((row) => this.#admits(row));
  }

  /** The values that no row had, whatever its other fields; none where there were no rows. */
  unmatched(): readonly UnmatchedValue[] {
    return this.#fields.flatMap(({ field, missing, seen }) =>
      seen.size === 0 ? [] : [...missing].map((value) => ({ field, value, seen: [...seen] })),
    );
  }

  #admits(row: Row): boolean {
    let admits = true;
    for (const { field, wanted, missing, seen } of this.#fields) {
      const value = row[field];
      missing.delete(value);
      if (seen.size < mostSeen) seen.add(value);
      admits = wanted.has(value) && admits;
    }
    return admits;
  }
}

/** The fields that are not free, each with what was seen and what is missing so far. */
function askedFor(filters: RowFilters) {
  return filterFields.flatMap((field) => {
    const wanted = filters[field];
    if (wanted === undefined) return [];
    return [{ field, wanted: new Set(wanted), missing: new Set(wanted), seen: new Set<string>() }];
  });
}
