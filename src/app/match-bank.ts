import { addDays, isDayIn } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { enumerate } from '../base/texts.ts';
import { acceptingLine, explainingDaysOf } from '../match/bank-acceptance.ts';
import { daysAround } from '../match/business-days.ts';
import { type BankMatch, type BankState, hasArrived } from '../match/match.ts';
import { bankTotalsOf } from '../match/totals.ts';
import { isRemark } from '../model/bank.ts';
import type { DateRange, HeaderList, SettlementQuery, Source } from '../model/source.ts';
import type { AcceptedDifferences } from '../reconcile/acceptance.ts';
import { headerFindings } from '../reconcile/reconcile-run.ts';
import type { BankReport } from './bank-report.ts';
import type { EarlierPayouts } from './books-so-far.ts';

/** Statements, and how pay-outs are matched with them. */
export interface BankInput
  extends Pick<
    BankReport,
    | ('statements' | 'paths' | 'businessDays' | 'rules' | 'decidesByUnknown' | 'today')
    | ('profile' | 'names' | 'flags')
  > {
  /** Account numbers that the service pays from, and names of it on statements. */
  readonly counterparties: readonly string[];
}

export interface BankOptions extends BankInput, Partial<Pick<BankReport, 'accepted' | 'closed'>> {
  /** What is known of the time before the range. */
  readonly before?: EarlierPayouts | undefined;
}

/** Matches the pay-outs of a query with statements. ReconError `usage` for statements of other accounts. */
export async function matchBank(
  source: Pick<Source, 'headers'>,
  query: SettlementQuery,
  options: BankOptions,
): Promise<BankReport> {
  return (await bankMatcher(source, query, options))();
}

/**
 * Matches the pay-outs that were read with the statements: as those of one of several profiles without the entries that
 * are `taken`, certainly of others. ReconError `usage`, unless it is one of several, for statements of other accounts.
 */
export type BankMatcher = (taken?: ReadonlySet<string>) => BankReport;

/** Reads the pay-outs of a query, to be matched as by `matchBank`, once or again. */
export async function bankMatcher(
  source: Pick<Source, 'headers'>,
  { range, filters }: SettlementQuery,
  { counterparties, before, accepted, ...options }: BankOptions,
): Promise<BankMatcher> {
  // Loaded only by runs with statements.
  const { matchPayouts } = await import('../match/match-payouts.ts');
  const { statements, businessDays, rules } = options;
  const since = before && before.since < range.from ? before.since : range.from;
  const days = explainingDaysOf({ ...range, from: since }, accepted);
  const headers = await source.headers({ range: days, filters });
  const own = headersIn(range, headers);
  const findings = headerFindings(own);
  return (taken) => {
    const matchedIn = (days: DateRange) =>
      matchPayouts(headers.settlements, statements, {
        range: days,
        counterparties,
        businessDays,
        rules,
        accepted,
        taken,
      });
    const isSince = before && since < range.from;
    const earlier = isSince ? matchedIn({ from: since, to: addDays(range.from, -1) }).matches : [];
    const report: BankReport = {
      ...options,
      accepted,
      range,
      filters,
      matching: matchedIn(range),
      earlier: before && earlier.filter((one) => isStillOpen(one, before, accepted)),
      findings,
      conflicting: headers.conflicts.flatMap(([first]) =>
        first && isDayIn(range, first.date) ? [first.id] : [],
      ),
      lacksDaysAround: (headers.missingDays?.length ?? 0) > own.missingDays.length,
    };
    if (!taken) refuseOtherCurrencies(report);
    return report;
  };
}

/** The headers of a range alone. An export need not have the days around, which only explain entries. */
export function headersIn(range: DateRange, headers: HeaderList) {
  const isOfRange = (day: string) => isDayIn(range, day);
  return {
    ...headers,
    settlements: headers.settlements.filter(({ date }) => isOfRange(date)),
    missingDays: (headers.missingDays ?? []).filter(isOfRange),
    incompleteDays: (headers.incompleteDays ?? []).filter(isOfRange),
  };
}

/** Whether what was due before the range is not on the statements as it should be, of what may be open. */
function isStillOpen(
  match: BankMatch,
  { mayBeOpen }: EarlierPayouts,
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
  // What could not be read may be in the right currency.
  const isRead = statements.findings.every(isRemark);
  if (ofPayouts.length === 0 || there.size === 0) return;
  if (!isForeign || !isUntouched || !isRead) return;
  const words = (currencies: ReadonlySet<string>) => enumerate([...currencies].sort());
  const message = `The statements are in ${words(there)}; the pay-outs are in ${words(own)}.`;
  throw new ReconError('usage', message, {
    hint: 'Name statements of the accounts that receive the pay-outs.',
  });
}

/** A report on the days of its statements: earlier days matter only for what arrives on them. */
export function withoutEarlier(report: BankReport): BankReport {
  const first = addDays(report.range.from, daysAround.before);
  const isEarlier = ({ state, settlements }: BankMatch) =>
    state === 'not_covered' && settlements.every(({ settlement }) => settlement.date < first);
  const matches = report.matching.matches.filter((match) => !isEarlier(match));
  return {
    ...report,
    matching: { ...report.matching, matches, totals: bankTotalsOf(matches) },
  };
}
