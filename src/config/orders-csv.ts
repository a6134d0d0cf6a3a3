import * as z from 'zod';
import { keysOf } from '../base/lists.ts';
import type { OrdersCsv } from '../model/orders.ts';
import { orderPresets } from '../orders/presets.ts';
import { type Given, nonEmpty, parseTable } from './given.ts';
import { columnName, csvForm, textList, trueOrFalse } from './profile-tables.ts';

const presetNames = keysOf(orderPresets);

const table = z.strictObject(
  {
    ...csvForm,
    preset: z.enum(presetNames, `must be ${presetNames.join(', ')}`).optional(),
    methods: z.array(nonEmpty, 'must be a list of texts in [ ]').optional(),
    order: columnName,
    strip_prefix: columnName,
    strip_zeros: trueOrFalse,
    document: columnName,
    paid_at: columnName,
    total: columnName,
    currency: columnName,
    not_due: textList.transform((columns) => [...new Set(columns)]),
    method: columnName,
    status: columnName,
    unpaid_words: textList,
    cancelled_words: textList,
    cancelled_at: columnName,
    refunded: columnName,
    refund_date: columnName,
    kind: columnName,
    refund_words: textList,
    charge: columnName,
    account: columnName,
    note: nonEmpty.default('merchant_order_ref'),
    time_zone: columnName.refine(isTimeZone, 'must be a time zone, such as "Europe/Madrid"'),
  },
  'must be a table, [profiles.NAME.orders_csv]',
);

function isTimeZone(timeZone = 'UTC'): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}

type Written = z.infer<typeof table>;

function faultIn(written: Written): string | undefined {
  const { methods, method, status, kind, decimal, thousands } = written;
  const { unpaid_words, cancelled_words, refund_words } = written;
  if (!written.order) return 'must name the column order';
  if (!written.date) return 'must name the column date';
  if (!written.total) return 'must name the column total';
  if (!written.currency) return 'must name currency: a columnName, or a code such as EUR';
  if (!methods) return 'must name methods: what the service pays, or [] if it pays all orders';
  if (methods.length > 0 && !method) return 'must name method, the column of methods';
  if (unpaid_words.length + cancelled_words.length > 0 && !status) {
    return 'must name status with unpaid_words and cancelled_words';
  }
  if (refund_words.length > 0 !== (kind !== undefined)) return 'must name kind with refund_words';
  return thousands === decimal ? 'must have different signs for decimal and thousands' : undefined;
}

/** What a preset stands for is as if it were written, unless it is. */
function withPreset(written: unknown): unknown {
  if (typeof written !== 'object' || written === null || !('preset' in written)) return written;
  const preset = presetNames.find((name) => name === written.preset);
  return preset ? { ...orderPresets[preset], ...written } : written;
}

const untouched = JSON.stringify(table.parse({}));

/** The table `orders_csv` of a profile; undefined if empty. */
export const ordersCsvSchema = z
  .preprocess(withPreset, table)
  .transform(({ preset: _, ...written }, context): OrdersCsv | undefined => {
    if (JSON.stringify(written) === untouched) return undefined;
    const fault = faultIn(written);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
    const { order = '', date = '', total = '', currency = '', methods = [] } = written;
    return { ...written, order, date, total, currency, methods };
  });

export const ordersCsvKeys: readonly string[] = Object.keys(table.shape);

/** Parses the mapping of order files written as JSON. Throws ReconError. */
export function parseOrdersCsv(given: Given): OrdersCsv | undefined {
  const example = '{"preset": "shopify", "methods": ["Shopify Payments"]}';
  return parseTable(ordersCsvSchema, given, example, () => ordersCsvKeys);
}
