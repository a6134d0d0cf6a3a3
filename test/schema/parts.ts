import { ladderCodes } from '../../src/app/close-ladder.ts';
import { keysOf } from '../../src/base/lists.ts';
import { codesByFailure } from '../../src/cli/exit-codes.ts';
import { fieldForms } from '../../src/model/source.ts';
import { type Code, weights } from '../../src/reconcile/entry.ts';
import { identities, identityNames } from '../../src/reconcile/identity.ts';
import { signedAmounts, taxesInFees } from '../../src/reconcile/rules.ts';
import { schema as version } from '../../src/report/common/view.ts';
import { verdicts as verdictNames } from '../../src/report/common/words.ts';
import {
  about,
  beside,
  change,
  closed,
  count,
  either,
  type Fields,
  flag,
  listOf,
  matching,
  named,
  object,
  oneOf,
  only,
  open,
  orNull,
  type Schema,
  shared,
  table,
  text,
  texts,
} from './form.ts';

/** The version of reports. */
export const schema = shared('version', about('The version of the report', only(version)));

export const day = shared('day', matching('^\\d{4}-\\d{2}-\\d{2}$'));
export const days = shared('days', listOf(day));
export const range = shared('range', object({ from: day, to: day }));
export const ranges = shared('ranges', listOf(range));
const verdicts: readonly string[] = verdictNames;
export const verdict = shared('verdict', oneOf(...verdicts));
export const byVerdict = shared(
  'byVerdict',
  object(Object.fromEntries(verdicts.map((one) => [one, count]))),
);
export const code = shared('code', oneOf(...keysOf(weights)));
export const codes = shared('codes', listOf(code));
const identity = oneOf(...identities);
export const identityName = shared('identityName', oneOf(...identityNames));

const decimal = matching('^-?\\d+(\\.\\d+)?$');
const minor = matching('^-?\\d+$');
const exact = {
  amount: about('As exact decimal text', decimal),
  minor: about('In minor units', minor),
};

/** The currency and the decimal places stand beside it. */
export const amount = shared('amount', object(exact));
/** An amount that may have another currency than those beside it. */
export const money = shared('money', object({ ...exact, currency: text }));
export const moneys = shared('moneys', listOf(money));
export const sum = shared(
  'sum',
  object({ currency: orNull(text), decimalPlaces: count, ...exact }),
);
export const rate = shared('rate', about('Per cent, as decimal text', orNull(decimal)));
export const points = shared(
  'points',
  about('Percentage points, as decimal text', orNull(decimal)),
);

export function amountsOf(...names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, orNull(amount)]));
}

const measures = ['gross', 'fees', 'tax', 'payIn'] as const;
export const measureAmounts = shared('measures', object(amountsOf(...measures)));
export const figures = shared(
  'figures',
  object({ transactions: orNull(change), ...amountsOf(...measures) }),
);
/** One sum a currency. */
/** A line of a ladder from what was sold. */
export const ladderLine = shared(
  'ladderLine',
  object({
    code: oneOf(...ladderCodes),
    state: about('Of the orders or rows of a step', orNull(text)),
    isTotal: flag,
    count: orNull(count),
    amount,
  }),
);

export const sums = shared(
  'sums',
  listOf(object({ currency: text, decimalPlaces: count, ...amountsOf('net', 'absolute') })),
);
export const netAndAbsolute = shared('netAndAbsolute', object(amountsOf('net', 'absolute')));

export const account: Fields = { accountingToken: orNull(text), accountingName: orNull(text) };
export const settlementKey: Fields = { id: text, date: day, ...account };
/** The line is 0 for a whole file. */
export const place: Fields = { file: text, line: count };

export const statementFinding = shared(
  'statementFinding',
  open({
    code: oneOf(
      ...['not_read', 'other_file', 'unreadable', 'undated', 'odd_value_date', 'balance_break'],
      ...['statement_gap', 'overlap_break', 'overlap'],
    ),
    account: text,
    currency: text,
    from: text,
    to: text,
    element: text,
    found: text,
    expected: text,
    setting: about('Of a CSV file, the setting of the profile that may be wrong', orNull(text)),
    decimalPlaces: count,
    difference: orNull(amount),
    ...place,
    message: text,
  }),
);

export const settlementId = shared('settlementId', object({ id: text }));
export const settlementRef = shared('settlementKey', object(settlementKey));

export const failure = shared('failure', oneOf(...keysOf(codesByFailure)));
export const faultFields: Fields = {
  cause: failure,
  message: text,
  where: orNull(text),
  hint: orNull(text),
};
export const fault = shared('error', object(faultFields));

const notCounted = { 'state?': text, 'type?': text, count: oneOf('follows', 'stays') };
const sign = { 'type?': text, 'amount?': oneOf(...signedAmounts) };
const rounded = {
  amount: oneOf('fees', 'tax'),
  of: oneOf('row', 'total'),
  round: oneOf('half_up', 'half_even'),
};
const rules = shared(
  'rules',
  object({
    'not_counted?': listOf(object(notCounted)),
    'signs?': listOf(object(sign)),
    'rounding?': listOf(object(rounded)),
    'tax_in_fees?': oneOf(...taxesInFees),
  }),
);
export const rule = shared(
  'rule',
  either(
    object({ rule: only('not_counted'), ...notCounted }),
    object({ rule: only('signs'), ...sign }),
    object({ rule: only('rounding'), ...rounded }),
    object({ rule: only('tax_in_fees'), tax: oneOf(...taxesInFees) }),
  ),
);
export const proposed = {
  rule,
  settlements: about('How many it explains', count),
  tested: about('On how many it was tested; none contradicts it', count),
  settlementIds: texts,
};

export const filters = shared('filters', object({ 'mid?': text, 'cid?': change, 'chid?': change }));

/** The merchant's notes. */
export const notes = shared('notes', listOf(object({ key: text, value: text })));

/** How settlements were judged. */
export const settings = shared(
  'settings',
  object({
    profile: orNull(text),
    identity,
    tolerance: about('In minor units', minor),
    ignored: codes,
    expectedScales: about('Decimal places by currency', table(count)),
    rules,
    filters,
  }),
);

const compared = (value: Schema): Fields => ({
  reported: value,
  computed: value,
  difference: value,
});
const comparedMoney = compared(money);
const odd = { field: text, found: text, expected: text };
export const oddAnswers = shared('oddAnswers', listOf(object(odd)));
export const unreadable = shared(
  'unreadable',
  object({ record: text, ...odd, expected: oneOf(...fieldForms) }),
);
const unsteady = oneOf('walks_disagree', 'no_progress', 'too_long');
export const charged = shared(
  'charged',
  object({ transactions: count, gross: money, fees: money, feesPercent: rate }),
);

export const completeness = shared(
  'completeness',
  object({ complete: flag, settlements: count, transactions: count }),
);

/** The facts of each code. */
const facts: Readonly<Record<Code, Fields>> = {
  gross: comparedMoney,
  fees: comparedMoney,
  tax: comparedMoney,
  pay_in: comparedMoney,
  missing_files: {
    examples: listOf(
      either(
        object({ kind: only('numbers'), account: text, from: text, to: text }),
        object({
          kind: only('carried'),
          account: text,
          from: text,
          to: text,
          out: money,
          arrived: money,
        }),
        object({
          kind: oneOf('no_payout', 'no_rows'),
          account: text,
          from: text,
          rows: count,
          sum: money,
          examples: texts,
        }),
        object({ kind: only('files_differ'), account: text, from: text, files: texts }),
      ),
    ),
  },
  repeated_files: { examples: listOf(object({ file: text, lines: count })) },
  count: { ...compared(change), 'listed?': count },
  identity: { ...compared(money), identity: identityName },
  reported_by_service: { status: text },
  currency: {
    totals: listOf(object({ transactions: count, gross: money, fees: money, tax: money })),
    examples: texts,
  },
  conflicting_transaction: {
    examples: listOf(object({ transactionId: text, amounts: moneys, fields: texts })),
  },
  conflicting_settlement: { contents: count, fields: texts },
  foreign_settlement: { settlementIds: texts, examples: texts },
  within_tolerance: {
    tolerance: money,
    differences: listOf(object({ measure: oneOf(...measures), difference: money })),
  },
  duplicate_transaction: { copies: count, examples: texts },
  scale: { decimalPlaces: count, others: listOf(count), examples: texts },
  unusual_scale: { currency: text, decimalPlaces: count, expected: count },
  unknown_value: { examples: listOf(object({ field: text, value: text })) },
  outside_range: { date: day, range },
  overdue: { today: day, pendingDays: count, days: count, payIn: money },
  unreadable_record: { examples: listOf(unreadable) },
  unsteady_read: { reason: unsteady },
  not_read: { reason: text },
  shared_transaction: {
    examples: listOf(object({ transactionId: text, settlementIds: texts })),
  },
  unsteady_headers: { reason: unsteady },
  unreadable_header: { examples: listOf(unreadable) },
  unusual_answer: { examples: oddAnswers },
  missing_day: { examples: ranges },
  incomplete_day: { examples: ranges },
  fee_drift: {
    accountingToken: text,
    currency: text,
    paymentType: text,
    earlier: charged,
    now: charged,
    change: points,
    limit: points,
    atEarlierRate: money,
    difference: money,
    examples: listOf(
      object({ transactionId: text, settlement: settlementId, amount: money, fees: money }),
    ),
  },
  above_agreed_rate: { claim: moneys, rates: texts, examples: texts },
};

export const overdueFacts = shared('overdue', object(facts.overdue));

/** Facts that several codes have, or other reports too. */
const sharedFacts = new Map<Fields, Schema>([
  [facts.overdue, overdueFacts],
  [comparedMoney, shared('compared', object(comparedMoney))],
]);
const factsOfCode = keysOf(facts).map((one) =>
  open({ code: only(one), facts: sharedFacts.get(facts[one]) ?? object(facts[one]) }),
);

/** Something that was found. */
export const finding = shared('finding', {
  ...open({
    code,
    weight: oneOf('discrepancy', 'notice', 'incomplete', 'ignored'),
    message: text,
    count,
    facts: { type: 'object' },
  }),
  ...either(...factsOfCode),
});
export const findings = shared('findings', listOf(closed(finding)));

export const why: Fields = {
  reason: text,
  by: text,
  acceptedOn: day,
  acceptedUntil: orNull(day),
};
export const changedFields = shared(
  'changedFields',
  listOf(object({ field: text, before: text, after: text })),
);
export const accepted = shared(
  'accepted',
  orNull(
    object({
      state: oneOf('accepted', 'expired', 'changed'),
      ...why,
      changes: changedFields,
      message: text,
    }),
  ),
);

/** The confirmations of a match. */
export const confirmed = shared('confirmed', listOf(object({ ...why, places: texts })));

/** A report as one document, and as lines. */
export function document(whole: Schema, line: Schema): Schema {
  return { ...whole, $defs: { line } };
}

/** A line of a type, one of `lines`. */
export function line(type: string, item: Schema, more: Fields = {}): Schema {
  return beside(item, { 'type?': only(type), ...more });
}

/** The lines of a report: each has a type and the version. */
export function lines(...all: readonly Schema[]): Schema {
  return { ...closed(either(...all), { schema }), required: ['type', 'schema'] };
}

type Lists = Readonly<Record<string, readonly [type: string, item: Schema]>>;

/**
 * A report by what it says of itself and its lists, each with the type of its lines; the summary is last. One of several
 * profiles has the reports of all, and beside them these lists, or all that the report of one has.
 */
export function report(
  itself: Fields,
  lists: Lists,
  ofSeveral?: 'all' | readonly string[],
): Schema {
  const summary = named('summary', open(itself));
  const items = Object.entries(lists).map(([list, [type, item]]) => ({
    ...{ list, type },
    // It stands in the document and in a line.
    item: '$ref' in item ? item : named(type, item),
  }));
  const listsOf = (those: typeof items): Fields => ({
    schema,
    ...Object.fromEntries(those.map(({ list, item }) => [list, listOf(closed(item))])),
  });
  const whole = listsOf(items);
  if (!ofSeveral) {
    return document(
      closed(summary, whole),
      lines(...items.map(({ type, item }) => line(type, item)), line('summary', summary)),
    );
  }
  const { verdict: own = text } = itself;
  const outcome: Fields = { profile: text, verdict: own, exitCode: count };
  const failed = object({ ...outcome, error: fault });
  const single = named('single', { ...summary, ...open(whole) });
  const ofEach = listOf(either(closed(single, outcome), failed));
  const outcomes = listOf(either(object(outcome), failed));
  const isAll = ofSeveral === 'all';
  const beside = listsOf(items.filter(({ list }) => !isAll && ofSeveral.includes(list)));
  return document(
    isAll
      ? closed(single, { 'profiles?': ofEach })
      : either(closed(single), object({ ...beside, verdict: own, profiles: ofEach })),
    lines(
      ...items.map(({ type, item }) => line(type, item, { 'profile?': orNull(text) })),
      line('summary', summary, isAll ? { 'profiles?': outcomes } : {}),
      ...(isAll ? [] : [line('summary', open({ verdict: own, profiles: outcomes }))]),
    ),
  );
}
