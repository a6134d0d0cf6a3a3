import { addDays } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { isSameUuid } from '../base/uuid.ts';
import type { BankMatch, BankState } from '../match/match.ts';
import { daysAround, matchPayouts } from '../match/match-payouts.ts';
import type { AcceptedBankDifference } from '../model/accepted-difference.ts';
import type { BankStatements } from '../model/bank.ts';
import type { Settlement } from '../model/settlement.ts';
import type { SettlementFilters, Source } from '../model/source.ts';
import { type AcceptRequest, refuseUnseen } from './accept-difference.ts';
import { findSettlement } from './find-settlement.ts';

/** What a settlement's pay-out is looked for in. */
export interface BankToMatch {
  readonly statements: BankStatements;
  /** IBANs or numbers of the accounts that the service pays from. */
  readonly counterparties: readonly string[];
  /** The filters that the data of an export have passed. */
  readonly filters: SettlementFilters;
}

const look = 'Run recon bank to see how it stands.';

/**
 * Reads a settlement and those around it, matches them with statements, and gives what is accepted of
 * its match: of a batch, the amounts of the whole batch. Throws ReconError where there is nothing to
 * accept, or something else than was seen.
 */
export async function acceptBankDifference(
  { settlementId: id, difference: seen, ...why }: AcceptRequest,
  source: Source,
  bank: BankToMatch,
): Promise<AcceptedBankDifference> {
  const { settlement, findings } = await findSettlement(source, id);
  const around = await settlementsAround(settlement, source, bank.filters);
  if (findings.length > 0 || !around) {
    const message = `Settlement ${id} and those around it were not fully read, so nothing can be accepted.`;
    throw new ReconError('service', message, { hint: 'Try again later.' });
  }
  const { date, accountingToken } = settlement;
  const options = { range: { from: date, to: date }, counterparties: bank.counterparties };
  const { matches } = matchPayouts(around, bank.statements, options);
  const match = matches.find((one) =>
    one.settlements.some((share) => isSameUuid(share.settlement.id, id)),
  );
  const { currency, scale, expected, received, difference } = acceptable(id, match);
  const what = `The difference of settlement ${id} on the bank`;
  refuseUnseen(seen, { minor: difference, scale, currency }, what, look);
  return {
    ...{ settlementId: settlement.id, settlementDate: date, accountingToken, currency, scale },
    ...{ expected, received },
    ...why,
  };
}

/** The settlements that share entries with one, and those that share theirs; undefined if not all are read. */
async function settlementsAround(
  { date }: Settlement,
  source: Source,
  filters: SettlementFilters,
): Promise<readonly Settlement[] | undefined> {
  const days = daysAround.before + daysAround.after;
  const range = { from: addDays(date, -days), to: addDays(date, days) };
  const { settlements, unreadable, unsteady } = await source.headers({ range, filters });
  return unreadable.length > 0 || unsteady !== undefined ? undefined : settlements;
}

const notFound = 'was not found in the statements';

/** Why a pay-out in a state has no difference that could be accepted. */
const whyNot: Readonly<Partial<Record<BankState, string>>> = {
  matched: 'is on the bank with the expected amount',
  returned: 'was returned by the bank',
  suggested: 'is only suggested as a match, so nothing counts as received',
  ambiguous: 'has several possible matches, so nothing counts as received',
  missing_on_bank: 'is missing on the bank: nothing was received',
  pending_on_bank: 'is still pending on the bank',
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
      ? `has nothing on the bank in ${currency}`
      : ((state && whyNot[state]) ?? notFound);
  const message = `Settlement ${id} ${why}, so there is no difference to accept.`;
  throw new ReconError('usage', message, { hint: look });
}
