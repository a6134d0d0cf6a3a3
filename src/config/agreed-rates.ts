import * as z from 'zod';
import { isDay } from '../base/calendar.ts';
import type { AgreedFee, AgreedPrice, AgreedRate } from '../model/agreed-rates.ts';
import { minorUnitsOf } from '../money/minor-units.ts';
import { parseDecimal } from '../money/money.ts';
import { anyText, type Given, nonEmpty, parseTable } from './given.ts';
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

const tax = z.strictObject(
  { percent: exact.unwrap(), rounding, per: oneWord('row', 'settlement').default('row') },
  'must be a table such as { percent = "20", rounding = "down" }',
);

const tier = z.strictObject({ ...price, up_to: exact }, 'must be a table in { }');

const rate = z
  .strictObject(
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
  )
  .superRefine((one, context) => {
    const message = faultIn(one);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }) satisfies z.ZodType<AgreedRate>;

/** A number as an integer at a common scale. */
function scaled(text = ''): bigint | undefined {
  return /^[\d.]{1,24}$/.test(text) ? parseDecimal(text, 12) : undefined;
}

function isBelow(one: string | undefined, other: string | undefined): boolean {
  const [a, b] = [scaled(one), scaled(other)];
  return a !== undefined && b !== undefined && a < b;
}

function faultIn(one: z.infer<typeof rate>): string | undefined {
  const { tiers, valid_from = '', valid_to = valid_from } = one;
  if (valid_to < valid_from) return 'must not have valid_to before valid_from';
  if (!tiers) {
    const isTiered = one.tier_by ?? one.tier_of;
    return isTiered ? 'must have tiers with tier_by and tier_of' : priceFault(one);
  }
  if (!one.tier_by || !one.tier_of) return 'must have tier_by and tier_of with tiers';
  if (one.percent ?? one.percent_from ?? one.percent_to) {
    return 'must have its percentages in the tiers';
  }
  const ends = tiers.map(({ up_to }) => up_to);
  const isRising = ends.every((end, at) => at === 0 || !end || isBelow(ends[at - 1], end));
  if (ends.length === 0 || ends.at(-1) || ends.slice(0, -1).includes(undefined) || !isRising) {
    return 'must have tiers with rising up_to, and a last one without it';
  }
  const inTiers = tiers.map((own) => priceFault({ ...one, ...own }));
  return inTiers.find((fault) => fault !== undefined);
}

function priceFault(one: AgreedPrice): string | undefined {
  const { percent, percent_from: from, percent_to: to, minimum, maximum } = one;
  if (!(percent ?? from ?? to ?? one.fixed)) return 'must have percent, fixed or both';
  if ((from === undefined) !== (to === undefined)) {
    return 'must have both percent_from and percent_to';
  }
  if (percent && from) return 'must have percent, or percent_from and percent_to';
  if (isBelow(to, from)) return 'must not have percent_to below percent_from';
  return isBelow(maximum, minimum) ? 'must not have maximum below minimum' : undefined;
}

/** The list `agreed_rates` of a profile. Rates that overlap are found by the rows that they match. */
export const agreedRatesSchema = z.array(rate, 'must be tables, [[profiles.NAME.agreed_rates]]');

const fee = z.strictObject(
  { name: nonEmpty, every: oneWord('month'), amount: exact.unwrap(), currency },
  'must be a table such as { name = "terminal rent", every = "month", amount = "29.00", currency = "EUR" }',
) satisfies z.ZodType<AgreedFee>;

/** The list `agreed_fees` of a profile. */
export const agreedFeesSchema = z.array(fee, 'must be a list of tables in [ ]');

/** The keys of an entry of either list, or of a table in it. */
export function agreedKeys(list: PropertyKey, table?: PropertyKey): readonly string[] {
  if (list === 'agreed_fees') return Object.keys(fee.shape);
  if (table === 'tax') return Object.keys(tax.shape);
  return Object.keys(table === 'tiers' ? tier.shape : rate.shape);
}

/** Parses agreed rates written as JSON. Throws ReconError. */
export function parseAgreedRates(given: Given): readonly AgreedRate[] {
  const example = '[{"name": "cards", "currency": "EUR", "percent": "1.4"}]';
  return parseTable(agreedRatesSchema, given, example, (table) => agreedKeys(given.key, table));
}

/** Parses agreed fees written as JSON. Throws ReconError. */
export function parseAgreedFees(given: Given): readonly AgreedFee[] {
  const example = '[{"name": "rent", "every": "month", "amount": "29.00", "currency": "EUR"}]';
  return parseTable(agreedFeesSchema, given, example, (table) => agreedKeys(given.key, table));
}

/** The first amount with more decimals than its currency has: `agreed_rates[0].fixed`. */
export function decimalsFault(
  rates: readonly AgreedRate[],
  fees: readonly AgreedFee[],
  expectedScales: ReadonlyMap<string, number>,
) {
  const written = [
    ...rates.flatMap(({ tiers = [], ...one }, at) =>
      [one, ...tiers].flatMap((price, tier) => {
        const key = `agreed_rates[${at}]${tier > 0 ? `.tiers[${tier - 1}]` : ''}`;
        const { fixed, minimum, maximum } = price;
        const amounts = { fixed, minimum, maximum, up_to: 'up_to' in price ? price.up_to : '' };
        return Object.entries(amounts).map(([name, text]) => ({
          ...{ key: `${key}.${name}`, text, currency: one.currency },
        }));
      }),
    ),
    ...fees.map(({ amount: text, currency }, at) => {
      return { key: `agreed_fees[${at}].amount`, text, currency };
    }),
  ];
  const isWrong = ({ text, currency }: (typeof written)[number]) => {
    const places = expectedScales.get(currency) ?? minorUnitsOf(currency);
    return text && places !== undefined && parseDecimal(text, places) === undefined;
  };
  return written.find(isWrong);
}
