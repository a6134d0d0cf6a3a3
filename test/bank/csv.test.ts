import { describe, expect, test } from 'vitest';
import { dayIn } from '../../src/base/calendar.ts';
import { settingTable } from '../../src/config/table.ts';
import { writtenAmount } from '../../src/money/decimal.ts';
import { amountOf, findingsIn, moneyIn, read } from './reading.ts';

const mappingOf = (mapping: object) =>
  settingTable.bank_csv.parse({
    key: 'bank_csv',
    text: JSON.stringify(mapping),
    origin: 'default',
  });

const german = {
  ...{ delimiter: ';', decimal: ',', date_format: 'DD.MM.YYYY', skip_lines: 2 },
  ...{ date: 'Buchungstag', value_date: 'Valuta', amount: 'Betrag', currency: 'Währung' },
  ...{ account: 'DE89 3704 0044 0532 0130 00', texts: ['Zweck'], references: ['Kundenreferenz'] },
  ...{ end_to_end_id: 'E2E', name: 'Name', counterparty: 'IBAN' },
};

const germanFile = [
  'Umsätze',
  '"Konto; Privat"',
  'Buchungstag;Valuta;Betrag;Währung;Zweck;Kundenreferenz;E2E;Name;IBAN',
  '05.03.2026;06.03.2026;1.234,50;EUR;"Pay-out; ""one""";NOTPROVIDED;E-1;Pay Ltd;GB29 NWBK 6016 1331 9268 19',
  '06.03.2026;;-5,00;EUR;Fee;;;;',
  ';;;;"Saldo 1.229,50";;;;',
].join('\r\n');

describe('a CSV file', () => {
  test('is read by its mapping', async () => {
    const mapping = mappingOf(german);
    const bytes = Buffer.from(germanFile, 'latin1');
    for (const content of [germanFile, `\ufeff${germanFile}`, bytes]) {
      const result = await read(content, { ...(mapping && { mapping }), blockBytes: 7 });
      expect(result.findings).toEqual([]);
      expect(moneyIn(result)).toEqual(['2026-03-05 1234.50', '2026-03-06 -5.00']);
      expect(result.statements).toMatchObject([
        { from: '2026-03-05', to: '2026-03-06', entries: 2, opening: undefined, isWhole: true },
      ]);
      expect(result.entries.find(({ amount }) => amount > 0n)).toMatchObject({
        ...{ account: 'DE89370400440532013000', valueDate: '2026-03-06', place: { line: 4 } },
        details: {
          ...{ endToEndIds: ['E-1'], references: [], texts: ['Pay-out; "one"'] },
          ...{ names: ['Pay Ltd'], accounts: ['GB29NWBK60161331926819'] },
        },
      });
    }
  });

  const rows = async (mapping: object, ...lines: readonly string[]) => {
    const understood = mappingOf({ date: 'Date', currency: 'EUR', ...mapping });
    return read(lines.join('\n'), understood ? { mapping: understood } : {});
  };

  test.each([
    [
      'debit and credit',
      { debit: 'Out', credit: 'In' },
      ['Date,Out,In', '2026-03-05,5.00,', '2026-03-05,-6.00,', '2026-03-05,0.00,7.00'],
    ],
    [
      'a direction',
      { amount: 'A', direction: 'S/H', debit_words: ['S'], credit_words: ['H'] },
      ['Date,A,S/H', '2026-03-05,5.00,S', '2026-03-05,6.00,S', '2026-03-05,7.00,H'],
    ],
    [
      'the other sign',
      { amount: 'A', inverted: true },
      ['Date,A', '2026-03-05,5', '2026-03-05,6.00', '2026-03-05,-7.00'],
    ],
    [
      'no header',
      { header: false, date: '1', amount: '2', account: '0532013000' },
      ['2026-03-05,-5', '2026-03-05,6.00-', '2026-03-05,+7.00'],
    ],
  ])('can have %s', async (_, mapping, lines) => {
    const result = await rows(mapping, ...lines);
    expect(result.findings).toEqual([]);
    expect(moneyIn(result)).toEqual(['2026-03-05 -5.00', '2026-03-05 -6.00', '2026-03-05 7.00']);
  });

  test('can have pending entries', async () => {
    const mapping = { amount: 'A', status: 'S', pending_words: ['open'], booked_words: ['done'] };
    const result = await rows(mapping, 'Date,A,S', '2026-03-05,5,open', '2026-03-05,6,done');
    expect(moneyIn(result)).toEqual(['2026-03-05 5.00 pending', '2026-03-05 6.00']);
  });

  test('refuses a word for the status that it does not know, and leaves out what never was money', async () => {
    const mapping = { amount: 'A', status: 'S' };
    const lines = [
      'Date,A,S',
      '2026-03-05,5,Completed',
      '2026-03-05,6,REVERTED',
      '2026-03-05,7,new',
    ];
    const result = await rows(mapping, ...lines);
    expect(moneyIn(result)).toEqual(['2026-03-05 5.00']);
    expect(findingsIn(result)).toEqual(['line 4: S new']);
  });

  test('needs no date of money that is pending', async () => {
    const mapping = { amount: 'A', status: 'S' };
    const result = await rows(mapping, 'Date,A,S', '2026-03-05,5,Completed', ',6,pending');
    expect(moneyIn(result)).toEqual(['2026-03-05 5.00']);
    expect(result.statements[0]?.isWhole).toBe(true);
  });

  test('less its fee is the movement of a row, which the balance proves', async () => {
    const mapping = { amount: 'A', fee: 'F', balance: 'B' };
    const lines = ['Date,A,F,B', '2026-03-05,10.00,1.50,108.50', '2026-03-06,-5.00,0.20,103.30'];
    const { entries, statements, findings } = await rows(mapping, ...lines);
    expect(entries.map(amountOf)).toEqual(['8.50', '-5.20']);
    expect(entries.map(({ charges }) => charges)).toEqual([1_50n, 20n]);
    expect(statements).toMatchObject([
      { opening: 100_00n, closing: 103_30n, notChecked: undefined },
    ]);
    expect(findings).toEqual([]);
  });

  test.each([
    ['oldest', (all: readonly string[]) => all],
    ['newest', (all: readonly string[]) => all.toReversed()],
  ])('with balances row by row is checked, the %s row first', async (_, order) => {
    const mapping = { amount: 'A', balance: 'B' };
    const lines = ['2026-03-05,10.00,110.00', '2026-03-05,-4.00,106.00', '2026-03-06,1.00,107.00'];
    const whole = await rows(mapping, 'Date,A,B', ...order(lines));
    expect(whole.findings).toEqual([]);
    expect(whole.statements).toMatchObject([{ opening: 100_00n, closing: 107_00n }]);
    const lost = await rows(mapping, 'Date,A,B', ...order(lines.filter((_, at) => at !== 1)));
    expect(findingsIn(lost)).toEqual([expect.stringContaining('balance_break -4.00')]);
    const twice = await rows(mapping, 'Date,A,B', ...order([...lines, lines[2] ?? '']));
    expect(findingsIn(twice)).toEqual([expect.stringContaining('balance_break')]);
  });

  test('of two accounts may have a currency by account, and refuses a third account', async () => {
    const currency = { '43218765': 'GBP', '8642 1357': 'JPY' };
    const mapping = { amount: 'A', account: 'N', currency };
    const lines = ['Date,A,N', '2026-03-05,10.00,43218765', '2026-03-05,1200,86421357'];
    const result = await rows(mapping, ...lines, '2026-03-05,7.00,11111111');
    expect(result.entries.map((one) => `${amountOf(one)} ${one.currency}`)).toEqual([
      '10.00 GBP',
      '1200 JPY',
    ]);
    expect(findingsIn(result)).toEqual(['line 4: currency 11111111']);
  });

  test('may write its balances with a decimal sign of their own', async () => {
    const mapping = { amount: 'A', balance: 'B', decimal: ',', balance_decimal: '.' } as const;
    const lines = ['Date,A,B', '2026-03-05,"1 850,00",1950.00', '2026-03-06,"-5,25",1944.75'];
    const { statements, findings } = await rows(mapping, ...lines);
    expect(statements).toMatchObject([{ opening: 100_00n, closing: 1_944_75n }]);
    expect(findings).toEqual([]);
    const refused = await rows({ ...mapping, balance_decimal: undefined }, ...lines);
    expect(findingsIn(refused)).toEqual(['line 2: B 1950.00', 'line 3: B 1944.75']);
  });

  test('may state its balances in rows of their own, and text above and below the table', async () => {
    const lines = [
      'Account;DE89370400440532013000',
      '',
      'Date;Text;A;S/H',
      '05.03.2026;Pay-out;3.452,72;H',
      '02.03.2026;Rent;10,00;S',
      '01.03.2026;Anfangssaldo;100,00;H',
      '31.03.2026;Endsaldo;3.542,72;H',
      'Disclaimer:',
      'This is not a document of the bank.',
    ];
    const german = { delimiter: ';', decimal: ',', date_format: 'DD.MM.YYYY' };
    const words = { direction: 'S/H', debit_words: ['S'], credit_words: ['H'], texts: ['Text'] };
    const { entries, statements, findings } = await rows(
      { amount: 'A', ...german, ...words },
      ...lines,
    );
    expect(findings).toEqual([]);
    expect(entries.map(amountOf)).toEqual(['-10.00', '3452.72']);
    expect(statements).toMatchObject([
      { from: '2026-03-01', to: '2026-03-31', opening: 100_00n, closing: 3542_72n },
    ]);
  });

  test('that ends within a row is not whole', async () => {
    const lines = ['Date,Text,A', '2026-03-05,Rent,5', '2026-03-06,Pay-out E2E-2026'];
    const result = await rows({ amount: 'A', texts: ['Text'] }, ...lines);
    expect(result.statements[0]?.isWhole).toBe(false);
  });

  test('can have a column without a name, by its number', async () => {
    const mapping = { amount: 'A', direction: '3', debit_words: ['S'], credit_words: ['H'] };
    const result = await rows(mapping, 'Date,A, ', '2026-03-05,5,S', '2026-03-05,6,H');
    expect(moneyIn(result)).toEqual(['2026-03-05 -5.00', '2026-03-05 6.00']);
  });

  test.each([
    ['3,452.72 CR', '3452.72'],
    ['10.00 DR', '-10.00'],
    ['€10.00', '10.00'],
  ])('may have the amount %s', async (written, amount) => {
    const { entries } = await rows({ amount: 'A' }, 'Date,A', `2026-03-05,"${written}"`);
    expect(entries.map(amountOf)).toEqual([amount]);
  });

  test('names the line and the column of what it cannot read', async () => {
    const mapping = { debit: 'Out', credit: 'In', value_date: 'Value' };
    const result = await rows(
      mapping,
      'Date,Value,Out,In',
      '05/03/2026,2026-03-05,1,',
      '2026-03-05,2026-02-30,1,',
      '2026-03-05,2026-03-05,"1,234",',
      '2026-03-05,2026-03-05,1,1',
      '2026-03-05,2026-03-05,,',
      '2026-03-05,2026-03-05,,3',
    );
    expect(moneyIn(result)).toEqual(['2026-03-05 3.00']);
    expect(findingsIn(result)).toEqual([
      'line 2: Date 05/03/2026',
      'line 3: Value 2026-02-30',
      'line 4: Out 1,234',
      'line 5: Out 1',
      'line 6: Out',
    ]);
  });

  test('with more cells in a row than in its header has an unreadable row', async () => {
    const result = await rows(
      { amount: 'Amount', texts: ['Text'] },
      'Date,Text,Amount',
      '2026-03-05,Invoice 5,7.00,41.18',
      '2026-03-05,Invoice 6,3.00,,',
      ',,,Total,44.18',
    );
    expect(moneyIn(result)).toEqual(['2026-03-05 3.00']);
    expect(findingsIn(result)).toEqual(['line 2: record 2026-03-05,Invoice 5,7.00,41.18']);
  });

  test('without a column of the mapping is refused, and the column is named', async () => {
    const read = rows({ amount: 'Amount' }, 'Date,Betrag', '2026-03-05,1');
    await expect(read).rejects.toMatchObject({
      ...{ failure: 'usage', where: 'file' },
      message: 'This file lacks columns that bank_csv names: Amount.',
      hint: expect.stringContaining('It has Date, Betrag.'),
    });
  });

  test.each(['Date', 'Amount', 'Text'])('with two columns %s uses neither', async (column) => {
    const header = `Date,Amount,Text,${column}`;
    const result = await rows({ amount: 'Amount', texts: ['Text'] }, header, '2026-03-05,1,x,y');
    expect(findingsIn(result)).toEqual([`line 1: ${column} ${header}`]);
    expect(result.entries).toEqual([]);
    const others = await rows({ amount: 'Amount' }, 'Date,Amount,Text,Text', '2026-03-05,1,x,y');
    expect(findingsIn(others)).toEqual([]);
  });

  test('with its header only is an empty statement', async () => {
    const mapping = { amount: 'Amount', account: 'DE89 3704 0044 0532 0130 00' };
    const result = await rows(mapping, 'Date,Amount');
    expect(result.findings).toEqual([]);
    expect(result.statements).toMatchObject([
      { account: 'DE89370400440532013000', currency: 'EUR', from: '', to: '', entries: 0 },
    ]);
  });

  test('with an open quotation mark is read up to the mark', async () => {
    const result = await rows(
      { amount: 'A', texts: ['T'] },
      'Date,A,T',
      '2026-03-05,1,x',
      '2026-03-06,2,"y',
    );
    expect(moneyIn(result)).toEqual(['2026-03-05 1.00']);
    expect(findingsIn(result)).toEqual(['line 3: record']);
    expect(result.statements[0]?.isWhole).toBe(false);
  });

  test('is not a statement without a mapping, or with other columns', async () => {
    const refusal = { failure: 'usage', where: 'file' };
    await expect(read(germanFile)).rejects.toMatchObject(refusal);
    await expect(rows({ amount: 'A' }, 'x,y', '1,2')).rejects.toMatchObject(refusal);
  });
});

describe('an amount in CSV', () => {
  const read = (text: string, decimal: ',' | '.', thousands?: string) => {
    const amount = writtenAmount(text, { decimal, thousands });
    return amount && `${amount.digits}e-${amount.scale}`;
  };

  test.each([
    ['1.234,50', ',', '12345e-1'],
    ['1 234 567,5', ',', '12345675e-1'],
    ["1'234.50", '.', '12345e-1'],
    ['1,234.00', '.', '1234e-0'],
    ['−5,25', ',', '-525e-2'],
    ['5,25-', ',', '-525e-2'],
    ['(5.25)', '.', '-525e-2'],
    ['0,00', ',', '0e-0'],
  ] as const)('%s with %j is %s', (text, decimal, expected) => {
    expect(read(text, decimal)).toBe(expected);
  });

  // Each of them could be two numbers, or none.
  test.each([
    ['1.234', ','],
    ['1,234', '.'],
    ['12.34', ','],
    ['1.23,50', ','],
    ['1,2,3', ','],
    ['1.234.56', '.'],
    ['-5-', '.'],
    ['(5', '.'],
    ['5 EUR', '.'],
    ['', '.'],
  ] as const)('%j with %j is refused', (text, decimal) => {
    expect(read(text, decimal)).toBeUndefined();
  });

  const of = (text: string, currency: string, decimal: ',' | '.' = '.', thousands?: string) => {
    const amount = writtenAmount(text, { decimal, thousands }, currency);
    return amount && `${amount.digits}e-${amount.scale}`;
  };

  test.each([
    ['3.452,72 €', 'EUR', ',', '345272e-2'],
    ['€15,95', 'EUR', ',', '1595e-2'],
    ['-€15,95', 'EUR', ',', '-1595e-2'],
    ['-355,91 PLN', 'PLN', ',', '-35591e-2'],
    ['355,91 zł', 'PLN', ',', '35591e-2'],
    ['$9.99', 'USD', '.', '999e-2'],
    ['R$ 9,99-', 'BRL', ',', '-999e-2'],
    ['1,03,452.72', 'INR', '.', '10345272e-2'],
    ['23.0000', 'EUR', '.', '23e-0'],
    ['1200.00', 'JPY', '.', '1200e-0'],
    ['0.500', 'EUR', '.', '5e-1'],
    ['1234.500', 'EUR', '.', '12345e-1'],
    ['3.452', 'KWD', '.', '3452e-3'],
  ] as const)('%j in %s with %j is %s', (text, currency, decimal, expected) => {
    expect(of(text, currency, decimal)).toBe(expected);
  });

  test.each([
    ['3.452,72 €', 'USD', ','],
    ['3.452', 'EUR', '.'],
    ['1.500', 'EUR', ','],
    ['140.000', 'CLP', '.'],
    ['5 EUR EUR', 'EUR', '.'],
    ['5 each', 'EUR', '.'],
    ['1E5', 'EUR', '.'],
  ] as const)('%j in %s with %j is refused', (text, currency, decimal) => {
    expect(of(text, currency, decimal)).toBeUndefined();
  });

  test('of three decimals is read if the mapping names the separator of thousands', () => {
    expect(of('3.452', 'EUR', '.', ',')).toBe('3452e-3');
  });

  test('has the groups that the mapping names', () => {
    expect(read('1.234', ',', '.')).toBe('1234e-0');
    expect(read('1 234,00', ',', '.')).toBeUndefined();
  });
});

test.each([
  ['05.03.2026', 'DD.MM.YYYY', '2026-03-05'],
  ['5/3/26', 'D/M/YY', '2026-03-05'],
  ['03/05/2026', 'MM/DD/YYYY', '2026-03-05'],
  ['20260305', 'YYYYMMDD', '2026-03-05'],
  ['05 Mar 2026', 'DD MMM YYYY', '2026-03-05'],
  ['2026-03-05 14:33:12', 'YYYY-MM-DD', '2026-03-05'],
  ['2026-03-05T14:33', 'YYYY-MM-DD', '2026-03-05'],
  ['05.03.2026 2:33 PM', 'DD.MM.YYYY', '2026-03-05'],
  ['05.03.2026 99:99', 'DD.MM.YYYY', undefined],
  ['2026-03-05T23:60', 'YYYY-MM-DD', undefined],
  ['2026-03-05 14:33:99', 'YYYY-MM-DD', undefined],
  ['5.3.2026', 'DD.MM.YYYY', undefined],
  ['31.02.2026', 'DD.MM.YYYY', undefined],
  ['03/13/2026', 'DD/MM/YYYY', undefined],
  ['05.03.2026x', 'DD.MM.YYYY', undefined],
  ['05 Foo 2026', 'DD MMM YYYY', undefined],
])('the day of %j by %s is %s', (text, format, day) => {
  expect(dayIn(text, format)).toBe(day);
});

describe('the mapping', () => {
  test.each([
    [{ date: 'D', currency: 'EUR' }, 'must name amount'],
    [{ date: 'D', amount: 'A' }, 'must name currency'],
    [{ date: 'D', amount: 'A', currency: { '1234': 'EUR' } }, 'must name account, because'],
    [{ date: 'D', amount: 'A', currency: { '1234': 'euro' } }, 'a code for each account'],
    [{ amount: 'A', currency: 'EUR' }, 'must name the column date'],
    [{ date: 'D', currency: 'EUR', amount: 'A', debit: 'B' }, 'must name amount, or else'],
    [{ date: 'D', currency: 'EUR', amount: 'A', direction: 'B' }, 'debit_words and credit_words'],
    [{ date: 'D', currency: 'EUR', amount: 'A', date_format: 'DD.MM' }, 'year, month and day'],
    [{ date: 'D', currency: 'EUR', amount: 'A', thousands: '.' }, 'different signs'],
    [{ date: 'D', currency: 'EUR', amount: 'A', column: 'A' }, 'Unknown setting bank_csv.column'],
  ])('%j is refused', (mapping, message) => {
    expect(() => mappingOf(mapping)).toThrow(message);
  });
});
