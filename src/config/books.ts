import * as z from 'zod';
import {
  type AccountMapping,
  csvFieldPattern,
  csvFields,
  type JournalCsv,
  purposes,
} from '../model/account-mapping.ts';
import type { Given } from './origin.ts';
import { anyText, nonEmpty, parseTable } from './schema.ts';

const accounts = Object.fromEntries(
  purposes.map((purpose) => [purpose, nonEmpty.optional()] as const),
) as Record<(typeof purposes)[number], z.ZodOptional<typeof nonEmpty>>;

const ofSome = z.strictObject(accounts, 'must be a table of accounts');
const isOn = z.boolean('must be true or false, without quotes');

function numberFrom(least: number, most: number) {
  const message = `must be a number from ${least} to ${most}, without quotes`;
  return z.int(message).min(least, message).max(most, message);
}

const datev = z.strictObject(
  {
    adviser: numberFrom(1001, 9_999_999),
    client: numberFrom(1, 99_999),
    year_start: anyText
      .regex(/^(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, 'must be a day such as "01-01"')
      .default('01-01'),
    account_length: numberFrom(4, 8).default(4),
    currency: anyText.regex(/^[A-Z]{3}$/, 'must be a currency such as "EUR"').default('EUR'),
    chart: anyText.regex(/^\d{2,4}$/, 'must be digits such as "03"').optional(),
    locked: isOn.default(false),
    tax_keys: ofSome.optional(),
  },
  'must be a table, [profiles.NAME.books.datev]',
);

const template = anyText.refine(
  (text) =>
    [...text.matchAll(csvFieldPattern)].every(([, name]) => csvFields.some((one) => one === name)),
  `may have these fields in braces: ${csvFields.join(', ')}`,
);

const csv = z.strictObject(
  {
    date: anyText
      .regex(/^(?=.*YYYY)(?=.*MM)(?=.*DD)[YMD./-]{8,10}$/, 'must be a form such as "DD/MM/YYYY"')
      .default('YYYY-MM-DD'),
    columns: z.record(z.string(), template, 'must be a table of column = "{field}"').optional(),
  },
  'must be a table, [profiles.NAME.books.csv]',
) satisfies z.ZodType<JournalCsv>;

/** The table `books` of a profile. */
export const booksSchema = z.strictObject(
  {
    ...accounts,
    currency: z.record(z.string(), ofSome, 'must be tables by currency').optional(),
    token: z.record(z.string(), ofSome, 'must be tables by accounting token').optional(),
    declarations: isOn.optional(),
    assertions: isOn.optional(),
    datev: datev.optional(),
    csv: csv.optional(),
  },
  'must be a table, [profiles.NAME.books]',
) satisfies z.ZodType<AccountMapping>;

/** What the table may hold, or one of the tables in it. */
export function bookKeys(table?: PropertyKey): readonly string[] {
  if (table === 'datev') return Object.keys(datev.shape);
  if (table === 'csv') return Object.keys(csv.shape);
  const isOfSome = table === 'currency' || table === 'token';
  return Object.keys(isOfSome ? ofSome.shape : booksSchema.shape);
}

/** Understands accounts, of a JSON object of the same shape as the table; undefined for an empty one. */
export function parseBooks(given: Given): AccountMapping | undefined {
  const mapping = parseTable(booksSchema, given, '{"bank": "assets:bank"}', bookKeys);
  return Object.keys(mapping).length === 0 ? undefined : mapping;
}

/** The lines of the table: its keys, with those of the tables in it, and their values as in TOML. */
export function bookLines(
  table: object,
  before = 'books.',
): readonly (readonly [key: string, value: string])[] {
  return Object.entries(table).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? bookLines(value, `${before}${key}.`)
      : [[`${before}${key}`, String(value)] as const],
  );
}
