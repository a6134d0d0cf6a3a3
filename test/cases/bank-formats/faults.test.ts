import { describe, expect, test } from 'vitest';
import { brokenLaw, type Judged, openDesk } from './judge.ts';
import type { Truth } from './truth.ts';

// Files that were once read wrongly, each as small as it can be.

const truth: Truth = {
  month: '2026-03',
  accounts: [],
  payouts: [
    {
      ...{ id: '5851f760-04f7-5c6d-a667-c08371a2a756', day: '2026-03-04', currency: 'EUR' },
      ...{ decimals: 2, amount: 345_272, endToEndId: 'E2E-20260304-03', received: undefined },
    },
  ],
};

/** Reads one file beside a service that paid 3,452.72 EUR as E2E-20260304-03. */
async function read(name: string, text: string, mapping: readonly string[] = []): Promise<Judged> {
  const { runAll } = await openDesk(truth);
  const settings = mapping.length > 0 ? ['[profiles.main.bank_csv]', ...mapping] : [];
  return runAll([{ name, bytes: Buffer.from(text, 'latin1') }], settings);
}

const codes = ({ report }: Judged) => report?.statementFindings.map(({ code }) => code) ?? [];
const lines = ({ report }: Judged) => report?.statementFindings.map(({ line }) => line) ?? [];
const stateOf = ({ report }: Judged) =>
  report?.matches.find(({ settlements }) => settlements.length > 0)?.state;
const nul = (count: number) => '\0'.repeat(count);

const usual = [
  'date = "Date"',
  'amount = "Amount"',
  'currency = "EUR"',
  'account = "DE1"',
  'texts = ["Text"]',
];
const table = (rows: readonly string[], header = 'Date,Amount,Text') =>
  `${[header, ...rows].join('\n')}\n`;

describe('CSV', () => {
  test('text below a table that begins with its amounts is no row', async () => {
    const rows = [
      '-10.00,2026-03-02,Rent',
      '3452.72,2026-03-05,E2E-20260304-03',
      '',
      'Disclaimer:',
    ];
    const judged = await read('a.csv', table(rows, 'Amount,Date,Text'), usual);
    expect([codes(judged), stateOf(judged)]).toEqual([[], 'matched']);
  });

  test('a row of NULs is told with its line', async () => {
    const rows = ['Rent,2026-03-02,-10.00', nul(40), 'Rent,2026-03-31,-10.00'];
    expect(lines(await read('a.csv', table(rows, 'Text,Date,Amount'), usual))).toContain(3);
  });

  test('a NUL in the number of an account is told with its line', async () => {
    const rows = ['2026-03-02,-10.00,Rent,DE12', `2026-03-05,20.00,Sale,D${nul(1)}E12`];
    const mapping = [...usual.filter((line) => !line.startsWith('account')), 'account = "Account"'];
    const judged = await read('a.csv', table(rows, 'Date,Amount,Text,Account'), mapping);
    expect(lines(judged)).toContain(3);
  });

  test('a row without its account is told with its line', async () => {
    const rows = ['2026-03-02,-10.00,Rent,DE12', '2026-03-05,20.00,Sale,'];
    const mapping = [...usual.filter((line) => !line.startsWith('account')), 'account = "Account"'];
    const judged = await read('a.csv', table(rows, 'Date,Amount,Text,Account'), mapping);
    expect(lines(judged)).toContain(3);
  });

  test('a cell whose quotation mark is closed in a later row is told with its line', async () => {
    const rows = ['2026-03-02,-10.00,"Rent', '2026-03-05,20.00,x', '2026-03-06,20.00,"y"'];
    expect(codes(await read('a.csv', table(rows), usual))).toContain('unreadable');
  });

  test.each(['\u00a0', '\u202f'])('a thousands separator %j is a blank', async (blank) => {
    const rows = [`2026-03-05;3${blank}452,72;E2E-20260304-03`];
    const { runAll } = await openDesk(truth);
    const judged = await runAll(
      [{ name: 'a.csv', bytes: Buffer.from(table(rows, 'Date;Amount;Text')) }],
      ['[profiles.main.bank_csv]', ...usual, 'delimiter = ";"', 'decimal = ","', 'thousands = " "'],
    );
    expect(stateOf(judged)).toBe('matched');
  });

  const balances = [...usual, 'balance = "Balance"'];

  test.each([
    [
      'newest',
      ['2026-03-07,-10.00,Card,', '2026-03-05,20.00,Sale,110.00', '2026-03-02,-10.00,Rent,90.00'],
    ],
    [
      'last',
      ['2026-03-02,-10.00,Rent,90.00', '2026-03-05,20.00,Sale,110.00', '2026-03-07,-10.00,Card,'],
    ],
    [
      'oldest',
      ['2026-03-01,-10.00,Card,', '2026-03-02,-10.00,Rent,90.00', '2026-03-05,20.00,Sale,110.00'],
    ],
  ])(
    'with the %s row without a balance, no balance is claimed that the bank does not state',
    async (_, rows) => {
      const judged = await read('a.csv', table(rows, 'Date,Amount,Text,Balance'), balances);
      const [statement] = judged.report?.statements ?? [];
      expect(statement?.checked && codes(judged).length === 0).toBe(false);
    },
  );

  test('a row with a balance and without an amount is a balance', async () => {
    const rows = [
      '2026-03-01,,Balance brought forward,100.00',
      '2026-03-05,3452.72,E2E-20260304-03,3552.72',
      '2026-03-31,,Closing balance,3552.72',
    ];
    const judged = await read('a.csv', table(rows, 'Date,Amount,Text,Balance'), balances);
    expect([codes(judged), stateOf(judged)]).toEqual([[], 'matched']);
    expect(judged.report?.statements[0]?.closing?.amount).toBe('3552.72');
  });

  test('a row with another balance than its neighbours and without an amount is a break', async () => {
    const rows = ['2026-03-01,,Opening balance,105.00', '2026-03-05,3452.72,Sale,3552.72'];
    const judged = await read('a.csv', table(rows, 'Date,Amount,Text,Balance'), balances);
    expect(codes(judged)).toEqual(['balance_break']);
  });

  test('a row that says in the place of its date that it is pending is no entry', async () => {
    const rows = [
      'offen,-5.00,Card,06.03.2026',
      '05.03.2026,3452.72,E2E-20260304-03,05.03.2026',
      'Alter Kontostand,,,"100,00 EUR"',
    ];
    const mapping = [
      ...usual,
      'date_format = "DD.MM.YYYY"',
      'value_date = "Value"',
      'pending_words = ["offen"]',
    ];
    const judged = await read('a.csv', table(rows, 'Date,Amount,Text,Value'), mapping);
    expect([codes(judged), stateOf(judged)]).toEqual([[], 'matched']);
    expect(judged.report?.statements[0]?.entries).toBe(1);
  });

  test('an id between two words of SEPA is not missing beside its entry', async () => {
    const rows = ['2026-03-05,3451.22,EREF+E2E-20260304-03SVWZ+Payout', '2026-03-31,-10.00,Rent'];
    const judged = await read('a.csv', table(rows), usual);
    expect(judged.report && brokenLaw(judged.report)).toEqual([]);
  });
});

/** OFX 1.x, with these lines between the beginning and the end of its list. */
const ofx = (entries: readonly string[], currency = 'EUR') =>
  [
    ...['OFXHEADER:100', 'DATA:OFXSGML', 'VERSION:102', ''],
    `<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}`,
    '<BANKACCTFROM><BANKID>1<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM>',
    '<BANKTRANLIST><DTSTART>20260301<DTEND>20260331',
    ...entries,
    '</BANKTRANLIST><LEDGERBAL><BALAMT>5000.00<DTASOF>20260331</LEDGERBAL>',
    '</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>',
    '',
  ].join('\n');

const payout = '<TRNTYPE>CREDIT<DTPOSTED>20260305<TRNAMT>3452.72<FITID>2<NAME>E2E-20260304-03';
const rent = '<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260309<TRNAMT>-20.00<FITID>3<NAME>Rent';

describe('OFX', () => {
  test('a transaction with its beginning and its end is read', async () => {
    const judged = await read('a.ofx', ofx([`<STMTTRN>${payout}</STMTTRN>`, `${rent}</STMTTRN>`]));
    expect([codes(judged), stateOf(judged)]).toEqual([[], 'matched']);
  });

  test('a transaction without its beginning is told with its line', async () => {
    expect(lines(await read('a.ofx', ofx([`${payout}</STMTTRN>`, `${rent}</STMTTRN>`])))).toContain(
      8,
    );
  });

  test('a transaction without its end is told', async () => {
    expect(codes(await read('a.ofx', ofx([`<STMTTRN>${payout}</STMTTRN>`, rent])))).toContain(
      'unreadable',
    );
  });

  test('a list within a list is told', async () => {
    const inner = [
      '<BANKTRANLIST><DTSTART>20260301<DTEND>20260331',
      `${rent}</STMTTRN>`,
      '</BANKTRANLIST>',
    ];
    expect(codes(await read('a.ofx', ofx([`<STMTTRN>${payout}</STMTTRN>`, ...inner])))).toContain(
      'unreadable',
    );
  });

  test('NULs in the place of a transaction are told with their line', async () => {
    expect(lines(await read('a.ofx', ofx([nul(99), `${rent}</STMTTRN>`])))).toContain(8);
  });

  test('a currency that is none is told with its file', async () => {
    const judged = await read('a.ofx', ofx([`${rent}</STMTTRN>`], 'QQ7'));
    expect(judged.stdout + judged.stderr).toContain('a.ofx');
  });
});

/** CFONB 120: a pay-out between two balances. */
function cfonb([opening, entry, closing]: readonly [string, string, string]): string {
  const head = (kind: string, currency: string) => `${kind}30178    38444${currency}2 9214604668Z`;
  const balance = (kind: string, currency: string, day: string, amount: string) =>
    `${head(kind, currency)}  ${day}${' '.repeat(50)}${amount}`.padEnd(120);
  return [
    balance('01', opening, '280226', '0000000001000{'),
    `${head('04', entry)}18050326  050326${'E2E-20260304-03'.padEnd(31)}  0000000  0000000034527B`.padEnd(
      120,
    ),
    balance('07', closing, '310326', '0000000035527B'),
    '',
  ].join('\n');
}

describe('CFONB 120', () => {
  test('records of one currency are read', async () => {
    const judged = await read('a.cfo', cfonb(['EUR', 'EUR', 'EUR']));
    expect([codes(judged), stateOf(judged)]).toEqual([[], 'matched']);
  });

  test.each([
    [['USD', 'EUR', 'EUR'], 2],
    [['EUR', 'EUR', 'USD'], 3],
    [['EUR', 'USD', 'EUR'], 2],
  ] as const)('records of currencies %j are told', async (currencies, line) => {
    expect(lines(await read('a.cfo', cfonb(currencies)))).toContain(line);
  });

  test.each(['320326', '      '])(
    'a closing balance of the day %j is told, and is no bound',
    async (day) => {
      const judged = await read('a.cfo', cfonb(['EUR', 'EUR', 'EUR']).replace('310326', day));
      expect(lines(judged)).toContain(3);
      expect(judged.stdout + judged.stderr).not.toMatch(/Invalid|2026-03-32/);
    },
  );

  test('a file that ends before its first record of a day is told', async () => {
    const [first = ''] = cfonb(['EUR', 'EUR', 'EUR']).split('\n');
    const judged = await read('a.cfo', `${first}\n`);
    expect(judged.stdout + judged.stderr).toContain('a.cfo');
  });
});

describe('MT940', () => {
  const page = (number: number, opening: string, entry: string, closing: string) => [
    ...[':20:STARTUMSE', ':25:DE49955683515401666424', `:28C:7/${number}`, opening],
    ...[`:61:${entry}NTRFNONREF`, ':86:Rent', closing, '-'],
  ];

  test('pages of one day follow each other', async () => {
    const text = [
      ...page(1, ':60F:C260228EUR100,00', '2603060306D10,00', ':62M:C260306EUR90,00'),
      ...page(2, ':60M:C260306EUR90,00', '2603060306D20,00', ':62M:C260306EUR70,00'),
      ...page(3, ':60M:C260306EUR70,00', '2603230323C5,00', ':62F:C260331EUR75,00'),
      '',
    ];
    expect(codes(await read('a.sta', text.join('\r\n')))).toEqual([]);
  });

  test('a block of NULs between two messages is told', async () => {
    const text = [
      ...page(1, ':60F:C260228EUR100,00', '2603060306D10,00', ':62M:C260306EUR90,00'),
      nul(512),
      ...page(2, ':60M:C260306EUR90,00', '2603060306D20,00', ':62F:C260331EUR70,00'),
      '',
    ];
    expect(codes(await read('a.sta', text.join('\r\n')))).toContain('unreadable');
  });
});

describe('BAI2', () => {
  test('a total may have a plus', async () => {
    const text = [
      ...[
        '01,121140399,123456789,260306,0200,1,,,2/',
        '02,123456789,121140399,1,260305,2359,EUR,2/',
      ],
      ...[
        '03,123456789,EUR,010,+0,,,015,345272,,,100,+345272,1,/',
        '16,165,345272,,REF,,E2E-20260304-03/',
      ],
      ...['49,1035816,3/', '98,1035816,1,5/', '99,1035816,1,7/', ''],
    ];
    const judged = await read('a.bai', text.join('\n'));
    expect([codes(judged), stateOf(judged)]).toEqual([[], 'matched']);
  });
});

describe('Norma 43', () => {
  test('the mark with which DOS ended a file is no record', async () => {
    const key = '004912345678901234';
    const zeros = '0'.repeat(14);
    const text = [
      `11${key}2603012603312${zeros}9783EXAMPLE SHOP SL`,
      `22    1234260305260305040002${'345272'.padStart(14, '0')}${'0'.repeat(22)}`,
      '2301E2E-20260304-03',
      `33${key}00000${zeros}00001${'345272'.padStart(14, '0')}2${'345272'.padStart(14, '0')}978`,
      `88${'9'.repeat(18)}000004`,
      '\u001a',
    ];
    const judged = await read('a.n43', text.join('\r\n'));
    expect([codes(judged), stateOf(judged)]).toEqual([[], 'matched']);
  });
});

/** A CODA statement with its number, from one balance to another, with one entry between them. */
function coda(
  number: string,
  [from, opening]: readonly [string, number],
  [to, closing]: readonly [string, number],
) {
  const own = `${'BE47717751808780'.padEnd(34)}EUR`;
  const amount = (cents: number) => `${String(Math.abs(cents)).padStart(14, '0')}0`;
  const change = closing - opening;
  const sign = change < 0 ? '1' : '0';
  const [debit, credit] = change < 0 ? [change, 0] : [0, change];
  return [
    `00000${to}30005${' '.repeat(18)}${'EXAMPLE SHOP'.padEnd(26)}${'KREDBEBB'.padEnd(11)}00417331909 00000${' '.repeat(39)}2`,
    `12${number}${own}0${amount(opening)}${from}${'EXAMPLE SHOP'.padEnd(26)}${'ACCOUNT'.padEnd(35)}${number}`,
    `2100010000${'REF'.padEnd(21)}${sign}${amount(change)}${to}001500000${'SALE'.padEnd(53)}${to}${number}00 0`,
    `8${number}${own}0${amount(closing)}${to}${' '.repeat(64)}0`,
    `9${' '.repeat(15)}000003${amount(debit)}${amount(credit)}${' '.repeat(75)}2`,
  ];
}

describe('CODA', () => {
  const first = coda('001', ['280226', 10_000], ['100326', 12_000]);
  const second = coda('002', ['100326', 12_000], ['200326', 15_000]);
  const third = coda('003', ['200326', 15_000], ['310326', 14_000]);

  test('statements with consecutive numbers follow each other', async () => {
    const judged = await read('a.cod', [...first, ...second, ...third, ''].join('\r\n'));
    expect(codes(judged)).toEqual([]);
    expect(judged.report?.statements.map(({ checked }) => checked)).toEqual([true, true, true]);
  });

  test('a lost statement between two others is told', async () => {
    const judged = await read('a.cod', [...first, ...third, ''].join('\r\n'));
    expect(codes(judged)).toEqual(['statement_gap']);
  });
});
