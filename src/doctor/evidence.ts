import type { Grant, ProbedPage, Sightings } from '../model/probe.ts';
import type { Row } from '../model/row.ts';
import type { Settlement } from '../model/settlement.ts';
import type { SettlementQuery } from '../model/source.ts';
import type { Identity } from '../reconcile/identity.ts';
import type { Fault } from './check.ts';

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
export interface Answers {
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
  readonly step: keyof Answers;
  readonly fault: Fault;
}

/** All that the checks are made from. */
export interface Evidence {
  readonly setup: Setup;
  readonly query: SettlementQuery;
  readonly answers: Readonly<Answers>;
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
export function seenSettlements({ answers }: Evidence): readonly Settlement[] {
  const { settlements, nextSettlements } = answers;
  const seen = [...(settlements?.items ?? []), ...(nextSettlements?.items ?? [])];
  return [...new Map(seen.map((one) => [one.id, one])).values()];
}
