import { atScale, type Decimal, scaleOf } from '../money/decimal.ts';

/** A row whose balance is not the one before plus its amount. */
export interface BalanceBreak {
  readonly line: number;
  /** Stated − computed. */
  readonly difference: Decimal;
}

interface Row {
  readonly line: number;
  readonly date: string;
  readonly amount: Decimal;
  readonly balance: Decimal | undefined;
}

/**
 * The balances that a file states row by row. Each is the one of the row before plus its own amount; files begin
 * with the oldest row or with the newest.
 */
export class RunningBalance {
  readonly #rows: Row[] = [];
  readonly #currency: string;

  constructor(currency: string) {
    this.#currency = currency;
  }

  add(row: Row): void {
    this.#rows.push(row);
  }

  /**
   * The balances before the oldest row and after the newest one, and where they break; undefined without any. An end
   * is open if its rows have no balance: some banks list there what is not booked yet.
   */
  read():
    | {
        readonly opening: Decimal | undefined;
        readonly closing: Decimal | undefined;
        readonly breaks: readonly BalanceBreak[];
      }
    | undefined {
    if (!this.#rows.some(({ balance }) => balance)) return undefined;
    const amounts = this.#rows.flatMap(({ amount, balance }) => [amount, balance]);
    const scale = scaleOf(this.#currency, amounts);
    const [oldestFirst, newestFirst] = [this.#rows, this.#rows.toReversed()].map((rows) =>
      follow(rows, scale),
    );
    if (!oldestFirst || !newestFirst) return undefined;
    const fewer = oldestFirst.breaks.length - newestFirst.breaks.length;
    const [first, last] = [this.#rows[0], this.#rows.at(-1)];
    const isDescending = (first?.date ?? '') > (last?.date ?? '');
    return fewer > 0 || (fewer === 0 && isDescending) ? newestFirst : oldestFirst;
  }
}

function follow(rows: readonly Row[], scale: number) {
  let sum = 0n;
  let opening: bigint | undefined;
  let balance = 0n;
  const breaks: BalanceBreak[] = [];
  for (const row of rows) {
    sum += atScale(row.amount, scale);
    if (!row.balance) continue;
    const stated = atScale(row.balance, scale);
    const difference = opening === undefined ? 0n : stated - balance - sum;
    opening ??= stated - sum;
    if (difference !== 0n)
      breaks.push({ line: row.line, difference: { digits: difference, scale } });
    [balance, sum] = [stated, 0n];
  }
  const first = rows.find((row) => row.balance);
  // Some banks state the balance at the end of each day only.
  const isOpened = first?.date === rows[0]?.date;
  return {
    opening: isOpened ? { digits: opening ?? 0n, scale } : undefined,
    closing: rows.at(-1)?.balance && { digits: balance + sum, scale },
    breaks,
  };
}
