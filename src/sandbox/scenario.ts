export type WireRecord = Readonly<Record<string, unknown>>;

/** The data of the service; records are sent unchanged. */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  /** The first and last date of the data, inclusive. */
  readonly period: { readonly from: string; readonly to: string };
  /** Names of accounting tokens, unknown to the service. */
  readonly names: Readonly<Record<string, string>>;
  readonly settlements: readonly ScenarioSettlement[];
  /** Charges that differ from those computed from the rows. */
  readonly charges?: readonly WireRecord[];
  /** Bank entries that are not pay-outs. */
  readonly otherEntries?: readonly OtherEntry[];
}

export interface ScenarioSettlement {
  readonly header: WireRecord;
  readonly rows: readonly WireRecord[];
  /** For filters; a missing value matches none. */
  readonly filter?: SettlementFilter;
  readonly bank?: BankQuirk;
}

/** How a pay-out differs from one payment in full on the next business day. */
interface BankQuirk {
  /** Taken off by the bank, in minor units. */
  readonly fee?: number;
  /** From settlement to entry. */
  readonly days?: number;
  /** 0: missing; 2: paid twice. */
  readonly times?: 0 | 2;
  /** Settlements with the same word share an entry. */
  readonly batch?: string;
}

/** Amounts in minor units, money in positive. */
interface OtherEntry {
  readonly currency: string;
  readonly date: string;
  readonly amount: number;
  readonly name?: string;
  readonly text: string;
}

interface SettlementFilter {
  readonly mid?: string;
  readonly cid?: number;
  readonly chid?: number;
  /** If not the header's date. */
  readonly date?: string;
}
