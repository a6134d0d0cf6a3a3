import type {
  AcceptedBankDifference,
  AcceptedReceipt,
  UnknownReceipt,
} from '../model/accepted-difference.ts';
import { rescale } from '../money/money.ts';
import {
  type Acceptance,
  type AcceptanceChange,
  type AcceptedDifferences,
  acceptanceBy,
  receiptKey,
} from '../reconcile/acceptance.ts';
import { type BankMatch, entryKey } from './match.ts';

type AcceptedOnBank = AcceptedBankDifference | AcceptedReceipt;

/**
 * The accepted line of a match, if it has one. Only a difference or an unknown receipt can have one. The line
 * of a batch names one of its settlements, and has the amounts of the batch.
 */
export function bankAcceptanceOf(
  match: BankMatch,
  accepted: AcceptedDifferences | undefined,
): Acceptance<AcceptedOnBank> | undefined {
  if (!accepted) return undefined;
  const acceptances = linesOf(match, accepted).map((line) =>
    acceptanceBy(line, compared(line, match), accepted.today),
  );
  return acceptances.find(({ state }) => state === 'accepted') ?? acceptances[0];
}

/** The line that accepts a match as it is, if any. */
export function acceptingLine(match: BankMatch, accepted: AcceptedDifferences | undefined) {
  const acceptance = bankAcceptanceOf(match, accepted);
  return acceptance?.state === 'accepted' ? acceptance.line : undefined;
}

function linesOf(match: BankMatch, { onBank, receipts }: AcceptedDifferences) {
  const receipt = receiptOf(match);
  const lines: readonly (AcceptedOnBank | undefined)[] = receipt
    ? [receipts.get(receiptKey(receipt))]
    : match.state === 'difference'
      ? match.settlements.map(({ settlement }) => onBank.get(settlement.id.toLowerCase()))
      : [];
  return lines.flatMap((line) => line ?? []);
}

/** What a match has of a receipt that no pay-out explains, by its first entry; undefined for any other match. */
export function receiptOf(match: BankMatch): UnknownReceipt | undefined {
  const [first] = match.entries;
  if (match.state !== 'unknown_on_bank' || !first) return undefined;
  const { currency, scale, expected, received } = match;
  const { account: bankAccount, date: bookingDate } = first.entry;
  const entryId = entryKey(first);
  return { entryId, bankAccount, bookingDate, currency, scale, expected, received };
}

function compared(
  line: AcceptedOnBank,
  { currency, scale: ofMatch, expected, received }: BankMatch,
): readonly AcceptanceChange[] {
  const scale = Math.max(line.scale, ofMatch);
  const amount = (field: string, before: bigint, after: bigint) => ({
    field,
    before: { minor: rescale(before, line.scale, scale), scale },
    after: { minor: rescale(after, ofMatch, scale), scale },
  });
  return [
    { field: 'currency', before: line.currency, after: currency },
    amount('expected', line.expected, expected),
    amount('received', line.received, received),
  ];
}
