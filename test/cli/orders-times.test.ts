import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dayOfMoment } from '../../src/base/calendar.ts';
import { documentOf, statement } from '../bank/camt-message.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { laddersOf } from '../support/ladder.ts';
import { runRecon } from '../support/run-recon.ts';
import { scenarioOf } from './service.ts';
import { Shop, settlementOn } from './shop.ts';
import { temporaryFolder } from './temporary.ts';

/** A shop in Berlin whose system writes times in UTC and does not say so. */
const lines = [
  'id;order_number;amount_total;order_date_time;payment',
  'a;10001;20.00;2026-03-31 21:41:07.578;Card',
  'b;10002;50.89;2026-03-31 22:41:07.578;Card',
  'c;10003;30.00;2026-02-28 23:30:00.000;Card',
  'd;10004;10.00;2026-03-31 23:41:07+02:00;Card',
];

async function openShop(mapping: Readonly<Record<string, unknown>>) {
  const rows = [2_000, 5_089, 3_000, 1_000].map((minor, at) => {
    const notes = [{ key: 'merchant_order_ref', value: `1000${at + 1}` }];
    return ['purchase', minor, 0, 0, { notes }] as const;
  });
  const header = { settlementId: settlementOn(1, 'web') };
  const period = { from: '2026-02-20', to: '2026-05-31' };
  const shop = await Shop.open(scenarioOf([{ date: '2026-04-02', header, rows }], { period }));
  const folder = await temporaryFolder();
  const file = join(folder, 'orders.csv');
  const balances = [
    ['OPBD', '0.00', '2026-02-01', 'EUR'],
    ['CLBD', '0.00', '2026-04-30', 'EUR'],
  ] as const;
  const bank = { id: 'EUR', period: ['2026-02-01', '2026-04-30'] as const, balances, entries: [] };
  await writeFile(join(folder, 'bank.xml'), documentOf({}, statement(bank)));
  await writeFile(file, `${lines.join('\n')}\n`);
  const env = {
    ...shop.env,
    RECON_TIME_ZONE: 'Europe/Berlin',
    RECON_ORDERS: file,
    RECON_ORDERS_CSV: JSON.stringify({ currency: 'EUR', methods: [], ...mapping }),
    RECON_PURCHASE_TYPES: 'purchase',
    RECON_STATEMENTS: join(folder, 'bank.xml'),
    RECON_CLOSES: join(folder, 'closes.csv'),
    RECON_BOOKS_FROM: '2026-03-01',
  };
  return (...args: string[]) =>
    runRecon(args, { env, clock: new FakeClock(Date.UTC(2026, 4, 20)) });
}

const columns = {
  ...{ delimiter: ';', order: 'order_number', date: 'order_date_time', total: 'amount_total' },
};

test.each([
  ['of a file in UTC', { ...columns, times: 'UTC' }, [6_000n, 5_089n]],
  ['of the preset of Shopware', { preset: 'shopware' }, [6_000n, 5_089n]],
  ['of the shop, if nothing is set', columns, [8_089n, 0n]],
  ['of the shop, if the preset is emptied', { preset: 'shopware', times: '' }, [8_089n, 0n]],
])('an order counts in the month of the shop, by times %s', async (_, mapping, sold) => {
  const recon = await openShop(mapping);
  const months = ['2026-03', '2026-04'].map(async (month) => {
    const { stdout } = await recon('close', '--month', month, '--json');
    return laddersOf(JSON.parse(stdout))['EUR']?.['sold'];
  });
  expect(await Promise.all(months)).toEqual(sold);
});

test.each([
  ['Mar 31, 2026 10:41:07 PM', '2026-04-01'],
  ['Mar 31, 2026 22:41:07 PM', '2026-04-01'],
  ['Mar 31, 2026 12:41:07 AM', '2026-03-31'],
  ['Mar 31, 2026', '2026-03-31'],
])('the time %s in UTC is of the day %s in Berlin', (text, day) => {
  expect(dayOfMoment(text, 'MMM D, YYYY', 'Europe/Berlin', 'Z')).toBe(day);
});

test('a method that no order has is named, in orders and in close', async () => {
  const mistyped = { ...columns, method: 'payment', methods: ['Card', 'Kreditkarten'] };
  const said = 'No order has the method "Kreditkarten": check methods of orders_csv.';
  for (const command of ['orders', 'close']) {
    const texts = [mistyped, { ...mistyped, methods: ['Card'] }].map(async (mapping) => {
      const recon = await openShop(mapping);
      const { stdout } = await recon(command, '--month', '2026-03', '--format', 'table');
      return stdout.replace(/\s+/g, ' ');
    });
    const [wrong, right] = await Promise.all(texts);
    expect(wrong).toContain(said);
    expect(right).not.toContain('No order has the method');
  }
});
