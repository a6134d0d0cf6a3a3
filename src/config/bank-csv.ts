import * as z from 'zod';
import type { BankCsv } from '../model/bank-csv.ts';
import type { Given } from './origin.ts';
import { nonEmpty, parseTable } from './schema.ts';

const column = nonEmpty.optional();
const several = z.array(nonEmpty, 'must be a list of texts in [ ]').default([]);
const yesOrNo = z.boolean('must be true or false, without quotes').default(false);
const oneCharacter = z.string('must be text in quotes').length(1, 'must be one character');

/** Year, month and day, each once, in any order. */
const dateForm = /^(?=.*YY)(?=.*M)(?=.*D)(?:(?:YYYY|YY|MMM|MM|M|DD|D)[^\p{L}\d]*){3}$/u;

const table = z.strictObject(
  {
    delimiter: oneCharacter.default(','),
    encoding: column,
    skip_lines: z.int('must be a whole number, without quotes').min(0).default(0),
    header: yesOrNo.default(true),
    decimal: z.enum(['.', ','], 'must be "." or ","').default('.'),
    thousands: oneCharacter.optional(),
    date_format: nonEmpty
      .regex(dateForm, 'must have year, month and day, such as "DD.MM.YYYY"')
      .default('YYYY-MM-DD'),
    date: column,
    value_date: column,
    amount: column,
    inverted: yesOrNo,
    debit: column,
    credit: column,
    direction: column,
    debit_words: several,
    credit_words: several,
    status: column,
    pending_words: several,
    currency: column,
    account: column,
    texts: several,
    references: several,
    bank_reference: column,
    end_to_end_id: column,
    name: column,
    counterparty: column,
  },
  'must be a table, [profiles.NAME.bank_csv]',
);

type Written = z.infer<typeof table>;

const untouched = JSON.stringify(table.parse({}));

/** What is missing in the table, or doesn't go together. */
function faultIn(written: Written): string | undefined {
  const { amount, debit, credit, direction, status, decimal, thousands } = written;
  const areTwo = debit !== undefined && credit !== undefined;
  const isOne = debit !== undefined || credit !== undefined;
  const hasWords = (words: readonly string[], name: unknown) =>
    words.length > 0 === (name !== undefined);
  if (!written.date) return 'must name the column date';
  if (!written.currency) return 'must name currency: a column, or a code such as EUR';
  if (amount === undefined ? !areTwo : isOne) return 'must name amount, or else debit and credit';
  if (direction !== undefined && areTwo) return 'must name direction only with amount';
  if (!hasWords(written.debit_words, direction) || !hasWords(written.credit_words, direction)) {
    return 'must name direction with debit_words and credit_words';
  }
  if (!hasWords(written.pending_words, status)) return 'must name status with pending_words';
  return thousands === decimal ? 'must have different signs for decimal and thousands' : undefined;
}

/** The table `bank_csv` of a profile; `undefined` for an empty one. */
export const bankCsvSchema = table.transform((written, context): BankCsv | undefined => {
  if (JSON.stringify(written) === untouched) return undefined;
  const fault = faultIn(written);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  const { date = '', currency = '' } = written;
  return { ...written, date, currency };
});

/** What the table may hold. */
export const bankCsvKeys: readonly string[] = Object.keys(table.shape);

/** Understands the mapping, of a JSON object of the same shape as the table. */
export function parseBankCsv(given: Given): BankCsv | undefined {
  const example = '{"date": "Date", "amount": "Amount", "currency": "EUR"}';
  return parseTable(bankCsvSchema, given, example, () => bankCsvKeys);
}
