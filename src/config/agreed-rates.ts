import * as z from 'zod';
import { isDay } from '../base/calendar.ts';
import type { AgreedFee, AgreedRate } from '../model/agreed-rates.ts';
import { minorUnitsOf } from '../money/minor-units.ts';
import { parseDecimal } from '../money/money.ts';
import { anyText, nonEmpty, strictTable } from './given.ts';
import { oneWord } from './profile-tables.ts';

const exact = anyText
  .refine((text) => scaled(text) !== undefined, 'must be a number in quotes, such as "1.4"')
  .optional();
const day = anyText.refine(isDay, 'must be a day such as "2026-01-31"').optional();
const values = z.array(anyText, 'must be a list of texts in [ ]').min(1, 'must not be empty');
const currency = anyText.regex(/^[A-Z]{3}$/, 'must be a currency such as "EUR"');
const rounding = oneWord('down', 'up', 'half_up', 'half_even').optional();

const price = {
  percent: exact,
  percent_from: exact,
  percent_to: exact,
  fixed: exact,
  minimum: exact,
  maximum: exact,
};

const tax = strictTable(
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
    tax: tax.optional(),
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
export const agreedRatesSchema = z.array(rate, 'must be tables, [[profiles.NAME.agreed_rates]]');

const fee = strictTable(
  { name: nonEmpty, every: oneWord('month'), amount: exact.unwrap(), currency },
  'must be a table such as { name = "rent", every = "month", amount = "29.00", currency = "EUR" }',
).refine(
  ({ amount, currency }) => !hasTooMany(amount, currency),
  'must not have more decimals in amount than its currency',
) satisfies z.ZodType<AgreedFee>;

/** The list `agreed_fees` of a profile. */
export const agreedFeesSchema = z.array(fee, 'must be a list of tables in [ ]');
