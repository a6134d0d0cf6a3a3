import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { accountsIn } from '../../src/books/accounts.ts';
import { exampleMappings, type JournalFormat } from '../../src/books/example-mapping.ts';
import { journalForms } from '../../src/books/journal-forms.ts';
import type { JournalCsv } from '../../src/model/account-mapping.ts';
import type { ReconciledSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { journalFiles, journalText } from '../../src/render/journal.ts';
import { judge } from '../reconcile/judge.ts';
import { buildRow, uuid } from '../support/build.ts';
import { bookedFrom, march } from './book-run.ts';

const names = new Map([['token-a', 'Web shop of the north']]);

/** A journal file of settlements, of which each is 9.64 + 0.30 + 0.06 = 10.00. */
function fileOf(settlements: readonly ReconciledSettlement[], csv?: JournalCsv) {
  const mapping = { ...exampleMappings.csv, ...(csv && { csv }) };
  const accountFor = accountsIn(mapping, journalForms.csv.accounts);
  const { entries } = bookedFrom(settlements, { accountFor, names });
  return { comments: [], entries, balances: [], range: march, mapping };
}

/** The lines of a journal in this layout. */
function linesOf(csv: JournalCsv, format: JournalFormat = 'csv', settlements = [judge()]) {
  const pieces = [...journalText(format, fileOf(settlements, csv))];
  return pieces.map(String).join('').split('\r\n').slice(0, -1);
}

const euro = (n: number) => judge({ header: { id: uuid(n) } });
const inYen = { currency: 'JPY', scale: 0 };
const yen = judge({ header: { id: uuid(99), ...inYen }, rows: [buildRow(inYen)] });

describe('a journal for software that imports CSV', () => {
  test('has the columns that its mapping names, with fields of the entry and of each line', () => {
    const lines = linesOf({
      date: 'DD.MM.YY',
      decimal: ',',
      delimiter: ';',
      columns: {
        No: '{entry_number}/{line_number}',
        Day: '{date}',
        Account: '{account_name}',
        Side: '{side}',
        Amount: '{unsigned_amount}',
        Code: '{tax_code}',
      },
      first_line: ['Day'],
      names: { 'Payment fees': '4970 Fees' },
      sides: ['S', 'H'],
      words: { tax_code: { fees: 'V9', other: 'none' } },
    });
    expect(lines).toEqual([
      'No;Day;Account;Side;Amount;Code',
      '1/1;05.03.26;Payments in transit;S;9,64;none',
      '1/2;;4970 Fees;S;0,30;V9',
      '1/3;;Input tax;S;0,06;none',
      '1/4;;Payments receivable;H;10,00;none',
    ]);
  });

  test('books pairs of accounts if a column has the counter account', () => {
    const columns = { From: '{account}', To: '{counter_account}', Amount: '{amount}' };
    expect(linesOf({ columns, header: false })).toEqual([
      'Payments in transit,Payments receivable,9.64',
      'Payment fees,Payments receivable,0.30',
      'Input tax,Payments receivable,0.06',
    ]);
  });

  test('shortens a text from its end, where the name is, and the id last', () => {
    const columns = { Text: '{text}, {purpose}' };
    const [first = ''] = linesOf({ columns, header: false, longest: { Text: 70 } });
    expect(parse(first)).toEqual([[`Settlement ${uuid(1)}, Web shop, in_transit`]]);
    const [short = ''] = linesOf({ columns, header: false, longest: { Text: 30 } });
    expect(parse(short)).toEqual([[`Settlement ${uuid(1)}`.slice(0, 30)]]);
  });

  test.each([
    ['utf-8', 'Café €'],
    ['utf-8-bom', '\ufeffCafé €'],
  ] as const)('is in %s', (encoding, expected) => {
    const columns = { Text: 'Café €' };
    expect(linesOf({ columns, encoding, header: false })[0]).toBe(expected);
  });

  test('is in windows-1252 if the target reads nothing else', () => {
    const csv = { columns: { Text: 'Café €' }, encoding: 'windows-1252', header: false } as const;
    const [piece] = [...journalText('csv', fileOf([judge()], csv))];
    expect(Buffer.from(piece as Uint8Array).subarray(0, 6)).toEqual(
      Buffer.from([0x43, 0x61, 0x66, 0xe9, 0x20, 0x80]),
    );
  });

  test('is refused if an amount has more decimals than the target takes', () => {
    const columns = { Amount: '{amount}' };
    expect(() => linesOf({ columns, most_decimals: 1 })).toThrow(
      'The target takes 1 decimals: it cannot hold 9.64 EUR.',
    );
    expect(linesOf({ columns, most_decimals: 0, header: false }, 'csv', [yen])).toHaveLength(4);
  });
});

describe('a journal in two currencies', () => {
  test.each(['quickbooks', 'xero', 'odoo'] as const)(
    'is never one file for %s, which has no column for the currency',
    (format) => {
      const file = fileOf([judge(), yen]);
      expect(() => [...journalText(format, file)]).toThrow(
        'No column has the currency, and there are entries in EUR, JPY.',
      );
      const files = journalFiles(format, file) ?? [];
      expect(files.map(({ name }) => name)).toEqual(['EUR', 'JPY']);
      const sums = files.map(({ text }) => [...text].join('').length);
      expect(Math.min(...sums)).toBeGreaterThan(100);
    },
  );

  test('is one file for netsuite, which has a column for it', () => {
    const [text] = [linesOf({}, 'netsuite', [judge(), yen])];
    expect(text.filter((line) => line.includes(',JPY,'))).toHaveLength(4);
  });
});

test('a file has at most as many lines as the target takes, and an entry is never cut', () => {
  const settlements = Array.from({ length: 80 }, (_, at) => euro(at + 1));
  const files = journalFiles('xero', fileOf(settlements)) ?? [];
  expect(files.map(({ name }) => name)).toEqual(['1', '2']);
  const lines = files.map(({ text }) => [...text].join('').split('\r\n'));
  // Entries of four lines: 75 of them are 300 lines.
  expect(lines.map(({ length }) => length - 2)).toEqual([300, 20]);
  expect(() => [...journalText('xero', fileOf(settlements))]).toThrow(
    'A file takes 300 lines; there are more.',
  );
});
