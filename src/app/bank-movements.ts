import { isDayIn } from '../base/calendar.ts';
import { groupedBy, largestOf } from '../base/lists.ts';
import { type BankMatch, type EntryShare, isExplained } from '../match/match.ts';
import { sumAt } from '../money/money.ts';
import type { BankReport } from './bank-report.ts';

/** The booked entries of a bank account in a range, by what they are for. Minor units at `scale`. */
export interface BankMovement {
  readonly account: string;
  readonly currency: string;
  readonly scale: number;
  /** The sum of the other five. */
  readonly movement: bigint;
  /** For pay-outs of the range. */
  readonly received: bigint;
  /** For pay-outs of days before it. */
  readonly earlier: bigint;
  /** Of no pay-out, or not certainly. */
  readonly unknown: bigint;
  /** Booked to accounts by rules. */
  readonly byRule: bigint;
  /** Entries of others. */
  readonly unrelated: bigint;
  /** How many entries or parts of them are for pay-outs of days before. */
  readonly earlierEntries: number;
}

/** The movement of each bank account that has booked entries in the range of a report. */
export function bankMovements({
  matching,
  others: profiles = [],
  statements: { entries },
  range,
}: Pick<BankReport, 'matching' | 'others' | 'statements' | 'range'>): readonly BankMovement[] {
  const matchings = [matching, ...profiles];
  const matches = matchings.flatMap((one) => one.matches);
  const outside = matchings.flatMap((one) => one.outside);
  const booked = entries.filter(({ status, date }) => status === 'booked' && isDayIn(range, date));
  const ids = new Set(booked.map(({ id }) => id));
  const sharesOf = (all: readonly BankMatch[]) =>
    all.flatMap(({ entries: shares, scale }) =>
      shares.flatMap(({ entry, amount }) => (ids.has(entry.id) ? { entry, amount, scale } : [])),
    );
  const own = sharesOf(matches.filter(isExplained));
  const before = sharesOf(outside.filter(isExplained));
  const others = sharesOf(matches.filter(({ state }) => state === 'unrelated'));
  const ruled = sharesOf(matches.filter(({ state }) => state === 'by_rule'));
  return [...groupedBy(booked, keyOf)].map(([key, all]): BankMovement => {
    const [{ account, currency } = { account: '', currency: '' }] = all;
    const isOf = ({ entry }: Pick<EntryShare, 'entry'>) => keyOf(entry) === key;
    const scale = largestOf(
      [...all, ...[own, before, others, ruled].flat().filter(isOf)].map((one) => one.scale),
    );
    const sumOf = (shares: typeof own) => sumAt(scale, shares.filter(isOf), ({ amount }) => amount);
    const movement = sumAt(scale, all, ({ amount }) => amount);
    const [received, earlier] = [sumOf(own), sumOf(before)];
    const [byRule, unrelated] = [sumOf(ruled), sumOf(others)];
    const unknown = movement - received - earlier - byRule - unrelated;
    const figures = { movement, received, earlier, unknown, byRule, unrelated };
    return { account, currency, scale, ...figures, earlierEntries: before.filter(isOf).length };
  });
}

function keyOf({ account, currency }: BankReport['statements']['entries'][number]): string {
  return `${account} ${currency}`;
}
