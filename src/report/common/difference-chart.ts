import type { Figures } from '../../reconcile/computed.ts';
import { type Identity, payInOf } from '../../reconcile/identity.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { column, section } from './blocks.ts';
import { amountOf } from './columns.ts';
import type { Unit } from './phrase.ts';
import type { Chart } from './view.ts';

/** A part of a difference in pay-in, in minor units. */
export type DifferencePart = readonly [name: string, change: bigint];

/** What the differences in gross, fees and tax change in the pay-in; none without an identity. */
export function partsByAmount(difference: Figures, identity: Identity): readonly DifferencePart[] {
  const { gross, fees, tax, payIn } = difference;
  if (identity === 'off' || payIn === undefined) return [];
  // The bar of a subtracted part has the opposite sign of its difference in the tables.
  const named = (name: string, sign: bigint) => (sign < 0n ? `${name} (subtracted)` : name);
  const parts: readonly DifferencePart[] = [
    ['Gross', gross],
    [named('Fees', payInOf(identity, 0n, 1n, 0n)), payInOf(identity, 0n, fees, 0n)],
    [named('Tax', payInOf(identity, 0n, 0n, 1n)), payInOf(identity, 0n, 0n, tax)],
    ['The header contradicts itself', payIn - payInOf(identity, gross, fees, tax)],
  ];
  return parts.filter(([, change]) => change !== 0n);
}

/** A waterfall through the parts to the difference in pay-in. Next to totals, such bars would vanish. */
export function differenceChart(
  { difference }: Pick<ReconciledSettlement, 'difference'>,
  parts: readonly DifferencePart[],
  { title, text, scale, currency }: Unit & { readonly title: string; readonly text: string },
): Chart {
  const total: DifferencePart = ['Difference in pay-in', difference?.payIn ?? 0n];
  const table = section<DifferencePart>(
    title,
    parts,
    [
      column.text('Part', ([name]) => name),
      column.difference('Change in pay-in', ([, change]) => amountOf(change, scale)),
    ],
    { totals: [total], limit: parts.length },
  );
  return { kind: 'chart', type: 'waterfall', text, unit: currency, table };
}
