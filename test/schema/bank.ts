import {
  about,
  change,
  count,
  flag,
  listOf,
  named,
  object,
  oneOf,
  open,
  orNull,
  shared,
  table,
  text,
  texts,
} from './form.ts';
import {
  accepted,
  account,
  amount,
  amountsOf,
  confirmed,
  day,
  filters,
  findings,
  netAndAbsolute,
  place,
  range,
  report,
  settlementKey,
  statementFinding,
} from './parts.ts';
import { bankState, matchedBy, matchReason } from './settlements.ts';

const entry = shared(
  'bankEntry',
  open({
    id: text,
    account: about('The number of the bank account', text),
    currency: text,
    date: day,
    valueDate: text,
    status: oneOf('booked', 'pending'),
    isReversal: flag,
    returnReason: text,
    bankReference: text,
    part: about(
      'The part of the entry that belongs here, from 1; null for all of it',
      orNull(count),
    ),
    amount,
    charges: about(
      'What the bank says it charged for the whole entry; null if nothing',
      orNull(amount),
    ),
    counterparty: texts,
    counterpartyAccount: texts,
    endToEndIds: texts,
    paymentInformationIds: texts,
    references: texts,
    texts,
    ...place,
  }),
);

const payout = object({
  ...settlementKey,
  merchantId: text,
  status: about('The service’s own word', text),
  paymentReferences: texts,
  paymentEndToEndIds: texts,
  ...amountsOf('expected', 'received', 'difference'),
});

const statement = shared(
  'bankStatement',
  open({
    format: about('Such as `camt.053` or `CSV`', text),
    setting: about('The mapping of a CSV file in the profile', orNull(text)),
    account: text,
    currency: text,
    number: text,
    from: text,
    to: text,
    entries: count,
    isWhole: flag,
    decimalPlaces: count,
    ...amountsOf('opening', 'sum', 'closing'),
    checked: flag,
    notCheckedBecause: orNull(
      oneOf(
        ...['no_opening_balance', 'no_closing_balance', 'no_balances', 'other_currency'],
        ...['partly_read', 'notification'],
      ),
    ),
    ...place,
  }),
);

const stateTotal = object({
  settlements: count,
  entries: count,
  expected: amount,
  received: amount,
  difference: orNull(netAndAbsolute),
});

const match = named(
  'match',
  open({
    match: count,
    state: bankState,
    matchedBy,
    reason: matchReason,
    rule: about('The text of the rule of the profile that takes it', orNull(text)),
    accepted,
    confirmed,
    currency: text,
    decimalPlaces: count,
    ...amountsOf('expected', 'received', 'difference'),
    ageDays: orNull(change),
    settlements: listOf(payout),
    entries: listOf(entry),
    'rivals?': about(
      'Pay-outs of other profiles to which the entries may belong as well',
      listOf(object({ profile: text, settlementId: text })),
    ),
  }),
);

/** `recon bank`, of one profile or of several. */
export const bank = report(
  {
    range,
    profile: orNull(text),
    filters,
    verdict: oneOf('incomplete', 'not_reconciled', 'reconciled'),
    paidFrom: about('The accounts that the service pays from', texts),
    businessDays: about('The calendars that due days go by', text),
    isEarlierKnown: about('Whether it is known what was in transit before the range', flag),
    repeatedEntries: count,
    findings: findings,
    notes: texts,
  },
  {
    totals: [
      'total',
      open({
        ...account,
        currency: text,
        decimalPlaces: count,
        states: table(named('stateTotal', stateTotal), bankState),
      }),
    ],
    matches: ['match', match],
    earlier: ['earlier', match],
    movements: [
      'movement',
      open({
        ...{ account: text, currency: text, decimalPlaces: count },
        ...amountsOf('movement', 'received', 'earlier', 'unknown', 'byRule', 'unrelated'),
        earlierEntries: about('How many entries are for pay-outs of days before the range', count),
      }),
    ],
    statements: ['statement', statement],
    statementFindings: ['statementFinding', statementFinding],
  },
  'all',
);

/** `recon bank --entries`. */
export const bankEntries = report(
  {
    range: about('The booking dates that were asked for; null for all', orNull(range)),
    profile: orNull(text),
    isWhole: about('Whether all of it could be read', flag),
  },
  {
    entries: ['entry', entry],
    statements: ['statement', statement],
    statementFindings: ['statementFinding', statementFinding],
  },
);
