import { append } from '../base/lists.ts';
import { mapped } from '../base/ordered.ts';
import type { Row } from '../model/row.ts';
import { type RowBatch, rowsOf } from '../model/row-batch.ts';
import { announcedRows } from '../model/settlement.ts';
import type { RowsOutcome, Source } from '../model/source.ts';
import type { ReconciledRun, ReconciledSettlement } from '../reconcile/reconciled.ts';
import type { DecidedSettlement } from './reconcile-range.ts';

/** Which rows are kept, and how many at most. */
export interface KeptRowsOptions {
  readonly most: number;
  /** Made to be thrown where there are more. */
  readonly tooMany: () => Error;
  /** Whether the rows of a settlement that is decided are needed; absent where all are. */
  readonly isNeeded?: ((one: ReconciledSettlement) => boolean) | undefined;
}

/** Keeps the rows of settlements as they pass by, for a report that lists them. */
export class KeptRows {
  /** By settlement, in the order of its list; of one that wasn't read whole, those that were read. */
  readonly bySettlement = new Map<string, readonly Row[]>();
  readonly #options: KeptRowsOptions;
  #needed = 0;

  constructor(options: KeptRowsOptions) {
    this.#options = options;
  }

  /** The same source. Where all rows are needed, too many of them are refused before any is read. */
  keeping(source: Source): Source {
    return {
      ...(source.isRecord && { isRecord: source.isRecord }),
      headers: async (query) => {
        const list = await source.headers(query);
        if (!this.#options.isNeeded) this.#allow(announcedRows(list.settlements));
        return list;
      },
      header: (id) => source.header(id),
      rows: (settlement, priority) => this.#keep(settlement.id, source.rows(settlement, priority)),
      ...(source.oddAnswers && { oddAnswers: () => source.oddAnswers?.() ?? [] }),
    };
  }

  /** The same settlements. Rows are forgotten where they aren't needed; too many end the run. */
  sorting(run: AsyncGenerator<DecidedSettlement, ReconciledRun, void>) {
    const { isNeeded = () => true } = this.#options;
    return mapped(run, (one) => {
      const { id } = one.reconciled.settlement;
      if (!isNeeded(one.reconciled)) this.bySettlement.delete(id);
      this.#needed += this.bySettlement.get(id)?.length ?? 0;
      this.#allow(this.#needed);
      return one;
    });
  }

  #allow(rows: number): void {
    if (rows > this.#options.most) throw this.#options.tooMany();
  }

  async *#keep(
    id: string,
    reading: ReturnType<Source['rows']>,
  ): AsyncGenerator<RowBatch, RowsOutcome, void> {
    const rows: Row[] = [];
    this.bySettlement.set(id, rows);
    const outcome = yield* mapped(reading, (batch) => {
      // One more than there may be is enough to know that there are too many.
      if (rows.length <= this.#options.most) append(rows, rowsOf(batch));
      return batch;
    });
    const standing = new Map(outcome.corrections.map((row) => [row.id, row]));
    const ended = rows.map((row) => standing.get(row.id) ?? row);
    this.bySettlement.set(id, ended);
    return outcome;
  }
}
