/** A JSON object as the service sends it. */
export type WireRecord = Readonly<Record<string, unknown>>;

/** What the service holds. Records are sent exactly as they stand here, sound or not. */
export interface Scenario {
  readonly name: string;
  /** What is in it, and the arithmetic. */
  readonly about: string;
  /** The dates that hold all of it, both included. */
  readonly period: { readonly from: string; readonly to: string };
  /** What its user calls the accounting tokens: the service knows nothing of it. */
  readonly names: Readonly<Record<string, string>>;
  /** In the order in which the service lists them. */
  readonly settlements: readonly ScenarioSettlement[];
  /** Charges as they are sent, where they aren't just what the rows call for. */
  readonly charges?: readonly WireRecord[];
}

export interface ScenarioSettlement {
  readonly header: WireRecord;
  readonly rows: readonly WireRecord[];
  /** What the service knows of it beside the header; a filter on what isn't here finds nothing. */
  readonly filter?: SettlementFilter;
}

export interface SettlementFilter {
  readonly mid?: string;
  readonly cid?: number;
  readonly chid?: number;
  /** The service's own day for it, where that isn't the date written in the header. */
  readonly date?: string;
}
