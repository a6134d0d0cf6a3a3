import type { Settlement } from '../model/settlement.ts';
import type { RowsOutcome } from '../model/source.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';

/** A settlement of the same accounting token and currency, some days before or after. */
export interface Neighbour {
  readonly settlement: Settlement;
  /** Its rows, corrections in place; absent unless they were asked for and read whole. */
  readonly rows?: RowColumns | undefined;
}

/** Why a hypothesis could not be tested. */
export type Obstacle =
  | { readonly reason: 'incomplete' }
  | { readonly reason: 'no_neighbours' | 'no_neighbour_rows' }
  /** Neighbours on other days were tested. */
  | { readonly reason: 'missing_days'; readonly days: readonly string[] }
  /** The settlements around it could not be listed, and why. */
  | { readonly reason: 'neighbours_not_read'; readonly failure: string }
  /** It isn't certain that all of them were listed, or one of them can't be read. */
  | { readonly reason: 'neighbours_uncertain' }
  /** The rows of some of them could not be read. */
  | {
      readonly reason: 'neighbour_rows_not_read';
      readonly unread: number;
      readonly neighbours: number;
    }
  /** Too many rows to try so many of them at once: among so many, some fit by chance. */
  | {
      readonly reason: 'too_many_rows';
      readonly rows: number;
      readonly limit: number;
      readonly atOnce: number;
    }
  /** It would try more candidates than the search may. */
  | { readonly reason: 'too_many_candidates'; readonly candidates: number };

/** What is known of the settlements around it. */
export interface Neighbourhood {
  /** Absent where they were not asked for, or not read. Others than real neighbours are passed over. */
  readonly neighbours?: readonly Neighbour[] | undefined;
  /** What keeps it from being known in full: what is known is searched all the same. */
  readonly obstacles?: readonly Obstacle[] | undefined;
}

/** What is known beside the settlement and its rows. */
export interface SettlementEvidence extends Neighbourhood {
  /** The copies that reading removed, and the ids with different contents. */
  readonly outcome: Pick<RowsOutcome, 'repeated' | 'conflicts'>;
}
