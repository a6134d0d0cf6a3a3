import { isDayIn } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { explainingDays } from '../match/payout-days.ts';
import type { SettlementQuery, Source } from '../model/source.ts';
import type { AcceptedDifferences } from '../reconcile/acceptance.ts';
import { headerFindings } from '../reconcile/reconcile-run.ts';
import type { BankReport } from '../report/bank/report.ts';
import { enumerate } from '../report/common/phrase.ts';
import type { Asked } from './asked.ts';
import type { NamedStatements } from './bank.ts';
import type { FailOn } from './exit-codes.ts';

/** What people have said of pay-outs: which differences are accepted, and what `--fail-on` names. */
interface PayoutJudgement {
  readonly accepted?: AcceptedDifferences | undefined;
  readonly failOn?: readonly FailOn[] | undefined;
}

/**
 * Reads the settlements of a query and of the days around it, and matches their pay-outs with the entries
 * of statements. Throws ReconError `usage` for statements of other accounts than those that are paid.
 */
export async function matchedPayouts(
  source: Pick<Source, 'headers'>,
  { paths, ...statements }: NamedStatements,
  { range, filters }: SettlementQuery,
  { settings, names, repeated }: Pick<Asked, 'settings' | 'names' | 'repeated'>,
  { accepted, failOn = [] }: PayoutJudgement,
): Promise<BankReport> {
  // Most runs have no statements, and don't pay for it at their start.
  const { matchPayouts } = await import('../match/match-payouts.ts');
  const headers = await source.headers({ range: explainingDays(range), filters });
  const counterparties = settings.preferences.payout_accounts;
  const matching = matchPayouts(headers.settlements, statements, { range, counterparties });
  const { missingDays = [], incompleteDays = [] } = headers;
  const ofRange = (days: readonly string[]) => days.filter((day) => isDayIn(range, day));
  const missing = ofRange(missingDays);
  const report = {
    ...{ matching, statements, paths, range, filters, names },
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
    decidesByUnknown: failOn.some((word) => word.endsWith('unknown-on-bank')),
  };
  refuseOtherCurrencies(report);
  return report;
}

/** Statements in other currencies than all pay-outs are those of another account. */
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
