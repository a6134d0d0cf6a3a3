import * as z from 'zod';
import { isDay } from '../base/calendar.ts';
import {
  type AccountMapping,
  csvFieldPattern,
  csvFields,
  type JournalCsv,
  purposes,
} from '../model/account-mapping.ts';
import type { BankCsv } from '../model/bank.ts';
import type { BooksFrom } from '../model/close.ts';
import { maxScale, parseDecimal } from '../money/money.ts';
import {
  areAlternatives,
  type Rule,
  type Rules,
  signedAmounts,
  taxesInFees,
} from '../reconcile/rules.ts';
import { anyText, nonEmpty, nonEmpty as word } from './given.ts';

/** One of these words, in quotes. */
export function oneWord<const Word extends string>(...words: readonly Word[]) {
  const quoted = words.map((word) => `"${word}"`);
  return z.enum(words, `must be ${quoted.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`);
}

const notCounted = z
  .strictObject(
    {
      state: word.optional(),
      type: word.optional(),
      count: oneWord('follows', 'stays').default('follows'),
    },
    'must be a table such as { state = "declined" }',
  )
  .refine(({ state, type }) => state ?? type, 'must name a state, a type or both');

const oppositeSign = z
  .strictObject(
    { type: word.optional(), amount: oneWord(...signedAmounts).optional() },
    'must be a table such as { type = "refund" }',
  )
  .refine(({ type, amount }) => type ?? amount, 'must name a type, an amount or both');

const roundedAmount = z.strictObject(
  {
    amount: oneWord('fees', 'tax'),
    of: oneWord('row', 'total'),
    round: oneWord('half_up', 'half_even'),
  },
  'must be a table such as { amount = "fees", of = "total", round = "half_up" }',
);

/** A list without conflicting entries; undefined if empty. */
function listOf<Entry extends z.ZodType<object>>(
  entry: Entry,
  ruleOf: (one: z.infer<Entry>) => Rule,
  isAlso: string,
) {
  return z
    .array(entry, 'must be a list of tables in [ ]')
    .superRefine((entries, context) => {
      for (const [index, one] of entries.entries()) {
        const isSame = (other: typeof one) => areAlternatives(ruleOf(one), ruleOf(other));
        const isRepeated = entries.slice(0, index).some(isSame);
        const message = `${isAlso} an earlier entry`;
        if (isRepeated) context.addIssue({ code: 'custom', path: [index], message });
      }
    })
    .transform((entries): readonly z.infer<Entry>[] | undefined =>
      entries.length === 0 ? undefined : entries,
    )
    .optional();
}

/** The table `rules` of a profile. */
export const rulesSchema = z.strictObject(
  {
    not_counted: listOf(
      notCounted,
      (one) => ({ rule: 'not_counted', ...one }),
      'covers the same rows as',
    ),
    signs: listOf(
      oppositeSign,
      (one) => ({ rule: 'signs', ...one }),
      'changes the sign of the same amounts as',
    ),
    rounding: listOf(
      roundedAmount,
      (one) => ({ rule: 'rounding', ...one }),
      'rounds the same amount as',
    ),
    tax_in_fees: oneWord(...taxesInFees).optional(),
  },
  'must be a table, [profiles.NAME.rules]',
) satisfies z.ZodType<Rules>;

/** The keys of the table or of one of its lists. */
export function ruleKeys(list?: PropertyKey): readonly string[] {
  if (list === 'not_counted') return Object.keys(notCounted.shape);
  if (list === 'signs') return Object.keys(oppositeSign.shape);
  return Object.keys(list === 'rounding' ? roundedAmount.shape : rulesSchema.shape);
}

export const columnName = nonEmpty.optional();
export const textList = z.array(nonEmpty, 'must be a list of texts in [ ]').default([]);
export const trueOrFalse = z.boolean('must be true or false, without quotes').default(false);
const oneCharacter = z.string('must be text in quotes').length(1, 'must be one character');

/** Year, month and day, once each. */
const dateForm = /^(?=.*YY)(?=.*M)(?=.*D)(?:(?:YYYY|YY|MMM|MM|M|DD|D)[^\p{L}\d]*){3}$/u;

/** The keys of every mapping of CSV files. */
export const csvForm = {
  delimiter: oneCharacter.default(','),
  encoding: columnName,
  skip_lines: z.int('must be a whole number, without quotes').min(0).default(0),
  header: trueOrFalse.default(true),
  decimal: z.enum(['.', ','], 'must be "." or ","').default('.'),
  thousands: oneCharacter.optional(),
  date_format: nonEmpty
    .regex(dateForm, 'must have year, month and day, such as "DD.MM.YYYY"')
    .default('YYYY-MM-DD'),
  date: columnName,
};

const table = z.strictObject(
  {
    ...csvForm,
    value_date: columnName,
    amount: columnName,
    inverted: trueOrFalse,
    debit: columnName,
    credit: columnName,
    direction: columnName,
    debit_words: textList,
    credit_words: textList,
    status: columnName,
    pending_words: textList,
    currency: columnName,
    account: columnName,
    texts: textList,
    references: textList,
    bank_reference: columnName,
    end_to_end_id: columnName,
    name: columnName,
    counterparty: columnName,
  },
  'must be a table, [profiles.NAME.bank_csv]',
);

type Written = z.infer<typeof table>;

const untouched = JSON.stringify(table.parse({}));

function faultIn(written: Written): string | undefined {
  const { amount, debit, credit, direction, status, decimal, thousands } = written;
  const areTwo = debit !== undefined && credit !== undefined;
  const isOne = debit !== undefined || credit !== undefined;
  const hasWords = (words: readonly string[], name: unknown) =>
    words.length > 0 === (name !== undefined);
  if (!written.date) return 'must name the column date';
  if (!written.currency) return 'must name currency: a columnName, or a code such as EUR';
  if (amount === undefined ? !areTwo : isOne) return 'must name amount, or else debit and credit';
  if (direction !== undefined && areTwo) return 'must name direction only with amount';
  if (!hasWords(written.debit_words, direction) || !hasWords(written.credit_words, direction)) {
    return 'must name direction with debit_words and credit_words';
  }
  if (!hasWords(written.pending_words, status)) return 'must name status with pending_words';
  return thousands === decimal ? 'must have different signs for decimal and thousands' : undefined;
}

/** The table `bank_csv` of a profile; undefined if empty. */
export const bankCsvSchema = table.transform((written, context): BankCsv | undefined => {
  if (JSON.stringify(written) === untouched) return undefined;
  const fault = faultIn(written);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  const { date = '', currency = '' } = written;
  return { ...written, date, currency };
});

export const bankCsvKeys: readonly string[] = Object.keys(table.shape);

const accounts = Object.fromEntries(
  purposes.map((purpose) => [purpose, nonEmpty.optional()] as const),
) as Record<(typeof purposes)[number], z.ZodOptional<typeof nonEmpty>>;

const ofSome = z.strictObject(accounts, 'must be a table of accounts');
const { receivable, fees, tax } = ofSome.shape;
const ofType = z.strictObject({ receivable, fees, tax }, 'must be a table of accounts');
const byType = z.record(nonEmpty, ofType, 'must be tables by transaction type').optional();
const ofToken = z.strictObject({ ...accounts, type: byType }, 'must be a table of accounts');
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
    columns: z.record(z.string(), template, 'must be a table of columnName = "{field}"').optional(),
  },
  'must be a table, [profiles.NAME.books.csv]',
) satisfies z.ZodType<JournalCsv>;

/** The table `books` of a profile. */
export const booksSchema = z.strictObject(
  {
    ...accounts,
    currency: z.record(z.string(), ofSome, 'must be tables by currency').optional(),
    token: z.record(z.string(), ofToken, 'must be tables by accounting token').optional(),
    type: byType,
    declarations: isOn.optional(),
    assertions: isOn.optional(),
    datev: datev.optional(),
    csv: csv.optional(),
  },
  'must be a table, [profiles.NAME.books]',
) satisfies z.ZodType<AccountMapping>;

const booksFromTable = z.strictObject(
  {
    day: z
      .string('must be a day in quotes')
      .refine(isDay, 'must be a day such as "2026-03-01"')
      .optional(),
    opening: z
      .record(
        z.string(),
        z.record(z.string(), nonEmpty.refine(isAmount, 'must be an amount such as "3059.32"')),
        'must be tables by accounting token',
      )
      .default({}),
  },
  'must be a table, [profiles.NAME.books_from]',
);

function isAmount(text: string): boolean {
  return parseDecimal(text, maxScale) !== undefined;
}

/** Written as a day alone, nothing was in transit before. */
const booksFrom = z.union([
  nonEmpty
    .refine(isDay, 'must be a day such as "2026-03-01"')
    .transform((day) => ({ day, opening: {} })),
  booksFromTable,
]);

/** The table `books_from` of a profile; undefined if empty. */
export const booksFromSchema = booksFrom.transform((written, context): BooksFrom | undefined => {
  const { day, opening } = written;
  if (day !== undefined) return { day, opening };
  const message = 'must have day, the first day of the books';
  if (Object.keys(opening).length > 0) context.addIssue({ code: 'custom', message });
  return undefined;
});

export const booksFromKeys: readonly string[] = Object.keys(booksFromTable.shape);

/** The keys of the table or of a table in it. */
export function bookKeys(table?: PropertyKey): readonly string[] {
  if (table === 'datev') return Object.keys(datev.shape);
  if (table === 'csv') return Object.keys(csv.shape);
  if (table === 'type') return Object.keys(ofType.shape);
  if (table === 'token') return Object.keys(ofToken.shape);
  return Object.keys(table === 'currency' ? ofSome.shape : booksSchema.shape);
}

/** The table as lines of key and value, nested keys joined by dots. */
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
