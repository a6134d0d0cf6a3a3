/** What a merchant's books and rows are here (CLOSING 4), whoever makes or judges them. */

/** The accounts that rows are booked to. */
export const ofRows = ['receivable', 'fees', 'tax'] as const;
export type OfRow = (typeof ofRows)[number];

export type Purpose = OfRow | 'in_transit' | 'suspense' | 'bank' | 'accepted';
export type Accounts = Partial<Readonly<Record<Purpose, string>>>;
export type RowAccounts = Partial<Readonly<Record<OfRow, string>>>;

/** A mapping of accounts, by level. */
export interface Books {
  readonly general: Readonly<Record<Purpose, string>>;
  readonly currency: ReadonlyMap<string, Accounts>;
  readonly token: ReadonlyMap<string, Accounts>;
  readonly type: ReadonlyMap<string, RowAccounts>;
  /** By accounting token, then by type. */
  readonly tokenType: ReadonlyMap<string, ReadonlyMap<string, RowAccounts>>;
}

export const withoutTypes = (books: Books): Books => ({
  ...books,
  type: new Map(),
  tokenType: new Map(),
});

/** Which rules the profile has, one of a kind. */
export interface Rules {
  /** Headers leave out declined rows. */
  readonly isDeclinedLeftOut: boolean;
  /** Headers include refunds with the opposite sign. */
  readonly isRefundTurned: boolean;
  /** The fees of headers include the tax, and their tax is 0. */
  readonly isTaxInFees: boolean;
}

export interface Amounts {
  readonly receivable: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
}

/** A row as the service lists it. Amounts are in minor units at `scale`; `receivable` is the gross. */
export interface Row extends Amounts {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly currency: string;
  readonly scale: number;
  readonly isTwice: boolean;
}

export interface Settlement {
  readonly id: string;
  readonly day: string;
  readonly token: string;
  readonly currency: string;
  readonly scale: number;
  readonly isPending: boolean;
  readonly rows: Row[];
  /** In the header alone. */
  readonly grossWithoutRow: bigint;
}

export interface Month {
  readonly books: Books;
  readonly rules: Rules;
  readonly settlements: readonly Settlement[];
}

/** A row as headers count it; nothing where a rule leaves it out. */
export function counted(row: Row, rules: Rules): Amounts | undefined {
  if (rules.isDeclinedLeftOut && row.state === 'declined') return undefined;
  const sign = rules.isRefundTurned && row.type === 'refund' ? -1n : 1n;
  const [fees, tax] = rules.isTaxInFees ? [row.fees + row.tax, 0n] : [row.fees, row.tax];
  return { receivable: sign * row.receivable, fees: sign * fees, tax: sign * tax };
}
