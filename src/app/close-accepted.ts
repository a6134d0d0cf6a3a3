import { isDayIn } from '../base/calendar.ts';
import { acceptingLine } from '../match/bank-acceptance.ts';
import { confirmationsOf } from '../match/confirmed.ts';
import { type BankMatch, bankMatchesIn } from '../match/match.ts';
import {
  type AcceptedPayout,
  type DecisionMade,
  decisionMade,
} from '../model/accepted-difference.ts';
import { type AcceptedDifferences, isAccepted } from '../reconcile/acceptance.ts';
import type { CloseReport } from './close-report.ts';

/**
 * What people decided of a range: of its settlements and its orders, what they accepted of pay-outs and bank entries on
 * its days, and which money they said is that of its pay-outs.
 */
export function decidedIn(
  report: Pick<CloseReport, 'run' | 'bank' | 'orders' | 'range' | 'closes'>,
): readonly DecisionMade[] {
  const { run, bank, orders, range, closes } = report;
  const matches = bank?.matching.matches ?? [];
  // Of older pay-outs, which are in the opening amount, with the month of their money.
  const first = closes[0]?.from ?? range.from;
  const isOfRange = ({ settlements, entries }: BankMatch) =>
    settlements.some(({ settlement }) => isDayIn(range, settlement.date)) ||
    entries.some(({ entry }) => isDayIn(range, entry.date));
  const ofOrders = (orders?.matching.inState('accepted') ?? []).flatMap((number) => {
    const { documents, acceptance } = orders?.matching.match(number) ?? { documents: [] };
    const isSoldInRange = documents.some(({ day }) => day !== undefined && isDayIn(range, day));
    return isSoldInRange && acceptance ? acceptance.line : [];
  });
  return [
    ...ofOrders,
    ...run.settlements.flatMap((one) =>
      one.acceptance && isAccepted(one) ? one.acceptance.line : [],
    ),
    ...matches.filter(isOfRange).flatMap((match) => acceptingLine(match, bank?.accepted) ?? []),
    ...(bank ? bankMatchesIn(bank.matching) : []).flatMap((match) =>
      joiningLines(match, bank?.accepted).filter(
        ({ settlementDate }) =>
          isDayIn(range, settlementDate) || (settlementDate < first && isOfRange(match)),
      ),
    ),
  ].map(decisionMade);
}

/** The decisions that brought pay-outs together with their money or with each other. */
function joiningLines(
  match: BankMatch,
  accepted: AcceptedDifferences | undefined,
): readonly AcceptedPayout[] {
  if (match.reason !== 'settled_with') return confirmationsOf(match, accepted);
  return match.settlements.flatMap(
    ({ settlement: { id } }) => accepted?.decided.settled_with.get(id.toLowerCase()) ?? [],
  );
}

/** The differences that people accepted as they are, among what they decided. */
export function acceptedIn({
  decisionsMade,
}: Pick<CloseReport, 'decisionsMade'>): readonly DecisionMade[] {
  return decisionsMade.filter(({ kind }) => kind !== 'confirmed' && kind !== 'settled_with');
}
