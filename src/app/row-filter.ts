import type { Row } from '../model/row.ts';

const filterFields = ['state', 'type', 'paymentType'] as const;
export type FilterField = (typeof filterFields)[number];

/** Accepted values, as the service writes them; an absent field accepts all. */
export type RowFilters = { readonly [Field in FilterField]?: readonly string[] | undefined };

/** A wanted value that no row had, and values that rows did have. */
export interface UnmatchedValue {
  readonly field: FilterField;
  readonly value: string;
  readonly seen: readonly string[];
}

const mostSeen = 20;

/** Filters rows by their fields. The possible values are not documented (doc 2.8). */
export class RowFilter {
  readonly #fields: ReturnType<typeof stateOf>;

  constructor(filters: RowFilters) {
    this.#fields = stateOf(filters);
  }

  get isOff(): boolean {
    return this.#fields.length === 0;
  }

  admitted(rows: readonly Row[]): readonly Row[] {
    return this.isOff ? rows : rows.filter((row) => this.#admits(row));
  }

  /** The wanted values that no row had; none if there were no rows. */
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

function stateOf(filters: RowFilters) {
  return filterFields.flatMap((field) => {
    const wanted = filters[field];
    if (wanted === undefined) return [];
    return [{ field, wanted: new Set(wanted), missing: new Set(wanted), seen: new Set<string>() }];
  });
}
