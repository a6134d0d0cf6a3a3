import { append } from '../base/lists.ts';
import { mapped } from '../base/ordered.ts';
import type { Row } from '../model/row.ts';
import { rowsOf } from '../model/row-batch.ts';
import { announcedRows } from '../model/settlement.ts';
import type { Source } from '../model/source.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { DecidedSettlement } from './reconcile-range.ts';
import { sourceWith } from './source-with.ts';

export interface KeptRowsOptions {
  readonly most: number;
  readonly tooMany: () => Error;
  /** Whether the rows of a settlement are needed; all are, if absent. */
  readonly isNeeded?: ((one: ReconciledSettlement) => boolean) | undefined;
}

/** Keeps the rows of settlements while they are read, for a report that lists them. */
export class KeptRows {
  /** By settlement; if it was read in part, the rows that were read. */
  readonly bySettlement = new Map<string, readonly Row[]>();
  readonly #options: KeptRowsOptions;
  #needed = 0;

  constructor(options: KeptRowsOptions) {
    this.#options = options;
  }

  /** The source, with its rows kept. If all are needed and there are too many, throws before reading. */
  keeping(source: Source): Source {
    return sourceWith(source, {
      headers: async (query) => {
        const list = await source.headers(query);
        if (!this.#options.isNeeded) this.#allow(announcedRows(list.settlements));
        return list;
      },
      rows: (settlement, priority) => this.#keep(settlement.id, source.rows(settlement, priority)),
    });
  }

  /** The run. Drops rows that are not needed; too many rows end it. */
  droppingUnneeded<End>(run: AsyncGenerator<DecidedSettlement, End, void>) {
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

  async *#keep(id: string, reading: ReturnType<Source['rows']>) {
    const rows: Row[] = [];
    this.bySettlement.set(id, rows);
    const outcome = yield* mapped(reading, (batch) => {
      if (rows.length <= this.#options.most) append(rows, rowsOf(batch));
      return batch;
    });
    const corrections = new Map(outcome.corrections.map((row) => [row.id, row]));
    this.bySettlement.set(
      id,
      rows.map((row) => corrections.get(row.id) ?? row),
    );
    return outcome;
  }
}
