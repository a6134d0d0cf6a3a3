import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import { explanationsOf } from '../../explain/explained.ts';
import type { Figures } from '../../reconcile/computed.ts';
import { type Identity, payInOf } from '../../reconcile/identity.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { column, section } from '../common/blocks.ts';
import { amountOf } from '../common/columns.ts';
import { capitalised } from '../common/phrase.ts';
import type { Chart, Section } from '../common/view.ts';
import { identityWords } from '../common/words.ts';
import { type DifferencePart, differenceChart, partsByAmount } from '../settlements/charts.ts';
import { causeNames } from './cause-words.ts';
import { formOf } from './summary.ts';

const stepWords = {
  gross: 'gross',
  fees: 'fees',
  tax: 'tax',
  pay_in_that_follows: '= pay-in by the identity',
  pay_in_reported: 'pay-in reported',
} as const;

type Step = keyof typeof stepWords;
type WaterfallStep = ReturnType<typeof waterfall>[number];

/** From gross to pay-in. The pay-in by the identity is computed from the header's own amounts, and from the rows. */
export function waterfall(one: ReconciledSettlement, identity: Identity) {
  const { reported, computed, difference } = one;
  /** Minor units at the settlement's scale; computed from the rows alone, if they were read whole. */
  const line = (step: Step, sign: bigint, pick: (figures: Figures) => bigint | undefined) => ({
    step,
    /** How it enters the pay-in that follows: 1, -1, or 0 where it doesn't. */
    sign: Number(sign),
    reported: pick(reported) ?? 0n,
    computed: computed && pick(computed),
    difference: difference && pick(difference),
  });
  const payIn = line('pay_in_reported', 0n, (figures) => figures.payIn);
  const follows = (fees: bigint, tax: bigint, gross = 0n) =>
    identity === 'off' ? 0n : payInOf(identity, gross, fees, tax);
  const steps = [
    line('gross', 1n, ({ gross }) => gross),
    line('fees', follows(1n, 0n), ({ fees }) => fees),
    line('tax', follows(0n, 1n), ({ tax }) => tax),
  ];
  if (identity === 'off') return [...steps, payIn];
  const all = line('pay_in_that_follows', 0n, ({ gross, fees, tax }) => follows(fees, tax, gross));
  return [...steps, all, payIn];
}

/** The arithmetic: every amount as reported and as computed from the rows. */
export function waterfallSection(one: ReconciledSettlement, identity: Identity): Section {
  const { scale, settlement, reported, computed, difference } = one;
  const equation = identity === 'off' ? '' : ` (pay-in = ${identityWords(identity)})`;
  const lines = [
    ...waterfall(one, identity).map((line) => ({ ...line, label: labelOf(line, identity), scale })),
    {
      label: 'Transactions',
      scale: 0,
      reported: BigInt(reported.transactions),
      computed: computed && BigInt(computed.transactions),
      difference: difference && BigInt(difference.transactions),
    },
  ];
  return section(`Arithmetic in ${settlement.currency}${equation}`, lines, [
    column.text('', ({ label }) => label),
    column.amount('Reported', (line) => amountOf(line.reported, line.scale)),
    column.amount('Computed', (line) => amountOf(line.computed, line.scale)),
    column.difference('Difference', (line) => amountOf(line.difference, line.scale)),
  ]);
}

function labelOf({ step, sign }: WaterfallStep, identity: Identity): string {
  const label = stepWords[step];
  if (step !== 'fees' && step !== 'tax') return capitalised(label);
  if (sign === 0) return `${capitalised(label)}${identity === 'off' ? '' : ' (not included)'}`;
  return `${sign < 0 ? '-' : '+'} ${label}`;
}

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

function partsByCause({ explained }: SettlementExplanation): readonly DifferencePart[] {
  const [best] = explained.best ? [explained.best] : explanationsOf(explained, 'partly');
  if (best === undefined) return [];
  const all: readonly DifferencePart[] = [
    ...best.causes.map(
      ({ cause, explained }) => [capitalised(causeNames[cause.code]), explained.payIn] as const,
    ),
    ['Not explained', best.residual.payIn],
  ];
  return all.filter(([, change]) => change !== 0n);
}
