import { isDayIn, spanOf } from '../base/calendar.ts';
import {
  type AcceptedBankDifference,
  type AcceptedPayout,
  type AcceptedReceipt,
  differenceKey,
  type UnknownReceipt,
} from '../model/accepted-difference.ts';
import type { DateRange } from '../model/source.ts';
import { magnitude, rescale } from '../money/money.ts';
import {
  type Acceptance,
  type AcceptanceChange,
  type AcceptedDifferences,
  acceptanceBy,
  isExpired,
  onlyChanged,
  receiptKey,
} from '../reconcile/acceptance.ts';
import { explainingDays } from './business-days.ts';
import { type BankMatch, type BankState, entryKey, isOff } from './match.ts';

type AcceptedOnBank = AcceptedBankDifference | AcceptedReceipt | AcceptedPayout;

/**
 * The accepted line of a match, if it has one. Only what needs a decision can have one. The line of a batch
 * names one of its settlements, and has the amounts of the batch. That two settlements are settled together shows here
 * only if it no longer counts: if it does, they are one match.
 */
export function bankAcceptanceOf(
  match: BankMatch,
  accepted: AcceptedDifferences | undefined,
): Acceptance<AcceptedOnBank> | undefined {
  if (!accepted) return undefined;
  const acceptances = linesOf(match, accepted).map((line) =>
    acceptanceBy(line, changesOf(line, match, accepted.today), accepted.today),
  );
  return acceptances.find(({ state }) => state === 'accepted') ?? acceptances[0];
}

/** The line that accepts a match as it is, if any. */
export function acceptingLine(match: BankMatch, accepted: AcceptedDifferences | undefined) {
  const acceptance = bankAcceptanceOf(match, accepted);
  return acceptance?.state === 'accepted' ? acceptance.line : undefined;
}

/** The states of pay-outs that may be lost as a whole. */
const lostStates: readonly BankState[] = ['missing_on_bank', 'returned'];

/** Whether something of a pay-out can be written off: it is missing, was returned, or arrived in part. */
export function canBeWrittenOff(match: BankMatch): boolean {
  const isLess = magnitude(match.received) < magnitude(match.expected);
  return isOff(match) ? isLess : lostStates.includes(match.state);
}

/** Whether a line writes off what is open of a pay-out. */
export function writesOff(line: AcceptedOnBank | undefined): boolean {
  return line !== undefined && 'decision' in line && line.decision === 'written_off';
}

/** Whether a match rests on a decision of people: what closed days have of it stays as it is. */
export function restsOnDecision(
  match: BankMatch,
  accepted: AcceptedDifferences | undefined,
): boolean {
  const isLost = match.received === 0n && writesOff(acceptingLine(match, accepted));
  return match.reason === 'settled_with' || match.by === 'confirmed' || isLost;
}

function linesOf(match: BankMatch, accepted: AcceptedDifferences): readonly AcceptedOnBank[] {
  const { by, reason, settlements } = match;
  const receipt = receiptOf(match);
  if (receipt) return [accepted.receipts.get(receiptKey(receipt)) ?? []].flat();
  const ids = settlements.map(({ settlement }) => settlement.id.toLowerCase());
  const linesIn = <Line>(lines: ReadonlyMap<string, Line>) =>
    ids.flatMap((id) => lines.get(id) ?? []);
  const isApart = ({ other }: AcceptedPayout) =>
    reason !== 'settled_with' && !ids.includes(other?.settlementId.toLowerCase() ?? '');
  const isLost = isOff(match) || lostStates.includes(match.state);
  return [
    ...(isOff(match) ? linesIn(accepted.onBank) : []),
    ...(isLost ? linesIn(accepted.decided.written_off) : []),
    ...linesIn(accepted.decided.settled_with).filter(isApart),
    ...(by === 'confirmed' ? [] : linesIn(accepted.decided.confirmed)),
  ];
}

/** Of what no longer counts as decided, something has changed: the settlement, or else the other one or the entry. */
function changesOf(line: AcceptedOnBank, match: BankMatch, today: string) {
  const { decision, other, confirmed } = 'decision' in line ? line : {};
  if (!decision || decision === 'written_off') return compared(line, match);
  // What the others of a batch come to is not known here.
  const isOne = !confirmed || confirmed.others.length === 0;
  const own = match.settlements.find(
    ({ settlement }) => differenceKey(line).id.toLowerCase() === settlement.id.toLowerCase(),
  );
  const {
    currency,
    scale,
    payIn: expected,
  } = (isOne && own?.settlement) || {
    ...line,
    payIn: line.expected,
  };
  const now = compared(line, { currency, scale, expected, received: expected });
  const changes = onlyChanged(now.filter(({ field }) => field !== 'received'));
  if (changes.length > 0 || isExpired(line, today)) return changes;
  const before = other?.settlementId ?? confirmed?.places.join(', ');
  return [{ field: decision, before, after: undefined }];
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
  {
    currency,
    scale: ofMatch,
    expected,
    received,
  }: Pick<BankMatch, 'currency' | 'scale' | 'expected' | 'received'>,
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

/** The days of settlements that may explain entries on the days of a range, with those of which people decided so. */
export function explainingDaysOf(
  range: DateRange,
  accepted: AcceptedDifferences | undefined,
): DateRange {
  const days = explainingDays(range);
  const { settled_with, confirmed } = accepted?.decided ?? {};
  const decided = [...(settled_with?.values() ?? []), ...(confirmed?.values() ?? [])];
  const pairs = decided.map((line) => [
    line.settlementDate,
    line.other?.settlementDate ?? line.confirmed?.bookingDate ?? line.settlementDate,
  ]);
  const own = pairs.filter((dates) => dates.some((day) => isDayIn(days, day)));
  return spanOf([days.from, days.to, ...own.flat()]) ?? days;
}
