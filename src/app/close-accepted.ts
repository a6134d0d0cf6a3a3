import { isDayIn } from '../base/calendar.ts';
import { acceptingLine } from '../match/bank-acceptance.ts';
import type { BankMatch } from '../match/match.ts';
import type { AcceptedLine } from '../model/accepted-difference.ts';
import { isAccepted } from '../reconcile/acceptance.ts';
import type { CloseReport } from './close-report.ts';

/** What people accepted of a range: of its settlements and its orders, and what is on its days of pay-outs and bank entries. */
export function acceptedIn(report: CloseReport): readonly AcceptedLine[] {
  const { run, bank, orders, range } = report;
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
    ...(bank?.matching.matches ?? [])
      .filter(isOfRange)
      .flatMap((match) => acceptingLine(match, bank?.accepted) ?? []),
  ];
}
