import type { CheckName } from './check.ts';
import type { Answers, Evidence } from './evidence.ts';

/** The check that each step is for, where the service answers at all. */
const checkOfStep: Readonly<Record<keyof Answers, CheckName>> = {
  grant: 'token',
  first: 'settlements',
  settlements: 'settlement_pages',
  nextSettlements: 'settlement_pages',
  rows: 'transaction_pages',
  nextRows: 'transaction_pages',
  charge: 'charges',
};

/** The check that failed and ended the asking. */
export function culprit(evidence: Evidence): CheckName | undefined {
  const { stop, setup, sightings } = evidence;
  const last = sightings.exchanges.at(-1);
  if (!stop || !last) return stop && checkOfStep[stop.step];
  if (last.status !== undefined) {
    if (isElsewhere(last.status, stop.step)) return 'address';
    return isAboutCharges(evidence) ? undefined : checkOfStep[stop.step];
  }
  const peer = sightings.peers.get(last.origin);
  if (peer?.untrusted) return 'tls';
  const { proxy } = setup;
  return proxy && !peer?.reached && sightings.peers.has(proxy.origin) ? 'proxy' : 'address';
}

/**
 * Whether what answers isn't the service. An operation that everybody has can't be unknown to it, and
 * it has no reason to send anybody elsewhere.
 */
function isElsewhere(status: number, step: keyof Answers): boolean {
  const isFirst = step === 'grant' || step === 'first';
  return isFirst && (status === 404 || status === 405 || (status >= 300 && status < 400));
}

/** Whether charges alone are refused: settlements can be reconciled without them. */
export function isAboutCharges({ stop }: Evidence): boolean {
  const { step, fault } = stop ?? {};
  return step === 'charge' && (fault?.cause === 'authentication' || fault?.cause === 'not_found');
}
