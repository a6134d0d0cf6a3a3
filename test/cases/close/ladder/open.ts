import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { profileOf } from '../../../cli/service.ts';
import { temporaryFolder } from '../../../cli/temporary.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { type RunOptions, type RunResult, runRecon } from '../../../support/run-recon.ts';
import { serveChanging } from '../../serve-settlements.ts';
import { filesOf, payer } from '../statements.ts';
import { decimals, sum, type Token } from '../year.ts';
import {
  contracts,
  type Merchant,
  months,
  type Order,
  ownRows,
  payInOf,
  type Row,
  type Settlement,
} from './months.ts';
import { isSettled, refundedOf, settleDays } from './truth.ts';

/** A merchant's folder, in an evening. */
export interface Opened {
  readonly folder: string;
  run(args: readonly string[], options?: RunOptions): Promise<RunResult>;
}

/** Decimal text of minor units. */
function textOf(amount: bigint, currency: string): string {
  const scale = decimals[currency] ?? 2;
  const digits = String(amount < 0n ? -amount : amount).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const sign = amount < 0n ? '-' : '';
  return scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-scale)}`;
}

/** Minor units of decimal text; none for an empty one. */
export function unitsOf(text: string, currency: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(decimals[currency] ?? 2, '0')}`);
}

/** Two months in one folder: what the service, the bank and the shop say in an evening. */
export class Desk {
  readonly #folder: string;
  readonly #merchant: Merchant;
  #served: readonly ReturnType<typeof servedOf>[] = [];

  private constructor(folder: string, merchant: Merchant) {
    this.#folder = folder;
    this.#merchant = merchant;
  }

  /** `settings` of the profile, and of its books. */
  static async open(
    merchant: Merchant,
    settings: readonly string[] = [],
    books: readonly string[] = [],
  ): Promise<Desk> {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'bank'));
    await mkdir(join(folder, 'orders'));
    const desk = new Desk(folder, merchant);
    const { url } = await serveChanging(() => desk.#served);
    const profile = profileOf('shop', url, profileSettings(merchant, settings, books));
    await writeFile(join(folder, 'config.toml'), profile, { mode: 0o600 });
    return desk;
  }

  async at(evening: string): Promise<Opened> {
    const { settlements, format, lines, tokens } = this.#merchant;
    this.#served = settlements
      .filter(({ day }) => day <= evening)
      .map((one) => servedOf(one, evening));
    const booked = lines.filter(({ day }) => day >= months[0].from && day <= evening);
    const files = filesOf({ format, until: evening, lines: booked }, months[0].from);
    for (const currency of new Set(tokens.map((token) => token.currency))) {
      const name = [...files.keys()].find((one) => one.startsWith(currency)) ?? '';
      await writeFile(join(this.#folder, 'bank', name), files.get(name) ?? '');
    }
    for (const [name, text] of orderFiles(this.#merchant, evening))
      await writeFile(join(this.#folder, 'orders', name), text);
    const clock = () => new FakeClock(Date.parse(`${evening}T21:00:00Z`));
    return {
      folder: this.#folder,
      run: (args, options = {}) =>
        runRecon([...args, '--config', join(this.#folder, 'config.toml')], {
          ...options,
          clock: clock(),
        }),
    };
  }
}

const booksOf: Readonly<Record<string, string>> = {
  ...{ in_transit: 'Transit', bank: 'Bank', bank_fees: 'Bank fees', fees: 'Fees', tax: 'Tax' },
  ...{ receivable: 'Receivable', suspense: 'Suspense', accepted: 'Accepted' },
  accrued_sales: 'Accrued',
};

function profileSettings(
  merchant: Merchant,
  settings: readonly string[],
  books: readonly string[],
): string {
  const opening = merchant.tokens.flatMap((token) => {
    const amount = openingOf(merchant, token);
    return amount === 0n
      ? []
      : [`opening."${token.id}".${token.currency} = "${textOf(amount, token.currency)}"`];
  });
  const currencies = [...new Set(merchant.tokens.map(({ currency }) => currency))];
  return [
    ...[`time_zone = "${merchant.timeZone}"`, `settle_days = ${settleDays}`],
    ...['statements = "bank"', 'orders = "orders"', 'closes = "closes.csv"'],
    ...[`payout_accounts = ["${payer}"]`, 'purchase_types = ["purchase"]'],
    ...['refund_types = ["refund"]', 'chargeback_types = ["chargeback"]', ...settings],
    '[profiles.shop.names]',
    ...merchant.tokens.map(({ id, name }) => `${id} = "${name}"`),
    ...['[profiles.shop.books_from]', `day = "${months[0].from}"`, ...opening],
    '[profiles.shop.books]',
    ...Object.entries(booksOf).map(([purpose, name]) => `${purpose} = "${name}"`),
    ...books,
    '[profiles.shop.orders_csv]',
    ...['order = "Number"', 'date = "Date"', 'total = "Total"', 'currency = "Currency"'],
    ...['method = "Method"', 'methods = ["Card"]', 'status = "Status"'],
    ...['cancelled_words = ["cancelled"]', 'unpaid_words = ["unpaid"]'],
    ...['refunded = "Refunded"', 'refund_date = "Refunded on"', 'date_format = "YYYY-MM-DD"'],
    ...currencies.flatMap(ratesOf),
  ].join('\n');
}

function ratesOf(currency: string): readonly string[] {
  const { part, fixed, back } = contracts[currency] ?? { part: 0n, fixed: 0n, back: 0n };
  const percent = `${part / 100n}.${String(part % 100n).padStart(2, '0')}`;
  const one = (type: string, percents: string, amount: bigint) => [
    '[[profiles.shop.agreed_rates]]',
    ...[`name = "${type} ${currency}"`, `types = ["${type}"]`, `currency = "${currency}"`],
    ...[`percent = "${percents}"`, `fixed = "${textOf(amount, currency)}"`, 'rounding = "down"'],
    'tax = { percent = "20", rounding = "down" }',
  ];
  return [
    ...one('purchase', percent, fixed),
    ...one('refund', '0', 0n),
    ...one('chargeback', '0', back),
  ];
}

/** What was in transit before the first month, by currency. */
export function openingsOf(merchant: Merchant): Readonly<Record<string, bigint>> {
  const sums: Record<string, bigint> = {};
  for (const token of merchant.tokens)
    sums[token.currency] = (sums[token.currency] ?? 0n) + openingOf(merchant, token);
  return sums;
}

function openingOf({ settlements }: Merchant, token: Token): bigint {
  return sum(
    settlements
      .filter((one) => one.token === token && one.day < months[0].from)
      .map((one) => payInOf(one, one.day)),
  );
}

/** A file a month. */
function orderFiles(merchant: Merchant, evening: string): ReadonlyMap<string, string> {
  const { orders, hasEarlierFile } = merchant;
  const known = orders.filter(({ day }) => day <= evening);
  const names = [...new Set(known.map(({ day }) => day.slice(0, 7)))];
  return new Map(
    names
      .filter((name) => hasEarlierFile || `${name}-01` >= months[0].from)
      .map((name) => {
        const own = known.filter(({ day }) => day.startsWith(name));
        const header = 'Number,Date,Total,Currency,Method,Status,Refunded,Refunded on';
        return [
          `${name}.csv`,
          [header, ...own.map((one) => lineOf(one, evening)), ''].join('\r\n'),
        ];
      }),
  );
}

function lineOf(order: Order, evening: string): string {
  const { kind, ref, day, total, refund, token } = order;
  const refunded = refundedOf(order, evening);
  return [
    ...[ref, day, textOf(total, token.currency), token.currency],
    kind === 'other_method' ? 'Bank transfer' : 'Card',
    kind.startsWith('cancelled') ? 'cancelled' : kind.startsWith('unpaid') ? 'unpaid' : 'paid',
    ...(refund && refunded > 0n ? [textOf(refunded, token.currency), refund.day] : ['', '']),
  ].join(',');
}

function servedOf(settlement: Settlement, evening: string) {
  const { id, token, day, header, off, hidden, isDoubled, endToEndId } = settlement;
  const own = ownRows(settlement, evening);
  const foreign = settlement.rows.filter(({ currency }) => currency !== token.currency);
  const all = hidden ? [...own, hidden] : own;
  const of = (field: 'amount' | 'fees' | 'tax') => sum(all.map((row) => row[field]));
  const settled = isSettled(settlement, evening);
  const status = header === 'service_says' ? 'settled_out_of_balance' : 'settled';
  const listed = [...own, ...foreign];
  return {
    header: {
      ...{ settlementId: id, paymentService: 'payments', merchantId: 'M-1001' },
      ...{ accountingToken: token.id, settlementDate: `${day}T09:00:00Z` },
      settlementStatus: settled ? status : 'pending_settlement',
      amountGross: Number(of('amount') + (header === 'gross' ? off : 0n)),
      fees: Number(of('fees') + (header === 'fees' ? off : 0n)),
      tax: Number(of('tax')),
      currencyCode: token.currency,
      amountPayIn: Number(payInOf(settlement, evening)),
      decimalPlaces: decimals[token.currency],
      ...{ paymentEndToEndIds: settled ? [endToEndId] : [], paymentReferences: [] },
      totalTransactions: listed.length + (hidden ? 1 : 0),
    },
    records: [...listed, ...(isDoubled ? listed.slice(0, 1) : [])].map((row) => recordOf(row, id)),
  };
}

function recordOf(row: Row, settlementId: string) {
  const { id, type, ref, time, currency, amount, fees, tax } = row;
  return {
    ...{ chargeId: id, transactionId: id, orderId: id, settlementId, timestamp: time },
    ...{ transactionType: type, paymentType: 'card', state: 'approved', currencyCode: currency },
    ...{ amount: Number(amount), fees: Number(fees), tax: Number(tax) },
    decimalPlaces: String(decimals[currency] ?? 2),
    notes: [{ key: 'merchant_order_ref', value: ref }],
  };
}
