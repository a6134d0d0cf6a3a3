import type { Settlement } from '../model/settlement.ts';
import type { Entry } from './entry.ts';
import type { ServiceSays, SumsSay, Verdict } from './reconciled.ts';

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
 * What the service says by all contents that it lists of a header. One that is listed as something
 * else than pending too can't be relied on to be pending: it is unknown.
 */
export function opinionThatCounts(contents: readonly Pick<Settlement, 'status'>[]): ServiceSays {
  const [first = 'unknown', ...others] = contents.map(({ status }) => serviceSays(status));
  return first === 'pending' && others.some((other) => other !== 'pending') ? 'unknown' : first;
}

/** What the entries of a settlement say, leaving aside the service's own opinion among them. */
export function sumsSay(entries: readonly Entry[]): SumsSay {
  return worst(entries.filter(({ code }) => code !== 'reported_by_service'));
}

/**
 * The conclusion from both opinions: the service's is among the entries, unless it is ignored. What
 * is pending stays so, even where it can't be read whole yet: waiting is not an exception.
 */
export function verdictOf(service: ServiceSays, entries: readonly Entry[]): Verdict {
  return service === 'pending' ? 'pending' : worst(entries);
}

/** The verdict of a run, from those of its settlements and from its own findings. */
export function runVerdict(verdicts: readonly Verdict[], findings: readonly Entry[]): Verdict {
  const all = [...verdicts, worst(findings)];
  const rank = ['incomplete', 'out_of_balance', 'pending'] as const;
  return rank.find((verdict) => all.includes(verdict)) ?? 'balanced';
}

function worst(entries: readonly Entry[]): SumsSay {
  const weights = entries.map(({ weight }) => weight);
  if (weights.includes('incomplete')) return 'incomplete';
  return weights.includes('discrepancy') ? 'out_of_balance' : 'balanced';
}
