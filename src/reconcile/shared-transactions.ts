import { IdTable } from '../base/id-table.ts';
import { type Entry, entry } from './entry.ts';
import { SmallestKeys, smallestIds } from './examples.ts';
import type { RowColumns } from './row-columns.ts';

/** Marks an id as found in a second settlement, beside the number of its first. */
const sharedBit = 0x8000_0000;

/**
 * Finds transactions that are listed in two settlements of a run. Of every row only its id is kept,
 * in 16 bytes, and the number of the settlement that had it first.
 */
export class SharedTransactions {
  readonly #firstIn: IdTable;
  readonly #settlementIds: string[] = [];
  readonly #examples = new SmallestKeys<Set<string>>();
  #count = 0;

  /** `expected`: rows that the headers announce, so that room is made for them at once. */
  constructor(expected = 0) {
    this.#firstIn = new IdTable(1, expected);
  }

  /** The rows of one settlement, as read; each settlement once. */
  add(settlementId: string, rows: RowColumns): void {
    // Numbered from 1: 0 is what the table holds for a new id.
    const number = this.#settlementIds.push(settlementId);
    for (let index = 0; index < rows.size; index++) this.#see(rows, index, number);
  }

  /** `shared_transaction`, where there are any. */
  get finding(): Entry | undefined {
    if (this.#count === 0) return undefined;
    const examples = this.#examples.entries().map(([transactionId, settlementIds]) => ({
      transactionId,
      settlementIds: smallestIds(settlementIds),
    }));
    return entry('shared_transaction', this.#count, { examples });
  }

  #see({ ids }: RowColumns, index: number, settlement: number): void {
    const slot = ids.addTo(this.#firstIn, index);
    const known = this.#firstIn.get(slot, 0);
    if (known === 0) {
      this.#firstIn.set(slot, 0, settlement);
      return;
    }
    const first = known % sharedBit;
    if (known < sharedBit) {
      this.#count += 1;
      this.#firstIn.set(slot, 0, known + sharedBit);
    }
    const id = ids.get(index);
    const settlements = this.#examples.get(id) ?? new Set([this.#settlementId(first)]);
    this.#examples.set(id, settlements.add(this.#settlementId(settlement)));
  }

  #settlementId(number: number): string {
    return this.#settlementIds[number - 1] ?? '';
  }
}
