import type { Purpose } from '../model/account-mapping.ts';
import { isOfBank, type JournalEntry } from '../model/journal-entry.ts';
import { sumAt } from '../money/money.ts';
import type { Group } from '../reconcile/groups.ts';
import { type IdentityName, payInOf } from '../reconcile/identity.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import { postedFor } from './entry.ts';

/** What the journal and the report have in common; minor units at `scale`. */
export interface JournalControl {
  readonly accountingToken: string;
  readonly currency: string;
  readonly scale: number;
  /** How many settlements it is over. */
  readonly settlements: number;
  readonly gross: bigint;
  /** Absent where the identity leaves them out: then they are not booked. */
  readonly fees: bigint | undefined;
  readonly tax: bigint | undefined;
  readonly payIn: bigint;
  /** Reported − computed pay-in, as on suspense and where differences are accepted. */
  readonly difference: bigint;
}

/**
 * Checks that the entries of settlements come to what the report says of them, by accounting token and
 * currency, and gives that. Pending settlements are in neither. Throws an error where they differ: then
 * recon is wrong.
 */
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
      gross: group.gross.computed ?? 0n,
      fees: payInOf(identity, 0n, 1n, 0n) === 0n ? undefined : group.fees.computed,
      tax: payInOf(identity, 0n, 0n, 1n) === 0n ? undefined : group.tax.computed,
      payIn: group.payIn.reported,
      difference: group.payIn.difference?.net ?? 0n,
    };
    const { gross, fees = 0n, tax = 0n, payIn, difference } = reported;
    const isEqual =
      -sums('receivable') === gross &&
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

/** Gives what all postings for some purposes come to, of the entries of a group. */
function sumsOf(entries: readonly JournalEntry[], { accountingToken, currency, scale }: Group) {
  const own = entries.filter(
    (one) => one.accountingToken === accountingToken && one.currency === currency,
  );
  return (...purposes: readonly Purpose[]) => sumAt(scale, own, postedFor(purposes));
}
