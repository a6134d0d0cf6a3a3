import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { proposedOrders } from '../../src/orders/proposal.ts';
import { fileMapping } from '../../src/report/mapping/template.ts';

/** Names and addresses: never in what is printed. */
const canary = 'canary';

interface Layout {
  /** Columns of the header, each with what its cells are. */
  readonly columns: Readonly<Record<string, Cell>>;
  readonly delimiter?: string;
  readonly above?: string;
}

type Cell = keyof typeof cells;

const two = (number: number) => String(number).padStart(2, '0');
const amount = (at: number) => `${12 + 7 * at}.${two((at * 31) % 100)}`;

/** What the cells of a column are, on a line from 0 on. */
const cells = {
  reference: (at: number) => String(1001 + at),
  hash: (at: number) => `#${1001 + at}`,
  code: (at: number) => `Q${at}XV${'ABCDE'[at % 5]}`,
  twice: (at: number) => `ORD-${at >> 1}`,
  uuid: (at: number) => `1f0c2d3e-0000-4000-8000-${String(at).padStart(12, '0')}`,
  charge: (at: number) => `ch_${String(at).padStart(24, 'x')}`,
  iso: (at: number) => `2026-03-${two(1 + at)} 10:05:00`,
  zoned: (at: number) => `2026-03-${two(1 + at)}T10:05:00+01:00`,
  german: (at: number) => `${two(1 + at)}.03.2026`,
  french: (at: number) => `${two(1 + at)}/03/2026`,
  american: (at: number) => `03/${two(1 + at)}/26`,
  dutch: (at: number) => `${two(1 + at)}-03-2026`,
  named: (at: number) => `Mar ${1 + at}, 2026`,
  short: (at: number) => `${two(1 + at)}-Mar-26`,
  sometimes: (at: number) => (at % 5 === 0 ? `2026-03-${two(1 + at)}` : ''),
  amount,
  comma: (at: number) => amount(at).replace('.', ','),
  euros: (at: number) => `${amount(at).replace('.', ',')} €`,
  dollars: (at: number) => `$${amount(at)}`,
  zero: () => '0.00',
  count: (at: number) => String(1 + (at % 3)),
  euro: () => 'EUR',
  small: () => 'eur',
  method: (at: number) => ['Card', 'PayPal', 'Bank transfer'][at % 3] ?? '',
  state: (at: number) => ['completed', 'processing', 'failed', 'cancelled'][at % 4] ?? '',
  paid: (at: number) => ['paid', 'pending', 'refunded'][at % 3] ?? '',
  sent: (at: number) => ['fulfilled', 'unfulfilled'][at % 2] ?? '',
  type: (at: number) => (at % 4 === 0 ? 'Refund' : 'Payment'),
  person: (at: number) => `${canary}${at} Person`,
  mail: (at: number) => `${canary}${at}@example.com`,
  text: (at: number) => `${canary} text ${at}`,
  nothing: () => '',
};

function fileOf({ columns, delimiter = ',', above = '' }: Layout): string {
  const kinds = Object.values(columns);
  const lines = Array.from({ length: 20 }, (_, at) => kinds.map((kind) => cells[kind](at)));
  const line = (texts: readonly string[]) => texts.map((text) => `"${text}"`).join(delimiter);
  return above + [Object.keys(columns), ...lines].map((texts) => `${line(texts)}\r\n`).join('');
}

/** The mapping that is proposed for a text, and all of what is printed. */
function proposed(text: string) {
  const proposal = proposedOrders({ text, isWorkbook: false }, 'orders.csv');
  expect(proposal).toBeDefined();
  const printed = proposal ? fileMapping(proposal, 'main') : '';
  const open = printed.match(/^#(\w+) = /gm)?.map((line) => line.slice(1, -3)) ?? [];
  const read: unknown = parse(printed);
  return { mapping: (read as Parsed).profiles.main.orders_csv, printed, open };
}

interface Parsed {
  readonly profiles: { readonly main: { readonly orders_csv: Readonly<Record<string, unknown>> } };
}

/** Layouts of exports, with every key that may be set; others must be open or absent. */
const layouts: Readonly<Record<string, readonly [Layout, Readonly<Record<string, unknown>>]>> = {
  'a number of items as well as a total': [
    {
      columns: {
        ...{
          'Order number': 'reference',
          'Date created': 'named',
          'Total order quantity': 'count',
        },
        ...{ 'Contact email': 'mail', 'Billing name': 'person', 'Payment status': 'paid' },
        ...{ 'Payment method': 'method', Total: 'amount', Currency: 'euro' },
        ...{ 'Refunded amount': 'zero', 'Net amount': 'amount', 'Fulfillment status': 'sent' },
      },
    },
    {
      ...{ order: 'Order number', date: 'Date created', date_format: 'MMM D, YYYY' },
      ...{ total: 'Total', currency: 'Currency', refunded: 'Refunded amount' },
      ...{ method: 'Payment method', status: 'Payment status', unpaid_words: ['pending'] },
    },
  ],
  'a date of shipping after the date of sale': [
    {
      columns: {
        ...{ 'Sale Date': 'american', 'Order ID': 'reference', 'Full Name': 'person' },
        ...{ 'Number of Items': 'count', 'Payment Method': 'method', 'Date Shipped': 'american' },
        ...{
          Currency: 'euro',
          'Order Value': 'amount',
          'Order Total': 'amount',
          Status: 'nothing',
        },
        ...{ 'Order Net': 'amount', 'Adjusted Order Total': 'zero', 'Payment Type': 'sent' },
      },
    },
    {
      ...{ order: 'Order ID', date: 'Sale Date', date_format: 'MM/DD/YY', total: 'Order Total' },
      ...{ currency: 'Currency', method: 'Payment Method' },
    },
  ],
  'a refunded amount and a date of the refund': [
    {
      columns: {
        ...{
          id: 'charge',
          'Created (UTC)': 'iso',
          Amount: 'amount',
          'Amount Refunded': 'zero',
        },
        ...{ Currency: 'small', 'Converted Amount': 'amount', 'Converted Currency': 'small' },
        ...{ Description: 'text', 'Refunded date (UTC)': 'sometimes', Status: 'paid' },
        ...{ 'Customer Email': 'mail', 'order_id (metadata)': 'reference' },
      },
    },
    {
      ...{ order: 'order_id (metadata)', date: 'Created (UTC)', total: 'Amount' },
      ...{ refunded: 'Amount Refunded', currency: 'Currency', status: 'Status' },
      ...{ refund_date: 'Refunded date (UTC)', unpaid_words: ['pending'] },
    },
  ],
  'a reason of the refund and no column of what was charged': [
    {
      columns: {
        ...{ Date: 'american', 'Gross Sales': 'dollars', 'Net Sales': 'dollars', Tip: 'dollars' },
        ...{ 'Total Collected': 'dollars', Card: 'dollars', Cash: 'dollars' },
        ...{ 'Transaction ID': 'charge', 'Staff Name': 'person', 'Refund Reason': 'text' },
      },
    },
    { date: 'Date', date_format: 'MM/DD/YY' },
  ],
  'the currency of the customer only': [
    {
      columns: {
        ...{ 'Transaction Date': 'iso', Type: 'type', Order: 'hash', 'Payout Date': 'iso' },
        ...{ Amount: 'amount', Fee: 'zero', Net: 'amount', 'Payment Method Name': 'method' },
        ...{ 'Presentment Amount': 'amount', 'Presentment Currency': 'euro' },
      },
    },
    {
      ...{ order: 'Order', strip_prefix: '#', date: 'Transaction Date', total: 'Amount' },
      ...{ kind: 'Type', refund_words: ['Refund'], method: 'Payment Method Name' },
    },
  ],
  'German names': [
    {
      delimiter: ';',
      columns: {
        ...{ Bestellnummer: 'reference', Bestelldatum: 'german', Kunde: 'person', Anzahl: 'count' },
        ...{
          Gesamtbetrag: 'comma',
          Versandkosten: 'comma',
          Währung: 'euro',
          Zahlungsart: 'method',
        },
        ...{ Bestellstatus: 'state', Zahlungsstatus: 'paid', 'E-Mail': 'mail' },
      },
    },
    {
      ...{ order: 'Bestellnummer', date: 'Bestelldatum', date_format: 'DD.MM.YYYY', decimal: ',' },
      ...{ delimiter: ';', total: 'Gesamtbetrag', currency: 'Währung', method: 'Zahlungsart' },
      ...{ status: 'Zahlungsstatus', unpaid_words: ['pending'] },
    },
  ],
  'French names and amounts with the sign of their currency': [
    {
      delimiter: ';',
      columns: {
        ...{ Référence: 'code', 'Nouveau client': 'sent', Client: 'person', Total: 'euros' },
        ...{ Paiement: 'method', État: 'state', Date: 'french' },
      },
    },
    {
      ...{ order: 'Référence', total: 'Total', currency: 'EUR', decimal: ',', method: 'Paiement' },
      ...{ date: 'Date', date_format: 'DD/MM/YYYY', delimiter: ';', status: 'État' },
      ...{ unpaid_words: ['failed'], cancelled_words: ['cancelled'] },
    },
  ],
  'Spanish names': [
    {
      delimiter: ';',
      columns: {
        ...{ 'Número de pedido': 'reference', 'Fecha del pedido': 'french', Cliente: 'person' },
        ...{
          Unidades: 'count',
          'Total pedido': 'comma',
          Moneda: 'euro',
          'Forma de pago': 'method',
        },
        ...{ 'Importe devuelto': 'comma' },
      },
    },
    {
      ...{ order: 'Número de pedido', date: 'Fecha del pedido', date_format: 'DD/MM/YYYY' },
      ...{ total: 'Total pedido', currency: 'Moneda', decimal: ',', delimiter: ';' },
      ...{ method: 'Forma de pago', refunded: 'Importe devuelto' },
    },
  ],
  'Italian names': [
    {
      delimiter: ';',
      columns: {
        ...{ 'Numero ordine': 'reference', 'Data ordine': 'french', Cliente: 'person' },
        ...{ Quantità: 'count', Totale: 'comma', Valuta: 'euro', 'Metodo di pagamento': 'method' },
      },
    },
    {
      ...{ order: 'Numero ordine', date: 'Data ordine', date_format: 'DD/MM/YYYY', decimal: ',' },
      ...{ total: 'Totale', currency: 'Valuta', delimiter: ';', method: 'Metodo di pagamento' },
    },
  ],
  'Dutch names and lines above the header': [
    {
      delimiter: ';',
      above: `Bestellingen van ${canary}\r\n${canary}@example.com\r\n`,
      columns: {
        ...{ Bestelnummer: 'reference', Besteldatum: 'dutch', Klant: 'person', Aantal: 'count' },
        ...{ 'Totaal incl. BTW': 'comma', Valuta: 'euro', Betaalmethode: 'method' },
      },
    },
    {
      ...{ order: 'Bestelnummer', date: 'Besteldatum', date_format: 'DD-MM-YYYY', decimal: ',' },
      ...{ total: 'Totaal incl. BTW', currency: 'Valuta', delimiter: ';', skip_lines: 2 },
      ...{ method: 'Betaalmethode' },
    },
  ],
  'names in camel case, and ids that are not shown to customers': [
    {
      columns: {
        ...{
          id: 'uuid',
          orderNumber: 'reference',
          orderCustomerEmail: 'mail',
          amountTotal: 'amount',
        },
        ...{ orderDateTime: 'zoned', shippingTotal: 'zero' },
      },
    },
    { order: 'orderNumber', total: 'amountTotal', date: 'orderDateTime' },
  ],
  'several payments of an order': [
    {
      columns: {
        ...{ Order: 'twice', 'Payment no': 'code', 'Created at': 'iso', Amount: 'amount' },
        ...{ Status: 'state', 'Payment method': 'method' },
      },
    },
    {
      ...{ order: 'Order', document: 'Payment no', date: 'Created at', total: 'Amount' },
      ...{ status: 'Status', unpaid_words: ['failed'], cancelled_words: ['cancelled'] },
      ...{ method: 'Payment method' },
    },
  ],
};

describe('a mapping for an order file', () => {
  test.each(Object.entries(layouts))(
    'names the right columns of one with %s',
    (_, [layout, right]) => {
      const { mapping, printed } = proposed(fileOf(layout));
      const usual = { delimiter: ',', decimal: '.', date_format: 'YYYY-MM-DD' };
      expect({ ...usual, ...mapping }).toEqual({ ...usual, ...right });
      expect(printed).not.toContain(canary);
    },
  );

  test('leaves open what two columns could mean, and what none is', () => {
    const columns = { 'Order ID': 'reference', Total: 'amount', Date: 'iso' } as const;
    const layout: Layout = { columns: { ...columns, 'Sum (total)': 'amount', TOTAL: 'comma' } };
    const { mapping, open, printed } = proposed(fileOf(layout));
    expect(mapping).not.toHaveProperty('total');
    expect(printed).toContain('Which of these is meant is not clear: "Total", "TOTAL".');
    expect(open).toEqual(['total', 'currency', 'methods']);
  });

  test('only suggests an id that could be that of another system', () => {
    const { mapping, open } = proposed(
      fileOf({ columns: { ID: 'code', Date: 'iso', Total: 'amount', Currency: 'euro' } }),
    );
    expect(mapping).not.toHaveProperty('order');
    expect(open).toEqual(['order', 'methods']);
  });

  test('says that days and months cannot be told apart', () => {
    const text = 'Order,Date,Total\n1,03/04/2026,1.00\n2,04/03/2026,1.00\n3,03/05/2026,2.00\n';
    const { mapping, printed } = proposed(text);
    expect(mapping).not.toHaveProperty('date_format');
    expect(printed).toContain('all of these fit: "DD/MM/YYYY", "MM/DD/YYYY"');
  });

  test('counts the words of states and methods, but shows no cells that are no words', () => {
    const columns = { Order: 'reference', Date: 'iso', Total: 'amount' } as const;
    const { printed } = proposed(
      fileOf({ columns: { ...columns, Status: 'state', 'Payment method': 'person' } }),
    );
    expect(printed).toContain('status = "Status"  # completed (5), processing (5), failed (5)');
    expect(printed).not.toContain(canary);
  });

  test('takes a form of dates and amounts from the file, if it is not that of the preset', () => {
    const columns = {
      Name: 'hash',
      'Created at': 'german',
      Total: 'comma',
      Id: 'reference',
    } as const;
    const { mapping, printed } = proposed(fileOf({ delimiter: ';', columns }));
    expect(printed).toContain('cancelled_at = ""  # the file has no column "Cancelled at"\n');
    expect(mapping).toMatchObject({ preset: 'shopify', date_format: 'DD.MM.YYYY', decimal: ',' });
  });

  test('names columns without a header by number, and shows none of their cells', () => {
    const text = fileOf({ columns: { x: 'reference', y: 'person', z: 'iso', w: 'amount' } });
    const { printed } = proposed(text.slice(text.indexOf('\n') + 1));
    expect(printed).toContain('column 1, column 2, column 3, column 4');
    expect(printed).not.toContain(canary);
  });
});
