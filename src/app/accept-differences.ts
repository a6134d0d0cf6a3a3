import { spanOf } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import type { LockOptions } from '../base/folder-lock.ts';
import { tableOf } from '../base/lists.ts';
import { rangeText } from '../base/texts.ts';
import { bankMatchesIn } from '../match/match.ts';
import {
  type AcceptedLine,
  type DifferenceKey,
  type DifferenceKind,
  differenceKey,
  differenceKinds,
  payoutDecisions,
  type Reasons,
} from '../model/accepted-difference.ts';
import type { DateRange, SettlementFilters } from '../model/source.ts';
import { type AcceptedDifferences, acceptedOn } from '../reconcile/acceptance.ts';
import type { Entry } from '../reconcile/entry.ts';
import { headerFindings } from '../reconcile/reconcile-run.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import {
  acceptedChange,
  type CsvText,
  parseRegister,
  recordsOf,
} from '../register/accepted-register.ts';
import type { WrittenDecision } from '../register/decisions-file.ts';
import { changeKeptCsv, type KeptCsv, readKeptCsv } from '../register/kept-csv.ts';
import { type FoundNow, judgeDecisions, payoutRequestsIn } from './accept-decisions.ts';
import { bankVerdict } from './bank-report.ts';
import { daysNamed } from './confirm-payout.ts';
import {
  type AcceptRequest,
  acceptBankDifference,
  decidedPayout,
  decisionsOf,
  orThrow,
  type PayoutRequest,
} from './decisions.ts';
import { findSettlement } from './find-settlement.ts';
import { type BankInput, matchBank } from './match-bank.ts';
import { linesToChange, placeLine, type RegisterState } from './place-line.ts';
import { type Reading, readOnce } from './read-once.ts';

interface Changing extends Pick<RegisterState, 'register' | 'today' | 'replaces' | 'isClosed'> {
  readonly lock: LockOptions;
  readonly csvText: CsvText;
}

/** What was done to a register, and with which lines. */
export interface RegisterChange {
  /** `unchanged` if the register had the same line. */
  readonly done: 'accepted' | 'replaced' | 'unchanged' | 'removed' | 'listed';
  readonly lines: readonly AcceptedLine[];
  /** The line that was replaced. */
  readonly before?: AcceptedLine | undefined;
  /** The kind of another line that the register still has for the settlement. */
  readonly remaining?: DifferenceKind | undefined;
}

/** Decides of a pay-out that it settles otherwise, or which entries are its money. Throws ReconError if that is impossible. */
export async function decideOnPayout(
  { reasons, ...request }: PayoutRequest & { readonly reasons: Reasons },
  { accepted, ...how }: DecidingOptions,
): Promise<AcceptedLine> {
  const { settlementId, other = [], entries = [] } = request;
  const { matches } = await readOnBank([settlementId, other].flat(), entries, {
    ...how,
    accepted: withoutDecisions(accepted, [request]),
  });
  return { ...orThrow(decidedPayout(request, matches)), ...reasons };
}

/** Matches settlements with the bank, on their own days and those of the named entries. */
async function readOnBank(
  ids: readonly string[],
  entries: readonly string[],
  { source, bank, filters, accepted }: DecidingOptions,
) {
  const found = await Promise.all(ids.map((id) => findSettlement(source, id)));
  const dates = found.map(({ settlement }) => settlement.date);
  // An entry may be that of a pay-out of its own days.
  const range = spanOf([...dates, ...daysNamed(entries, bank.statements.entries)]);
  const query = { range: range ?? { from: '', to: '' }, filters };
  const report = await matchBank(source, query, { ...bank, accepted });
  refuseUnread([...found.flatMap((one) => one.findings), ...report.findings], query.range);
  const settlements = found.map((one) => one.settlement);
  return { settlements, matches: bankMatchesIn(report.matching) };
}

interface DecidingOptions extends Pick<NowOptions, 'source' | 'filters' | 'accepted'> {
  readonly bank: BankInput;
}

/** The lines of a register that can be read, as they count on a day. */
export async function acceptedNow(register: string, today: string): Promise<AcceptedDifferences> {
  return acceptedOn(today, parseRegister(await readKeptCsv(register)).lines);
}

/** The register as if people had not decided so of some settlements before: the pay-outs are open again. */
function withoutDecisions(
  accepted: AcceptedDifferences | undefined,
  requests: readonly PayoutRequest[],
) {
  if (!accepted) return undefined;
  const decided = tableOf(payoutDecisions, (one) => new Map(accepted.decided[one]));
  for (const { decision, settlementId } of requests) {
    decided[decision].delete(settlementId.toLowerCase());
  }
  return { ...accepted, decided };
}

function refuseUnread(findings: readonly Entry[], days: DateRange): void {
  if (!findings.some(({ weight }) => weight === 'incomplete')) return;
  const message = `The settlements of ${rangeText(days)} were not fully read, so nothing can be accepted.`;
  throw new ReconError('service', message, { hint: 'Try again later.' });
}

/** Accepts a settlement's (or its batch's) bank difference as it is now. Throws ReconError if that is impossible. */
export async function acceptOnBank(
  request: AcceptRequest,
  how: DecidingOptions,
): Promise<AcceptedLine> {
  const { settlements, matches } = await readOnBank([request.settlementId], [], how);
  const [settlement] = settlements;
  if (!settlement) throw new RangeError(`No settlement ${request.settlementId}`);
  return acceptBankDifference(request, settlement, matches);
}

/** Puts a line into the register. Throws ReconError if that is refused. */
export async function acceptLine(given: AcceptedLine, how: Changing): Promise<RegisterChange> {
  const { register, lock, csvText } = how;
  const { placedChange } = await changeKeptCsv(register, lock, (csv) => {
    const lines = linesToChange(csv, register);
    const placedChange = orThrow(placeLine(given, { ...how, csv, lines }));
    const placed = placedChange.done === 'unchanged' ? [] : [placedChange];
    return { ...acceptedChange(csv, placed, csvText), placedChange };
  });
  return { done: placedChange.done, lines: [placedChange.line], before: placedChange.before };
}

/**
 * Removes a difference from the register. ReconErrors: `usage` if it is not there, `configuration` if a
 * close rests on it.
 */
export async function removeLine(
  key: DifferenceKey,
  { register, lock, isClosed }: Pick<Changing, 'register' | 'lock' | 'isClosed'>,
): Promise<RegisterChange> {
  const { lines, remaining } = await changeKeptCsv(register, lock, (csv) => {
    // What was decided of a pay-out is named by its settlement alone.
    const kinds = key.kind === 'pay_in' ? ([key.kind, ...payoutDecisions] as const) : [key.kind];
    const [removed = []] = kinds
      .map((kind) => recordsOf(csv, { ...key, kind }))
      .filter(({ length }) => length > 0);
    const remaining = differenceKinds.find((kind) =>
      recordsOf(csv, { ...key, kind }).some((record) => !removed.includes(record)),
    );
    if (removed.length === 0) throw notInRegister(key, remaining, register);
    const { lines } = parseRegister({ ...csv, records: removed });
    const closed = lines.find(isClosed);
    if (closed) {
      const message = `${differenceKey(closed).date} is closed, with this decision.`;
      const hint = 'Reopen the close first.';
      throw new ReconError('configuration', message, { where: register, hint });
    }
    return { replaced: [{ removed }], lines, remaining };
  });
  return { done: 'removed', lines, remaining };
}

function notInRegister(
  { kind, id }: DifferenceKey,
  remaining: DifferenceKind | undefined,
  where: string,
) {
  const has =
    remaining === 'pay_in'
      ? 'its net pay-out difference'
      : remaining === 'bank'
        ? 'its bank difference'
        : 'a decision on its pay-out';
  const otherHint = `${kind === 'bank' ? 'Remove' : 'Add'} --bank to remove that one.`;
  const how = remaining ? `is in the register only with ${has}` : 'is not in the register';
  const hint = remaining ? otherHint : 'To see what is in it, run: recon accept --list';
  const what = kind === 'unknown' ? 'Bank entry' : 'Settlement';
  return new ReconError('usage', `${what} ${id} ${how}.`, { where, hint });
}

interface ListOptions extends Changing, FoundNow {
  /** Whether lines that are in order are accepted although others are not. */
  readonly isPartial: boolean;
  /** Whether nothing is written. */
  readonly isDryRun: boolean;
}

/** Accepts a list of decisions, all at once or not at all. */
export async function acceptList(written: readonly WrittenDecision[], how: ListOptions) {
  const { register, lock, isPartial, isDryRun, csvText } = how;
  const work = (csv: KeptCsv) => {
    const lines = linesToChange(csv, register);
    const done = judgeDecisions(written, { ...how, csv, lines }, isPartial);
    return { ...done, ...acceptedChange(csv, done.placedChanges, csvText) };
  };
  return isDryRun ? work(await readKeptCsv(register)) : changeKeptCsv(register, lock, work);
}

interface NowOptions extends Reading {
  readonly range: DateRange;
  readonly filters: SettlementFilters;
  readonly settings: ReconcileSettings;
  /** Needed unless all lines are about pay-in differences. */
  readonly bank: BankInput | undefined;
  /** The register; absent if it counts for nothing. */
  readonly accepted?: AcceptedDifferences | undefined;
}

export function isPayIn({ cells }: WrittenDecision): boolean {
  return cells.kind.toLowerCase() === 'pay_in';
}

/** Reads again what the lines are about. Throws ReconError unless the settlements' days were fully read. */
export async function decisionsNow(
  lines: readonly WrittenDecision[],
  { range, filters, bank: input, accepted, ...options }: NowOptions,
): Promise<FoundNow> {
  const { source } = options;
  const query = { range, filters };
  const ids = new Set(lines.filter(isPayIn).map(({ cells }) => cells.settlement_id.toLowerCase()));
  const all = await source.headers(query);
  const settlements = all.settlements.filter(({ id }) => ids.has(id.toLowerCase()));
  const headers = { ...all, settlements };
  const how = { explains: false, isForVerdicts: true };
  const run = await readOnce([], { ...options, ...how, query, headers });
  const requests = payoutRequestsIn(lines);
  const named = requests.flatMap(({ entries = [] }) => entries);
  const days = [range.from, range.to, ...daysNamed(named, input?.statements.entries ?? [])];
  const before = withoutDecisions(accepted, requests);
  const onBank = { range: spanOf(days) ?? range, filters };
  const bank = input && (await matchBank(source, onBank, { ...input, accepted: before }));
  const isUnread = headerFindings(all).some(({ weight }) => weight === 'incomplete');
  if (isUnread || (bank && bankVerdict(bank) === 'incomplete')) {
    const what = isUnread ? 'The settlements' : 'The statements';
    const message = `${what} of ${rangeText(range)} were not fully read, so nothing can be accepted.`;
    const hint = 'Run recon bank to see what is missing, or try again later.';
    throw new ReconError('service', message, { hint });
  }
  const matches = bank ? bankMatchesIn(bank.matching) : [];
  return { decisions: decisionsOf(run.settlements, matches, undefined), matches };
}
