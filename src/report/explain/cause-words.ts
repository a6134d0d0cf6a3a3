import type {
  Cause,
  CauseCode,
  CauseFacts,
  CountRule,
  Part,
  RoundingRule,
} from '../../explain/cause.ts';
import { formatMinor } from '../../money/money.ts';
import { enumerate } from '../common/phrase.ts';
import { identityWords } from '../common/words.ts';

/** What a cause's words need beside its facts. */
interface CauseContext {
  /** The currency of the settlement. */
  readonly currency: string;
  /** How many rows the cause is about. */
  readonly rows: number;
  /** How many transactions it accounts for. */
  readonly transactions: number;
}

interface Words<C extends CauseCode> {
  /** What was looked for. */
  readonly name: string;
  /** What the differences equal. */
  readonly phrase: (facts: CauseFacts[C], context: CauseContext) => string;
  /** What to ask of the provider. */
  readonly question: string;
}

/** The words of every cause, once. */
export const causeWords: { readonly [C in CauseCode]: Words<C> } = {
  missing_rows: {
    name: 'rows that the header counts and the service does not list',
    phrase: (_, { transactions }) =>
      `${rowsText(transactions)} that the header counts and the service does not list`,
    question: 'List the rows that the header counts, or correct the header.',
  },
  row_not_counted: {
    name: 'a row that the header leaves out',
    phrase: ({ count }, { rows }) => leftOut(rowsText(rows), rows, count),
    question: 'Say why the header leaves out what is listed, or correct the header.',
  },
  row_counted_twice: {
    name: 'a row that the header has twice',
    phrase: ({ count }, { rows }) =>
      count === 'follows'
        ? `${rowsText(rows)} that the header has twice`
        : `${rowsText(rows)} whose amounts the header has twice, though it counts ${it(rows)} once`,
    question: 'Say why the header has twice what is listed once, or correct the header.',
  },
  duplicate_rows: {
    name: 'copies of rows that the header includes',
    phrase: duplicates,
    question: 'Say which of the listings with the same transaction id is right.',
  },
  state_left_out: {
    name: 'the rows of one state, left out',
    phrase: ({ state, only, count }, { rows }) =>
      only
        ? leftOut(`${rowsText(rows)} in other states than "${state}"`, rows, count)
        : leftOut(`${rowsText(rows)} in state "${state}"`, rows, count),
    question: 'Say whether rows in this state belong to the settlement.',
  },
  type_sign: {
    name: 'the rows of one type, with the opposite sign',
    phrase: ({ type, part }, { rows }) =>
      `twice the ${partWords[part]} of ${rowsText(rows)} of type "${type}": the header has the ` +
      'opposite sign',
    question: 'Say which sign is right for this transaction type.',
  },
  type_left_out: {
    name: 'the rows of one type, left out',
    phrase: ({ type, part, count }, { rows }) =>
      part === 'all'
        ? leftOut(`${rowsText(rows)} of type "${type}"`, rows, count)
        : `the ${partWords[part]} of ${rowsText(rows)} of type "${type}" that the header leaves out`,
    question: 'Say whether this transaction type belongs to the settlement.',
  },
  sign_convention: {
    name: 'fees or tax with the opposite sign',
    phrase: ({ amounts }) =>
      `twice the ${enumerate(amounts)} of the header: the rows have the opposite sign`,
    question: 'Say which sign fees and tax have in header and rows.',
  },
  foreign_settlement_rows: {
    name: 'rows of another settlement, left out',
    phrase: ({ settlementIds, count }, { rows }) =>
      leftOut(
        `${rowsText(rows)} said to belong to another settlement (${enumerate(settlementIds)})`,
        rows,
        count,
      ),
    question: 'Say to which settlement these rows belong.',
  },
  foreign_currency_rows: {
    name: 'rows in another currency, taken in or left out',
    phrase: foreignCurrency,
    question: 'Say how rows in another currency enter the header.',
  },
  scale_slip: {
    name: 'amounts with other decimal places',
    phrase: scaleSlip,
    question: 'Say how many decimal places these amounts have.',
  },
  identity: {
    name: 'another equation for the pay-in',
    phrase: ({ identity }) =>
      `another equation: the header has pay-in = ${identityWords(identity)}`,
    question: 'Say how the pay-in follows from gross, fees and tax.',
  },
  fees_tax_swapped: {
    name: 'fees and tax in place of each other',
    phrase: () => 'fees and tax in place of each other in the header',
    question: 'Say which amount is fees and which is tax.',
  },
  tax_in_fees: {
    name: 'tax within the fees',
    phrase: ({ kind }) => taxInFeesWords[kind],
    question: 'Say whether fees include the tax.',
  },
  rounding: {
    name: 'another rounding of fees or tax',
    phrase: rounded,
    question: 'Say how fees and tax are rounded: row by row or in total, and by which rule.',
  },
  neighbour: {
    name: 'the settlements around it',
    phrase: ({ kind, settlementId, date, count }, { rows }) =>
      neighbours[kind](`settlement ${settlementId} of ${date}`, rows, count),
    question: 'Say to which of the two settlements this amount belongs.',
  },
  only_the_service: {
    name: 'nothing but the word of the service',
    phrase: ({ status }) =>
      `only the service says that it is out of balance ("${status}"): every sum agrees, and ` +
      'nothing in its own data shows why',
    question: 'Say why the settlement is reported as out of balance: every sum agrees.',
  },
};

/** The words of a cause, to follow on "The differences equal". */
export function causePhrase<C extends CauseCode>(
  { code, facts }: Cause<C>,
  context: CauseContext,
): string {
  return causeWords[code].phrase(facts, context);
}

/** The amounts of rows that a cause is about. */
const partWords: Readonly<Record<Part, string>> = {
  all: 'sum',
  gross: 'gross',
  fees_and_tax: 'fees and tax',
};

/** Where the tax is within the fees. */
const taxInFeesWords: Readonly<Record<CauseFacts['tax_in_fees']['kind'], string>> = {
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
const neighbours: Readonly<Record<CauseFacts['neighbour']['kind'], NeighbourWords>> = {
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
function rowsText(rows: number): string {
  return rows === 1 ? 'one row' : `${rows} rows`;
}

/** What stands for these rows. */
function it(rows: number): string {
  return rows === 1 ? 'it' : 'them';
}

/** Rows that the header leaves out, counted all the same or not. */
function leftOut(what: string, rows: number, count: CountRule): string {
  return count === 'follows'
    ? `${what} that the header leaves out`
    : `${what} whose amounts the header leaves out, though it counts ${it(rows)}`;
}

function uncounted(count: CountRule): string {
  return count === 'follows' ? '' : ' without counting it';
}

/** Copies and other contents that the header includes. */
function duplicates({ kind, count }: CauseFacts['duplicate_rows'], { rows }: CauseContext): string {
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
function foreignCurrency(
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
function scaleSlip(
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
function rounded({ amount, base, rate, rowsRule, rule, of }: CauseFacts['rounding']): string {
  const { digits, decimals } = rate;
  // A rate has two decimals at least: in percent they are the whole.
  const percent = formatMinor(digits, decimals - 2);
  const how = of === 'row' ? 'each row' : 'the total';
  return (
    `another rounding of ${amount} at ${percent} % of ${base}: the header rounds ${how} ` +
    `${ruleWords[rule]}, the rows are rounded ${ruleWords[rowsRule]}`
  );
}
