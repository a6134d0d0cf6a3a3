import { isDay } from '../base/calendar.ts';
import { groupedBy } from '../base/keys.ts';
import type { AcceptedDifference, AcceptedFigures } from '../model/accepted-difference.ts';
import { uuidForm } from '../model/forms.ts';
import { formatMinor, parseDecimal } from '../money/money.ts';
import { type KeptCsv, type KeptRecord, unclosedQuote } from './kept-csv.ts';

/** What a register says, and what in it can't be understood. */
export interface AcceptedRegister {
  /** In the order of the file. */
  readonly lines: readonly AcceptedDifference[];
  /** Lines that accept nothing, with the reason as a sentence. */
  readonly faults: readonly RegisterFault[];
}

interface RegisterFault {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

interface RegisterColumn {
  readonly key: string;
  readonly kind: 'text' | 'integer' | 'amount';
  readonly value: (line: AcceptedDifference) => string;
}

const sides = ['reported', 'computed'] as const;
const amounts = [
  ['gross', 'gross'],
  ['fees', 'fees'],
  ['tax', 'tax'],
  ['pay_in', 'payIn'],
] as const;

/** The columns of a new register: those of the settlements report have its names. */
export const registerColumns: readonly RegisterColumn[] = [
  { key: 'settlement_date', kind: 'text', value: (line) => line.settlementDate },
  { key: 'settlement_id', kind: 'text', value: (line) => line.settlementId },
  { key: 'accounting_token', kind: 'text', value: (line) => line.accountingToken },
  { key: 'currency', kind: 'text', value: (line) => line.currency },
  { key: 'decimal_places', kind: 'integer', value: (line) => String(line.scale) },
  ...sides.map(
    (side): RegisterColumn => ({
      key: `transactions_${side}`,
      kind: 'integer',
      value: (line) => String(line[side].transactions),
    }),
  ),
  ...amounts.flatMap(([key, measure]) =>
    sides.map(
      (side): RegisterColumn => ({
        key: `${key}_${side}`,
        kind: 'amount',
        value: (line) => formatMinor(line[side][measure], line.scale),
      }),
    ),
  ),
  {
    key: 'pay_in_difference',
    kind: 'amount',
    value: (line) => formatMinor(payInDifference(line), line.scale),
  },
  { key: 'codes', kind: 'text', value: (line) => line.codes.join(' | ') },
  { key: 'accepted_reason', kind: 'text', value: (line) => line.reason },
  { key: 'accepted_by', kind: 'text', value: (line) => line.by },
  { key: 'accepted_on', kind: 'text', value: (line) => line.on },
  { key: 'accepted_until', kind: 'text', value: (line) => line.until ?? '' },
];

/** Reported − computed, in minor units. */
export function payInDifference({ reported, computed }: AcceptedDifference): bigint {
  return reported.payIn - computed.payIn;
}

/**
 * Understands a register. A line that isn't certain accepts nothing: one with a value of another form
 * than was written, one that contradicts itself, and one of two for the same settlement.
 */
export function understandRegister(csv: KeptCsv): AcceptedRegister {
  const { columns, brokenAt } = csv;
  if (columns.length === 0) return { lines: [], faults: [] };
  const missing = registerColumns.map(({ key }) => key).filter((key) => !columns.includes(key));
  if (missing.length > 0) {
    const message = `Missing columns: ${missing.join(', ')}. No line can be read.`;
    return { lines: [], faults: [{ line: 1, message }] };
  }
  const faults: RegisterFault[] = [];
  const understood: { readonly line: number; readonly accepted: AcceptedDifference }[] = [];
  for (const record of csv.records.filter(({ isEmpty }) => !isEmpty)) {
    const accepted = understandLine(record, csv.delimiter);
    const { line } = record;
    if (typeof accepted === 'string') faults.push({ line, message: accepted });
    else understood.push({ line, accepted });
  }
  const lines: AcceptedDifference[] = [];
  for (const same of groupedBy(understood, ({ accepted }) => keyOf(accepted)).values()) {
    const [first, ...others] = same;
    if (first && others.length === 0) lines.push(first.accepted);
    for (const { line } of others) {
      const message = `This settlement is also on line ${first?.line}. Neither line counts.`;
      faults.push({ line, message });
    }
  }
  if (brokenAt !== undefined) {
    const message = `${unclosedQuote} Nothing can be read from here on.`;
    faults.push({ line: brokenAt, message });
  }
  return { lines, faults: faults.sort((one, other) => one.line - other.line) };
}

/** The key by which a settlement's line is found: ids may be written in capital letters. */
export function keyOf({ settlementId }: Pick<AcceptedDifference, 'settlementId'>): string {
  return settlementId.toLowerCase();
}

/** The records of a settlement, understood or not. */
export function recordsOf(
  { records }: KeptCsv,
  settlement: Pick<AcceptedDifference, 'settlementId'>,
): readonly KeptRecord[] {
  const key = keyOf(settlement);
  return records.filter(({ cells }) => cells.get('settlement_id')?.toLowerCase() === key);
}

/** Whether two lines accept the same for the same reason, whenever that was. */
export function isSameButForItsDay(one: AcceptedDifference, other: AcceptedDifference): boolean {
  return registerColumns.every(
    ({ key, value }) => key === 'accepted_on' || value(one) === value(other),
  );
}

/** A line of a register, or what is wrong with it, as a sentence. */
function understandLine(
  { cells }: KeptRecord,
  delimiter: KeptCsv['delimiter'],
): AcceptedDifference | string {
  const problems: string[] = [];
  /** What a person wrote: an apostrophe keeps a spreadsheet from running it. */
  const written = (key: string) => cell(key).replace(/^'(?=[=+\-@])/, '');
  const cell = (key: string) => cells.get(key) ?? '';
  const object = (key: string, what: string) =>
    problems.push(`${key} must be ${what}${cell(key) === '' ? '' : `, not "${cell(key)}"`}.`);
  const checked = (key: string, form: RegExp | ((text: string) => boolean), what: string) => {
    const text = cell(key);
    const isRight = form instanceof RegExp ? form.test(text) : form(text);
    if (!isRight) object(key, what);
    return isRight ? text : '';
  };
  const count = (key: string) => Number(checked(key, /^\d{1,15}$/, 'a whole number'));
  const scale = Number(checked('decimal_places', /^(?:\d|1[0-8])$/, 'a number from 0 to 18'));
  const amount = (key: string) => {
    const text = delimiter === ';' ? cell(key).replace(',', '.') : cell(key);
    const minor = parseDecimal(text, scale);
    const form = `an amount with at most ${scale} decimals and no thousands separators`;
    if (minor === undefined) object(key, form);
    return minor ?? 0n;
  };
  const figures = (side: (typeof sides)[number]): AcceptedFigures => ({
    transactions: count(`transactions_${side}`),
    gross: amount(`gross_${side}`),
    fees: amount(`fees_${side}`),
    tax: amount(`tax_${side}`),
    payIn: amount(`pay_in_${side}`),
  });
  const line: AcceptedDifference = {
    settlementId: checked('settlement_id', uuidForm, 'a UUID'),
    settlementDate: checked('settlement_date', isDay, 'a date such as 2026-03-05'),
    accountingToken: cell('accounting_token'),
    currency: checked('currency', /./, 'filled in'),
    scale,
    reported: figures('reported'),
    computed: figures('computed'),
    codes: cell('codes')
      .split(/ *\| */)
      .filter(Boolean),
    reason: written('accepted_reason') || checked('accepted_reason', /./, 'filled in'),
    by: written('accepted_by'),
    on: checked('accepted_on', isDay, 'a date such as 2026-03-05'),
    until:
      checked('accepted_until', (text) => text === '' || isDay(text), 'a date, or empty') ||
      undefined,
  };
  if (problems.length === 0 && amount('pay_in_difference') !== payInDifference(line)) {
    problems.push('pay_in_difference must be pay_in_reported - pay_in_computed.');
  }
  return problems[0] ?? line;
}
