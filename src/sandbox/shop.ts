import { addDays } from '../base/calendar.ts';
import { isObject } from '../base/json.ts';
import { formatMinor } from '../money/money.ts';
import type { Scenario, WireRecord } from './scenario.ts';

interface ShopOrder {
  readonly reference: string;
  readonly id: string;
  readonly currency: string;
  readonly scale: number;
  readonly day: string;
  readonly total: bigint;
  readonly method: string;
  readonly status: string;
  readonly isCancelled: boolean;
  readonly refunded: bigint;
  /** The service's id of a charge; most orders are known by their reference alone. */
  readonly charge: string;
}

/** A purchase of the scenario, and the order that it was made for. */
interface Sale extends ShopOrder {
  readonly rowCharge: string;
  readonly isSettled: boolean;
}

/** The orders behind a scenario's purchases, with each kind of difference of shop and service once. */
function ordersIn(scenario: Scenario): readonly ShopOrder[] {
  const { from, to } = scenario.period;
  const sales = salesIn(scenario);
  const early = sales.filter((one) => one.isSettled && one.day < addDays(to, -10));
  const late = sales.filter((one) => one.isSettled && one.day > addDays(to, -7));
  const taken = new Set<Sale>();
  const changed: ShopOrder[] = [];
  const plant = (
    among: readonly Sale[],
    change: (one: Sale) => readonly Partial<ShopOrder>[],
    isMeant: (one: Sale) => boolean = () => true,
  ) => {
    const one = among.find((sale) => !taken.has(sale) && isMeant(sale));
    if (!one) return undefined;
    taken.add(one);
    changed.push(...change(one).map((own) => ({ ...one, ...own })));
    return one;
  };
  const others = () => early.filter((one) => !taken.has(one));
  const twin = (one: Sale) =>
    others().find(
      (other) =>
        other !== one &&
        other.day === one.day &&
        other.currency === one.currency &&
        other.total === one.total,
    );
  const isOf = (type: string) => (row: WireRecord) => row['transactionType'] === type;
  const rows = scenario.settlements.flatMap((one) => one.rows);
  const chargeOf = (row: WireRecord | undefined) => String(row?.['chargeId'] ?? '');
  const amountOf = (row: WireRecord | undefined) => BigInt(Number(row?.['amount'] ?? 0));
  const [unknownRefund, knownRefund, ...given] = rows.filter(isOf('refund'));
  const chargeback = rows.find(isOf('chargeback'));
  const has = (row: WireRecord | undefined) => (one: Sale) =>
    row !== undefined && row['currencyCode'] === one.currency && one.total > -amountOf(row);

  plant(early, () => []);
  plant(early, () => [{}, { total: 100n }]);
  plant(early, ({ total }) => [{ total: total + 1n }]);
  plant(early, () => [{ isCancelled: true }]);
  plant(early, () => [{ status: 'pending' }]);
  plant(early, () => [{ refunded: 500n }]);
  plant(early, () => [{ charge: chargeOf(unknownRefund) }], has(unknownRefund));
  const known = { charge: chargeOf(knownRefund), refunded: -amountOf(knownRefund) };
  plant(early, () => [known], has(knownRefund));
  plant(early, () => [{ charge: chargeOf(chargeback) }], has(chargeback));
  plant(late, ({ total }) => [{ total: total + 1000n }]);
  plant(late, () => [{ refunded: 500n }]);
  const isTwin = (one: Sale) => twin(one) !== undefined;
  const double = others().find(isTwin);
  const other = double && twin(double);
  if (double && other) {
    plant([double], () => [{ charge: other.rowCharge }]);
    plant([other], () => []);
  }
  const [first, second, third, fourth] = others();
  if (first && second && third && fourth) {
    const total = first.total + second.total;
    plant([first], () => [{ total, charge: second.rowCharge }]);
    plant([second], () => []);
    plant([third], () => [{ charge: fourth.rowCharge }]);
  }
  for (const isCancelled of [false, true]) {
    const pairs = given.map((refund) => [refund, pairOf(others(), -amountOf(refund))] as const);
    const [refund, pair] = pairs.find(([, found]) => found) ?? [];
    if (!refund || !pair) continue;
    given.splice(given.indexOf(refund), 1);
    const [one, other] = pair;
    const second = { total: other.total, charge: chargeOf(refund), id: `${one.id}-2` };
    plant([one], () => [
      { isCancelled, charge: other.rowCharge },
      { ...second, isCancelled, refunded: -amountOf(refund) },
    ]);
    plant([other], () => []);
  }
  const [model] = sales;
  const made = (number: number, own: Partial<ShopOrder>): readonly ShopOrder[] => {
    const ids = { reference: `ORD-99-000${number}`, id: `id-99-${number}` };
    return model ? [{ ...model, ...ids, total: 4_990n, ...own }] : [];
  };
  return [
    ...sales.filter((one) => !taken.has(one)),
    ...changed,
    ...made(1, { day: addDays(from, 3) }),
    ...made(2, { day: to }),
    ...made(3, { day: addDays(from, 3), method: 'Bank transfer' }),
    ...made(4, { day: addDays(from, 3), total: 0n }),
    ...made(5, { day: addDays(from, -1) }),
  ];
}

function pairOf(sales: readonly Sale[], total: bigint): readonly [Sale, Sale] | undefined {
  const euros = sales.filter(({ currency }) => currency === 'EUR');
  const byTotal = new Map(euros.map((one) => [one.total, one]));
  for (const one of euros) {
    const other = byTotal.get(total - one.total);
    if (other && other !== one) return [one, other];
  }
  return undefined;
}

const unchanged = {
  method: 'Sandbox Payments',
  status: 'paid',
  isCancelled: false,
  refunded: 0n,
  charge: '',
};

/** The sales behind purchases with the merchant's reference, in the currency of their settlement. */
function salesIn({ settlements }: Scenario): readonly Sale[] {
  const sales = settlements.flatMap(({ header, rows }) =>
    rows.flatMap((row): Sale[] => {
      const { transactionType: type, amount, currencyCode, timestamp, notes, chargeId } = row;
      const reference = Array.isArray(notes) ? referenceIn(notes) : undefined;
      const scale = Number(header['decimalPlaces']);
      const isSound = type === 'purchase' && Number.isSafeInteger(amount) && scale >= 0;
      if (!isSound || reference === undefined || typeof currencyCode !== 'string') return [];
      return [
        {
          ...unchanged,
          reference,
          id: `id-${reference}`,
          scale,
          currency: String(header['currencyCode']),
          day: String(timestamp).slice(0, 10),
          total: BigInt(Number(amount)),
          rowCharge: String(chargeId),
          isSettled: String(header['settlementStatus']).startsWith('settled'),
        },
      ];
    }),
  );
  return [...new Map(sales.map((one) => [one.reference, one])).values()];
}

function referenceIn(notes: readonly unknown[]): string | undefined {
  const found = notes.filter(isObject).find((note) => note['key'] === 'merchant_order_ref');
  return found && String(found['value']);
}

/** The mapping of the first of the files below, as settings have it. */
export const sandboxOrdersMapping = JSON.stringify({
  preset: 'shopify',
  methods: ['Sandbox Payments'],
  charge: 'Payment Reference',
});

/** What the merchant agreed on, as settings have it: what the service charges in the month. */
export const sandboxAgreedRates = JSON.stringify(
  [
    { currency: 'EUR', fixed: '0.25', chargeback: '15.00' },
    { currency: 'JPY', fixed: '25', chargeback: '1500' },
  ].flatMap(({ currency, fixed, chargeback }) => {
    const tax = { percent: '20', rounding: 'down' };
    const terms = { currency, valid_from: '2026-01-01', rounding: 'down', tax };
    return [
      { ...terms, name: `sales ${currency} 2026`, types: ['purchase'], percent: '1.4', fixed },
      { ...terms, name: `refunds ${currency} 2026`, types: ['refund'], percent: '0', sign: 'none' },
      { ...terms, name: `chargebacks ${currency} 2026`, types: ['chargeback'], fixed: chargeback },
    ];
  }),
);

/** An order in euros that another provider is paid for. */
export type OtherOrder = Pick<ShopOrder, 'reference' | 'day' | 'total' | 'refunded' | 'method'>;

/** The same orders as two shops would write them; the second has refunds as lines. */
export function orderFilesIn(scenario: Scenario, others: readonly OtherOrder[] = []) {
  const orders = [
    ...ordersIn(scenario),
    ...others.map((one) => ({
      ...unchanged,
      ...one,
      id: `id-${one.reference}`,
      currency: 'EUR',
      scale: 2,
    })),
  ];
  return [
    { name: `${scenario.name}-shopify.csv`, text: shopify(orders) },
    { name: `${scenario.name}-lines.csv`, text: lines(orders) },
  ];
}

const amountOf = (minor: bigint, { scale }: ShopOrder) => formatMinor(minor, scale);

function shopify(orders: readonly ShopOrder[]): string {
  const header =
    'Name,Email,Financial Status,Paid at,Currency,Total,Lineitem name,Created at,Billing Name,Cancelled at,Payment Method,Payment Reference,Refunded Amount,Outstanding Balance,Id';
  const records = orders.flatMap((one, at) => {
    const time = `${one.day} 10:00:00 +0000`;
    const name = `#${one.reference}`;
    const cells = [
      ...[name, `customer${at}@example.com`, one.status, time, one.currency],
      ...[amountOf(one.total, one), 'Shirt', time, 'A. Customer', one.isCancelled ? time : ''],
      ...[one.method, one.charge, amountOf(one.refunded, one), '0', one.id],
    ];
    const item = [name, '', '', '', '', '', 'Socks', ...Array<string>(8).fill('')];
    return at % 7 === 0 ? [cells, item] : [cells];
  });
  return [header, ...records.map((cells) => cells.join(','))].map((line) => `${line}\n`).join('');
}

function lines(orders: readonly ShopOrder[]): string {
  const header =
    'kind;document;order_number;order_date;order_total;order_currency;payment_method;status;transaction_id;customer';
  const records = orders.flatMap((one) => {
    const line = (kind: string, minor: bigint, status: string) => [
      ...[kind, one.id, one.reference, one.day.split('-').reverse().join('.')],
      ...[amountOf(minor, one).replace('.', ','), one.currency, one.method, status, one.charge],
      'A. Customer',
    ];
    const sale = line('order', one.total, one.isCancelled ? 'cancelled' : one.status);
    return one.refunded > 0n ? [sale, line('refund', one.refunded, 'paid')] : [sale];
  });
  return [header, ...records.map((cells) => cells.join(';'))].map((line) => `${line}\r\n`).join('');
}
