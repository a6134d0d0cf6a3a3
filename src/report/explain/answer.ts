import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import { isNothing } from '../../explain/delta.ts';
import type { Explained } from '../../explain/explained.ts';
import { onlyByService } from '../common/blocks.ts';
import { capitalised } from '../common/phrase.ts';
import { scaleDoubts } from '../common/scale-words.ts';
import { nextLine } from '../common/what-next.ts';
import { sentenceOfItsOwn, verdictWords } from '../common/words.ts';
import { explainNext } from './next.ts';
import { type ExplainReport, incompleteEntries, verdictOfExplained } from './report.ts';
import { type AmountForm, deltaText } from './words.ts';

/** Whether the settlement adds up, by how much not, whether that is explained, and what is in doubt. */
export function answerText(one: SettlementExplanation): string {
  const doubts = scaleDoubts(one.reconciled).map((doubt) => `${capitalised(doubt)}.`);
  return [whetherItAddsUp(one), ...doubts].join(' ');
}

function whetherItAddsUp(one: SettlementExplanation): string {
  const { reconciled, explained, findings } = one;
  const { target } = explained;
  const form = { scale: explained.scale, currency: reconciled.settlement.currency };
  switch (verdictOfExplained(one)) {
    case 'incomplete':
      return findings.length > 0
        ? 'Whether it adds up is not known: its header is not certain.'
        : 'Whether it adds up is not known: its rows were not read whole.';
    case 'pending':
      if (target === undefined) return 'Not settled yet, and its rows were not read whole.';
      return isNothing(target)
        ? 'Not settled yet. So far every sum agrees.'
        : `Not settled yet. So far it does not add up: ${deltaText(target, form)}.`;
    case 'balanced':
      return target === undefined || isNothing(target)
        ? 'It adds up: every sum agrees.'
        : `It adds up within the tolerance and the checks asked for: ${deltaText(target, form)}.`;
    case 'out_of_balance':
      // Checks that are ignored, or the tolerance, may have let a difference pass.
      if (onlyByService(reconciled) && target !== undefined && isNothing(target)) {
        return 'Every sum agrees. Only the service says that it is out of balance.';
      }
      return `It does not add up: ${outOfBalance(explained, form)}`;
  }
}

function outOfBalance(explained: Explained, form: AmountForm): string {
  const { target } = explained;
  return target === undefined || isNothing(target)
    ? 'every sum agrees, but something else is wrong.'
    : `${deltaText(target, form)}. ${howExplained(explained)}`;
}

function howExplained({ best, equals, hypotheses }: Explained): string {
  if (best === undefined) {
    const isInPart = hypotheses.some(({ outcome }) => outcome === 'partly');
    return isInPart ? 'Explained in part.' : 'Not explained.';
  }
  if (best.fitsAnything) return 'Explained only by what would fit any such difference.';
  return equals > 1 || best.candidates > 1
    ? 'Explained in more than one way: the data cannot decide.'
    : 'Explained.';
}

/** What `recon explain` comes to, settlement by settlement. */
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
