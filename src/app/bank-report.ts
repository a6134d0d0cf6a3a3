import { inOrderOf } from '../base/texts.ts';
import { acceptingLine } from '../match/bank-acceptance.ts';
import type { BusinessDays } from '../match/business-days.ts';
import type {
  BankMatch,
  BankMatching,
  BankState,
  EntryShare,
  SettlementShare,
} from '../match/match.ts';
import type { BankRule, BankStatements, PaymentDetails, StatementFinding } from '../model/bank.ts';
import type { Names } from '../model/settlement.ts';
import type { DateRange, SettlementFilters } from '../model/source.ts';
import { rescale } from '../money/money.ts';
import type { AcceptedDifferences } from '../reconcile/acceptance.ts';
import type { Entry } from '../reconcile/entry.ts';
import type { ClosedRange } from './closed-range.ts';

export interface BankReport {
  readonly matching: BankMatching;
  readonly statements: BankStatements;
  readonly businessDays: BusinessDays;
  /** The rules of the profile for entries that no pay-out explains. */
  readonly rules?: readonly BankRule[] | undefined;
  /** The statements that the command line names; empty if they come from elsewhere. */
  readonly paths: readonly string[];
  readonly range: DateRange;
  readonly profile: string | undefined;
  readonly filters: SettlementFilters;
  readonly names: Names;
  /** The flags with which a suggested command asks the same service. */
  readonly flags: string;
  /** Findings about the list of settlements. */
  readonly findings: readonly Entry[];
  /** The accepted differences; absent without a register. */
  readonly accepted: AcceptedDifferences | undefined;
  /** The ids of settlements with several headers: the first header is compared. */
  readonly conflicting: readonly string[];
  /** What was open before the range; absent if that is not known. */
  readonly earlier?: readonly BankMatch[] | undefined;
  /** The closes over days of the range; absent in parts of other reports. */
  readonly closed?: readonly ClosedRange[] | undefined;
  /** Days around the range that the source lacks: their pay-outs are among the unknown entries. */
  readonly lacksDaysAround: boolean;
  /** The days of pay-outs that end before it are over. */
  readonly today: string;
  /** Whether an unknown entry changes the verdict, by `--fail-on`. */
  readonly decidesByUnknown: boolean;
  /** Of several profiles, the pay-outs of one, or what is of none; absent for a profile alone. */
  readonly scope?: 'profile' | 'none';
  /** The matchings of the profiles beside what is of none. */
  readonly others?: readonly BankMatching[];
}

/**
 * - `incomplete`: not all settlements or not all of the statements could be read
 * - `not_reconciled`: something needs a decision
 * - `reconciled`: all pay-outs that were due are on the statements or in transit
 */
export type BankVerdict = 'incomplete' | 'not_reconciled' | 'reconciled';

/** States that need a decision, the most urgent first. */
export const openStates = [
  'missing_on_bank',
  'difference',
  'returned',
  'ambiguous',
  'unknown_on_bank',
  'suggested',
] as const satisfies readonly BankState[];

/** States of pay-outs that need no decision yet. */
export const waitingStates = [
  'in_transit',
  'pending_on_bank',
  'not_paid_yet',
] as const satisfies readonly BankState[];

/** The matches whose difference or unknown receipt is accepted. */
export function acceptedMatches({ matching, accepted }: BankReport): readonly BankMatch[] {
  return matching.matches.filter((one) => acceptingLine(one, accepted));
}

/** The matches in a state that are not accepted. */
export function openMatches(
  { matching, accepted }: Pick<BankReport, 'matching' | 'accepted'>,
  state: BankState,
): readonly BankMatch[] {
  return matching.matches.filter(
    (match) => match.state === state && !acceptingLine(match, accepted),
  );
}

/** The verdict. Matches that are accepted, waiting or not covered do not count, nor do unknown entries by default. */
export function bankVerdict(report: BankReport): BankVerdict {
  const { statements } = report;
  if (isBankUnread(report)) return 'incomplete';
  const isOpen = openStates.some(
    (state) =>
      (state !== 'unknown_on_bank' || report.decidesByUnknown) &&
      openMatches(report, state).length > 0,
  );
  return isOpen || report.earlier?.some(isOpenFromBefore) || statements.findings.some(isBroken)
    ? 'not_reconciled'
    : 'reconciled';
}

/** Whether a pay-out of days before a range is in transit and needs a decision: a difference is on suspense by then. */
function isOpenFromBefore({ state }: BankMatch): boolean {
  return state !== 'difference' && openStates.some((one) => one === state);
}

/** Whether not all settlements or statements of a range could be read. */
export function isBankUnread(
  { findings, statements, range: all }: BankReport,
  range: DateRange = all,
): boolean {
  return (
    statements.findings.some((one) => isOpenOn(range, one)) ||
    findings.some(({ weight }) => weight === 'incomplete')
  );
}

/** Whether, after a finding in statements, it is uncertain what was booked in a range. */
export function isOpenOn(range: DateRange, { code, from, to }: StatementFinding): boolean {
  if (code === 'undated') return to === '' || (from <= range.to && range.from <= to);
  return code === 'unreadable' || code === 'not_read';
}

/** Whether a finding in statements is about wrong balances. */
export function isBroken({ code }: StatementFinding): boolean {
  return code === 'balance_break' || code === 'statement_gap' || code === 'overlap_break';
}

/** The matches of a report and of the profiles beside it. */
export function matchesOfAll({ matching, others = [] }: Pick<BankReport, 'matching' | 'others'>) {
  return [matching, ...others].flatMap(({ matches }) => matches);
}

export function payoutsIn(matches: readonly BankMatch[]): number {
  return matches.reduce((sum, { settlements }) => sum + settlements.length, 0);
}

/** A settlement and an entry of a match. A single one is repeated on each line of its match, without its amounts. */
export interface BankLine {
  /** Numbers the matches of a report, from 1. */
  readonly number: number;
  readonly match: BankMatch;
  /** Of the match. */
  readonly scale: number;
  readonly share: SettlementShare | undefined;
  readonly entry: EntryShare | undefined;
  readonly isFirst: boolean;
  /** Whether the amounts of its settlement, and of its entry, are on this line. */
  readonly hasSettlement: boolean;
  readonly hasEntry: boolean;
}

/** An entry of a line, with its amounts. */
export type EntryLine = Pick<BankLine, 'scale' | 'entry' | 'hasEntry'>;

/** Entries as they were read, in the order of their files. */
export function entryLines(entries: BankStatements['entries']): readonly EntryLine[] {
  return [...entries].sort(inOrderOf(({ place: { file, line } }) => [file, line])).map((entry) => {
    const share = { entry, part: undefined, amount: entry.amount };
    return { scale: entry.scale, entry: share, hasEntry: true };
  });
}

/** The matches that reports list: without entries that do not concern the service, unless a rule says so. */
export function listedMatches(matches: readonly BankMatch[]): readonly BankMatch[] {
  return matches.filter(({ state, rule }) => state !== 'unrelated' || rule);
}

export function* bankLines(matches: readonly BankMatch[]): Generator<BankLine, void, void> {
  for (const [index, match] of listedMatches(matches).entries()) {
    yield* linesOfMatch(match, index + 1);
  }
}

/** A match as lines; `number` is 0 if it is not shown. */
export function linesOfMatch(match: BankMatch, number = 0): readonly BankLine[] {
  const { settlements, entries } = match;
  const pick = <One>(all: readonly One[], at: number) => (all.length === 1 ? all[0] : all[at]);
  const count = Math.max(settlements.length, entries.length);
  return Array.from({ length: count }, (_, at) => ({
    number,
    match,
    scale: match.scale,
    share: pick(settlements, at),
    entry: pick(entries, at),
    isFirst: at === 0,
    hasSettlement: at < settlements.length,
    hasEntry: at < entries.length,
  }));
}

/** The expected amount of a settlement, and the received one if it is known; minor units at the scale of its match. */
export function shareFigures(match: BankMatch, { settlement, received: own }: SettlementShare) {
  const expected = rescale(settlement.payIn, settlement.scale, match.scale);
  // If the sums agree, each settlement was paid in full.
  const ofSeveral = own ?? (match.state === 'matched' ? expected : undefined);
  const ofThis = match.settlements.length === 1 ? match.received : ofSeveral;
  const received = match.difference === undefined ? undefined : ofThis;
  const difference = received === undefined ? undefined : received - expected;
  return { expected, received, difference };
}

export type ShareFigure = keyof ReturnType<typeof shareFigures>;

/** The texts of an entry, line by line: of its part in this match, or else of the whole entry. */
export function entryTexts(share: EntryShare | undefined, key: keyof PaymentDetails) {
  return textsOf(share, key).flatMap((text) => text.split('\n'));
}

function textsOf(share: EntryShare | undefined, key: keyof PaymentDetails): readonly string[] {
  if (!share) return [];
  const { entry, part } = share;
  const own = part === undefined ? [] : (entry.parts[part]?.[key] ?? []);
  if (own.length > 0) return own;
  const ofParts = part === undefined ? entry.parts.flatMap((one) => one[key]) : [];
  return [...new Set([...entry.details[key], ...ofParts])];
}
