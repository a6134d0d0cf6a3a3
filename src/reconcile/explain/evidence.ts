import type { Settlement } from '../../model/settlement.ts';
import type { RowsOutcome } from '../../model/source.ts';
import type { RowColumns } from '../row-columns.ts';
import type { Obstacle } from './candidate.ts';

/** A settlement of the same accounting token and currency, some days before or after. */
export interface Neighbour {
  readonly settlement: Settlement;
  /** Its rows, corrections in place; absent unless they were asked for and read whole. */
  readonly rows?: RowColumns | undefined;
}

/** What is known of the settlements around it. */
export interface Neighbourhood {
  /** Absent where they were not asked for, or not read. Others than real neighbours are passed over. */
  readonly neighbours?: readonly Neighbour[] | undefined;
  /** What keeps it from being known in full: what is known is searched all the same. */
  readonly obstacles?: readonly Obstacle[] | undefined;
}

/** What is known beside the settlement and its rows. */
export interface Evidence extends Neighbourhood {
  /** The copies that reading removed, and the ids with different contents. */
  readonly outcome: Pick<RowsOutcome, 'repeated' | 'conflicts'>;
}
