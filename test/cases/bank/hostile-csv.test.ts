import { describe, expect, test } from 'vitest';
import {
  bankOf,
  type Files,
  folderOf,
  isNamed,
  moneyFrom,
  runBank,
} from '../../bank/bank-report.ts';
import { Random } from '../../support/random.ts';

/** The columns that the bank of these tests writes, and what the profile says of them. */
const header = 'Date,Amount,Currency,Text';
const csv = { date: 'Date', amount: 'Amount', currency: 'Currency', texts: ['Text'] };
const control = '2026-03-04,1.00,EUR,control';
const onlyControl = ['2026-03-04 1.00 EUR'];

const lines = (...all: readonly string[]) => `${all.join('\r\n')}\r\n`;
const readCsv = (text: string | Uint8Array, mapping: Readonly<Record<string, unknown>> = csv) =>
  bankOf({ 'a.csv': text }, { csv: mapping });

describe('a file with its header only', () => {
  const empty: Readonly<Record<string, string>> = {
    'with a line end': `${header}\r\n`,
    'without a line end': header,
    'with a byte order mark': `\uFEFF${header}\r\n`,
    'with empty lines below': `${header}\r\n\r\n\r\n`,
    'with quoted names': '"Date","Amount","Currency","Text"\r\n',
    'with a name over two lines': 'Date,Amount,Currency,"Text",,"of the\r\npayment"\r\n',
  };

  test.each(Object.entries(empty))('is a statement without entries: %s', async (_, text) => {
    const run = await readCsv(text);
    expect(run.codes).toEqual([]);
    expect(run.money).toEqual([]);
    expect(run.exitCode).toBe(0);
  });

  test('is a statement also with semicolons and lines above it', async () => {
    const text = 'Account;123\r\n\r\nDate;Amount;Currency;Text\r\n';
    const run = await readCsv(text, { ...csv, delimiter: ';', decimal: ',', skip_lines: 2 });
    expect(run.exitCode).toBe(0);
  });

  test('does not change what is read from other files', async () => {
    const files = { 'empty.csv': `${header}\r\n`, 'full.csv': lines(header, control) };
    const run = await bankOf(files, { csv });
    expect(run.money).toEqual(onlyControl);
    expect(run.exitCode).toBe(0);
  });

  test('does not change pay-outs, because its days are not known', async () => {
    const account = 'DE79123456780000143027';
    const run = await bankOf(
      { 'a.csv': `${header}\r\n` },
      { csv: { ...csv, account }, scenario: 'pending', args: ['--month', '2026-03'] },
    );
    expect(run.exitCode).not.toBe(2);
    expect(run.report.matches.map(({ state }) => state)).not.toContain('matched');
    expect(run.report.matches.length).toBeGreaterThan(0);
  });

  test.each(['table', 'csv', 'json', 'ndjson', 'html', 'markdown'])(
    'is shown without words of the program in %s',
    async (format) => {
      const folder = await folderOf({ 'a.csv': `${header}\r\n` });
      const asked = { csv, scenario: 'pending' };
      const { stdout, stderr } = await runBank([folder], ['--format', format], asked);
      const text = stdout.replace(/<script[\s\S]*?<\/script>/g, '') + stderr;
      expect(text).not.toMatch(/\bNaN\b|\bundefined\b|\[object |Invalid Date/);
    },
  );

  test('is not a statement if the mapped columns are missing', async () => {
    const run = await readCsv('Day,Sum\r\n');
    expect(run.exitCode).not.toBe(0);
    expect(run.stdout + run.stderr).toContain('a.csv');
  });
});

describe('two columns of one name', () => {
  const twice: Readonly<Record<string, readonly [columns: string, row: string, name: string]>> = {
    'of the amount': ['Date,Amount,Currency,Text,Amount', '2026-03-05,7.00,EUR,x,8.00', 'Amount'],
    'of the amount, with the same money': [
      'Date,Amount,Currency,Text,Amount',
      '2026-03-05,7.00,EUR,x,7.00',
      'Amount',
    ],
    'of the amount, one of them empty': [
      'Date,Amount,Amount,Currency,Text',
      '2026-03-05,,7.00,EUR,x',
      'Amount',
    ],
    'of the date': ['Date,Date,Amount,Currency,Text', '2026-03-05,2026-03-06,7.00,EUR,x', 'Date'],
    'of the currency': [
      'Date,Amount,Currency,Currency,Text',
      '2026-03-05,7.00,EUR,USD,x',
      'Currency',
    ],
    'of the amount, in quotes': [
      'Date,"Amount",Currency,Text,Amount',
      '2026-03-05,7.00,EUR,x,8.00',
      'Amount',
    ],
    'three of them': [
      'Date,Amount,Amount,Amount,Currency,Text',
      '2026-03-05,7.00,7.00,8.00,EUR,x',
      'Amount',
    ],
  };
  test.each(Object.entries(twice))('are unreadable: %s', async (_, [columns, row, name]) => {
    const run = await readCsv(lines(columns, row));
    expect(run.money).toEqual([]);
    expect(run.exitCode).toBe(4);
    expect(run.codes).toContain('unreadable');
    const [finding] = run.report.statementFindings;
    expect(finding).toMatchObject({ line: 1 });
    expect(`${finding?.element} ${finding?.message}`).toContain(name);
    expect(finding?.file).toContain('a.csv');
  });

  test.each(['debit', 'credit'])('are unreadable if they are the columns of %s', async (which) => {
    const mapping = { date: 'Date', debit: 'Debit', credit: 'Credit', currency: 'EUR' };
    const name = which === 'debit' ? 'Debit' : 'Credit';
    const text = lines(`Date,Debit,Credit,${name}`, '2026-03-05,,7.00,8.00');
    const run = await readCsv(text, mapping);
    expect(run.money).toEqual([]);
    expect(run.exitCode).toBe(4);
  });

  test('are unreadable below skipped lines, with their line', async () => {
    const text = lines('Account,123', 'From,"1 March\r\n2026"', 'Date,Amount,Amount,Currency,Text');
    const run = await readCsv(text + lines('2026-03-05,7.00,8.00,EUR,x'), {
      ...csv,
      skip_lines: 3,
    });
    expect(run.money).toEqual([]);
    expect(run.exitCode).not.toBe(0);
  });

  test('change nothing if they are not mapped', async () => {
    const text = lines(`${header},Note,Note,,`, `${control},a,b,,`);
    const run = await readCsv(text);
    expect(run.money).toEqual(onlyControl);
    expect(run.exitCode).toBe(0);
  });

  test('change nothing if columns have numbers instead of names', async () => {
    const mapping = { date: '1', amount: '2', currency: '3', header: false };
    const run = await readCsv(lines('2026-03-04,1.00,EUR,x,x'), mapping);
    expect(run.money).toEqual(onlyControl);
    expect(run.exitCode).toBe(0);
  });
});

describe('a date', () => {
  const refused = [
    '2026-03-05 99:99',
    '2026-03-05 24:30',
    '2026-03-05 12:60',
    '2026-03-05T99:99:99',
    '2026-03-05 08:15:99',
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-00-05',
    '2026-03-00',
    '2026-3-5x',
    '05.03.2026',
    '2026-03-05 noon',
    '2026-03-05 08',
    '2026-03-05 2026-03-06',
    '20260305',
  ];
  test.each(refused)('is unreadable: %s', async (date) => {
    const run = await readCsv(lines(header, control, `${date},7.00,EUR,x`));
    expect(run.money).toEqual(onlyControl);
    expect(run.exitCode).toBe(4);
    expect(run.codes).toEqual(['unreadable']);
    const [finding] = run.report.statementFindings;
    expect(finding).toMatchObject({ line: 3 });
    expect(finding?.message).toContain('Date');
  });

  test.each([
    '2026-03-05',
    ' 2026-03-05 ',
    '2026-03-05 00:00',
    '2026-03-05 23:59',
    '2026-03-05 23:59:59',
    '2026-03-05T08:15:30',
  ])('is read with a time or without: %s', async (date) => {
    const run = await readCsv(lines(header, control, `${date},7.00,EUR,x`));
    expect(run.money).toEqual([...onlyControl, '2026-03-05 7.00 EUR']);
    expect(run.exitCode).toBe(0);
  });

  test.each(['2026-02-30', '2026-02-29', '2026-04-31'])(
    'of value that does not exist is named, and not replaced: %s',
    async (value) => {
      const text = lines(
        `${header},Value`,
        `${control},2026-03-04`,
        `2026-03-05,7.00,EUR,x,${value}`,
      );
      const run = await readCsv(text, { ...csv, value_date: 'Value' });
      expect(run.codes).toHaveLength(1);
      expect(['odd_value_date', 'unreadable']).toContain(run.codes[0]);
      const listed = run.report.matches.flatMap(({ entries }) => entries);
      const entry = listed.find(({ amount }) => amount.amount === '7.00');
      if (entry) expect([value, null, '']).toContain(entry.valueDate);
    },
  );
});

describe('quotes and line ends', () => {
  const fine: Readonly<Record<string, string>> = {
    'LF alone': `${header}\n${control}\n`,
    'no end of the last line': `${header}\r\n${control}`,
    'a byte order mark': `\uFEFF${lines(header, control)}`,
    'a byte order mark before a quote': `\uFEFF"Date",Amount,Currency,Text\r\n${control}\r\n`,
    'everything in quotes': lines(header, control).replaceAll(/[^,\r\n]+/g, '"$&"'),
    'line breaks in a text': lines(
      header,
      '2026-03-04,1.00,EUR,"a\r\nb\nc\r\n2026-03-05,7.00,EUR,x"',
    ),
    'quotes in a text': lines(header, '2026-03-04,1.00,EUR,"the ""best"", he said"'),
    'delimiters in a text': lines(header, '2026-03-04,1.00,EUR,"a,b,,c"'),
    'an empty text in quotes': lines(header, '2026-03-04,1.00,EUR,""'),
    'more columns than are mapped': lines(`${header},A,B`, `${control},1,2`),
    'columns in another order': lines('Text,Currency,Amount,Date', 'x,EUR,1.00,2026-03-04'),
    'a line of totals without date and amount': lines(header, control, ',,,Total'),
    'empty lines between': lines(header, '', control, '', ''),
  };
  test.each(Object.entries(fine))('are read as RFC 4180 says: %s', async (_, text) => {
    const run = await readCsv(text);
    expect(run.codes).toEqual([]);
    expect(run.money).toEqual(onlyControl);
    expect(run.exitCode).toBe(0);
  });

  const wrong: Readonly<Record<string, string>> = {
    'a quote that is never closed': `${header}\r\n${control}\r\n2026-03-05,7.00,EUR,"x\r\n2026-03-06,8.00,EUR,y\r\n`,
    'an amount with a quote in it': lines(header, control, '2026-03-05,7"8".00,EUR,x'),
    'an amount behind a closed quote': lines(header, control, '2026-03-05,"7"8.00,EUR,x'),
    'an amount with a line break': lines(header, control, '2026-03-05,"7\r\n8.00",EUR,x'),
    'a line with more cells than columns': lines(header, control, '2026-03-05,7,50,EUR,x'),
    'a line that ends before the amount': lines(header, control, '2026-03-05'),
    'a line without an amount': lines(header, control, '2026-03-05,,EUR,x'),
    'a line without a date': lines(header, control, ',7.00,EUR,x'),
    'a line without a currency': lines(header, control, '2026-03-05,7.00,,x'),
  };
  test.each(Object.entries(wrong))('do not lose money without a finding: %s', async (_, text) => {
    const run = await readCsv(text);
    expect(run.money).toEqual(onlyControl);
    expect(run.exitCode).toBe(4);
    expect(run.codes).toContain('unreadable');
    expect([3, 4]).toContain(run.report.statementFindings[0]?.line);
  });

  test('count lines as an editor does, also after a text of several lines', async () => {
    const text = lines(header, '2026-03-04,1.00,EUR,"a\r\nb\r\nc"', '2026-03-05,7x,EUR,x', control);
    const run = await readCsv(text);
    expect(run.report.statementFindings.map(({ line }) => line)).toEqual([5]);
    expect(run.money).toEqual([...onlyControl, ...onlyControl]);
  });

  test('are read with semicolons, decimal commas and a Windows code page', async () => {
    const text =
      'Buchungstag;Betrag;W\u00e4hrung;Zweck\r\n04.03.2026;"1.234,50";EUR;"M\u00fcller; S\u00f6hne"\r\n';
    const mapping = {
      delimiter: ';',
      decimal: ',',
      thousands: '.',
      date_format: 'DD.MM.YYYY',
      date: 'Buchungstag',
      amount: 'Betrag',
      currency: 'W\u00e4hrung',
      texts: ['Zweck'],
    };
    for (const encoding of ['latin1', 'utf8'] as const) {
      const run = await readCsv(Buffer.from(text, encoding), mapping);
      expect(run.money).toEqual(['2026-03-04 1234.50 EUR']);
      expect(run.report.matches[0]?.entries[0]?.texts).toEqual(['M\u00fcller; S\u00f6hne']);
      expect(run.exitCode).toBe(0);
    }
  });
});

describe('an amount in a cell', () => {
  const refused = [
    '7,50',
    '1.234.50',
    '7.5.0',
    '7e2',
    '0x7',
    '7 50',
    '--7.00',
    '+-7.00',
    '7.00-5',
    'EUR7.00x',
    '٧.00',
    '７.00',
    '=7.00',
    '7.00%',
    'NaN',
    'Infinity',
    '.',
    '-',
    '7.O0',
    '\u200b7.00x',
  ];
  test.each(refused)('is unreadable: %s', async (amount) => {
    const run = await readCsv(lines(header, control, `2026-03-05,"${amount}",EUR,x`));
    expect(run.money).toEqual(onlyControl);
    expect(run.exitCode).toBe(4);
    expect(run.report.statementFindings).toMatchObject([{ code: 'unreadable', line: 3 }]);
    expect(run.report.statementFindings[0]?.message).toContain('Amount');
  });

  test.each(
    Object.entries({
      '7': '7.00',
      '-7.5': '-7.50',
      '+7.50': '7.50',
      '0007.50': '7.50',
      '"1,234.50"': '1234.50',
    }),
  )('is read: %s', async (written, amount) => {
    const run = await readCsv(lines(header, control, `2026-03-05,${written},EUR,x`));
    expect(run.money).toEqual([...onlyControl, `2026-03-05 ${amount} EUR`]);
    expect(run.exitCode).toBe(0);
  });
});

describe('a generated file', () => {
  const strange = ['', ' ', ',', ';', '"', '.', '-', 'O', 'l', 'x', '\t', '\u00a0', '\r\n', "'"];
  const accounts = {
    date: 'Date',
    amount: 'Amount',
    currency: 'Currency',
    texts: ['Text'],
    account: 'Account',
  };

  /** A file of some entries, and what is in it. */
  function generate(random: Random, account: string) {
    const isQuoted = random.chance(40);
    const cell = (text: string) =>
      isQuoted || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    const entries = Array.from({ length: random.int(1, 5) }, () => {
      const cents = random.int(1, 9_999_999);
      const sign = random.chance(40) ? '-' : '';
      return {
        day: `2026-03-0${random.int(2, 6)}`,
        amount: `${sign}${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
      };
    });
    const rows = entries.map(({ day, amount }) =>
      [day, amount, 'EUR', account, random.pick(['x', 'a, b', 'say "hi"', 'two\r\nlines', ''])]
        .map(cell)
        .join(','),
    );
    const text = `${['Date,Amount,Currency,Account,Text', ...rows].join('\r\n')}\r\n`;
    return {
      text: random.chance(20) ? `\uFEFF${text}` : text,
      money: entries.map(({ day, amount }) => `${day} ${amount} EUR`).sort(),
    };
  }
  const filesOf = (made: readonly { readonly name: string; readonly text: string }[]): Files =>
    Object.fromEntries(made.map(({ name, text }) => [name, text]));

  test('is read as written', async () => {
    const random = new Random(3);
    const made = Array.from({ length: 150 }, (_, index) => ({
      name: `whole-${index}-.csv`,
      ...generate(random, `AB${1000 + index}X`),
    }));
    const run = await bankOf(filesOf(made), { csv: accounts });
    for (const { name, money } of made) expect(moneyFrom(run, name), name).toEqual(money);
    expect(run.codes).toEqual([]);
  });

  test('gives the same or is named after one character of an amount or a date is changed', async () => {
    const random = new Random(32);
    const made = Array.from({ length: 600 }, (_, index) => {
      const { text, money } = generate(random, `AB${1000 + index}X`);
      const fields = [...text.matchAll(/^("?)(2026-03-0\d)\1,\1(-?[\d.]+)\1,/gm)];
      const field = random.pick(fields);
      const end = field.index + field[0].length - 1;
      const at = random.int(field.index, end - 1);
      const changed = text.slice(0, at) + random.pick(strange) + text.slice(at + random.int(0, 1));
      // Another amount that is as well formed as the first, perhaps with grouped thousands: nobody can tell.
      const line = changed.slice(field.index, changed.indexOf('EUR', field.index));
      const isFree =
        /^("?)\s*2026-03-0\d\s*\1,("?)\s*-?\s*(\d+|\d{1,3}(\D\d{3})+)(\.\d*)?\s*-?\2,"?$/.test(
          line,
        );
      return { name: `changed-${index}-.csv`, text: changed, money, isFree };
    });
    const run = await bankOf(filesOf(made), { csv: accounts });
    const wrong = made.filter(({ name, money, isFree }) => {
      const isSame = JSON.stringify(moneyFrom(run, name)) === JSON.stringify(money);
      return !isFree && !isSame && !isNamed(run, name);
    });
    expect(wrong.map(({ name, text }) => `${name}: ${text}`)).toEqual([]);
    expect(made.filter(({ name }) => isNamed(run, name)).length).toBeGreaterThan(200);
  });
});
