/** Agreed rates as the settings write them (CLOSING 8): decimals are text, amounts in `currency`. */
export interface Rate extends Terms {
  readonly name: string;
  readonly valid_from: string;
  readonly valid_to?: string;
  readonly day?: 'row' | 'settlement';
  readonly types?: readonly string[];
  readonly payment_types?: readonly string[];
  readonly states?: readonly string[];
  readonly merchant_ids?: readonly string[];
  readonly tokens?: readonly string[];
  readonly currency: string;
  readonly rounding?: Rounding;
  readonly round?: 'sum' | 'parts';
  readonly sign?: 'charged' | 'none' | 'returned';
  readonly tax?: AgreedTax;
  readonly tier_by?: 'volume';
  readonly tier_of?: 'month before' | 'month';
  readonly tiers?: readonly Tier[];
}

/** The price itself. */
export interface Terms {
  readonly percent?: string;
  readonly percent_from?: string;
  readonly percent_to?: string;
  readonly fixed?: string;
  readonly minimum?: string;
  readonly maximum?: string;
}

export interface Tier extends Pick<Terms, 'percent' | 'fixed'> {
  /** Inclusive; the last tier has none. */
  readonly up_to?: string;
}

export type Rounding = 'down' | 'up' | 'half_up' | 'half_even';

export interface AgreedTax {
  readonly percent: string;
  readonly rounding?: Rounding;
  readonly per?: 'row' | 'settlement';
}

/** What is agreed without a row. */
interface AgreedFee {
  readonly name: string;
  readonly every: 'month';
  readonly amount: string;
  readonly currency: string;
}

export interface Contract {
  readonly agreed_rates: readonly Rate[];
  readonly agreed_fees: readonly AgreedFee[];
}

export interface Account {
  readonly token: string;
  readonly merchantId: string;
  readonly currency: string;
}

/** A row as the service lists it. Amounts are in minor units at `scale`. */
export interface FeeRow {
  readonly settlement: FeeSettlement;
  readonly id: string;
  readonly chargeId: string;
  readonly orderId: string;
  /** ISO 8601, in whatever offset. */
  readonly timestamp: string;
  readonly type: string;
  readonly paymentType: string;
  readonly amount: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  readonly currency: string;
  readonly scale: number;
  readonly state: string;
  /** The service lists it twice. */
  readonly isTwice: boolean;
}

export interface FeeSettlement {
  readonly id: string;
  readonly day: string;
  readonly account: Account;
  readonly scale: number;
  readonly status: string;
  readonly rows: FeeRow[];
  /** In the header alone. */
  feesWithoutRow: bigint;
}

/** Why a fee is above the agreed one; taxes and fees without a row are told apart from these. */
export type Kind = 'rate' | 'fixed' | 'rounding' | 'kept';

/** What is wrong with a row, in its minor units. Tax per settlement is not a row's. */
export interface Finding {
  /** The name of the rate; absent where none is agreed. */
  readonly rate: string | undefined;
  readonly over: bigint;
  readonly under: bigint;
  readonly taxOver: bigint;
}

export interface Days {
  readonly from: string;
  readonly to: string;
}

/** A contract, what was charged, and what is right of it. */
export interface FeeYear {
  readonly zone: string;
  readonly contract: Contract;
  readonly settlements: readonly FeeSettlement[];
  /** Each row that counts. */
  readonly truth: ReadonlyMap<FeeRow, Finding>;
  /** Tax overcharged per settlement, where it is agreed so. */
  readonly settlementTax: ReadonlyMap<FeeSettlement, bigint>;
  /** Fees above the agreed ones by currency, in millionths. */
  readonly kinds: ReadonlyMap<string, Readonly<Record<Kind, bigint>>>;
}

export const noKinds: Readonly<Record<Kind, bigint>> = {
  rate: 0n,
  fixed: 0n,
  rounding: 0n,
  kept: 0n,
};

export const decimals: Readonly<Record<string, number>> = { EUR: 2, JPY: 0, KWD: 3, USD: 2 };

/** What sums are made in: rows of a group can have different scales. */
export const inMillionths = (amount: bigint, scale: number): bigint =>
  amount * 10n ** BigInt(6 - scale);

/** The days that are exported, and those that are asked for: volumes need the month before. */
export const exported: Days = { from: '2026-01-01', to: '2026-04-15' };
export const asked: Days = { from: '2026-02-01', to: '2026-04-10' };
export const march: Days = { from: '2026-03-01', to: '2026-03-31' };
