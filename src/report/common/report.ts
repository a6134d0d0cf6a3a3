import type { SettlementFilters } from '../../model/source.ts';
import type { ReconcileSettings } from '../../reconcile/reconciled.ts';

/** Names that the user gives to accounting tokens. */
export type Names = ReadonlyMap<string, string>;

/** What reports of settlements have in common. */
export interface RunReport {
  readonly settings: ReportSettings;
  readonly names: Names;
  /** What a suggested command needs to ask the same service again, for example `--profile es`. */
  readonly flags?: string | undefined;
}

/** What the run was asked to do, as far as a reader has to know it. */
export interface ReportSettings extends ReconcileSettings {
  readonly profile: string | undefined;
  readonly filters: SettlementFilters;
}
