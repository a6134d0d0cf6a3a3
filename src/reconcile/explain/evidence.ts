import type { Settlement } from '../../model/settlement.ts';
import type { RowsOutcome } from '../../model/source.ts';
import type { RowColumns } from '../row-columns.ts';

/** A settlement of the same accounting token and currency, some days before or after. */
export interface Neighbour {
  readonly settlement: Settlement;
  /** Its rows, corrections in place; absent unless they were asked for and read whole. */
  readonly rows?: RowColumns | undefined;
}

/** What is known beside the settlement and its rows. */
export interface Evidence {
  /** The copies that reading removed, and the ids with different contents. */
  readonly outcome: Pick<RowsOutcome, 'repeated' | 'conflicts'>;
  /** Absent where neighbours were not asked for. Others than real neighbours are passed over. */
  readonly neighbours?: readonly Neighbour[] | undefined;
  /** Days around it that the source doesn't hold: neighbours on them are not known. */
  readonly missingDays?: readonly string[] | undefined;
}
