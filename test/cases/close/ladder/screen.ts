import { expect } from 'vitest';
import { printedAmount, printedTable } from '../../../support/screen.ts';
import type { CloseJson } from './said.ts';

/** Totals, in the order of the ladder. */
const totals = ['sold', 'gross', 'pay_in', 'in_transit', 'in_books'];

/** The printed ladders add up, and are those of the JSON, line by line. */
export function expectLadderOnScreen(screen: string, { ladders }: CloseJson, where: string): void {
  for (const line of screen.split('\n')) expect.soft(line.length, line).toBeLessThanOrEqual(80);
  for (const { currency, lines } of ladders) {
    const { rows } = printedTable(screen, `From the sale to the books, ${currency}`);
    const printed = rows.map(({ Step = '', Amount = '' }) => {
      return { isTotal: Step.startsWith('= '), amount: printedAmount(Amount) };
    });
    expect
      .soft(printed, where)
      .toEqual(lines.map(({ isTotal, amount }) => ({ isTotal, amount: BigInt(amount.minor) })));
    let sum: bigint | undefined;
    for (const { isTotal, amount } of printed) {
      if (isTotal && sum !== undefined) expect.soft(amount, `${where} ${currency}`).toBe(sum);
      sum = isTotal ? amount : (sum ?? 0n) + amount;
    }
    const order = lines.filter(({ isTotal }) => isTotal).map(({ code }) => code);
    expect.soft(order).toEqual(totals.filter((code) => order.includes(code)));
  }
}
