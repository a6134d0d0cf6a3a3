import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { proposedBank } from '../../src/bank/proposal.ts';
import { fileMapping } from '../../src/report/mapping/template.ts';

/** Names, texts and numbers of accounts: never in what is printed. */
const canary = 'canary';

interface Layout {
  readonly columns: readonly (readonly [name: string, cell: Cell])[];
  readonly delimiter?: string;
  readonly decimal?: ',';
  readonly above?: readonly string[];
  readonly hasNoHeader?: true;
  readonly isNewestFirst?: true;
}

type Cell = keyof ReturnType<typeof cellsOf>;

const two = (number: number) => String(number).padStart(2, '0');

function money(cents: number, decimal: string): string {
  const [whole, rest] = [Math.floor(Math.abs(cents) / 100), two(Math.abs(cents) % 100)];
  return `${cents < 0 ? '-' : ''}${whole}${decimal}${rest}`;
}

/** What the cells of row `at` can be, after which the account holds `balance`. */
function cellsOf(at: number, cents: number, balance: number, decimal: string) {
  const day = two(at + 1);
  const amount = money(cents, decimal);
  const size = money(Math.abs(cents), decimal);
  return {
    iso: `2026-03-${day}`,
    time: `2026-03-${day} 10:11:12`,
    german: `${day}.03.2026`,
    short: `${day}.03.26`,
    french: `${day}/03/2026`,
    dutch: `202603${day}`,
    american: `03/${day}/2026`,
    amount,
    size,
    negated: money(-cents, decimal),
    withSign: `${amount} €`,
    marked: `${size} ${cents < 0 ? 'DR' : 'CR'}`,
    out: cents < 0 ? size : '',
    outNegative: cents < 0 ? amount : '',
    into: cents < 0 ? '' : size,
    afBij: cents < 0 ? 'Af' : 'Bij',
    side: cents < 0 ? 'S' : 'H',
    balance: money(balance, decimal),
    balanceWithDot: money(balance, '.'),
    fee: at === 7 ? money(50, decimal) : money(0, decimal),
    euro: 'EUR',
    dollar: 'USD',
    notYet: at === 3 ? 'NON CONTABILIZZATO' : 'CONTABILIZZATO',
    own: 'DE89370400440532013000',
    other: at % 3 === 0 ? '' : `DE${two(10 + at)}500105170000${canary.length}${two(at)}12`,
    person: `${canary} ${at % 4} Ltd`,
    text: `${canary} invoice ${at}`,
    end: at % 2 === 0 ? 'NOTPROVIDED' : `E2E-${canary}-${at}`,
    id: `TX${at}0000001A`,
    type: ['Transfer', 'Card payment'][at % 2] ?? '',
    booked: 'Umsatz gebucht',
    state: at % 6 === 0 ? 'PENDING' : 'COMPLETED',
    unknown: at % 6 === 0 ? 'Z' : 'Y',
    nothing: '',
  };
}

const rowsOfFile = 24;

function fileOf(layout: Layout): string {
  const { columns, delimiter = ',', decimal = '.', above = [], hasNoHeader } = layout;
  let balance = 100_000;
  const rows = Array.from({ length: rowsOfFile }, (_, at) => {
    const cents = (at % 3 === 1 ? 1 : -1) * (1_234 + 777 * at);
    balance += cents - (columns.some(([, cell]) => cell === 'fee') && at === 7 ? 50 : 0);
    const cells = cellsOf(at, cents, balance, decimal);
    return columns.map(([, cell]) => cells[cell]);
  });
  const ordered = layout.isNewestFirst ? rows.reverse() : rows;
  const lines = hasNoHeader ? ordered : [columns.map(([name]) => name), ...ordered];
  const line = (texts: readonly string[]) => texts.map((text) => `"${text}"`).join(delimiter);
  return [...above, ...lines.map(line), ''].join('\r\n');
}

/** The mapping that is proposed for a text, and all of what is printed. */
function proposed(text: string, rest = {}) {
  const proposal = proposedBank({ text, isWorkbook: false, ...rest }, 'bank.csv');
  const printed = proposal ? fileMapping(proposal, 'main') : '';
  const open = printed.match(/^#(\w+) = /gm)?.map((line) => line.slice(1, -3)) ?? [];
  const read: unknown = parse(printed);
  return { mapping: (read as Parsed).profiles.main.bank_csv, printed, open };
}

interface Parsed {
  readonly profiles: { readonly main: { readonly bank_csv: Readonly<Record<string, unknown>> } };
}

type Right = Readonly<Record<string, unknown>>;

/** Layouts of banks, with every key that may be set; the others are open or absent. */
const layouts: Readonly<Record<string, readonly [Layout, Right, open: readonly string[]]>> = {
  'German names, a state and the account beside that of the other side': [
    {
      ...{ delimiter: ';', decimal: ',' },
      columns: [
        ...[['Auftragskonto', 'own'] as const, ['Buchungstag', 'short'] as const],
        ...[['Valutadatum', 'short'] as const, ['Buchungstext', 'type'] as const],
        ...[['Verwendungszweck', 'text'] as const, ['Mandatsreferenz', 'nothing'] as const],
        ...[['Kundenreferenz (End-to-End)', 'end'] as const],
        ...[['Beguenstigter/Zahlungspflichtiger', 'person'] as const],
        ...[['Kontonummer/IBAN', 'other'] as const, ['Betrag', 'amount'] as const],
        ...[['Waehrung', 'euro'] as const, ['Info', 'booked'] as const],
      ],
    },
    {
      ...{ delimiter: ';', decimal: ',', date_format: 'DD.MM.YY', account: 'Auftragskonto' },
      ...{ date: 'Buchungstag', value_date: 'Valutadatum', amount: 'Betrag', currency: 'Waehrung' },
      ...{ texts: ['Buchungstext', 'Verwendungszweck'], references: ['Mandatsreferenz'] },
      ...{ end_to_end_id: 'Kundenreferenz (End-to-End)', counterparty: 'Kontonummer/IBAN' },
      ...{ name: 'Beguenstigter/Zahlungspflichtiger', status: 'Info' },
      booked_words: ['Umsatz gebucht'],
    },
    [],
  ],
  'personal lines above the header, a currency in a name and the newest row first': [
    {
      ...{ delimiter: ';', decimal: ',', isNewestFirst: true },
      above: [`"Konto:";"DE12 ${canary}"`, `"Kontostand:";"1.000,00 EUR"`, ''],
      columns: [
        ...[['Buchungstag', 'german'] as const, ['Wertstellung', 'german'] as const],
        ...[
          ['Auftraggeber / Begünstigter', 'person'] as const,
          ['Betrag (EUR)', 'amount'] as const,
        ],
        ...[['Saldo', 'balance'] as const, ['Kontonummer', 'other'] as const],
      ],
    },
    {
      ...{ delimiter: ';', decimal: ',', date_format: 'DD.MM.YYYY', date: 'Buchungstag' },
      ...{ value_date: 'Wertstellung', amount: 'Betrag (EUR)', balance: 'Saldo', currency: 'EUR' },
      ...{ name: 'Auftraggeber / Begünstigter', counterparty: 'Kontonummer' },
    },
    ['account'],
  ],
  'Dutch names and words for money in and out': [
    {
      ...{ delimiter: ';', decimal: ',' },
      columns: [
        ...[['Datum', 'dutch'] as const, ['Naam / Omschrijving', 'person'] as const],
        ...[['Rekening', 'own'] as const, ['Tegenrekening', 'other'] as const],
        ...[['Af Bij', 'afBij'] as const, ['Bedrag (EUR)', 'size'] as const],
        ...[['Mededelingen', 'text'] as const, ['Saldo na mutatie', 'balance'] as const],
      ],
    },
    {
      ...{ delimiter: ';', decimal: ',', date_format: 'YYYYMMDD', date: 'Datum' },
      ...{
        amount: 'Bedrag (EUR)',
        direction: 'Af Bij',
        debit_words: ['Af'],
        credit_words: ['Bij'],
      },
      ...{ balance: 'Saldo na mutatie', currency: 'EUR', account: 'Rekening' },
      ...{ name: 'Naam / Omschrijving', counterparty: 'Tegenrekening', texts: ['Mededelingen'] },
    },
    [],
  ],
  'French names and a column each for money out and in': [
    {
      ...{ delimiter: ';', decimal: ',' },
      columns: [
        ...[['Date', 'french'] as const, ['Date de valeur', 'french'] as const],
        ...[['Débit', 'outNegative'] as const, ['Crédit', 'into'] as const],
        ...[['Libellé', 'text'] as const, ['Solde', 'balance'] as const],
      ],
    },
    {
      ...{ delimiter: ';', decimal: ',', date_format: 'DD/MM/YYYY', date: 'Date' },
      ...{ value_date: 'Date de valeur', debit: 'Débit', credit: 'Crédit', balance: 'Solde' },
      texts: ['Libellé'],
    },
    ['currency', 'account'],
  ],
  'amounts with a comma and balances with a dot': [
    {
      ...{ delimiter: ';', decimal: ',', isNewestFirst: true },
      columns: [
        ...[['dateOp', 'iso'] as const, ['dateVal', 'iso'] as const, ['label', 'text'] as const],
        ...[['amount', 'amount'] as const, ['accountNum', 'own'] as const],
        ['accountbalance', 'balanceWithDot'],
      ],
    },
    {
      ...{ delimiter: ';', decimal: ',', date: 'dateOp', value_date: 'dateVal', texts: ['label'] },
      ...{ amount: 'amount', account: 'accountNum' },
      ...{ balance: 'accountbalance', balance_decimal: '.' },
    },
    ['currency'],
  ],
  'Spanish names': [
    {
      ...{ delimiter: ';', decimal: ',', isNewestFirst: true },
      columns: [
        ...[['Fecha operación', 'french'] as const, ['Fecha valor', 'french'] as const],
        ...[['Concepto', 'text'] as const, ['Importe', 'amount'] as const],
        ...[['Divisa', 'euro'] as const, ['Saldo', 'balance'] as const],
      ],
    },
    {
      ...{ delimiter: ';', decimal: ',', date_format: 'DD/MM/YYYY', date: 'Fecha operación' },
      ...{ value_date: 'Fecha valor', amount: 'Importe', currency: 'Divisa', balance: 'Saldo' },
      texts: ['Concepto'],
    },
    ['account'],
  ],
  'Italian names': [
    {
      ...{ delimiter: ';', decimal: ',' },
      columns: [
        ...[['Data contabile', 'french'] as const, ['Data valuta', 'french'] as const],
        ...[['Descrizione', 'text'] as const, ['Accrediti', 'into'] as const],
        ...[['Addebiti', 'out'] as const],
      ],
    },
    {
      ...{ delimiter: ';', decimal: ',', date_format: 'DD/MM/YYYY', date: 'Data contabile' },
      ...{ value_date: 'Data valuta', debit: 'Addebiti', credit: 'Accrediti' },
      texts: ['Descrizione'],
    },
    ['currency', 'account'],
  ],
  'English names, a fee, states and another date': [
    {
      columns: [
        ...[['Type', 'type'] as const, ['Started Date', 'time'] as const],
        ...[['Completed Date', 'time'] as const, ['Description', 'text'] as const],
        ...[['Amount', 'amount'] as const, ['Fee', 'fee'] as const, ['Currency', 'euro'] as const],
        ...[['State', 'state'] as const],
      ],
    },
    {
      ...{ date: 'Completed Date', amount: 'Amount', fee: 'Fee', currency: 'Currency' },
      ...{ status: 'State', pending_words: ['PENDING'], booked_words: ['COMPLETED'] },
      texts: ['Description'],
    },
    ['account'],
  ],
  'an original amount and its currency': [
    {
      columns: [
        ...[['Booking Date', 'iso'] as const, ['Value Date', 'iso'] as const],
        ...[['Partner Name', 'person'] as const, ['Partner Iban', 'other'] as const],
        ...[['Amount (EUR)', 'amount'] as const, ['Original Amount', 'negated'] as const],
        ...[['Original Currency', 'dollar'] as const],
      ],
    },
    {
      ...{
        date: 'Booking Date',
        value_date: 'Value Date',
        amount: 'Amount (EUR)',
        currency: 'EUR',
      },
      ...{ name: 'Partner Name', counterparty: 'Partner Iban' },
    },
    ['account'],
  ],
  'money out that is positive, as the balances prove': [
    {
      columns: [
        ...[['Posting Date', 'american'] as const, ['Description', 'text'] as const],
        ...[['Amount', 'negated'] as const, ['Balance', 'balance'] as const],
      ],
    },
    {
      ...{ date: 'Posting Date', date_format: 'MM/DD/YYYY', amount: 'Amount', inverted: true },
      ...{ balance: 'Balance', texts: ['Description'] },
    },
    ['currency', 'account'],
  ],
  'a word for the side after each amount': [
    {
      columns: [
        ...[['Date', 'french'] as const, ['Details', 'text'] as const],
        ...[['Amount', 'marked'] as const, ['Balance', 'balance'] as const],
      ],
    },
    {
      ...{ date: 'Date', date_format: 'DD/MM/YYYY', amount: 'Amount', balance: 'Balance' },
      texts: ['Details'],
    },
    ['currency', 'account'],
  ],
  'two columns of amounts, of which the balances follow one, and days of two zones': [
    {
      columns: [
        ...[['Date completed (UTC)', 'iso'] as const, ['Date completed (Rome)', 'time'] as const],
        ...[['Amount', 'negated'] as const, ['Total amount', 'amount'] as const],
        ...[['Payment currency', 'euro'] as const, ['Balance', 'balance'] as const],
        ['International account number', 'own'],
      ],
    },
    {
      ...{ date: 'Date completed (UTC)', amount: 'Total amount', balance: 'Balance' },
      ...{ currency: 'Payment currency', account: 'International account number' },
    },
    [],
  ],
  'amounts in a column that has the name of their currency, beside one that is empty': [
    {
      columns: [
        ...[['Transaction Date', 'iso'] as const, ['Description 1', 'text'] as const],
        ...[['CAD$', 'amount'] as const, ['USD$', 'nothing'] as const],
      ],
    },
    { date: 'Transaction Date', amount: 'CAD$', currency: 'CAD', texts: ['Description 1'] },
    ['account'],
  ],
  'states of which one is the other with a word before it': [
    {
      columns: [
        ...[['Data', 'iso'] as const, ['Dettagli', 'text'] as const],
        ...[['Importo', 'amount'] as const, ['Valuta', 'euro'] as const],
        ...[['Conto o carta', 'own'] as const, ['Contabilizzazione', 'notYet'] as const],
      ],
    },
    {
      ...{ date: 'Data', amount: 'Importo', currency: 'Valuta', account: 'Conto o carta' },
      ...{ status: 'Contabilizzazione', pending_words: ['NON CONTABILIZZATO'] },
      ...{ booked_words: ['CONTABILIZZATO'], texts: ['Dettagli'] },
    },
    [],
  ],
  'no header, and a sign in a column of its own': [
    {
      ...{ delimiter: ';', decimal: ',', hasNoHeader: true },
      columns: [
        ...[['1', 'own'] as const, ['2', 'german'] as const, ['3', 'text'] as const],
        ...[['4', 'euro'] as const, ['5', 'size'] as const, ['6', 'side'] as const],
      ],
    },
    {
      ...{ delimiter: ';', header: false, decimal: ',', date_format: 'DD.MM.YYYY', date: '2' },
      ...{ amount: '5', direction: '6', debit_words: ['S'], credit_words: ['H'] },
      ...{ currency: '4', account: '1', texts: ['3'] },
    },
    [],
  ],
  'the sign of the currency beside the amounts': [
    {
      ...{ delimiter: ';', decimal: ',' },
      columns: [
        ...[['Fecha', 'french'] as const, ['Importe', 'withSign'] as const],
        ...[['Concepto', 'text'] as const],
      ],
    },
    {
      ...{ delimiter: ';', decimal: ',', date_format: 'DD/MM/YYYY', date: 'Fecha' },
      ...{ amount: 'Importe', currency: 'EUR', texts: ['Concepto'] },
    },
    ['account'],
  ],
};

describe("a mapping for a bank's file", () => {
  test.each(Object.entries(layouts))('is right with %s', (_, [layout, right, open]) => {
    const found = proposed(fileOf(layout));
    const usual = { delimiter: ',', decimal: '.', date_format: 'YYYY-MM-DD' };
    expect(found.mapping).toEqual({ ...usual, ...right });
    expect(found.open).toEqual(open);
    expect(found.printed).not.toContain(canary);
    expect(found.printed).not.toContain('DE89');
    expect(found.printed).toContain(`# Read by this mapping: ${rowsOfFile} entries.`);
    if (right['balance'])
      expect(found.printed).toContain(`${rowsOfFile} of ${rowsOfFile} rows agree`);
  });

  const rows = (...lines: readonly string[]) => proposed(`${lines.join('\n')}\n`);

  test('leaves a balance open that does not follow from the rows, and a state of unknown words', () => {
    const text = ['Date,Amount,Balance,Status', '2026-03-01,1.00,7.00,Y', '2026-03-02,2.00,5.00,Z'];
    const { mapping, printed, open } = rows(...text, '2026-03-03,-2.00,99.00,Z');
    expect(mapping).not.toHaveProperty('balance');
    expect(printed).toContain('# 1 of 3 rows agree.\n#balance = "Balance"');
    expect(printed).toContain('never money of the account. Z (2), Y (1).\n#status = "Status"');
    expect(open).toEqual(['balance', 'currency', 'account', 'status']);
  });

  test('says which day could be a month, which amounts have no sign, and which lines cannot be read', () => {
    const { mapping, printed } = rows(
      ...['Date,Amount,Text', '03/04/2026,1.00,a', '04/03/2026,2.00,b', '03/05/2026,3.00,c'],
      ...['04/05/2026,4.00,d', '05/04/2026,9.999,e'],
    );
    expect(mapping).not.toHaveProperty('date_format');
    expect(printed).toContain('all of these fit: "DD/MM/YYYY", "MM/DD/YYYY"');
    expect(printed).toContain('amount = "Amount"  # no amount has a sign');
    expect(printed).toContain('# Not readable by it: line 6 (Amount).');
  });

  test('reads the balances that some banks write above and below the rows', () => {
    const { mapping, printed } = rows(
      ...['Numéro de compte : 08088804068,Devise : EUR,,,', 'Solde en fin de période,,,,"70,00"'],
      ...["Date,Numéro d'opération,Libellé,Débit,Crédit", '14/01/20,A1,x,"-50,00",'],
      ...['15/01/20,A2,y,,"20,00"', '16/01/20,A3,z,"-1,00",', '17/01/20,A4,z,"-1,00",'],
      'Solde en début de période,,,,"102,00"',
    );
    expect(mapping).toMatchObject({ currency: 'EUR', debit: 'Débit', date_format: 'DD/MM/YY' });
    expect(printed).toContain('Read by this mapping: 4 entries.\n# The columns');
    expect(printed).not.toContain('08088804068');
  });

  test('is right for two accounts and two currencies in a file, with balances of their own', () => {
    const accounts = [
      ['DE89370400440532013000', 'EUR'],
      ['CH9300762011623852957', 'CHF'],
    ] as const;
    const lines = Array.from({ length: 20 }, (_, at) => {
      const [account, currency] = accounts[at % 2] ?? [];
      return `${account},2026-03-${two(at + 1)},-1.00,${currency},${900 - (at >> 1)}.00,${canary}`;
    });
    const { mapping, printed } = rows('Account,Date,Amount,Currency,Balance,Memo', ...lines);
    expect(mapping).toMatchObject({ account: 'Account', currency: 'Currency', balance: 'Balance' });
    expect(printed).toContain('20 of 20 rows agree');
  });

  test('takes amounts with grouped digits, and an encoding, as they are', () => {
    const text = ['Datum;Betrag;Text', '13.03.2026;-1.234;a', '14.03.2026;2.000;b'].join('\n');
    const { mapping } = proposed(`${text}\n`, { encoding: 'windows-1252' });
    expect(mapping).toMatchObject({ decimal: ',', thousands: '.', encoding: 'windows-1252' });
  });

  test('is not needed for a statement in another format', () => {
    const mt940 = ':20:STARTUMS\n:25:37040044/0532013000\n:28C:64/1\n:60F:C260228EUR100,00\n';
    expect(() => proposed(mt940)).toThrow('This bank statement needs no mapping.');
  });
});
