import { rangesOf } from '../base/calendar.ts';
import { byDateThenId } from '../model/settlement.ts';
import type { HeaderList, OddAnswer } from '../model/source.ts';
import { isAccepted } from './acceptance.ts';
import { rowsRead } from './computed.ts';
import { type Entry, found, weighed } from './entry.ts';
import { exampleLimit, smallest, smallestRecords } from './examples.ts';
import type { ComparedRates } from './fee-rates.ts';
import { countByVerdict, groupsOf, ignoredTotals, totalsOf } from './groups.ts';
import { betterIdentities } from './identity.ts';
import type {
  ProposedRule,
  ReconciledRun,
  ReconciledSettlement,
  ReconcileSettings,
} from './reconciled.ts';
import type { RowTotal } from './row-totals.ts';
import type { SharedTransactions } from './shared-transactions.ts';
import { runVerdict } from './verdict.ts';

/** What a run has come to when all its settlements are judged. */
export interface RunInput {
  /** In any order. */
  readonly settlements: readonly ReconciledSettlement[];
  /** How reading the headers ended. */
  readonly headers: Pick<HeaderList, 'unreadable' | 'unsteady' | 'missingDays' | 'incompleteDays'>;
  /** What was odd in the service's answers, where there were any. */
  readonly oddAnswers?: readonly OddAnswer[] | undefined;
  /** All settlements' rows have been added to it. */
  readonly shared: Pick<SharedTransactions, 'finding'>;
  readonly settings: ReconcileSettings;
  /** None where differences were not explained. */
  readonly proposedRules?: readonly ProposedRule[];
  /** None where nobody asks for them. */
  readonly rowTotals?: readonly RowTotal[];
  /** None where they are not compared with those of another range. */
  readonly feeRates?: ComparedRates | undefined;
  readonly feeDrifts?: readonly Entry<'fee_drift'>[];
}

/**
 * Draws the run's conclusion. What is found about the run stands apart from its settlements, whose
 * verdicts stay. A pending settlement that wasn't read whole leaves the run complete, and an accepted
 * one doesn't put it out of balance.
 */
export function reconcileRun({ headers, shared, settings, ...input }: RunInput): ReconciledRun {
  const settlements = [...input.settlements].sort((a, b) =>
    byDateThenId(a.settlement, b.settlement),
  );
  const alarming = settlements.filter((one) => !isAccepted(one));
  const verdicts = alarming.map(({ verdict }) => verdict);
  const { finding: sharedTransaction } = shared;
  const findings = [
    ...(sharedTransaction ? [sharedTransaction] : []),
    ...headerFindings(headers),
    ...unusualAnswers(input.oddAnswers),
    ...(input.feeDrifts ?? []),
  ].map((finding) => weighed(finding, settings.ignored));
  const verdict = runVerdict(verdicts, findings);
  return {
    verdict,
    groups: groupsOf(settlements, settings.identity !== 'off'),
    totals: totalsOf(settlements, settings.identity !== 'off'),
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

/** `unusual_answer`: what was odd in the service's answers, if something was. */
export function unusualAnswers(
  oddAnswers: readonly OddAnswer[] = [],
): readonly Entry<'unusual_answer'>[] {
  const examples = smallest(oddAnswers, ({ field, found }) => `${field} ${found}`);
  return found('unusual_answer', oddAnswers.length, { examples });
}

/** What leaves it open whether all settlements were listed; and which days of an export are incomplete. */
export function headerFindings({
  unsteady: reason,
  unreadable,
  missingDays = [],
  incompleteDays = [],
}: RunInput['headers']): readonly Entry[] {
  const examples = (days: readonly string[]) => rangesOf(days).slice(0, exampleLimit);
  return [
    ...found('unsteady_headers', 1, reason && { reason }),
    ...found('unreadable_header', unreadable.length, { examples: smallestRecords(unreadable) }),
    ...found('missing_day', missingDays.length, { examples: examples(missingDays) }),
    ...found('incomplete_day', incompleteDays.length, { examples: examples(incompleteDays) }),
  ];
}
