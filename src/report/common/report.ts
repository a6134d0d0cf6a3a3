import type { SettlementFilters } from '../../model/source.ts';
import type { ReconcileSettings } from '../../reconcile/reconciled.ts';

/** Names that the user gives to accounting tokens. */
export type Names = ReadonlyMap<string, string>;

/** What the run was asked to do, as far as a reader has to know it. */
export interface ReportSettings extends ReconcileSettings {
  readonly profile: string | undefined;
  readonly filters: SettlementFilters;
}
