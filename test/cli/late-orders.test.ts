import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentOf, statement } from '../bank/camt-message.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { pointsOf, salesIn, undecidedIn } from '../support/ladder.ts';
import { type RunOptions, runRecon } from '../support/run-recon.ts';
import { scenarioOf } from './service.ts';
import { Shop, settlementOn } from './shop.ts';
import { temporaryFolder } from './temporary.ts';

type Sale = readonly [reference: string, day: string, total: number, refunded?: number];
type Paid = readonly [type: 'purchase' | 'refund', reference: string, minor: number];

interface Payout {
  readonly day: string;
  readonly currency?: 'EUR' | 'JPY';
  readonly rows: readonly Paid[];
}

/** A shop that sells in EUR, and in JPY where a reference says so, on a day of reading. */
async function openShop(sales: readonly Sale[], payouts: readonly Payout[]) {
  const shop = await Shop.open(
    scenarioOf(
      payouts.map(({ day, currency = 'EUR', rows }, at) => ({
        date: day,
        header: {
          settlementId: settlementOn(at + 1, currency),
          currencyCode: currency,
          decimalPlaces: currency === 'JPY' ? 0 : 2,
        },
        rows: rows.map(([type, reference, minor]) => [
          ...([type, minor, 0, 0] as const),
          {
            currencyCode: currency,
            decimalPlaces: currency === 'JPY' ? 0 : 2,
            notes: [{ key: 'merchant_order_ref', value: reference }],
          },
        ]),
      })),
      { period: { from: '2026-04-01', to: '2026-11-30' } },
    ),
  );
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder, name);
  const lines = sales.map(([reference, day, total, refunded = 0]) => {
    const currency = reference.startsWith('J') ? 'JPY' : 'EUR';
    const text = (minor: number) => (currency === 'JPY' ? `${minor}` : (minor / 100).toFixed(2));
    return [reference, day, text(total), currency, text(refunded)].join();
  });
  await writeFile(at('orders.csv'), `Order,Date,Total,Currency,Refunded\n${lines.join('\n')}\n`);
  const month = { period: ['2026-04-01', '2026-04-30'] as const, entries: [] };
  const balances = [
    ['OPBD', '0.00', '2026-04-01', 'EUR'],
    ['CLBD', '0.00', '2026-04-30', 'EUR'],
  ] as const;
  await writeFile(at('bank.xml'), documentOf({}, statement({ ...month, id: 'EUR', balances })));
  const env = {
    ...shop.env,
    RECON_STATEMENTS: at('bank.xml'),
    RECON_ORDERS: at('orders.csv'),
    RECON_ORDERS_CSV: JSON.stringify({
      ...{ order: 'Order', date: 'Date', total: 'Total', currency: 'Currency', methods: [] },
      refunded: 'Refunded',
    }),
    RECON_PURCHASE_TYPES: 'purchase',
    RECON_REFUND_TYPES: 'refund',
    RECON_BOOKS_FROM: '2026-04-01',
    RECON_CLOSES: at('closes.csv'),
    RECON_ACCEPTED: at('accepted.csv'),
    CI: '1',
  };
  return (day: string, ...args: (string | RunOptions)[]) => {
    const clock = new FakeClock(Date.parse(`${day}T12:00:00Z`));
    const words = args.filter((one) => typeof one === 'string');
    const [more] = args.filter((one) => typeof one !== 'string');
    return runRecon([...words, '--month', '2026-04'], { env, clock, ...more });
  };
}

const orderPoints = (report: { readonly blockers: readonly { readonly code: string }[] }) =>
  report.blockers.map(({ code }) => code).filter((code) => code.startsWith('order_'));

test('orders and refunds that are settled after their days, as is known today, are not missing', async () => {
  const recon = await openShop(
    [
      ['E-1', '2026-04-10', 4_000],
      ['E-2', '2026-04-12', 5_000, 2_000],
      ['J-1', '2026-04-14', 900],
    ],
    [
      { day: '2026-04-15', rows: [['purchase', 'E-2', 5_000]] },
      { day: '2026-05-19', rows: [['refund', 'E-2', -2_000]] },
      { day: '2026-05-20', rows: [['purchase', 'E-1', 4_000]] },
      { day: '2026-05-21', currency: 'JPY', rows: [['purchase', 'J-1', 900]] },
    ],
  );
  const early = JSON.parse((await recon('2026-05-10', 'close', '--json')).stdout);
  expect(orderPoints(early)).toEqual(['order_missing_in_settlements', 'order_refund_missing']);
  const report = JSON.parse((await recon('2026-06-20', 'close', '--json')).stdout);
  expect(orderPoints(report)).toEqual([]);
  const orders = JSON.parse((await recon('2026-06-20', 'orders', '--json')).stdout);
  expect(salesIn(orders)).toEqual(salesIn(report));
  expect(undecidedIn(orders)).toEqual(pointsOf(report));
  const { stdout } = await recon('2026-06-20', 'close', '--format', 'table');
  expect(stdout).toMatch(/Orders +by settlements until 2026-06-20/);
});

test('later settlements are read only for orders that are still open, and not without an end', async () => {
  const settled: Payout = { day: '2026-04-15', rows: [['purchase', 'E-1', 4_000]] };
  const later: Payout = { day: '2026-11-02', rows: [['purchase', 'E-2', 5_000]] };
  const sale: Sale = ['E-1', '2026-04-10', 4_000];
  const whole = await openShop([sale], [settled, later]);
  const { stdout } = await whole('2026-11-20', 'close', '--format', 'table');
  expect(stdout).toMatch(/Orders +by settlements until 2026-05-07/);
  const open = await openShop([sale, ['E-2', '2026-04-10', 5_000]], [settled, later]);
  const text = (await open('2026-11-20', 'close', '--format', 'table')).stdout;
  expect(text).toMatch(/Orders +by settlements until 2026-08-07/);
  expect(text).toContain('1 order is missing from the settlements');
});

test('orders of the last days wait while no settlement of their currency is listed that is late enough', async () => {
  const recon = await openShop(
    [
      ['E-1', '2026-04-29', 4_000],
      ['E-2', '2026-04-30', 5_000],
      ['E-3', '2026-04-20', 1_000],
      ['J-1', '2026-04-30', 900],
    ],
    [
      { day: '2026-04-30', rows: [['purchase', 'E-0', 100]] },
      { day: '2026-05-20', currency: 'JPY', rows: [['purchase', 'J-0', 100]] },
    ],
  );
  const said =
    'The newest settlement listed in EUR is of 2026-04-30; 2 orders of 2026-04-29 to 2026-04-30 may be in later ones.';
  const close = JSON.parse((await recon('2026-06-20', 'close', '--json')).stdout);
  const missing = close.blockers.find(
    ({ code }: { code: string }) => code === 'order_missing_in_settlements',
  );
  expect(missing.examples).toEqual(['E-3', 'J-1']);
  expect(close.notes).toContain(said);
  const orders = await recon('2026-06-20', 'orders', '--json');
  const states = JSON.parse(orders.stdout).orders.map(
    (one: { orderRef: string; state: string; reason: string | null }) => [
      one.orderRef,
      one.state,
      one.reason,
    ],
  );
  expect(states).toContainEqual(['E-1', 'in_transit', 'not_listed_yet']);
  const table = await recon('2026-06-20', 'orders', '--format', 'table');
  expect(table.stdout.replaceAll(/\s+/g, ' ')).toContain(said);
});

test('a closed month keeps what was known on its day', async () => {
  const recon = await openShop(
    [['E-1', '2026-04-10', 4_000]],
    [{ day: '2026-05-20', rows: [['purchase', 'E-1', 4_000]] }],
  );
  const force = ['--record', '--by', 'Anna', '--force', '--note', 'known', '--new-register'];
  const then = await recon('2026-05-10', 'close', ...force, '--json');
  const again = await recon('2026-06-20', 'close', '--json');
  const [one, other] = [JSON.parse(then.stdout), JSON.parse(again.stdout)];
  expect(orderPoints(other)).toEqual(['order_missing_in_settlements']);
  expect(other.ladders).toEqual(one.ladders);
  expect(other.checklist[0]).toMatchObject({ step: 'orders', answer: one.checklist[0].answer });
});

test('a missing order and a transaction without an order name each other if only these two have one amount', async () => {
  const recon = await openShop(
    [
      ['E-1', '2026-04-14', 4_000],
      ['E-2', '2026-04-14', 5_000],
      ['E-3', '2026-04-15', 5_000],
      ['E-4', '2026-04-01', 6_000],
      ['E-5', '2026-04-02', 700],
      ['J-1', '2026-04-15', 900],
    ],
    [
      { day: '2026-04-02', rows: [['purchase', 'E-5', 700]] },
      {
        day: '2026-04-15',
        rows: [...[4_000, 5_000, 6_000].map((minor, at): Paid => ['purchase', `WEB-${at}`, minor])],
      },
      { day: '2026-04-15', currency: 'JPY', rows: [['purchase', 'WEB-J', 900]] },
    ],
  );
  const twins =
    /perhaps the same: transaction \S+ in the settlement of 2026-04-15 has this amount/gi;
  const table = await recon('2026-05-10', 'orders', '--format', 'markdown');
  expect(table.stdout.match(twins)).toHaveLength(2);
  expect(table.stdout).toContain('perhaps the same: order J-1 of 2026-04-15 has this amount');
  const answers = Array.from({ length: 20 }, () => 'n');
  const review = await recon('2026-05-10', 'review', { answers });
  const said = review.stderr.replaceAll(/\s+/g, ' ');
  expect(said).toMatch(/Order E-1, missing: -40.00 EUR .*?Likely cause: perhaps the same/);
  expect(said).toContain('(its reference: WEB-0)');
  expect(said).toMatch(/Order E-2, missing: -50.00 EUR .*?Likely cause: no transaction/);
});
