/**
 * A settlement's differences that people have accepted: all its figures as they were then, and why.
 * Amounts are minor units at `scale`.
 */
export interface AcceptedDifference {
  readonly settlementId: string;
  /** YYYY-MM-DD. */
  readonly settlementDate: string;
  readonly accountingToken: string;
  readonly currency: string;
  /** Decimal places, 0 to 18. */
  readonly scale: number;
  /** What the header said. */
  readonly reported: AcceptedFigures;
  /** What the rows came to. */
  readonly computed: AcceptedFigures;
  /** The codes of all that was found, in any order. */
  readonly codes: readonly string[];
  readonly reason: string;
  /** Who accepted it; an empty text if nobody is named. */
  readonly by: string;
  /** YYYY-MM-DD. */
  readonly on: string;
  /** The last day for which it is accepted, YYYY-MM-DD; absent without an end. */
  readonly until: string | undefined;
}

/** The figures of one side; without an identity, which gives the pay-in, nothing can be accepted. */
export interface AcceptedFigures {
  readonly transactions: number;
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  readonly payIn: bigint;
}
