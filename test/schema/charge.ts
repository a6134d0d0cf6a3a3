import { keysOf } from '../../src/base/lists.ts';
import { responseFields, summaryAmounts } from '../../src/model/charge.ts';
import { saidFields } from '../../src/model/webhook.ts';
import { row } from './explain.ts';
import {
  about,
  closed,
  count,
  either,
  type Fields,
  flag,
  listOf,
  matching,
  named,
  nothing,
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
  account,
  document,
  fault,
  findings,
  line,
  lines,
  money,
  moneys,
  notes,
  range,
  report,
  settlementId,
  settlementRef,
  verdict,
} from './parts.ts';
import { settlement } from './settlements.ts';

const outcome = oneOf('in_progress', 'success', 'failure', 'refunded');

const inSettlements = object({
  complete: flag,
  relation: about(
    'How the settled amount compares with the rows',
    oneOf(
      ...['equal', 'equal_after_fees', 'equal_before_refunds', 'equal_after_refunds'],
      ...['equal_before_dispute', 'refund', 'not_settled'],
      ...['unknown', 'differs'],
    ),
  ),
  settled: orNull(money),
  gross: orNull(money),
  difference: orNull(money),
  rowsInOtherCurrency: count,
  rows: listOf(object({ listedIn: settlementRef, ...row })),
});

/** A charge as `charge` and `listen` write it. */
const chargeItem = shared(
  'charge',
  open({
    chargeId: text,
    status: about('The service’s own word', text),
    outcome: about('What the status means', outcome),
    approved: flag,
    hadBeenCompleted: flag,
    handling: object({
      rule: oneOf(
        ...['hold', 'hold_until_timeout', 'fulfil', 'settled', 'release', 'refunded', 'as_pending'],
      ),
      message: text,
    }),
    remarks: listOf(
      object({
        code: oneOf('partial_refund', 'completed_but_not_approved', 'refund_event', 'disputed'),
      }),
    ),
    order: object({
      orderId: text,
      reference: text,
      details: notes,
      amount: orNull(money),
    }),
    ...account,
    summaryAmounts: object({
      ...Object.fromEntries(keysOf(summaryAmounts).map((name) => [name, orNull(money)])),
      outOfBalance: moneys,
      outOfBalanceOther: texts,
    }),
    event: object({ number: orNull(count), action: text, source: text, status: text }),
    errorMessage: orNull(text),
    payments: listOf(
      object({
        instrumentId: text,
        instrumentType: text,
        ledgerType: text,
        savedForLater: orNull(flag),
        instrumentReference: text,
      }),
    ),
    'inSettlements?': inSettlements,
    'notForCustomers?': object({
      processingResponses: listOf(
        object(Object.fromEntries(keysOf(responseFields).map((name) => [name, text]))),
      ),
    }),
  }),
);

/** `recon charge`. */
export const charge = report(
  {
    completeness: object({ complete: flag, charges: count, failures: count }),
    'settlements?': object({ range, count }),
  },
  {
    charges: ['charge', chargeItem],
    failures: ['failure', open({ chargeId: text, error: fault })],
  },
);

const said: Fields = Object.fromEntries(keysOf(saidFields).map((name) => [name, text]));
const came = named(
  'came',
  open({
    event: about('The name of its file in the journal', text),
    receivedAt: matching('^\\d{4}-\\d{2}-\\d{2}T.*Z$'),
    webhook: about(
      'As received',
      either(
        object({ kind: only('settlement'), settlement: settlementId, ...said }),
        object({ kind: only('charge'), chargeId: text, ...said }),
        object({ kind: only('unknown'), 'fields?': texts }),
      ),
    ),
    differences: listOf(
      object({
        code: oneOf('service_id_of_webhook', 'service_id_of_settlement'),
        other: text,
        charge: text,
      }),
    ),
    setAside: orNull(object({ path: text, reason: text })),
  }),
);

const answered = (fields: Fields) => line('event', { ...came, ...open(fields) });

/** A line of `recon listen`. */
const event = lines(
  answered({ answer: only('settlement'), verdict, findings, settlement: closed(settlement) }),
  answered({ answer: only('charge'), verdict: outcome, charge: closed(chargeItem) }),
  answered({
    answer: oneOf('not_found', 'not_an_id', 'not_recognised', 'failed'),
    verdict: nothing,
    'message?': text,
    'error?': fault,
  }),
);

/** `recon listen` writes lines alone. */
export const listen = document(event, { $ref: '#' });
