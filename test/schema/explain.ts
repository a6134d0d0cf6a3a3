import {
  about,
  change,
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
  amountsOf,
  completeness,
  days,
  fault,
  figures,
  finding,
  findings,
  money,
  moneys,
  range,
  report,
  settings,
  settlementId,
  verdict,
} from './parts.ts';
import { cause, causes, patterns, settlementWith } from './settlements.ts';

/** A row that an explanation or a charge is about. */
export const row: Fields = {
  transactionId: text,
  chargeId: text,
  type: text,
  state: text,
  settlement: about('The settlement that the row itself names', settlementId),
  amount: money,
  fees: money,
  tax: money,
};

const arithmetic = object({
  step: oneOf('gross', 'fees', 'tax', 'carried', 'pay_in_that_follows', 'pay_in_reported'),
  sign: about('How it enters the pay-in: 1, -1, or 0 where it does not', change),
  ...amountsOf('reported', 'computed', 'difference'),
});

const tested = object({
  codes: about('The causes that were tested together', listOf(cause)),
  causes,
  outcome: about(
    'Whether they explain all differences, some, or none; or were not searched for',
    oneOf('explains', 'partly', 'ruled_out', 'not_searched'),
  ),
  explained: orNull(figures),
  residual: orNull(figures),
  rows: about('The first rows that they are about', listOf(named('row', object(row)))),
  rowCount: count,
  assumesAmounts: about('Whether amounts of unknown origin are assumed', flag),
  candidates: about('How many choices of rows fit as well, this one included', count),
  tried: about('How many causes or rows were tried one by one', count),
  message: text,
});

const chargeFinding = either(
  object({ code: only('settled_differs'), settled: money, rows: money, difference: money }),
  object({ code: oneOf('disputed', 'reversed', 'canceled'), amount: money }),
  object({ code: only('refunded'), amount: money, whole: flag }),
  object({ code: only('out_of_balance'), status: text, amounts: moneys, others: texts }),
  object({ code: only('status_contradicts'), status: text }),
);
const charges = object({
  named: about('How many charges the rows name', count),
  read: count,
  notRead: listOf(object({ chargeId: text, reason: text })),
  charges: listOf(
    object({
      chargeId: text,
      status: text,
      transactionIds: texts,
      findings: listOf(chargeFinding),
      message: orNull(text),
    }),
  ),
});

const explained = settlementWith({
  findings: about('Why its header is uncertain', findings),
  arithmetic: about('From gross to pay-in, as reported and as computed', listOf(arithmetic)),
  tested: about('Everything that was tested, the best explanation first', listOf(tested)),
  certainty: orNull(oneOf('certain', 'likely', 'one_of_several')),
  mayBeChance: about('Whether the best explanation may fit by chance', flag),
  alternatives: about('How many other explanations keep the best from being certain', count),
  neighbours: orNull(count),
  residual: about('What the best explanation leaves', orNull(figures)),
  daysNotSearched: days,
  charges: orNull(charges),
  neighbourDays: about('Days searched before and after', count),
  neighboursWithRows: count,
});

const itself = {
  range: orNull(range),
  settings,
  verdict,
  completeness,
  patterns,
};

/** `recon explain`. */
export const explain = report(itself, {
  findings: ['finding', finding],
  settlements: ['settlement', explained],
  failures: ['failure', open({ settlement: settlementId, error: fault })],
});
