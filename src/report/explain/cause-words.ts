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
    name: 'rows counted in the header but not listed by the service',
    phrase: (_, { transactions }) =>
      `${rowsText(transactions)} counted in the header but not listed by the service`,
    question: 'Please list the rows counted in the header, or correct the header.',
  },
  row_not_counted: {
    name: 'a row not included in the header',
    phrase: ({ count }, { rows }) => leftOut(rowsText(rows), rows, count),
    question:
      'Please explain why the header does not include what is listed, or correct the header.',
  },
  row_counted_twice: {
    name: 'a row counted twice in the header',
    phrase: ({ count }, { rows }) =>
      count === 'follows'
        ? `${rowsText(rows)} counted twice in the header`
        : `${rowsText(rows)} counted once in the header, but with ${its(rows)} amounts included twice`,
    question:
      'Please explain why the header includes twice what is listed once, or correct the header.',
  },
  duplicate_rows: {
    name: 'repeated rows included in the header',
    phrase: duplicates,
    question: 'Please tell us which of the listings with the same transaction id is correct.',
  },
  state_left_out: {
    name: 'rows of one state not included in the header',
    phrase: ({ state, only, count }, { rows }) =>
      only
        ? leftOut(`${rowsText(rows)} in states other than "${state}"`, rows, count)
        : leftOut(`${rowsText(rows)} in state "${state}"`, rows, count),
    question: 'Please confirm whether rows in this state belong to the settlement.',
  },
  type_sign: {
    name: 'rows of one type with the opposite sign',
    phrase: ({ type, part }, { rows }) =>
      `twice the ${partWords[part]} of ${rowsText(rows)} of type "${type}" (opposite sign in the header)`,
    question: 'Please confirm which sign is correct for this transaction type.',
  },
  type_left_out: {
    name: 'rows of one type not included in the header',
    phrase: ({ type, part, count }, { rows }) =>
      part === 'all'
        ? leftOut(`${rowsText(rows)} of type "${type}"`, rows, count)
        : `the ${partWords[part]} of ${rowsText(rows)} of type "${type}" not included in the header`,
    question: 'Please confirm whether this transaction type belongs to the settlement.',
  },
  sign_convention: {
    name: 'fees or tax with the opposite sign',
    phrase: ({ amounts }) =>
      `twice the ${enumerate(amounts)} of the header (opposite sign in the rows)`,
    question: 'Please confirm which sign fees and tax have in the header and in the rows.',
  },
  foreign_settlement_rows: {
    name: 'rows of another settlement not included in the header',
    phrase: ({ settlementIds, count }, { rows }) =>
      leftOut(
        `${rowsText(rows)} marked as belonging to another settlement (${enumerate(settlementIds)}),`,
        rows,
        count,
      ),
    question: 'Please tell us which settlement these rows belong to.',
  },
  foreign_currency_rows: {
    name: 'rows in another currency, added or not counted',
    phrase: foreignCurrency,
    question: 'Please explain how rows in another currency are included in the header.',
  },
  scale_slip: {
    name: 'a shift in decimal places',
    phrase: scaleSlip,
    question: 'Please confirm how many decimal places these amounts have.',
  },
  identity: {
    name: 'another equation for the pay-in',
    phrase: ({ identity }) => `the effect of another equation, pay-in = ${identityWords(identity)}`,
    question: 'Please tell us how the pay-in is calculated from gross, fees and tax.',
  },
  fees_tax_swapped: {
    name: 'fees and tax swapped',
    phrase: () => 'a swap of fees and tax in the header',
    question: 'Please confirm which amount is fees and which is tax.',
  },
  tax_in_fees: {
    name: 'tax included in the fees',
    phrase: ({ kind }) => taxInFeesWords[kind],
    question: 'Please confirm whether fees include the tax.',
  },
  rounding: {
    name: 'different rounding of fees or tax',
    phrase: rounded,
    question:
      'Please tell us how fees and tax are rounded: per row or in total, and by which rule.',
  },
  neighbour: {
    name: 'neighbouring settlements',
    phrase: ({ kind, settlementId, date, count }, { rows }) =>
      neighbours[kind](`settlement ${settlementId} of ${date}`, rows, count),
    question: 'Please tell us which of the two settlements this amount belongs to.',
  },
  only_the_service: {
    name: 'out of balance for the service only',
    phrase: ({ status }) =>
      `only the service reports it as out of balance ("${status}"): all sums agree, and ` +
      'its data do not show why',
    question:
      'Please explain why the settlement is reported as out of balance, although all sums agree.',
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
  moved: 'the tax, which the header includes in its fees instead',
  also_in_header: 'the tax, which the header also includes in its fees',
  also_in_rows: 'the tax, which the rows also include in their fees',
  part: 'an amount moved between fees and tax',
};

const ruleWords: Readonly<Record<RoundingRule, string>> = {
  up: 'up',
  down: 'down',
  half_up: 'half up',
  half_even: 'half to even',
};

type NeighbourWords = (settlement: string, rows: number, count: CountRule) => string;

/** How a neighbour explains the difference. */
const neighbours: Readonly<Record<CauseFacts['neighbour']['kind'], NeighbourWords>> = {
  opposite_difference: (there) => `the opposite of the difference in ${there}`,
  negative_pay_in: (there) => `the negative pay-in of ${there}`,
  listed_there: (there, rows, count) =>
    `${rowsText(rows)} listed only in ${there}, but included in this header${uncounted(count)}`,
  listed_in_both: (there, rows, count) =>
    leftOut(`${rowsText(rows)} also listed in ${there},`, rows, count),
  charge_included: (there, rows, count) =>
    `${rowsText(rows)} of ${there}, for a charge that also has rows here, included in this header` +
    uncounted(count),
  charge_left_out: (there, rows, count) =>
    leftOut(`${rowsText(rows)} of a charge that also has rows in ${there},`, rows, count),
};

/** `one row`, `2 rows`. */
function rowsText(rows: number): string {
  return rows === 1 ? 'one row' : `${rows} rows`;
}

/** `its` or `their`, for these rows. */
function its(rows: number): string {
  return rows === 1 ? 'its' : 'their';
}

/** Rows whose amounts the header does not include, counted or not. */
function leftOut(what: string, rows: number, count: CountRule): string {
  return count === 'follows'
    ? `${what} not included in the header`
    : `${what} counted in the header without ${its(rows)} amounts`;
}

function uncounted(count: CountRule): string {
  return count === 'follows' ? '' : ' without being counted';
}

/** Repeated listings and other versions that the header includes. */
function duplicates({ kind, count }: CauseFacts['duplicate_rows'], { rows }: CauseContext): string {
  switch (kind) {
    case 'copies':
      return `the repeated listings of ${rowsText(rows)}, included in the header${uncounted(count)}`;
    case 'one_row':
      return `the repeated listings of one row only, included in the header${uncounted(count)}`;
    case 'other_content':
      return 'the other version of a transaction listed with conflicting contents, instead of the one counted here';
    case 'both_contents':
      return `both versions of a transaction listed with conflicting contents, of which one is counted here${uncounted(count)}`;
  }
}

/** Rows in another currency, as the header reads them. */
function foreignCurrency(
  { currencies, reading, count }: CauseFacts['foreign_currency_rows'],
  { rows, currency }: CauseContext,
): string {
  const what = `${rowsText(rows)} in ${enumerate(currencies)}`;
  const counted = count === 'stays' ? '' : ', but not counted';
  switch (reading) {
    case 'included':
      return `${what} added to the header as ${currency}${counted}`;
    case 'digits':
      return `${what} with ${its(rows)} digits read as ${currency} in the header${counted}`;
    case 'left_out':
      return `${what} not counted in the header`;
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
      return `a shift in the decimal places of the header: its amounts should be ${factor} those reported`;
    case 'rows':
      return `${rowsText(rows)} with ${decimalPlaces} decimal places, included in the header at ${factor} the listed amounts`;
    case 'row':
      return `${rowsText(rows)} included in the header at ${factor} the listed amounts`;
  }
}

/** Rounding that differs from that of the rows. */
function rounded({ amount, base, rate, rowsRule, rule, of }: CauseFacts['rounding']): string {
  const { digits, decimals } = rate;
  // A rate has two decimals at least: in percent they are the whole.
  const percent = formatMinor(digits, decimals - 2);
  const how = of === 'row' ? 'each row' : 'the total';
  return (
    `the effect of different rounding of ${amount} at ${percent} % of ${base} ` +
    `(header: ${how} rounded ${ruleWords[rule]}; rows: rounded ${ruleWords[rowsRule]})`
  );
}
