import { closeSteps } from '../../src/app/close-checklist.ts';
import { forceableCodes, unforceableCodes } from '../../src/app/close-report.ts';
import { differenceKinds } from '../../src/model/accepted-difference.ts';
import {
  about,
  count,
  type Fields,
  flag,
  listOf,
  named,
  object,
  oneOf,
  open,
  orNull,
  shared,
  text,
  texts,
} from './form.ts';
import {
  account,
  amount,
  amountsOf,
  day,
  ladderLine,
  range,
  report,
  settlementId,
  settlementKey,
  statementFinding,
  sums,
  why,
} from './parts.ts';
import { bankState } from './settlements.ts';

const money: Fields = { currency: text, decimalPlaces: count };
const settlements = listOf(settlementId);

const figures: Fields = {
  ...money,
  ...amountsOf('opening', 'changed', 'gross', 'fees', 'tax', 'payInDifference', 'settled'),
  ...amountsOf('received', 'bankCharges', 'over', 'short', 'closing'),
};

const bridgeFigures: Fields = amountsOf(
  ...(['movement', 'cleared', 'over', 'bankCharges', 'suspense', 'byRule', 'unrelated'] as const),
);

const point = shared('point', object({ code: text, count, amounts: sums, message: text }));

/** `recon close --list`. */
export const closeList = report(
  { register: text },
  {
    closes: [
      'close',
      open({
        ...{ number: count, profile: text, from: day, to: day, state: text, at: text, by: text },
        note: text,
        forced: about('Whether it was recorded in spite of something', flag),
        points: listOf(point),
        reopens: about('The number of the close that this record reopens', orNull(count)),
      }),
    ],
  },
);

const change = named(
  'changeSinceClose',
  open({
    ...{ settlements, date: day, reason: oneOf('restated', 'late', 'gone') },
    ...{ ...account, ...money, ...amountsOf('before', 'after', 'difference') },
    ...amountsOf('gross', 'fees', 'tax', 'payIn'),
  }),
);

/** `recon close`. */
export const close = report(
  {
    range,
    profile: orNull(text),
    verdict: oneOf('ready', 'not_ready', 'incomplete', 'closed'),
    businessDays: about(
      'The calendars that due days go by; null for a close of before without statements',
      orNull(text),
    ),
    continues: about('Whether the range begins on the day after the last close', flag),
    takesZero: about('Whether nothing says what was in transit before, so that it is 0', flag),
    accruedSalesUntil: about(
      'The last day whose settlements are read for accrued sales; null if none are booked',
      orNull(day),
    ),
    closed: about(
      'The closes over days of the range',
      listOf(
        object({
          ...{ number: count, from: day, to: day, at: text, by: text, note: text, message: text },
        }),
      ),
    ),
    recorded: about(
      'The close as the register has it, and in spite of what it was recorded',
      orNull(object({ number: count, at: text, by: text, note: text, forced: listOf(point) })),
    ),
    unexplained: about('What needs a decision, by currency', sums),
    notes: texts,
  },
  {
    checklist: [
      'step',
      open({
        step: oneOf(...closeSteps),
        answer: about('As its own report says; null if it is not set up', orNull(text)),
        points: about('How many of the blockers are of this step', count),
        toDecide: about('How many things of them a person decides', count),
        accepted: about('How many of the accepted differences are of this step', count),
        count: about('What they count together', count),
        amounts: sums,
        codes: texts,
        command: text,
      }),
    ],
    ladders: [
      'ladder',
      open({
        ...money,
        lines: about(
          'What stands before a total adds up to it; the first total begins',
          listOf(ladderLine),
        ),
      }),
    ],
    lines: ['line', named('rollForward', open({ ...account, ...figures }))],
    totals: ['total', open(figures)],
    items: [
      'item',
      open({
        ...{ settlements, date: day, dueUntil: orNull(day), ...account, ...money },
        ...amountsOf('payIn', 'received', 'bankCharges', 'over', 'short', 'open'),
        ...{ ageDays: count, daysLate: count, state: orNull(bankState) },
      }),
    ],
    changes: ['change', change],
    changedSince: ['changedSince', change],
    toSuspense: [
      'toSuspense',
      open({ date: day, settlements, ...account, ...money, ...amountsOf('over', 'short') }),
    ],
    accruedSales: ['accrued', open({ ...account, ...money, amount })],
    pending: ['pending', open({ ...settlementKey, status: text, ...money, payIn: amount })],
    bridge: [
      'bankAccount',
      open({
        ...{ account: text, ...money, isProven: flag },
        ...{ ...bridgeFigures, ...amountsOf('opening', 'residual', 'closing') },
        entries: about(
          'Its booked entries, and what each adds to these amounts',
          listOf(object({ id: text, date: day, ...bridgeFigures })),
        ),
      }),
    ],
    checks: [
      'check',
      open({ ...money, holds: flag, ...amountsOf('closing', 'items', 'inTransit', 'suspense') }),
    ],
    blockers: [
      'blocker',
      open({
        code: oneOf(...unforceableCodes, ...forceableCodes),
        forceable: about('Whether a note is enough to close in spite of it', flag),
        count,
        amounts: sums,
        examples: texts,
        message: text,
        next: about('What settles it', text),
      }),
    ],
    carried: [
      'carried',
      open({
        close: about('The number of the close that was forced over it', count),
        ...{ from: day, to: day, code: oneOf(...forceableCodes) },
        id: about('Of the order, settlement or bank entry', text),
        amounts: about('As they were then', sums),
        isCounted: about('Whether it is among the blockers of this close too', flag),
        message: text,
      }),
    ],
    accepted: [
      'accepted',
      open({
        kind: oneOf(...differenceKinds),
        id: about('Of the settlement or the bank entry, or the reference of the order', text),
        date: orNull(day),
        ...{ ...money, difference: amount, ...why },
      }),
    ],
    statementFindings: ['statementFinding', statementFinding],
  },
  ['bridge'],
);
