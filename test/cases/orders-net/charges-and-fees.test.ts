import { describe, expect, test } from 'vitest';
import { idOf, openShop, purchase, type Row, refund, types } from './shop.ts';

const march = ['--month', '2026-03'];

/** A charge as the service shows it, of 100.00 EUR unless told otherwise. */
function chargeOf(name: string, status: string, amounts: Readonly<Record<string, number>>) {
  const id = idOf(`charge ${name}`);
  const total = amounts['original_order_total'] ?? 10_000;
  return {
    [id]: {
      charge_id: id,
      order: {
        order_id: idOf(`order ${name}`),
        service_id: idOf('account of EUR'),
        order_amount: { value: total, currency: { currency_code: 'EUR' } },
        your_order_reference: name,
        order_line_items: [],
        your_order_details: [],
      },
      payments: [],
      session: {},
      status: { status },
      event: { event_number: 4, action: 'refund', source: 'api', status },
      summary_amounts: {
        original_order_total: total,
        current_order_total: total,
        completed_amount: total,
        refunded_amount: 0,
        settled_amount: total,
        canceled_amount: 0,
        disputed_amount: 0,
        reconciled_amount: 0,
        reversed_amount: 0,
        out_of_balance_amounts: [],
        ...amounts,
      },
    },
  };
}

async function showCharge(
  name: string,
  rows: readonly Row[],
  charges: Readonly<Record<string, unknown>>,
) {
  const { run } = await openShop(rows, types, {}, charges);
  const id = idOf(`charge ${name}`);
  const shown = await run(['charge', id, '--settlements', ...march, '--format', 'table']);
  return { ...shown, text: `${shown.stdout} ${shown.stderr}`.replaceAll(/\s+/g, ' ') };
}

describe('the settled amount of a charge', () => {
  test('is that of its rows before refunds', async () => {
    const rows = [purchase('A', 10_000, { charge: 'A' }), refund('A', 4000, { charge: 'A' })];
    const amounts = { settled_amount: 10_000, refunded_amount: 4000, current_order_total: 6000 };
    const { text } = await showCharge('A', rows, chargeOf('A', 'settled', amounts));
    expect(text).toMatch(/before refunds/);
    expect(text).not.toMatch(/equals its rows after refunds/);
    expect(text).toContain('= the settled amount');
  });

  test('is that of its rows after refunds', async () => {
    const rows = [purchase('A', 10_000, { charge: 'A' }), refund('A', 4000, { charge: 'A' })];
    const amounts = { settled_amount: 6000, refunded_amount: 4000, current_order_total: 6000 };
    const { text } = await showCharge('A', rows, chargeOf('A', 'settled', amounts));
    expect(text).toContain('= the settled amount');
    expect(text).not.toMatch(/before refunds/);
  });

  test('differs by what is disputed, and says so', async () => {
    const rows = [
      purchase('A', 5000, { charge: 'A' }),
      { ref: 'A', amount: -5000, type: 'chargeback', charge: 'A' },
    ];
    const amounts = { original_order_total: 5000, settled_amount: 5000, disputed_amount: 5000 };
    const { text } = await showCharge('A', rows, chargeOf('A', 'settled', amounts));
    expect(text).toMatch(/disput/i);
    expect(text).not.toMatch(/! the settled amount differs from its transactions/);
  });

  test('differs for no reason that the charge gives', async () => {
    const rows = [purchase('A', 9900, { charge: 'A' })];
    const { text } = await showCharge('A', rows, chargeOf('A', 'settled', {}));
    expect(text).toMatch(/! the settled amount differs from its transactions/);
  });
});

describe('the fees of rows without a rate', () => {
  const rate = [
    '[[profiles.shop.agreed_rates]]',
    'name = "cards"',
    'valid_from = "2026-01-01"',
    'types = ["purchase"]',
    'currency = "EUR"',
    'percent = "1.5"',
  ];

  test('are charged, and what was agreed is not known', async () => {
    const rows: readonly Row[] = [
      purchase('A', 10_000, { fees: 150 }),
      { ref: 'A', amount: 3000, type: 'chargeback_reversal', fees: -1500 },
      { ref: 'B', amount: 3000, type: 'chargeback_reversal', fees: 0 },
      purchase('U', 10_000, { fees: 205, currency: 'USD' }),
    ];
    const { run } = await openShop(rows, rate);
    const csv = await run(['fees', ...march, '--format', 'csv']);
    const [header = '', ...records] = csv.stdout.trim().split('\r\n');
    const columns = header.split(',');
    const cell = (line: string, column: string) => line.split(',')[columns.indexOf(column)] ?? '';
    const of = (word: string) => records.find((line) => line.includes(word)) ?? '';
    expect(cell(of('chargeback_reversal'), 'charged')).toBe('-15.00');
    expect(cell(of('USD'), 'charged')).toBe('2.05');
    const screen = await run(['fees', ...march, '--format', 'table']);
    expect(screen.stdout).toMatch(/chargeback_reversal\s+EUR[ \d]*-15\.00/);
    expect(screen.stdout).toMatch(/purchase\s+USD[ \d]* 2\.05/);
    expect(screen.stdout).toMatch(/2026-03\s+USD.* 2\.05/);
  });
});
