import { addDays } from '../base/calendar.ts';
import { formatMinor } from '../money/money.ts';
import { camtStatement } from './bank.ts';
import type { Scenario } from './scenario.ts';
import { type OtherOrder, orderFilesIn } from './shop.ts';
import { sandboxCredentials } from './tokens.ts';

/** A pay-out: six sales and, but for the first week, a refund of a sale of the week before. */
type Week = ReturnType<typeof weeksOf>[number];

function weeksOf(shop: string, { period }: Scenario) {
  return [1, 2, 3, 4].map((number) => {
    const day = addDays(period.from, 7 * number - 2);
    const sales = [1, 2, 3, 4, 5, 6].map((at) => {
      const amount = 1_490 + 700 * at + 310 * number + shop.charCodeAt(0);
      const fee = Math.floor(amount / 50) + 25;
      return { order: `${shop}-${number}${at}`, day: addDays(day, -Math.min(at, 5)), amount, fee };
    });
    const refund = { order: `${shop}-${number - 1}2`, day, amount: -990, fee: 0 };
    const lines = number > 1 ? [...sales, refund] : sales;
    return { number, day, lines, paid: lines.reduce((sum, one) => sum + one.amount - one.fee, 0) };
  });
}

const major = (minor: number) => formatMinor(BigInt(minor), 2);

const csv = (rows: readonly (readonly string[])[]) =>
  rows.map((cells) => `${cells.map((cell) => `"${cell}"`).join(',')}\n`).join('');

const bankText = ({ number }: Week) => `TX10000${number}XT batch ${number}, SHOP`;

const adyenColumns = [
  ...['Batch Number', 'Merchant Account', 'Net Currency', 'Creation Date', 'Type'],
  ...['Modification Reference', 'Net Debit (NC)', 'Net Credit (NC)', 'Gross Debit (GC)'],
  ...['Gross Credit (GC)', 'Gross Currency', 'Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)'],
  ...['Interchange (NC)', 'Merchant Reference', 'Psp Reference', 'Payment Method'],
  'Modification Merchant Reference',
];

/** The report of a batch. A sale of the second is missing. */
function adyenReport(week: Week): string {
  const sides = (minor: number) => (minor < 0 ? [major(-minor), ''] : ['', major(minor)]);
  const line = (day: string, type: string, id: string, net: number) => [
    ...[String(week.number), 'SHOP', 'EUR', `${day} 22:00:00`, type, id, ...sides(net)],
  ];
  const rows = week.lines.map(({ order, day, amount, fee }) => [
    ...line(day, amount < 0 ? 'Refunded' : 'Settled', `M${order}${amount}`, amount - fee),
    ...[...sides(amount), 'EUR', major(fee), '', '', '', order, `P${order}`, 'visa', ''],
  ]);
  const paid = line(week.day, 'MerchantPayout', bankText(week), -week.paid);
  const all = [adyenColumns, ...rows, adyenColumns.map((_, at) => paid[at] ?? '')];
  return csv(all.filter((cells) => !cells.includes('A-23')));
}

/** Both reports of Stripe. A fee names no pay-out. */
function stripeReports(weeks: readonly Week[]) {
  const own = ['created', 'currency', 'gross', 'fee', 'net', 'reporting_category'];
  const order = 'payment_metadata[order_id]';
  const names = ['balance_transaction_id', ...own, 'automatic_payout_id', order, 'description'];
  const amounts = (amount: number, fee: number) => [amount, fee, amount - fee].map(major);
  const lines = weeks.flatMap(({ number, lines }) =>
    lines.map(({ order, day, amount, fee }) => [
      ...[`txn_${order}_${amount}`, day, 'eur', ...amounts(amount, fee)],
      ...[amount < 0 ? 'refund' : 'charge', `po_${number}`, order, ''],
    ]),
  );
  const fee = ['txn_fee', weeks[2]?.day ?? '', 'eur', ...amounts(0, 200), 'fee', '', '', 'Radar'];
  const paid = weeks.map(({ number, day, paid }) => [
    ...[`po_${number}`, day, 'eur', ...amounts(paid, 0), 'payout', `TRACE260300010${number}`],
  ]);
  const columns = ['payout_id', 'effective_at', ...own.slice(1), 'trace_id'];
  return [
    { name: 'stripe/lines.csv', text: csv([names, ...lines, fee]) },
    { name: 'stripe/payouts.csv', text: csv([columns, ...paid]) },
  ];
}

const ofAll = (methods: string) =>
  `statements = "bank"\norders = "orders"\norders_csv = { preset = "shopify", methods = ["${methods}"], charge = "Payment Reference" }\n`;

/** A profile for each; `main` is the sandbox on port 8080. */
const config = `default_profile = "main"

[profiles.main]
base_url = "http://127.0.0.1:8080"
auth_url = "http://127.0.0.1:8080"
client_id = "${sandboxCredentials.clientId}"
client_secret = "${sandboxCredentials.clientSecret}"
audience = "${sandboxCredentials.audience}"
${ofAll('Sandbox Payments')}
[profiles.adyen]
settlement_files = "adyen"
settlements_csv = { preset = "adyen" }
${ofAll('Card')}
[profiles.stripe]
settlement_files = "stripe"
${ofAll('Wallet')}
[profiles.stripe.settlements_csv]
preset = "stripe"
order = "payment_metadata[order_id]"
payouts = { payout = "payout_id", date = "effective_at", currency = "currency", paid = "net", reference = "trace_id" }
`;

/**
 * A month of two other providers beside a scenario: their reports, a statement and orders of all three, and settings.
 * The last pay-out of Stripe is not on the statement.
 */
export function providerFilesIn(scenario: Scenario) {
  const [adyen, stripe] = [weeksOf('A', scenario), weeksOf('S', scenario)];
  const entryOf = (name: string, { day, paid: amount }: Week, text: string) => {
    return { currency: 'EUR', date: addDays(day, 3), amount, name, text };
  };
  const otherEntries = [
    ...(scenario.otherEntries ?? []),
    ...adyen.map((one) => entryOf('Adyen N.V.', one, bankText(one))),
    ...stripe
      .slice(0, 3)
      .map((one) => entryOf('Stripe', one, `STRIPE TRACE260300010${one.number}`)),
  ];
  const ordersOf = (weeks: readonly Week[], method: string): readonly OtherOrder[] =>
    weeks
      .flatMap(({ lines }) => lines)
      .filter(({ amount }) => amount > 0)
      .map(({ order: reference, day, amount }) => {
        const refunded = /[123]2$/.test(reference) ? 990n : 0n;
        return { reference, day, total: BigInt(amount), refunded, method };
      });
  const orders = [...ordersOf(adyen, 'Card'), ...ordersOf(stripe, 'Wallet')];
  return [
    { name: 'config.toml', text: config, isSecret: true },
    ...adyen.map((one) => ({ name: `adyen/batch-${one.number}.csv`, text: adyenReport(one) })),
    ...stripeReports(stripe),
    { ...camtStatement({ ...scenario, otherEntries }), name: 'bank/statement.xml' },
    ...orderFilesIn(scenario, orders)
      .slice(0, 1)
      .map((file) => ({ ...file, name: 'orders/orders.csv' })),
  ];
}
