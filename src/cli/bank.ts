import type { BankReport } from '../app/bank-report.ts';
import { addDays, isDayIn } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { acceptingLine } from '../match/bank-acceptance.ts';
import { BusinessDays, explainingDays } from '../match/business-days.ts';
import { type BankMatch, type BankState, hasArrived } from '../match/match.ts';
import type { BankStatements } from '../model/bank.ts';
import type { DateRange, SettlementQuery, Source } from '../model/source.ts';
import type { AcceptedDifferences } from '../reconcile/acceptance.ts';
import { headerFindings } from '../reconcile/reconcile-run.ts';
import { enumerate } from '../report/common/phrase.ts';
import type { Context } from './context.ts';
import { type FailOn, namedIn } from './exit-codes.ts';
import type { Inputs } from './inputs.ts';
import { filesAt } from './named-files.ts';
import { collectGarbageSooner } from './processes.ts';
import type { openingPayouts } from './registers.ts';

/** Statements, and the paths that the command line names. */
export interface NamedStatements extends BankStatements {
  readonly paths: readonly string[];
}

/** Reads the statements at the paths, or else of the settings or the sandbox. ReconError if there are none. */
export async function readBank(
  paths: readonly string[],
  { settings }: Pick<Inputs, 'settings'>,
  { flags, messages }: Context,
): Promise<NamedStatements> {
  const { readStatements } = await import('../bank/read-statements.ts');
  collectGarbageSooner(20);
  const { statements, bank_csv: mapping } = settings.preferences;
  const places = paths.length === 0 && statements !== undefined ? [statements] : paths;
  if (places.length === 0 && flags.sandbox) {
    const { statementOfSandbox } = await import('./sandbox.ts');
    const own = [await statementOfSandbox(flags.scenario)];
    return { ...(await readStatements(own, undefined)), paths };
  }
  if (places.length === 0) {
    throw new ReconError('usage', 'No bank statement given.', {
      hint: 'Name files or folders, or set statements in the profile.',
    });
  }
  const files = await filesAt(places, 'Bank statement');
  const { leftOut, ...read } = await readStatements(files, mapping);
  if (leftOut.length > 0) {
    messages.say(`Not read, because they are not bank statements: ${leftOut.join(', ')}.`);
  }
  if (read.statements.length === 0 && read.findings.length === 0) {
    throw new ReconError('usage', 'No bank statement found.', {
      where: places.join(', '),
      hint: 'Name a file or folder with statements: camt, MT940, zip, or CSV if bank_csv is set.',
    });
  }
  return { ...read, paths };
}

type OpeningPayouts = NonNullable<ReturnType<typeof openingPayouts>>;

interface PayoutJudgement {
  readonly accepted?: AcceptedDifferences | undefined;
  readonly failOn?: readonly FailOn[] | undefined;
  /** What is known of the time before the range. */
  readonly before?: OpeningPayouts | undefined;
}

/** Matches the pay-outs of a query with statements. ReconError `usage` for statements of other accounts. */
export async function matchedPayouts(
  source: Pick<Source, 'headers'>,
  { paths, ...statements }: NamedStatements,
  { range, filters }: SettlementQuery,
  { settings, names, repeated }: Pick<Inputs, 'settings' | 'names' | 'repeated'>,
  { accepted, failOn, before }: PayoutJudgement,
): Promise<BankReport> {
  // Loaded only by runs with statements.
  const { matchPayouts } = await import('../match/match-payouts.ts');
  const since = before && before.since < range.from ? before.since : range.from;
  const days = explainingDays({ ...range, from: since });
  const headers = await source.headers({ range: days, filters });
  const { payout_accounts: counterparties, holidays } = settings.preferences;
  const businessDays = new BusinessDays(holidays);
  const matchedIn = (days: DateRange) =>
    matchPayouts(headers.settlements, statements, { range: days, counterparties, businessDays });
  const matching = matchedIn(range);
  const isSince = before && since < range.from;
  const earlier = isSince ? matchedIn({ from: since, to: addDays(range.from, -1) }).matches : [];
  const { missingDays = [], incompleteDays = [] } = headers;
  const ofRange = (days: readonly string[]) => days.filter((day) => isDayIn(range, day));
  const missing = ofRange(missingDays);
  const report = {
    earlier: before && earlier.filter((one) => isStillOpen(one, before, accepted)),
    matching,
    statements,
    businessDays,
    paths,
    range,
    filters,
    names,
    profile: settings.profile,
    flags: repeated,
    findings: headerFindings({
      ...headers,
      missingDays: missing,
      incompleteDays: ofRange(incompleteDays),
    }),
    accepted,
    conflicting: headers.conflicts.flatMap(([first]) =>
      first && isDayIn(range, first.date) ? [first.id] : [],
    ),
    lacksDaysAround: missingDays.length > missing.length,
    decidesByUnknown: namedIn(failOn, 'unknown-on-bank') !== undefined,
  };
  refuseOtherCurrencies(report);
  return report;
}

/** Whether what was due before the range is not on the statements as it should be, of what may be open. */
function isStillOpen(
  match: BankMatch,
  { mayBeOpen }: OpeningPayouts,
  accepted: AcceptedDifferences | undefined,
): boolean {
  const states: readonly BankState[] = ['nothing_due', 'not_paid_yet'];
  return (
    !hasArrived(match) &&
    !states.includes(match.state) &&
    !acceptingLine(match, accepted) &&
    match.settlements.some((one) => mayBeOpen(one.settlement))
  );
}

/** Statements whose currencies no pay-out has are of another account. */
function refuseOtherCurrencies({ matching, statements }: BankReport): void {
  const ofPayouts = matching.matches.filter(({ settlements }) => settlements.length > 0);
  const own = new Set(ofPayouts.map(({ currency }) => currency));
  const named = statements.statements.filter(({ currency }) => currency !== '');
  const there = new Set(named.map(({ currency }) => currency));
  const isForeign = [...own].every((currency) => !there.has(currency));
  const isUntouched = ofPayouts.every(({ entries }) => entries.length === 0);
  if (ofPayouts.length === 0 || there.size === 0 || !isForeign || !isUntouched) return;
  const words = (currencies: ReadonlySet<string>) => enumerate([...currencies].sort());
  const message = `The statements are in ${words(there)}; the pay-outs are in ${words(own)}.`;
  throw new ReconError('usage', message, {
    hint: 'Name statements of the accounts that receive the pay-outs.',
  });
}
