import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import type { FailedId } from '../../app/read-each.ts';
import type { Explanation, Hypothesised } from '../../explain/explained.ts';
import type { DateRange } from '../../model/source.ts';
import type { Code, Entry } from '../../reconcile/entry.ts';
import type { ReconciledRun, ReconciledSettlement, Verdict } from '../../reconcile/reconciled.ts';
import { runVerdict } from '../../reconcile/verdict.ts';
import type { AmountForm } from '../common/phrase.ts';
import type { RunReport } from '../common/report.ts';

/** Everything that the report of `recon explain` is made of. */
export interface ExplainReport extends RunReport {
  /** In the order in which they were asked for; of a range, those out of balance, by date and id. */
  readonly settlements: readonly SettlementExplanation[];
  /** Settlements that were asked for and could not be explained, and why. */
  readonly failures: readonly FailedId[];
  /** Whether a screen lists what was ruled out too, and all that explains a part. */
  readonly listsAll?: boolean | undefined;
  /** The verdict of all its settlements together. */
  readonly verdict: Verdict;
  /** The range, with all that was read of it; absent where settlements were asked for by their ids. */
  readonly range?: (DateRange & { readonly run: ReconciledRun }) | undefined;
}

/** How the amounts of a settlement's explanation are to be read. */
export function formOf({ reconciled, explained }: SettlementExplanation): AmountForm {
  return { scale: explained.scale, currency: reconciled.settlement.currency };
}

/** What is concluded of it: nothing where its header is open. */
export function finalVerdict(one: Pick<SettlementExplanation, 'reconciled' | 'findings'>): Verdict {
  return runVerdict([one.reconciled.verdict], one.findings);
}

/** A hypothesis that explains something; undefined where it was ruled out, or not searched. */
export function explanationOf(hypothesis: Hypothesised): Explanation | undefined {
  return 'explained' in hypothesis ? hypothesis : undefined;
}

/** What the waterfall shows, and what the facts and the answer say. */
const saidElsewhere: ReadonlySet<Code> = new Set<Code>([
  'gross',
  'fees',
  'tax',
  'count',
  'reported_by_service',
  'unusual_scale',
  'overdue',
]);

/** What was found beside the differences of the waterfall. */
export function otherEntries({ discrepancies, notices }: ReconciledSettlement): readonly Entry[] {
  return [...discrepancies, ...notices].filter(
    ({ code, weight }) => weight !== 'incomplete' && !saidElsewhere.has(code),
  );
}

/** What forbids a conclusion. */
export function openEntries(one: SettlementExplanation): readonly Entry[] {
  return [...one.findings, ...one.reconciled.discrepancies].filter(
    ({ weight }) => weight === 'incomplete',
  );
}
