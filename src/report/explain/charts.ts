import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import { explanationsOf } from '../../explain/explained.ts';
import type { Identity } from '../../reconcile/identity.ts';
import { type DifferencePart, differenceChart, partsByAmount } from '../common/difference-chart.ts';
import { capitalised } from '../common/phrase.ts';
import type { Chart } from '../common/view.ts';
import { causeNames } from './cause-words.ts';
import { formOf } from './report.ts';

/** What a difference in pay-in is made of: by amount, and by cause where something explains it or a part. */
export function explainCharts(one: SettlementExplanation, identity: Identity): readonly Chart[] {
  const { reconciled } = one;
  const { difference } = reconciled;
  const byAmount = difference ? partsByAmount(difference, identity) : [];
  if (byAmount.length === 0) return [];
  const chart = (by: string, added: string, parts: readonly DifferencePart[]) =>
    differenceChart(reconciled, parts, {
      title: `Difference in pay-in by ${by}`,
      text: `Starts at zero, adds ${added}, and ends at the difference in pay-in.`,
      ...formOf(one),
    });
  const byCause = partsByCause(one);
  return [
    chart('amount', 'what the differences in gross, fees and tax change', byAmount),
    ...(byCause.length > 0 ? [chart('cause', 'what each cause changes', byCause)] : []),
  ];
}

/** What each cause of the best explanation changes in the pay-in, and what they leave. */
function partsByCause({ explained }: SettlementExplanation): readonly DifferencePart[] {
  const [best] = explained.best ? [explained.best] : explanationsOf(explained, 'partly');
  if (best === undefined) return [];
  const causes = best.causes.map(
    ({ cause, explained: change }): DifferencePart => [
      capitalised(causeNames[cause.code]),
      change.payIn,
    ],
  );
  const all: readonly DifferencePart[] = [...causes, ['Not explained', best.residual.payIn]];
  return all.filter(([, change]) => change !== 0n);
}
