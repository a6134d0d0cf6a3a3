import { expect, test } from 'vitest';
import { bridge } from '../../src/books/bridge.ts';
import { BusinessDays } from '../../src/match/business-days.ts';
import type { BankStatement } from '../../src/model/bank.ts';

const march = { from: '2026-03-01', to: '2026-03-31' };

function statement(from: string, to: string, opening: bigint, closing: bigint): BankStatement {
  return {
    ...{ format: 'CSV', account: 'GB09REVO', currency: 'GBP', scale: 2, number: '' },
    ...{ notChecked: undefined, place: { file: `${from}.csv`, line: 1 } },
    ...{ from, to, opening, closing, entries: 0, sum: closing - opening, isWhole: true },
  };
}

function balances(...statements: readonly BankStatement[]) {
  const [line] = bridge({
    ...{ range: march, statements: { statements, entries: [] }, matches: [], clearings: [] },
    businessDays: new BusinessDays(),
  });
  return [line?.opening, line?.closing];
}

const december = statement('2025-12-18', '2025-12-18', 0n, 250_000n);

test('a month begins with the balance of the statement that begins on its first business day', () => {
  // 1 March 2026 is a Sunday.
  const ofMonth = statement('2026-03-02', '2026-03-31', 214_900n, 214_900n);
  expect(balances(december, ofMonth)).toEqual([214_900n, 214_900n]);
});

test('a statement that begins later does not say what was booked before it', () => {
  const late = statement('2026-03-03', '2026-03-31', 214_900n, 214_900n);
  expect(balances(december, late)).toEqual([250_000n, 214_900n]);
});

test('a month that ends on a Saturday ends with the balance with which the next one begins', () => {
  const range = { from: '2026-01-01', to: '2026-01-31' };
  const january = statement('2026-01-01', '2026-01-30', 100n, 100n);
  const february = statement('2026-02-02', '2026-02-27', 300n, 300n);
  const [line] = bridge({
    ...{ range, statements: { statements: [january, february], entries: [] } },
    ...{ matches: [], clearings: [], businessDays: new BusinessDays() },
  });
  expect(line?.closing).toBe(300n);
});
