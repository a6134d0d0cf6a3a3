import * as z from 'zod';
import { isDay } from '../base/calendar.ts';
import {
  type AccountMapping,
  csvFieldPattern,
  csvFields,
  extraCsvFields,
  type JournalCsv,
  presetWords,
  purposes,
} from '../model/account-mapping.ts';
import type { AgreedFee, AgreedRate } from '../model/agreed-rates.ts';
import type { BankRule } from '../model/bank.ts';
import type { BooksFrom } from '../model/close.ts';
import { minorUnitsOf } from '../money/minor-units.ts';
import { maxScale, parseDecimal } from '../money/money.ts';
import {
  areAlternatives,
  type Rule,
  type Rules,
  signedAmounts,
  taxesInFees,
} from '../reconcile/rules.ts';
import { anyText, nonEmpty, type RawSetting, strictTable, structured } from './raw.ts';

const currency = anyText.regex(/^[A-Z]{3}$/, 'must be a currency such as "EUR"');

/** One of these words, in quotes. */
function oneWord<const Word extends string>(...words: readonly Word[]) {
  const quoted = words.map((word) => `"${word}"`);
  return z.enum(words, `must be ${quoted.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`);
}

const notCounted = strictTable(
  {
    state: nonEmpty.optional(),
    type: nonEmpty.optional(),
    count: oneWord('follows', 'stays').default('follows'),
  },
  'must be a table such as { state = "declined" }',
).refine(({ state, type }) => state ?? type, 'must name a state, a type or both');

const oppositeSign = strictTable(
  { type: nonEmpty.optional(), amount: oneWord(...signedAmounts).optional() },
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
      'covers the same transactions as',
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
    currency: currency.default('EUR'),
    chart: anyText.regex(/^\d{2,4}$/, 'must be digits such as "03"').optional(),
    locked: isOn.default(false),
    tax_keys: ofSome.optional(),
  },
  'must be a table, [profiles.NAME.books.datev]',
);

const knownFields = [...csvFields, ...extraCsvFields, ...presetWords];

const columnName = 'must be a table of column names';
const csv = strictTable(
  {
    date: anyText
      .regex(/^(?=.*YY)(?=.*MM)(?=.*DD)[YMD ./-]{6,10}$/, 'must be a form such as "DD/MM/YYYY"')
      .optional(),
    columns: z.record(z.string(), anyText, 'must be a table of column = "{field}"').optional(),
    first_line: z.array(nonEmpty, 'must be a list of column names').optional(),
    words: z
      .record(
        nonEmpty.regex(/^[a-z][a-z_]*$/, 'must be a name of small letters'),
        strictTable({ ...accounts, other: anyText.optional() }, 'must be texts by purpose'),
      )
      .optional(),
    names: z.record(nonEmpty, nonEmpty, 'must be a table of account = "name"').optional(),
    sides: z.tuple([nonEmpty, nonEmpty], 'must be two texts, such as ["D", "C"]').optional(),
    delimiter: oneWord(',', ';', '\t', '|').optional(),
    decimal: oneWord('.', ',').optional(),
    most_decimals: numberFrom(0, maxScale).optional(),
    encoding: oneWord('utf-8', 'utf-8-bom', 'windows-1252').optional(),
    header: isOn.optional(),
    longest: z.record(nonEmpty, numberFrom(1, 10_000), columnName).optional(),
    most_lines: numberFrom(2, 1_000_000).optional(),
  },
  'must be a table, [profiles.NAME.books.csv]',
).superRefine(({ columns = {}, words = {} }, context) => {
  for (const [column, template] of Object.entries(columns)) {
    for (const [, name = ''] of template.matchAll(csvFieldPattern)) {
      const fields = [...knownFields, ...Object.keys(words)];
      if (fields.includes(name)) continue;
      const message = `may have these fields in braces: ${fields.join(', ')}`;
      context.addIssue({ code: 'custom', path: ['columns', column], message });
    }
  }
}) satisfies z.ZodType<JournalCsv>;

/** The table `books` of a profile. */
export const booksSchema = strictTable(
  {
    ...accounts,
    currency: z.record(z.string(), ofSome, 'must be tables by currency').optional(),
    token: z.record(z.string(), ofToken, 'must be tables by account id').optional(),
    type: byType,
    declarations: isOn.optional(),
    assertions: isOn.optional(),
    by_sale_month: isOn.optional(),
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
        z.record(
          z.string(),
          nonEmpty.refine(
            (text) => parseDecimal(text, maxScale) !== undefined,
            'must be an amount such as "3059.32"',
          ),
        ),
        'must be tables by account id',
      )
      .default({}),
  },
  'must be a table, [profiles.NAME.books_from]',
);

/** A day alone: nothing was in transit before. */
const dayOrTable = z.union([
  nonEmpty
    .refine(isDay, 'must be a day such as "2026-03-01"')
    .transform((day) => ({ day, opening: {} })),
  booksFromTable,
]);

/** The table `books_from` of a profile; undefined if empty. */
const booksFromSchema = dayOrTable.transform((written, context): BooksFrom | undefined => {
  const { day, opening } = written;
  if (day !== undefined) return { day, opening };
  const message = 'must have day, the first day of the books';
  if (Object.keys(opening).length > 0) context.addIssue({ code: 'custom', message });
  return undefined;
});

const exact = anyText
  .refine((text) => scaled(text) !== undefined, 'must be a number in quotes, such as "1.4"')
  .optional();
const day = anyText.refine(isDay, 'must be a day such as "2026-01-31"').optional();
const values = z.array(anyText, 'must be a list of texts in [ ]').min(1, 'must not be empty');
const rounding = oneWord('down', 'up', 'half_up', 'half_even').optional();

const price = {
  percent: exact,
  percent_from: exact,
  percent_to: exact,
  fixed: exact,
  minimum: exact,
  maximum: exact,
};

const agreedTax = strictTable(
  { percent: exact.unwrap(), rounding, per: oneWord('row', 'settlement').default('row') },
  'must be a table such as { percent = "20", rounding = "down" }',
);

const tier = strictTable({ ...price, up_to: exact }, 'must be a table in { }');

const rate = strictTable(
  {
    name: nonEmpty,
    valid_from: day,
    valid_to: day,
    day: oneWord('row', 'settlement').default('row'),
    types: values.optional(),
    payment_types: values.optional(),
    states: values.optional(),
    merchant_ids: values.optional(),
    tokens: values.optional(),
    currency,
    ...price,
    rounding,
    round: oneWord('sum', 'parts').default('sum'),
    sign: oneWord('charged', 'none', 'returned').default('charged'),
    tax: agreedTax.optional(),
    tier_by: z.enum(['volume'], 'must be "volume"; "graduated" is not offered yet').optional(),
    tier_of: oneWord('month', 'month before').optional(),
    tiers: z.array(tier, 'must be a list of tables in [ ]').optional(),
  },
  'must be a table, [[profiles.NAME.agreed_rates]]',
).superRefine((one, context) => {
  const message = faultIn(one);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
}) satisfies z.ZodType<AgreedRate>;

/** A number as an integer at a common scale. */
function scaled(text = ''): bigint | undefined {
  return /^[\d.]{1,24}$/.test(text) ? parseDecimal(text, 12) : undefined;
}

type Fault = readonly [isWrong: boolean, message: string];

function faultIn({ tiers, tier_by, tier_of, ...one }: z.infer<typeof rate>): string | undefined {
  const { currency, percent, percent_from, valid_from = '', valid_to = valid_from } = one;
  const prices = tiers?.map((tier) => ({ ...one, ...tier })) ?? [one];
  const ends = tiers?.map(({ up_to }) => scaled(up_to)) ?? [];
  const isAfter = (end: bigint | undefined, at: number) =>
    at + 1 === ends.length ? end === undefined : (ends[at - 1] ?? -1n) < (end ?? -1n);
  const faults: readonly Fault[] = [
    [valid_to < valid_from, 'must not have valid_to before valid_from'],
    [!tiers !== !tier_by || !tiers !== !tier_of, 'must have tier_by, tier_of and tiers together'],
    [tiers !== undefined && Boolean(percent ?? percent_from), 'must have percentages in its tiers'],
    [!ends.every(isAfter), 'must have tiers with rising up_to, and a last one without it'],
    ...prices.flatMap((price) => priceFaults(price, currency)),
  ];
  return faults.find(([isWrong]) => isWrong)?.[1];
}

function priceFaults(price: z.infer<typeof tier>, currency: string): readonly Fault[] {
  const { percent, percent_from: from, percent_to: to, fixed, minimum, maximum, up_to } = price;
  const isBelow = (one?: string, other?: string) => (scaled(one) ?? 0n) < (scaled(other) ?? 0n);
  return [
    [!(percent ?? from ?? fixed), 'must have percent, fixed or both'],
    [!from !== !to, 'must have percent_from and percent_to together'],
    [Boolean(percent && from), 'must have percent, or else percent_from and percent_to'],
    [isBelow(to, from), 'must not have percent_to below percent_from'],
    [maximum !== undefined && isBelow(maximum, minimum), 'must not have maximum below minimum'],
    ...Object.entries({ fixed, minimum, maximum, up_to }).map(
      ([key, text]): Fault => [
        hasTooMany(text, currency),
        `must not have more decimals in ${key} than its currency`,
      ],
    ),
  ];
}

/** Whether an amount has more decimals than its currency by ISO 4217. */
function hasTooMany(text: string | undefined, currency: string): boolean {
  const places = minorUnitsOf(currency);
  return Boolean(text && places !== undefined && parseDecimal(text, places) === undefined);
}

/** The list `agreed_rates` of a profile. Rates that overlap are found by the rows that they match. */
const agreedRatesSchema = z.array(rate, 'must be tables, [[profiles.NAME.agreed_rates]]');

const fee = strictTable(
  { name: nonEmpty, every: oneWord('month'), amount: exact.unwrap(), currency },
  'must be a table such as { name = "rent", every = "month", amount = "29.00", currency = "EUR" }',
).refine(
  ({ amount, currency }) => !hasTooMany(amount, currency),
  'must not have more decimals in amount than its currency',
) satisfies z.ZodType<AgreedFee>;

/** The list `agreed_fees` of a profile. */
const agreedFeesSchema = z.array(fee, 'must be a list of tables in [ ]');

const bankRule = strictTable(
  {
    text: nonEmpty.regex(/\S/, 'must not be empty'),
    account: nonEmpty.optional(),
    sign: oneWord('in', 'out').optional(),
    books_account: nonEmpty.optional(),
    unrelated: z.literal(true, 'must be true, or left out').optional(),
  },
  'must be a table, [[profiles.NAME.bank_rules]]',
).refine(
  ({ books_account, unrelated }) => (books_account === undefined) === (unrelated === true),
  'must have either books_account or unrelated = true',
) satisfies z.ZodType<BankRule>;

/** The list `bank_rules` of a profile. */
const bankRulesSchema = z.array(bankRule, 'must be tables, [[profiles.NAME.bank_rules]]');

const names = structured(
  z.record(z.string(), nonEmpty, 'must be a table of token = "name"'),
  '{"TOKEN": "Shop in Madrid"}',
);
const books = structured(booksSchema, '{"bank": "assets:bank"}');
const booksFrom = structured(
  booksFromSchema,
  '{"day": "2026-03-01", "opening": {"TOKEN": {"EUR": "12.30"}}}',
);

/** The settings that are tables and lists in a profile. */
export const profileTables = {
  names: {
    ...names,
    parse: (given: RawSetting): ReadonlyMap<string, string> =>
      new Map(Object.entries(names.parse(given))),
  },
  rules: structured(rulesSchema, '{"not_counted": [{"state": "declined"}]}'),
  agreed_rates: structured(
    agreedRatesSchema,
    '[{"name": "cards", "currency": "EUR", "percent": "1.4"}]',
  ),
  agreed_fees: structured(
    agreedFeesSchema,
    '[{"name": "rent", "every": "month", "amount": "29.00", "currency": "EUR"}]',
  ),
  bank_rules: structured(bankRulesSchema, '[{"text": "account fee", "books_account": "4970"}]'),
  books: {
    ...books,
    parse: (given: RawSetting): AccountMapping | undefined => {
      const mapping = books.parse(given);
      return Object.keys(mapping).length === 0 ? undefined : mapping;
    },
  },
  books_from: {
    ...booksFrom,
    parse: (given: RawSetting): BooksFrom | undefined =>
      isDay(given.text) ? { day: given.text, opening: {} } : booksFrom.parse(given),
  },
};
