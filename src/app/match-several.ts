import { spanOf } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import { acceptingLine } from '../match/bank-acceptance.ts';
import { type BankMatch, type BankState, bankMatchesIn, entryKey } from '../match/match.ts';
import { bankTotalsOf } from '../match/totals.ts';
import type { BankReport } from './bank-report.ts';
import type { BankMatcher } from './match-bank.ts';

interface ProfileMatcher {
  readonly profile: string;
  readonly match: BankMatcher;
}

/** The pay-outs of several profiles on the same statements. */
export interface BanksOfSeveral {
  /** Of each profile, in order: its pay-outs, and the entries that its rules or its register take. */
  readonly reports: readonly BankReport[];
  /** The entries of no profile, and the statements. */
  readonly none: BankReport;
  /**
   * The same reports to be booked: each entry in one of them. What is of none is with the first profile that cannot rule
   * it out, and what several could have with the first of these.
   */
  readonly whole: readonly BankReport[];
}

/**
 * Matches the pay-outs of several profiles with the same statements. An entry that one of them has for certain is not
 * there for the others; one that several could have is `ambiguous` for each. At least one profile must be given.
 */
export function matchSeveral(profiles: readonly ProfileMatcher[]): BanksOfSeveral {
  const alone = profiles.map(({ match }) => match(new Set()));
  const certain = alone.map(({ matching }) => entriesOf(bankMatchesIn(matching).filter(isCertain)));
  const matched = alone.map((report, at) => {
    const others = certain.flatMap((keys, other) => (other === at ? [] : [...keys]));
    const taken = new Set(others.filter((key) => !certain[at]?.has(key)));
    return taken.size === 0 ? report : (profiles[at]?.match(taken) ?? report);
  });
  const claims = groupedBy(
    matched.flatMap(({ matching }, at) =>
      bankMatchesIn(matching).flatMap(({ settlements, entries }) =>
        entries.flatMap((entry) =>
          settlements.map(({ settlement: { id: settlementId } }) => {
            return { key: entryKey(entry), profile: profiles[at]?.profile ?? '', settlementId };
          }),
        ),
      ),
    ),
    ({ key }) => key,
  );
  const claimsOf = ({ entries }: BankMatch) =>
    entries.flatMap((entry) => claims.get(entryKey(entry)) ?? []);
  const isOpen = (match: BankMatch) =>
    match.settlements.length === 0 && claimsOf(match).length === 0;
  const owners = new Map<string, BankReport>();
  for (const report of matched) {
    for (const match of bankMatchesIn(report.matching)) {
      const isOwn = isOpen(match) && (match.rule || acceptingLine(match, report.accepted));
      if (isOwn && !owners.has(keyOf(match))) owners.set(keyOf(match), report);
    }
  }
  const reports = matched.map((report, at): BankReport => {
    const asShared = (match: BankMatch): BankMatch => {
      const others = claimsOf(match).filter(({ profile }) => profile !== profiles[at]?.profile);
      return others.length === 0 ? match : withRivals(match, others);
    };
    const own = (matches: readonly BankMatch[]) =>
      matches
        .filter((one) => one.settlements.length > 0 || owners.get(keyOf(one)) === report)
        .map(asShared);
    const { matching, earlier } = report;
    const matches = own(matching.matches);
    const totals = bankTotalsOf(matches);
    return {
      ...report,
      scope: 'profile',
      matching: { ...matching, matches, totals, outside: own(matching.outside) },
      earlier: earlier?.map(asShared),
    };
  });
  const open = new Map<string, { readonly match: BankMatch; readonly at: number }>();
  for (const [at, { matching }] of matched.entries()) {
    for (const match of matching.matches.filter(isOpen)) {
      const key = keyOf(match);
      const { state } = open.get(key)?.match ?? {};
      if (!owners.has(key) && rankOf(match.state) > rankOf(state)) open.set(key, { match, at });
    }
  }
  const unknown = [...open.values()];
  const none = ofNone(
    reports,
    unknown.map(({ match }) => match),
  );
  const booked = new Set<string>();
  const whole = reports.map((report, at): BankReport => {
    const { matching } = report;
    const left = (match: BankMatch): BankMatch =>
      match.rivals
        ? { ...match, entries: match.entries.filter((one) => !booked.has(entryKey(one))) }
        : match;
    const own = unknown.flatMap((one) => (one.at === at ? one.match : []));
    const matches = [...matching.matches.map(left), ...own];
    const outside = matching.outside.map(left);
    for (const key of entriesOf([...matches, ...outside])) booked.add(key);
    return { ...report, matching: { ...matching, matches, outside } };
  });
  return { reports, none, whole };
}

/** Whether entries belong to pay-outs by more than a guess. */
function isCertain({ settlements, state }: BankMatch): boolean {
  return settlements.length > 0 && state !== 'suggested' && state !== 'ambiguous';
}

function entriesOf(matches: readonly BankMatch[]): ReadonlySet<string> {
  return new Set(matches.flatMap(({ entries }) => entries.map(entryKey)));
}

function keyOf({ entries }: BankMatch): string {
  return entries.map(entryKey).join(' ');
}

/** An entry that is unrelated to one profile may be of another. */
const rising: readonly (BankState | undefined)[] = [
  undefined,
  'unrelated',
  'pending_on_bank',
  'unknown_on_bank',
];
const rankOf = (state: BankState | undefined) => rising.indexOf(state);

function withRivals(match: BankMatch, rivals: NonNullable<BankMatch['rivals']>): BankMatch {
  const named = new Map(
    rivals.map(({ profile, settlementId }) => [
      `${profile} ${settlementId}`,
      { profile, settlementId },
    ]),
  );
  return {
    ...match,
    state: 'ambiguous',
    reason: 'other_profile',
    settlements: match.settlements.map(({ settlement }) => ({ settlement, received: undefined })),
    received: 0n,
    difference: undefined,
    rivals: [...named.values()],
  };
}

function ofNone(reports: readonly BankReport[], unknown: readonly BankMatch[]): BankReport {
  const [first] = reports;
  if (!first) throw new RangeError('No profile to match.');
  const others = reports.map(({ matching }) => matching);
  const isPayerUnknown = others.some(({ paidFrom }) => paidFrom.length === 0);
  return {
    ...first,
    scope: 'none',
    others,
    matching: {
      matches: unknown,
      totals: bankTotalsOf(unknown),
      outside: [],
      netted: [],
      near: new Map(),
      takenBack: new Map(),
      compared: new Set(),
      paidFrom: isPayerUnknown
        ? []
        : [...new Set(others.flatMap(({ paidFrom }) => paidFrom))].sort(),
    },
    range: spanOf(reports.flatMap(({ range: { from, to } }) => [from, to])) ?? first.range,
    profile: undefined,
    names: new Map(reports.flatMap(({ names }) => [...names])),
    rules: undefined,
    accepted: undefined,
    findings: [],
    conflicting: [],
    earlier: [],
    closed: undefined,
    lacksDaysAround: reports.some((one) => one.lacksDaysAround),
  };
}
