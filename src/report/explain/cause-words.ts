import type {
  Cause,
  CauseCode,
  CauseFacts,
  CountRule,
  NamedSettlement,
} from '../../explain/cause.ts';
import { formatMinor } from '../../money/money.ts';
import type { ScopedTariff } from '../../reconcile/pricing.ts';
import { million } from '../../reconcile/tariffs.ts';
import { enumerate, grouped, many, present, type Unit } from '../common/phrase.ts';
import { taxWords } from '../common/rule-words.ts';
import { identityWords } from '../common/words.ts';
import { patternClause } from './pattern-words.ts';
import { percentOf, ruleWords } from './rate-words.ts';

interface CauseContext extends Unit {
  /** How many rows the cause is about; absent if that does not matter. */
  readonly rows?: number;
  readonly transactions?: number;
}

interface Said extends Unit {
  readonly rows: string;
  readonly they: 'it' | 'they';
  readonly them: 'it' | 'them';
  readonly their: 'its' | 'their';
}

/** A cause as a clause, to follow "Cause:". */
export function causeClause<C extends CauseCode>({ code, facts }: Cause<C>, context: CauseContext) {
  // Missing rows are not listed: only their number is known.
  const count = code === 'missing_rows' ? context.transactions : context.rows;
  const counted = count === undefined ? 'rows' : many(count, 'row');
  return clauses[code](
    facts,
    count === 1
      ? { ...context, rows: 'one row', they: 'it', them: 'it', their: 'its' }
      : { ...context, rows: counted, they: 'they', them: 'them', their: 'their' },
  );
}

/** The names of the causes. */
export const causeNames: Readonly<Record<CauseCode, string>> = {
  missing_rows: 'rows counted in the header but not listed',
  wrong_count: 'a wrong number of transactions in the header',
  row_not_counted: 'rows not included in the header',
  row_counted_twice: 'rows counted twice in the header',
  row_sign: 'single rows with the opposite sign',
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
  withheld: 'an amount withheld from the pay-in',
  pay_in_rounded: 'a pay-in in whole units',
  one_off_fee: 'a single fee that no row lists',
  page: 'a block of rows missing or counted twice',
  refund_fees: 'fees of refunded purchases given back',
  pattern: 'what holds in all settlements',
  only_the_service: 'out of balance according to the service only',
};

/** Questions for the provider, by cause. */
export const causeQuestions: Readonly<Record<CauseCode, string>> = {
  missing_rows: 'Please list all rows counted in the header, or correct the header.',
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
  neighbour: 'Please tell us which settlement this amount belongs to.',
  withheld: 'Please tell us what is withheld from the pay-in, and when it is paid.',
  pay_in_rounded: 'Please tell us what happens to the part of the pay-in that is not paid.',
  one_off_fee: 'Please tell us what this fee is for, and list it.',
  page: 'Please correct the header: a block of rows is missing or counted twice.',
  refund_fees: 'Please confirm whether refunds give back the fees and tax of their purchases.',
  pattern: 'Please confirm that all settlements differ in this way, and tell us why.',
  only_the_service:
    'Please explain why the settlement is reported as out of balance, although all sums agree.',
};

const clauses: { readonly [C in CauseCode]: (facts: CauseFacts[C], said: Said) => string } = {
  missing_rows: (_, { rows, they }) =>
    `the header counts ${rows} that ${they === 'it' ? 'is' : 'are'} not listed`,
  wrong_count: ({ by }) => {
    const count = Math.abs(by) === 1 ? 'one transaction' : many(Math.abs(by), 'transaction');
    return `the header counts ${count} too ${by > 0 ? 'many' : 'few'}`;
  },
  row_not_counted: ({ count }, said) => leftOut(said.rows, said, count),
  row_counted_twice: ({ count }, { rows, them }) =>
    count === 'follows'
      ? `the header counts ${rows} twice`
      : `the header includes the amounts of ${rows} twice, but counts ${them} once`,
  row_sign: ({ part }, { rows }) =>
    `the header includes ${partWords[part]}${rows} with the opposite sign`,
  duplicate_rows: ({ kind, count }, { rows }) => {
    const listings = {
      copies: `the repeated listings of ${rows}`,
      one_row: 'the repeated listings of one row only',
      other_content: 'another version of a transaction listed with conflicting contents',
      both_contents: 'both versions of a transaction listed with conflicting contents',
    };
    const aside = kind === 'other_content' ? '' : uncounted('them', count);
    return `the header includes ${listings[kind]}${aside}`;
  },
  state_left_out: ({ state, only, count, part }, said) => {
    const where = only ? `in states other than "${state}"` : `in state "${state}"`;
    const what = `${said.rows} ${where}`;
    if (part) return `the header includes the fees and tax of ${what}, but not their gross`;
    return leftOut(what, said, count);
  },
  type_sign: ({ type, part }, { rows }) =>
    `the header includes ${partWords[part]}${rows} of type "${type}" with the opposite sign`,
  type_left_out: ({ type, part, count }, said) => {
    const what = `${partWords[part]}${said.rows} of type "${type}"`;
    return leftOut(what, said, part === 'all' ? count : 'follows');
  },
  sign_convention: ({ amounts }) => `the header shows ${enumerate(amounts)} with the opposite sign`,
  foreign_settlement_rows: ({ settlementIds, count }, said) => {
    const other = `another settlement (${enumerate(settlementIds)})`;
    return leftOut(`${said.rows} marked as belonging to ${other}`, said, count);
  },
  foreign_currency_rows: ({ currencies, reading, count }, { rows, currency, ...said }) => {
    const what = `${rows} in ${enumerate(currencies)}`;
    const counted = count === 'stays' ? '' : `, but does not count ${said.them}`;
    return {
      included: `the header adds ${what} as if ${said.they} were in ${currency}${counted}`,
      digits: `the header adds ${what} with ${said.their} minor units read as ${currency}${counted}`,
      left_out: `the header does not count ${what}`,
    }[reading];
  },
  scale_slip: ({ of, power, decimalPlaces }, { rows }) => {
    const zeros = '0'.repeat(Math.abs(power));
    const factor = power > 0 ? `1${zeros} times` : `1/1${zeros} of`;
    return {
      gross: `the decimal point of the header's gross is shifted: it should be ${factor} that reported`,
      fees: `the decimal point of the header's fees is shifted: they should be ${factor} those reported`,
      tax: `the decimal point of the header's tax is shifted: it should be ${factor} that reported`,
      header: `the decimal point of the header is shifted: its amounts should be ${factor} those reported`,
      rows: `the header includes ${rows} with ${decimalPlaces} decimal places at ${factor} the listed amounts`,
      row: `the header includes ${rows} at ${factor} the listed amounts`,
    }[of];
  },
  identity: ({ identity }) => `the header calculates its pay-in as ${identityWords(identity)}`,
  fees_tax_swapped: () => 'fees and tax are swapped in the header',
  tax_in_fees: ({ kind }) => taxInFeesWords[kind],
  fee_without_row: ({ type }, { rows, they }) => {
    const fee = they === 'it' ? `a fee for ${rows}` : `the same fee for each of ${rows}`;
    return `the header includes ${fee} of type "${type}", but no row lists it`;
  },
  rounding: (facts, { scale }) => {
    if (facts.of === 'unknown') {
      const what = `a difference in ${enumerate(facts.amounts)} of the size of rounding`;
      return `${what} in ${many(facts.rows, 'row')}; one settlement does not show by which rule`;
    }
    const { amount, base, tariffs, rowsRule, rule, of } = facts;
    const prices = tariffs.map((one) => tariffText(one, base, scale));
    return (
      `the header rounds ${amount} ${roundedWords[of]}, ${ruleWords[rule]}; the listed rows ` +
      `are rounded ${ruleWords[rowsRule]} (${amount}: ${prices.join('; ')})`
    );
  },
  neighbour: ({ kind, settlementId, date, count, others = [] }, said) => {
    const there = settlementsText([{ settlementId, date }, ...others]);
    return neighbours[kind](there, said, count);
  },
  withheld: ({ base, thousandths = 0, others }) => {
    const percent = percentOf(thousandths, 1);
    const share = `${percent} % of ${base === 'gross' ? 'the gross' : 'the pay-in'}`;
    const there = others.length > 0 ? `, as in ${settlementsText(others)}` : '';
    return `the service withholds ${base === 'amount' ? 'the same amount' : share}${there}`;
  },
  pay_in_rounded: () => 'the header rounds its pay-in to whole units of the currency',
  one_off_fee: () => 'the header includes a single fee that no row lists',
  page: ({ is, from }, { rows }) => {
    const what = `a block of ${rows} from position ${grouped(from + 1)} in the list`;
    return is === 'left_out'
      ? `the header does not include ${what}`
      : `the header includes ${what} twice`;
  },
  refund_fees: ({ returned }, { rows }) => {
    const share = returned === 'in_part' ? ', by the share that is refunded' : '';
    return `the header gives back the fees and tax of what ${rows} refund${rows === 'one row' ? 's' : ''}${share}`;
  },
  pattern: ({ terms, settlements, tested, scale }, { currency }) => {
    const where = settlements === tested ? `all ${tested}` : `${settlements} of ${tested}`;
    return `as in ${where} settlements, ${patternClause(terms, { scale, currency })}`;
  },
  only_the_service: ({ status }) =>
    `only the service reports it as out of balance ("${status}"); all sums agree, and the data do ` +
    'not show why',
};

const partWords: Readonly<Record<CauseFacts['type_sign']['part'], string>> = {
  all: '',
  gross: 'the gross of ',
  fees_and_tax: 'the fees and tax of ',
};

const taxInFeesWords: Readonly<Record<CauseFacts['tax_in_fees']['kind'], string>> = {
  ...taxWords,
  moved: 'the header includes the tax in its fees',
  part: 'the header shows an amount as fees that the rows show as tax, or vice versa',
};

/** `0.25 + 1.4 % of gross for card`. */
function tariffText({ fixed, rate, scope }: ScopedTariff, base: string, scale: number): string {
  const { paymentType, type, sign } = scope;
  const tenths = tenthsOf(fixed);
  const isWhole = tenths % 10n === 0n;
  const amount = formatMinor(isWhole ? tenths / 10n : tenths, isWhole ? scale : scale + 1);
  const parts = present(fixed !== 0 && amount, rate !== 0 && `${percentOf(rate, 4)} % of ${base}`);
  const amounts = sign && (sign < 0 ? 'negative amounts' : 'positive amounts');
  const rows = present(paymentType, type, amounts || undefined);
  return `${parts.join(' + ')}${rows.length > 0 ? ` for ${rows.join(', ')}` : ''}`;
}

/** The fixed part of a tariff, a multiple of a tenth of a minor unit, in such tenths. */
export function tenthsOf(fixed: number): bigint {
  return (10n * BigInt(fixed)) / BigInt(million);
}

const roundedWords = { row: 'row by row', total: 'in total' } as const;

function settlementsText(settlements: readonly NamedSettlement[]): string {
  const named = settlements.map((one) => `${one.settlementId} of ${one.date}`);
  if (named.length === 1) return `settlement ${enumerate(named)}`;
  if (named.length <= 3) return `settlements ${enumerate(named)}`;
  return `${named.length} settlements, from ${named[0]} to ${named.at(-1)}`;
}

type NeighbourWords = (settlement: string, said: Said, count: CountRule) => string;

const neighbours: Readonly<Record<CauseFacts['neighbour']['kind'], NeighbourWords>> = {
  opposite_difference: (there) => `${there} has the opposite difference; together the two balance`,
  negative_pay_in: (there) => `the pay-in is reduced by the negative pay-in of ${there}`,
  carried_balance: (there) =>
    `the pay-in is reduced by the negative balance carried over from ${there}`,
  reserve: (there) =>
    `a reserve was withheld and later released: together with ${there}, this settlement balances`,
  listed_there: (there, { rows, them }, count) =>
    `the header includes ${rows} listed only in ${there}${uncounted(them, count)}`,
  listed_in_both: (there, said, count) =>
    leftOut(`${said.rows} also listed in ${there}`, said, count),
  charge_included: (there, { rows, them }, count) =>
    `the header includes ${rows} of ${there}, for a charge that also has rows here${uncounted(them, count)}`,
  charge_left_out: (there, said, count) =>
    leftOut(`${said.rows} of a charge that also has rows in ${there}`, said, count),
};

function leftOut(what: string, { their }: Said, count: CountRule): string {
  return count === 'follows'
    ? `the header does not include ${what}`
    : `the header counts ${what}, but does not include ${their} amounts`;
}

function uncounted(them: string, count: CountRule): string {
  return count === 'follows' ? '' : `, but does not count ${them}`;
}
