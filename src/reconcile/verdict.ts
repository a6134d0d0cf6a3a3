import type { Settlement } from '../model/settlement.ts';
import type { Entry } from './entry.ts';
import type { ReconciledSettlement, ServiceSays, SumsSay, Verdict } from './reconciled.ts';

/** The statuses that the document names (doc 3.4) and what they say of the balance. */
const statuses: ReadonlyMap<string, ServiceSays> = new Map([
  ['settled', 'balanced'],
  ['settled_out_of_balance', 'out_of_balance'],
  ['pending_settlement', 'pending'],
  ['validated', 'pending'],
]);

/** What a settlement's status says; `unknown` where the document doesn't name it. */
export function serviceSays(status: string): ServiceSays {
  return statuses.get(status) ?? 'unknown';
}

/**
 * What the service says by all contents that it lists of a header: the first that isn't pending. One
 * that is listed as something else than pending too can't be relied on to be pending.
 */
export function opinionThatCounts(contents: readonly Pick<Settlement, 'status'>[]): ServiceSays {
  const opinions = contents.map(({ status }) => serviceSays(status));
  return opinions.find((one) => one !== 'pending') ?? opinions[0] ?? 'unknown';
}

/** What the entries of a settlement say, leaving aside the service's own opinion among them. */
export function sumsSay(entries: readonly Entry[]): SumsSay {
  return worst(entries.filter(({ code }) => code !== 'reported_by_service'));
}

/**
 * The conclusion from both opinions: the service's is among the entries, unless it is ignored. What
 * is pending stays so, even where it can't be read whole yet: waiting is not an exception. Money is
 * final only by a status that says so: with any other, sums that agree leave it pending.
 */
export function verdictOf(service: ServiceSays, entries: readonly Entry[]): Verdict {
  const sums = worst(entries);
  const isOpen = service === 'pending' || (service === 'unknown' && sums === 'balanced');
  return isOpen ? 'pending' : sums;
}

/** Why a settlement is pending though the service doesn't say so; undefined for any other one. */
export function verdictReason({
  verdict,
  serviceSays,
}: Pick<ReconciledSettlement, 'verdict' | 'serviceSays'>): 'unknown_status' | undefined {
  return verdict === 'pending' && serviceSays === 'unknown' ? 'unknown_status' : undefined;
}

/** The verdict of a run, from those of its settlements and from its own findings. */
export function runVerdict(verdicts: readonly Verdict[], findings: readonly Entry[] = []): Verdict {
  const all = [...verdicts, worst(findings)];
  const rank = ['incomplete', 'out_of_balance', 'pending'] as const;
  return rank.find((verdict) => all.includes(verdict)) ?? 'balanced';
}

function worst(entries: readonly Entry[]): SumsSay {
  const weights = entries.map(({ weight }) => weight);
  if (weights.includes('incomplete')) return 'incomplete';
  return weights.includes('discrepancy') ? 'out_of_balance' : 'balanced';
}
