import type { CellKind, Column } from '../../src/report/common/columns.ts';
import { camelCase } from '../../src/report/common/json.ts';
import { count, type Fields, orNull, type Schema, text } from './form.ts';
import { amount } from './parts.ts';

const kinds: Partial<Readonly<Record<CellKind, Schema>>> = {
  text: orNull(text),
  day: orNull(text),
  amount: orNull(amount),
  integer: count,
};

/** The fields that `jsonObject` makes of columns. */
export function fieldsOf<Row>(columns: readonly Column<Row>[]): Fields {
  return Object.fromEntries(
    columns.map(({ key, kind }) => {
      const schema = kinds[kind];
      if (!schema) throw new Error(`${key} has a kind without a schema.`);
      return [camelCase(key), schema];
    }),
  );
}
