import { type Identity, payInOf } from '../../reconcile/identity.ts';
import type { Figures, ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { column, section } from './blocks.ts';
import { type AmountForm, signedText } from './phrase.ts';
import type { Chart } from './view.ts';

/** What a difference in pay-in is made of: a part of it by name, in minor units. */
export type DifferencePart = readonly [name: string, change: bigint];

/** The differences in gross, fees and tax by what each changes in the pay-in. None without an identity. */
export function partsByAmount(difference: Figures, identity: Identity): readonly DifferencePart[] {
  const { gross, fees, tax, payIn } = difference;
  if (identity === 'off' || payIn === undefined) return [];
  // Where a part is subtracted, its bar has the other sign than its difference in the tables.
  const named = (name: string, sign: bigint) => (sign < 0n ? `${name} (subtracted)` : name);
  const parts: readonly DifferencePart[] = [
    ['Gross', gross],
    [named('Fees', payInOf(identity, 0n, 1n, 0n)), payInOf(identity, 0n, fees, 0n)],
    [named('Tax', payInOf(identity, 0n, 0n, 1n)), payInOf(identity, 0n, 0n, tax)],
    ['The header contradicts itself', payIn - payInOf(identity, gross, fees, tax)],
  ];
  return parts.filter(([, change]) => change !== 0n);
}

/** From zero through the parts to the difference in pay-in: against totals such bars would vanish. */
export function differenceChart(
  { difference }: Pick<ReconciledSettlement, 'difference'>,
  parts: readonly DifferencePart[],
  { title, text, scale, currency }: AmountForm & { readonly title: string; readonly text: string },
): Chart {
  const total: DifferencePart = ['Difference in pay-in', difference?.payIn ?? 0n];
  const table = section<DifferencePart>(
    title,
    parts,
    [
      column(1, 'Part', 'text', ([name]) => name),
      column(1, 'Change in pay-in', 'difference', ([, change]) => signedText(change, scale)),
    ],
    undefined,
    { totals: [total] },
  );
  return { kind: 'chart', form: 'waterfall', text, unit: currency, table };
}
