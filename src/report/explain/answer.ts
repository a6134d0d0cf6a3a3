import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import { isNothing } from '../../explain/delta.ts';
import type { Explained } from '../../explain/explained.ts';
import { onlyByService } from '../common/blocks.ts';
import { capitalised } from '../common/phrase.ts';
import { nextLine } from '../common/what-next.ts';
import { scaleDoubts, sentenceOfItsOwn, verdictWords } from '../common/words.ts';
import { explainNext } from './next.ts';
import { type ExplainReport, incompleteEntries, verdictOfExplained } from './report.ts';
import { type AmountForm, deltaText } from './words.ts';

/** Whether the settlement balances, or by how much it does not, whether that is explained, and what is in doubt. */
export function answerText(one: SettlementExplanation): string {
  const doubts = scaleDoubts(one.reconciled).map((doubt) => `${capitalised(doubt)}.`);
  return [whetherItBalances(one), ...doubts].join(' ');
}

function whetherItBalances(one: SettlementExplanation): string {
  const { reconciled, explained, findings } = one;
  const { target } = explained;
  const form = { scale: explained.scale, currency: reconciled.settlement.currency };
  switch (verdictOfExplained(one)) {
    case 'incomplete':
      return findings.length > 0
        ? 'Cannot say whether it balances: its header is uncertain.'
        : 'Cannot say whether it balances: its rows were not fully read.';
    case 'pending':
      if (target === undefined) return 'Not settled yet; its rows were not fully read.';
      return isNothing(target)
        ? 'Not settled yet. All sums agree so far.'
        : `Not settled yet. Does not balance so far: ${deltaText(target, form)}.`;
    case 'balanced':
      return target === undefined || isNothing(target)
        ? 'Balances: all sums agree.'
        : `Balances within the tolerance and the checks in use: ${deltaText(target, form)}.`;
    case 'out_of_balance':
      // Checks that are ignored, or the tolerance, may have let a difference pass.
      if (onlyByService(reconciled) && target !== undefined && isNothing(target)) {
        return 'All sums agree. Only the service reports it as out of balance.';
      }
      return outOfBalance(explained, form);
  }
}

function outOfBalance(explained: Explained, form: AmountForm): string {
  const { target } = explained;
  return target === undefined || isNothing(target)
    ? 'All sums agree, but other findings put it out of balance.'
    : `Does not balance: ${deltaText(target, form)}. ${howExplained(explained)}`;
}

function howExplained({ best, equals, hypotheses }: Explained): string {
  if (best === undefined) {
    const isInPart = hypotheses.some(({ outcome }) => outcome === 'partly');
    return isInPart ? 'Partly explained.' : 'Not explained.';
  }
  if (best.fitsAnything) return 'Explained only by a cause that would fit any difference.';
  return equals > 1 || best.candidates > 1
    ? 'Several explanations fit; the data do not show which is right.'
    : 'Explained.';
}

/** The conclusions of `recon explain`, settlement by settlement. */
export function explainConclusion({ settlements, flags }: ExplainReport): readonly string[] {
  return settlements.flatMap((one) => {
    const verdict = verdictOfExplained(one);
    const { id } = one.reconciled.settlement;
    return [
      `${verdictWords[verdict].toUpperCase()}, ${id}. ${answerText(one)}`,
      ...incompleteEntries(one).map(sentenceOfItsOwn),
      ...(verdict === 'incomplete' ? explainNext(one, flags).map(nextLine) : []),
    ];
  });
}
