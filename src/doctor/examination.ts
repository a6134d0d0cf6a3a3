import { addDays, daysBetween } from '../base/calendar.ts';
import { type Fault, faultOf, ReconError } from '../base/errors.ts';
import { keysOf } from '../base/lists.ts';
import { inOrderOf } from '../base/texts.ts';
import type { Settings } from '../config/settings.ts';
import type { Probe, ProbedPage } from '../model/probe.ts';
import { type Row, uuidForm } from '../model/row.ts';
import type { Names, Settlement } from '../model/settlement.ts';
import { pageSizes, type SettlementQuery } from '../model/source.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { serviceSays } from '../reconcile/verdict.ts';
import { capitalised } from '../report/common/phrase.ts';
import { profileTable } from '../report/common/rule-words.ts';
import type { Section } from '../report/common/view.ts';
import { newestDay } from './newest-settlement.ts';

/** The settings that checks need, without secrets. */
export interface Setup extends ReconcileSettings, Pick<Settings, 'profile' | 'schemes'> {
  /** The scenario, if the sandbox is examined. */
  readonly sandbox: string | undefined;
  /** The configuration file, if a profile is from it. */
  readonly file: string;
  readonly baseUrl: string;
  readonly proxy: { readonly variable: string; readonly origin: string } | undefined;
  readonly names: Names;
}

interface Given {
  readonly setup: Setup;
  readonly query: SettlementQuery;
  /** Whether as many days up to the newest settlement are looked at, if none is found in the range. */
  readonly looksBack: boolean;
  readonly now: number;
}

interface Answers {
  /** A single settlement was asked for. */
  first?: ProbedPage<Settlement>;
  /** The day of the newest settlement, if none was found in the range. */
  newest?: string | undefined;
  /** The first page, and the one after it. */
  readonly settlementPages: ProbedPage<Settlement>[];
  /** The settlement with the most rows, and its pages. */
  largest?: Settlement | undefined;
  readonly rowPages: ProbedPage<Row>[];
  samples?: readonly Sample[];
  /** The first charge that a row names; `refusal` if charges alone are refused. */
  charge?: { readonly id: string; refusal?: Fault };
}

interface Sample {
  readonly settlement: Settlement;
  readonly rows: readonly Row[];
}

export type Examination = Awaited<ReturnType<typeof examine>>;

const mostSamples = 5;

/** A probe that asks for settlements by this scheme; undefined if its keys are not set. */
type ProbeOf = (scheme: 'v1' | 'v2') => Promise<Probe | undefined>;

/** Sends at most twelve reading requests, or 27 if nothing is found at first, each repeated once, until one fails. Throws only if the run has to end. */
export async function examine(probe: Probe, given: Given, probeOf: ProbeOf, signal: AbortSignal) {
  const { setup } = given;
  let { query } = given;
  const answers: Answers = { settlementPages: [], rowPages: [] };
  const headers = (offset: number, limit = pageSizes.headers) =>
    probe.settlements(query, { offset, limit });
  const rowsOf = ({ id }: Settlement, offset = 0) =>
    probe.rows(id, { offset, limit: pageSizes.rows });
  /** By the check that is the first to need the answers. */
  const steps = {
    token: async () => {
      if (Object.values(setup.schemes).includes('v2')) await probe.token();
    },
    settlements: async () => {
      answers.first = await headers(0, 1);
      if (answers.first.keys.length > 0) return;
      const { range, filters } = query;
      const newest = await newestDay(probe, filters, range.to);
      answers.newest = newest;
      if (newest === undefined || !given.looksBack) return;
      const from = addDays(newest, -daysBetween(range.from, range.to));
      query = { range: { from, to: newest }, filters };
      answers.first = await headers(0, 1);
    },
    settlement_pages: () => readTwo(answers.settlementPages, headers),
    transaction_pages: async () => {
      const byRows = inOrderOf((one: Settlement) => [-(one.transactions ?? 0)]);
      const [largest] = [...settlementsOf(answers)].sort(byRows);
      answers.largest = largest;
      if (!largest) return;
      const read = (offset: number) => rowsOf(largest, offset);
      await readTwo(answers.rowPages, read, largest.transactions);
    },
    rules: async () => {
      const { largest, rowPages } = answers;
      const [rows] = rowPages;
      if (!largest || !rows) return;
      const samples = sampleOf(largest, rows);
      // Settled ones whose rows fit on a page may be compared with them.
      const others = settlementsOf(answers).filter(
        (one) =>
          serviceSays(one.status) === 'balanced' &&
          (one.transactions ?? 0) <= pageSizes.rows &&
          one !== largest,
      );
      for (const one of others.slice(0, mostSamples)) {
        samples.push(...sampleOf(one, await rowsOf(one)));
      }
      answers.samples = samples;
    },
    charges: async () => {
      const ids = answers.rowPages[0]?.items.map(({ chargeId }) => chargeId) ?? [];
      const id = ids.find((one) => uuidForm.test(one));
      if (id === undefined) return;
      answers.charge = { id };
      await probe.charge(id);
    },
  };
  /** The check whose request failed and ended the examination, and its failure. */
  let stop: { readonly check: keyof typeof steps; readonly fault: Fault } | undefined;
  for (const check of keysOf(steps)) {
    try {
      await steps[check]();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ReconError)) throw error;
      const fault = faultOf(error);
      // Settlements can be reconciled without charges.
      const isRefusal = fault.cause === 'authentication' || fault.cause === 'not_found';
      if (answers.charge && isRefusal) answers.charge.refusal = fault;
      else stop = { check, fault };
      break;
    }
  }
  const sightings = probe.sightings();
  let requests = sightings.exchanges.length;
  if (stop?.check === 'settlements' && stop.fault.cause === 'authentication') {
    const other = await tryOtherScheme(given, probeOf);
    signal.throwIfAborted();
    const hint = other?.hint ?? stop.fault.hint;
    stop = { ...stop, fault: { ...stop.fault, hint } };
    requests += other?.requests ?? 0;
  }
  const settlements = settlementsOf(answers);
  const emptyDays = query === given.query ? undefined : given.query.range;
  return { ...given, ...answers, query, emptyDays, settlements, stop, sightings, requests };
}

/** Tries the other scheme once if settlements reject the set one and the keys of the other are set. */
async function tryOtherScheme({ setup, query }: Given, probeOf: ProbeOf) {
  const scheme = setup.schemes.settlements === 'v2' ? 'v1' : 'v2';
  const name = scheme.toUpperCase();
  const probe = await probeOf(scheme);
  if (!probe) return undefined;
  const asking = probe.settlements(query, { offset: 0, limit: 1 });
  const failure = await asking.then(() => undefined).catch((error: unknown) => error);
  await probe.close();
  const hint =
    failure instanceof Error
      ? `${name} was tried too: ${failure.message} Check the credentials and base_url, and ask the service which access method it takes.`
      : `The service accepts ${name}: set auth = "${scheme}" under [${profileTable(setup.profile ?? 'NAME')}], or RECON_AUTH=${scheme}.`;
  return { hint, requests: probe.sightings().exchanges.length };
}

/** The first page of a list, and the next one unless its offset is beyond the announced number. */
async function readTwo<Item>(
  pages: ProbedPage<Item>[],
  read: (offset: number) => Promise<ProbedPage<Item>>,
  announced = Number.POSITIVE_INFINITY,
) {
  const first = await read(0);
  pages.push(first);
  const received = first.keys.length;
  if (received > 0 && received < announced) pages.push(await read(received));
}

function settlementsOf({ settlementPages }: Answers): readonly Settlement[] {
  const listed = settlementPages.flatMap(({ items }) => items);
  return [...new Map(listed.map((one) => [one.id, one])).values()];
}

/** A page that is not full has no reason to leave rows out. A header may count fewer than are listed. */
function sampleOf(settlement: Settlement, { keys, items }: ProbedPage<Row>): Sample[] {
  const received = new Set(keys).size;
  const isReadable = items.length === keys.length && received === keys.length;
  const isAll = received >= (settlement.transactions ?? 0) && received < pageSizes.rows;
  return isReadable && isAll ? [{ settlement, rows: items }] : [];
}

/** Checks by their names. A check is undefined if its evidence is missing. */
export type Checks = Readonly<Record<string, (evidence: Examination) => CheckResult | undefined>>;

export interface CheckResult {
  readonly level: 'ok' | 'warning' | 'failure' | 'not_checked';
  /** Whole sentences, like `whatToDo`. */
  readonly found: string;
  readonly whatToDo: string;
  /** Plain values that the sentence leaves out, or that a program may watch; moments as ISO 8601. */
  readonly facts: object | null;
  /** Why the service could not be asked, or did not answer well. */
  readonly error: Fault | null;
  readonly table?: Section;
}

/** What a check found, in a sentence without its capital letter and its full stop. */
export function result(
  level: CheckResult['level'],
  found: string,
  whatToDo = '',
  facts: object | null = null,
): CheckResult {
  return { level, found: `${capitalised(found)}.`, whatToDo, facts, error: null };
}

/** A warning if something is odd; otherwise nothing is to be done. */
export function warningIf(
  isOdd: boolean,
  found: string,
  whatToDo: string,
  facts: object | null = null,
): CheckResult {
  return result(isOdd ? 'warning' : 'ok', found, isOdd ? whatToDo : '', facts);
}

export function skipped(why: string): CheckResult {
  return result('not_checked', `skipped: ${why}`);
}
