import { paidByFile, type Settlement } from '../model/settlement.ts';
import type { Entry } from './entry.ts';

/** What the service says of a settlement (doc 3.4); `nothing`: a file of another provider judges no settlement. */
type ServiceSays = 'balanced' | 'out_of_balance' | 'pending' | 'unknown' | 'nothing';
type SumsSay = 'balanced' | 'out_of_balance' | 'incomplete';
export type Verdict = 'balanced' | 'out_of_balance' | 'pending' | 'incomplete';

const statuses: ReadonlyMap<string, ServiceSays> = new Map([
  ['settled', 'balanced'],
  ['settled_out_of_balance', 'out_of_balance'],
  ['pending_settlement', 'pending'],
  ['validated', 'pending'],
  [paidByFile, 'nothing'],
]);

/** The meaning of a settlement's status; `unknown` if the document does not name it (doc 3.4). */
export function serviceSays(status: string): ServiceSays {
  return statuses.get(status) ?? 'unknown';
}

/** The meaning of the first status that is not pending, if an id has several headers. */
export function decisiveStatus(headers: readonly Pick<Settlement, 'status'>[]): ServiceSays {
  const opinions = headers.map(({ status }) => serviceSays(status));
  return opinions.find((one) => one !== 'pending') ?? opinions[0] ?? 'unknown';
}

export interface Opinions {
  readonly serviceSays: ServiceSays;
  readonly sumsSay: SumsSay;
  readonly verdict: Verdict;
}

/**
 * The opinions on a settlement. `entries` include the service's own, unless it is ignored. Pending comes
 * first, even if not all rows could be read. With an unknown status, sums that agree do not show that the
 * money was paid.
 */
export function opinionsOn(
  { status }: Pick<Settlement, 'status'>,
  headerConflicts: readonly Pick<Settlement, 'status'>[],
  entries: readonly Entry[],
): Opinions {
  const service = decisiveStatus([{ status }, ...headerConflicts]);
  const sums = worst(entries);
  const isOpen = service === 'pending' || (service === 'unknown' && sums === 'balanced');
  return {
    serviceSays: serviceSays(status),
    sumsSay: worst(entries.filter(({ code }) => code !== 'reported_by_service')),
    verdict: isOpen ? 'pending' : sums,
  };
}

/** Why a settlement is pending although the service does not say so; undefined for any other. */
export function verdictReason(
  one: Pick<Opinions, 'verdict' | 'serviceSays'>,
): 'unknown_status' | undefined {
  const isUnknown = one.verdict === 'pending' && one.serviceSays === 'unknown';
  return isUnknown ? 'unknown_status' : undefined;
}

/** The verdict on a run, from those of its settlements and its own findings. */
export function runVerdict(verdicts: readonly Verdict[], findings: readonly Entry[] = []): Verdict {
  const all = [...verdicts, worst(findings)];
  const rank = ['incomplete', 'out_of_balance', 'pending'] as const;
  return rank.find((verdict) => all.includes(verdict)) ?? 'balanced';
}

/** The number of settlements with each verdict. */
export function countByVerdict(
  settlements: readonly Pick<Opinions, 'verdict'>[],
): Readonly<Record<Verdict, number>> {
  const counts = { balanced: 0, out_of_balance: 0, pending: 0, incomplete: 0 };
  for (const { verdict } of settlements) counts[verdict] += 1;
  return counts;
}

/** Whether the sums of a group or a run include settlements with this verdict. */
export function isInSums(verdict: Verdict): boolean {
  return verdict === 'balanced' || verdict === 'out_of_balance';
}

function worst(entries: readonly Entry[]): SumsSay {
  const weights = entries.map(({ weight }) => weight);
  if (weights.includes('incomplete')) return 'incomplete';
  return weights.includes('discrepancy') ? 'out_of_balance' : 'balanced';
}
