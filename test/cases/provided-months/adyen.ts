import type { Random } from '../../support/random.ts';
import {
  csvOf,
  damagedText,
  dayAfter,
  digitsOf,
  feeOf,
  groupBy,
  type Kind,
  type Line,
  netOf,
  type Payout,
  type ProviderFile,
  priceOf,
  shortOf,
  styleOf,
  timeOf,
  unitOf,
} from './ledger.ts';
import type { Provider, Written } from './month.ts';

const columns = [
  ...['Company Account', 'Merchant Account', 'Psp Reference', 'Merchant Reference'],
  ...['Payment Method', 'Creation Date', 'TimeZone', 'Type', 'Modification Reference'],
  ...['Gross Currency', 'Gross Debit (GC)', 'Gross Credit (GC)', 'Exchange Rate'],
  ...['Net Currency', 'Net Debit (NC)', 'Net Credit (NC)', 'Commission (NC)', 'Markup (NC)'],
  ...['Scheme Fees (NC)', 'Interchange (NC)', 'Payment Method Variant'],
  ...['Modification Merchant Reference', 'Batch Number', 'Reserved4', 'Reserved5'],
];

const extraColumns = ['Booking Date', 'Booking Date TimeZone', 'Acquirer', 'Shopper Country'];

interface Batch {
  readonly account: string;
  readonly number: number;
  readonly day: string;
}

/** The words that Adyen has for lines of an account, without an id. */
const feeWords = ['Fee', 'InvoiceDeduction', 'MiscCosts', 'PaymentCost'];

function transactionOf(random: Random, batch: Batch, currency: string): Line {
  const roll = random.int(1, 100);
  const price = priceOf(random, currency);
  const day = dayAfter(batch.day, -random.int(1, 3));
  const kind: Kind =
    roll <= 80 ? 'sale' : roll <= 92 ? 'refund' : roll <= 96 ? 'chargeback' : 'other';
  const words = { sale: 'Settled', refund: 'Refunded', chargeback: 'Chargeback', other: '' };
  const word =
    kind === 'other' ? random.pick(['ChargebackReversed', 'RefundedReversed']) : words[kind];
  const gross = kind === 'sale' || kind === 'other' ? price : -price;
  const fee = feeOf(price, currency, BigInt(random.int(4, 24)));
  // A refund costs a fee, or gives one back, or neither.
  const fees =
    kind === 'sale'
      ? fee
      : random.chance(40)
        ? 0n
        : kind === 'refund' && random.chance(50)
          ? -fee / 2n
          : fee;
  const isForeign = kind === 'sale' && random.chance(12);
  const rate = `0.${digitsOf(random, 8)}`;
  return {
    id: digitsOf(random, 16),
    word,
    kind,
    gross,
    fees,
    net: gross - fees,
    day,
    time: timeOf(random),
    order: `CM${digitsOf(random, 8)}`,
    text: '',
    ...(isForeign && {
      sale: { currency: currency === 'SEK' ? 'NOK' : 'SEK', amount: price * 3n + 17n, rate },
    }),
  };
}

function accountLine(batch: Batch, word: string, net: bigint, text: string, time: string): Line {
  const kind: Kind = feeWords.includes(word) ? 'fee' : 'carried';
  const fees = kind === 'fee' ? -net : 0n;
  const own = { id: undefined, word, kind, gross: 0n, fees, net, text, order: '' };
  return { ...own, day: batch.day, time };
}

function accountLines(random: Random, batch: Batch, currency: string): readonly Line[] {
  const lines: Line[] = [];
  const add = (word: string, net: bigint, text: string, times = 1) => {
    const line = accountLine(batch, word, net, text, timeOf(random));
    for (let n = 0; n < times; n++) lines.push({ ...line });
  };
  const amount = (most: number) => (BigInt(random.int(7, most)) * unitOf(currency)) / 10n + 3n;
  const times = random.chance(20) ? 2 : 1;
  if (random.chance(50)) add('Fee', -amount(60), `Transaction Fees ${batch.day}`, times);
  if (random.chance(15)) add('InvoiceDeduction', -amount(400), `Invoice ${digitsOf(random, 9)}`);
  if (random.chance(8)) add(random.pick(['MiscCosts', 'PaymentCost']), -amount(90), 'Costs');
  if (random.chance(15))
    add('DepositCorrection', random.chance(50) ? -amount(900) : amount(900), 'DepositCorrection');
  return lines;
}

function batchesOf(random: Random, account: string): readonly Batch[] {
  const first = random.chance(30) ? 97 : random.int(12, 480);
  const batches: Batch[] = [];
  for (let day = '2026-02-18'; day < '2026-04-08'; day = dayAfter(day, random.int(2, 6)))
    batches.push({ account, number: first + batches.length, day });
  return batches;
}

/** All pay-outs of an account in a currency, with what is carried from one batch to the next. */
function chainOf(
  random: Random,
  batches: readonly Batch[],
  currency: string,
  isInEach: boolean,
): readonly Payout[] {
  let carried = 0n;
  return batches.flatMap((batch): readonly Payout[] => {
    if (carried === 0n && !isInEach && random.chance(20)) return [];
    const many = random.chance(6) ? random.int(40, 70) : random.int(2, 12);
    const lines = Array.from({ length: many }, () => transactionOf(random, batch, currency));
    lines.push(...accountLines(random, batch, currency));
    const move = (net: bigint, text: string) =>
      lines.push(accountLine(batch, 'Balancetransfer', net, text, timeOf(random)));
    if (carried !== 0n) move(carried, `Balancetransfer from batch ${batch.number - 1}`);
    const total = netOf(lines);
    const isCarried = total !== 0n && random.chance(total < 0n ? 60 : 15);
    carried = isCarried ? total : 0n;
    if (isCarried) move(-total, `Balancetransfer to batch ${batch.number + 1}`);
    const part = random.chance(8) ? total / 3n : 0n;
    const parts = isCarried ? [] : part === 0n ? [total] : [part, total - part];
    const { account, number, day } = batch;
    return [
      {
        ...{
          id: `${account}-${number}-${currency}`,
          account,
          number: String(number),
          currency,
          day,
        },
        ...{ lines, parts, isCarried, told: lines, stated: parts, statedFees: undefined },
        isAbsent: false,
      },
    ];
  });
}

/** Fees in four columns, some of them empty, that add up to the fees. */
function feeColumns(
  random: Random,
  fees: bigint,
  currency: string,
): Readonly<Record<string, string>> {
  if (fees === 0n) return {};
  const own = shortOf(fees, currency);
  if (random.chance(40)) return { 'Commission (NC)': own };
  const [scheme, interchange] = [fees / 5n, fees / 3n];
  return {
    'Markup (NC)': shortOf(fees - scheme - interchange, currency),
    'Scheme Fees (NC)': scheme === 0n ? '' : shortOf(scheme, currency),
    'Interchange (NC)': interchange === 0n ? '' : shortOf(interchange, currency),
  };
}

/** A debit, or a credit. */
function sides(amount: bigint, currency: string, debit: string, credit: string) {
  const size = shortOf(amount < 0n ? -amount : amount, currency);
  return amount < 0n ? { [debit]: size } : { [credit]: size };
}

export function makeAdyen(random: Random): Provider {
  const accounts = random.sample(['SHOP_NL', 'SHOP-DE', 'WebshopUK'], random.int(1, 2));
  const zone = random.pick(['CET', 'BST', 'PDT']);
  const payouts = accounts.flatMap((account) => {
    const batches = batchesOf(random, account);
    return random
      .sample(['EUR', 'USD', 'GBP', 'JPY', 'KWD'], random.int(1, 3))
      .flatMap((currency, at) => chainOf(random, batches, currency, at === 0));
  });
  const order = random.chance(50)
    ? random.shuffled([...columns, ...random.sample(extraColumns, 2)])
    : columns;
  const style = styleOf(random);
  const layout = random.pick(['batches', 'batches', 'accounts', 'one']);
  const again = random.pick(['none', 'none', 'twice', 'overlap']);
  const split = new Map<Line, Readonly<Record<string, string>>>();
  const feesOf = (line: Line, currency: string) => {
    const known = split.get(line) ?? feeColumns(random, line.fees, currency);
    split.set(line, known);
    return known;
  };
  const rowOf = ({ account, number, currency }: Payout, line: Line, { damaged }: Written) => {
    const { id, word, gross, net, day, time, sale } = line;
    const isAccounts = id === undefined;
    const moved = word === 'Balancetransfer';
    const own = sale ? sale.amount : gross;
    const ownCurrency = sale?.currency ?? currency;
    const row: Record<string, string> = {
      ...{ 'Company Account': 'Company', 'Merchant Account': account, 'Batch Number': number },
      ...{ 'Creation Date': `${day} ${time}`, TimeZone: zone, Type: word },
      ...{ 'Booking Date': `${day} ${time}`, 'Booking Date TimeZone': zone },
      'Modification Reference': id ?? (moved ? 'Balancetransfer' : line.text),
      'Net Currency': currency,
      ...sides(net, currency, 'Net Debit (NC)', 'Net Credit (NC)'),
      ...(moved && { 'Modification Merchant Reference': line.text }),
      ...(!isAccounts && {
        ...{ 'Psp Reference': id, 'Merchant Reference': line.order, 'Payment Method': 'mc' },
        ...{ 'Gross Currency': ownCurrency, 'Exchange Rate': sale?.rate ?? '1' },
        ...sides(own, ownCurrency, 'Gross Debit (GC)', 'Gross Credit (GC)'),
        ...feesOf(line, currency),
      }),
    };
    if (damaged.has(line)) row[net < 0n ? 'Net Debit (NC)' : 'Net Credit (NC)'] = damagedText;
    return { moment: `${day} ${time}`, row };
  };
  const paidRows = (payout: Payout, { damaged }: Written) => {
    const { account, number, currency, day, stated = [] } = payout;
    return stated.map((amount, at) => ({
      ...{ 'Company Account': 'Company', 'Merchant Account': account, 'Batch Number': number },
      ...{ 'Creation Date': `${day} 23:59:5${at}`, TimeZone: zone, Type: 'MerchantPayout' },
      'Modification Reference': referenceOf(payout, at),
      'Net Currency': currency,
      ...sides(-amount, currency, 'Net Debit (NC)', 'Net Credit (NC)'),
      ...(damaged.has(payout) && { 'Net Debit (NC)': damagedText }),
    }));
  };
  const rowsOf = (payout: Payout, written: Written) =>
    payout.told.map((line) => rowOf(payout, line, written));
  const batchRows = (batch: readonly Payout[], written: Written) => [
    ...batch
      .flatMap((payout) => rowsOf(payout, written))
      .sort((a, b) => (a.moment < b.moment ? -1 : a.moment > b.moment ? 1 : 0))
      .map(({ row }) => row),
    ...batch.flatMap((payout) => paidRows(payout, written)),
  ];
  const asIn = (written: Written, payout: Payout): Payout => {
    const { differs } = written;
    if (!differs) return payout;
    return {
      ...payout,
      told: payout.told.map((line) => (line === differs.line ? differs.as : line)),
    };
  };
  return {
    name: 'adyen',
    payouts,
    isNumbered: true,
    statesFees: false,
    isUnsigned: false,
    isRepeated: again !== 'none',
    looseLine: () => undefined,
    settings: ['preset = "adyen"'],
    write(_loose, written) {
      const present = payouts.filter(({ isAbsent }) => !isAbsent);
      const batches = groupBy(present, ({ account, number }) => `${account} ${number}`);
      const fileOf = (name: string, keys: readonly string[], change = (one: Payout) => one) => ({
        name,
        text: csvOf(
          order,
          keys.flatMap((key) => batchRows((batches.get(key) ?? []).map(change), written)),
          style,
        ),
      });
      const keys = [...batches.keys()];
      const nameOf = (key: string) => `settlement_detail_report_batch_${key.replace(' ', '_')}.csv`;
      const files: ProviderFile[] =
        layout === 'one'
          ? [fileOf('all.csv', keys)]
          : layout === 'accounts'
            ? accounts.map((account) =>
                fileOf(
                  `${account}.csv`,
                  keys.filter((key) => key.startsWith(`${account} `)),
                ),
              )
            : keys.map((key) => fileOf(nameOf(key), [key]));
      const middle = keys.slice(keys.length >> 2, (keys.length >> 2) + 5);
      if (again === 'twice') {
        const [copied] = files;
        if (copied) files.push({ name: `copy of ${copied.name}`, text: copied.text });
      }
      if (again === 'overlap') files.push(fileOf('again.csv', middle));
      if (written.differs) {
        const { line } = written.differs;
        const key = keys.filter((one) =>
          (batches.get(one) ?? []).some(({ told }) => told.includes(line)),
        );
        files.push(fileOf('other.csv', key, (payout) => asIn(written, payout)));
      }
      return files;
    },
  };
}

/** The text of a pay-out on the bank statement. */
export const referenceOf = ({ account, number, currency }: Payout, at: number): string =>
  `TX${number}${currency}${at}XT batch ${number}, ${account}`;
