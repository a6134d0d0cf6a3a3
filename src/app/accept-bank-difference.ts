import { ReconError } from '../base/errors.ts';
import type { BankMatch, BankState } from '../match/match.ts';
import type { AcceptedBankDifference, AcceptedLine } from '../model/accepted-difference.ts';
import { type AcceptRequest, refuseUnseen } from './accept-difference.ts';

const look = 'Run recon bank to see its state.';

/**
 * What is accepted of a settlement's match with bank statements: of a batch, the amounts of the whole
 * batch. Throws ReconError `usage` where there is nothing to accept, or something else than was seen.
 */
export function acceptBankDifference(
  { settlementId, difference: seen, ...why }: AcceptRequest,
  { settlementDate, accountingToken }: Pick<AcceptedLine, 'settlementDate' | 'accountingToken'>,
  matches: readonly BankMatch[],
): AcceptedBankDifference {
  const match = matches.find(({ settlements }) =>
    settlements.some(({ settlement }) => settlement.id === settlementId),
  );
  const { currency, scale, expected, received, difference } = acceptable(settlementId, match);
  const what = `The bank difference of settlement ${settlementId}`;
  refuseUnseen(seen, { minor: difference, scale, currency }, what, look);
  return {
    ...{ settlementId, settlementDate, accountingToken, currency, scale },
    ...{ expected, received },
    ...why,
  };
}

const notFound = 'was not found in the statements';

/** Why a pay-out in a state has no difference that could be accepted. */
const whyNot: Readonly<Partial<Record<BankState, string>>> = {
  matched: 'is on the bank statements with the expected amount',
  returned: 'was returned by the bank',
  suggested: 'is only suggested as a match, so nothing counts as received',
  ambiguous: 'has several possible matches, so nothing counts as received',
  missing_on_bank: 'is missing from the bank statements',
  pending_on_bank: 'is announced by the bank but not booked yet',
  not_paid_yet: 'is still pending at the service',
  nothing_due: 'has a pay-in of zero',
};

/** The match with its difference. Throws ReconError `usage` where it has none. */
function acceptable(
  id: string,
  match: BankMatch | undefined,
): BankMatch & { readonly difference: bigint } {
  const { state, difference, received, currency } = match ?? {};
  if (match && state === 'difference' && difference !== undefined && received !== 0n) {
    return { ...match, difference };
  }
  const why =
    state === 'difference'
      ? `has no bank entry in ${currency}`
      : ((state && whyNot[state]) ?? notFound);
  const message = `Settlement ${id} ${why}, so there is no difference to accept.`;
  throw new ReconError('usage', message, { hint: look });
}
