import type { Settlement } from '../model/settlement.ts';
import { byText } from '../reconcile/examples.ts';
import { byDateThenId } from '../reconcile/reconcile-run.ts';
import { type Column, textColumn, valueColumn } from '../report/common/columns.ts';
import type { FieldChange, SettlementRestatement } from '../report/export/report.ts';
import { readingChanges, settlementChanges, transactionChanges } from './compare.ts';
import { DaySource } from './day-source.ts';
import type { ListedTransaction, SectionEnd } from './source-line.ts';

/** A line of `changes.csv`. */
export interface Change extends FieldChange {
  readonly settlementId: string;
  /** Absent where it is about the settlement itself. */
  readonly transactionId?: string | undefined;
  readonly change: `${'settlement' | 'transaction'}_${'added' | 'removed' | 'changed'}`;
}

export const changeColumns: readonly Column<Change>[] = [
  textColumn('settlement_id', ({ settlementId }) => settlementId),
  textColumn('change', ({ change }) => change),
  textColumn('field', ({ field }) => field),
  valueColumn('before', ({ before }) => before),
  valueColumn('after', ({ after }) => after),
  textColumn('transaction_id', ({ transactionId = '' }) => transactionId),
];

/**
 * Compares two versions of a day by their sources. Yields the changes as they are found, by
 * settlement, and returns each settlement that differs. Throws ReconError `damaged`.
 */
export async function* compareVersions(
  pathBefore: string,
  pathAfter: string,
): AsyncGenerator<readonly Change[], readonly SettlementRestatement[], void> {
  const before = await DaySource.open(pathBefore);
  const after = await DaySource.open(pathAfter);
  try {
    const restatements: SettlementRestatement[] = [];
    const [was, is] = [byId(before.settlements), byId(after.settlements)];
    // In the order of the files, so that each is passed through once.
    for (const { id } of [...new Map([...was, ...is]).values()].sort(byDateThenId)) {
      const pair = { before: was.get(id), after: is.get(id) };
      const restatement = yield* compareSettlement(id, pair, before, after);
      if (restatement) restatements.push(restatement);
    }
    return restatements;
  } finally {
    await before.close();
    await after.close();
  }
}

interface Pair<Value> {
  readonly before?: Value | undefined;
  readonly after?: Value | undefined;
}

function byId(settlements: readonly Settlement[]): ReadonlyMap<string, Settlement> {
  return new Map(settlements.map((one) => [one.id, one]));
}

async function* compareSettlement(
  settlementId: string,
  { before, after }: Pair<Settlement>,
  sourceBefore: DaySource,
  sourceAfter: DaySource,
): AsyncGenerator<readonly Change[], SettlementRestatement | undefined, void> {
  const rowsBefore = new Transactions(before && sourceBefore.rows(settlementId));
  const rowsAfter = new Transactions(after && sourceAfter.rows(settlementId));
  const counts = { added: 0, removed: 0, changed: 0 };
  for (;;) {
    const pair = await nextPair(rowsBefore, rowsAfter);
    if (!pair) break;
    const fields = transactionChanges(pair.before, pair.after);
    if (fields.length === 0) continue;
    const change = whatHappened(pair);
    counts[change] += 1;
    const transactionId = (pair.after ?? pair.before)?.row.id;
    yield fields.map((field) => ({
      settlementId,
      transactionId,
      change: `transaction_${change}`,
      ...field,
    }));
  }
  const fields = [
    ...settlementChanges(before, after),
    ...readingChanges(rowsBefore.end, rowsAfter.end),
  ];
  const change = whatHappened({ before, after });
  yield fields.map((field) => ({ settlementId, change: `settlement_${change}`, ...field }));
  const isSame = fields.length === 0 && Object.values(counts).every((count) => count === 0);
  return isSame ? undefined : { settlementId, change, fields, transactions: counts };
}

function whatHappened({ before, after }: Pair<unknown>): 'added' | 'removed' | 'changed' {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}

/** The next transaction of either, or of both where it is the same; undefined at the end. */
async function nextPair(
  before: Transactions,
  after: Transactions,
): Promise<Pair<ListedTransaction> | undefined> {
  const [one, other] = [await before.peek(), await after.peek()];
  if (!one && !other) return undefined;
  const order = one && other ? byText(one.row.id, other.row.id) : one ? -1 : 1;
  return {
    before: order <= 0 ? before.take() : undefined,
    after: order >= 0 ? after.take() : undefined,
  };
}

/** The transactions of a settlement, one after the other. */
class Transactions {
  /** How the rows ended; undefined before, and where there are none to read. */
  end: SectionEnd | undefined;
  readonly #batches: ReturnType<DaySource['rows']> | undefined;
  #ready: ListedTransaction[] = [];

  constructor(batches: ReturnType<DaySource['rows']> | undefined) {
    this.#batches = batches;
  }

  /** The next one, which stays; undefined at the end. */
  async peek(): Promise<ListedTransaction | undefined> {
    while (this.#ready.length === 0 && this.#batches && !this.end) {
      const step = await this.#batches.next();
      if (step.done) this.end = step.value;
      else this.#ready = [...step.value];
    }
    return this.#ready[0];
  }

  take(): ListedTransaction | undefined {
    return this.#ready.shift();
  }
}
