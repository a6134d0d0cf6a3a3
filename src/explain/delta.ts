import type { Figures } from '../reconcile/computed.ts';
import { deviation, type Identity, payInOf } from '../reconcile/identity.ts';
import type { Amounts, Tally } from './tally.ts';

/** A difference (reported − computed), or a part of it, as it is told. */
export interface Delta extends Amounts {
  /** Transactions. */
  readonly count: number;
  /** 0 where no identity gives a pay-in. */
  readonly payIn: bigint;
}

export function isNothing({ count, gross, fees, tax, payIn }: Delta): boolean {
  return count === 0 && gross === 0n && fees === 0n && tax === 0n && payIn === 0n;
}

/** The figures of a settlement, with the part of the pay-in that follows from no other amount. */
export function tallyFrom(identity: Identity, figures: Figures): Tally {
  const { transactions: count, gross, fees, tax, payIn = 0n } = figures;
  return { count, gross, fees, tax, contradiction: deviation(identity, { ...figures, payIn }) };
}

/** The change with all that it makes of the pay-in. */
export function deltaOf(identity: Identity, change: Tally): Delta {
  const { count, gross, fees, tax, contradiction } = change;
  const following = identity === 'off' ? 0n : payInOf(identity, gross, fees, tax);
  return { count, gross, fees, tax, payIn: contradiction + following };
}
