import type { Random } from '../../support/random.ts';
import {
  csvOf,
  damagedText,
  dayAfter,
  digitsOf,
  feeOf,
  type Kind,
  type Line,
  netOf,
  type Payout,
  type ProviderFile,
  priceOf,
  styleOf,
  sum,
  textOf,
  timeOf,
} from './ledger.ts';
import type { Provider, Written } from './month.ts';

const lineColumns = [
  ...['Transaction Date', 'Type', 'Order', 'Card Brand', 'Card Source', 'Payout Status'],
  ...['Payout Date', 'Available On', 'Amount', 'Fee', 'Net', 'Checkout', 'Payment Method Name'],
  ...['Presentment Amount', 'Presentment Currency', 'Currency', 'VAT'],
];

const payoutColumns = [
  ...['Payout Date', 'Status', 'Charges', 'Refunds', 'Adjustments', 'Reserved Funds', 'Fees'],
  ...['Retried Amount', 'Total', 'Currency'],
];

const account = 'shop-es';

function transactionOf(random: Random, payoutDay: string, currency: string): Line {
  const roll = random.int(1, 100);
  const price = priceOf(random, currency);
  const kind: Kind =
    roll <= 80 ? 'sale' : roll <= 92 ? 'refund' : roll <= 95 ? 'chargeback' : 'other';
  const words = { sale: 'charge', refund: 'refund', chargeback: 'chargeback', other: '' };
  const word =
    kind === 'other' ? random.pick(['adjustment', 'chargeback won']) : words[kind as 'sale'];
  const gross = kind === 'sale' || kind === 'other' ? price : -price;
  const fees = kind === 'sale' ? feeOf(price, currency, 19n) : kind === 'chargeback' ? 1500n : 0n;
  return {
    ...{ id: undefined, word, kind, gross, fees, net: gross - fees, text: '' },
    ...{ day: dayAfter(payoutDay, -random.int(2, 4)), time: timeOf(random) },
    order: `#${random.int(1001, 9999)}`,
  };
}

function chainOf(random: Random, currency: string): readonly Payout[] {
  const payouts: Payout[] = [];
  for (let day = '2026-02-20'; day < '2026-04-07'; day = dayAfter(day, random.int(1, 5))) {
    const many = random.chance(5) ? random.int(30, 60) : random.int(1, 10);
    const lines = Array.from({ length: many }, () => transactionOf(random, day, currency));
    const [first] = lines;
    // Two lines that are equal in all that the file has: both are real.
    if (first && random.chance(12)) lines.push({ ...first });
    const total = netOf(lines);
    if (total === 0n) continue;
    const parts = random.chance(8) ? [total / 4n, total - total / 4n] : [total];
    payouts.push({
      ...{ id: `${account}-${day}-${currency}`, account, number: day, currency, day, lines },
      ...{ parts, isCarried: false, told: lines, stated: parts },
      statedFees: sum(lines.map(({ fees }) => fees)),
      isAbsent: false,
    });
  }
  return payouts;
}

export function makeShopify(random: Random): Provider {
  const payouts = random
    .sample(['EUR', 'USD', 'GBP'], random.int(1, 2))
    .flatMap((currency) => chainOf(random, currency));
  const hasIds = random.chance(50);
  const isNewer = random.chance(30);
  const arranged = (columns: readonly string[]) =>
    random.chance(50) ? random.shuffled(columns) : columns;
  const lineOrder = arranged([...lineColumns, ...(hasIds ? ['Payout ID'] : [])]);
  const payoutOrder = arranged([
    ...payoutColumns,
    ...(isNewer ? ['Marketplace Sales Tax', 'Advances', 'Bank Reference'] : []),
  ]);
  const style = styleOf(random);
  const again = random.pick(['none', 'none', 'twice', 'overlap']);
  const isSplit = again === 'overlap' || random.chance(50);
  const isSplitReport = random.chance(40);
  const waiting = Array.from({ length: random.int(0, 3) }, () =>
    transactionOf(random, '2026-04-12', payouts[0]?.currency ?? 'EUR'),
  );
  const rowOf = (
    line: Line,
    currency: string,
    payout: Payout | undefined,
    { damaged }: Written,
  ) => {
    const { word, gross, fees, net, day, time, order } = line;
    const amount = (value: bigint) => textOf(value, currency);
    return {
      ...{ 'Transaction Date': `${day} ${time} +0100`, Type: word, Order: order },
      ...{ 'Card Brand': 'visa', 'Card Source': 'online', Checkout: `#${order.slice(1)}00` },
      'Payout Status': payout ? 'paid' : 'pending',
      'Payout Date': payout?.day ?? '2026-04-12',
      'Payout ID': payout ? `1${payout.day.replaceAll('-', '')}` : '',
      'Available On': dayAfter(day, 2),
      ...{ Amount: amount(gross), Fee: amount(fees), VAT: '0.00', Currency: currency },
      Net: damaged.has(line) ? damagedText : amount(net),
      ...{ 'Payment Method Name': 'card', 'Presentment Currency': currency },
      'Presentment Amount': amount(gross),
    };
  };
  const reportRows = (payout: Payout, { damaged }: Written) => {
    const { currency, day, lines, stated, statedFees = 0n } = payout;
    const amount = (value: bigint) => textOf(value, currency);
    const grossOf = (some: (kind: Kind) => boolean) =>
      sum(lines.filter(({ kind }) => some(kind)).map(({ gross }) => gross));
    const charges = grossOf((kind) => kind === 'sale');
    const refunds = grossOf((kind) => kind === 'refund');
    const adjustments = sum(stated ?? []) + statedFees - charges - refunds;
    return (stated ?? []).map((total, at) => ({
      ...{
        'Payout Date': day,
        Status: 'paid',
        Currency: currency,
        Total: damaged.has(payout) ? damagedText : amount(total),
      },
      // The second part of a day has only what is left of the pay-out.
      Charges: amount(at === 0 ? charges : 0n),
      Refunds: amount(at === 0 ? refunds : 0n),
      Adjustments: amount(at === 0 ? adjustments - sum((stated ?? []).slice(1)) : total),
      Fees: amount(at === 0 ? -statedFees : 0n),
      ...{ 'Reserved Funds': '0.00', 'Retried Amount': '0.00' },
      ...{
        'Marketplace Sales Tax': '0.00',
        Advances: '0.00',
        'Bank Reference': digitsOf(random, 9),
      },
    }));
  };
  return {
    name: 'shopify',
    payouts,
    isNumbered: false,
    statesFees: true,
    isUnsigned: false,
    isRepeated: again !== 'none',
    settings: ['preset = "shopify-payments"', `account = "${account}"`],
    looseLine: () => undefined,
    write(_loose, written) {
      const present = payouts.filter(({ isAbsent }) => !isAbsent);
      const lines = (name: string, from: string, to: string) => {
        const some = present.filter(({ day }) => day >= from && day <= to);
        const rows = some.flatMap((payout) =>
          payout.told.map((line) => rowOf(line, payout.currency, payout, written)),
        );
        const late = to > '2026-04-12' ? waiting : [];
        rows.push(
          ...late.map((line) => rowOf(line, payouts[0]?.currency ?? 'EUR', undefined, written)),
        );
        return { name, text: csvOf(lineOrder, rows, style) };
      };
      const report = (name: string, from: string, to: string) => {
        const some = present.filter(({ day }) => day >= from && day <= to);
        return {
          name,
          text: csvOf(
            payoutOrder,
            some.flatMap((one) => reportRows(one, written)),
            style,
          ),
        };
      };
      const [first, half, last] = ['2026-01-01', '2026-03-14', '2026-12-31'];
      const next = dayAfter(half, again === 'overlap' ? -8 : 1);
      const files: ProviderFile[] = isSplit
        ? [lines('lines-1.csv', first, half), lines('lines-2.csv', next, last)]
        : [lines('lines.csv', first, last)];
      if (again === 'twice') {
        const [copied] = files;
        if (copied) files.push({ name: `copy of ${copied.name}`, text: copied.text });
      }
      if (isSplitReport)
        files.push(
          report('payouts-1.csv', first, half),
          report('payouts-2.csv', dayAfter(half, 1), last),
        );
      else files.push(report('payouts.csv', first, last));
      return files;
    },
  };
}
