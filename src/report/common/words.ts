import {
  mostSettlements,
  type OddAnswer,
  type UnreadableRecord,
  type UnsteadyReason,
} from '../../model/source.ts';
import type { Code, Entry, Facts, Measure } from '../../reconcile/entry.ts';
import type { Identity } from '../../reconcile/identity.ts';
import { unusualAnswers } from '../../reconcile/reconcile-run.ts';
import type {
  ReconciledSettlement,
  ServiceSays,
  SumsSay,
  Verdict,
} from '../../reconcile/reconciled.ts';
import {
  capitalised,
  enumerate,
  fewOf,
  firstOf,
  many,
  moneyText,
  rangeText,
  signedDigitsOf,
  withoutStop,
} from './phrase.ts';
import { unusualScaleText } from './scale-words.ts';
import type { Tone } from './view.ts';

export const verdictWords: Readonly<Record<Verdict, string>> = {
  balanced: 'balanced',
  out_of_balance: 'out of balance',
  pending: 'pending',
  incomplete: 'incomplete',
};

export const verdictTones: Readonly<Record<Verdict, Tone>> = {
  balanced: 'good',
  out_of_balance: 'bad',
  pending: 'plain',
  incomplete: 'unsure',
};

export const opinionWords: Readonly<Record<ServiceSays | SumsSay, string>> = {
  ...verdictWords,
  unknown: 'nothing known',
};

/** What the service says of a settlement and what its sums say, side by side. */
export function opinionsText({
  serviceSays,
  sumsSay,
}: Pick<ReconciledSettlement, 'serviceSays' | 'sumsSay'>): string {
  return `the service says ${opinionWords[serviceSays]}, the sums say ${opinionWords[sumsSay]}`;
}

/** The amounts of a settlement, in the order in which they are told. */
export const measures: readonly Measure[] = ['gross', 'fees', 'tax', 'payIn'];

export const measureWords: Readonly<Record<Measure, string>> = {
  gross: 'gross',
  fees: 'fees',
  tax: 'tax',
  payIn: 'pay-in',
};

const unsteadyWords: Readonly<Record<UnsteadyReason, string>> = {
  walks_disagree: 'reading it again gave other records',
  no_progress: 'page after page repeats what came before',
  too_long: 'far more is listed than was announced',
};

/** Why the list of settlements is not certain. It announces no number, so its limit is named. */
const unsteadyListWords: Readonly<Record<UnsteadyReason, string>> = {
  ...unsteadyWords,
  too_long:
    `more than ${mostSettlements.toLocaleString('en-US')} are listed, which is the most that a run ` +
    'reads; ask for a shorter range',
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
  count: ({ reported, computed, difference }) =>
    `transactions: reported ${reported}, the rows give ${computed} ` +
    `(difference ${difference > 0 ? '+' : ''}${difference})`,
  identity: ({ identity, reported, computed, difference }) =>
    `the settlement contradicts itself: pay-in reported ${moneyText(reported)}, its own ` +
    `${identityWords(identity)} gives ${moneyText(computed)} (difference ${signedDigitsOf(difference)})`,
  reported_by_service: ({ status }) => `the service reports it as ${status}`,
  currency: ({ totals }, count) =>
    `${many(count, 'row')} in another currency, left out of the sums: ` +
    enumerate(
      totals.map(
        ({ transactions, gross, fees, tax }) =>
          `${many(transactions, 'row')} with gross ${moneyText(gross)}, ` +
          `fees ${moneyText(fees)}, tax ${moneyText(tax)}`,
      ),
    ),
  conflicting_transaction: ({ examples }, count) =>
    `${many(count, 'transaction')} listed with different contents: ` +
    firstOf(examples.map(conflict), count),
  conflicting_settlement: ({ contents, fields }) =>
    `the settlement is listed with ${contents} different contents; they differ in ` +
    enumerate(fields),
  foreign_settlement: ({ settlementIds, examples }, count) =>
    `${many(count, 'row')} said to belong to another settlement (${fewOf(settlementIds)}): ` +
    firstOf(examples, count),
  within_tolerance: ({ tolerance, differences }) =>
    `within the tolerance of ${moneyText(tolerance)}: ` +
    enumerate(
      differences.map((one) => `${measureWords[one.measure]} ${signedDigitsOf(one.difference)}`),
    ),
  duplicate_transaction: ({ copies, examples }, count) =>
    `${many(count, 'transaction')} listed more than once, counted once ` +
    `(${many(copies, 'copy', 'copies')} left out): ${firstOf(examples, count)}`,
  scale: ({ decimalPlaces, others }, count) =>
    `${many(count, 'row')} with ${enumerate(others.map(String))} decimal places where the ` +
    `settlement has ${decimalPlaces}; converted exactly`,
  unusual_scale: unusualScaleText,
  unknown_value: ({ examples }, count) =>
    `${many(count, 'value')} of an unknown form, kept as received: ` +
    firstOf(
      examples.map(({ field, value }) => `${field} "${value}"`),
      count,
    ),
  outside_range: ({ date, range }) =>
    `dated ${date}, outside ${range.from} to ${range.to}; the service returned it for that range`,
  unreadable_record: ({ examples }, count) =>
    `${many(count, 'row')} can't be read: ${unreadableText(examples, count)}`,
  unsteady_read: ({ reason }) =>
    `it isn't certain that all of its rows were read: ${unsteadyWords[reason]}`,
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
    `it isn't certain that all settlements were listed: ${unsteadyListWords[reason]}`,
  unreadable_header: ({ examples }, count) =>
    `${many(count, 'settlement')} can't be read: ${unreadableText(examples, count)}`,
  unusual_answer: ({ examples }) =>
    `the service's answers are not as documented, and were read all the same: ` +
    oddAnswersText(examples),
  missing_day: ({ examples }, count) =>
    `the export lacks ${many(count, 'day')}: ${fewOf(examples.map(rangeText))}`,
};

/** What an entry says, in words. Texts of the service stand in it as they came. */
export function sentence<C extends Code>(entry: Entry<C>): string {
  return sentences[entry.code](entry.facts, entry.count);
}

function compared({ reported, computed, difference }: Facts['gross']): string {
  return (
    `reported ${moneyText(reported)}, the rows give ${moneyText(computed)} ` +
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
        `${record || 'without an id'} (${field || 'the record'}: found ${found}, expected ${expected})`,
    ),
    count,
  );
}

/** What an entry says, with a capital letter and a full stop. */
export function sentenceOfItsOwn(entry: Entry): string {
  return `${capitalised(sentence(entry))}.`;
}

/** What was odd in the service's answers, for commands whose reports are about something else. */
export function answersConclusion(oddAnswers?: readonly OddAnswer[]): readonly string[] {
  return unusualAnswers(oddAnswers).map(sentenceOfItsOwn);
}
