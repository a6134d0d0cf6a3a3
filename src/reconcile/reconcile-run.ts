import { rangesOf } from '../base/calendar.ts';
import { byDateThenId } from '../model/settlement.ts';
import type { HeaderList, OddAnswer } from '../model/source.ts';
import { isAccepted } from './acceptance.ts';
import { rowsRead } from './computed.ts';
import { type Entry, exampleLimit, found, smallest, smallestRecords, weighed } from './entry.ts';
import type { ComparedRates } from './fee-rates.ts';
import { type Group, type IgnoredTotal, ignoredTotals, type Totals, totalsBy } from './groups.ts';
import { betterIdentities, type IdentityFit } from './identity.ts';
import type { ReconciledSettlement } from './reconcile-settlement.ts';
import type { RowTotal } from './row-totals.ts';
import type { Rule } from './rules.ts';
import type { SharedTransactions } from './shared-transactions.ts';
import type { ReconcileSettings } from './subject.ts';
import { countByVerdict, runVerdict, type Verdict } from './verdict.ts';

/** A rule that would explain differences of settlements, and is contradicted by none. */
export interface ProposedRule {
  readonly rule: Rule;
  /** How many it would explain, of how many that it was tested on, and which. */
  readonly settlements: number;
  readonly tested: number;
  readonly settlementIds: readonly string[];
}

export interface ReconciledRun {
  readonly verdict: Verdict;
  /** By accounting token, then currency. */
  readonly groups: readonly Group[];
  /** By currency, over all accounting tokens. */
  readonly totals: readonly Totals[];
  readonly settlements: readonly ReconciledSettlement[];
  readonly counts: Readonly<Record<Verdict, number>>;
  /** What concerns the run and not a single settlement. */
  readonly findings: readonly Entry[];
  /** What ignored checks found, by code and currency. */
  readonly ignored: readonly IgnoredTotal[];
  /** If differences were explained: the rules that would balance the most settlements first. */
  readonly proposedRules: readonly ProposedRule[];
  readonly complete: boolean;
  /** Transactions of all settlements that were fully read; one in two of them counts in each. */
  readonly transactions: number;
  /** Of its balanced and out-of-balance settlements. */
  readonly rowTotals: readonly RowTotal[];
  /** Absent unless compared with those of another range. */
  readonly feeRates?: ComparedRates | undefined;
  /** Other identities that hold on all complete settlements, if the chosen one fails. */
  readonly betterIdentities: readonly IdentityFit[];
}

interface RunInput
  extends Pick<ReconciledRun, 'settlements' | 'feeRates'>,
    Partial<Pick<ReconciledRun, 'proposedRules' | 'rowTotals'>> {
  readonly headers: Omit<HeaderList, 'settlements' | 'conflicts'>;
  readonly oddAnswers?: readonly OddAnswer[] | undefined;
  /** With the rows of all settlements. */
  readonly shared: Pick<SharedTransactions, 'finding'>;
  readonly settings: ReconcileSettings;
  readonly feeDrifts?: readonly Entry<'fee_drift'>[];
}

/** The conclusion of a run. Its findings do not change the verdicts of settlements. */
export function reconcileRun({ headers, shared, settings, ...input }: RunInput): ReconciledRun {
  const settlements = [...input.settlements].sort((a, b) =>
    byDateThenId(a.settlement, b.settlement),
  );
  const verdicts = settlements.filter((one) => !isAccepted(one)).map(({ verdict }) => verdict);
  const { finding: sharedTransaction } = shared;
  const findings = [
    ...(sharedTransaction ? [sharedTransaction] : []),
    ...headerFindings(headers),
    ...unusualAnswers(input.oddAnswers),
    ...(input.feeDrifts ?? []),
  ].map((finding) => weighed(finding, settings.ignored));
  const verdict = runVerdict(verdicts, findings);
  const withPayIn = settings.identity !== 'off';
  return {
    verdict,
    groups: totalsBy(settlements, ({ accountingToken }) => ({ accountingToken }), withPayIn),
    totals: totalsBy(settlements, () => ({}), withPayIn),
    settlements,
    counts: countByVerdict(settlements),
    findings,
    ignored: ignoredTotals(settlements),
    proposedRules: input.proposedRules ?? [],
    complete: verdict !== 'incomplete',
    transactions: settlements.reduce((sum, one) => sum + rowsRead(one), 0),
    rowTotals: input.rowTotals ?? [],
    feeRates: input.feeRates,
    betterIdentities: betterIdentities(settlements, settings),
  };
}

/** `unusual_answer`, if the service's answers deviated from its document. */
export function unusualAnswers(
  oddAnswers: readonly OddAnswer[] = [],
): readonly Entry<'unusual_answer'>[] {
  const examples = smallest(oddAnswers, ({ field, found }) => `${field} ${found}`);
  return found('unusual_answer', oddAnswers.length, { examples });
}

/** Why settlements may be missing from a list, and which days of an export are incomplete. */
export function headerFindings({
  unsteady: reason,
  unreadable,
  missingDays = [],
  incompleteDays = [],
  gaps = [],
  repeatedFiles = [],
}: RunInput['headers']): readonly Entry[] {
  const examples = (days: readonly string[]) => rangesOf(days).slice(0, exampleLimit);
  return [
    ...found('unsteady_headers', 1, reason && { reason }),
    ...found('unreadable_header', unreadable.length, { examples: smallestRecords(unreadable) }),
    ...found('missing_day', missingDays.length, { examples: examples(missingDays) }),
    ...found('incomplete_day', incompleteDays.length, { examples: examples(incompleteDays) }),
    ...found('missing_files', gaps.length, { examples: gaps.slice(0, exampleLimit) }),
    ...found('repeated_files', repeatedFiles.length, {
      examples: repeatedFiles.slice(0, exampleLimit),
    }),
  ];
}

/** The ids of pending settlements whose rows were not all read, or not all listed yet. */
export function unreadPendings(settlements: readonly ReconciledSettlement[]): readonly string[] {
  return settlements
    .filter(({ serviceSays }) => serviceSays === 'pending')
    .filter((one) => !one.complete || rowsRead(one) < (one.settlement.transactions ?? 0))
    .map(({ settlement }) => settlement.id);
}
