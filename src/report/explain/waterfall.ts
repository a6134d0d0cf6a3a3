import { type Identity, payInOf } from '../../reconcile/identity.ts';
import type { Figures, ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { column, section } from '../common/blocks.ts';
import { amountText, capitalised, signedText } from '../common/phrase.ts';
import type { Section } from '../common/view.ts';
import { identityWords } from '../common/words.ts';

const stepWords = {
  gross: 'gross',
  fees: 'fees',
  tax: 'tax',
  pay_in_that_follows: '= pay-in by the identity',
  pay_in_reported: 'pay-in reported',
} as const;

type Step = keyof typeof stepWords;
type WaterfallStep = ReturnType<typeof waterfall>[number];

/**
 * From gross to pay-in, with every amount. The pay-in that follows is what the identity gives, from
 * the header's own amounts and from the rows; without an identity nothing follows.
 */
export function waterfall(
  { reported, computed, difference }: ReconciledSettlement,
  identity: Identity,
) {
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
    column(1, '', 'text', ({ label }) => label),
    column(1, 'Reported', 'amount', (line) => amountText(line.reported, line.scale)),
    column(1, 'Computed', 'amount', (line) => amountText(line.computed, line.scale)),
    column(1, 'Difference', 'difference', (line) => signedText(line.difference, line.scale)),
  ]);
}

function labelOf({ step, sign }: WaterfallStep, identity: Identity): string {
  const label = stepWords[step];
  if (step !== 'fees' && step !== 'tax') return capitalised(label);
  if (sign === 0) return `${capitalised(label)}${identity === 'off' ? '' : ' (not included)'}`;
  return `${sign < 0 ? '-' : '+'} ${label}`;
}
