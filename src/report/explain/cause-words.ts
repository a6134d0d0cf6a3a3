import type { Cause, CauseCode, CauseFacts, CountRule } from '../../explain/cause.ts';
import { formatMinor } from '../../money/money.ts';
import type { ScopedTariff } from '../../reconcile/pricing.ts';
import { million, type RoundingRule } from '../../reconcile/rounding.ts';
import type { RoundedOf } from '../../reconcile/rounding-effect.ts';
import { enumerate, present } from '../common/phrase.ts';
import { identityWords } from '../common/words.ts';

/** What a cause's words need beside its facts. */
interface CauseContext {
  /** The currency of the settlement. */
  readonly currency: string;
  /** Decimal places of minor units. */
  readonly scale: number;
  /** How many rows the cause is about. */
  readonly rows: number;
  /** How many transactions it accounts for. */
  readonly transactions: number;
}

/** The same in words. */
interface Said {
  readonly currency: string;
  readonly scale: number;
  /** `one row`, `2 rows`. */
  readonly rows: string;
  /** `its` or `their`, for these rows. */
  readonly their: string;
}

/** The words of a cause, to follow on "The differences equal". */
export function causePhrase<C extends CauseCode>(
  { code, facts }: Cause<C>,
  { currency, scale, rows, transactions }: CauseContext,
): string {
  // Rows that are missing are none of the listed ones: only their number is known.
  const count = code === 'missing_rows' ? transactions : rows;
  const said = {
    rows: count === 1 ? 'one row' : `${count} rows`,
    their: count === 1 ? 'its' : 'their',
  };
  return phrases[code](facts, { currency, scale, ...said });
}

/** What is looked for, by cause. */
export const causeNames: Readonly<Record<CauseCode, string>> = {
  missing_rows: 'rows counted in the header but not listed by the service',
  wrong_count: 'a wrong number of transactions in the header',
  row_not_counted: 'a row not included in the header',
  row_counted_twice: 'a row counted twice in the header',
  row_sign: 'a row with the opposite sign',
  duplicate_rows: 'repeated rows included in the header',
  state_left_out: 'rows of one state not included in the header',
  type_sign: 'rows of one type with the opposite sign',
  type_left_out: 'rows of one type not included in the header',
  sign_convention: 'fees or tax with the opposite sign',
  foreign_settlement_rows: 'rows of another settlement not included in the header',
  foreign_currency_rows: 'rows in another currency, added or not counted',
  scale_slip: 'a shift in decimal places',
  identity: 'another equation for the pay-in',
  fees_tax_swapped: 'fees and tax swapped',
  tax_in_fees: 'tax included in the fees',
  fee_without_row: 'a fee that no row lists',
  rounding: 'different rounding of fees or tax',
  neighbour: 'neighbouring settlements',
  only_the_service: 'out of balance for the service only',
};

/** What to ask of the provider, by cause. */
export const causeQuestions: Readonly<Record<CauseCode, string>> = {
  missing_rows: 'Please list the rows counted in the header, or correct the header.',
  wrong_count: 'Please correct the number of transactions in the header.',
  row_not_counted:
    'Please explain why the header does not include what is listed, or correct the header.',
  row_counted_twice:
    'Please explain why the header includes twice what is listed once, or correct the header.',
  row_sign: 'Please confirm which sign is correct for this row.',
  duplicate_rows: 'Please tell us which of the listings with the same transaction id is correct.',
  state_left_out: 'Please confirm whether rows in this state belong to the settlement.',
  type_sign: 'Please confirm which sign is correct for this transaction type.',
  type_left_out: 'Please confirm whether this transaction type belongs to the settlement.',
  sign_convention: 'Please confirm which sign fees and tax have in the header and in the rows.',
  foreign_settlement_rows: 'Please tell us which settlement these rows belong to.',
  foreign_currency_rows: 'Please explain how rows in another currency are included in the header.',
  scale_slip: 'Please confirm how many decimal places these amounts have.',
  identity: 'Please tell us how the pay-in is calculated from gross, fees and tax.',
  fees_tax_swapped: 'Please confirm which amount is fees and which is tax.',
  tax_in_fees: 'Please confirm whether fees include the tax.',
  fee_without_row: 'Please tell us what this fee is for, and list it.',
  rounding: 'Please tell us how fees and tax are rounded: per row or in total, and by which rule.',
  neighbour: 'Please tell us which of the two settlements this amount belongs to.',
  only_the_service:
    'Please explain why the settlement is reported as out of balance, although all sums agree.',
};

/** What the differences equal, by cause. */
const phrases: { readonly [C in CauseCode]: (facts: CauseFacts[C], said: Said) => string } = {
  missing_rows: (_, { rows }) => `${rows} counted in the header but not listed by the service`,
  wrong_count: () => 'a wrong number of transactions in the header',
  row_not_counted: ({ count }, { rows, their }) => leftOut(rows, their, count),
  row_counted_twice: ({ count }, { rows, their }) =>
    count === 'follows'
      ? `${rows} counted twice in the header`
      : `${rows} counted once in the header, but with ${their} amounts included twice`,
  row_sign: ({ part }, { rows }) =>
    `twice the ${partWords[part]} of ${rows} (opposite sign in the header)`,
  duplicate_rows: ({ kind, count }, { rows }) => duplicates[kind](rows, uncounted(count)),
  state_left_out: ({ state, only, count }, { rows, their }) => {
    const where = only ? `in states other than "${state}"` : `in state "${state}"`;
    return leftOut(`${rows} ${where}`, their, count);
  },
  type_sign: ({ type, part }, { rows }) =>
    `twice the ${partWords[part]} of ${rows} of type "${type}" (opposite sign in the header)`,
  type_left_out: ({ type, part, count }, { rows, their }) =>
    part === 'all'
      ? leftOut(`${rows} of type "${type}"`, their, count)
      : `the ${partWords[part]} of ${rows} of type "${type}" not included in the header`,
  sign_convention: ({ amounts }) =>
    `twice the ${enumerate(amounts)} of the header (opposite sign in the rows)`,
  foreign_settlement_rows: ({ settlementIds, count }, { rows, their }) => {
    const other = `another settlement (${enumerate(settlementIds)})`;
    return leftOut(`${rows} marked as belonging to ${other},`, their, count);
  },
  foreign_currency_rows: ({ currencies, reading, count }, { rows, their, currency }) => {
    const what = `${rows} in ${enumerate(currencies)}`;
    const counted = count === 'stays' ? '' : ', but not counted';
    return {
      included: `${what} added to the header as ${currency}${counted}`,
      digits: `${what} with ${their} digits read as ${currency} in the header${counted}`,
      left_out: `${what} not counted in the header`,
    }[reading];
  },
  scale_slip: ({ of, power, decimalPlaces }, { rows }) => {
    const zeros = '0'.repeat(Math.abs(power));
    const factor = power > 0 ? `1${zeros} times` : `1/1${zeros} of`;
    const included = `included in the header at ${factor} the listed amounts`;
    return {
      header: `a shift in the decimal places of the header: its amounts should be ${factor} those reported`,
      rows: `${rows} with ${decimalPlaces} decimal places, ${included}`,
      row: `${rows} ${included}`,
    }[of];
  },
  identity: ({ identity }) => `the effect of another equation, pay-in = ${identityWords(identity)}`,
  fees_tax_swapped: () => 'a swap of fees and tax in the header',
  tax_in_fees: ({ kind }) => taxInFeesWords[kind],
  fee_without_row: ({ type }, { rows }) => `a fee for ${rows} of type "${type}" that no row lists`,
  rounding: (facts, { scale }) => {
    if (facts.of === 'unknown') {
      const amounts = enumerate(facts.amounts);
      return (
        `a rounding difference in ${amounts}: small enough for the rounding of ${facts.rows} rows, ` +
        'but no rounding rule gives exactly this amount'
      );
    }
    const { amount, base, tariffs, rowsRule, rule, of, taxRule } = facts;
    const percents = tariffs.map((one) => tariffText(one, scale));
    const onFees = taxRule ? ', and tax charged on these fees' : '';
    return (
      `the effect of rounding ${amount} ${roundedWords[of]} ${ruleWords[rule]}${onFees} ` +
      `(rows: each rounded ${ruleWords[rowsRule]}; ${amount}: ${enumerate(percents)} of ${base})`
    );
  },
  neighbour: ({ kind, settlementId, date, count, others = [] }, said) => {
    const all = [{ settlementId, date }, ...others];
    const there = all.map((one) => `${one.settlementId} of ${one.date}`);
    const noun = others.length > 0 ? 'settlements' : 'settlement';
    return neighbours[kind](`${noun} ${enumerate(there)}`, said, count);
  },
  only_the_service: ({ status }) =>
    `only the service reports it as out of balance ("${status}"): all sums agree, and ` +
    'its data do not show why',
};

/** The amounts of rows that a cause is about. */
const partWords: Readonly<Record<CauseFacts['type_sign']['part'], string>> = {
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

/** `0.25 + 1.4 % (card)`. */
function tariffText({ fixed, rate, scope }: ScopedTariff, scale: number): string {
  const { paymentType, type, sign } = scope;
  const tenths = (10 * fixed) / million;
  const amount =
    tenths % 10 === 0
      ? formatMinor(BigInt(tenths / 10), scale)
      : formatMinor(BigInt(tenths), scale + 1);
  const percent = formatMinor(BigInt(rate), 4).replace(/\.?0+$/, '');
  const parts = present(fixed !== 0 && amount, rate !== 0 && `${percent} %`);
  const rows = present(
    paymentType,
    type,
    sign === 1 && 'positive amounts',
    sign === -1 && 'negative amounts',
  );
  return `${parts.join(' + ')}${rows.length > 0 ? ` (${rows.join(', ')})` : ''}`;
}

/** What the header rounds. */
const roundedWords: Readonly<Record<RoundedOf, string>> = {
  row: 'row by row',
  total: 'once, in total',
  payment_type: 'once for each payment type',
  type: 'once for each transaction type',
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
  carried_balance: (there) => `the negative balance carried over from ${there}`,
  reserve: (there) => `the opposite of the differences in ${there} together (a reserve)`,
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
