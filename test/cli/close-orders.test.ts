import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documentOf, entry, statement } from '../bank/camt-message.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { laddersOf, pointsOf, salesIn, undecidedIn } from '../support/ladder.ts';
import { Random } from '../support/random.ts';
import { runRecon } from '../support/run-recon.ts';
import { scenarioOf } from './service.ts';
import { Shop, settlementOn } from './shop.ts';
import { temporaryFolder } from './temporary.ts';

/** Currencies with their decimal places. */
const currencies = { EUR: 2, JPY: 0 } as const;

type Currency = keyof typeof currencies;

interface Sale {
  readonly reference: string;
  readonly currency: Currency;
  readonly day: string;
  readonly total: number;
  /** What the shop gave back. */
  readonly refunded: number;
}

interface Row {
  readonly sale: Sale | undefined;
  readonly type: 'purchase' | 'refund';
  readonly minor: number;
}

interface Payout {
  readonly id: string;
  readonly currency: Currency;
  readonly day: string;
  readonly isPending: boolean;
  readonly isReceived: boolean;
  readonly rows: Row[];
}

const firstDay = Date.UTC(2026, 1, 26);
const dayAt = (offset: number) =>
  new Date(firstDay + offset * 86_400_000).toISOString().slice(0, 10);

/** Two months of a shop, with the days around them, of which all is known. */
function makeMonths(seed: number) {
  const random = new Random(seed);
  const payouts = Array.from({ length: 36 }, (_, at): Payout => {
    const currency = at % 2 === 0 ? 'EUR' : 'JPY';
    return {
      id: settlementOn(at + 1, currency),
      ...{ currency, day: dayAt(2 * at), isPending: random.chance(10) },
      ...{ isReceived: random.chance(70), rows: [] },
    };
  });
  const sales: Sale[] = [];
  const pay = (from: number, currency: Currency, row: Row) => {
    const first = payouts.findIndex((one) => one.currency === currency && one.day >= dayAt(from));
    payouts[first + 2 * random.int(0, 2)]?.rows.push(row);
  };
  for (let number = 1; number <= 90; number += 1) {
    const currency = random.pick(['EUR', 'JPY'] as const);
    const offset = random.int(0, 66);
    const total = random.int(100, 9_999);
    const isRefunded = random.chance(15);
    const refunded = isRefunded && random.chance(70) ? random.int(1, total) : 0;
    const sale = { reference: `S-${number}`, currency, day: dayAt(offset), total, refunded };
    sales.push(sale);
    if (random.chance(6)) continue;
    const minor = random.chance(6) ? total + random.int(-5, 5) : total;
    const known = random.chance(95) ? sale : undefined;
    pay(offset + 1, currency, { sale: known, type: 'purchase', minor });
    if (!isRefunded) continue;
    pay(offset + 3, currency, { sale, type: 'refund', minor: -(refunded || 50) });
  }
  return { payouts: payouts.filter(({ rows }) => rows.length > 0), sales };
}

type Months = ReturnType<typeof makeMonths>;

function text(minor: number, currency: Currency): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  const sign = minor < 0 ? '-' : '';
  return currency === 'JPY' ? `${minor}` : `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const sum = (minors: readonly number[]) => BigInt(minors.reduce((total, one) => total + one, 0));

/** The figures of a month by definition, without those of 0. */
function expectedOf({ payouts, sales }: Months, month: string, currency: Currency) {
  const settled = payouts.filter(
    (one) => one.currency === currency && one.day.startsWith(month) && !one.isPending,
  );
  const rows = settled.flatMap((one) => one.rows);
  const sold = sales.filter((one) => one.currency === currency && one.day.startsWith(month));
  const earlier = rows.filter(({ sale }) => sale && sale.day < month);
  return {
    sold: sum(sold.map(({ total, refunded }) => total - refunded)),
    gross: sum(rows.map(({ minor }) => minor)),
    earlier_orders: sum(earlier.map(({ minor }) => minor)),
  };
}

async function openShop(months: Months) {
  const shop = await Shop.open(
    scenarioOf(
      months.payouts.map(({ id, currency, day, isPending, rows }) => ({
        date: day,
        status: isPending ? 'pending_settlement' : 'settled',
        header: {
          settlementId: id,
          currencyCode: currency,
          decimalPlaces: currencies[currency],
          paymentEndToEndIds: [`PAYOUT-OF-${id.slice(0, 8)}-${currency}`],
        },
        rows: rows.map(({ sale, type, minor }) => [
          ...([type, minor, type === 'refund' ? 0 : 3, 0] as const),
          {
            ...{ currencyCode: currency, decimalPlaces: currencies[currency] },
            notes: [{ key: 'merchant_order_ref', value: sale?.reference ?? 'nobody' }],
          },
        ]),
      })),
      { period: { from: '2026-02-26', to: '2026-05-31' } },
    ),
  );
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder, name);
  const lines = months.sales.map(({ reference, day, total, currency, refunded }) =>
    [reference, day, text(total, currency), currency, text(refunded, currency)].join(),
  );
  await writeFile(
    at('orders.csv'),
    ['Order,Date,Total,Currency,Refunded', ...lines, ''].join('\n'),
  );
  await writeFile(
    at('bank.xml'),
    documentOf({}, ['EUR', 'JPY'].map((one) => statementOf(months, one)).join('')),
  );
  const env = {
    ...shop.env,
    RECON_ORDERS: at('orders.csv'),
    RECON_ORDERS_CSV: JSON.stringify({
      ...{ order: 'Order', date: 'Date', total: 'Total', currency: 'Currency', methods: [] },
      refunded: 'Refunded',
    }),
    RECON_PURCHASE_TYPES: 'purchase',
    RECON_REFUND_TYPES: 'refund',
    RECON_BOOKS_FROM: '2026-03-01',
    RECON_CLOSES: at('closes.csv'),
    RECON_STATEMENTS: at('bank.xml'),
  };
  return async (...args: string[]) => {
    const clock = new FakeClock(Date.UTC(2026, 4, 20));
    const { stdout, stderr } = await runRecon([...args, '--json'], { env, clock });
    if (!stdout.startsWith('{')) throw new Error(stderr);
    return JSON.parse(stdout);
  };
}

function statementOf({ payouts }: Months, currency: string): string {
  const received = payouts.filter(
    (one) => one.currency === currency && one.isReceived && !one.isPending,
  );
  const net = ({ rows }: Payout) =>
    rows.reduce((total, { minor, type }) => total + minor - (type === 'refund' ? 0 : 3), 0);
  const whole = text(
    received.reduce((total, one) => total + net(one), 0),
    currency as Currency,
  );
  return statement({
    currency,
    ...(currency === 'JPY' && { account: 'DE79123456780000143027' }),
    id: currency,
    period: ['2026-02-26', '2026-05-31'],
    balances: [
      ['OPBD', text(0, currency as Currency), '2026-02-26', currency],
      ['CLBD', whole, '2026-05-31', currency],
    ],
    entries: received.map((one) => {
      const amount = text(net(one), currency as Currency);
      const booked = `<BookgDt><Dt>${one.day}</Dt></BookgDt>`;
      const id = `PAYOUT-OF-${one.id.slice(0, 8)}-${currency}`;
      return entry(amount, {
        ...{ currency, booked, valued: booked.replaceAll('BookgDt', 'ValDt') },
        rest: `<NtryDtls><TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs></TxDtls></NtryDtls>`,
      });
    }),
  });
}

const seeds = Array.from({ length: Number(process.env['MONTH_SEEDS'] ?? 3) }, (_, at) => at + 1);

describe.each(seeds)('two months of a shop: seed %i', (seed) => {
  test('both ladders add up, and say what was sold, settled and carried over', async () => {
    const months = makeMonths(seed);
    const recon = await openShop(months);
    for (const month of ['2026-03', '2026-04']) {
      const closed = ['close', '--month', month, '--record', '--by', 'Anna'];
      const first = month === '2026-03' ? ['--new-register'] : [];
      const report = await recon(...closed, '--force', '--note', 'known', ...first);
      expect(report.verdict).toBe('closed');
      const ladders = laddersOf(report);
      const orders = await recon('orders', '--month', month);
      expect(salesIn(orders)).toEqual(salesIn(report));
      expect(undecidedIn(orders)).toEqual(pointsOf(report));
      for (const currency of ['EUR', 'JPY'] as const) {
        const figures: Readonly<Record<string, bigint>> = {
          earlier_orders: 0n,
          ...ladders[currency],
        };
        expect(figures).toMatchObject(expectedOf(months, month, currency));
      }
    }
  });
});
