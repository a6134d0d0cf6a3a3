import { visible } from '../base/texts.ts';
import type { Amounts } from './settlement.ts';

export interface Reasons {
  readonly reason: string;
  /** Empty if no name is given. */
  readonly by: string;
  /** YYYY-MM-DD, like all days here. */
  readonly on: string;
  /** The last day on which it is accepted; absent without an end. */
  readonly until: string | undefined;
  /** The account of the books for the difference; empty for the default one. */
  readonly account: string;
}

/** What differences of settlements have. Amounts are minor units at `scale`. */
interface OfSettlement {
  readonly settlementId: string;
  readonly settlementDate: string;
  readonly accountingToken: string;
  readonly currency: string;
  readonly scale: number;
}

export interface PayInDifference extends OfSettlement {
  readonly reported: AcceptedFigures;
  readonly computed: AcceptedFigures;
  /** The codes of its discrepancies, in any order. Others do not count. */
  readonly codes: readonly string[];
}

/** The reported or computed figures, as far as stated. Accepting needs an identity, so the pay-in is always there. */
export interface AcceptedFigures extends Amounts<bigint | undefined> {
  readonly transactions: number | undefined;
  readonly payIn: bigint;
}

/** A difference on the bank; for a batch, the amounts of all its settlements. */
export interface BankDifference extends OfSettlement {
  readonly expected: bigint;
  readonly received: bigint;
}

/** A bank entry that no pay-out explains; 0 is expected. Minor units at `scale`. */
export interface UnknownReceipt
  extends Pick<BankDifference, 'currency' | 'scale' | 'expected' | 'received'> {
  /** As `entryKey` has it. */
  readonly entryId: string;
  readonly bankAccount: string;
  readonly bookingDate: string;
}

/** What a person decides of a pay-out: which money is its own, or how it settles otherwise. */
export const payoutDecisions = ['settled_with', 'written_off', 'confirmed'] as const;

export type PayoutDecision = (typeof payoutDecisions)[number];

/**
 * A pay-out as it was seen when a person decided of it. If it is settled with another settlement, this is its own
 * pay-in, which counts as received. If it is confirmed, this is what its entries come to and, for a batch, what all
 * of its settlements come to.
 */
export interface DecidedPayout extends BankDifference {
  readonly decision: PayoutDecision;
  /** The settlement that it is settled with, and its pay-in then; absent if it is written off. */
  readonly other?:
    | (Pick<OfSettlement, 'settlementId' | 'settlementDate'> & { readonly payIn: bigint })
    | undefined;
  /** Absent unless it is confirmed. */
  readonly confirmed?: ConfirmedEntries | undefined;
}

/** The bank entries that a person confirmed as the money of a pay-out. */
export interface ConfirmedEntries {
  /** As `entryKey` has them. */
  readonly entryIds: readonly string[];
  /** Where they stood, for people: `march.csv:12`. */
  readonly places: readonly string[];
  /** The last booking date. */
  readonly bookingDate: string;
  /** The ids of the other settlements of a batch. */
  readonly others: readonly string[];
}

/** An order of which more or less is settled than the shop expects; the register keeps the difference alone. */
interface OrderDifference {
  readonly orderRef: string;
  /** Empty if it is not known. */
  readonly orderDate: string;
  /** Empty unless the shop's files name accounts. */
  readonly accountingToken: string;
  readonly currency: string;
  readonly scale: number;
  readonly expected: bigint;
  readonly settled: bigint;
}

export interface AcceptedOrder extends OrderDifference, Reasons {}

export interface AcceptedDifference extends PayInDifference, Reasons {}

export interface AcceptedBankDifference extends BankDifference, Reasons {}

export interface AcceptedReceipt extends UnknownReceipt, Reasons {}

export interface AcceptedPayout extends DecidedPayout, Reasons {}

/** A difference of which people can decide. */
export type OpenDifference =
  | PayInDifference
  | BankDifference
  | UnknownReceipt
  | DecidedPayout
  | OrderDifference;

/** A settlement may have one line of each of its kinds. */
export type AcceptedLine =
  | AcceptedDifference
  | AcceptedBankDifference
  | AcceptedReceipt
  | AcceptedPayout
  | AcceptedOrder;

export const differenceKinds = ['pay_in', 'bank', 'unknown', 'order', ...payoutDecisions] as const;

export type DifferenceKind = (typeof differenceKinds)[number];

/** Which difference it is: its kind, and the id of its settlement or bank entry. */
export interface DifferenceKey {
  readonly kind: DifferenceKind;
  readonly id: string;
  /** The accounting token of an order, whose reference several shops may have. */
  readonly account?: string;
}

/** Which difference it is, its day (of the settlement, or of the booking), and its accounting token or bank account. */
export function differenceKey(one: OpenDifference) {
  if ('orderRef' in one) {
    const { orderRef: id, orderDate: date, accountingToken: account } = one;
    return { kind: 'order', id, date, account } as const;
  }
  if ('entryId' in one) {
    const { entryId: id, bookingDate: date, bankAccount: account } = one;
    return { kind: 'unknown', id, date, account } as const;
  }
  const { settlementId: id, settlementDate: date, accountingToken: account } = one;
  const kind = 'decision' in one ? one.decision : 'received' in one ? 'bank' : 'pay_in';
  return { kind, id, date, account } as const;
}

/** What is compared: the pay-in computed and reported or, on the bank, expected and received. */
export function amountsCompared(one: OpenDifference) {
  if ('orderRef' in one) {
    const { expected, settled: received } = one;
    return { expected, received, difference: received - expected };
  }
  const [expected, received] =
    'received' in one ? [one.expected, one.received] : [one.computed.payIn, one.reported.payIn];
  return { expected, received, difference: received - expected };
}

/** The amount of a difference: pay-in reported − computed or, on the bank, received − expected. */
export function differenceAmount(one: OpenDifference): bigint {
  return amountsCompared(one).difference;
}

/** A decision in the form that is shown and kept. */
export interface DecisionMade extends Reasons {
  readonly kind: DifferenceKind;
  readonly id: string;
  /** YYYY-MM-DD, of the settlement, order or booking; empty if it is not known. */
  readonly date: string;
  /** What it names: the entries that it confirms, or the settlement that another one is settled with. */
  readonly with: readonly string[];
  readonly currency: string;
  readonly scale: number;
  /** The difference, at `scale`. */
  readonly minor: bigint;
}

/** A line of the register as the decision that it is. */
export function decisionMade(line: AcceptedLine): DecisionMade {
  const { kind, id, date } = differenceKey(line);
  const { currency, scale, reason, by, on, until, account } = line;
  const { confirmed, other } = 'decision' in line ? line : {};
  const named = confirmed?.places ?? (other ? [other.settlementId] : []);
  const minor = differenceAmount(line);
  const why = { reason, by, on, until, account };
  return { kind, id, date, with: named, currency, scale, minor, ...why };
}

/** References of two shops may be the same. */
export function orderKey(accountingToken: string, reference: string): string {
  return `${accountingToken}\n${visible(reference)}`;
}
