import { keysOf } from '../../src/base/lists.ts';
import { matchKeys } from '../../src/match/match.ts';
import { bankStates, matchReasonWords } from '../../src/report/bank/words.ts';
import { causeNames } from '../../src/report/explain/cause-words.ts';
import {
  about,
  change,
  closed,
  count,
  either,
  type Fields,
  flag,
  listOf,
  named,
  object,
  oneOf,
  only,
  open,
  orNull,
  shared,
  text,
  texts,
} from './form.ts';
import {
  accepted,
  account,
  amount,
  amountsOf,
  byVerdict,
  charged,
  code,
  confirmed,
  day,
  days,
  document,
  fault,
  figures,
  finding,
  findings,
  line,
  lines,
  measureAmounts,
  netAndAbsolute,
  points,
  proposed,
  range,
  rate,
  rule,
  schema,
  settings,
  settlementKey,
  statementFinding,
  verdict,
} from './parts.ts';

const opinions = ['balanced', 'out_of_balance', 'pending', 'unknown', 'nothing'];
export const bankState = shared('bankState', oneOf(...keysOf(bankStates)));
export const matchedBy = orNull(shared('matchedBy', oneOf(...matchKeys)));
export const matchReason = orNull(shared('matchReason', oneOf(...keysOf(matchReasonWords))));

/** A settlement as `settlements`, `explain` and `listen` write it. */
export const settlement = shared(
  'settlement',
  open({
    ...settlementKey,
    merchantId: text,
    paymentService: text,
    currency: text,
    decimalPlaces: count,
    status: about('The service’s own word', text),
    serviceSays: oneOf(...opinions),
    sumsSay: oneOf('balanced', 'out_of_balance', 'incomplete'),
    verdict,
    verdictReason: orNull(only('unknown_status')),
    complete: about('Whether all of its rows were read', flag),
    'restsOn?': about(
      'The figures that are stated, so that the verdict rests on them; absent if all are',
      listOf(oneOf('gross', 'fees', 'tax', 'payIn', 'transactions')),
    ),
    reported: about('What the header says', figures),
    computed: about('What the rows add up to; null if not all were read', orNull(figures)),
    difference: about('Reported − computed', orNull(figures)),
    discrepancies: findings,
    notices: findings,
    paymentReferences: texts,
    paymentEndToEndIds: texts,
    explanation: about('The best explanation, or what could not be read', orNull(text)),
    accepted,
    byRule: listOf(
      object({
        rule,
        rows: count,
        change: about('What the rule adds to the computed figures', orNull(figures)),
        message: text,
      }),
    ),
  }),
);

const onBank = orNull(
  object({
    state: bankState,
    matchedBy,
    reason: matchReason,
    dates: days,
    ...amountsOf('received', 'difference'),
    decimalPlaces: count,
    ageDays: orNull(count),
    accepted,
    confirmed,
  }),
);
export const cause = shared('cause', oneOf(...keysOf(causeNames)));
export const causes = shared(
  'causes',
  about(
    'The facts of each cause: `rule`, `state`, `type`, `neighbour`, `rates`, `amounts` and others',
    listOf(open({ code: cause })),
  ),
);
const explainedBy = {
  'certainty?': about('Of the explanation', oneOf('certain', 'likely', 'one_of_several')),
  'causes?': causes,
};
/** A settlement with more. */
export const settlementWith = (more: Fields) =>
  named('settlement', { ...settlement, ...open(more) });

const withBank = settlementWith({ 'bank?': onBank, ...explainedBy });

const part = object({ settlements: count, payIn: amount });
const parts: Fields = {
  'settlementDate?': day,
  'settlementMonth?': text,
  'accountingToken?': account['accountingToken'] ?? text,
  'accountingName?': account['accountingName'] ?? text,
  'transactionType?': text,
  'paymentType?': text,
  currency: text,
  decimalPlaces: count,
};
const ofHeaders = open({
  ...parts,
  settlements: byVerdict,
  reported: measureAmounts,
  computed: measureAmounts,
  difference: about('Net: the differences with their signs', measureAmounts),
  differenceAbsolute: about('The differences without their signs', measureAmounts),
  outOfBalance: orNull(netAndAbsolute),
  pendingPayIn: amount,
  unknownStatus: part,
  overdue: part,
  mixedDecimalPlaces: listOf(count),
  accepted: object({ settlements: count, ...amountsOf('net', 'absolute') }),
  byRule: listOf(
    object({
      rule,
      settlements: count,
      rows: count,
      change: figures,
      notApplied: about('Settlements to which it could not be applied', count),
      message: text,
    }),
  ),
  'feesPercent?': object({ reported: rate, computed: rate }),
});
const ofRows = open({ ...parts, computed: figures, feesPercent: object({ computed: rate }) });
const group = named('group', either(ofHeaders, ofRows));

const feeRate = named(
  'feeRate',
  open({
    ...account,
    currency: text,
    paymentType: text,
    decimalPlaces: count,
    earlier: orNull(charged),
    now: orNull(charged),
    change: points,
  }),
);

const term = shared(
  'term',
  object({
    figure: oneOf('count', 'gross', 'fees', 'tax', 'pay_in'),
    form: oneOf('times', 'rate', 'rate_by_row', 'step'),
    measure: oneOf(
      'settlements',
      'rows',
      'charges',
      'gross',
      'fees',
      'tax',
      'fees_and_tax',
      'pay_in',
    ),
    of: oneOf('rows', 'header', 'in_full', 'in_part'),
    'trait?': oneOf('type', 'state', 'paymentType'),
    'value?': text,
    'amount?': about('For each of a count, or the step', text),
    'factor?': change,
    'percent?': text,
    'rounding?': oneOf('half_up', 'half_even', 'down', 'up'),
  }),
);
export const patterns = shared(
  'patterns',
  about(
    'What holds in all settlements of an account and currency of which it says something',
    listOf(
      object({
        ...account,
        currency: text,
        settlements: about('In how many it holds', count),
        tested: count,
        settlementIds: texts,
        wholly: about('In how many it explains everything', count),
        decimalPlaces: count,
        terms: listOf(term),
        alternatives: about('What says the same of these settlements', listOf(term)),
        identity: about('The identity that makes it needless', orNull(text)),
        message: text,
      }),
    ),
  ),
);

const summary = named(
  'summary',
  open({
    range: orNull(range),
    settings,
    verdict,
    completeness: object({
      complete: flag,
      settlements: count,
      transactions: count,
      unread: about('The ids of pending settlements that were not fully read', texts),
    }),
    'comparison?': object({ range, settlements: byVerdict, complete: flag, limit: points }),
    'bank?': object({
      verdict: oneOf('incomplete', 'not_reconciled', 'reconciled'),
      message: text,
      statementFindings: listOf(closed(statementFinding)),
    }),
    ignored: listOf(
      object({
        code,
        currency: text,
        decimalPlaces: count,
        settlements: count,
        difference: orNull(netAndAbsolute),
      }),
    ),
    proposedRules: listOf(object({ ...proposed, message: text })),
    notes: texts,
    patterns,
  }),
);

const single = named('single', {
  ...summary,
  ...open({
    schema,
    groups: listOf(closed(group)),
    settlements: listOf(closed(withBank)),
    findings,
    feeRates: listOf(closed(feeRate)),
  }),
});

const outcome: Fields = { profile: text, verdict, exitCode: count };
const failed = named('failed', object({ ...outcome, error: fault }));

const ofProfile: Fields = { 'profile?': text };

/** `recon settlements`, of one profile or of several. */
export const settlements = document(
  either(
    closed(single),
    object({
      schema,
      verdict,
      profiles: listOf(either(closed(single, outcome), failed)),
    }),
  ),
  lines(
    line('settlement', withBank, ofProfile),
    line('finding', finding, ofProfile),
    line('group', group, ofProfile),
    line('feeRate', feeRate, ofProfile),
    line('summary', summary, ofProfile),
    line('summary', open({ verdict, profiles: listOf(either(object(outcome), failed)) })),
  ),
);
