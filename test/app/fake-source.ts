import type { Row } from '../../src/model/row.ts';
import { batchOf, type RowBatch } from '../../src/model/row-batch.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import type { HeaderList, RowsOutcome, SettlementQuery, Source } from '../../src/model/source.ts';
import { buildOutcome, buildRow, buildSettlement, uuid } from '../support/build.ts';

/** What reading the rows of a settlement gives: batches, then an outcome or a failure. */
export interface FakeReading {
  readonly batches?: readonly (readonly Row[])[];
  readonly outcome?: Partial<RowsOutcome>;
  readonly failure?: unknown;
}

/** A source of prepared settlements; by default each has its one row and balances. */
export class FakeSource implements Source {
  readonly asked: { readonly id: string; readonly priority: number }[] = [];
  query: SettlementQuery | undefined;
  /** The most readings of rows that were under way at once. */
  most = 0;
  #underWay = 0;
  readonly #list: HeaderList;
  readonly #readings: ReadonlyMap<string, FakeReading>;

  constructor(
    settlements: readonly Settlement[],
    readings: Readonly<Record<string, FakeReading>> = {},
    list: Partial<HeaderList> = {},
  ) {
    this.#list = { settlements, conflicts: [], unreadable: [], ...list };
    this.#readings = new Map(Object.entries(readings));
  }

  async headers(query: SettlementQuery): Promise<HeaderList> {
    this.query = query;
    return this.#list;
  }

  async header(): Promise<HeaderList> {
    return this.#list;
  }

  async *rows({ id }: Settlement, priority: number): AsyncGenerator<RowBatch, RowsOutcome, void> {
    this.asked.push({ id, priority });
    this.#underWay += 1;
    this.most = Math.max(this.most, this.#underWay);
    const { batches = [[rowOf(id)]], outcome, failure } = this.#readings.get(id) ?? {};
    // Later settlements are read sooner.
    for (let turn = 20 - priority; turn > 0; turn -= 1) await new Promise(setImmediate);
    for (const batch of batches) yield batchOf(batch);
    this.#underWay -= 1;
    if (failure !== undefined) throw failure;
    return buildOutcome(outcome);
  }
}

/** Settlement 1, 2, 3 ... of one row each. */
export function numbered(count: number, overrides: Partial<Settlement> = {}): Settlement[] {
  return Array.from({ length: count }, (_, at) =>
    buildSettlement({ id: uuid(at + 1), ...overrides }),
  );
}

/** The row that makes the settlement `id` balance. */
export function rowOf(id: string, overrides: Partial<Row> = {}): Row {
  return buildRow({ id: `row of ${id}`, settlementId: id, ...overrides });
}
