import * as z from 'zod';
import { isDay } from '../base/calendar.ts';
import {
  type AccountMapping,
  csvFieldPattern,
  csvFields,
  type JournalCsv,
  purposes,
} from '../model/account-mapping.ts';
import type { BooksFrom } from '../model/close.ts';
import { maxScale, parseDecimal } from '../money/money.ts';
import {
  areAlternatives,
  type Rule,
  type Rules,
  signedAmounts,
  taxesInFees,
} from '../reconcile/rules.ts';
import { anyText, nonEmpty, strictTable, nonEmpty as word } from './given.ts';

/** One of these words, in quotes. */
export function oneWord<const Word extends string>(...words: readonly Word[]) {
  const quoted = words.map((word) => `"${word}"`);
  return z.enum(words, `must be ${quoted.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`);
}

const notCounted = strictTable(
  {
    state: word.optional(),
    type: word.optional(),
    count: oneWord('follows', 'stays').default('follows'),
  },
  'must be a table such as { state = "declined" }',
).refine(({ state, type }) => state ?? type, 'must name a state, a type or both');

const oppositeSign = strictTable(
  { type: word.optional(), amount: oneWord(...signedAmounts).optional() },
  'must be a table such as { type = "refund" }',
).refine(({ type, amount }) => type ?? amount, 'must name a type, an amount or both');

const roundedAmount = strictTable(
  {
    amount: oneWord('fees', 'tax'),
    of: oneWord('row', 'total'),
    round: oneWord('half_up', 'half_even'),
  },
  'must be a table such as { amount = "fees", of = "total", round = "half_up" }',
);

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
export const rulesSchema = strictTable(
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

const accounts = Object.fromEntries(
  purposes.map((purpose) => [purpose, nonEmpty.optional()] as const),
) as Record<(typeof purposes)[number], z.ZodOptional<typeof nonEmpty>>;

const ofSome = strictTable(accounts, 'must be a table of accounts');
const { receivable, fees, tax } = ofSome.shape;
const ofType = strictTable({ receivable, fees, tax }, 'must be a table of accounts');
const byType = z.record(nonEmpty, ofType, 'must be tables by transaction type').optional();
const ofToken = strictTable({ ...accounts, type: byType }, 'must be a table of accounts');
const isOn = z.boolean('must be true or false, without quotes');

function numberFrom(least: number, most: number) {
  const message = `must be a number from ${least} to ${most}, without quotes`;
  return z.int(message).min(least, message).max(most, message);
}

const datev = strictTable(
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

const csv = strictTable(
  {
    date: anyText
      .regex(/^(?=.*YYYY)(?=.*MM)(?=.*DD)[YMD./-]{8,10}$/, 'must be a form such as "DD/MM/YYYY"')
      .default('YYYY-MM-DD'),
    columns: z.record(z.string(), template, 'must be a table of column = "{field}"').optional(),
  },
  'must be a table, [profiles.NAME.books.csv]',
) satisfies z.ZodType<JournalCsv>;

/** The table `books` of a profile. */
export const booksSchema = strictTable(
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

const booksFromTable = strictTable(
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
