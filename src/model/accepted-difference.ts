/** What every line of a register of accepted differences says. Amounts are minor units at `scale`. */
interface AcceptedOfSettlement {
  readonly settlementId: string;
  /** YYYY-MM-DD. */
  readonly settlementDate: string;
  readonly accountingToken: string;
  readonly currency: string;
  /** Decimal places, 0 to 18. */
  readonly scale: number;
  readonly reason: string;
  /** Who accepted it; an empty text if nobody is named. */
  readonly by: string;
  /** YYYY-MM-DD. */
  readonly on: string;
  /** The last day for which it is accepted, YYYY-MM-DD; absent without an end. */
  readonly until: string | undefined;
  /** The account of the books for the difference; empty for the one that the books have for all. */
  readonly account: string;
}

/** A settlement's differences that people have accepted: all its figures as they were then. */
export interface AcceptedDifference extends AcceptedOfSettlement {
  /** What the header said. */
  readonly reported: AcceptedFigures;
  /** What the rows came to. */
  readonly computed: AcceptedFigures;
  /** The codes of all that was found, in any order. */
  readonly codes: readonly string[];
}

/** The figures of one side; without an identity, which gives the pay-in, nothing can be accepted. */
export interface AcceptedFigures {
  readonly transactions: number;
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  readonly payIn: bigint;
}

/** A difference on the bank that people have accepted: of a batch, the amounts of all its settlements. */
export interface AcceptedBankDifference extends AcceptedOfSettlement {
  /** What was to be paid. */
  readonly expected: bigint;
  /** What the bank had of it. */
  readonly received: bigint;
}

/** A settlement may have one line of each kind. */
export type AcceptedLine = AcceptedDifference | AcceptedBankDifference;

export function isBankDifference(line: AcceptedLine): line is AcceptedBankDifference {
  return 'received' in line;
}

/** What of a settlement was accepted: its pay-in, reported − computed; on the bank, received − expected. */
export function differenceAccepted(line: AcceptedLine): bigint {
  return isBankDifference(line)
    ? line.received - line.expected
    : line.reported.payIn - line.computed.payIn;
}
