import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readRecords } from '../../cli/read-report.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { readWorkbook, recordsOf } from '../../render/xlsx/read-workbook.ts';
import { runRecon } from '../../support/run-recon.ts';

const month = ['orders', '--sandbox'];

describe('the month of the sandbox', () => {
  let csv: readonly Readonly<Record<string, string>>[];
  beforeAll(async () => {
    const { stdout, exitCode } = await runRecon(month);
    expect(exitCode).toBe(1);
    csv = readRecords(stdout);
  });

  it('is the same in the other dialect of the shop', async () => {
    const folder = await temporaryFolder();
    await runRecon(['sandbox', '--orders', folder]);
    const mapping = {
      ...{ delimiter: ';', decimal: ',', date_format: 'DD.MM.YYYY', order: 'order_number' },
      ...{ document: 'document', date: 'order_date', total: 'order_total', status: 'status' },
      ...{ currency: 'order_currency', method: 'payment_method', charge: 'transaction_id' },
      ...{ kind: 'kind', refund_words: ['refund'], methods: ['Sandbox Payments'] },
      ...{ unpaid_words: ['pending'], cancelled_words: ['cancelled'] },
    };
    const config = join(folder, 'config.toml');
    const lines = Object.entries(mapping).map(
      ([key, value]) => `${key} = ${JSON.stringify(value)}`,
    );
    const types = ['purchase', 'refund', 'chargeback'].map((one) => `${one}_types = ["${one}"]`);
    const table = '[profiles.shop.orders_csv]';
    await writeFile(config, ['[profiles.shop]', ...types, table, ...lines, ''].join('\n'));
    const file = join(folder, 'month-lines.csv');
    const { stdout } = await runRecon([...month, file, '--config', config]);
    const bare = (records: typeof csv) =>
      records
        .filter(
          (one) => one['order_ref'] && !/^refund_(missing|in)/.test(one['refund_state'] ?? ''),
        )
        .map((one) => `${one['order_ref']?.replace('#', '')} ${one['state']} ${one['difference']}`)
        .sort();
    expect(bare(readRecords(stdout))).toEqual(bare(csv));
  });

  it('has the same figures in every format', async () => {
    const { stdout } = await runRecon([...month, '--format', 'json']);
    const json = JSON.parse(stdout) as {
      readonly orders: readonly { readonly orderRef: string }[];
      readonly ladders: readonly {
        readonly shop: { readonly minor: string };
        readonly steps: readonly { readonly amount: { readonly minor: string } }[];
        readonly settled: { readonly minor: string };
      }[];
    };
    const refs = csv.flatMap((one) => one['order_ref'] || []);
    expect(json.orders.map(({ orderRef }) => orderRef)).toEqual(refs);
    for (const { shop, steps, settled } of json.ladders) {
      const stepped = steps.reduce((sum, { amount }) => sum + BigInt(amount.minor), 0n);
      expect(BigInt(shop.minor) + stepped).toBe(BigInt(settled.minor));
    }
    const path = join(await temporaryFolder(), 'orders.xlsx');
    await runRecon([...month, '--output', path]);
    const sheets = await readWorkbook(await readFile(path));
    expect([...sheets.keys()]).toEqual([
      ...['Summary', 'Ladder EUR', 'Ladder JPY', 'Ladder USD', 'Decisions', 'Orders'],
    ]);
    const [orders, totals] = [recordsOf(sheets.get('Orders')), ['EUR', 'JPY']];
    expect(orders.slice(csv.length).map((one) => [one['State'], one['Currency']])).toEqual(
      totals.map((currency) => ['Total', currency]),
    );
    expect(orders).toHaveLength(csv.length + totals.length);
    for (const format of ['html', 'markdown']) {
      const { stdout } = await runRecon([...month, '--format', format]);
      expect(stdout).toContain('1 is missing: -49.90 EUR');
    }
  });

  it('is read from an export too', async () => {
    const folder = await temporaryFolder();
    await runRecon(['export', '--sandbox', '--month', '2026-03', '--out', folder]);
    await runRecon(['sandbox', '--orders', folder]);
    const env = {
      RECON_ORDERS_CSV: JSON.stringify({
        ...{ preset: 'shopify', methods: ['Sandbox Payments'], charge: 'Payment Reference' },
      }),
      ...{ RECON_PURCHASE_TYPES: 'purchase', RECON_REFUND_TYPES: 'refund' },
      RECON_CHARGEBACK_TYPES: 'chargeback',
    };
    const args = ['orders', join(folder, 'month-shopify.csv'), '--from-export', folder];
    const { stdout, exitCode } = await runRecon(args, { env });
    const bare = (records: typeof csv) =>
      records
        .map(({ order_place: _, ...one }) => one)
        .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
    expect(bare(readRecords(stdout))).toEqual(bare(csv));
    expect(exitCode).toBe(1);
  });
});
