import { describe, expect, test } from 'vitest';
import { settingTable } from '../../src/config/table.ts';
import { moneyIn, read, readFiles } from './reading.ts';
import { row, text, workbookOf } from './workbook-file.ts';

const mappingsOf = (mappings: object) =>
  settingTable.bank_csv.parse({
    key: 'bank_csv',
    text: JSON.stringify(mappings),
    origin: 'default',
  });

/** As two German banks write their files, and one that writes in English. */
const german = { delimiter: ';', decimal: ',', date_format: 'DD.MM.YYYY', currency: 'EUR' };
const dkb = {
  ...german,
  date_format: 'DD.MM.YY',
  date: 'Buchungsdatum',
  amount: 'Betrag (€)',
  texts: ['Verwendungszweck'],
};
const vr = { ...german, date: 'Buchungstag', amount: 'Betrag', currency: 'Waehrung' };
const revolut = { date: 'Completed Date', amount: 'Amount', currency: 'Currency' };
const mapping = mappingsOf({ dkb, vr, revolut });

const files = {
  'dkb.csv': [
    '"Girokonto";"DE79123456780000143027"',
    '""',
    '"Buchungsdatum";"Verwendungszweck";"Betrag (€)"',
    '"05.03.26";"Payout E2E-1";"3.452,72"',
  ].join('\n'),
  'vr.csv': 'Buchungstag;Text;Betrag;Waehrung\n06.03.2026;Payout E2E-2;-1,50;EUR\n',
  'revolut.csv': 'Completed Date,Amount,Currency\n2026-03-07,7.00,USD\n',
};

describe('several mappings', () => {
  test('are chosen by the columns of each file, in any order of files', async () => {
    for (const some of [files, Object.fromEntries(Object.entries(files).reverse())]) {
      const result = await readFiles(some, { mapping });
      expect(result.findings).toEqual([]);
      expect(moneyIn(result)).toEqual([
        ...['2026-03-05 3452.72', '2026-03-06 -1.50', '2026-03-07 7.00'],
      ]);
    }
  });

  test('may stand beside the one without a name', async () => {
    const result = await readFiles(
      { 'revolut.csv': files['revolut.csv'], 'vr.csv': files['vr.csv'] },
      { mapping: mappingsOf({ ...revolut, vr }) },
    );
    expect(moneyIn(result)).toEqual(['2026-03-06 -1.50', '2026-03-07 7.00']);
  });

  test('that both fit: the one that uses more columns is taken', async () => {
    const fuller = { ...vr, texts: ['Text'] };
    for (const both of [
      { vr, fuller },
      { fuller, vr },
    ]) {
      const { entries } = await read(files['vr.csv'], {
        mapping: mappingsOf(both),
      });
      expect(entries[0]?.details.texts).toEqual(['Payout E2E-2']);
    }
  });

  const [one, other] = ['DE79123456780000143027', 'DE89370400440532013000'];
  const [main, rent] = [one, other].map((account) => ({ ...vr, currency: 'EUR', account }));
  const plain = 'Buchungstag;Betrag\n06.03.2026;-1,50\n';

  test('for two accounts of one bank are chosen by the name of the file, or a line above', async () => {
    const given = { mapping: mappingsOf({ main, rent }) };
    const above = 'Konto;DE89 3704 0044 0532 0130 00\n';
    const named = { [`${one}_march.csv`]: plain, 'rent.csv': above + plain };
    const { entries } = await readFiles(named, given);
    expect(entries.map(({ account, place }) => `${account} ${place.file}`).sort()).toEqual([
      `${one} ${one}_march.csv`,
      `${other} rent.csv`,
    ]);
    const payee = plain.replace('1,50\n', `1,50\n07.03.2026;-2,00;${one}\n`);
    await expect(read(payee, given)).rejects.toThrow('Several mappings fit this file');
  });

  test('for two accounts are not guessed', async () => {
    await expect(read(plain, { mapping: mappingsOf({ main, rent }) })).rejects.toMatchObject({
      ...{
        failure: 'usage',
        message: 'Several mappings fit this file: bank_csv.main, bank_csv.rent.',
      },
    });
  });

  test('read each visible sheet with their columns', async () => {
    const sheetOf = (names: readonly string[], values: readonly string[]) =>
      [names, values]
        .map((cells, at) =>
          row(at + 1, ...cells.map((cell, column) => text(`${'ABCD'[column]}${at + 1}`, cell))),
        )
        .join('');
    const german = ['Buchungstag', 'Text', 'Betrag', 'Waehrung'];
    const bytes = workbookOf({
      rows: sheetOf(['Completed Date', 'Amount', 'Currency'], ['2026-03-07', '7.00', 'USD']),
      more: {
        Giro: sheetOf(german, ['06.03.2026', 'x', '-1,50', 'EUR']),
        '-Cache': sheetOf(german, ['06.03.2026', 'x', '-9,00', 'EUR']),
        Notes: row(1, text('A1', 'Call the bank')),
      },
    });
    const result = await readFiles({ 'bank.xlsx': bytes }, { mapping });
    expect(moneyIn(result)).toEqual(['2026-03-06 -1.50', '2026-03-07 7.00']);
    expect(result.entries.map(({ place }) => place.file)).toEqual(['bank.xlsx:Giro', 'bank.xlsx']);
    expect(result.findings.map(({ code, place }) => `${code} ${place.file}`)).toEqual([
      ...['other_file bank.xlsx:Cache', 'other_file bank.xlsx:Notes'],
    ]);
  });
});

describe('a CSV file without the columns of a mapping', () => {
  test.each([
    [
      'lacks one of them',
      'Buchungstag;Umsatz;Waehrung\n06.03.2026;1,00;EUR\n',
      'This file lacks columns that bank_csv.vr names: Betrag.',
      'It has Buchungstag, Umsatz, Waehrung.',
    ],
    [
      'has another delimiter',
      'Buchungstag|Betrag|Waehrung\n06.03.2026|1,00|EUR\n',
      'This file lacks columns that bank_csv.dkb names: Buchungsdatum',
      'It has 1 column: Buchungstag|Betrag|Waehrung. Check the delimiter.',
    ],
    [
      'has a title above',
      'Konto;1\n\nBuchungstag;Umsatz;Waehrung\n06.03.2026;1,00;EUR\n',
      'names: Betrag.',
      'It has Buchungstag, Umsatz, Waehrung.',
    ],
  ])('says what it has and what it lacks: it %s', async (_, content, message, hint) => {
    const failure = await read(content, { mapping }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
  });

  test('shows no data of a file whose columns are all unknown', async () => {
    const content = '05.03.2026;Ada Lovelace;-1,00\n06.03.2026;Ada Lovelace;-2,00\n';
    const failure = await read(content, { mapping }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining('lacks columns') });
    expect(JSON.stringify(failure)).not.toContain('Lovelace');
  });
});

describe('a row that cannot be read', () => {
  test('names the keys of the mapping that say how it is written', async () => {
    const { findings } = await read('Buchungstag;Betrag;Waehrung\n2026-03-06;1.00;EUR\n', {
      mapping: mappingsOf({ ...vr }),
    });
    expect(findings).toMatchObject([{ element: 'Buchungstag', setting: 'bank_csv.date' }]);
    const spoiled = files['vr.csv'].replace('-1,50', '1.50');
    const named = await readFiles({ 'vr.csv': spoiled }, { mapping });
    expect(named.findings).toMatchObject([
      { place: { file: 'vr.csv', line: 2 }, found: '1.50', setting: 'bank_csv.vr.amount' },
    ]);
  });
});
