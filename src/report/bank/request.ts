import type { BankReport } from '../../app/bank-report.ts';
import type { Decision } from '../../app/decisions.ts';
import { groupedBy } from '../../base/lists.ts';
import { daysCovered } from '../../match/business-days.ts';
import type { BankState } from '../../match/match.ts';
import { amountsCompared, differenceKey } from '../../model/accepted-difference.ts';
import { answerBlock, facts, listed } from '../common/blocks.ts';
import { enumerate, moneyText, signedMoneyText } from '../common/phrase.ts';
import type { View } from '../common/view.ts';
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
};

/** What to send to the provider about a pay-out that has not arrived as it should; undefined for other differences. */
export function payoutRequest(
  { difference, match }: Decision,
  bank: BankReport | undefined,
): View | undefined {
  const { kind, id } = differenceKey(difference);
  if (!match || !bank || kind !== 'bank') return undefined;
  const { state, reason, settlements, entries, scale, currency } = match;
  const isAmbiguous = state === 'ambiguous';
  const words = requests[isAmbiguous ? 'suggested' : state];
  if (!words) return undefined;
  const isPaid = state === 'difference' || state === 'returned';
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
  return [
    answerBlock(
      `Pay-out of ${enumerate(asked.map(({ date }) => date))}: ${what}`,
      bankStates[state][1],
      `Expected ${moneyText(money(expected))}, received ${moneyText(money(received))}: difference ${signedMoneyText(money(off))}.`,
    ),
    ...asked.map((one) =>
      facts([
        ['settlementId', one.id],
        ['merchantId', one.merchantId],
        ['paymentService', one.paymentService],
        ['settlementStatus', one.status],
        ['Settlement date', one.date],
        ['Net pay-out', moneyText({ minor: one.payIn, scale: one.scale, currency })],
        ['Due until', bank.businessDays.daysDue(one).to],
        ['paymentEndToEndIds', one.paymentEndToEndIds.join(', ') || 'none'],
        ['paymentReferences', one.paymentReferences.join(', ') || 'none'],
      ]),
    ),
    ...(isPaid ? listed('Booked', booked) : listed('Not booked', accountTexts(bank, currency))),
    ...listed('Our request', [words[1]]),
  ];
}

/** The accounts on which the money of a currency was looked for, and until which day. */
function accountTexts({ statements }: BankReport, currency: string): readonly string[] {
  const own = statements.statements.filter((one) => one.currency === currency);
  return [...groupedBy(own, ({ account }) => account)].map(([account, those]) => {
    const days = daysCovered(those);
    return `on account ${account}, from ${days?.from ?? '?'} to ${days?.to ?? '?'}`;
  });
}
