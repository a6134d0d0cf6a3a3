import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fee, paid, report, sale } from '../provided/files.ts';
import { type RunOptions, runRecon } from '../support/run-recon.ts';
import { profileOf, purchases, scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

/** A booking on one of two bank accounts: in euros, or in dollars. */
type Booked = readonly [day: string, currency: 'EUR' | 'USD', amount: string, text: string];

/** What is on the statements if all went well: one pay-out of each profile names itself. */
export const asPaid: readonly Booked[] = [
  ['2026-03-03', 'EUR', '38.40', 'TX1 batch 7, SHOP'],
  ['2026-03-04', 'USD', '9.50', 'TX1 batch 8, SHOP'],
  ['2026-03-05', 'EUR', '75.50', 'STRIPE ST-Q1W2E3R4T5Y6'],
  ['2026-03-06', 'USD', '48.00', 'STRIPE ST-A1S2D3F4G5H6'],
  ['2026-03-06', 'EUR', '29.10', 'Payments E2E-20260305-01'],
];

/** A pay-out of Stripe and one of the service with the same amount, neither of which its entry names. */
export const shared: Booked = ['2026-03-11', 'EUR', '19.40', 'Online payments'];

const stripeDay = '2026-03-02 10:00:00';
const stripe = {
  'lines.csv': [
    'automatic_payout_id,balance_transaction_id,created,currency,gross,fee,net,reporting_category,description',
    `po_1MtQv2LkdIwHu7ixr,txn_1,${stripeDay},eur,100.00,3.00,97.00,charge,Order 1`,
    `po_1MtQv2LkdIwHu7ixr,txn_2,${stripeDay},eur,-21.50,0.00,-21.50,refund,Order 1`,
    `po_2KxPw9LkdIwZa3bnm,txn_3,${stripeDay},usd,50.00,2.00,48.00,charge,Order 3`,
    `po_3nC4QyLkdIwVu1xR,txn_4,2026-03-09 10:00:00,eur,20.00,0.60,19.40,charge,Order 4`,
  ],
  'payouts.csv': [
    'payout_id,effective_at,currency,gross,fee,net,reporting_category,payout_status,trace_id',
    'po_1MtQv2LkdIwHu7ixr,2026-03-04 00:00:00,eur,75.50,0.00,75.50,payout,paid,ST-Q1W2E3R4T5Y6',
    'po_2KxPw9LkdIwZa3bnm,2026-03-05 00:00:00,usd,48.00,0.00,48.00,payout,paid,ST-A1S2D3F4G5H6',
    'po_3nC4QyLkdIwVu1xR,2026-03-10 00:00:00,eur,19.40,0.00,19.40,payout,paid,ST-Z1X2C3V4B5N6',
  ],
};

interface Month {
  readonly booked: readonly Booked[];
  /** More settings of a profile, in TOML. */
  readonly more?: Readonly<Partial<Record<'adyen' | 'stripe' | 'main', string>>>;
}

const accounts = { EUR: 'DE79123456780000143027', USD: 'DE50123456780000192534' };

/** March of a shop with three providers, Adyen and Stripe by files and the service, and two bank accounts. */
export async function threeProfiles({ booked, more = {} }: Month) {
  const folder = await temporaryFolder();
  for (const name of ['adyen', 'stripe', 'bank']) await mkdir(join(folder, name));
  const dollars = { grossCurrency: 'USD', currency: 'USD', batch: '8' };
  const adyen = [
    ...[sale('1', { order: 'P1' }), sale('2', { order: 'P2' }), fee(), paid('38.40')],
    sale('3', { ...dollars, order: 'P3', grossCredit: '10', netCredit: '9.5', interchange: '0.5' }),
    paid('9.50', { ...dollars, id: 'TX1 batch 8, SHOP', date: '2026-03-03 10:00:00' }),
  ];
  await writeFile(join(folder, 'adyen', 'a.csv'), report(adyen));
  for (const [name, lines] of Object.entries(stripe)) {
    await writeFile(join(folder, 'stripe', name), `${lines.join('\n')}\n`);
  }
  for (const [currency, account] of Object.entries(accounts)) {
    let balance = 100_000;
    const lines = booked.flatMap(([day, own, amount, text]) => {
      if (own !== currency) return [];
      balance += Math.round(Number(amount) * 100);
      return `${day},${amount},"${text}",${(balance / 100).toFixed(2)},${account},${currency}`;
    });
    // It covers the month.
    const last = `2026-04-10,1.00,Interest,${((balance + 100) / 100).toFixed(2)},${account},${currency}`;
    const text = ['Date,Amount,Text,Balance,Account,Currency', ...lines, last, ''].join('\n');
    await writeFile(join(folder, 'bank', `${currency}.csv`), text);
  }
  const sales = (count: number, date: string) => ({ date, rows: purchases(count) });
  const own = { date: '2026-03-10', rows: purchases(2) };
  const { sandbox } = await startService(scenarioOf([sales(3, '2026-03-05'), own]));
  const columns =
    '{ date = "Date", amount = "Amount", currency = "Currency", account = "Account", texts = ["Text"], balance = "Balance" }';
  const settings = (name: keyof typeof more) => [
    ...['statements = "bank"', `bank_csv = ${columns}`, `closes = "${name}-closes.csv"`],
    'books_from = { day = "2026-03-01" }',
    more[name] ?? '',
  ];
  // The bank has the trace id of a pay-out of Stripe.
  const traced =
    'payouts = { payout = "payout_id", date = "effective_at", currency = "currency", paid = "net", reference = "trace_id" }';
  const files = (name: 'adyen' | 'stripe') => [
    ...[`[profiles.${name}]`, `settlement_files = "${name}"`, ...settings(name)],
    `settlements_csv = { preset = "${name}"${name === 'stripe' ? `, charge = "description", ${traced}` : ''} }`,
    '',
  ];
  const config = join(folder, 'config.toml');
  const toml = [
    ...[...files('adyen'), ...files('stripe')],
    profileOf('main', sandbox.baseUrl, settings('main').join('\n')),
  ];
  await writeFile(config, toml.join('\n'), { mode: 0o600 });
  return {
    folder,
    run: (words: readonly string[], options?: RunOptions) =>
      runRecon([...words, '--config', config], options),
  };
}
