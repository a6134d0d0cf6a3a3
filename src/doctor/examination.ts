import { type Fault, faultOf, ReconError } from '../base/errors.ts';
import { append } from '../base/lists.ts';
import { inOrderOf } from '../base/texts.ts';
import type { Grant, Probe, ProbedPage, Sightings } from '../model/probe.ts';
import { type Row, uuidForm } from '../model/row.ts';
import type { Names, Settlement } from '../model/settlement.ts';
import type { SettlementQuery } from '../model/source.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { serviceSays } from '../reconcile/verdict.ts';

/** What is set, as far as a check is about it. No secret is among it. */
export interface Setup extends ReconcileSettings {
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
  /** Names of accounting tokens, as they are set. */
  readonly names: Names;
}

/** What the service answered; absent where it wasn't asked, or didn't. */
export interface ServiceAnswers {
  grant?: Grant;
  /** A single settlement was asked for. */
  first?: ProbedPage<Settlement>;
  settlements?: ProbedPage<Settlement>;
  nextSettlements?: ProbedPage<Settlement>;
  /** Of the settlement that has the most of them. */
  rows?: ProbedPage<Row>;
  nextRows?: ProbedPage<Row>;
  /** All rows of some settlements, each on one page. */
  samples?: readonly Sample[];
  /** The id of a charge that could be read. */
  charge?: string;
}

/** A settlement with all of its rows. */
interface Sample {
  readonly settlement: Settlement;
  readonly rows: readonly Row[];
}

/** The checks that ask the service, in the order in which they do. */
type AskingCheck =
  | 'token'
  | 'settlements'
  | 'settlement_pages'
  | 'transaction_pages'
  | 'rules'
  | 'charges';

/** All that the checks are made from. */
export interface Examination {
  readonly setup: Setup;
  readonly query: SettlementQuery;
  readonly answers: Readonly<ServiceAnswers>;
  /** What was asked for when the asking ended early, by its check. */
  readonly stop: { readonly check: AskingCheck; readonly fault: Fault } | undefined;
  readonly sightings: Sightings;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What recon itself asks for in a page: the documented default, and the documented maximum (doc 8). */
export const pageLimits = { settlements: 50, rows: 100 };

/** All settlements that were seen, each once. */
export function seenSettlements(answers: ServiceAnswers): readonly Settlement[] {
  const { settlements, nextSettlements } = answers;
  const seen = [...(settlements?.items ?? []), ...(nextSettlements?.items ?? [])];
  return [...new Map(seen.map((one) => [one.id, one])).values()];
}

/** The settlement whose rows are asked for: the first of those with the most of them. */
export function largestSettlement(answers: ServiceAnswers): Settlement | undefined {
  return [...seenSettlements(answers)].sort(inOrderOf((one) => [-one.transactions]))[0];
}

const mostSamples = 5;

/** Settled ones whose rows fit on a page, in their order; their rows may be compared with them. */
function settlementsToSample(answers: ServiceAnswers): readonly Settlement[] {
  const largest = largestSettlement(answers);
  return seenSettlements(answers)
    .filter(({ status }) => serviceSays(status) === 'balanced')
    .filter(({ id, transactions }) => transactions <= pageLimits.rows && id !== largest?.id)
    .slice(0, mostSamples);
}

/**
 * The rows of a settlement, where the page seems to have all of them: a header may count fewer than
 * are listed, and a page that isn't full has no reason to leave any out.
 */
function sampleOf(settlement: Settlement, { keys, items }: ProbedPage<Row>): readonly Sample[] {
  const received = new Set(keys).size;
  const isReadable = items.length === keys.length && received === keys.length;
  const isAll = received >= settlement.transactions && received < pageLimits.rows;
  return isReadable && isAll ? [{ settlement, rows: items }] : [];
}

/** The charge that is asked for: the first that a row names. */
export function chargeSeen({ rows }: ServiceAnswers): string | undefined {
  return rows?.items.map(({ chargeId }) => chargeId).find((id) => uuidForm.test(id));
}

/** Whether charges alone are refused: settlements can be reconciled without them. */
export function isAboutCharges({ stop }: Examination): boolean {
  const { check, fault } = stop ?? {};
  return check === 'charges' && (fault?.cause === 'authentication' || fault?.cause === 'not_found');
}

/**
 * Asks the service for little, one after the other, until something fails: twelve requests at most,
 * and one more for each that has to be repeated. All of them read. Throws only where the run ends.
 */
export async function examine(
  probe: Probe,
  given: Pick<Examination, 'setup' | 'query' | 'now'>,
  signal: AbortSignal,
): Promise<Examination> {
  const { setup, query } = given;
  const answers: ServiceAnswers = {};
  let check: AskingCheck = 'token';
  let stop: Examination['stop'];
  const headers = (offset: number, limit = pageLimits.settlements) =>
    probe.settlements(query, { offset, limit });
  const rowsOf = ({ id }: Settlement, offset = 0) =>
    probe.rows(id, { offset, limit: pageLimits.rows });
  try {
    if (Object.values(setup.schemes).includes('v2')) answers.grant = await probe.token();
    check = 'settlements';
    answers.first = await headers(0, 1);
    check = 'settlement_pages';
    answers.settlements = await headers(0);
    const seen = answers.settlements.keys.length;
    if (seen > 0) answers.nextSettlements = await headers(seen);
    const largest = largestSettlement(answers);
    const samples: Sample[] = [];
    if (largest) {
      check = 'transaction_pages';
      answers.rows = await rowsOf(largest);
      append(samples, sampleOf(largest, answers.rows));
      const read = answers.rows.keys.length;
      if (read > 0 && read < largest.transactions) answers.nextRows = await rowsOf(largest, read);
    }
    check = 'rules';
    for (const one of settlementsToSample(answers)) {
      append(samples, sampleOf(one, await rowsOf(one)));
    }
    answers.samples = samples;
    check = 'charges';
    const charge = chargeSeen(answers);
    if (charge !== undefined) {
      await probe.charge(charge);
      answers.charge = charge;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ReconError)) throw error;
    stop = { check, fault: faultOf(error) };
  }
  return { ...given, answers, stop, sightings: probe.sightings() };
}
