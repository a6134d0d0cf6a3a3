/** What all lines of the register have. Amounts are minor units at `scale`. */
interface AcceptedOfSettlement {
  readonly settlementId: string;
  readonly settlementDate: string;
  readonly accountingToken: string;
  readonly currency: string;
  readonly scale: number;
  readonly reason: string;
  /** Empty if nobody is named. */
  readonly by: string;
  /** YYYY-MM-DD, as all days here. */
  readonly on: string;
  /** The last day on which it is accepted; absent without an end. */
  readonly until: string | undefined;
  /** The account of the books for the difference; empty for the default one. */
  readonly account: string;
}

/** The accepted differences of a settlement, with all its figures at the time. */
export interface AcceptedDifference extends AcceptedOfSettlement {
  readonly reported: AcceptedFigures;
  readonly computed: AcceptedFigures;
  /** The codes of all entries, in any order. */
  readonly codes: readonly string[];
}

/** The reported or computed figures. Accepting needs an identity, so the pay-in is always there. */
export interface AcceptedFigures {
  readonly transactions: number;
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  readonly payIn: bigint;
}

/** An accepted difference on the bank; for a batch, the amounts of all its settlements. */
export interface AcceptedBankDifference extends AcceptedOfSettlement {
  readonly expected: bigint;
  readonly received: bigint;
}

/** A settlement may have one line of each kind. */
export type AcceptedLine = AcceptedDifference | AcceptedBankDifference;

/** Whether a line is about the bank. */
export function isBankDifference(line: AcceptedLine): line is AcceptedBankDifference {
  return 'received' in line;
}

/** The accepted amount: pay-in reported − computed or, on the bank, received − expected. */
export function differenceAccepted(line: AcceptedLine): bigint {
  return isBankDifference(line)
    ? line.received - line.expected
    : line.reported.payIn - line.computed.payIn;
}
