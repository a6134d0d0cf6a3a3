import { type Dialect, type Doc, decimals, type Month, offsetAt, wallTime } from './month-maker.ts';

/** In each cell that no mapping names: none of it may ever be seen again. */
export const canary = 'CANARY';

/** How a dialect is described in the profile: `orders_csv`. */
export const mappings: Readonly<Record<Dialect, Readonly<Record<string, unknown>>>> = {
  shopify: { preset: 'shopify', currency: 'Currency', methods: ['Shopify Payments'] },
  plain: {
    delimiter: ';',
    decimal: ',',
    thousands: '.',
    encoding: 'windows-1252',
    methods: ['Karte'],
    order: 'Auftrag',
    strip_zeros: true,
    document: 'Beleg',
    date: 'Datum',
    date_format: 'DD.MM.YYYY',
    total: 'Betrag',
    currency: 'Währung',
    not_due: ['Gutschein', 'Offen'],
    method: 'Zahlart',
    status: 'Status',
    unpaid_words: ['offen', 'abgelehnt'],
    cancelled_words: ['storniert'],
    only: { Modus: ['Live'] },
    kind: 'Art',
    refund_words: ['Gutschrift'],
    charge: 'Zahlungs-ID',
  },
};

type Cells = Readonly<Record<string, string>>;

const columns: Readonly<Record<Dialect, readonly string[]>> = {
  shopify: [
    ...['Name', 'Email', 'Financial Status', 'Paid at', 'Fulfillment Status', 'Currency'],
    ...['Subtotal', 'Shipping', 'Taxes', 'Total', 'Discount Code', 'Created at'],
    ...['Lineitem quantity', 'Lineitem name', 'Lineitem price', 'Billing Name', 'Billing Phone'],
    ...['Notes', 'Cancelled at', 'Payment Method', 'Payment Reference', 'Refunded Amount'],
    ...['Vendor', 'Outstanding Balance', 'Id', 'Tags'],
  ],
  plain: [
    ...['Beleg', 'Auftrag', 'Art', 'Datum', 'Kunde', 'Betrag', 'Währung', 'Zahlart', 'Status'],
    ...['Zahlungs-ID', 'Gutschein', 'Offen', 'E-Mail', 'Artikel', 'Bemerkung', 'Netto', 'Modus'],
  ],
};

/** A shop's file: its columns, and a record of cells a line. */
export interface OrderFile {
  readonly dialect: Dialect;
  readonly columns: readonly string[];
  readonly records: readonly Cells[];
}

/** The file that a shop exports of its month. */
export function fileOf({ docs, dialect }: Pick<Month, 'docs' | 'dialect'>): OrderFile {
  const records = docs.flatMap(dialect === 'shopify' ? shopifyLines : plainLines);
  return { dialect, columns: columns[dialect], records };
}

/** The bytes of a file. What the mapping does not name is full of canaries. */
export function bytesOf({ dialect, columns, records }: OrderFile): Buffer {
  const delimiter = dialect === 'shopify' ? ',' : ';';
  const lines = records.map((cells, line) =>
    columns.map((column) => quoted(cells[column] ?? private_(column, line), delimiter)),
  );
  const header = columns.map((column) => quoted(column, delimiter));
  const text = [header, ...lines].map((cells) => `${cells.join(delimiter)}\r\n`).join('');
  return dialect === 'shopify' ? Buffer.from(`\uFEFF${text}`) : Buffer.from(text, 'latin1');
}

function quoted(cell: string, delimiter: string): string {
  const needs = cell.includes(delimiter) || /["\r\n]/.test(cell);
  return needs ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A cell as people fill it: with line breaks, quotes, formulas, and what looks like other columns. */
function private_(column: string, line: number): string {
  const word = `${canary}-${column}-${line}`;
  const shapes = [
    word,
    `${word}@example.com`,
    `"${word}", said\r\n2026-03-05;1,00;EUR`,
    `=HYPERLINK("http://${word}")`,
    `${word}\n#1001,,paid`,
  ];
  return shapes[line % shapes.length] ?? word;
}

/** Decimal text of minor units. */
function decimalText(amount: bigint, scale: number): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const text = scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`;
  return amount < 0n ? `-${text}` : text;
}

function shopifyLines(doc: Doc): readonly Cells[] {
  const own = decimals[doc.currency] ?? 2;
  // Amounts without decimals come as `1200` and as `1200.00`.
  const isLong = own === 0 && doc.items > 1;
  const money = (amount: bigint) => decimalText(amount, own) + (isLong ? '.00' : '');
  const made = doc.refunds.filter(({ status }) => status === 'paid');
  const refunded = made.reduce((sum, { amount }) => sum + amount, 0n);
  const isPaid = doc.status === 'paid';
  const words = { paid: 'paid', unpaid: 'pending', cancelled: 'refunded' };
  const first: Cells = {
    Name: doc.ref,
    'Financial Status': refunded > 0n && isPaid ? 'partially_refunded' : words[doc.status],
    'Paid at': doc.status === 'unpaid' ? '' : shopifyTime(doc.paidAt, doc.items),
    Currency: doc.currency,
    Total: money(doc.total),
    'Created at': shopifyTime(doc.soldAt, 1),
    'Cancelled at': doc.status === 'cancelled' ? shopifyTime(doc.soldAt + 3_600_000, 1) : '',
    'Payment Method': doc.method,
    'Refunded Amount': money(refunded),
    'Outstanding Balance': money(doc.notDue),
    Id: doc.id,
  };
  const blank = Object.fromEntries(Object.keys(first).map((column) => [column, '']));
  const items = Array.from({ length: doc.items - 1 }, () => ({ ...blank, Name: doc.ref }));
  return [first, ...items];
}

/** With the offset of the shop's zone; three items: in UTC. */
function shopifyTime(at: number, items: number): string {
  if (items === 3) return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} +0000`;
  return `${wallTime(at).replace('T', ' ')} +0${offsetAt(at) / 60}00`;
}

/** An order's line is repeated for each item; each refund is a line with its own date. */
function plainLines(doc: Doc): readonly Cells[] {
  const own = decimals[doc.currency] ?? 2;
  const words = { paid: 'bezahlt', unpaid: 'offen', cancelled: 'storniert' };
  const line = (amount: bigint, at: number, rest: Cells): Cells => ({
    Beleg: doc.id,
    Auftrag: doc.ref,
    Art: 'Verkauf',
    Datum: germanTime(at),
    Betrag: germanMoney(amount, own),
    Währung: doc.currency,
    Zahlart: doc.method,
    Status: words[doc.status],
    'Zahlungs-ID': doc.charge,
    Modus: doc.isTest ? 'Test' : 'Live',
    Gutschein: doc.items === 1 ? germanMoney(doc.notDue, own) : '',
    Offen: doc.items === 1 ? '' : germanMoney(doc.notDue, own),
    ...rest,
  });
  const sales = Array.from({ length: doc.items }, () => line(doc.total, doc.soldAt, {}));
  const refunds = doc.refunds.map(({ amount, at, status }, index) =>
    line(-amount, at, {
      Beleg: `${doc.id}-G${index}`,
      Art: 'Gutschrift',
      ...(status !== 'paid' && { Status: doc.items === 1 ? 'abgelehnt' : words[status] }),
      Gutschein: '',
      Offen: '',
    }),
  );
  return [...sales, ...refunds];
}

function germanTime(at: number): string {
  const [day = '', time = ''] = wallTime(at).split('T');
  return `${day.split('-').reverse().join('.')} ${time}`;
}

function germanMoney(amount: bigint, scale: number): string {
  const [whole = '', fraction] = decimalText(amount, scale).split('.');
  const grouped = whole.replace(/(?<=\d)(?=(\d{3})+$)/g, '.');
  return fraction === undefined ? grouped : `${grouped},${fraction}`;
}
