import { addDays } from '../base/calendar.ts';
import { readTextFile } from '../base/files.ts';
import {
  type AuditCode,
  type AuditSettings,
  type AuditWeight,
  mostFoundRows,
} from '../report/audit/report.ts';

/** What history is searched for. Its query is the file of `sql/` with the name of its code. */
export interface Question {
  readonly code: AuditCode;
  readonly weight: AuditWeight;
  /** Set where it can be asked only if it is known which types are refunds and purchases. */
  readonly needsTypes?: true;
  /** Whose ids the query holds in memory, where it takes those of a part. */
  readonly holds?: 'transactions' | 'refunds';
}

/** All questions, those with the weightiest answers first. */
const questions: readonly Question[] = [
  { code: 'mixed_versions', weight: 'incomplete' },
  { code: 'missing_day', weight: 'incomplete' },
  { code: 'incomplete_day', weight: 'incomplete' },
  { code: 'conflicting_day', weight: 'incomplete' },
  { code: 'sums', weight: 'discrepancy' },
  { code: 'day_counts', weight: 'discrepancy' },
  { code: 'repeated_transaction', weight: 'discrepancy', holds: 'transactions' },
  { code: 'repeated_settlement', weight: 'discrepancy' },
  { code: 'over_refunded', weight: 'discrepancy', needsTypes: true, holds: 'refunds' },
  // The purchase may be older than the lake.
  { code: 'refund_without_purchase', weight: 'notice', needsTypes: true, holds: 'refunds' },
  { code: 'missing_type', weight: 'notice', needsTypes: true },
  { code: 'changed_after_settled', weight: 'notice' },
  { code: 'never_settled', weight: 'notice' },
  { code: 'silent_account', weight: 'notice' },
  { code: 'repeated_day', weight: 'notice' },
];

/** The questions that can be asked by the settings, and those that can't. */
export function questionsBy({ refundTypes, purchaseTypes }: AuditSettings) {
  const hasTypes = refundTypes.length > 0 && purchaseTypes.length > 0;
  const asked = questions.filter(({ needsTypes }) => hasTypes || !needsTypes);
  return { asked, others: questions.filter((one) => !asked.includes(one)) };
}

/** The name of a question's query. */
export function queryName({ code }: Question): string {
  return code.replaceAll('_', '-');
}

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
