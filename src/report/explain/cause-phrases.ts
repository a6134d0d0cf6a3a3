import type { CauseFacts, CountRule, Part, RoundingRule } from '../../explain/cause.ts';
import { formatMinor } from '../../money/money.ts';
import { enumerate } from '../common/phrase.ts';

/** What a cause's words need beside its facts. */
export interface CauseContext {
  /** The currency of the settlement. */
  readonly currency: string;
  /** How many rows the cause is about. */
  readonly rows: number;
  /** How many transactions it accounts for. */
  readonly transactions: number;
}

/** The amounts of rows that a cause is about. */
export const partWords: Readonly<Record<Part, string>> = {
  all: 'sum',
  gross: 'gross',
  fees_and_tax: 'fees and tax',
};

/** Where the tax is within the fees. */
export const taxInFeesWords: Readonly<Record<CauseFacts['tax_in_fees']['kind'], string>> = {
  moved: 'the tax, which the header has within its fees',
  also_in_header: 'the tax, which the header has within its fees as well',
  also_in_rows: 'the tax, which the rows have within their fees as well',
  part: 'an amount that moved between fees and tax',
};

const ruleWords: Readonly<Record<RoundingRule, string>> = {
  up: 'up',
  down: 'down',
  half_up: 'half up',
  half_even: 'half to even',
};

type NeighbourWords = (settlement: string, rows: number, count: CountRule) => string;

/** What a neighbour has to do with it. */
export const neighbours: Readonly<Record<CauseFacts['neighbour']['kind'], NeighbourWords>> = {
  opposite_difference: (there) => `the difference of ${there} with the opposite sign`,
  negative_pay_in: (there) => `the negative pay-in of ${there}`,
  listed_there: (there, rows, count) =>
    `${rowsText(rows)} that only ${there} lists and this header includes${uncounted(count)}`,
  listed_in_both: (there, rows, count) =>
    leftOut(`${rowsText(rows)} listed in ${there} too`, rows, count),
  charge_included: (there, rows, count) =>
    `${rowsText(rows)} of ${there}, of a charge that has rows here as well, which this header ` +
    `includes${uncounted(count)}`,
  charge_left_out: (there, rows, count) =>
    leftOut(`${rowsText(rows)} of a charge that has rows in ${there} as well`, rows, count),
};

/** `one row`, `2 rows`. */
export function rowsText(rows: number): string {
  return rows === 1 ? 'one row' : `${rows} rows`;
}

/** What stands for these rows. */
export function it(rows: number): string {
  return rows === 1 ? 'it' : 'them';
}

/** Rows that the header leaves out, counted all the same or not. */
export function leftOut(what: string, rows: number, count: CountRule): string {
  return count === 'follows'
    ? `${what} that the header leaves out`
    : `${what} whose amounts the header leaves out, though it counts ${it(rows)}`;
}

function uncounted(count: CountRule): string {
  return count === 'follows' ? '' : ' without counting it';
}

/** Copies and other contents that the header includes. */
export function duplicates(
  { kind, count }: CauseFacts['duplicate_rows'],
  { rows }: CauseContext,
): string {
  switch (kind) {
    case 'copies':
      return `the copies of ${rowsText(rows)} listed more than once, which the header includes${uncounted(count)}`;
    case 'one_row':
      return `the copies of one row among those listed more than once, which the header includes${uncounted(count)}`;
    case 'other_content':
      return 'the other content of a transaction listed with two, in place of the one counted here';
    case 'both_contents':
      return `both contents of a transaction listed with two, where one counts here${uncounted(count)}`;
  }
}

/** Rows in another currency, as the header reads them. */
export function foreignCurrency(
  { currencies, reading, count }: CauseFacts['foreign_currency_rows'],
  { rows, currency }: CauseContext,
): string {
  const what = `${rowsText(rows)} in ${enumerate(currencies)}`;
  const counted = count === 'stays' ? '' : ' and does not count';
  switch (reading) {
    case 'included':
      return `${what} that the header adds as if in ${currency}${counted}`;
    case 'digits':
      return `${what} whose digits the header reads as ${currency}${counted}`;
    case 'left_out':
      return `${what} that the header does not count`;
  }
}

/** Amounts read with other decimal places. */
export function scaleSlip(
  { of, power, decimalPlaces }: CauseFacts['scale_slip'],
  { rows }: CauseContext,
): string {
  const zeros = '0'.repeat(Math.abs(power));
  const factor = power > 0 ? `1${zeros} times` : `1/1${zeros} of`;
  switch (of) {
    case 'header':
      return `a header with other decimal places: its amounts should be ${factor} what they are`;
    case 'rows':
      return `${rowsText(rows)} with ${decimalPlaces} decimal places that the header reads as ${factor} what is listed`;
    case 'row':
      return `${rowsText(rows)} that the header reads as ${factor} what is listed`;
  }
}

/** Another rounding than that of the rows. */
export function rounded({
  amount,
  base,
  rate,
  rowsRule,
  rule,
  of,
}: CauseFacts['rounding']): string {
  const { digits, decimals } = rate;
  // A rate has two decimals at least: in percent they are the whole.
  const percent = formatMinor(digits, decimals - 2);
  const how = of === 'row' ? 'each row' : 'the total';
  return (
    `another rounding of ${amount} at ${percent} % of ${base}: the header rounds ${how} ` +
    `${ruleWords[rule]}, the rows are rounded ${ruleWords[rowsRule]}`
  );
}
