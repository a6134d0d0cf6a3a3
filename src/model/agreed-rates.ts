import type { RoundingRule } from '../money/rate.ts';

/** What an amount costs. Numbers are exact texts: per cent, or amounts in the currency of the rate. */
export interface AgreedPrice {
  readonly percent?: string | undefined;
  /** Bounds in place of `percent`, if the rows do not show what it depends on. */
  readonly percent_from?: string | undefined;
  readonly percent_to?: string | undefined;
  readonly fixed?: string | undefined;
  readonly minimum?: string | undefined;
  readonly maximum?: string | undefined;
}

interface AgreedTier extends AgreedPrice {
  readonly up_to?: string | undefined;
}

interface AgreedTax {
  readonly percent: string;
  /** Not agreed if absent: both neighbours are right. */
  readonly rounding?: RoundingRule | undefined;
  /** What is taxed and rounded: the fee of each row, or all fees of a settlement together. */
  readonly per: 'row' | 'settlement';
}

/** A price that was agreed, and the rows to which it applies: a list that is absent admits any value. */
export interface AgreedRate extends AgreedPrice {
  readonly name: string;
  readonly valid_from?: string | undefined;
  readonly valid_to?: string | undefined;
  /** The day that decides: of the row's timestamp, or of the settlement. */
  readonly day: 'row' | 'settlement';
  readonly types?: readonly string[] | undefined;
  readonly payment_types?: readonly string[] | undefined;
  readonly states?: readonly string[] | undefined;
  readonly merchant_ids?: readonly string[] | undefined;
  readonly tokens?: readonly string[] | undefined;
  readonly currency: string;
  /** Not agreed if absent: both neighbours are right. */
  readonly rounding?: RoundingRule | undefined;
  /** What is rounded: the fee once, or percentage and fixed part each. */
  readonly round: 'sum' | 'parts';
  /** For negative amounts: the fee is charged, is 0, or is returned. */
  readonly sign: 'charged' | 'none' | 'returned';
  /** Not checked if absent. */
  readonly tax?: AgreedTax | undefined;
  /** All rows of a merchant and month have the price of the tier that its volume reaches. */
  readonly tier_by?: 'volume' | undefined;
  readonly tier_of?: 'month' | 'month before' | undefined;
  readonly tiers?: readonly AgreedTier[] | undefined;
}

export interface AgreedFee {
  readonly name: string;
  readonly every: 'month';
  readonly amount: string;
  readonly currency: string;
}

export interface Agreement {
  readonly rates: readonly AgreedRate[];
  readonly fees: readonly AgreedFee[];
  readonly timeZone: string;
}
