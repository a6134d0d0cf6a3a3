import { expect, test } from 'vitest';
import { temporaryFolder } from '../cli/temporary.ts';
import { runRecon } from '../support/run-recon.ts';
import { rowsOf, type SomeColumns, settlementOf, writeLake } from './write-lake.ts';

/** A settlement of one row, in the decimals of the row. */
function settled(id: string, row: SomeColumns) {
  const transactions = rowsOf(id, { [`row of ${id}`]: row });
  const scale = { currency: row['currency'] ?? 'EUR', decimal_places: row['decimal_places'] ?? 2 };
  return { settlements: [settlementOf(id, transactions, scale)], transactions };
}

const refund = { transaction_type: 'refund' };

test('refunds are compared with purchases of other decimals, and never with those of another currency', async () => {
  const rows = (charge: string, all: Readonly<Record<string, SomeColumns>>) =>
    Object.entries(all).map(([id, row]) =>
      settled(`${charge} ${id}`, { charge_id: charge, ...row }),
    );
  const bought = { amount_minor: 5000 };
  const days = [
    ...rows('more', { bought, back: { ...refund, amount_minor: -60_000, decimal_places: 3 } }),
    ...rows('fewer', { bought, back: { ...refund, amount_minor: -60, decimal_places: 0 } }),
    ...rows('equal', { bought, back: { ...refund, amount_minor: -50_000, decimal_places: 3 } }),
    ...rows('dollars', {
      bought,
      usd: { amount_minor: 9000, currency: 'USD' },
      back: { ...refund, amount_minor: -6000 },
    }),
  ];
  const folder = await writeLake(await temporaryFolder(), {
    '2026-03-01': {
      settlements: days.flatMap(({ settlements }) => settlements),
      transactions: days.flatMap(({ transactions }) => transactions),
    },
  });
  const types = ['--refund-types', 'refund', '--purchase-types', 'purchase'];
  const { stdout } = await runRecon(['audit', folder, ...types, '--json']);
  const report = JSON.parse(stdout) as {
    readonly findings: readonly {
      readonly code: string;
      readonly rows: readonly Readonly<
        Record<'amount' | 'expected', { readonly amount: string }> & { readonly chargeId: string }
      >[];
    }[];
    readonly totals: readonly object[];
  };
  const found = report.findings.find(({ code }) => code === 'over_refunded');
  const amounts = found?.rows.map(({ chargeId, amount, expected }) =>
    [chargeId, Number(amount.amount), Number(expected.amount)].join(' '),
  );
  expect(amounts).toEqual(['dollars 60 50', 'fewer 60 50', 'more 60 50']);
});
