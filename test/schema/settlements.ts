import { keysOf } from '../../src/base/lists.ts';
import { matchKeys } from '../../src/match/match.ts';
import { bankStates, matchReasonWords } from '../../src/report/bank/words.ts';
import { causeNames } from '../../src/report/explain/cause-words.ts';
import {
  about,
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
  text,
  texts,
} from './form.ts';
import {
  accepted,
  account,
  amount,
  amountsOf,
  byVerdict,
  code,
  day,
  document,
  fault,
  figures,
  finding,
  findings,
  line,
  measureAmounts,
  money,
  netAndAbsolute,
  points,
  proposed,
  range,
  rate,
  rule,
  schema,
  settings,
  settlementKey,
  verdict,
} from './parts.ts';

const opinions = ['balanced', 'out_of_balance', 'pending', 'unknown'];
export const bankState = oneOf(...keysOf(bankStates));
export const matchedBy = orNull(oneOf(...matchKeys));
export const matchReason = orNull(oneOf(...keysOf(matchReasonWords)));

/** A settlement as `settlements`, `explain` and `listen` write it. */
const settlementFields: Fields = {
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
};

const onBank = orNull(
  object({
    state: bankState,
    matchedBy,
    reason: matchReason,
    dates: listOf(day),
    ...amountsOf('received', 'difference'),
    decimalPlaces: count,
    ageDays: orNull(count),
    accepted,
  }),
);
export const causes = about(
  'The facts of each cause: `rule`, `state`, `type`, `neighbour`, `rates`, `amounts` and others',
  listOf(open({ code: oneOf(...keysOf(causeNames)) })),
);
const explainedBy = {
  'certainty?': about('Of the explanation', oneOf('certain', 'likely', 'one_of_several')),
  'causes?': causes,
};
const withBank = named(
  'settlement',
  open({ ...settlementFields, 'bank?': onBank, ...explainedBy }),
);

/** A settlement as `explain` and `listen` write it, with more. */
export const settlementWith = (more: Fields = {}) =>
  named('settlement', open({ ...settlementFields, ...more }));

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

const charged = orNull(
  object({ transactions: count, gross: money, fees: money, feesPercent: rate }),
);
const feeRate = named(
  'feeRate',
  open({
    ...account,
    currency: text,
    paymentType: text,
    decimalPlaces: count,
    earlier: charged,
    now: charged,
    change: points,
  }),
);

const itself: Fields = {
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
  'bank?': object({ verdict: oneOf('incomplete', 'not_reconciled', 'reconciled'), message: text }),
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
};

const single: Fields = {
  schema,
  ...itself,
  groups: listOf(closed(group)),
  settlements: listOf(closed(withBank)),
  findings: findings,
  feeRates: listOf(closed(feeRate)),
};

const outcome: Fields = { profile: text, verdict, exitCode: count };
const failed = object({ ...outcome, error: fault });

const ofProfile: Fields = { 'profile?': text };

/** `recon settlements`, of one profile or of several. */
export const settlements = document(
  either(
    object(single),
    object({
      schema,
      verdict,
      profiles: listOf(either(object({ ...outcome, ...single }), failed)),
    }),
  ),
  either(
    line('settlement', withBank, ofProfile),
    line('finding', finding, ofProfile),
    line('group', group, ofProfile),
    line('feeRate', feeRate, ofProfile),
    line('summary', open({ ...itself, ...ofProfile })),
    line('summary', open({ verdict, profiles: listOf(either(object(outcome), failed)) })),
  ),
);
