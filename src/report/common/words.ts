import { reasonText } from '../../base/failure-reason.ts';
import { groupedBy, keysOf } from '../../base/lists.ts';
import {
  type FieldForm,
  type FileGap,
  mostSettlements,
  type OddAnswer,
  type UnreadableRecord,
} from '../../model/source.ts';
import { valueText } from '../../model/value.ts';
import type { UnusualScales } from '../../reconcile/checks.ts';
import type { Code, Entry, Facts, FeeDrift, Measure, UnusualScale } from '../../reconcile/entry.ts';
import type { Identity } from '../../reconcile/identity.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { type Verdict, verdictReason } from '../../reconcile/verdict.ts';
import {
  capitalised,
  cutTo,
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

export const opinionWords = { ...verdictWords, unknown: 'unknown', nothing: 'nothing' };

/** What is compared, if not all figures are stated: `the pay-in; gross, fees, tax and count are not stated`. */
export function restsOnText(
  settlements: readonly Pick<ReconciledSettlement, 'reported'>[],
): string {
  const names = [
    ...measures.map((measure) => [measureWords[measure], measure] as const),
    ['count', 'transactions'] as const,
  ];
  const [lacking, stated] = [false, true].map((isStated) =>
    names.flatMap(([words, name]) =>
      settlements.every(({ reported }) => reported[name] !== undefined) === isStated ? words : [],
    ),
  );
  if (settlements.length === 0 || !lacking?.length || !stated) return '';
  return `${enumerate(stated)}; ${enumerate(lacking)} ${lacking.length > 1 ? 'are' : 'is'} not stated`;
}

export function opinionsText({ serviceSays, sumsSay }: ReconciledSettlement): string {
  const service =
    serviceSays === 'unknown' ? 'reports an unknown status' : `says ${opinionWords[serviceSays]}`;
  return `the service ${service}; the checks say ${opinionWords[sumsSay]}`;
}

/** How many settlements have each verdict; `accepted` of those out of balance are accepted. */
export function countsText(countOf: (verdict: Verdict) => number, accepted = 0): string {
  const wordsFor = (verdict: Verdict) => {
    if (verdict !== 'out_of_balance' || accepted === 0) return verdictWords[verdict];
    const all = accepted === countOf(verdict);
    return `${verdictWords[verdict]} (${all ? '' : `${accepted} `}accepted)`;
  };
  const found = verdicts.filter((verdict) => countOf(verdict) > 0);
  const [first] = found;
  const total = found.reduce((sum, verdict) => sum + countOf(verdict), 0);
  if (first === undefined) return 'No settlements.';
  if (total === 1) return `1 settlement: ${wordsFor(first)}.`;
  const countText = (count: number) => (count === total ? 'all' : grouped(count));
  const each = found.map((verdict) => `${countText(countOf(verdict))} ${wordsFor(verdict)}`);
  return `${grouped(total)} settlements: ${each.join(', ')}.`;
}

export const measures: readonly Measure[] = ['gross', 'fees', 'tax', 'payIn'];

export const measureWords: Readonly<Record<Measure, string>> = {
  gross: 'gross',
  fees: 'fees',
  tax: 'tax',
  payIn: 'net pay-out',
};

/** Names of the service in keys of columns, as an accountant says them. */
const wordsOfKeys: Readonly<Record<string, string>> = {
  accounting_name: 'account',
  accounting_token: 'account id',
  pay_in: 'net pay-out',
  over: 'over agreed',
  over_rows: 'transactions over agreed',
  residual: 'unexplained',
  rows: 'transactions',
  under: 'under agreed',
  under_rows: 'transactions under agreed',
};
const keyWord = new RegExp(
  `(?<![a-z])(?:${Object.keys(wordsOfKeys).reverse().join('|')})(?![a-z])`,
  'g',
);

/** A key of CSV as an accountant says it: `pay_in` is net pay-out, `settlement_id` settlement id. */
export function keyWords(key: string): string {
  return key.replace(keyWord, (word) => wordsOfKeys[word] ?? word).replaceAll('_', ' ');
}

type Amounts = Readonly<Record<Measure, bigint | undefined>>;

/** `gross +84.50`, `fees +1.43`: the amounts that are not zero. */
export function amountsThatDiffer(amounts: Amounts, scale: number): readonly string[] {
  return measures
    .filter((measure) => amounts[measure])
    .map((measure) => `${measureWords[measure]} ${grouped(signedText(amounts[measure], scale))}`);
}

type Unsteady = Facts['unsteady_read']['reason'];

const unsteadyWords: Readonly<Record<Unsteady, string>> = {
  walks_disagree: 'reading it again returned different records',
  no_progress: 'pages keep repeating earlier records',
  too_long: 'far more records were returned than announced',
};

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

/** How the net pay-out of a run is calculated, as a fact of its report. */
export function payOutWords(identity: Identity | 'off'): string {
  return identity === 'off' ? 'not calculated' : identityWords(identity);
}

type EntryClauses = { readonly [C in Code]: (facts: Facts[C], count: number) => string };

/** The clause of each finding, by code. Without full stops, for lists. */
const entryClauses: EntryClauses = {
  gross: (facts) => `gross: ${compared(facts)}`,
  fees: (facts) => `fees: ${compared(facts)}`,
  tax: (facts) => `tax: ${compared(facts)}`,
  pay_in: (facts) => `net pay-out: ${compared(facts)}`,
  count: ({ reported, computed, difference, listed }) =>
    `transactions: reported ${grouped(reported)}, ` +
    `${listed === undefined ? `listed ${grouped(computed)}` : `computed ${grouped(computed)} of ${grouped(listed)} listed`} ` +
    `(difference ${difference > 0 ? '+' : ''}${grouped(difference)})`,
  identity: ({ identity, reported, computed, difference }) =>
    `the settlement contradicts itself: net pay-out reported ${moneyText(reported)}, but its ` +
    `${identityWords(identity)} is ${moneyText(computed)} (difference ${grouped(signedDigitsOf(difference))})`,
  reported_by_service: ({ status }) => `the service reports it as out of balance (${status})`,
  currency: ({ totals }, count) => {
    const isSeveral = totals.length > 1;
    const texts = totals.map(({ transactions, gross, fees, tax }) => {
      const rows = isSeveral ? `${many(transactions, 'transaction')} with ` : '';
      return `${rows}gross ${moneyText(gross)}, fees ${moneyText(fees)}, tax ${moneyText(tax)}`;
    });
    const where = isSeveral ? 'other currencies' : 'another currency';
    return `${many(count, 'transaction')} in ${where}, not included in the totals: ${texts.join('; ')}`;
  },
  conflicting_transaction: ({ examples }, count) =>
    `${many(count, 'transaction')} listed with conflicting contents: ` +
    firstOf(examples.map(conflict), count),
  conflicting_settlement: ({ contents, fields }) =>
    `the settlement is listed with ${contents} conflicting totals, which differ in ` +
    enumerate(fields),
  foreign_settlement: ({ settlementIds, examples }, count) =>
    `${many(count, 'transaction')} marked as belonging to another settlement (${fewOf(settlementIds)}): ` +
    firstOf(examples, count),
  within_tolerance: ({ tolerance, differences }) => {
    const texts = differences.map(({ measure, difference }) => {
      return `${measureWords[measure]} ${grouped(signedDigitsOf(difference))}`;
    });
    return `within the tolerance of ${moneyText(tolerance)}: ${enumerate(texts)}`;
  },
  duplicate_transaction: ({ copies, examples }, count) =>
    `${many(count, 'transaction')} listed more than once, counted once ` +
    `(${many(copies, 'extra copy', 'extra copies')}): ${firstOf(examples, count)}`,
  scale: ({ decimalPlaces, others }, count) =>
    `${many(count, 'transaction')} with ${enumerate(others.map(String))} decimal places instead of the ` +
    `settlement's ${decimalPlaces}, converted exactly`,
  unusual_scale: unusualScaleText,
  unknown_value: ({ examples }, count) => {
    const texts = examples.map(({ field, value }) => `${field} "${value}"`);
    return `${many(count, 'unrecognised value')}, kept as received: ${firstOf(texts, count)}`;
  },
  outside_range: ({ date, range }) =>
    `dated ${date}, but returned by the service for the range ${range.from} to ${range.to}`,
  overdue: ({ payIn, ...age }) => `overdue: ${overdueText(age)}; net pay-out ${moneyText(payIn)}`,
  unreadable_record: ({ examples }, count) =>
    `${many(count, 'transaction')} cannot be read: ${unreadableText(examples, count)}`,
  unsteady_read: ({ reason }) =>
    `some of its transactions may not have been read: ${unsteadyWords[reason]}`,
  not_read: ({ reason }) => `its transactions were not read: ${withoutStop(reasonText(reason))}`,
  shared_transaction: ({ examples }, count) => {
    const texts = examples.map(
      (one) => `${one.transactionId} (in ${enumerate(one.settlementIds)})`,
    );
    const named = firstOf(texts, count);
    return `${many(count, 'transaction')} listed in more than one settlement: ${named}`;
  },
  unsteady_headers: ({ reason }) =>
    `some settlements may not have been listed: ${unsteadyListWords[reason]}`,
  unreadable_header: ({ examples }, count) =>
    `${many(count, 'settlement of the list')} cannot be read: ${unreadableText(examples, count)}`,
  unusual_answer: ({ examples }) =>
    `the service's answers were read but differ from its document: ${oddAnswersText(examples)}`,
  missing_day: ({ examples }, count) =>
    `${many(count, 'day')} missing from the export: ${fewOf(examples.map(rangeText))}`,
  missing_files: ({ examples }, count) =>
    `settlement files: ${firstOf(examples.map(gapText), count)}`,
  repeated_files: ({ examples }, count) => {
    const texts = examples.map(({ file, lines }) => `${file} (${many(lines, 'line')})`);
    const named = firstOf(texts, count);
    return `${many(count, 'file has lines', 'files have lines')} that another has too, counted once: ${named}`;
  },
  incomplete_day: ({ examples }, count) =>
    `${many(count, 'day')} published incomplete: ${fewOf(examples.map(rangeText))}`,
  fee_drift: (facts) =>
    `${paymentTypeText(facts)} of account ${facts.accountingToken}: ${feeDriftText(facts)}`,
  above_agreed_rate: ({ claim, rates, examples }, count) =>
    `fees of ${many(count, 'transaction is', 'transactions are')} above the agreed rate (${fewOf(rates)}): ` +
    `${enumerate(claim.map(moneyText))} with tax${examples.length === 0 ? '' : `; ${fewOf(examples)}`}`,
};

/** The name of each code, without amounts, ids and examples. */
export const codeWords: Readonly<Record<Code, string>> = {
  gross: 'gross differs',
  fees: 'fees differ',
  tax: 'tax differs',
  pay_in: 'net pay-out differs',
  count: 'number of transactions differs',
  identity: 'the settlement contradicts itself',
  reported_by_service: 'the service reports it as out of balance',
  currency: 'transactions in another currency',
  conflicting_transaction: 'transactions listed with conflicting contents',
  conflicting_settlement: 'conflicting totals',
  foreign_settlement: 'transactions marked as belonging to another settlement',
  within_tolerance: 'differences within the tolerance',
  duplicate_transaction: 'transactions listed more than once',
  scale: 'transactions with other decimal places',
  unusual_scale: 'unusual decimal places',
  unknown_value: 'unrecognised values',
  outside_range: 'dated outside the range',
  overdue: 'overdue',
  unreadable_record: 'transactions that cannot be read',
  unsteady_read: 'transactions that may not have been read',
  not_read: 'transactions that were not read',
  shared_transaction: 'transactions listed in more than one settlement',
  unsteady_headers: 'settlements that may not have been listed',
  unreadable_header: 'settlements of the list that cannot be read',
  unusual_answer: "answers that differ from the service's document",
  missing_day: 'days missing from the export',
  incomplete_day: 'days published incomplete',
  missing_files: 'missing settlement files or transactions',
  repeated_files: 'lines in more than one settlement file',
  fee_drift: 'changed fee rates',
  above_agreed_rate: 'fees above the agreed rate',
};

/** An entry as a clause. Texts of the service are as they came. */
export function entryClause<C extends Code>(entry: Entry<C>): string {
  return entryClauses[entry.code](entry.facts, entry.count);
}

function compared({ reported, computed, difference }: Facts['gross']): string {
  return (
    `reported ${moneyText(reported)}, computed ${moneyText(computed)} ` +
    `(difference ${grouped(signedDigitsOf(difference))})`
  );
}

function conflict(example: Facts['conflicting_transaction']['examples'][number]): string {
  const { transactionId, amounts, fields } = example;
  return `${transactionId} (${enumerate(amounts.map(moneyText))}; differs in ${enumerate(fields)})`;
}

/** How answers differ from the document. */
export function oddAnswersText(oddAnswers: readonly OddAnswer[]): string {
  const textOf = ({ field, found, expected }: OddAnswer) =>
    `${field} (found ${found}, expected ${expected})`;
  return enumerate(oddAnswers.map(textOf));
}

/** Records that cannot be read: which, which field, what was found. */
export function unreadableText(examples: readonly UnreadableRecord[], count: number): string {
  const textOf = ({ record, field, found, expected }: UnreadableRecord) =>
    `${record || 'no id'} (${field || 'whole record'}: found ${found}, expected ${formWords[expected]})`;
  return firstOf(examples.map(textOf), count);
}

function gapText(gap: FileGap): string {
  const of = `of account ${gap.account}`;
  switch (gap.kind) {
    case 'numbers':
      return gap.from === gap.to
        ? `pay-out ${gap.from} ${of} is in none`
        : `pay-outs ${gap.from} to ${gap.to} ${of} are in none`;
    case 'carried':
      return `pay-out ${gap.from} ${of} carries over ${moneyText(gap.out)}, but ${moneyText(gap.arrived)} arrive in ${gap.to}`;
    case 'no_payout':
      return `${many(gap.rows, 'transaction')} ${gap.from === '' ? 'without a pay-out' : `of pay-out ${gap.from}`} ${of} (${firstOf(gap.examples, gap.rows)}), ${moneyText(gap.sum)} together, and no line that says what is paid`;
    case 'no_rows':
      return `pay-out ${gap.from} ${of} of ${moneyText(gap.sum)} has no transactions`;
    case 'files_differ':
      return `pay-out ${gap.from} ${of} has other transactions in ${enumerate(gap.files)} than in another file`;
  }
}

/** What a field of a record must hold. */
const formWords: Readonly<Record<FieldForm, string>> = {
  text: 'a non-empty text',
  minor_units: 'a whole number of the smallest unit, within ±(2^53 − 1)',
  count: 'a whole number, 0 or more',
  scale: 'a whole number from 0 to 18',
  date: 'a timestamp that starts with a date, YYYY-MM-DD or YYYYMMDD',
  object: 'an object',
  amount: 'an amount such as 1234.56, with no more decimals than its currency has',
  sum: 'the gross less the fees, as its line has them',
};

/** What an entry says, as a sentence. */
export function entrySentence(entry: Entry): string {
  return `${capitalised(entryClause(entry))}.`;
}

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

/** Doubts beside a verdict: `it has 2 decimal places instead of 0 for JPY, ...`. */
export function doubtsOf({ notices }: ReconciledSettlement): readonly string[] {
  return notices.flatMap((one) => {
    if (one.code === 'unusual_scale') return [`it has ${unusualScaleText(one.facts)}`];
    return one.code === 'overdue' ? [`it is overdue: ${overdueText(one.facts)}`] : [];
  });
}

/** The unknown statuses of pending settlements, a text for each of the first, without full stops. */
export function unknownStatusTexts(settlements: readonly ReconciledSettlement[]) {
  const unknown = settlements.filter((one) => verdictReason(one) === 'unknown_status');
  return textsByStatus(unknown, (count) => {
    const its =
      count === 1 ? 'counts as pending, although its' : 'count as pending, although their';
    return ` and ${its} sums agree`;
  });
}

const mostStatuses = 10;

/** A text for each of the first statuses that settlements have, and how many more there are. */
export function textsByStatus(
  unknown: readonly ReconciledSettlement[],
  rest: (count: number) => string,
): readonly string[] {
  const groups = [...groupedBy(unknown, ({ settlement }) => settlement.status)];
  const texts = groups.map(([status, all]) => {
    const has = many(all.length, 'settlement has', 'settlements have');
    const named = firstOf(all.map(({ settlement }) => settlement.id));
    return `${has} the unknown status "${status}"${rest(all.length)} (${named})`;
  });
  return cutTo(
    mostStatuses,
    texts,
    (count) => `There are ${many(count, 'more unknown status', 'more unknown statuses')}`,
  );
}

/** Unusual decimal places of a currency, without a full stop. */
export function scaleText(one: UnusualScales): string {
  const have = many(one.settlements, 'settlement has', 'settlements have');
  return `${have} ${unusualScaleText(one)}`;
}

/** The payment type of a fee rate: `card (EUR)`. */
export function paymentTypeText({ paymentType, currency }: FeeDrift): string {
  return `${paymentType || 'no payment type'} (${currency})`;
}

/** The change of a fee rate, and its amount. Without a full stop. */
export function feeDriftText({ earlier, now, change, ...drift }: FeeDrift): string {
  const { atEarlierRate, difference, examples } = drift;
  const [verb, sign] = change.startsWith('-') ? ['fell', ''] : ['rose', '+'];
  const texts = examples.map(({ transactionId, ...one }) => {
    return `${transactionId} (${grouped(valueText(one.fees))} on ${grouped(valueText(one.amount))})`;
  });
  const named = firstOf(texts);
  return (
    `fees ${verb} from ${earlier.feesPercent} % to ${now.feesPercent} % of gross ` +
    `(${sign}${change} percentage points): ${moneyText(now.fees)}, at the earlier rate ` +
    `${moneyText(atEarlierRate)} (difference ${grouped(signedDigitsOf(difference))}, rounded)` +
    (named && `; largest examples: ${named}`)
  );
}
