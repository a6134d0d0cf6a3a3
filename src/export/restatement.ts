import { byText } from '../base/by-text.ts';
import type { Settlement } from '../model/settlement.ts';
import { type Column, textColumn, valueColumn } from '../report/common/columns.ts';
import type { FieldChange, SettlementRestatement } from '../report/export/report.ts';
import {
  type ListedTransaction,
  readingChanges,
  settlementChanges,
  transactionChanges,
} from './compare.ts';
import { DaySource } from './day-source.ts';
import type { ListedRow, SectionEnd } from './source-line.ts';

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
    for (const pair of settlementPairs(before.settlements, after.settlements)) {
      const restatement = yield* compareSettlement(pair, before, after);
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

/** The settlements of both, in the order of the files, so that each file is passed through once. */
function settlementPairs(
  before: readonly Settlement[],
  after: readonly Settlement[],
): readonly Pair<Settlement>[] {
  const pairs = new Map<string, Pair<Settlement>>(before.map((one) => [one.id, { before: one }]));
  for (const one of after) pairs.set(one.id, { ...pairs.get(one.id), after: one });
  const place = ({ before, after }: Pair<Settlement>) => after ?? before ?? { date: '', id: '' };
  return [...pairs.values()].sort(
    (a, b) => byText(place(a).date, place(b).date) || byText(place(a).id, place(b).id),
  );
}

async function* compareSettlement(
  { before, after }: Pair<Settlement>,
  sourceBefore: DaySource,
  sourceAfter: DaySource,
): AsyncGenerator<readonly Change[], SettlementRestatement | undefined, void> {
  const settlementId = (after ?? before)?.id ?? '';
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

type Rows = AsyncGenerator<readonly ListedRow[], SectionEnd, void>;

/** The rows of a settlement, by transaction. */
class Transactions {
  /** How the rows ended; undefined before, and where there are none to read. */
  end: SectionEnd | undefined;
  readonly #rows: Rows | undefined;
  #ready: ListedTransaction[] = [];
  #last: ListedTransaction | undefined;

  constructor(rows: Rows | undefined) {
    this.#rows = rows;
  }

  /** The next one, which stays; undefined at the end. */
  async peek(): Promise<ListedTransaction | undefined> {
    while (this.#ready.length === 0 && this.#rows && !this.end) await this.#read(this.#rows);
    return this.#ready[0];
  }

  take(): ListedTransaction | undefined {
    return this.#ready.shift();
  }

  /** The last one of a batch waits for the next batch, which may begin with more of it. */
  async #read(rows: Rows): Promise<void> {
    const step = await rows.next();
    if (step.done) this.end = step.value;
    else {
      for (const { row, listed, conflicting } of step.value) {
        if (conflicting && this.#last) {
          this.#last = { ...this.#last, others: [...this.#last.others, row] };
          continue;
        }
        if (this.#last) this.#ready.push(this.#last);
        this.#last = { row, listed, others: [] };
      }
    }
    if (this.end && this.#last) {
      this.#ready.push(this.#last);
      this.#last = undefined;
    }
  }
}
