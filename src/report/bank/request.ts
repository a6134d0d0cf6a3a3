import type { BankReport } from '../../app/bank-report.ts';
import type { CloseReport } from '../../app/close-report.ts';
import type { Decision } from '../../app/decisions.ts';
import { groupedBy } from '../../base/lists.ts';
import { daysCovered } from '../../match/business-days.ts';
import type { BankState } from '../../match/match.ts';
import { amountsCompared, differenceKey } from '../../model/accepted-difference.ts';
import type { Settlement } from '../../model/settlement.ts';
import { answerBlock, facts, listed } from '../common/blocks.ts';
import { enumerate, moneyText, signedMoneyText } from '../common/phrase.ts';
import type { Block, View } from '../common/view.ts';
import { bankStates, matchReasonWords } from './words.ts';

/** What is said of a pay-out, and what is asked. */
const requests: Readonly<Partial<Record<BankState, readonly [what: string, request: string]>>> = {
  missing_on_bank: [
    'not received',
    'Please tell us when and to which account it was paid, or pay it.',
  ],
  difference: ['another amount received', 'Please tell us why, or correct it.'],
  returned: [
    'returned by our bank',
    'Please check the account number that it was paid to, and pay it again.',
  ],
  suggested: [
    'no payment with its ids received',
    'Please tell us when it was paid, and with which end-to-end id and payment reference.',
  ],
  unknown_on_bank: [
    'no settlement explains it',
    'Please tell us what it is for, and which settlement it belongs to.',
  ],
};

/**
 * What to send to the provider about money that has not arrived as it should, or that it does not explain, and about
 * settlements that are pending for too long; undefined for other differences.
 */
export function bankRequest(
  { difference, match }: Decision,
  { bank, run }: Pick<CloseReport, 'bank' | 'run'>,
): View | undefined {
  const { kind, id } = differenceKey(difference);
  if (!bank || (kind !== 'bank' && kind !== 'unknown')) return undefined;
  if (!match) {
    const pending = run.settlements.find(({ settlement }) => settlement.id === id)?.settlement;
    if (!pending) return undefined;
    const title = `Settlement of ${pending.date}: pending for too long`;
    const text = `Net pay-out ${moneyText({ ...pending, minor: pending.payIn })}, not paid yet.`;
    const request = 'Please tell us why, and when it will be settled and paid.';
    return [
      answerBlock(title, 'unsure', text),
      idFacts(pending),
      ...listed('Our request', [request]),
    ];
  }
  const { state, reason, settlements, entries, scale, currency } = match;
  const isAmbiguous = state === 'ambiguous';
  const words = requests[isAmbiguous ? 'suggested' : state];
  if (!words) return undefined;
  const isPaid = ['difference', 'returned', 'unknown_on_bank'].includes(state);
  const what = state === 'difference' && reason ? matchReasonWords[reason] : words[0];
  const { expected, received, difference: off } = amountsCompared(difference);
  const money = (minor: bigint) => ({ minor, scale, currency });
  const own = settlements.map(({ settlement }) => settlement);
  // Of those that an entry may belong to, each is asked for by itself.
  const asked = isAmbiguous ? own.filter((one) => one.id === id) : own;
  const booked = entries.map(({ entry, amount }) => {
    const paid = moneyText({ minor: amount, scale, currency: entry.currency });
    return `${paid} on ${entry.date}, account ${entry.account}`;
  });
  const whose = kind === 'unknown' ? 'Entry' : 'Pay-out';
  const days =
    kind === 'unknown' ? [differenceKey(difference).date] : asked.map(({ date }) => date);
  return [
    answerBlock(
      `${whose} of ${enumerate(days)}: ${what}`,
      bankStates[state][1],
      `Expected ${moneyText(money(expected))}, received ${moneyText(money(received))}: difference ${signedMoneyText(money(off))}.`,
    ),
    ...asked.map((one) => idFacts(one, bank.businessDays.daysDue(one).to)),
    ...(isPaid ? listed('Booked', booked) : listed('Not booked', accountTexts(bank, currency))),
    ...listed('Our request', [words[1]]),
  ];
}

/** By what the service finds a settlement. */
function idFacts(one: Settlement, dueUntil?: string): Block {
  return facts([
    ['settlementId', one.id],
    ['merchantId', one.merchantId],
    ['paymentService', one.paymentService],
    ['settlementStatus', one.status],
    ['Settlement date', one.date],
    ['Net pay-out', moneyText({ minor: one.payIn, scale: one.scale, currency: one.currency })],
    ['Due until', dueUntil],
    ['paymentEndToEndIds', one.paymentEndToEndIds.join(', ') || 'none'],
    ['paymentReferences', one.paymentReferences.join(', ') || 'none'],
  ]);
}

/** The accounts on which the money of a currency was looked for, and until which day. */
function accountTexts({ statements }: BankReport, currency: string): readonly string[] {
  const own = statements.statements.filter((one) => one.currency === currency);
  return [...groupedBy(own, ({ account }) => account)].map(([account, those]) => {
    const days = daysCovered(those);
    return `on account ${account}, from ${days?.from ?? '?'} to ${days?.to ?? '?'}`;
  });
}
