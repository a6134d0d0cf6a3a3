import * as z from 'zod';
import { usualCsv } from '../base/csv-records.ts';
import { keysOf } from '../base/lists.ts';
import type { BankMappings } from '../model/bank.ts';
import type { OrdersCsv } from '../model/orders.ts';
import type { SettlementsCsv } from '../model/settlement-files.ts';
import { orderPresets } from '../orders/presets.ts';
import { settlementPresetNames, settlementPresets } from '../provided/presets.ts';
import { isTimeZone, nonEmpty, strictTable, structured } from './raw.ts';

const column = nonEmpty.optional();
const texts = z.array(nonEmpty, 'must be a list of texts in [ ]');
const words = texts.default([]);
const trueOrFalse = z.boolean('must be true or false, without quotes').default(false);
const oneCharacter = z.string('must be text in quotes').length(1, 'must be one character');

/** Year, month and day, once each. */
const dateForm = /^(?=.*YY)(?=.*M)(?=.*D)(?:(?:YYYY|YY|MMM|MM|M|DD|D)[^\p{L}\d]*){3}$/u;

const decimalSign = z.enum(['.', ','], 'must be "." or ","');

const csvForm = {
  delimiter: oneCharacter.default(usualCsv.delimiter),
  encoding: column,
  skip_lines: z.int('must be a whole number, without quotes').min(0).default(usualCsv.skip_lines),
  header: trueOrFalse.default(usualCsv.header),
  decimal: decimalSign.default(usualCsv.decimal),
  thousands: oneCharacter.optional(),
  date_format: nonEmpty
    .regex(dateForm, 'must have year, month and day, such as "DD.MM.YYYY"')
    .default(usualCsv.date_format),
  date: column,
};

const byAccount =
  'must be a column, a code such as "EUR", or a code for each account: { "ACCOUNT" = "EUR" }';

const bankTable = strictTable(
  {
    ...csvForm,
    value_date: column,
    amount: column,
    inverted: trueOrFalse,
    debit: column,
    credit: column,
    direction: column,
    debit_words: words,
    credit_words: words,
    fee: column,
    balance: column,
    balance_decimal: decimalSign.optional(),
    status: column,
    booked_words: words,
    pending_words: words,
    ignored_words: words,
    opening_words: words,
    closing_words: words,
    currency: z
      .union([nonEmpty, z.record(nonEmpty, z.string().regex(/^[A-Z]{3}$/, byAccount))], byAccount)
      .optional(),
    account: column,
    texts: words,
    references: words,
    bank_reference: column,
    end_to_end_id: column,
    name: column,
    counterparty: column,
  },
  'must be a table, [profiles.NAME.bank_csv]',
);

function bankFault(written: z.infer<typeof bankTable>): string | undefined {
  const { amount, debit, credit, direction, status } = written;
  const areTwo = debit !== undefined && credit !== undefined;
  const isOne = debit !== undefined || credit !== undefined;
  const hasWords = (words: readonly string[], name: unknown) =>
    words.length > 0 === (name !== undefined);
  if (!written.date) return 'must name the column date';
  if (!written.currency) return 'must name currency: a column, or a code such as EUR';
  if (typeof written.currency === 'object' && !written.account) {
    return 'must name account, because currency is by account';
  }
  if (amount === undefined ? !areTwo : isOne) return 'must name amount, or else debit and credit';
  if (direction !== undefined && areTwo) return 'must name direction only with amount';
  if (!hasWords(written.debit_words, direction) || !hasWords(written.credit_words, direction)) {
    return 'must name direction with debit_words and credit_words';
  }
  // Words for pending rows may stand in the column of the dates too.
  const ofStatus = [written.booked_words, written.ignored_words];
  if (!status && ofStatus.some(({ length }) => length > 0)) {
    return 'must name status with booked_words or ignored_words';
  }
  return signsFault(written);
}

function signsFault({ decimal, thousands }: { decimal: string; thousands?: string | undefined }) {
  return thousands === decimal ? 'must have different signs for decimal and thousands' : undefined;
}

const emptyBankTable = JSON.stringify(bankTable.parse({}));

const bankMapping = bankTable.superRefine((written, context) => {
  const isEmpty = JSON.stringify(written) === emptyBankTable;
  const message = isEmpty ? undefined : bankFault(written);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** The mappings of a table by their names: tables in it, and without a name what is in the table itself. */
function byName(written: unknown): unknown {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return written;
  const isTable = ([name, value]: readonly [string, unknown]) =>
    name !== 'currency' && typeof value === 'object' && value !== null && !Array.isArray(value);
  const [tables, own] = [true, false].map((are) =>
    Object.entries(written).filter((one) => isTable(one) === are),
  );
  return Object.fromEntries([['', Object.fromEntries(own ?? [])], ...(tables ?? [])]);
}

/** The table `bank_csv` of a profile: a mapping, or several with names. */
const bankCsvSchema = z
  .preprocess(
    byName,
    z.record(z.string(), bankMapping, 'must be a table, [profiles.NAME.bank_csv]'),
  )
  .transform(
    (mappings): BankMappings =>
      Object.fromEntries(
        Object.entries(mappings).flatMap(([name, { date, currency, ...written }]) => {
          const isWhole = date !== undefined && currency !== undefined;
          return isWhole ? [[name, { ...written, date, currency }]] : [];
        }),
      ),
  );

const presetNames = keysOf(orderPresets);

const ordersTable = strictTable(
  {
    ...csvForm,
    preset: z.enum(presetNames, `must be ${presetNames.join(', ')}`).optional(),
    methods: texts.optional(),
    order: column,
    strip_prefix: column,
    strip_zeros: trueOrFalse,
    document: column,
    paid_at: column,
    total: column,
    currency: column,
    only: z.record(nonEmpty, texts).default({}),
    not_due: words.transform((columns) => [...new Set(columns)]),
    method: column,
    status: column,
    unpaid_words: words,
    cancelled_words: words,
    cancelled_at: column,
    refunded: column,
    refund_date: column,
    kind: column,
    refund_words: words,
    charge: column,
    account: column,
    note: nonEmpty.default('merchant_order_ref'),
    time_zone: column.refine(isTimeZone, 'must be a time zone, such as "Europe/Madrid"'),
    times: z.enum(['UTC'], 'must be "UTC"; without it, times are those of the shop').optional(),
  },
  'must be a table, [profiles.NAME.orders_csv]',
);

function ordersFault(written: z.infer<typeof ordersTable>): string | undefined {
  const { methods, method, status, kind, unpaid_words, cancelled_words, refund_words } = written;
  if (!written.order) return 'must name the column order';
  if (!written.date) return 'must name the column date';
  if (!written.total) return 'must name the column total';
  if (!written.currency) return 'must name currency: a column, or a code such as EUR';
  if (!methods) return 'must name methods: what the service pays, or [] if it pays all orders';
  if (methods.length > 0 && !method) return 'must name method, the column of methods';
  if (unpaid_words.length + cancelled_words.length > 0 && !status) {
    return 'must name status with unpaid_words and cancelled_words';
  }
  if (refund_words.length > 0 !== (kind !== undefined)) return 'must name kind with refund_words';
  return signsFault(written);
}

/** Settings of a preset that can be empty texts: the file has no such column, or times of the shop. */
const emptied =
  /^(document|paid_at|only|not_due|method|status|cancelled_at|refunded|refund_date|times)$/;

/** The settings of a preset, unless the table has its own or empties them. */
function withPreset(written: unknown, presets: Readonly<Record<string, object>>): unknown {
  if (typeof written !== 'object' || written === null || !('preset' in written)) return written;
  const preset = typeof written.preset === 'string' ? presets[written.preset] : undefined;
  if (!preset) return written;
  const empty = Object.entries(written)
    .filter(([key, value]) => value === '' && key in preset && emptied.test(key))
    .map(([key]) => key);
  const isKept = ([key]: readonly [string, unknown]) => !empty.includes(key);
  // Without a status, its words mean nothing.
  const isMeant = ([key]: readonly [string, unknown]) =>
    !(empty.includes('status') && /^(unpaid|cancelled)_words$/.test(key));
  return Object.fromEntries(
    [...Object.entries(preset).filter(isMeant), ...Object.entries(written)].filter(isKept),
  );
}

const emptyOrdersTable = JSON.stringify(ordersTable.parse({}));

/** The table `orders_csv` of a profile; undefined if empty. */
const ordersCsvSchema = z
  .preprocess((written) => withPreset(written, orderPresets), ordersTable)
  .transform(({ preset: _, ...written }, context): OrdersCsv | undefined => {
    if (JSON.stringify(written) === emptyOrdersTable) return undefined;
    const message = ordersFault(written);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
    const { order = '', date = '', total = '', currency = '', methods = [] } = written;
    return { ...written, order, date, total, currency, methods };
  });

const payoutsTable = strictTable(
  {
    payout: nonEmpty,
    date: nonEmpty,
    account: column,
    currency: nonEmpty,
    paid: nonEmpty,
    gross: words,
    fees: words,
    tax: words,
    inverted: trueOrFalse,
    transactions: column,
    reference: column,
    type: column,
    types: words,
  },
  'must be a table, [profiles.NAME.settlements_csv.payouts]',
);

const settlementsTable = strictTable(
  {
    ...csvForm,
    preset: z.enum(settlementPresetNames, `must be ${settlementPresetNames.join(', ')}`).optional(),
    provider: column,
    payout: column,
    numbered: trueOrFalse,
    account: column,
    currency: column,
    type: column,
    id: column,
    order: column,
    charge: column,
    method: column,
    note: column,
    net: column,
    net_debit: column,
    net_credit: column,
    gross: column,
    gross_debit: column,
    gross_credit: column,
    gross_currency: column,
    fees: words,
    tax: column,
    inverted: trueOrFalse,
    payout_types: words,
    payout_unsigned: trueOrFalse,
    fee_types: words,
    fee_ids: trueOrFalse,
    carried_types: words,
    status: column,
    open_words: words,
    payouts: payoutsTable.optional(),
  },
  'must be a table, [profiles.NAME.settlements_csv]',
);

function settlementsFault(written: z.infer<typeof settlementsTable>): string | undefined {
  const { net, net_debit, net_credit, type } = written;
  if (!written.provider) return 'must name the provider, or a preset';
  if (!written.payout) return 'must name the column payout';
  if (!written.date) return 'must name the column date';
  if (!written.account) return 'must name account: a column, or the account of all lines';
  if (!written.currency) return 'must name currency: a column, or a code such as EUR';
  if (!net && !(net_debit && net_credit)) return 'must name net, or else net_debit and net_credit';
  if (!written.payouts && (!type || written.payout_types.length === 0)) {
    return 'must name type and payout_types: the lines that say what is paid, or else payouts';
  }
  return signsFault(written);
}

const emptySettlementsTable = JSON.stringify(settlementsTable.parse({}));

/** The table `settlements_csv` of a profile; undefined if empty. */
const settlementsCsvSchema = z
  .preprocess((written) => withPreset(written, settlementPresets), settlementsTable)
  .transform(({ preset: _, ...written }, context): SettlementsCsv | undefined => {
    if (JSON.stringify(written) === emptySettlementsTable) return undefined;
    const message = settlementsFault(written);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
    const { provider = '', payout = '', date = '', account = '', currency = '' } = written;
    return { ...written, provider, payout, date, account, currency };
  });

/** The settings that say how CSV files are written. */
export const csvTables = {
  bank_csv: structured(bankCsvSchema, '{"date": "Date", "amount": "Amount", "currency": "EUR"}'),
  orders_csv: structured(ordersCsvSchema, '{"preset": "shopify", "methods": ["Shopify Payments"]}'),
  settlements_csv: structured(settlementsCsvSchema, '{"preset": "adyen"}'),
};
