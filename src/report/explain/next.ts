import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import { enumerate, moneyText } from '../common/phrase.ts';
import { canBeCopied, command, forIncomplete } from '../common/what-next.ts';
import { incompleteEntries, verdictOfExplained } from './report.ts';

/** What to do after this answer, most useful first. */
export function explainNext(
  one: SettlementExplanation,
  flags: string | undefined,
): readonly string[] {
  const { settlement } = one.reconciled;
  const verdict = verdictOfExplained(one);
  const explain = (flag: string, why: string) =>
    canBeCopied(settlement.id)
      ? [command('recon explain', settlement.id, flag, flags, `# ${why}`)]
      : [];
  if (verdict === 'incomplete') {
    return forIncomplete(incompleteEntries(one), explain('', 'try again to read the rest'));
  }
  if (verdict !== 'out_of_balance') return [];
  return [
    ...bankAndCharges(one),
    ...charges(one).flatMap(([flag, why]) => explain(flag, why)),
    ...neighbours(one).flatMap(([flag, why]) => explain(flag, why)),
    ...explain('--format markdown', 'a case to send to the provider'),
  ];
}

/** Where only the service complains, its own data can't say why; others may. */
function bankAndCharges({ reconciled, explained }: SettlementExplanation): readonly string[] {
  if (!explained.best?.codes.includes('only_the_service')) return [];
  const { settlement } = reconciled;
  const { payIn, scale, currency, paymentReferences } = settlement;
  const references =
    paymentReferences.length === 0 ? '' : ` (reference ${enumerate(paymentReferences)})`;
  return [
    `Check the bank statement for an entry of ${moneyText({ minor: payIn, scale, currency })}` +
      `${references}.`,
    'Compare the rows with your own charges: is one missing, or one too many?',
  ];
}

/** Only the charges can show what the service means. */
function charges({ explained, charges }: SettlementExplanation) {
  const isOpen = explained.best?.codes.includes('only_the_service') && charges === undefined;
  return isOpen ? [['--charges', 'also read its charges'] as const] : [];
}

/** Neighbours are worth a search as long as no explanation stands on its own. */
function neighbours({ explained }: SettlementExplanation): readonly (readonly [string, string])[] {
  const { best, equals, hypotheses } = explained;
  if (best && !best.fitsAnything && best.candidates === 1 && equals === 1) return [];
  const reasons = hypotheses.flatMap((one) => ('obstacle' in one ? [one.obstacle.reason] : []));
  if (reasons.includes('no_neighbours')) {
    return [['--neighbours 3', 'also compare settlements of the 3 days before and after']];
  }
  return reasons.includes('no_neighbour_rows')
    ? [['--neighbour-rows', 'also search the rows of neighbouring settlements']]
    : [];
}
