import { bankAcceptanceOf } from '../match/bank-acceptance.ts';
import { confirmationsOf } from '../match/confirmed.ts';
import {
  type BankMatch,
  entryKey,
  explainedEntries,
  type SettlementShare,
} from '../match/match.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { type BankReport, bankVerdict, openStates, shareFigures } from './bank-report.ts';

/** The matches of the settlements of a report on the bank statements. */
export interface BankCheck {
  readonly report: BankReport;
  /** By settlement id. */
  readonly places: ReadonlyMap<string, BankPlace>;
}

export type BankPlace = ReturnType<typeof placeIn>;

function placeIn(match: BankMatch, share: SettlementShare, { accepted }: BankReport) {
  return {
    match,
    acceptance: bankAcceptanceOf(match, accepted),
    confirmations: confirmationsOf(match, accepted),
    figures: shareFigures(match, share),
  };
}

export function bankCheckOf(report: BankReport): BankCheck {
  const places = report.matching.matches.flatMap((match) =>
    match.settlements.map((share) => [share.settlement.id, placeIn(match, share, report)] as const),
  );
  return { report, places: new Map(places) };
}

/** Leaves out unknown entries that pay-outs of other reports explain: several profiles may share a bank account. */
export function withoutExplainedEntries(bank: BankCheck, others: readonly BankCheck[]): BankCheck {
  const explained = explainedEntries(
    others.flatMap(({ report: { matching } }) => [...matching.matches, ...matching.outside]),
  );
  const { report } = bank;
  const matches = report.matching.matches.filter(
    ({ state, entries }) =>
      state !== 'unknown_on_bank' || !entries.every((one) => explained.has(entryKey(one))),
  );
  return { ...bank, report: { ...report, matching: { ...report.matching, matches } } };
}

/** Whether something on the statements needs a decision or could not be read. */
export function isOffOnBank(bank: BankCheck | undefined): bank is BankCheck {
  return bank !== undefined && bankVerdict(bank.report) !== 'reconciled';
}

/** The booking days of a settlement; none if no entry is certainly its own. */
export function bankDatesOf(match: BankMatch | undefined): readonly string[] {
  if (!match) return [];
  const { entries, difference, state } = match;
  const isOwn = difference !== undefined || state === 'pending_on_bank';
  return isOwn ? [...new Set(entries.map(({ entry }) => entry.date))].sort() : [];
}

/** Whether a settlement differs on the bank statements and this is not accepted. */
export function needsDecision(bank: BankCheck | undefined, one: ReconciledSettlement): boolean {
  const { match, acceptance } = placeOf(bank, one) ?? {};
  return acceptance?.state !== 'accepted' && openStates.some((state) => state === match?.state);
}

/** The state of a settlement on the statements; undefined without statements. */
export function placeOf(
  bank: BankCheck | undefined,
  { settlement }: ReconciledSettlement,
): BankPlace | undefined {
  return bank?.places.get(settlement.id);
}
