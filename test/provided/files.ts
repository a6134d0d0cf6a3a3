import { keysOf } from '../../src/base/lists.ts';
import { settlementPresets } from '../../src/provided/presets.ts';
import { readSettlementFiles } from '../../src/provided/provided-source.ts';

const usualForm = {
  delimiter: ',',
  skip_lines: 0,
  header: true,
  decimal: '.',
  open_words: [],
  inverted: false,
  payout_unsigned: false,
  fee_ids: false,
} as const;

/** How the reports of Adyen are written. */
const adyen = { ...usualForm, ...settlementPresets.adyen };

const columns = {
  company: 'Company Account',
  account: 'Merchant Account',
  psp: 'Psp Reference',
  order: 'Merchant Reference',
  method: 'Payment Method',
  date: 'Creation Date',
  zone: 'TimeZone',
  type: 'Type',
  id: 'Modification Reference',
  grossCurrency: 'Gross Currency',
  grossDebit: 'Gross Debit (GC)',
  grossCredit: 'Gross Credit (GC)',
  rate: 'Exchange Rate',
  currency: 'Net Currency',
  netDebit: 'Net Debit (NC)',
  netCredit: 'Net Credit (NC)',
  commission: 'Commission (NC)',
  markup: 'Markup (NC)',
  scheme: 'Scheme Fees (NC)',
  interchange: 'Interchange (NC)',
  note: 'Modification Merchant Reference',
  batch: 'Batch Number',
} as const;

type Cells = Partial<Record<keyof typeof columns, string>>;

const usual: Cells = {
  account: 'SHOP',
  date: '2026-03-02 10:00:00',
  zone: 'CET',
  currency: 'EUR',
  batch: '7',
};

/** A sale of 20.00 with fees of 0.30. */
export function sale(id: string, cells: Cells = {}): Cells {
  const amounts = { grossCredit: '20', netCredit: '19.7', interchange: '0.3' };
  return { type: 'Settled', id, psp: `P${id}`, grossCurrency: 'EUR', ...amounts, ...cells };
}

/** A fee of 1.00 that belongs to no sale. */
export function fee(cells: Cells = {}): Cells {
  return { type: 'Fee', id: 'Transaction Fees March 02 2026', netDebit: '1', ...cells };
}

export function paid(amount: string, cells: Cells = {}): Cells {
  return { type: 'MerchantPayout', id: 'TX1 batch 7, SHOP', netDebit: amount, ...cells };
}

/** A report of Adyen with these lines; its columns in another order if asked. */
export function report(lines: readonly Cells[], order = keysOf(columns)): string {
  const written = (cells: readonly string[]) =>
    cells.map((cell) => (/[",]/.test(cell) ? `"${cell}"` : cell)).join(',');
  return [order.map((key) => columns[key]), ...lines.map((line) => cellsOf(line, order))]
    .map((cells) => `${written(cells)}\n`)
    .join('');
}

function cellsOf(line: Cells, order: readonly (keyof Cells)[]): readonly string[] {
  return order.map((key) => line[key] ?? usual[key] ?? '');
}

export const wholeMarch = { range: { from: '2026-03-01', to: '2026-03-31' }, filters: {} };

/** The source of these files. */
export function read(files: Readonly<Record<string, string>>) {
  const named = Object.entries(files).map(([name, text]) => ({
    name,
    blocks: async function* () {
      yield Buffer.from(text);
    },
  }));
  return readSettlementFiles(named, adyen);
}
