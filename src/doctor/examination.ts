import { type Fault, faultOf, ReconError } from '../base/errors.ts';
import { append } from '../base/lists.ts';
import { inOrderOf } from '../base/texts.ts';
import type { Grant, Probe, ProbedPage, Sightings } from '../model/probe.ts';
import { type Row, uuidForm } from '../model/row.ts';
import type { Names, Settlement } from '../model/settlement.ts';
import { pageSizes, type SettlementQuery } from '../model/source.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { serviceSays } from '../reconcile/verdict.ts';
import type { Section } from '../report/common/view.ts';

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
  readonly names: Names;
}

interface ServiceAnswers {
  grant?: Grant;
  /** A single settlement was asked for. */
  first?: ProbedPage<Settlement>;
  /** The first page, and the one after it. */
  settlementPages?: readonly ProbedPage<Settlement>[];
  /** The settlement with the most rows, and its pages. */
  largest?: Settlement;
  rowPages?: readonly ProbedPage<Row>[];
  /** Settlements with all of their rows. */
  samples?: readonly Sample[];
  /** The first charge that a row names; `refusal` if charges alone are refused. */
  charge?: { readonly id: string; readonly refusal?: Fault };
}

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

export interface Examination {
  readonly setup: Setup;
  readonly query: SettlementQuery;
  readonly answers: Readonly<ServiceAnswers>;
  /** What was asked for when the asking ended early, by its check. */
  readonly stop: { readonly check: AskingCheck; readonly fault: Fault } | undefined;
  readonly sightings: Sightings;
  readonly now: number;
}

/** All settlements that were seen, each once. */
export function seenSettlements({ settlementPages = [] }: ServiceAnswers): readonly Settlement[] {
  const listed = settlementPages.flatMap(({ items }) => items);
  return [...new Map(listed.map((one) => [one.id, one])).values()];
}

const mostSamples = 5;

/** A page that is not full has no reason to leave rows out. A header may count fewer than are listed. */
function sampleOf(settlement: Settlement, { keys, items }: ProbedPage<Row>): readonly Sample[] {
  const received = new Set(keys).size;
  const isReadable = items.length === keys.length && received === keys.length;
  const isAll = received >= settlement.transactions && received < pageSizes.rows;
  return isReadable && isAll ? [{ settlement, rows: items }] : [];
}

/** Settlements can be reconciled without charges. */
const refusesCharges = ({ cause }: Fault) => cause === 'authentication' || cause === 'not_found';

/** Sends at most twelve reading requests, each repeated once, until one fails. Throws only where the run ends. */
export async function examine(
  probe: Probe,
  given: Pick<Examination, 'setup' | 'query' | 'now'>,
  signal: AbortSignal,
): Promise<Examination> {
  const answers: ServiceAnswers = {};
  let check: AskingCheck = 'token';
  let stop: Examination['stop'];
  const headers = (offset: number, limit = pageSizes.headers) =>
    probe.settlements(given.query, { offset, limit });
  const rowsOf = ({ id }: Settlement, offset = 0) =>
    probe.rows(id, { offset, limit: pageSizes.rows });
  const ask = async () => {
    if (Object.values(given.setup.schemes).includes('v2')) answers.grant = await probe.token();
    check = 'settlements';
    answers.first = await headers(0, 1);
    check = 'settlement_pages';
    const page = await headers(0);
    answers.settlementPages = [page];
    const received = page.keys.length;
    if (received > 0) answers.settlementPages = [page, await headers(received)];
    const seen = seenSettlements(answers);
    const [largest] = [...seen].sort(inOrderOf((one) => [-one.transactions]));
    if (!largest) return;
    check = 'transaction_pages';
    answers.largest = largest;
    const rows = await rowsOf(largest);
    answers.rowPages = [rows];
    const read = rows.keys.length;
    if (read > 0 && read < largest.transactions) {
      answers.rowPages = [rows, await rowsOf(largest, read)];
    }
    check = 'rules';
    const samples = [...sampleOf(largest, rows)];
    // Settled ones whose rows fit on a page may be compared with them.
    const others = seen.filter(
      (one) =>
        serviceSays(one.status) === 'balanced' &&
        one.transactions <= pageSizes.rows &&
        one !== largest,
    );
    for (const one of others.slice(0, mostSamples)) {
      append(samples, sampleOf(one, await rowsOf(one)));
    }
    answers.samples = samples;
    check = 'charges';
    const id = rows.items.map(({ chargeId }) => chargeId).find((one) => uuidForm.test(one));
    if (id === undefined) return;
    answers.charge = { id };
    await probe.charge(id);
  };
  await ask().catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof ReconError)) throw error;
    const fault = faultOf(error);
    if (answers.charge && refusesCharges(fault))
      answers.charge = { ...answers.charge, refusal: fault };
    else stop = { check, fault };
  });
  return { ...given, answers, stop, sightings: probe.sightings() };
}

/** Checks by their names. One gives nothing if what it needs did not come. */
export type Checks = Readonly<
  Record<string, (evidence: Examination) => CheckResult | NotChecked | undefined>
>;

export interface CheckResult<Facts extends object = object> {
  readonly level: 'ok' | 'warning' | 'failure';
  /** Plain values, moments as ISO 8601. */
  readonly facts: Facts;
  /** The same in a sentence, without its capital letter and its full stop. */
  readonly found: string;
  readonly whatToDo: string;
  readonly table?: Section;
}

/** What a check came to, with the types of its facts. */
export function result<const Facts extends object>(
  level: CheckResult['level'],
  facts: Facts,
  found: string,
  whatToDo = '',
): CheckResult<Facts> {
  return { level, found, whatToDo, facts };
}

/** A warning if something is odd; otherwise nothing is to be done. */
export function warningIf<const Facts extends object>(
  isOdd: boolean,
  facts: Facts,
  found: string,
  whatToDo: string,
): CheckResult<Facts> {
  return isOdd ? result('warning', facts, found, whatToDo) : result('ok', facts, found);
}

export interface NotChecked {
  readonly lacks: keyof typeof needs;
}

export const needs = {
  settlement: 'no settlement',
  charge_id: 'no row with a charge id',
  short_settlement: 'no settled settlement with all rows on one page',
  date_header: 'no answer with a Date header',
};
