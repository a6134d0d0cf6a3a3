import { isOpenOn, payoutsIn } from '../app/bank-report.ts';
import { addDays, daysOf, isDayIn } from '../base/calendar.ts';
import { type Fault, faultOf, ReconError } from '../base/errors.ts';
import { acceptingLine, bankAcceptanceOf } from '../match/bank-acceptance.ts';
import {
  type BusinessDays,
  daysAround,
  daysCovered,
  explainingDays,
  payoutDays,
} from '../match/business-days.ts';
import {
  type BankMatch,
  type BankState,
  entryKey,
  explainedEntries,
  hasArrived,
} from '../match/match.ts';
import { matchPayouts } from '../match/match-payouts.ts';
import {
  type BankRule,
  type BankStatements,
  isRemark,
  type StatementFinding,
} from '../model/bank.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import { formatMinor } from '../money/money.ts';
import type { AcceptedDifferences } from '../reconcile/acceptance.ts';
import type { Archive } from './archive.ts';
import { isSameReason, type NightState, type Reason, reasonOf } from './state.ts';

/** A pay-out or a bank entry with a finding, as it was reported. */
type BankIssue = NightState['bank']['reportedIssues'][number];

export interface BankOfNight {
  /** What was read, or why the statements cannot be read. */
  readonly statements: BankStatements | ReconError;
  /** Account numbers that the service pays from, and names of it on statements. */
  readonly counterparties: readonly string[];
  readonly rules?: readonly BankRule[];
  readonly businessDays: BusinessDays;
}

type FoundIssue = NonNullable<ReturnType<typeof issueOf>>;

const issueKinds: Readonly<Partial<Record<BankState, BankIssue['kind']>>> = {
  missing_on_bank: 'missing_on_bank',
  difference: 'bank_difference',
  returned: 'returned_by_bank',
  unknown_on_bank: 'unknown_on_bank',
};

const undecidedStates: readonly BankState[] = [
  'suggested',
  'ambiguous',
  'in_transit',
  'not_covered',
  'pending_on_bank',
];

/**
 * Matches the days in place with the statements: the days that these cover, and earlier days that were
 * reported. An entry is unknown only if all days that may explain it are in place.
 */
export async function findOnBank(
  archive: Archive,
  { bank: before }: NightState,
  { statements, ...expected }: BankOfNight,
  accepted: AcceptedDifferences | undefined,
) {
  if (statements instanceof ReconError) return unreadStatements(before, statements);
  const range = payoutDays(statements);
  const settlements = await settlementsFor(archive, range, before.reportedIssues);
  const options = { range: range ?? { from: '', to: '' }, ...expected, accepted };
  const { matches, outside } = matchPayouts(settlements, statements, options);
  const reportedIds = new Set(before.reportedIssues.map(({ id }) => id));
  const wasReported = (match: BankMatch) => idsOf(match).some((id) => reportedIds.has(id));
  const all = [...matches, ...outside.filter(wasReported)];
  const explainable = explainableDays(archive, all);
  const counted = all.filter(
    ({ state, entries }) =>
      state !== 'unknown_on_bank' || entries.every(({ entry }) => explainable.has(entry.date)),
  );
  const issues = counted.flatMap((match) => issueOf(match, before, accepted) ?? []);
  const findings = statements.findings.filter((one) => !isRemark(one));
  const problems = findings.map((one) => problemOf(findingReason(one), one, before));
  const { stillUndecided, resolved } = followReported(before.reportedIssues, all, issues);
  return {
    issues,
    resolved,
    problems,
    /** What the state keeps after all this is reported. */
    next: {
      reportedIssues: [...issues.map(({ issue }) => issue), ...stillUndecided],
      problems: problems.map(({ reason }) => reason),
    },
    onBank: {
      ...countOnBank(counted, issues, problems, accepted),
      explained: explainedEntries([...matches, ...outside]),
      days: daysCovered(statements.statements),
      isRead: !findings.some((one) => isOpenOn(options.range, one)),
    },
  };
}

function unreadStatements(before: NightState['bank'], error: ReconError) {
  const reason = [...reasonOf(error), error.where ?? ''];
  const problem = problemOf(reason, faultOf(error), before);
  const counts = countOnBank([], [], [problem], undefined);
  const onBank = { ...counts, explained: new Set<string>(), days: undefined, isRead: false };
  const next = { reportedIssues: before.reportedIssues, problems: [reason] };
  return { issues: [], resolved: [], problems: [problem], next, onBank };
}

export function problemOf(
  reason: Reason,
  problem: StatementFinding | Fault,
  before: NightState['bank'],
) {
  const detail = { about: 'statements', problem } as const;
  return { reason, detail, isReported: before.problems.some((one) => isSameReason(one, reason)) };
}

function findingReason({ code, place, ...one }: StatementFinding): Reason {
  const { account, currency, element, found, difference = '' } = one;
  return [code, place.file, place.line, account, currency, element, found, difference].map(String);
}

function followReported(
  before: readonly BankIssue[],
  matches: readonly BankMatch[],
  now: readonly FoundIssue[],
) {
  const isIssue = new Set(now.map(({ issue }) => issue.id));
  const byId = new Map(matches.flatMap((match) => idsOf(match).map((id) => [id, match])));
  return {
    /** Undecided now: the state keeps it as it is. */
    stillUndecided: before.filter(({ id, kind }) => {
      const state = byId.get(id)?.state;
      // An unknown entry is dropped after its statement has left the folder.
      const isOpen = state ? undecidedStates.includes(state) : kind !== 'unknown_on_bank';
      return isOpen && !isIssue.has(id);
    }),
    resolved: before.flatMap((issue) => {
      const match = byId.get(issue.id);
      const isResolved = match && hasArrived(match) && issue.kind !== 'unknown_on_bank';
      return isResolved ? [{ issue, match }] : [];
    }),
  };
}

function countOnBank(
  matches: readonly BankMatch[],
  issues: readonly FoundIssue[],
  problems: readonly ReturnType<typeof problemOf>[],
  accepted: AcceptedDifferences | undefined,
) {
  const isAccepted = (match: BankMatch) => acceptingLine(match, accepted) !== undefined;
  const open = matches.filter((match) => !isAccepted(match));
  const count = (...states: readonly BankState[]) =>
    payoutsIn(open.filter(({ state }) => states.includes(state)));
  const unknown = open.filter(({ state }) => state === 'unknown_on_bank');
  return {
    matched: payoutsIn(matches.filter(hasArrived)),
    missing: count('missing_on_bank'),
    differences: count('difference', 'returned'),
    accepted: payoutsIn(matches.filter(isAccepted)),
    undecided: count('suggested', 'ambiguous'),
    unknown: new Set(unknown.flatMap(({ entries }) => entries.map(entryKey))),
    known: new Set(issues.flatMap(({ issue, isReported }) => (isReported ? issue.id : []))),
    knownProblems: problems.flatMap(({ detail, isReported }) => (isReported ? detail : [])),
  };
}

/** The settlements that entries may be about: of the range, of the days around it, and those reported. */
async function settlementsFor(
  archive: Archive,
  range: DateRange | undefined,
  reported: readonly BankIssue[],
): Promise<readonly Settlement[]> {
  const around = range && explainingDays(range);
  const reportedDays = new Set(reported.map(({ day }) => day));
  const settlements = new Map<string, Settlement>();
  for (const day of archive.days.keys()) {
    if (!(around && isDayIn(around, day)) && !reportedDays.has(day)) continue;
    for (const one of await archive.settlements(day)) settlements.set(one.id, one);
  }
  return [...settlements.values()];
}

function idsOf({ settlements, entries }: BankMatch): readonly string[] {
  return [...settlements.map(({ settlement }) => settlement.id), ...entries.map(entryKey)];
}

/** The booking days of entries of which all possible days of settlements are in place. */
function explainableDays({ days }: Archive, matches: readonly BankMatch[]): ReadonlySet<string> {
  const booked = new Set(matches.flatMap(({ entries }) => entries.map(({ entry }) => entry.date)));
  const complete = [...booked].filter((day) => {
    // The days of pay-outs before it, and a weekend after it.
    const around = { from: addDays(day, -daysAround.after), to: addDays(day, 3) };
    return [...daysOf(around)].every((one) => days.has(one));
  });
  return new Set(complete);
}

/** Undefined if a match has no finding, or an accepted one. */
export function issueOf(
  match: BankMatch,
  before: NightState['bank'],
  accepted: AcceptedDifferences | undefined,
) {
  const kind = issueKinds[match.state];
  const [share] = match.settlements;
  const [first] = match.entries;
  const id = share?.settlement.id ?? (first && entryKey(first));
  const day = share?.settlement.date ?? first?.entry.date;
  const acceptance = bankAcceptanceOf(match, accepted);
  const isAccepted = acceptance?.state === 'accepted';
  if (!kind || id === undefined || day === undefined || isAccepted) return undefined;
  const { currency, scale, expected, received } = match;
  const amounts = [expected, received].map((minor) => formatMinor(minor, scale));
  const mark = [currency, ...amounts, acceptance?.state].join(' ').trim();
  const was = before.reportedIssues.find((one) => one.id === id && one.kind === kind);
  // `acceptance`: an earlier acceptance that no longer counts.
  return { issue: { id, day, kind, mark }, match, isReported: was?.mark === mark, acceptance };
}
