import { isDayIn } from '../base/calendar.ts';
import { largestOf } from '../base/lists.ts';
import type { Purpose } from '../model/account-mapping.ts';
import type { Account } from '../model/close.ts';
import { isOfBank, type JournalEntry } from '../model/journal-entry.ts';
import { largestScales, rescale, sumAt } from '../money/money.ts';
import type { Group } from '../reconcile/groups.ts';
import { type IdentityName, payInOf } from '../reconcile/identity.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import type { Basis, OpeningAmount } from './carried.ts';
import { type RollForward, totalsOf } from './roll-forward.ts';

/** The totals in both the journal and the report; minor units at `scale`. */
export interface JournalControl {
  readonly accountingToken: string;
  readonly currency: string;
  readonly scale: number;
  /** The number of settlements. */
  readonly settlements: number;
  readonly gross: bigint;
  /** Absent if the identity leaves them out: then they are not booked. */
  readonly fees: bigint | undefined;
  readonly tax: bigint | undefined;
  readonly payIn: bigint;
  /** Reported − computed pay-in, on suspense or on accounts of accepted differences. */
  readonly difference: bigint;
}

/** Totals without pending settlements. Throws if entries and report differ: that is an error in recon. */
export function controlTotals(
  entries: readonly JournalEntry[],
  { groups }: Pick<ReconciledRun, 'groups'>,
  identity: IdentityName,
): readonly JournalControl[] {
  const own = entries.filter((entry) => !entry.isPending && !isOfBank(entry));
  return groups.flatMap((group) => {
    const settlements = group.settlements.balanced + group.settlements.out_of_balance;
    if (settlements === 0) return [];
    const sums = sumsOf(own, group);
    const { accountingToken, currency, scale } = group;
    const reported = {
      // With what is carried over, as it is booked.
      gross:
        (group.payIn.computed ?? 0n) -
        payInOf(identity, 0n, group.fees.computed ?? 0n, group.tax.computed ?? 0n),
      fees: payInOf(identity, 0n, 1n, 0n) === 0n ? undefined : group.fees.computed,
      tax: payInOf(identity, 0n, 0n, 1n) === 0n ? undefined : group.tax.computed,
      payIn: group.payIn.reported ?? 0n,
      difference: group.payIn.difference?.net ?? 0n,
    };
    const { gross, fees = 0n, tax = 0n, payIn, difference } = reported;
    const isEqual =
      -sums('receivable', 'accrued_sales') === gross &&
      -sums('fees') === payInOf(identity, 0n, fees, 0n) &&
      -sums('tax') === payInOf(identity, 0n, 0n, tax) &&
      sums('in_transit') === payIn &&
      -sums('suspense', 'accepted') === difference;
    if (!isEqual) {
      throw new Error(`The journal differs from the report: ${accountingToken} ${currency}`);
    }
    return { accountingToken, currency, scale, settlements, ...reported };
  });
}

function sumsOf(entries: readonly JournalEntry[], { accountingToken, currency, scale }: Group) {
  const own = entries.filter(
    (one) => one.accountingToken === accountingToken && one.currency === currency,
  );
  return (...purposes: readonly Purpose[]) => sumAt(scale, own, postedFor(purposes));
}

/** The sum of the postings of an entry for some purposes. */
function postedFor(purposes: readonly Purpose[]) {
  return ({ postings }: JournalEntry): bigint =>
    postings.reduce((sum, one) => (purposes.includes(one.purpose) ? sum + one.minor : sum), 0n);
}

/** The money in transit at the end of a range in a currency: by the lines, by the pay-outs, and by the journal. */
export interface BooksControl extends Pick<Account, 'currency' | 'scale'> {
  readonly closing: bigint;
  readonly items: bigint;
  /** The opening plus the entries of the range. */
  readonly inTransit: bigint;
  /** The suspense when the last range was closed, plus the entries. */
  readonly suspense: bigint;
}

const onSuspense: readonly Purpose[] = [
  'suspense',
  'overpaid',
  'bank_difference',
  'unknown_receipt',
];

/** Checks the end of a roll-forward against its pay-outs, and against the journal entries of the range. */
export function controlOf(
  { range, lines, payouts }: RollForward,
  entries: readonly JournalEntry[],
  { closes }: Basis,
): readonly BooksControl[] {
  const own = entries.filter(({ bookingDate }) => isDayIn(range, bookingDate));
  const totals = totalsOf(lines);
  const before = closes.at(-1)?.books ?? [];
  const scales = largestScales([...totals, ...own, ...before]);
  return [...scales].sort().map(([currency, scale]) => {
    const sum = <One extends Omit<Account, 'accountingToken'>>(
      all: readonly One[],
      minorOf: (one: One) => bigint,
    ) =>
      sumAt(
        scale,
        all.filter((one) => one.currency === currency),
        minorOf,
      );
    return {
      currency,
      scale,
      closing: sum(totals, ({ closing }) => closing),
      items: sum(payouts, ({ open }) => open),
      inTransit:
        sum(totals, ({ opening, changed }) => opening + changed) +
        sum(own, postedFor(['in_transit'])),
      suspense: sum(before, ({ suspense }) => suspense) + sum(own, postedFor(onSuspense)),
    };
  });
}

/** A control with the balances of a register of bookings up to a day, instead of those that the run computed. */
export function withRegister(
  control: readonly BooksControl[],
  register: readonly JournalEntry[],
  day: string,
  opening: readonly OpeningAmount[] = [],
): readonly BooksControl[] {
  const posted = register.filter(({ date }) => date <= day);
  return control.map((line) => {
    const own = posted.filter(({ currency }) => currency === line.currency);
    const begun = opening.filter(({ currency }) => currency === line.currency);
    const scale = largestOf([line.scale, ...[...own, ...begun].map((one) => one.scale)]);
    const at = (minor: bigint) => rescale(minor, line.scale, scale);
    return {
      ...line,
      scale,
      closing: at(line.closing),
      items: at(line.items),
      inTransit:
        sumAt(scale, begun, ({ minor }) => minor) + sumAt(scale, own, postedFor(['in_transit'])),
      suspense: sumAt(scale, own, postedFor(onSuspense)),
    };
  });
}
