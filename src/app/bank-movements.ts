import { isDayIn } from '../base/calendar.ts';
import { groupedBy, largestOf } from '../base/lists.ts';
import { type BankMatch, isExplained } from '../match/match.ts';
import { sumAt } from '../money/money.ts';
import type { BankReport } from './bank-report.ts';

/** The booked entries of a bank account in a range, by what they are for. Minor units at `scale`. */
export interface BankMovement {
  readonly account: string;
  readonly currency: string;
  readonly scale: number;
  /** The sum of the other four. */
  readonly movement: bigint;
  /** For pay-outs of the range. */
  readonly received: bigint;
  /** For pay-outs of days before it. */
  readonly earlier: bigint;
  /** Of no pay-out, or not certainly. */
  readonly unknown: bigint;
  /** Entries of others. */
  readonly unrelated: bigint;
  /** How many entries or parts of them are for pay-outs of days before. */
  readonly earlierEntries: number;
}

/** The movement of each bank account that has booked entries in the range of a report. */
export function bankMovements({
  matching: { matches, outside },
  statements: { entries },
  range,
}: Pick<BankReport, 'matching' | 'statements' | 'range'>): readonly BankMovement[] {
  const booked = entries.filter(({ status, date }) => status === 'booked' && isDayIn(range, date));
  const ids = new Set(booked.map(({ id }) => id));
  const sharesOf = (all: readonly BankMatch[]) =>
    groupedBy(
      all.flatMap(({ entries: shares, scale }) =>
        shares
          .filter(({ entry }) => ids.has(entry.id))
          .map(({ entry, amount }) => ({ entry, amount, scale })),
      ),
      ({ entry }) => keyOf(entry),
    );
  const own = sharesOf(matches.filter(isExplained));
  const before = sharesOf(outside.filter(isExplained));
  const others = sharesOf(matches.filter(({ state }) => state === 'unrelated'));
  return [...groupedBy(booked, keyOf)].map(([key, all]): BankMovement => {
    const [{ account, currency } = { account: '', currency: '' }] = all;
    const sharesIn = (shares: typeof own) => shares.get(key) ?? [];
    const parts = {
      received: sharesIn(own),
      earlier: sharesIn(before),
      unrelated: sharesIn(others),
    };
    const scale = largestOf([...all, ...Object.values(parts).flat()].map((one) => one.scale));
    const sumOf = (some: readonly { readonly amount: bigint; readonly scale: number }[]) =>
      sumAt(scale, some, ({ amount }) => amount);
    const [movement, received, earlier] = [sumOf(all), sumOf(parts.received), sumOf(parts.earlier)];
    const unrelated = sumOf(parts.unrelated);
    const unknown = movement - received - earlier - unrelated;
    const figures = { movement, received, earlier, unknown, unrelated };
    return { account, currency, scale, ...figures, earlierEntries: parts.earlier.length };
  });
}

function keyOf({ account, currency }: BankReport['statements']['entries'][number]): string {
  return `${account} ${currency}`;
}
