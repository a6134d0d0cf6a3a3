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
  const counted = count === undefined ? 'transactions' : many(count, 'transaction');
  return clauses[code](
    facts,
    count === 1
      ? { ...context, rows: 'one transaction', they: 'it', them: 'it', their: 'its' }
      : { ...context, rows: counted, they: 'they', them: 'them', their: 'their' },
  );
}

/** The names of the causes. */
export const causeNames: Readonly<Record<CauseCode, string>> = {
  missing_rows: 'transactions counted in the settlement but not listed',
  wrong_count: 'a wrong number of transactions in the settlement',
  row_not_counted: 'transactions not included in the settlement',
  row_counted_twice: 'transactions counted twice in the settlement',
  row_sign: 'single transactions with the opposite sign',
  duplicate_rows: 'repeated transactions included in the settlement',
  state_left_out: 'transactions of one state not included in the settlement',
  type_sign: 'transactions of one type with the opposite sign',
  type_left_out: 'transactions of one type not included in the settlement',
  sign_convention: 'fees or tax with the opposite sign',
  foreign_settlement_rows: 'transactions that belong to another settlement',
  foreign_currency_rows: 'transactions in another currency, added, converted or not counted',
  scale_slip: 'a shift in decimal places',
  identity: 'another calculation of the net pay-out',
  fees_tax_swapped: 'fees and tax swapped',
  tax_in_fees: 'tax included in the fees',
  fee_without_row: 'a fee that no transaction lists',
  rounding: 'different rounding of fees or tax',
  neighbour: 'neighbouring settlements',
  withheld: 'an amount withheld from the net pay-out',
  pay_in_rounded: 'a net pay-out in whole units',
  one_off_fee: 'a single fee that no transaction lists',
  page: 'a block of transactions missing or counted twice',
  refund_fees: 'fees of refunded purchases given back',
  pattern: 'what holds in all settlements',
  only_the_service: 'out of balance according to the service only',
};

/** Questions for the provider, by cause. */
export const causeQuestions: Readonly<Record<CauseCode, string>> = {
  missing_rows:
    'Please list all transactions counted in the settlement, or correct the settlement.',
  wrong_count: 'Please correct the number of transactions in the settlement.',
  row_not_counted:
    'Please explain why the settlement does not include what is listed, or correct the settlement.',
  row_counted_twice:
    'Please explain why the settlement includes twice what is listed once, or correct the settlement.',
  row_sign: 'Please confirm which sign is correct for this transaction.',
  duplicate_rows: 'Please tell us which of the listings with the same transaction id is correct.',
  state_left_out: 'Please confirm whether transactions in this state belong to the settlement.',
  type_sign: 'Please confirm which sign is correct for this transaction type.',
  type_left_out: 'Please confirm whether this transaction type belongs to the settlement.',
  sign_convention:
    'Please confirm which sign fees and tax have in the settlement and in the transactions.',
  foreign_settlement_rows: 'Please tell us which settlement these transactions belong to.',
  foreign_currency_rows:
    'Please explain how transactions in another currency are included in the settlement.',
  scale_slip: 'Please confirm how many decimal places these amounts have.',
  identity: 'Please tell us how the net pay-out is calculated from gross, fees and tax.',
  fees_tax_swapped: 'Please confirm which amount is fees and which is tax.',
  tax_in_fees: 'Please confirm whether fees include the tax.',
  fee_without_row: 'Please tell us what this fee is for, and list it.',
  rounding:
    'Please tell us how fees and tax are rounded: per transaction or in total, and by which rule.',
  neighbour: 'Please tell us which settlement this amount belongs to.',
  withheld: 'Please tell us what is withheld from the net pay-out, and when it is paid.',
  pay_in_rounded: 'Please tell us what happens to the part of the net pay-out that is not paid.',
  one_off_fee: 'Please tell us what this fee is for, and list it.',
  page: 'Please correct the settlement: a block of transactions is missing or counted twice.',
  refund_fees: 'Please confirm whether refunds give back the fees and tax of their purchases.',
  pattern: 'Please confirm that all settlements differ in this way, and tell us why.',
  only_the_service:
    'Please explain why the settlement is reported as out of balance, although all sums agree.',
};

const clauses: { readonly [C in CauseCode]: (facts: CauseFacts[C], said: Said) => string } = {
  missing_rows: ({ payIn }, { rows, they, currency }) => {
    if (payIn !== undefined) return `${grouped(payIn)} ${currency} of transactions are missing`;
    // Without a count, the settlement cannot count them.
    if (rows === 'transactions') return 'transactions are missing';
    return `the settlement counts ${rows} that ${they === 'it' ? 'is' : 'are'} not listed`;
  },
  wrong_count: ({ by }) => {
    const count = Math.abs(by) === 1 ? 'one transaction' : many(Math.abs(by), 'transaction');
    return `the settlement counts ${count} too ${by > 0 ? 'many' : 'few'}`;
  },
  row_not_counted: ({ count }, said) => leftOut(said.rows, said, count),
  row_counted_twice: ({ count }, { rows, them }) =>
    count === 'follows'
      ? `the settlement counts ${rows} twice`
      : `the settlement includes the amounts of ${rows} twice, but counts ${them} once`,
  row_sign: ({ part }, { rows }) =>
    `the settlement includes ${partWords[part]}${rows} with the opposite sign`,
  duplicate_rows: ({ kind, count }, { rows }) => {
    const listings = {
      copies: `the repeated listings of ${rows}`,
      one_row: 'the repeated listings of one transaction only',
      other_content: 'another version of a transaction listed with conflicting contents',
      both_contents: 'both versions of a transaction listed with conflicting contents',
    };
    const aside = kind === 'other_content' ? '' : uncounted('them', count);
    return `the settlement includes ${listings[kind]}${aside}`;
  },
  state_left_out: ({ state, only, count, part }, said) => {
    const where = only ? `in states other than "${state}"` : `in state "${state}"`;
    const what = `${said.rows} ${where}`;
    if (part) return `the settlement includes the fees and tax of ${what}, but not their gross`;
    return leftOut(what, said, count);
  },
  type_sign: ({ type, part }, { rows }) =>
    `the settlement includes ${partWords[part]}${rows} of type "${type}" with the opposite sign`,
  type_left_out: ({ type, part, count }, said) => {
    const what = `${partWords[part]}${said.rows} of type "${type}"`;
    return leftOut(what, said, part === 'all' ? count : 'follows');
  },
  sign_convention: ({ amounts }) =>
    `the settlement shows ${enumerate(amounts)} with the opposite sign`,
  foreign_settlement_rows: ({ settlementIds, count }, said) => {
    const other = `another settlement (${enumerate(settlementIds)})`;
    return leftOut(`${said.rows} marked as belonging to ${other}`, said, count);
  },
  foreign_currency_rows: ({ currencies, reading, count, rate }, { rows, currency, ...said }) => {
    const what = `${rows} in ${enumerate(currencies)}`;
    const counted = count === 'stays' ? '' : `, but does not count ${said.them}`;
    return {
      included: `the settlement adds ${what} as if ${said.they} were in ${currency}${counted}`,
      digits: `the settlement adds ${what} with ${said.their} digits read as ${currency}${counted}`,
      left_out: `the settlement does not count ${what}`,
      converted: `the settlement includes ${what}, converted at ${rate} ${currency} for 1 ${enumerate(currencies)}; the difference is not missing money`,
    }[reading];
  },
  scale_slip: ({ of, power, decimalPlaces }, { rows }) => {
    const zeros = '0'.repeat(Math.abs(power));
    const factor = power > 0 ? `1${zeros} times` : `1/1${zeros} of`;
    return {
      gross: `the decimal point of the settlement's gross is shifted: it should be ${factor} that reported`,
      fees: `the decimal point of the settlement's fees is shifted: they should be ${factor} those reported`,
      tax: `the decimal point of the settlement's tax is shifted: it should be ${factor} that reported`,
      header: `the decimal point of the settlement is shifted: its amounts should be ${factor} those reported`,
      rows: `the settlement includes ${rows} with ${decimalPlaces} decimal places at ${factor} the listed amounts`,
      row: `the settlement includes ${rows} at ${factor} the listed amounts`,
    }[of];
  },
  identity: ({ identity }) =>
    `the settlement calculates its net pay-out as ${identityWords(identity)}`,
  fees_tax_swapped: () => 'fees and tax are swapped in the settlement',
  tax_in_fees: ({ kind }) => taxInFeesWords[kind],
  fee_without_row: ({ type }, { rows, they }) => {
    const fee = they === 'it' ? `a fee for ${rows}` : `the same fee for each of ${rows}`;
    return `the settlement includes ${fee} of type "${type}", but no transaction lists it`;
  },
  rounding: (facts, { scale }) => {
    if (facts.of === 'unknown') {
      const what = `a difference in ${enumerate(facts.amounts)} of the size of rounding`;
      return `${what} in ${many(facts.rows, 'transaction')}; one settlement does not show by which rule`;
    }
    const { amount, base, tariffs, rowsRule, rule, of } = facts;
    const prices = tariffs.map((one) => tariffText(one, base, scale));
    return (
      `the settlement rounds ${amount} ${roundedWords[of]}, ${ruleWords[rule]}; the listed transactions ` +
      `are rounded ${ruleWords[rowsRule]} (${amount}: ${prices.join('; ')})`
    );
  },
  neighbour: ({ kind, settlementId, date, count, others = [] }, said) => {
    const there = settlementsText([{ settlementId, date }, ...others]);
    return neighbours[kind](there, said, count);
  },
  withheld: ({ base, thousandths = 0, others }) => {
    const percent = percentOf(thousandths, 1);
    const share = `${percent} % of ${base === 'gross' ? 'the gross' : 'the net pay-out'}`;
    const there = others.length > 0 ? `, as in ${settlementsText(others)}` : '';
    return `the service withholds ${base === 'amount' ? 'the same amount' : share}${there}`;
  },
  pay_in_rounded: () => 'the settlement rounds its net pay-out to whole units of the currency',
  one_off_fee: () => 'the settlement includes a single fee that no transaction lists',
  page: ({ is, from }, { rows }) => {
    const what = `a block of ${rows} from position ${grouped(from + 1)} in the list`;
    return is === 'left_out'
      ? `the settlement does not include ${what}`
      : `the settlement includes ${what} twice`;
  },
  refund_fees: ({ returned }, { rows }) => {
    const share = returned === 'in_part' ? ', by the share that is refunded' : '';
    return `the settlement gives back the fees and tax of what ${rows} refund${rows === 'one transaction' ? 's' : ''}${share}`;
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
  moved: 'the settlement includes the tax in its fees',
  part: 'the settlement shows an amount as fees that the transactions show as tax, or vice versa',
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

const roundedWords = { row: 'transaction by transaction', total: 'in total' } as const;

function settlementsText(settlements: readonly NamedSettlement[]): string {
  const named = settlements.map((one) => `${one.settlementId} of ${one.date}`);
  if (named.length === 1) return `settlement ${enumerate(named)}`;
  if (named.length <= 3) return `settlements ${enumerate(named)}`;
  return `${named.length} settlements, from ${named[0]} to ${named.at(-1)}`;
}

type NeighbourWords = (settlement: string, said: Said, count: CountRule) => string;

const neighbours: Readonly<Record<CauseFacts['neighbour']['kind'], NeighbourWords>> = {
  opposite_difference: (there) => `${there} has the opposite difference; together the two balance`,
  negative_pay_in: (there) => `the net pay-out is reduced by the negative net pay-out of ${there}`,
  carried_balance: (there) =>
    `the net pay-out is reduced by the negative balance carried over from ${there}`,
  reserve: (there) =>
    `a reserve was withheld and later released: together with ${there}, this settlement balances`,
  listed_there: (there, { rows, them }, count) =>
    `the settlement includes ${rows} listed only in ${there}${uncounted(them, count)}`,
  listed_in_both: (there, said, count) =>
    leftOut(`${said.rows} also listed in ${there}`, said, count),
  charge_included: (there, { rows, them }, count) =>
    `the settlement includes ${rows} of ${there}, for a charge that also has transactions here${uncounted(them, count)}`,
  charge_left_out: (there, said, count) =>
    leftOut(`${said.rows} of a charge that also has transactions in ${there}`, said, count),
};

function leftOut(what: string, { their }: Said, count: CountRule): string {
  return count === 'follows'
    ? `the settlement does not include ${what}`
    : `the settlement counts ${what}, but does not include ${their} amounts`;
}

function uncounted(them: string, count: CountRule): string {
  return count === 'follows' ? '' : `, but does not count ${them}`;
}
