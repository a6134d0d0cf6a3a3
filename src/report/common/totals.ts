import { addMoney, type Money } from '../../money/money.ts';
import type { Group, NetAndAbsolute } from '../../reconcile/reconciled.ts';
import type { SettlementsReport } from '../settlements/report.ts';
import { amountText, signedText } from './amount-text.ts';

/**
 * The differences of the out-of-balance settlements, per currency, never across:
 * `EUR -14.00 net, 26.00 absolute; JPY +500 net, 500 absolute`. Without an identity there is no
 * pay-in to differ from, and gross stands in for it.
 */
export function outOfBalanceText({ run, settings }: SettlementsReport): string {
  const total = (group: Group): NetAndAbsolute | undefined =>
    settings.identity === 'off' ? group.outOfBalanceGross : group.outOfBalance;
  const groups = run.groups.filter((group) => group.settlements.out_of_balance > 0);
  const net = perCurrency(groups, (group) => total(group)?.net);
  const absolute = perCurrency(groups, (group) => total(group)?.absolute);
  return net
    .map(({ currency, minor, scale }, index) => {
      const sums = { net: minor, absolute: absolute[index]?.minor ?? 0n };
      return netAndAbsoluteText(sums, currency, scale);
    })
    .join('; ');
}

/** `EUR -14.00 net, 26.00 absolute`. */
export function netAndAbsoluteText(
  { net, absolute }: NetAndAbsolute,
  currency: string,
  scale: number,
): string {
  return `${currency} ${signedText(net, scale)} net, ${amountText(absolute, scale)} absolute`;
}

/** What is still to be paid in: `EUR 120.00, JPY 5000`. */
export function pendingText({ run }: SettlementsReport): string {
  const groups = run.groups.filter((group) => group.settlements.pending > 0);
  return perCurrency(groups, (group) => group.pendingPayIn)
    .map(({ currency, minor, scale }) => `${currency} ${amountText(minor, scale)}`)
    .join(', ');
}

function perCurrency(
  groups: readonly Group[],
  pick: (group: Group) => bigint | undefined,
): readonly Money[] {
  const totals = new Map<string, Money>();
  for (const group of groups) {
    const { currency, scale } = group;
    const one = { minor: pick(group) ?? 0n, scale, currency };
    const sum = totals.get(currency);
    totals.set(currency, sum === undefined ? one : addMoney(sum, one));
  }
  return [...totals.keys()].sort().flatMap((currency) => totals.get(currency) ?? []);
}
