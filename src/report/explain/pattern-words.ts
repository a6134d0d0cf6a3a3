import type { Pattern, PatternBase, PatternTerm } from '../../explain/pattern.ts';
import { magnitude } from '../../money/money.ts';
import { type Identity, identityNames, payInOf } from '../../reconcile/identity.ts';
import { plain, remarks } from '../common/blocks.ts';
import { jsonAccount } from '../common/json.ts';
import {
  accountName,
  amountText,
  capitalised,
  enumerate,
  grouped,
  many,
  moneyText,
  present,
  type Unit,
} from '../common/phrase.ts';
import { percentOf, ruleWords } from './rate-words.ts';

const figureWords = {
  count: "the settlement's number of transactions",
  gross: "the settlement's gross",
  fees: "the settlement's fees",
  tax: "the settlement's tax",
  contradiction: 'the net pay-out',
} as const satisfies Record<PatternTerm['figure'], string>;

/** Of what an amount is the same for each. */
const eachWords: Partial<Record<PatternBase['measure'], string>> = {
  settlements: '',
  months: ' in the first settlement of each month',
  rows: ' for each transaction',
  charges: ' for each charge',
};

const measureWords = {
  settlements: '',
  months: '',
  rows: 'number',
  charges: 'charge',
  gross: 'gross',
  fees: 'fees',
  tax: 'tax',
  fees_and_tax: 'fees and tax',
  pay_in: 'net pay-out as calculated',
} as const satisfies Record<PatternBase['measure'], string>;

const traitWords = { type: 'of type', state: 'in state', paymentType: 'of payment type' } as const;

/** What a pattern says of all settlements, as clauses: `the settlement's fees are 0.25 EUR higher`. */
export function patternClause(terms: readonly PatternTerm[], form: Unit): string {
  return terms.map((term) => termClause(term, form)).join('; ');
}

function termClause({ figure, form, base, amount, rounding = 'half_up' }: PatternTerm, unit: Unit) {
  const subject = figureWords[figure];
  const verb = (one: string, several: string) => `${subject} ${figure === 'fees' ? several : one}`;
  const is = verb('is', 'are');
  const size = magnitude(amount);
  const { scale, currency } = unit;
  const isAdded = amount > 0n;
  if (form === 'step') {
    const step = moneyText({ minor: amount, scale, currency });
    return `${is} rounded to steps of ${step}, ${ruleWords[rounding]}`;
  }
  if (form === 'minimum' || form === 'maximum') {
    const limit = `${form} of ${moneyText({ minor: amount, scale, currency })}`;
    return `${verb('has', 'have')} a ${limit} for each transaction${scopeWords(base)}`;
  }
  if (form !== 'times') {
    const how = `rounded ${form === 'rate' ? 'in total' : 'transaction by transaction'}, ${ruleWords[rounding]}`;
    const part = `${percentOf(Number(size), 4)} % of ${baseWords(base)}, ${how}`;
    return isAdded
      ? `${verb('also includes', 'also include')} ${part}`
      : `${is} reduced by ${part}`;
  }
  const { measure } = base;
  const each = eachWords[measure];
  if (figure !== 'count' && each !== undefined) {
    const by = `${moneyText({ minor: size, scale, currency })} ${isAdded ? 'higher' : 'lower'}`;
    return `${is} ${by}${each}${scopeWords(base)}`;
  }
  const what = baseWords(base);
  if (amount === -2n) return `${verb('has', 'have')} ${what} with the opposite sign`;
  const times = size === 1n ? '' : `${size} times `;
  if (isAdded) return `${verb('also includes', 'also include')} ${times}${what}`;
  const isOwn = figure === measure || (figure === 'count' && measure === 'rows');
  return isOwn && size === 1n
    ? `${verb('leaves out', 'leave out')} ${what}`
    : `${is} reduced by ${times}${what}`;
}

/** `the fees and tax of the rows of type "refund"`. */
function baseWords(base: PatternBase): string {
  const { measure, of } = base;
  if (measure === 'rows') return `the transactions${scopeWords(base)}`;
  if (measure === 'charges') return 'the charges';
  const whose = {
    rows: ` of the transactions${scopeWords(base)}`,
    header: measure === 'pay_in' ? '' : ' of the settlement',
    in_full: ' of the refunded purchases',
    in_part: ' of the refunded purchases, by the share that is refunded',
  };
  return `the ${measureWords[measure]}${whose[of]}`;
}

function scopeWords({ trait, value }: PatternBase): string {
  return trait === undefined ? '' : ` ${traitWords[trait]} "${value}"`;
}

type Names = Parameters<typeof accountName>[0];

/** Where a pattern holds, what it says, and how the settlements stand with it. */
export function patternText(pattern: Pattern, names: Names): string {
  const { accountingToken, currency, terms, settlements, tested, wholly, alternatives } = pattern;
  const whose = `${currency} settlements of ${accountName(names, accountingToken)}`;
  const where =
    settlements === tested
      ? `all ${grouped(tested)} ${whose}`
      : `all ${grouped(settlements)} of ${grouped(tested)} ${whose} that this concerns`;
  const rest = settlements - wholly;
  const others = alternatives.map((term) => termClause(term, pattern));
  return present(
    `In ${where}: ${patternClause(terms, pattern)}.`,
    rest > 0 && `In ${many(rest, 'of them', 'of them')}, something else differs too.`,
    others.length > 0 && `The data do not tell it from this: ${enumerate(others)}.`,
  ).join(' ');
}

/** What can be done about a pattern: an identity to set, or a question. */
export function patternAdvice(pattern: Pattern, identity: Identity): string {
  const better = identityBy(pattern, identity);
  if (better) return `If this is how the service calculates, set --identity ${better}.`;
  const said = capitalised(patternClause(pattern.terms, pattern));
  return `Ask the provider: "${said}. Please confirm this, and tell us why."`;
}

/** The identity that makes a pattern needless; undefined if none does. */
function identityBy({ terms }: Pattern, chosen: Identity) {
  const [term, ...others] = terms;
  if (chosen === 'off' || term === undefined || others.length > 0) return undefined;
  const { figure, form, base, amount } = term;
  if (figure !== 'contradiction' || form !== 'times' || base.of !== 'header') return undefined;
  const sizes = { fees: 10n, tax: 1n, fees_and_tax: 11n } as const;
  const size = sizes[base.measure as 'fees'] ?? 0n;
  const payIn = payInOf(chosen, 0n, 10n, 1n) + amount * size;
  return identityNames.find((name) => name !== chosen && payInOf(name, 0n, 10n, 1n) === payIn);
}

interface WithPatterns {
  readonly patterns?: readonly Pattern[] | undefined;
  readonly names: Names;
  readonly settings: { readonly identity: Identity };
}

/** What holds in all settlements, and what to do about it. */
export function patternBlocks({ patterns = [], names, settings }: WithPatterns) {
  return remarks(
    'In all settlements',
    patterns.flatMap((one) => [
      plain(patternText(one, names), '='),
      plain(patternAdvice(one, settings.identity), '>'),
    ]),
  );
}

/** A term as fields, for JSON. */
export function patternTerm({ figure, form, base, amount, rounding }: PatternTerm, scale: number) {
  const isOfCount = eachWords[base.measure] !== undefined && figure !== 'count';
  const isAmount = !form.startsWith('rate') && (form !== 'times' || isOfCount);
  return {
    figure: figure === 'contradiction' ? 'pay_in' : figure,
    form,
    ...base,
    ...(isAmount && { amount: amountText(amount, scale) }),
    ...(form === 'times' && !isAmount && { factor: Number(amount) }),
    ...(form.startsWith('rate') && { percent: percentOf(Number(amount), 4) }),
    ...(rounding && { rounding }),
  };
}

/** A pattern in JSON. */
export function jsonPattern(pattern: Pattern, names: Names, identity: Identity) {
  const { accountingToken, terms, alternatives, scale, ...counts } = pattern;
  return {
    ...jsonAccount(accountingToken, names),
    ...counts,
    scale,
    terms: terms.map((term) => patternTerm(term, scale)),
    alternatives: alternatives.map((term) => patternTerm(term, scale)),
    identity: identityBy(pattern, identity) ?? null,
    message: patternText(pattern, names),
  };
}
