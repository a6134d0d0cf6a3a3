import { type ItemForm, Sort, type SortMemory } from '../base/external-sort.ts';
import type { Row } from '../model/row.ts';
import type { RowsOutcome } from '../model/source.ts';
import { type ListedTransaction, readLine, rowLine, type SectionEnd } from './source-line.ts';

/** What was read of a settlement, to be read again in the order of the files. */
export interface RecordedRows {
  readonly end: SectionEnd;
  /** By transaction id, in batches; may be read repeatedly. */
  read(): AsyncGenerator<readonly ListedTransaction[], void, void>;
  /** Forgets it. */
  release(): Promise<void>;
}

/** Collects the rows of one settlement as they come, in bounded memory. */
export class RowSpool {
  readonly #rows: Sort<Row>;

  /** `path`: of a scratch file, should one be needed. */
  constructor(memory: SortMemory, path: string) {
    this.#rows = new Sort(memory, path, rowForm);
  }

  /** Each id may be added once. */
  async add(rows: readonly Row[]): Promise<void> {
    for (const row of rows) this.#rows.add(row);
    await this.#rows.settle();
  }

  /** What was read, when the reading has ended like this. */
  finish(outcome: RowsOutcome): RecordedRows {
    const { unsteady, unreadable } = outcome;
    const retold = retellings(outcome);
    return {
      end: { unreadable, ...(unsteady !== undefined && { unsteady }) },
      read: () => this.#read(retold),
      release: () => this.release(),
    };
  }

  release(): Promise<void> {
    return this.#rows.release();
  }

  async *#read(retold: ReadonlyMap<string, Retelling>) {
    for await (const rows of this.#rows.read()) {
      yield rows.map((row) => ({ row, listed: 1, others: [], ...retold.get(row.id) }));
    }
  }
}

const rowForm: ItemForm<Row> = {
  key: (row) => row.id,
  // The texts that the service sets no bound to, and 800 for all else.
  weight: ({ orderId, notes }) =>
    notes.reduce((sum, { key, value }) => sum + 150 + 2 * (key.length + value.length), 800) +
    2 * orderId.length,
  write: (row) => rowLine(row.id, row, 1),
  read: (text) => {
    const line = readLine(text);
    if (!('type' in line) || line.type !== 'row') throw new RangeError(`no row: ${text}`);
    return line.record;
  },
};

type Retelling = Partial<ListedTransaction>;

/** What the outcome says otherwise of ids whose rows were handed on before. */
function retellings(outcome: RowsOutcome): ReadonlyMap<string, Retelling> {
  const retold = new Map<string, Retelling>();
  const tell = (id: string, what: Retelling) => retold.set(id, { ...retold.get(id), ...what });
  for (const row of outcome.corrections) tell(row.id, { row });
  for (const { row, copies } of outcome.repeated) tell(row.id, { listed: 1 + copies });
  for (const [counts, ...others] of outcome.conflicts) if (counts) tell(counts.id, { others });
  return retold;
}
