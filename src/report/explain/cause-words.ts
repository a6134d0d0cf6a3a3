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

/** The same in words. */
interface Said {
  readonly currency: string;
  /** `one row`, `2 rows`. */
  readonly rows: string;
  /** `its` or `their`, for these rows. */
  readonly their: string;
}

interface Words<C extends CauseCode> {
  /** What was looked for. */
  readonly name: string;
  /** What the differences equal. */
  readonly phrase: (facts: CauseFacts[C], said: Said) => string;
  /** What to ask of the provider. */
  readonly question: string;
}

/** The words of a cause, to follow on "The differences equal". */
export function causePhrase<C extends CauseCode>(
  { code, facts }: Cause<C>,
  { currency, rows, transactions }: CauseContext,
): string {
  // Rows that are missing are none of the listed ones: only their number is known.
  const count = code === 'missing_rows' ? transactions : rows;
  const said = {
    rows: count === 1 ? 'one row' : `${count} rows`,
    their: count === 1 ? 'its' : 'their',
  };
  return causeWords[code].phrase(facts, { currency, ...said });
}

/** The words of every cause, once. */
export const causeWords: { readonly [C in CauseCode]: Words<C> } = {
  missing_rows: {
    name: 'rows counted in the header but not listed by the service',
    phrase: (_, { rows }) => `${rows} counted in the header but not listed by the service`,
    question: 'Please list the rows counted in the header, or correct the header.',
  },
  row_not_counted: {
    name: 'a row not included in the header',
    phrase: ({ count }, { rows, their }) => leftOut(rows, their, count),
    question:
      'Please explain why the header does not include what is listed, or correct the header.',
  },
  row_counted_twice: {
    name: 'a row counted twice in the header',
    phrase: ({ count }, { rows, their }) =>
      count === 'follows'
        ? `${rows} counted twice in the header`
        : `${rows} counted once in the header, but with ${their} amounts included twice`,
    question:
      'Please explain why the header includes twice what is listed once, or correct the header.',
  },
  duplicate_rows: {
    name: 'repeated rows included in the header',
    phrase: ({ kind, count }, { rows }) => duplicates[kind](rows, uncounted(count)),
    question: 'Please tell us which of the listings with the same transaction id is correct.',
  },
  state_left_out: {
    name: 'rows of one state not included in the header',
    phrase: ({ state, only, count }, { rows, their }) => {
      const where = only ? `in states other than "${state}"` : `in state "${state}"`;
      return leftOut(`${rows} ${where}`, their, count);
    },
    question: 'Please confirm whether rows in this state belong to the settlement.',
  },
  type_sign: {
    name: 'rows of one type with the opposite sign',
    phrase: ({ type, part }, { rows }) =>
      `twice the ${partWords[part]} of ${rows} of type "${type}" (opposite sign in the header)`,
    question: 'Please confirm which sign is correct for this transaction type.',
  },
  type_left_out: {
    name: 'rows of one type not included in the header',
    phrase: ({ type, part, count }, { rows, their }) =>
      part === 'all'
        ? leftOut(`${rows} of type "${type}"`, their, count)
        : `the ${partWords[part]} of ${rows} of type "${type}" not included in the header`,
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
    phrase: ({ settlementIds, count }, { rows, their }) => {
      const other = `another settlement (${enumerate(settlementIds)})`;
      return leftOut(`${rows} marked as belonging to ${other},`, their, count);
    },
    question: 'Please tell us which settlement these rows belong to.',
  },
  foreign_currency_rows: {
    name: 'rows in another currency, added or not counted',
    phrase: ({ currencies, reading, count }, { rows, their, currency }) => {
      const what = `${rows} in ${enumerate(currencies)}`;
      const counted = count === 'stays' ? '' : ', but not counted';
      return {
        included: `${what} added to the header as ${currency}${counted}`,
        digits: `${what} with ${their} digits read as ${currency} in the header${counted}`,
        left_out: `${what} not counted in the header`,
      }[reading];
    },
    question: 'Please explain how rows in another currency are included in the header.',
  },
  scale_slip: {
    name: 'a shift in decimal places',
    phrase: ({ of, power, decimalPlaces }, { rows }) => {
      const zeros = '0'.repeat(Math.abs(power));
      const factor = power > 0 ? `1${zeros} times` : `1/1${zeros} of`;
      const included = `included in the header at ${factor} the listed amounts`;
      return {
        header: `a shift in the decimal places of the header: its amounts should be ${factor} those reported`,
        rows: `${rows} with ${decimalPlaces} decimal places, ${included}`,
        row: `${rows} ${included}`,
      }[of];
    },
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
    phrase: ({ amount, base, rate, rowsRule, rule, of }) => {
      // A rate has two decimals at least: in percent they are the whole.
      const percent = formatMinor(rate.digits, rate.decimals - 2);
      const how = of === 'row' ? 'each row' : 'the total';
      return (
        `the effect of different rounding of ${amount} at ${percent} % of ${base} ` +
        `(header: ${how} rounded ${ruleWords[rule]}; rows: rounded ${ruleWords[rowsRule]})`
      );
    },
    question:
      'Please tell us how fees and tax are rounded: per row or in total, and by which rule.',
  },
  neighbour: {
    name: 'neighbouring settlements',
    phrase: ({ kind, settlementId, date, count }, said) =>
      neighbours[kind](`settlement ${settlementId} of ${date}`, said, count),
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

type NeighbourWords = (settlement: string, said: Said, count: CountRule) => string;

/** How a neighbour explains the difference. */
const neighbours: Readonly<Record<CauseFacts['neighbour']['kind'], NeighbourWords>> = {
  opposite_difference: (there) => `the opposite of the difference in ${there}`,
  negative_pay_in: (there) => `the negative pay-in of ${there}`,
  listed_there: (there, { rows }, count) =>
    `${rows} listed only in ${there}, but included in this header${uncounted(count)}`,
  listed_in_both: (there, { rows, their }, count) =>
    leftOut(`${rows} also listed in ${there},`, their, count),
  charge_included: (there, { rows }, count) =>
    `${rows} of ${there}, for a charge that also has rows here, included in this header${uncounted(count)}`,
  charge_left_out: (there, { rows, their }, count) =>
    leftOut(`${rows} of a charge that also has rows in ${there},`, their, count),
};

type DuplicateWords = (rows: string, uncounted: string) => string;

/** Repeated listings and other versions that the header includes. */
const duplicates: Readonly<Record<CauseFacts['duplicate_rows']['kind'], DuplicateWords>> = {
  copies: (rows, aside) => `the repeated listings of ${rows}, included in the header${aside}`,
  one_row: (_, aside) => `the repeated listings of one row only, included in the header${aside}`,
  other_content: () =>
    'the other version of a transaction listed with conflicting contents, instead of the one counted here',
  both_contents: (_, aside) =>
    `both versions of a transaction listed with conflicting contents, of which one is counted here${aside}`,
};

/** Rows whose amounts the header does not include, counted or not. */
function leftOut(what: string, their: string, count: CountRule): string {
  return count === 'follows'
    ? `${what} not included in the header`
    : `${what} counted in the header without ${their} amounts`;
}

function uncounted(count: CountRule): string {
  return count === 'follows' ? '' : ' without being counted';
}
