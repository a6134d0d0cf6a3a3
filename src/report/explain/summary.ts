import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import type { FailedId } from '../../app/read-each.ts';
import type { RunReport } from '../../app/settlements-report.ts';
import type { Obstacle } from '../../explain/case.ts';
import { isOpen } from '../../explain/counterparts.ts';
import { isNothing } from '../../explain/delta.ts';
import type { Explained, Explanation, Hypothesised } from '../../explain/explained.ts';
import type { DateRange } from '../../model/source.ts';
import { isAccepted } from '../../reconcile/acceptance.ts';
import type { Code, Entry } from '../../reconcile/entry.ts';
import type { ReconciledRun } from '../../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { runVerdict, type Verdict, verdictReason } from '../../reconcile/verdict.ts';
import { acceptanceSentence } from '../common/acceptance.ts';
import { onlyByService } from '../common/blocks.ts';
import { adviceForIncomplete } from '../common/partial-words.ts';
import {
  amountText,
  canBeCopied,
  capitalised,
  command,
  enumerate,
  moneyText,
  present,
  type Unit,
} from '../common/phrase.ts';
import { doubtsOf, entrySentence, verdictWords } from '../common/words.ts';
import { settlementsConclusion } from '../settlements/summary.ts';
import { causeQuestions } from './cause-words.ts';
import { causeTitle, deltaText } from './words.ts';

/** The verdict in capitals, and whether people have accepted it. */
export function verdictLabel(one: SettlementExplanation): string {
  const words = verdictWords[finalVerdict(one)].toUpperCase();
  return isAccepted(one.reconciled) ? `${words} (ACCEPTED)` : words;
}

/** Whether the settlement balances, or by how much it does not, whether that is explained, and what is in doubt. */
export function answerText(one: SettlementExplanation): string {
  const doubts = doubtsOf(one.reconciled).map((doubt) => `${capitalised(doubt)}.`);
  return [whetherItBalances(one), ...doubts].join(' ');
}

function whetherItBalances(one: SettlementExplanation): string {
  const { reconciled, explained, findings } = one;
  const { target } = explained;
  const off = target && !isNothing(target) ? deltaText(target, formOf(one)) : '';
  switch (finalVerdict(one)) {
    case 'incomplete':
      return findings.length > 0
        ? 'Cannot say whether it balances: its header is uncertain.'
        : 'Cannot say whether it balances: its rows were not fully read.';
    case 'pending':
      if (verdictReason(reconciled) !== undefined) {
        const { status } = reconciled.settlement;
        const within = `The sums agree within the tolerance and the checks in use (${off})`;
        const sums = off === '' ? 'All sums agree' : within;
        return `${sums}, but the status "${status}" is unknown, so it counts as pending.`;
      }
      if (target === undefined) return 'Not settled yet; its rows were not fully read.';
      return off === ''
        ? 'Not settled yet. All sums agree so far.'
        : `Not settled yet. Does not balance so far: ${off}.`;
    case 'balanced':
      return off === ''
        ? 'Balances: all sums agree.'
        : `Balances within the tolerance and the checks in use: ${off}.`;
    case 'out_of_balance':
      if (off !== '') return `Does not balance: ${off}. ${howExplained(explained)}`;
      return onlyByService(reconciled)
        ? 'All sums agree. Only the service reports it as out of balance.'
        : 'All sums agree, but other findings put it out of balance.';
  }
}

function howExplained(explained: Explained): string {
  const { best, certainty, hypotheses, rivals } = explained;
  if (best === undefined) {
    const isInPart = hypotheses.some(({ outcome }) => outcome === 'partly');
    return isInPart ? 'Partly explained.' : 'Not explained.';
  }
  const isOne = rivals.length === 0 && best.candidates === 1;
  const isUnsure = certainty === 'one_of_several' && !isOne;
  return isUnsure ? 'Several causes are possible.' : `${causeTitle(explained)} found.`;
}

/** Why it was accepted, if it was, then the answer. */
export function wholeAnswer(one: SettlementExplanation): string {
  return present(acceptanceSentence(one.reconciled), answerText(one)).join(' ');
}

/** The conclusions of `recon explain`, settlement by settlement. */
export function explainConclusion({ range, ...report }: ExplainReport): readonly string[] {
  const { settlements, flags } = report;
  const ofRange = range ? settlementsConclusion({ ...report, run: range.run, range }) : [];
  const ofEach = settlements.flatMap((one) => {
    const verdict = finalVerdict(one);
    const { id } = one.reconciled.settlement;
    const next = verdict === 'incomplete' ? explainNext(one, flags) : [];
    return [
      `${verdictLabel(one)}, ${id}. ${wholeAnswer(one)}`,
      ...openEntries(one).map(entrySentence),
      ...next.map((text) => `Next: ${text}`),
    ];
  });
  return [...ofRange, ...ofEach];
}

/** What to do after this answer, most useful first. */
export function explainNext(one: SettlementExplanation, flags = ''): readonly string[] {
  const { reconciled, explained, charges } = one;
  const { id, payIn, scale, currency, paymentReferences } = reconciled.settlement;
  const verdict = finalVerdict(one);
  const explain = (flag: string, why: string) =>
    canBeCopied(id) && command('recon explain', id, flag, flags, `# ${why}`);
  if (verdict === 'incomplete') {
    const again = explain('', 'try again to read the rest');
    return adviceForIncomplete(openEntries(one), present(again));
  }
  if (verdict !== 'out_of_balance') return [];
  const { best, hypotheses } = explained;
  const codes = best?.codes ?? [];
  // Where only the service complains, its own data can't say why; others may.
  const onlyTheService = codes.includes('only_the_service');
  const isObstacle = (reason: Obstacle['reason']) =>
    isOpen(explained) &&
    hypotheses.some((one) => 'obstacle' in one && one.obstacle.reason === reason);
  const references = enumerate(paymentReferences);
  const amount = moneyText({ minor: payIn, scale, currency });
  const payInDifference = reconciled.difference?.payIn;
  const seen = `--difference ${amountText(payInDifference, reconciled.scale)}`;
  const entry = `${amount}${references && ` (reference ${references})`}`;
  return present(
    ...codes.map((code) => !onlyTheService && `Ask the provider: "${causeQuestions[code]}"`),
    onlyTheService && `Check the bank statement for an entry of ${entry}.`,
    onlyTheService && 'Compare the rows with your own charges: is one missing, or one too many?',
    onlyTheService && charges === undefined && explain('--charges', 'also read its charges'),
    isObstacle('no_neighbours') &&
      explain('', 'also compare neighbours up to 14 days before and after'),
    isObstacle('requests_limited') && explain('--deep', 'also search more of the neighbours'),
    (isObstacle('no_neighbour_rows') || isObstacle('neighbour_rows_left')) &&
      explain('--neighbour-rows', 'also search the rows of all neighbours'),
    best === undefined &&
      payInDifference !== undefined &&
      canBeCopied(id) &&
      command('recon accept', id, flags, seen, '--reason "WHY"', '# if you know the reason'),
    explain('--format markdown', 'a case to send to the provider'),
  );
}

export interface ExplainReport extends RunReport {
  /** In the order in which they were asked for; of a range, those out of balance, by date and id. */
  readonly settlements: readonly SettlementExplanation[];
  readonly failures: readonly FailedId[];
  /** Whether a screen lists what was ruled out too, and all that explains a part. */
  readonly listsAll?: boolean | undefined;
  readonly verdict: Verdict;
  /** The range, with all that was read of it; absent where settlements were asked for by their ids. */
  readonly range?: (DateRange & { readonly run: ReconciledRun }) | undefined;
}

/** How the amounts of a settlement's explanation are to be read. */
export function formOf({ reconciled, explained }: SettlementExplanation): Unit {
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

const saidElsewhere: ReadonlySet<Code> = new Set([
  ...(['gross', 'fees', 'tax', 'count', 'reported_by_service'] as const),
  ...(['unusual_scale', 'overdue'] as const),
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
