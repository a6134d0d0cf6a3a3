import { type ItemForm, Sort, type SortMemory } from '../base/external-sort.ts';
import type { Row } from '../model/row.ts';
import type { RowsOutcome } from '../model/source.ts';
import { type ListedRow, readLine, rowLine, type SectionEnd } from './source-line.ts';

/** A row with the line that says it. */
export interface SpooledRow extends ListedRow {
  readonly line: string;
}

/** What was read of a settlement, to be read again in the order of the files. */
export interface RecordedRows {
  readonly end: SectionEnd;
  /** By transaction id; what conflicts follows on what counts. In batches; may be read repeatedly. */
  read(): AsyncGenerator<readonly SpooledRow[], void, void>;
  /** Forgets it. */
  release(): Promise<void>;
}

/** Collects the rows of one settlement as they come, in bounded memory. */
export class RowSpool {
  readonly #under: string;
  readonly #rows: Sort<Row>;

  /** `under`: the settlement's id; `path`: of a scratch file, should one be needed. */
  constructor(under: string, memory: SortMemory, path: string) {
    this.#under = under;
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
      yield rows.flatMap((row): readonly SpooledRow[] => {
        const other = retold.get(row.id);
        if (!other) return [this.#spooled(row, 1, false)];
        return [
          this.#spooled(other.row ?? row, other.listed, false),
          ...other.conflicting.map((content) => this.#spooled(content, 1, true)),
        ];
      });
    }
  }

  #spooled(row: Row, listed: number, conflicting: boolean): SpooledRow {
    const one = { row, listed, conflicting };
    return { ...one, line: rowLine(this.#under, one) };
  }
}

const rowForm: ItemForm<Row> = {
  key: (row) => row.id,
  // The texts that the service sets no bound to, and 800 for all else.
  weight: ({ orderId, notes }) =>
    notes.reduce((sum, { key, value }) => sum + 150 + 2 * (key.length + value.length), 800) +
    2 * orderId.length,
  write: (row) => rowLine(row.id, { row, listed: 1, conflicting: false }),
  read: (text) => {
    const line = readLine(text);
    if (!('type' in line) || line.type !== 'row') throw new RangeError(`no row: ${text}`);
    return line.listed.row;
  },
};

/** What the outcome says of an id whose row was handed on before. */
interface Retelling {
  /** Stands in the row's place. */
  row?: Row;
  listed: number;
  conflicting: readonly Row[];
}

function retellings(outcome: RowsOutcome): ReadonlyMap<string, Retelling> {
  const retold = new Map<string, Retelling>();
  const of = (id: string): Retelling => {
    const known = retold.get(id);
    if (known) return known;
    const fresh = { listed: 1, conflicting: [] };
    retold.set(id, fresh);
    return fresh;
  };
  for (const row of outcome.corrections) of(row.id).row = row;
  for (const { row, copies } of outcome.repeated) of(row.id).listed = 1 + copies;
  for (const [counts, ...others] of outcome.conflicts) {
    if (counts) of(counts.id).conflicting = others;
  }
  return retold;
}
