import { byText } from '../base/texts.ts';
import type { Money } from '../money/money.ts';
import type { DecisionMade } from './accepted-difference.ts';
import type { Settlement } from './settlement.ts';
import type { DateRange } from './source.ts';

export interface BooksFrom {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** Decimal texts by accounting token, then currency; 0 for all others. */
  readonly opening: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The owner and currency of amounts, minor units at `scale`. The token is empty for several owners or none. */
export interface Account {
  readonly accountingToken: string;
  readonly currency: string;
  readonly scale: number;
}

/** A pay-out at a cut-off: one settlement, or what several have in common. Signs as on the bank account. */
export interface PayoutAtCutOff extends Account, PayoutFigures {
  /** None for what was in transit when the books began. */
  readonly settlementIds: readonly string[];
  /** The first settlement's. */
  readonly date: string;
}

/** What a close keeps of a pay-out. */
export interface ClosedPayout extends PayoutAtCutOff {
  /** The last due day; empty for what was in transit before the books begin. */
  readonly dueUntil: string;
}

/** How pay-outs were cleared: minor units, with the signs of the bank account. */
export interface ClearedFigures {
  /** What the bank received for them. */
  readonly received: bigint;
  /** The part of it that exceeds the pay-in. */
  readonly over: bigint;
  /** What was missing of a pay-in at the end of its last due day, if some of it was received. */
  readonly short: bigint;
  /** What the bank says it kept of the pay-in. */
  readonly charges: bigint;
}

interface PayoutFigures extends ClearedFigures {
  readonly payIn: bigint;
}

/** The part of a pay-out that is in transit. */
export function openOf({ payIn, received, charges, over, short }: PayoutFigures): bigint {
  return payIn - received - charges + over - short;
}

/** What a range did to the money in transit of an account. */
export interface RollForwardFigures extends ClearedFigures {
  /** As recorded by the last close; without one, as it is now. */
  readonly opening: bigint;
  /** The opening as it is now − as recorded. */
  readonly changed: bigint;
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  /** Reported − computed. */
  readonly payInDifference: bigint;
  readonly settled: bigint;
  readonly closing: bigint;
}

/** What a close keeps of a bank account. Balances are absent if its statements have none. */
interface ClosedBankAccount extends Pick<Account, 'currency' | 'scale'> {
  readonly account: string;
  readonly opening: bigint | undefined;
  readonly closing: bigint | undefined;
  /** The parts of its movement. */
  readonly cleared: bigint;
  readonly over: bigint;
  readonly charges: bigint;
  readonly suspense: bigint;
  readonly byRule: bigint;
  readonly unrelated: bigint;
}

/** The balances of the books at the end of a close, by currency. */
interface ClosedBooks extends Pick<Account, 'currency' | 'scale'> {
  readonly inTransit: bigint;
  /** Since the first close. */
  readonly suspense: bigint;
}

/** A settlement as a close knew it. One that was no longer listed has no status, and amounts of 0. */
export interface ClosedSettlement
  extends Omit<Settlement, 'timestamp' | 'merchantId' | 'paymentService' | 'transactions'> {
  /** A digest of its rows, free of order; empty if they were not read. */
  readonly rows: string;
}

/** Amounts of a currency, with and without their signs. */
interface Unexplained extends Pick<Account, 'currency' | 'scale'> {
  readonly net: bigint;
  readonly absolute: bigint;
}

/** A settlement, entry, order or account that stands against closing. */
export interface PointItem {
  readonly id: string;
  readonly amounts: readonly Money[];
}

/** A reason against a close, in spite of which it was recorded. */
interface ForcedPoint {
  /** The code of the blocker. */
  readonly code: string;
  readonly count: number;
  readonly sums: readonly Unexplained[];
  /** What it was of. */
  readonly items: readonly PointItem[];
}

/** A step of the checklist of a close, with the codes that it had. */
interface ClosedStep {
  readonly step: string;
  /** Empty if the settings did not ask for it. */
  readonly answer: string;
}

/** A line of a ladder, with the codes that it had. */
export interface ClosedRung extends Money {
  readonly code: string;
  /** Of orders; empty for other lines. */
  readonly state: string;
  readonly isTotal: boolean;
  readonly count: number | undefined;
}

/** A digest of what a close was made from, free of order. */
export interface CloseDigest {
  /** Such as `headers`, or `statement` with its account and days. */
  readonly of: string;
  /** How it is made: digests of other forms cannot be compared. */
  readonly form: string;
  readonly digest: string;
}

/** A close as it was recorded, or the reopening of one. */
export interface CloseRecord extends DateRange {
  readonly number: number;
  readonly profile: string;
  readonly service: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly by: string;
  readonly note: string;
  readonly forced: readonly ForcedPoint[];
  /** The number of the close that this one reopens; all below is empty then. */
  readonly reopens: number | undefined;
  readonly tool: string;
  readonly lines: readonly (Account & RollForwardFigures)[];
  readonly bankAccounts: readonly ClosedBankAccount[];
  readonly books: readonly ClosedBooks[];
  readonly unexplained: readonly Unexplained[];
  /** Every settlement of the range that was settled, and older ones that were still in transit. */
  readonly payouts: readonly ClosedPayout[];
  /** All settlements of the range, and older ones that had changed since the close before. */
  readonly settlements: readonly ClosedSettlement[];
  readonly digests: readonly CloseDigest[];
  /** Its checklist and its ladders; none if another version of recon recorded it. */
  readonly steps: readonly ClosedStep[];
  readonly rungs: readonly ClosedRung[];
  /** The decisions of people that it rests on. */
  readonly decided: readonly DecisionMade[];
}

/** Whether a range was closed although something was left to decide. */
export function isForced(record: Pick<CloseRecord, 'forced'> | undefined): boolean {
  return record !== undefined && record.forced.length > 0;
}

/** The closes of a profile that were not reopened, by their last day. */
export function closesInForce(
  records: readonly CloseRecord[],
  profile: string,
): readonly CloseRecord[] {
  const own = records.filter((one) => one.profile === profile);
  const reopened = new Set(own.flatMap(({ reopens }) => reopens ?? []));
  return own
    .filter(({ number, reopens }) => reopens === undefined && !reopened.has(number))
    .sort((one, other) => byText(one.to, other.to));
}
