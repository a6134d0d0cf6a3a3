/** An exact amount: an integer in minor units, and what is needed to show it. */
export interface Money {
  readonly minor: bigint;
  /** Decimal places, 0 to 18. */
  readonly scale: number;
  readonly currency: string;
}
