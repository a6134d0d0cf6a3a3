import { byText } from '../base/texts.ts';
import { addMoney, type Money } from '../money/money.ts';
import type { Entry } from './entry.ts';
import type { IgnoredTotal, ReconciledSettlement } from './reconciled.ts';

/** What ignored checks have found, by code, then currency; nothing for a check that has found nothing. */
export function ignoredTotals(
  settlements: readonly ReconciledSettlement[],
): readonly IgnoredTotal[] {
  const totals = new Map<string, IgnoredTotal>();
  for (const { settlement, notices } of settlements) {
    for (const found of notices.filter(({ weight }) => weight === 'ignored')) {
      const key = `${found.code} ${settlement.currency}`;
      totals.set(key, plus(totals.get(key), found, settlement.currency));
    }
  }
  return [...totals].sort(([a], [b]) => byText(a, b)).map(([, total]) => total);
}

function plus(known: IgnoredTotal | undefined, found: Entry, currency: string): IgnoredTotal {
  const { code } = found;
  const settlements = (known?.settlements ?? 0) + 1;
  const one = differenceOf(found);
  if (one === undefined) return { code, currency, scale: 0, settlements, difference: undefined };
  const sum = (minor = 0n, added: bigint) =>
    addMoney({ minor, scale: known?.scale ?? 0, currency }, { ...one, minor: added });
  const net = sum(known?.difference?.net, one.minor);
  const absolute = sum(known?.difference?.absolute, one.minor < 0n ? -one.minor : one.minor);
  const difference = { net: net.minor, absolute: absolute.minor };
  return { code, currency, scale: net.scale, settlements, difference };
}

function differenceOf({ facts }: Entry): Money | undefined {
  if (!('difference' in facts) || typeof facts.difference === 'number') return undefined;
  return facts.difference;
}
