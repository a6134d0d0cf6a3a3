import { expect, test } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { type PrintedRow, printedAmount, printedTable } from '../support/screen.ts';

async function screenOf(command: string) {
  const { stdout } = await runRecon([command, '--sandbox'], {
    columns: 80,
    env: { NO_COLOR: '1' },
  });
  return stdout;
}

function sum(rows: readonly PrintedRow[], column: string): bigint {
  return rows.reduce((total, { [column]: text }) => total + printedAmount(text), 0n);
}

const columnsOf = ([row = {}]: readonly PrintedRow[]) => Object.keys(row);

test('the totals of pay-outs add up by currency, and tie to the settlements and to the bank', async () => {
  const [screen, settlements] = [await screenOf('bank'), await screenOf('settlements')];
  const { rows, totals } = printedTable(screen, 'Totals by account and currency');
  expect(columnsOf(rows)).toEqual(
    expect.arrayContaining(['Expected', 'Received', 'Net difference']),
  );
  expect(totals.map(({ Currency, State }) => `${Currency} ${State}`)).toEqual([
    'EUR without pending',
    'EUR all',
    'JPY without pending',
    'JPY all',
  ]);
  for (const total of totals) {
    const { Currency = '', State } = total;
    const own = rows.filter(
      (row) => row['Currency'] === Currency && (State === 'all' || row['State'] !== 'pending'),
    );
    for (const column of ['Expected', 'Received', 'Net difference'])
      expect([Currency, column, sum(own, column)]).toEqual([
        Currency,
        column,
        printedAmount(total[column]),
      ]);
    const movement = printedTable(screen, `Movement of DE${Currency === 'EUR' ? '79' : '50'}`);
    expect(movement.totals[0]?.['Amount']).toBe(total['Received']);
    expect(sum(movement.rows, 'Amount')).toBe(sum(movement.totals, 'Amount'));
    if (State === 'all') continue;
    const ofSettlements = printedTable(settlements, 'Totals by account and currency').totals;
    const same = ofSettlements.find((row) => row['Currency'] === Currency);
    expect(total['Expected']).toBe(same?.['Reported net pay-out']);
  }
});

test('gross less fees and tax is the net pay-out of each account and of each currency', async () => {
  const screen = await screenOf('settlements');
  const { rows, totals } = printedTable(screen, 'From gross to net pay-out');
  const parts = ['Gross', 'Fees', 'Tax'] as const;
  for (const row of [...rows, ...totals]) {
    const [gross, fees, tax] = parts.map((column) => printedAmount(row[column]));
    expect(gross).toBeGreaterThan(0n);
    expect((gross ?? 0n) - (fees ?? 0n) - (tax ?? 0n)).toBe(printedAmount(row['Net pay-out']));
  }
  expect(totals.map(({ Currency }) => Currency)).toEqual(['EUR', 'JPY']);
  for (const total of totals) {
    const own = rows.filter(({ Currency }) => Currency === total['Currency']);
    for (const column of [...parts, 'Net pay-out'])
      expect(sum(own, column)).toBe(printedAmount(total[column]));
  }
  const differences = printedTable(screen, 'Totals by account and currency');
  expect(differences.totals).toMatchObject(
    totals.map((row) => ({ 'Reported net pay-out': row['Net pay-out'] })),
  );
});

test('an order that was charged back says what was settled and what was taken back', async () => {
  const screen = await screenOf('orders');
  const { rows } = printedTable(screen, 'Unknown to the shop');
  const order = rows.find(({ State }) => State === 'charged back');
  const [, settled, back] = /settled ([\d.,]+) EUR, charged back ([\d.,]+) EUR/.exec(screen) ?? [];
  expect(printedAmount(settled) - printedAmount(back)).toBe(printedAmount(order?.['Settled']));
  for (const row of rows.filter(({ Expected }) => Expected))
    expect(printedAmount(row['Settled']) - printedAmount(row['Expected'])).toBe(
      printedAmount(row['Difference']),
    );
});
