import { describe, expect, test } from 'vitest';
import type { Scenario } from '../../src/sandbox/scenario.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { scenarioOf, startService } from './service.ts';

const accounts = {
  Lisbon: { accountingToken: 'a-lisbon' },
  'Porto, yen': { accountingToken: 'b-porto', currencyCode: 'JPY', decimalPlaces: 0 },
  'Porto, dinars': { accountingToken: 'b-porto', currencyCode: 'KWD', decimalPlaces: 3 },
  Porto: { accountingToken: 'b-porto' },
  Tokyo: { accountingToken: 'c-tokyo', currencyCode: 'JPY', decimalPlaces: 0 },
};

/** Two accounts in euros, two in yen, one in dinars; amounts above a million and below zero. */
const company = scenarioOf(
  [
    { account: 'Lisbon', date: '2026-03-02', rows: [['purchase', 198_051_234, 4_000_000, 500]] },
    {
      account: 'Lisbon',
      date: '2026-03-03',
      rows: [['purchase', 1_000, 25, 5]],
      off: { amountGross: 123_456_789, amountPayIn: 123_456_789 },
    },
    { account: 'Porto', date: '2026-03-04', rows: [['refund', -987_654_321, 0, 0]] },
    {
      account: 'Porto',
      date: '2026-03-05',
      rows: [['purchase', 5_000, 25, 5]],
      off: { amountGross: -223_456_700, amountPayIn: -223_456_700 },
    },
    {
      account: 'Porto',
      date: '2026-03-06',
      status: 'pending_settlement',
      rows: [['purchase', 7_500_000, 25, 5]],
    },
    { account: 'Porto, yen', date: '2026-03-05', rows: [['purchase', 2_255_749, 0, 0]] },
    { account: 'Tokyo', date: '2026-03-06', rows: [['purchase', 1_000, 0, 0]] },
    {
      account: 'Tokyo',
      date: '2026-03-07',
      status: 'settled_out_of_balance',
      rows: [['purchase', 4_000, 0, 0]],
    },
    { account: 'Porto, dinars', date: '2026-03-07', rows: [['purchase', 1_234_567, 0, 0]] },
  ],
  { accounts },
);

const title = 'Totals by account and currency';

/** The cells of the table of groups, a row a line; columns stand two spaces apart. */
function groupRows(screen: string): readonly (readonly string[])[] {
  const lines = screen.split('\n');
  const from = lines.findIndex((line) => line.startsWith(title));
  const table = lines.slice(from + 1, lines.indexOf('', from));
  const rule = table.find((line) => line.startsWith('─')) ?? '';
  const columns = [...rule.matchAll(/─+/g)].map(({ index, 0: line }) => [index, line.length]);
  return table
    .filter((line) => /^(a-lisbon|b-porto|c-tokyo|Total) /.test(line))
    .map((line) => columns.map(([at = 0, length = 0]) => line.slice(at, at + length).trim()));
}

/** What a person sees on a screen without colour. */
async function screenOf(scenario: Scenario, columns: number, ...args: readonly string[]) {
  const service = await startService(scenario);
  return (await service.settlements([...args, '--color', 'never'], { columns })).stdout;
}

/** `-1,234.50` as -123450n. */
function minor(cell: string | undefined): bigint {
  return BigInt((cell ?? '').replace(/[,.]/g, ''));
}

describe('the table of groups', () => {
  test('groups thousands and ends with the totals of each currency over all accounts', async () => {
    const screen = await screenOf(company, 200);
    const rows = groupRows(screen);
    expect(rows.map((cells) => cells.slice(0, 2).join(' '))).toEqual([
      'a-lisbon EUR',
      'b-porto EUR',
      'b-porto JPY',
      'b-porto KWD',
      'c-tokyo JPY',
      'Total EUR',
      'Total JPY',
      'Total KWD',
    ]);
    expect(screen).toContain('1,234.567');
    expect(screen).toMatch(/Total +EUR .* -999,999\.11 +3,469,134\.89\n/);
    for (const currency of ['EUR', 'JPY', 'KWD']) {
      const own = rows.filter((cells) => cells[1] === currency);
      const [total, ...groups] = own.toReversed();
      for (const column of [2, 3, 4, 6, 7, 8, 9, 10]) {
        const sum = groups.reduce((before, cells) => before + minor(cells[column]), 0n);
        expect(minor(total?.[column]), `${currency}, column ${column}`).toBe(sum);
      }
    }
  });

  test.each([60, 80])('keeps the totals on %i columns', async (columns) => {
    const rows = groupRows(await screenOf(company, columns, '--by', 'group'));
    expect(rows.slice(-3)).toEqual([
      expect.arrayContaining(['Total', 'EUR', '-999,999.11', '3,469,134.89']),
      expect.arrayContaining(['Total', 'JPY', '0']),
      expect.arrayContaining(['Total', 'KWD']),
    ]);
  });

  test('has no totals for a single account', async () => {
    const screen = await screenOf(await loadScenario('refund'), 200);
    expect(screen).toContain(title);
    expect(screen).not.toMatch(/\bTotal\b/);
  });

  test('keeps the totals if the groups exceed the screen', async () => {
    const settlements = Array.from({ length: 60 }, (_, index) => ({
      date: '2026-03-02',
      header: { accountingToken: `token-${index}` },
      rows: [['purchase', 100_000, 0, 0] as const],
    }));
    const screen = await screenOf(scenarioOf(settlements), 80);
    expect(screen).toMatch(/\nTotal +EUR +60,000\.00 +60,000\.00 +0\.00 +0\.00\n/);
    expect(screen).toContain('Showing 50 of 60; --format csv lists all.');
  });
});

test('amounts have separators in sentences, and none in data', async () => {
  const service = await startService(company);
  const { stdout: screen } = await service.settlements([], { columns: 200 });
  expect(screen).toContain('gross: reported 1,234,577.89 EUR, computed 10.00 EUR');
  for (const format of ['csv', 'json', 'ndjson']) {
    const { stdout } = await service.settlements(['--format', format]);
    expect(stdout).toMatch(/(?:,|")1234577\.89(?:,|")/);
    expect(stdout).not.toMatch(/(?:,|")1,234|Total\b/);
  }
});

describe('the headline', () => {
  test('names the currencies that differ and counts the others', async () => {
    const screen = await screenOf(company, 200);
    expect(screen.split('\n')[1]).toBe(
      '9 settlements: 5 balanced, 3 out of balance, 1 pending. ' +
        'Net pay-out difference: -999,999.11 EUR net, 3,469,134.89 EUR absolute; none in JPY.',
    );
  });

  test('says that no currency differs', async () => {
    const screen = await screenOf(await loadScenario('service-says-out-of-balance'), 200);
    expect(screen.split('\n')[1]).toContain('out of balance. No difference in net pay-out.');
  });
});
