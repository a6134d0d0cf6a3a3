import type { Grant, ProbedPage, Sightings } from '../model/probe.ts';
import type { Row } from '../model/row.ts';
import type { Settlement } from '../model/settlement.ts';
import type { SettlementQuery } from '../model/source.ts';
import type { Identity } from '../reconcile/identity.ts';
import type { CheckFault } from './check.ts';
import type { CheckName } from './checks.ts';

/** What is set, as far as a check is about it. No secret is among it. */
export interface Setup {
  /** The scenario, where the sandbox is asked. */
  readonly sandbox: string | undefined;
  readonly profile: string | undefined;
  /** The configuration file, where there is one. */
  readonly file: string | undefined;
  readonly baseUrl: string;
  /** The host of the token exchange; absent where no scheme takes it. */
  readonly authUrl: string | undefined;
  readonly proxy: { readonly variable: string; readonly origin: string } | undefined;
  readonly schemes: Readonly<Record<'settlements' | 'charges', 'v1' | 'v2'>>;
  readonly identity: Identity;
  /** Minor units. */
  readonly tolerance: bigint;
  readonly expectedScales: ReadonlyMap<string, number>;
}

/** What the service answered; absent where it wasn't asked, or didn't. */
export interface ServiceAnswers {
  grant?: Grant;
  /** A single settlement was asked for. */
  first?: ProbedPage<Settlement>;
  settlements?: ProbedPage<Settlement>;
  nextSettlements?: ProbedPage<Settlement>;
  rows?: ProbedPage<Row>;
  nextRows?: ProbedPage<Row>;
  /** The id of a charge that could be read. */
  charge?: string;
}

/** What was asked for when the asking ended. */
interface Stop {
  readonly step: keyof ServiceAnswers;
  readonly fault: CheckFault;
}

/** All that the checks are made from. */
export interface Examination {
  readonly setup: Setup;
  readonly query: SettlementQuery;
  readonly answers: Readonly<ServiceAnswers>;
  /** The settlement whose rows were asked for: the one with the most of them. */
  readonly settlement: Settlement | undefined;
  /** The charge that was asked for. */
  readonly chargeId: string | undefined;
  readonly stop: Stop | undefined;
  readonly sightings: Sightings;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** All settlements that were seen, each once. */
export function seenSettlements({ answers }: Examination): readonly Settlement[] {
  const { settlements, nextSettlements } = answers;
  const seen = [...(settlements?.items ?? []), ...(nextSettlements?.items ?? [])];
  return [...new Map(seen.map((one) => [one.id, one])).values()];
}

/** The check that each step is for, where the service answers at all. */
const checkOfStep: Readonly<Record<keyof ServiceAnswers, CheckName>> = {
  grant: 'token',
  first: 'settlements',
  settlements: 'settlement_pages',
  nextSettlements: 'settlement_pages',
  rows: 'transaction_pages',
  nextRows: 'transaction_pages',
  charge: 'charges',
};

/** The check that failed and ended the asking. */
export function failedCheck(evidence: Examination): CheckName | undefined {
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
function isElsewhere(status: number, step: keyof ServiceAnswers): boolean {
  const isFirst = step === 'grant' || step === 'first';
  return isFirst && (status === 404 || status === 405 || (status >= 300 && status < 400));
}

/** Whether charges alone are refused: settlements can be reconciled without them. */
export function isAboutCharges({ stop }: Examination): boolean {
  const { step, fault } = stop ?? {};
  return step === 'charge' && (fault?.cause === 'authentication' || fault?.cause === 'not_found');
}
