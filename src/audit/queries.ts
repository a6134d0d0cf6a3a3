import { addDays } from '../base/calendar.ts';
import { readTextFile } from '../base/files.ts';
import { type AuditSettings, mostFoundRows } from '../report/audit/report.ts';

/** The text of a query: a file of `sql/`, with its placeholders. The build puts them beside the program. */
export async function readQuery(name: string): Promise<string> {
  const path = decodeURIComponent(new URL(`sql/${name}.sql`, import.meta.url).pathname);
  const file = await readTextFile(path);
  if (!file) throw new Error(`${path} is missing`);
  return file.text.trimEnd();
}

/** Values for the placeholders of queries, as SQL. */
export type SqlValues = Readonly<Record<string, string>>;

/** A query with values in place of its `{{name}}`. Each must have one. */
export function fillQuery(query: string, values: SqlValues): string {
  return query.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The query needs ${name}.`);
    return value;
  });
}

/** The values of all queries but for the parts of ids. */
export function sqlValues(settings: AuditSettings): SqlValues {
  const { today, pendingDays, silentDays, refundTypes, purchaseTypes } = settings;
  return {
    most: String(mostFoundRows),
    overdue_before: `DATE '${addDays(today, -pendingDays)}'`,
    silent_days: String(silentDays),
    refund_types: sqlTexts(refundTypes),
    purchase_types: sqlTexts(purchaseTypes),
  };
}

/** Texts with commas between. Settings have refused quotes and backslashes, which engines read in different ways. */
function sqlTexts(texts: readonly string[]): string {
  return texts.map((text) => `'${text}'`).join(', ');
}

/** Ids in `count` parts, by their first two hexadecimal digits: each part from an id to below another. */
export function partsOfIds(count: number): readonly SqlValues[] {
  const border = (part: number) =>
    Math.round((part * 256) / count)
      .toString(16)
      .padStart(2, '0');
  return Array.from({ length: count }, (_, part) => {
    const isLast = part === count - 1;
    return {
      // Ids that are not hexadecimal are in the first part or in the last.
      ids_from: part === 0 ? "''" : `'${border(part)}'`,
      ids_below: isLast ? "''" : `'${border(part + 1)}'`,
      is_last: isLast ? 'TRUE' : 'FALSE',
    };
  });
}
