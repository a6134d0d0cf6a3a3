import type { Random } from '../../support/random.ts';
import {
  csvOf,
  damagedText,
  dayAfter,
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
  unitOf,
  wordOf,
} from './ledger.ts';
import type { Loose, Provider, Written } from './month.ts';

const lineColumns = [
  ...['automatic_payout_id', 'automatic_payout_effective_at', 'balance_transaction_id'],
  ...['created', 'available_on', 'currency', 'gross', 'fee', 'net', 'reporting_category'],
  ...['source_id', 'description', 'customer_facing_amount', 'customer_facing_currency'],
];

const payoutColumns = [
  ...['payout_id', 'effective_at', 'currency', 'gross', 'fee', 'net', 'reporting_category'],
  ...['balance_transaction_id', 'description', 'payout_expected_arrival_date', 'payout_status'],
  ...['payout_reversed_at', 'payout_type', 'payout_description', 'payout_destination_id'],
];

const account = 'shop';

function transactionOf(random: Random, payoutDay: string, currency: string): Line {
  const roll = random.int(1, 100);
  const price = priceOf(random, currency);
  const kind: Kind =
    roll <= 76
      ? 'sale'
      : roll <= 88
        ? 'refund'
        : roll <= 92
          ? 'chargeback'
          : roll <= 96
            ? 'other'
            : 'fee';
  const words = { sale: 'charge', refund: 'refund', chargeback: 'dispute', carried: '' };
  const word =
    kind === 'other'
      ? random.pick(['dispute_reversal', 'refund_failure', 'other_adjustment'])
      : kind === 'fee'
        ? 'fee'
        : words[kind];
  const gross = kind === 'fee' ? 0n : kind === 'sale' || kind === 'other' ? price : -price;
  const own = feeOf(price, currency, 14n);
  const hasFee = kind === 'sale' || kind === 'fee' || (kind === 'chargeback' && random.chance(70));
  const fees = hasFee ? own : 0n;
  return {
    ...{ id: `txn_${wordOf(random, 16)}`, word, kind, gross, fees, net: gross - fees, text: '' },
    ...{ day: dayAfter(payoutDay, -random.int(2, 4)), time: timeOf(random) },
    order: `ch_${wordOf(random, 12)}`,
  };
}

/** Money that the provider holds back, or gives free again. */
function reserveOf(random: Random, payoutDay: string, currency: string): Line {
  const net = BigInt(random.int(5, 80)) * unitOf(currency) * (random.chance(50) ? 1n : -1n);
  const own = {
    id: `txn_${wordOf(random, 16)}`,
    kind: 'carried',
    gross: 0n,
    fees: 0n,
    net,
  } as const;
  const when = { day: dayAfter(payoutDay, -2), time: timeOf(random) };
  return { ...own, ...when, word: 'risk_reserved_funds', order: '', text: 'Reserve' };
}

function chainOf(random: Random, currency: string, failed: Set<string>): readonly Payout[] {
  const payouts: Payout[] = [];
  let returned = 0n;
  for (let day = '2026-02-20'; day < '2026-04-07'; day = dayAfter(day, random.int(2, 5))) {
    const number = `po_${wordOf(random, 14)}`;
    const many = random.chance(5) ? random.int(40, 80) : random.int(1, 12);
    const lines = Array.from({ length: many }, () => transactionOf(random, day, currency));
    if (random.chance(12)) lines.push(reserveOf(random, day, currency));
    if (returned !== 0n) {
      const own = { kind: 'other', gross: returned, fees: 0n, net: returned } as const;
      const when = { day: dayAfter(day, -1), time: timeOf(random) };
      const word = { id: `txn_${wordOf(random, 16)}`, word: 'payout_reversal', order: '' };
      lines.push({ ...own, ...when, ...word, text: 'Payout failed' });
      returned = 0n;
    }
    const paid = netOf(lines);
    if (paid === 0n) continue;
    const isLast = dayAfter(day, 5) >= '2026-04-07';
    if (paid > 0n && !isLast && random.chance(6)) {
      failed.add(number);
      returned = paid;
    }
    payouts.push({
      ...{ id: `${account}-${number}-${currency}`, account, number, currency, day, lines },
      ...{ parts: [paid], isCarried: false, told: lines, stated: [paid] },
      ...{ statedFees: undefined, isAbsent: false },
    });
  }
  return payouts;
}

export function makeStripe(random: Random): Provider {
  const failed = new Set<string>();
  // The pay-outs are stated by the second report, or by lines of the first, or by both.
  const by = random.pick(['report', 'report', 'report', 'both', 'lines']);
  const payouts = random
    .sample(['EUR', 'USD', 'GBP', 'JPY'], random.int(1, 2))
    .flatMap((currency) => chainOf(random, currency, failed));
  const hasTwins = random.chance(50);
  const withTwins = (columns: readonly string[], names: readonly string[]) =>
    hasTwins ? [...columns, ...names.map((name) => `${name}_utc`)] : columns;
  const arranged = (columns: readonly string[]) =>
    random.chance(50) ? random.shuffled(columns) : columns;
  const lineOrder = arranged(
    withTwins(lineColumns, ['automatic_payout_effective_at', 'created', 'available_on']),
  );
  const payoutOrder = arranged(withTwins(payoutColumns, ['effective_at']));
  const style = styleOf(random);
  const sign = random.chance(50) ? -1n : 1n;
  const again = random.pick(['none', 'none', 'twice', 'overlap']);
  const isSplit = again === 'overlap' || random.chance(50);
  const isSplitReport = random.chance(40);
  const twins = (row: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([key, value]) => [
        [key, value],
        [`${key}_utc`, value],
      ]),
    );
  const rowOf = (
    line: Line,
    currency: string,
    payout: Payout | undefined,
    { damaged }: Written,
  ) => {
    const { id = '', word, kind, gross, fees, net, day, time, order, text } = line;
    const isWhole = kind === 'fee' || kind === 'carried';
    const amount = (value: bigint) => textOf(value, currency);
    return twins({
      ...{
        balance_transaction_id: id,
        created: `${day} ${time}`,
        currency: currency.toLowerCase(),
      },
      automatic_payout_id: payout?.number ?? '',
      automatic_payout_effective_at: payout ? `${payout.day} 00:00:00` : '',
      available_on: `${dayAfter(day, 2)} 00:00:00`,
      gross: amount(isWhole ? net : gross),
      fee: amount(isWhole ? 0n : fees),
      net: damaged.has(line) ? damagedText : amount(net),
      ...{ reporting_category: word, source_id: order, description: text },
    });
  };
  const paidLine = (payout: Payout, { damaged }: Written) => {
    const { number, currency, day, stated } = payout;
    const own = textOf(sum(stated ?? []) * sign, currency);
    const paid = damaged.has(payout) ? damagedText : own;
    return twins({
      ...{ balance_transaction_id: `txn_${number}`, created: `${day} 00:00:00` },
      ...{ automatic_payout_id: number, automatic_payout_effective_at: `${day} 00:00:00` },
      ...{ available_on: `${day} 00:00:00`, currency: currency.toLowerCase() },
      ...{ gross: paid, fee: '0.00', net: paid, reporting_category: 'payout' },
      ...{ source_id: number, description: 'STRIPE PAYOUT' },
    });
  };
  const reportRow = (payout: Payout, { damaged }: Written) => {
    const { number, currency, day, stated } = payout;
    const paid = damaged.has(payout) ? damagedText : textOf(sum(stated ?? []), currency);
    const isFailed = failed.has(number);
    return twins({
      ...{ payout_id: number, effective_at: `${day} 00:00:00`, currency: currency.toLowerCase() },
      ...{ gross: paid, fee: '0.00', net: paid, reporting_category: 'payout' },
      ...{ balance_transaction_id: `txn_${number}`, description: 'STRIPE PAYOUT' },
      ...{ payout_expected_arrival_date: day, payout_type: 'bank_account' },
      payout_status: isFailed ? 'failed' : 'paid',
      payout_reversed_at: isFailed ? `${dayAfter(day, 1)} 09:00:00` : '',
      ...{ payout_description: 'STRIPE PAYOUT', payout_destination_id: 'ba_1' },
    });
  };
  const linesOf = (some: readonly Payout[], written: Written, loose: readonly Loose[]) => [
    ...some.flatMap((payout) => [
      ...payout.told.map((line) => rowOf(line, payout.currency, payout, written)),
      ...(by !== 'report' && payout.stated ? [paidLine(payout, written)] : []),
    ]),
    ...loose.map(({ line, currency }) => rowOf(line, currency, undefined, written)),
  ];
  return {
    name: 'stripe',
    payouts,
    isNumbered: false,
    statesFees: false,
    isUnsigned: by === 'lines',
    isRepeated: again !== 'none',
    settings: ['preset = "stripe"', `account = "${account}"`],
    looseLine(own) {
      const { currency = 'EUR' } = payouts[0] ?? {};
      const fees = unitOf(currency) / 2n + 1n;
      const id = `txn_${wordOf(own, 16)}`;
      const line = {
        id,
        word: 'fee',
        kind: 'fee',
        gross: 0n,
        fees,
        net: -fees,
        order: '',
      } as const;
      return { currency, line: { ...line, day: '2026-03-18', time: '04:05:06', text: 'Radar' } };
    },
    write(loose, written) {
      const present = payouts.filter(({ isAbsent }) => !isAbsent);
      const lines = (name: string, from: string, to: string, rest: readonly Loose[] = []) => {
        const some = present.filter(({ day }) => day >= from && day <= to);
        return { name, text: csvOf(lineOrder, linesOf(some, written, rest), style) };
      };
      const report = (name: string, from: string, to: string) => {
        const some = present.filter(({ day, stated }) => stated && day >= from && day <= to);
        return {
          name,
          text: csvOf(
            payoutOrder,
            some.map((one) => reportRow(one, written)),
            style,
          ),
        };
      };
      const [first, half, last] = ['2026-01-01', '2026-03-14', '2026-12-31'];
      const next = dayAfter(half, again === 'overlap' ? -8 : 1);
      const files: ProviderFile[] = isSplit
        ? [lines('lines-1.csv', first, half), lines('lines-2.csv', next, last, loose)]
        : [lines('lines.csv', first, last, loose)];
      if (again === 'twice') {
        const [copied] = files;
        if (copied) files.push({ name: `copy of ${copied.name}`, text: copied.text });
      }
      if (by !== 'lines')
        if (isSplitReport)
          files.push(
            report('payouts-1.csv', first, half),
            report('payouts-2.csv', dayAfter(half, 1), last),
          );
        else files.push(report('payouts.csv', first, last));
      const { differs } = written;
      const of = differs && present.find(({ told }) => told.includes(differs.line));
      if (differs && of)
        files.push({
          name: 'other.csv',
          text: csvOf(lineOrder, [rowOf(differs.as, of.currency, of, written)], style),
        });
      return files;
    },
  };
}
