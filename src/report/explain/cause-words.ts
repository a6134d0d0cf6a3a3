import type { Cause, CauseCode, CauseFacts } from '../../explain/cause.ts';
import { enumerate } from '../common/phrase.ts';
import { identityWords } from '../common/words.ts';
import {
  type CauseContext,
  duplicates,
  foreignCurrency,
  it,
  leftOut,
  neighbours,
  partWords,
  rounded,
  rowsText,
  scaleSlip,
  taxInFeesWords,
} from './cause-phrases.ts';

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
