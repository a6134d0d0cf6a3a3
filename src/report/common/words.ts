import { groupedBy, keysOf } from '../../base/keys.ts';
import { mostSettlements, type OddAnswer, type UnreadableRecord } from '../../model/source.ts';
import type { Code, Entry, Facts, Measure } from '../../reconcile/entry.ts';
import type { Identity } from '../../reconcile/identity.ts';
import type { ReconciledSettlement, Verdict } from '../../reconcile/reconciled.ts';
import type { UnusualScale, UnusualScales } from '../../reconcile/unusual-scales.ts';
import { verdictReason } from '../../reconcile/verdict.ts';
import { feeDriftText, paymentTypeText } from './fee-words.ts';
import {
  capitalised,
  enumerate,
  fewOf,
  firstOf,
  grouped,
  many,
  moneyText,
  rangeText,
  signedDigitsOf,
  signedText,
  withoutStop,
} from './phrase.ts';
import type { Tone } from './view.ts';

export const verdictWords: Readonly<Record<Verdict, string>> = {
  balanced: 'balanced',
  out_of_balance: 'out of balance',
  pending: 'pending',
  incomplete: 'incomplete',
};

export const verdicts = keysOf(verdictWords);

export const verdictTones: Readonly<Record<Verdict, Tone>> = {
  balanced: 'good',
  out_of_balance: 'bad',
  pending: 'plain',
  incomplete: 'unsure',
};

export const opinionWords: Readonly<Record<Verdict | 'unknown', string>> = {
  ...verdictWords,
  unknown: 'unknown',
};

/** What the service says of a settlement and what the checks say, side by side. */
export function opinionsText({ serviceSays, sumsSay }: ReconciledSettlement): string {
  const service =
    serviceSays === 'unknown' ? 'reports an unknown status' : `says ${opinionWords[serviceSays]}`;
  return `the service ${service}; the checks say ${opinionWords[sumsSay]}`;
}

/** The amounts of a settlement, in the order in which they are told. */
export const measures: readonly Measure[] = ['gross', 'fees', 'tax', 'payIn'];

export const measureWords: Readonly<Record<Measure, string>> = {
  gross: 'gross',
  fees: 'fees',
  tax: 'tax',
  payIn: 'pay-in',
};

/** `gross +84.50`, `fees +1.43`: the amounts that are not zero. */
export function amountsThatDiffer(
  amounts: Readonly<Record<Measure, bigint | undefined>>,
  scale: number,
): readonly string[] {
  return measures
    .filter((measure) => amounts[measure])
    .map((measure) => `${measureWords[measure]} ${signedText(amounts[measure], scale)}`);
}

type Unsteady = Facts['unsteady_read']['reason'];

const unsteadyWords: Readonly<Record<Unsteady, string>> = {
  walks_disagree: 'reading it again returned different records',
  no_progress: 'pages keep repeating earlier records',
  too_long: 'far more records were returned than announced',
};

/** Why the list of settlements may be incomplete. It announces no number, so its limit is named. */
const unsteadyListWords: Readonly<Record<Unsteady, string>> = {
  ...unsteadyWords,
  too_long:
    `more than ${grouped(mostSettlements)} were returned, the most that a run reads; ` +
    'use a shorter range',
};

/** `gross - fees - tax`. */
export function identityWords(identity: Identity): string {
  return identity.replace(/[-+]/g, ' $& ');
}

type Sentences = { readonly [C in Code]: (facts: Facts[C], count: number) => string };

/** The words of every code, once. Without a full stop, so that they fit in a list. */
const sentences: Sentences = {
  gross: (facts) => `gross: ${compared(facts)}`,
  fees: (facts) => `fees: ${compared(facts)}`,
  tax: (facts) => `tax: ${compared(facts)}`,
  count: ({ reported, computed, difference, listed }) =>
    `transactions: reported ${reported}, ` +
    `${listed === undefined ? `listed ${computed}` : `computed ${computed} of ${listed} listed`} ` +
    `(difference ${difference > 0 ? '+' : ''}${difference})`,
  identity: ({ identity, reported, computed, difference }) =>
    `the header contradicts itself: pay-in reported ${moneyText(reported)}, but its ` +
    `${identityWords(identity)} is ${moneyText(computed)} (difference ${signedDigitsOf(difference)})`,
  reported_by_service: ({ status }) => `the service reports the status ${status}`,
  currency: ({ totals }, count) =>
    `${many(count, 'row')} in ${totals.length > 1 ? 'other currencies' : 'another currency'}, ` +
    'not included in the totals: ' +
    totals
      .map(
        ({ transactions, gross, fees, tax }) =>
          `${totals.length > 1 ? `${many(transactions, 'row')} with ` : ''}gross ${moneyText(gross)}, ` +
          `fees ${moneyText(fees)}, tax ${moneyText(tax)}`,
      )
      .join('; '),
  conflicting_transaction: ({ examples }, count) =>
    `${many(count, 'transaction')} listed with conflicting contents: ` +
    firstOf(examples.map(conflict), count),
  conflicting_settlement: ({ contents, fields }) =>
    `the settlement is listed with ${contents} conflicting headers, which differ in ` +
    enumerate(fields),
  foreign_settlement: ({ settlementIds, examples }, count) =>
    `${many(count, 'row')} marked as belonging to another settlement (${fewOf(settlementIds)}): ` +
    firstOf(examples, count),
  within_tolerance: ({ tolerance, differences }) =>
    `within the tolerance of ${moneyText(tolerance)}: ` +
    enumerate(
      differences.map((one) => `${measureWords[one.measure]} ${signedDigitsOf(one.difference)}`),
    ),
  duplicate_transaction: ({ copies, examples }, count) =>
    `${many(count, 'transaction')} listed more than once, counted once ` +
    `(${many(copies, 'extra copy', 'extra copies')}): ${firstOf(examples, count)}`,
  scale: ({ decimalPlaces, others }, count) =>
    `${many(count, 'row')} with ${enumerate(others.map(String))} decimal places instead of the ` +
    `settlement's ${decimalPlaces}, converted exactly`,
  unusual_scale: unusualScaleText,
  unknown_value: ({ examples }, count) =>
    `${many(count, 'unrecognised value')}, kept as received: ` +
    firstOf(
      examples.map(({ field, value }) => `${field} "${value}"`),
      count,
    ),
  outside_range: ({ date, range }) =>
    `dated ${date}, but returned by the service for the range ${range.from} to ${range.to}`,
  overdue: ({ payIn, ...age }) => `overdue: ${overdueText(age)}; pay-in ${moneyText(payIn)}`,
  unreadable_record: ({ examples }, count) =>
    `${many(count, 'row')} cannot be read: ${unreadableText(examples, count)}`,
  unsteady_read: ({ reason }) =>
    `some of its rows may not have been read: ${unsteadyWords[reason]}`,
  not_read: ({ reason }) => `its rows were not read: ${withoutStop(reason)}`,
  shared_transaction: ({ examples }, count) =>
    `${many(count, 'transaction')} listed in more than one settlement: ` +
    firstOf(
      examples.map(
        ({ transactionId, settlementIds }) => `${transactionId} (in ${enumerate(settlementIds)})`,
      ),
      count,
    ),
  unsteady_headers: ({ reason }) =>
    `some settlements may not have been listed: ${unsteadyListWords[reason]}`,
  unreadable_header: ({ examples }, count) =>
    `${many(count, 'settlement header')} cannot be read: ${unreadableText(examples, count)}`,
  unusual_answer: ({ examples }) =>
    `the service's answers were read but differ from its document: ${oddAnswersText(examples)}`,
  missing_day: ({ examples }, count) =>
    `${many(count, 'day')} missing from the export: ${fewOf(examples.map(rangeText))}`,
  incomplete_day: ({ examples }, count) =>
    `${many(count, 'day')} published incomplete: ${fewOf(examples.map(rangeText))}`,
  fee_drift: (facts) =>
    `${paymentTypeText(facts)} of account ${facts.accountingToken}: ${feeDriftText(facts)}`,
};

/** What an entry says, in words. Texts of the service stand in it as they came. */
export function sentence<C extends Code>(entry: Entry<C>): string {
  return sentences[entry.code](entry.facts, entry.count);
}

function compared({ reported, computed, difference }: Facts['gross']): string {
  return (
    `reported ${moneyText(reported)}, computed ${moneyText(computed)} ` +
    `(difference ${signedDigitsOf(difference)})`
  );
}

function conflict(example: Facts['conflicting_transaction']['examples'][number]): string {
  const { transactionId, amounts, fields } = example;
  return `${transactionId} (${enumerate(amounts.map(moneyText))}; differs in ${enumerate(fields)})`;
}

/** What answers have and what the document shows in its place. */
export function oddAnswersText(oddAnswers: readonly OddAnswer[]): string {
  return enumerate(
    oddAnswers.map(
      ({ field, found, expected }) => `${field} (found ${found}, expected ${expected})`,
    ),
  );
}

/** Records that can't be read: which, which field, what was there. */
export function unreadableText(examples: readonly UnreadableRecord[], count: number): string {
  return firstOf(
    examples.map(
      ({ record, field, found, expected }) =>
        `${record || 'no id'} (${field || 'whole record'}: found ${found}, expected ${expected})`,
    ),
    count,
  );
}

/** What an entry says, with a capital letter and a full stop. */
export function sentenceOfItsOwn(entry: Entry): string {
  return `${capitalised(sentence(entry))}.`;
}

/** What may be wrong with amounts of unusual decimal places: too many make them too small. */
function unusualScaleText({ currency, decimalPlaces, expected }: UnusualScale): string {
  const factor = `1${'0'.repeat(Math.abs(decimalPlaces - expected))}`;
  return (
    `${many(decimalPlaces, 'decimal place')} instead of ${expected} for ${currency}, so the amounts may be ` +
    `${factor} times too ${decimalPlaces > expected ? 'small' : 'large'}`
  );
}

/** `17 days old on 2026-04-16 (limit 14 days)`. */
function overdueText({ days, pendingDays, today }: Omit<Facts['overdue'], 'payIn'>): string {
  return `${many(days, 'day')} old on ${today} (limit ${many(pendingDays, 'day')})`;
}

/** What a verdict leaves open: `it has 2 decimal places instead of 0 for JPY, ...`; mostly nothing. */
export function doubtsOf({ notices }: ReconciledSettlement): readonly string[] {
  return notices.flatMap((one) => {
    if (one.code === 'unusual_scale') return [`it has ${unusualScaleText(one.facts)}`];
    return one.code === 'overdue' ? [`it is overdue: ${overdueText(one.facts)}`] : [];
  });
}

/**
 * The unknown statuses of pending settlements, a text for each. Without full stops, so that they fit
 * in a list.
 */
export function unknownStatusTexts(
  settlements: readonly ReconciledSettlement[],
): readonly string[] {
  const unknown = settlements.filter((one) => verdictReason(one) === 'unknown_status');
  return [...groupedBy(unknown, ({ settlement }) => settlement.status)].map(([status, all]) => {
    const has = many(all.length, 'settlement has', 'settlements have');
    const its =
      all.length === 1 ? 'counts as pending, although its' : 'count as pending, although their';
    const named = firstOf(all.map(({ settlement }) => settlement.id));
    return `${has} the unknown status "${status}" and ${its} sums agree (${named})`;
  });
}

/** Unusual decimal places, a text for each currency. Without full stops, so that they fit in a list. */
export function scaleTexts(found: readonly UnusualScales[]): readonly string[] {
  return found.map((one) => {
    const have = many(one.settlements, 'settlement has', 'settlements have');
    return `${have} ${unusualScaleText(one)}`;
  });
}

/** `expected: JPY 2`; nothing where only ISO 4217 counts. */
export function expectedScalesText(expected: ReadonlyMap<string, number>): string {
  const scales = [...expected].map(([currency, places]) => `${currency} ${places}`);
  return scales.length === 0 ? '' : `expected: ${scales.join(', ')}`;
}

/** `5 minor units per amount`; empty where nothing is forgiven. */
export function toleranceText(tolerance: bigint): string {
  if (tolerance === 0n) return '';
  return `${tolerance} minor ${tolerance === 1n ? 'unit' : 'units'} per amount`;
}
